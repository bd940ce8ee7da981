// atomics.cu: each atomic operation in each scope: of the device, of a block, of the system.
#include "../check.cuh"

struct words {
    int add, sub, exchanged, min, max, swapped, both, either, differing;
    unsigned up, down;
};

#define EACH(scope)                                                                                \
    __global__ void each##scope(words *w)                                                          \
    {                                                                                              \
        int i = threadIdx.x;                                                                       \
        atomicAdd##scope(&w->add, 2);                                                              \
        atomicSub##scope(&w->sub, 1);                                                              \
        atomicExch##scope(&w->exchanged, 7);                                                       \
        atomicMin##scope(&w->min, i);                                                              \
        atomicMax##scope(&w->max, i);                                                              \
        atomicInc##scope(&w->up, 9);                                                               \
        atomicDec##scope(&w->down, 9);                                                             \
        atomicCAS##scope(&w->swapped, 0, 5);                                                       \
        atomicAnd##scope(&w->both, ~i);                                                            \
        atomicOr##scope(&w->either, i);                                                            \
        atomicXor##scope(&w->differing, 1 << i % 8);                                               \
    }

EACH()
EACH(_block)
EACH(_system)

void run(void (*kernel)(words *))
{
    words *w;
    OK(cudaMallocManaged(&w, sizeof *w));
    *w = words{};
    w->min = 99;
    w->both = 0xff;
    kernel<<<1, 36>>>(w);
    OK(cudaDeviceSynchronize());
    EXPECT(w->add == 72 && w->sub == -36 && w->exchanged == 7 && w->min == 0 && w->max == 35);
    EXPECT(w->up == 6 && w->down == 4 && w->swapped == 5);
    EXPECT(w->both == 0xc0 && w->either == 63 && w->differing == 0xf);
    OK(cudaFree(w));
}

int main()
{
    run(each);
    run(each_block);
    run(each_system);
    puts("passed");
}

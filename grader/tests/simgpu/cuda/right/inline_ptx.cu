// inline_ptx.cu: the inline PTX that simcc knows beside special registers; a kernel with template
// parameters that have no name.
#include <type_traits>

#include "../check.cuh"

struct seen {
    unsigned below, bits, left, gone, shuffled, loaded, pair;
};

template <typename T, typename = void, std::enable_if_t<std::is_integral_v<T>, int> = 0>
__global__ void look(const T *in, seen *out)
{
    seen *s = &out[threadIdx.x];
    unsigned lane_mask, a, b;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lane_mask));
    s->below = lane_mask;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(s->bits) : "r"(0xabcdu), "r"(4), "r"(8));
    asm("shl.b32 %0, %1, %2;" : "=r"(s->left) : "r"(3u), "r"(4));
    asm("shr.b32 %0, %1, %2;" : "=r"(s->gone) : "r"(3u), "r"(40));
    asm volatile("shfl.sync.down.b32 %0, %1, %2, %3, %4;"
                 : "=r"(a)
                 : "r"(threadIdx.x), "r"(2), "r"(0x181f), "r"(0xffffffffu)); // sections of 8
    s->shuffled = a;
    asm volatile("ld.global.cg.u8 %0, [%1];" : "=r"(a) : "l"(in + threadIdx.x));
    s->loaded = a;
    asm volatile("ld.global.nc.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(in));
    asm volatile("st.global.cs.u32 [%0], %1;" : : "l"(&s->pair), "r"(a + b) : "memory");
    asm volatile("fence.acq_rel.gpu;" : : : "memory");
}

int main()
{
    unsigned *in;
    seen *out;
    OK(cudaMallocManaged(&in, 32 * sizeof *in));
    OK(cudaMallocManaged(&out, 32 * sizeof *out));
    for (unsigned i = 0; i < 32; i++)
        in[i] = 1000 + i;
    look<<<1, 32>>>(in, out);
    OK(cudaDeviceSynchronize());
    for (unsigned i = 0; i < 32; i++) {
        const seen &s = out[i];
        EXPECT(s.below == (1u << i) - 1 && s.bits == 0xbc && s.left == 48 && s.gone == 0);
        EXPECT(s.shuffled == (i % 8 < 6 ? i + 2 : i) && s.loaded == (in[i] & 255));
        EXPECT(s.pair == 2001);
    }
    OK(cudaFree(in));
    OK(cudaFree(out));
    puts("passed");
}

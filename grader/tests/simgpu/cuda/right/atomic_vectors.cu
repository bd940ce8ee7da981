// atomic_vectors.cu: atomicAdd of pairs and vectors, and of one half of a pair.
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../check.cuh"

struct sums {
    __nv_bfloat162 bfloats;
    __half2 halves;
    float2 two;
    float4 four;
};

__device__ void add_one(__nv_bfloat16 *p, float value) // as people do: with the pair around it
{
    const uintptr_t at = reinterpret_cast<uintptr_t>(p);
    const __nv_bfloat16 none = __ushort_as_bfloat16(0), some = __float2bfloat16(value);
    atomicAdd(reinterpret_cast<__nv_bfloat162 *>(at & ~uintptr_t{3}),
              at & 3 ? __halves2bfloat162(none, some) : __halves2bfloat162(some, none));
}

__global__ void add(sums *s)
{
    atomicAdd(&s->bfloats, __floats2bfloat162_rn(1, 2));
    add_one(&s->bfloats.x, 3);
    add_one(&s->bfloats.y, 1);
    atomicAdd(&s->halves, __floats2half2_rn(1, 2));
#if __CUDA_ARCH__ >= 900
    atomicAdd(&s->two, float2{1, 2});
    atomicAdd(&s->four, float4{1, 2, 3, 4});
#endif
}

int main()
{
    sums *s;
    OK(cudaMallocManaged(&s, sizeof *s));
    OK(cudaMemset(s, 0, sizeof *s));
    add<<<2, 16>>>(s);
    OK(cudaDeviceSynchronize());
    const float2 bfloats = __bfloat1622float2(s->bfloats), halves = __half22float2(s->halves);
    EXPECT(bfloats.x == 128 && bfloats.y == 96 && halves.x == 32 && halves.y == 64);
    EXPECT(s->two.x == 32 && s->two.y == 64);
    EXPECT(s->four.x == 32 && s->four.y == 64 && s->four.z == 96 && s->four.w == 128);
    OK(cudaFree(s));
    puts("passed");
}

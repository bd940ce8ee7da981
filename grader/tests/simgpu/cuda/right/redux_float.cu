// redux_float.cu: redux of floats: signs of zero, NaNs, not all lanes. On a GPU: compute capability
// 10.0, with the features of that architecture.
#include <cmath>
#include <cstring>

#include "../check.cuh"

__global__ void look(const float *in, float *least, float *largest)
{
    const float mine = in[threadIdx.x];
    float result;
    if (threadIdx.x % 2)
        return;
    asm volatile("redux.sync.min.f32 %0, %1, %2;" : "=f"(result) : "f"(mine), "r"(0x55555555u));
    least[threadIdx.x] = result;
    asm volatile("{redux.sync.max.f32 %0, %1, %2;}" : "=f"(result) : "f"(mine), "r"(0x55555555u));
    largest[threadIdx.x] = result;
}

static bool same_bits(float a, float b)
{
    return !memcmp(&a, &b, sizeof a);
}

/* Even lanes have a and b in turns, odd ones what is less and more than all. */
static void expect(float a, float b, float least, float largest)
{
    float *in, *out;
    OK(cudaMallocManaged(&in, 32 * sizeof *in));
    OK(cudaMallocManaged(&out, 64 * sizeof *out));
    for (int i = 0; i < 32; i++)
        in[i] = i % 4 == 0 ? a : i % 4 == 2 ? b : i % 4 == 1 ? -INFINITY : INFINITY;
    look<<<1, 32>>>(in, out, out + 32);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i += 2)
        EXPECT(same_bits(out[i], least) && same_bits(out[32 + i], largest));
    OK(cudaFree(in));
    OK(cudaFree(out));
}

int main()
{
    const float nan = __builtin_nanf("");
    expect(-2, 3.5f, -2, 3.5f);
    expect(-2, -3.5f, -3.5f, -2);
    expect(0.0f, -0.0f, -0.0f, 0.0f);
    expect(nan, -7, -7, -7);
    expect(-nan, 1e-40f, 1e-40f, 1e-40f);
    expect(-INFINITY, INFINITY, -INFINITY, INFINITY);
    unsigned canonical = 0x7fffffff;
    float all_nan;
    memcpy(&all_nan, &canonical, sizeof all_nan);
    expect(nan, -nan, all_nan, all_nan);
    puts("passed");
}

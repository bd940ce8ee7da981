# 1 "lab.cu"
template <typename T, int N> struct pair {
    T a[N];
};
__constant__ float weights[4] = {1, 2, 3, 4};
static __device__ int counter, *last;
__managed__ double shared_value = 0.5;
extern "C" __global__ void __launch_bounds__(256, 2) scale(float *__restrict__ x, float by, int n)
{
    __shared__ float tile[32][33];
    extern __shared__ int more[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = x[i];
    __syncthreads();
    for (int k = 0; k < n; k++)
        x[i] = x[i] * by + weights[k % 4];
    if (i == 0)
        counter = (int)clock64();
    asm volatile("mov.u32 %0, %%smid;" : "=r"(more[0]));
}
namespace inner
{
template <typename T> __global__ void fill(T *p, T value, size_t n)
{
    if (threadIdx.x < n)
        p[threadIdx.x] = value;
}
} // namespace inner
static __device__ __forceinline__ float twice(float v)
{
    return v << 1 >> 1 ? v * 2 : 0;
}
int main()
{
    float *x;
    const char *text = "<<<1, 2>>>(no launch)";
    cudaStream_t stream = nullptr;
    scale<<<dim3(4, 1), 256, sizeof(int) * (2 << 3), stream>>>(
        x, 2.0f, [](int a) { return a < 3 && a > 1; }(2));
    inner::fill<float><<<1, (1 > 0) ? 32 : 64>>>(x, twice(1.f), pair<float, (3 > 2)>{}.a[0]);
    // scale<<<1, 1>>>(x, 1, 1);
    return 0;
}

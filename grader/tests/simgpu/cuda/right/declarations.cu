// declarations.cu: the ways to declare shared memory, device variables and device functions.
#include "../check.cuh"

extern __shared__ float outside[];

template <typename T> struct shared_memory {
    __device__ operator T *() const
    {
        extern __shared__ __align__(sizeof(double)) unsigned char raw[];
        return reinterpret_cast<T *>(raw);
    }
};

template <typename T> __global__ void through_a_class(int *out)
{
    T *p = shared_memory<T>();
    p[threadIdx.x] = threadIdx.x;
    __syncthreads();
    *out = static_cast<int>(p[1]);
}

__global__ void outside_of_functions(int *out)
{
    outside[threadIdx.x] = threadIdx.x;
    __syncthreads();
    float *p = outside;
    *out = static_cast<int>(p[1] + *(outside + 2) + outside[3]);
}

__global__ void orders_of_words(int *out)
{
    volatile extern __shared__ int a[];
    __shared__ extern int b[];
    extern __align__(16) __shared__ int c[];
    a[threadIdx.x] = threadIdx.x;
    __syncthreads();
    *out = b[2] + c[3];
}

__global__ void with_sizes(int *out)
{
    static __shared__ int x, y[4];
    __shared__ struct {
        int a;
        float b;
    } z;
    __shared__ int m[2][3];
    x = 1;
    y[1] = 2;
    z.a = 3;
    m[1][2] = 4;
    *out = x + y[1] + z.a + m[1][2];
}

__device__ static inline int same(int v)
{
    return v;
}

__host__ __device__ constexpr int next(int v)
{
    return v + 1;
}

struct functor {
    __device__ __host__ int operator()(int v) const
    {
        return v + next(v);
    }
    functor &operator=(const functor &) = default;
};

template <typename F> __global__ void apply(F f, int *out)
{
    *out = f(3);
}

__device__ int matrix[2][2] = {{1, 2}, {3, 4}};
__device__ volatile int written;
static __constant__ const float constants[3] = {1, 2, 3};
__device__ functor object{};

__global__ void variables(int *out)
{
    written = 7;
    *out = same(matrix[1][1]) + static_cast<int>(constants[1]) + object(1);
}

#define LAUNCH(kernel, ...) kernel<<<1, 4, 64>>>(__VA_ARGS__)

static int value(const int *device)
{
    int h;
    OK(cudaMemcpy(&h, device, sizeof h, cudaMemcpyDeviceToHost));
    return h;
}

int main()
{
    int *out, h;
    OK(cudaMalloc(&out, sizeof *out));
    LAUNCH(through_a_class<double>, out);
    EXPECT(value(out) == 1);
    LAUNCH(outside_of_functions, out);
    EXPECT(value(out) == 6);
    LAUNCH(orders_of_words, out);
    EXPECT(value(out) == 5);
    LAUNCH(with_sizes, out);
    EXPECT(value(out) == 10);
    LAUNCH(apply, functor{}, out);
    EXPECT(value(out) == 7);
    if (value(out) == 7)
        LAUNCH(variables, out);
    else
        LAUNCH(with_sizes, out);
    EXPECT(value(out) == 9);
    OK(cudaMemcpyFromSymbol(&h, written, sizeof h));
    EXPECT(h == 7);
    auto twice = [=] __device__(int v) { return v * 2; };
    apply<<<1, 1>>>(twice, out);
    EXPECT(value(out) == 6);
    OK(cudaFree(out));
    puts("passed");
}

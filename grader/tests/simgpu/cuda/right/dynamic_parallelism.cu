// dynamic_parallelism.cu: kernels that launch kernels. A child sees what its parent wrote before
// the launch, and the parent's grid is complete only when its children are.
#include "../check.cuh"

__device__ int n_grids, order[8], n_ordered;

__global__ void tree(int depth, int fan_out = 2)
{
    if (threadIdx.x == 0)
        atomicAdd(&n_grids, 1);
    if (depth > 1)
        tree<<<1, fan_out>>>(depth - 1, fan_out);
}

__global__ void note(int what)
{
    order[n_ordered++] = what;
}

__global__ void note_and_launch(int what)
{
    order[n_ordered++] = what;
    note<<<1, 1>>>(what + 1);
}

__global__ void ordered()
{
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(9);
    note_and_launch<<<1, 1>>>(1); // its child, 2, is before 3
    note<<<1, 1>>>(3);
}

template <typename T> __global__ void scale(T *values, int n, T by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        values[i] *= by;
}

__global__ void fill_and_scale(float *values, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        values[i] = i;
    __syncthreads();
    if (threadIdx.x == 0) {
        cudaStream_t s;
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        scale<<<(n + 63) / 64, 64, 0, s>>>(values, n, 3.0f);
        cudaStreamDestroy(s);
    }
}

__global__ void endless(int depth)
{
    endless<<<1, 1>>>(depth + 1);
    n_grids = depth;
}

__global__ void too_large()
{
    scale<<<1, 2048>>>(static_cast<float *>(nullptr), 0, 1.0f);
}

template <typename T> static T value(const T &symbol)
{
    T v;
    OK(cudaMemcpyFromSymbol(&v, symbol, sizeof v));
    return v;
}

int main()
{
    tree<<<1, 2>>>(4);
    OK(cudaDeviceSynchronize());
    EXPECT(value(n_grids) == 15);

    ordered<<<1, 1>>>();
    OK(cudaDeviceSynchronize());
    int notes[8];
    OK(cudaMemcpyFromSymbol(notes, order, sizeof notes));
    EXPECT(value(n_ordered) == 4);
    EXPECT(notes[0] == 1 && notes[1] == 2 && notes[2] == 3 && notes[3] == 9);

    const int n = 1000;
    float *values, result[n];
    OK(cudaMalloc(&values, sizeof result));
    fill_and_scale<<<1, 128>>>(values, n);
    OK(cudaMemcpy(result, values, sizeof result, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        EXPECT(result[i] == 3.0f * i);
    OK(cudaFree(values));

    endless<<<1, 1>>>(0); // 24 levels of children
    OK(cudaDeviceSynchronize());
    EXPECT(value(n_grids) == 24);
    too_large<<<1, 1>>>(); // the launch fails, its grid does not
    OK(cudaDeviceSynchronize());
    puts("passed");
}

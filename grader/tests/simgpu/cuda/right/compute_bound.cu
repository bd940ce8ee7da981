// compute_bound.cu: arithmetic counts in the estimated time of a kernel that nobody declared.
#include "../check.cuh"

const int n = 262144, threads = 256;

__device__ float next(float x)
{
    return 2.8f * x * (1.0f - x);
}

__global__ void in_loop(float *x, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = x[i];
    for (int s = 0; s < steps; s++)
        value = 2.8f * value * (1.0f - value);
    x[i] = value;
}

__global__ void in_function(float *x, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = x[i];
    do {
        value = next(value);
    } while (--steps > 0);
    x[i] = value;
}

static float microseconds(void (*kernel)(float *, int), float *x, int steps)
{
    float ms;
    cudaEvent_t start, end;
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&end));
    OK(cudaEventRecord(start));
    kernel<<<n / threads, threads>>>(x, steps);
    OK(cudaEventRecord(end));
    OK(cudaEventSynchronize(end));
    OK(cudaEventElapsedTime(&ms, start, end));
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(end));
    return 1000 * ms;
}

int main()
{
    float *x;
    OK(cudaMalloc(&x, n * sizeof *x));
    OK(cudaMemset(x, 0, n * sizeof *x));
    const float measured = 29.7f - 2.7f; // us, 1000 steps and 1, on an H200 (probe.csv)
    for (auto kernel : {in_loop, in_function}) {
        float more = microseconds(kernel, x, 1000) - microseconds(kernel, x, 1);
        printf("1000 steps take %.1f us more than 1\n", more);
        EXPECT(more > measured / 2 && more < measured * 2);
    }
    OK(cudaFree(x));
    puts("passed");
}

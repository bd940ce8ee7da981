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

struct link {
    int value;
    link *next;
};

// loops of all forms stay what they are
__global__ void loops(int *sum)
{
    link last = {1, nullptr}, first = {2, &last}, *at = &first;
    int array[] = {1, 2, 3}, i = 0;
    for (;;)
        if (++i == 5)
            break;
    for (int value : array)
        for (int k = 0, m = 2; k < m; k++, m--)
            *sum += value * m;
    while (link *l = at) {
        *sum += l->value;
        at = l->next;
    }
    while (int left = i--)
        *sum += left;
    do
        *sum += 100;
    while (i == 0);
    while ((i += 2) < 10)
        *sum += i;
    at = &first;
    while (at->next && at->value == 2)
        at = at->next;
    *sum += at->value;
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

    int *sum;
    OK(cudaMallocManaged(&sum, sizeof *sum));
    *sum = 0;
    loops<<<1, 1>>>(sum);
    OK(cudaDeviceSynchronize());
    EXPECT(*sum == 156);
    OK(cudaFree(sum));
    puts("passed");
}

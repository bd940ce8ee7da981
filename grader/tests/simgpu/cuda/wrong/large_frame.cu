// finding: kernel sum: block (0,0,0): thread (0,0,0) needs more than its 64 KB of stack: large
// local arrays, or a recursion
#include "../check.cuh"

enum { LARGE = 1 << 16 };

// the array is larger than stack and guard: its first element is in the stack of another thread
__global__ void sum(int *out)
{
    volatile int values[LARGE];
    for (int i = 0; i < LARGE; i += 1024)
        values[i] = i;
    __syncthreads();
    int all = 0;
    for (int i = 0; i < LARGE; i += 1024)
        all += values[i];
    out[threadIdx.x] = all;
}

int main()
{
    int *out;
    OK(cudaMalloc(&out, 64 * sizeof *out));
    sum<<<1, 64>>>(out);
    OK(cudaGetLastError());
    EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
}

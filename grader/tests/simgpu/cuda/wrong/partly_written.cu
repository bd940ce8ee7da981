// finding: load (the legacy stream, operation 1) reads byte 4003 of allocation 1
#include "../check.cuh"

enum { WRITTEN = 1000 };

/* One block writes three bytes of a number, and reads it after those before it. */
__global__ void load(int *p, int *result, int n)
{
    if (blockIdx.x != 3)
        return;
    char *bytes = (char *)(p + WRITTEN);
    bytes[0] = bytes[1] = bytes[2] = 1;
    __syncthreads();
    int sum = 0;
    for (int i = WRITTEN + 1 - n; i <= WRITTEN; i++)
        sum += p[i];
    *result = sum;
}

int main()
{
    int *p, *result;
    OK(cudaMalloc(&p, 16384));
    OK(cudaMalloc(&result, sizeof *result));
    OK(cudaMemset(p, 0, WRITTEN * sizeof *p));
    load<<<64, 1>>>(p, result, 4);
    OK(cudaDeviceSynchronize());
    OK(cudaFree(p));
    OK(cudaFree(result));
}

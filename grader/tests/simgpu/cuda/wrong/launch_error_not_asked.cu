// finding: not launched: fill with a grid of 1 x 1 x 1 blocks of 2048 x 1 x 1 threads did not run:
// its launch failed with cudaErrorInvalidValue (invalid argument), and the program did not ask for
// the error; call cudaGetLastError after each <<<>>>. (at launch_error_not_asked.cu:15)
#include "../check.cuh"

__global__ void fill(int *p)
{
    p[threadIdx.x] = 1;
}

// each call is checked, but <<<>>> is no call
int main()
{
    int *p;
    OK(cudaMalloc(&p, 4096 * sizeof *p));
    fill<<<1, 1024>>>(p);
    fill<<<1, 2048>>>(p + 1024);
    OK(cudaDeviceSynchronize());
    OK(cudaFree(p));
}

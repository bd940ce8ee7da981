// error: the program calls the kernel twice like a function
#include "../check.cuh"

__global__ void twice(int *p)
{
    *p *= 2;
}

int main()
{
    int *p;
    OK(cudaMalloc(&p, sizeof *p));
    twice(p);
    OK(cudaDeviceSynchronize());
}

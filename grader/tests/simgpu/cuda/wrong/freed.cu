// finding: which was freed before the launch
#include "../check.cuh"

__global__ void follow(float *const *p)
{
    **p = 1;
}

// the address of what was freed is in memory: no parameter names it
int main()
{
    float *target, *neighbor, **p;
    OK(cudaMalloc(&target, 4096));
    OK(cudaMalloc(&neighbor, 4096));
    OK(cudaMalloc(&p, sizeof *p));
    OK(cudaMemcpy(p, &target, sizeof target, cudaMemcpyHostToDevice));
    OK(cudaFree(target));
    follow<<<1, 1>>>(p);
    OK(cudaDeviceSynchronize());
    OK(cudaFree(neighbor));
    OK(cudaFree(p));
}

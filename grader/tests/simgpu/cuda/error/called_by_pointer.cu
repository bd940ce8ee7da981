// error: It compiles a call through a pointer, but on a GPU the kernel then does not run. Launch
// it: twice<<<
#include "../check.cuh"

__global__ void twice(int *p)
{
    *p *= 2;
}

template <typename Function> void call(Function *function, int *p)
{
    function(p);
}

int main()
{
    int *p;
    OK(cudaMalloc(&p, sizeof *p));
    call(twice, p);
    OK(cudaDeviceSynchronize());
}

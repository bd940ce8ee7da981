// finding: kernel fail: block (0,0,0): thread (0,0,0) called __trap()
// waits_beside_failure.cu: a kernel waits for another one, which fails: both end.
#include "../check.cuh"

__global__ void wait_for(volatile int *flag)
{
    while (*flag == 0)
        continue;
}

__global__ void fail()
{
    __trap();
}

int main()
{
    cudaStream_t a, b;
    int *flag;
    OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    OK(cudaMalloc(&flag, sizeof *flag));
    OK(cudaMemset(flag, 0, sizeof *flag));
    OK(cudaDeviceSynchronize());
    wait_for<<<2, 64, 0, a>>>(flag);
    fail<<<1, 1, 0, b>>>();
    EXPECT(cudaStreamSynchronize(a) == cudaErrorLaunchFailure);
}

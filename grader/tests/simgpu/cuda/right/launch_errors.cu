// Errors of <<<>>> that a program asks for: at once, without forgetting it, and later, in another
// thread.
#include "../check.cuh"

#include <thread>

__global__ void nothing()
{
}

static void launch_and_ask()
{
    nothing<<<1, 2048>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
}

int main()
{
    launch_and_ask();
    nothing<<<0, 1>>>();
    OK(cudaDeviceSynchronize());
    EXPECT(cudaGetLastError() != cudaSuccess);
    std::thread other(launch_and_ask);
    other.join();
    nothing<<<1, 2048>>>();
    EXPECT(cudaPeekAtLastError() == cudaErrorInvalidValue);
    puts("passed");
}

// finding: not launched: nothing with a grid of 1 x 1 x 1 blocks of 2048 x 1 x 1 threads did not
// run
#include "../check.cuh"

#include <thread>

__global__ void nothing()
{
}

// errors are those of a thread: this one does not see the other's
int main()
{
    std::thread other([] { nothing<<<1, 2048>>>(); });
    other.join();
    OK(cudaGetLastError());
}

// error: runs no inline PTX
#include "../check.cuh"

__global__ void k(unsigned *p)
{
    asm volatile("bfind.u32 %0, %1;" : "=r"(*p) : "r"(*p));
}

int main()
{
    k<<<1, 1>>>(nullptr);
}

// error: does not know one of these PTX instructions
#include "../check.cuh"

__global__ void k(unsigned *p)
{
    asm volatile("vadd.u32.u32.u32.sat %0, %1, %1;" : "=r"(*p) : "r"(*p));
}

int main()
{
    k<<<1, 1>>>(nullptr);
}

// error: line.cu:11:
#include "../check.cuh"

__global__ void k(int *p, int n = 1)
{
    *p = n;
}

int main()
{
    k<<<1, 1>>>("no pointer", 1);
}

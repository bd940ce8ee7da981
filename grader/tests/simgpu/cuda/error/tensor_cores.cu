// error: the simulated device has no tensor cores
#include "../check.cuh"

#include <mma.h>

__global__ void k(float *c)
{
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> sum;
    nvcuda::wmma::fill_fragment(sum, 0.0f);
    nvcuda::wmma::store_matrix_sync(c, sum, 16, nvcuda::wmma::mem_row_major);
}

int main()
{
    k<<<1, 32>>>(nullptr);
}

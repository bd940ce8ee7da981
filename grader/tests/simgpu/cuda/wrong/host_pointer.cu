// finding: which the device cannot access; pass a pointer from cudaMalloc
#include <cstdlib>

#include "../check.cuh"

struct matrix {
    int rows, columns;
    float *at;
};

__global__ void fill(matrix m, float x)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m.rows * m.columns)
        m.at[i] = x;
}

// the struct was copied to the device, its elements were not
int main()
{
    matrix m = {40, 25, nullptr};
    m.at = static_cast<float *>(calloc(1000, sizeof *m.at));
    fill<<<4, 256>>>(m, 1);
    cudaDeviceSynchronize();
    free(m.at);
}

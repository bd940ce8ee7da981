// error: column.cu:11:58: error:
// The compiler names the column of the program, whatever macros and simcc have made of the line.
#include "../check.cuh"
// clang-format off
__global__ void fill(int  *data,  int value) { data[threadIdx.x] = value; }

int main()
{
    int *data;
    OK(cudaMalloc(&data, 128));
    fill<<<1,  32>>>(data,  1); OK(cudaGetLastError() || ill);
}

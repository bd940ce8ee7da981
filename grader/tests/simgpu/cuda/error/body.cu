// error: body.cu:9:
#include "../check.cuh"

template <typename T>
__global__ void kernel_with_a_long_list(T *the_first_of_its_parameters,
                                        int the_second_of_its_parameters, float the_third = 0)
{
    __shared__ T all[32];
    all[threadIdx.x] = undeclared + the_second_of_its_parameters;
}

int main()
{
    kernel_with_a_long_list<<<1, 1>>>(static_cast<int *>(nullptr), 1);
}

/* curand_kernel.h: random numbers in kernels. NVIDIA's header, compiled for the host, declares
 * blockDim and threadIdx anew, for its generator MTGP32. */
#define blockDim simgpu_block_of_mtgp32
#define threadIdx simgpu_thread_of_mtgp32
#include_next <curand_kernel.h>
#undef blockDim
#undef threadIdx

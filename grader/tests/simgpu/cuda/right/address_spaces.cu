// address_spaces.cu: an address is in shared, local or global memory, and has an address of 32 bits
// in shared memory.
#include "../check.cuh"

enum { THREADS = 64 };

__device__ int variable;

__global__ void look(int *global, int *wrong)
{
    __shared__ int fixed[THREADS];
    extern __shared__ int dynamic[];
    int local = threadIdx.x;
    bool good = __isGlobal(global) && !__isShared(global) && !__isLocal(global);
    good = good && __isGlobal(&variable) && !__isConstant(global);
    good = good && __isLocal(&local) && !__isShared(&local) && !__isGlobal(&local);
    for (int *shared : {fixed, dynamic}) {
        int *mine = shared + threadIdx.x;
        *mine = local;
        __syncthreads();
        good = good && __isShared(mine) && !__isGlobal(mine) && !__isLocal(mine);
        const unsigned at = __cvta_generic_to_shared(mine);
        good = good && __cvta_shared_to_generic(at) == mine;
        // a neighbor is 4 bytes on
        good = good && *static_cast<int *>(__cvta_shared_to_generic(at ^ 4)) == (local ^ 1);
        __syncthreads();
    }
    good = good && __cvta_global_to_generic(__cvta_generic_to_global(global)) == global;
    if (!good)
        atomicAdd(wrong, 1);
}

int main()
{
    int *d;
    OK(cudaMallocManaged(&d, 2 * sizeof *d));
    d[0] = d[1] = 0;
    look<<<8, THREADS, THREADS * sizeof(int)>>>(d, d + 1);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    EXPECT(d[1] == 0);
    OK(cudaFree(d));
    puts("passed");
}

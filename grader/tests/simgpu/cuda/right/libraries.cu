// libraries.cu: what kernels use of CUDA's libraries: cuda::std, cuda::atomic, and cuRAND's
// generators.
#include "../check.cuh"

#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/limits>
#include <curand_kernel.h>

enum { THREADS = 64 };

__device__ cuda::atomic<int, cuda::thread_scope_device> lock;
__device__ int counted;

__global__ void count(cuda::std::array<int, 4> add, int *most)
{
    while (lock.exchange(1, cuda::memory_order_acquire) != 0)
        continue;
    counted += add[threadIdx.x % 4];
    lock.store(0, cuda::memory_order_release);
    cuda::atomic_ref<int, cuda::thread_scope_device>(*most).fetch_max(threadIdx.x);
    static_assert(cuda::std::numeric_limits<int>::max() > 0);
}

// the number that comes after `skip` others, of a sequence for each thread
__global__ void draw(int skip, int more, unsigned *bits, float *uniform)
{
    curandStateXORWOW_t s;
    curand_init(1234, threadIdx.x, skip, &s);
    for (int i = 0; i < more; i++)
        curand(&s);
    uniform[threadIdx.x] = curand_uniform(&s);
    curandStatePhilox4_32_10_t t;
    curand_init(1234, threadIdx.x, skip, &t);
    for (int i = 0; i < more; i++)
        curand(&t);
    bits[threadIdx.x] = curand(&t);
}

int main()
{
    int *most, host;
    OK(cudaMallocManaged(&most, sizeof *most));
    *most = 0;
    count<<<2, THREADS>>>({1, 2, 3, 4}, most);
    OK(cudaGetLastError());
    OK(cudaMemcpyFromSymbol(&host, counted, sizeof host));
    EXPECT(host == 2 * THREADS / 4 * (1 + 2 + 3 + 4));
    EXPECT(*most == THREADS - 1);
    OK(cudaFree(most));

    unsigned *bits;
    float *uniform, sum = 0;
    OK(cudaMallocManaged(&bits, 2 * THREADS * sizeof *bits));
    OK(cudaMallocManaged(&uniform, 2 * THREADS * sizeof *uniform));
    draw<<<1, THREADS>>>(4, 0, bits, uniform);
    draw<<<1, THREADS>>>(0, 4, bits + THREADS, uniform + THREADS);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < THREADS; i++) {
        EXPECT(bits[i] == bits[THREADS + i] && (i == 0 || bits[i] != bits[i - 1]));
        EXPECT(uniform[i] == uniform[THREADS + i] && uniform[i] > 0 && uniform[i] <= 1);
        sum += uniform[i];
    }
    EXPECT(sum > THREADS * 0.3 && sum < THREADS * 0.7);
    OK(cudaFree(bits));
    OK(cudaFree(uniform));
    puts("passed");
}

// libraries.cu: what kernels use of CUDA's libraries: cuda::std, cuda::atomic, cuRAND's generators,
// and Thrust's values.
#include "../check.cuh"

#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/limits>
#include <curand_kernel.h>
#include <random>
#include <thrust/complex.h>
#include <thrust/functional.h>
#include <thrust/pair.h>
#include <thrust/random.h>
#include <thrust/swap.h>
#include <thrust/tuple.h>

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

struct drawn {
    unsigned bits;
    float uniform;
};

// the number that comes after `skip` and `more` others, of a sequence for each thread, and the
// uniform one four later
template <typename State> __global__ void draw(int skip, int more, drawn *result)
{
    State s;
    curand_init(1234, threadIdx.x, skip, &s);
    for (int i = 0; i < more; i++)
        curand(&s);
    result[threadIdx.x].bits = curand(&s);
    for (int i = 0; i < 3; i++)
        curand(&s);
    result[threadIdx.x].uniform = curand_uniform(&s);
}

// Draws after seven others, skipped in both ways. `h200`: the first threads' numbers on an
// NVIDIA H200 (CUDA 13.0, driver 580.159.04).
template <typename State> static void same_numbers(const drawn (&h200)[3])
{
    drawn *d;
    float sum = 0;
    OK(cudaMallocManaged(&d, 2 * THREADS * sizeof *d));
    draw<State><<<1, THREADS>>>(7, 0, d);
    draw<State><<<1, THREADS>>>(0, 7, d + THREADS);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < THREADS; i++) {
        const drawn &expected = i < 3 ? h200[i] : d[THREADS + i];
        EXPECT(d[i].bits == expected.bits && d[i].uniform == expected.uniform);
        EXPECT(d[i].bits == d[THREADS + i].bits && d[i].uniform == d[THREADS + i].uniform);
        sum += d[i].uniform;
    }
    EXPECT(sum > THREADS * 0.3 && sum < THREADS * 0.7);
    OK(cudaFree(d));
}

__global__ void values(thrust::tuple<float, int> t, thrust::complex<float> *z, unsigned *random)
{
    thrust::pair<float, float> p = thrust::make_pair(1.0f, thrust::get<0>(t));
    thrust::swap(p.first, p.second);
    *z = thrust::complex<float>(p.first, p.second) * thrust::complex<float>(0, 1);
    *z += thrust::plus<float>()(1, thrust::get<1>(t));
    thrust::minstd_rand draw(7);
    draw.discard(3);
    *random = draw();
}

static void values_of_thrust()
{
    thrust::complex<float> *z;
    unsigned *random;
    std::minstd_rand same(7);
    OK(cudaMallocManaged(&z, sizeof *z));
    OK(cudaMallocManaged(&random, sizeof *random));
    values<<<1, 1>>>(thrust::make_tuple(3.0f, 4), z, random);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    EXPECT(z->real() == -1 + 5 && z->imag() == 3);
    same.discard(3);
    EXPECT(*random == same());
    OK(cudaFree(z));
    OK(cudaFree(random));
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

    values_of_thrust();
    same_numbers<curandStateXORWOW_t>(
        {{0xc9682545, 0.688476861f}, {0xcca229b8, 0.760390878f}, {0x18004cdd, 0.204186991f}});
    same_numbers<curandStatePhilox4_32_10_t>(
        {{0x147edd50, 0.535602272f}, {0x86ff06af, 0.613032401f}, {0x4383b7da, 0.76844275f}});
    same_numbers<curandStateMRG32k3a_t>(
        {{0xcd100fe0, 0.56723243f}, {0x1911f986, 0.308701813f}, {0x582d53be, 0.766674817f}});
    puts("passed");
}

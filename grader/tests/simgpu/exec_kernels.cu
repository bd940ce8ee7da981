/* exec_kernels.cu: device code that asks one thing at a time of the executor and of the shim. */
#include "exec_kernels.h"

#include <assert.h> /* also after kernel.h a device thread's assert ends its grid alone */
#include <string.h>

#include "common/simgpu/kernel.h"

namespace
{

__device__ unsigned rank_in_block()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

__device__ unsigned rank_in_grid()
{
    unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    return block * (blockDim.x * blockDim.y * blockDim.z) + rank_in_block();
}

/* ---- threads and blocks ---------------------------------------------------------------------- */

__global__ void count_visits(int *visits)
{
    atomicAdd(&visits[rank_in_grid()], 1);
}

__global__ void where_is_my_stack(const void **where)
{
    int local = 0;
    int *volatile p = &local;
    where[rank_in_grid()] = p;
}

__global__ void order_of_threads(int *order, int *next)
{
    order[atomicAdd(next, 1)] = (int)rank_in_grid();
}

/* ---- barriers -------------------------------------------------------------------------------- */

__global__ void reverse(int *values)
{
    __shared__ int all[1024];
    unsigned n = blockDim.x * blockDim.y * blockDim.z, me = rank_in_block();
    int *mine = values + rank_in_grid() - me;
    all[me] = mine[me];
    __syncthreads();
    mine[me] = all[n - 1 - me];
}

/* Each round every thread adds its left neighbour's sum of the round before to its own. */
__global__ void many_rounds(unsigned *values, int rounds)
{
    __shared__ unsigned sums[2][1024];
    unsigned n = blockDim.x, me = threadIdx.x;
    sums[0][me] = values[me];
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        sums[(r + 1) & 1][me] = sums[r & 1][me] + sums[r & 1][(me + n - 1) % n];
        __syncthreads();
    }
    values[me] = sums[rounds & 1][me];
}

/* Thread i leaves before round i; those that stay count who is left. */
__global__ void leave_one_by_one(int *left)
{
    for (unsigned round = 0; round < blockDim.x; round++) {
        if (threadIdx.x < round)
            return;
        int here = __syncthreads_count(1);
        if (threadIdx.x == round)
            left[round] = here;
    }
}

__global__ void votes_of_a_block(int *out)
{
    int odd = (int)threadIdx.x & 1;
    int n_odd = __syncthreads_count(odd), all_odd = __syncthreads_and(odd),
        any_odd = __syncthreads_or(odd);
    int all = __syncthreads_and(1), any = __syncthreads_or(0);
    int *mine = out + threadIdx.x * 5;
    mine[0] = n_odd, mine[1] = all_odd, mine[2] = any_odd, mine[3] = all, mine[4] = any;
}

/* ---- shared memory --------------------------------------------------------------------------- */

__global__ void dynamic_shared(float *out, int n)
{
    DYNAMIC_SHARED(float, words);
    int undefined = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        undefined += words[i] != words[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        words[i] = (float)i;
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int i = 0; i < n; i++)
            sum += words[i];
        out[2 * blockIdx.x] = sum;
        out[2 * blockIdx.x + 1] = (reinterpret_cast<size_t>(words) % 128 == 0) ? 0.0f : 1.0f;
    }
    atomicAdd(&out[2 * gridDim.x], (float)undefined);
}

/* ---- warps ----------------------------------------------------------------------------------- */

__global__ void shuffles(int *out, int width)
{
    int me = (int)threadIdx.x, *mine = out + 4 * me;
    mine[0] = __shfl_sync(0xffffffffu, 100 + me, 3, width);
    mine[1] = __shfl_up_sync(0xffffffffu, 100 + me, 2, width);
    mine[2] = __shfl_down_sync(0xffffffffu, 100 + me, 2, width);
    mine[3] = __shfl_xor_sync(0xffffffffu, 100 + me, 5, width);
}

__global__ void shuffle_doubles(double *values)
{
    double sum = values[threadIdx.x];
    for (int bits = 16; bits > 0; bits /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, bits);
    values[threadIdx.x] = sum;
}

__global__ void shuffle_from_absent(float *out)
{
    out[threadIdx.x] = __shfl_down_sync(0xffffffffu, 1.0f, 4);
}

/* Two halves of a warp go their own ways, a different number of times. */
__global__ void halves(int *out)
{
    unsigned me = threadIdx.x;
    int sum = (int)me;
    if (me < 16) {
        for (int bits = 8; bits > 0; bits /= 2)
            sum += __shfl_xor_sync(0x0000ffffu, sum, bits);
    } else {
        sum = __reduce_max_sync(0xffff0000u, sum);
        sum += (int)__popc(__ballot_sync(0xffff0000u, me & 1));
        __syncwarp(0xffff0000u);
    }
    __syncthreads();
    out[me] = sum;
}

__global__ void warp_votes(unsigned *out)
{
    unsigned me = threadIdx.x, *mine = out + 10 * me;
    int all;
    mine[0] = __ballot_sync(0xffffffffu, me % 3 == 0);
    mine[1] = (unsigned)__any_sync(0xffffffffu, me == 7);
    mine[2] = (unsigned)__all_sync(0xffffffffu, me < 32);
    mine[3] = (unsigned)__all_sync(0xffffffffu, me != 7);
    mine[4] = __match_any_sync(0xffffffffu, me / 8);
    mine[5] = __match_all_sync(0xffffffffu, 5, &all);
    mine[6] = __reduce_add_sync(0xffffffffu, me);
    mine[7] = (unsigned)__reduce_min_sync(0xffffffffu, 10 - (int)me);
    mine[8] = __reduce_or_sync(0xffffffffu, 1u << (me & 3));
    mine[9] = __reduce_xor_sync(0xffffffffu, me);
}

__global__ void active_lanes(unsigned *out)
{
    unsigned me = threadIdx.x;
    out[me] = __activemask();
    if (me % 4 == 1)
        out[32 + me] = __activemask();
    else if (me % 4 == 2)
        out[32 + me] = ~__activemask();
}

/* ---- atomics --------------------------------------------------------------------------------- */

struct totals {
    int sum, least, most, ands, ors, xors, subtracted;
    unsigned around, down;
    unsigned long long wide;
    float floats;
    double doubles;
    int by_cas;
};

__global__ void atomics(totals *t)
{
    int me = (int)rank_in_grid();
    atomicAdd(&t->sum, me);
    atomicSub(&t->subtracted, 1);
    atomicMin(&t->least, me);
    atomicMax(&t->most, me);
    atomicAnd(&t->ands, ~(1 << (me & 7)));
    atomicOr(&t->ors, 1 << (me & 7));
    atomicXor(&t->xors, me);
    atomicInc(&t->around, 6);
    atomicDec(&t->down, 6);
    atomicAdd(&t->wide, 1ull << 32);
    atomicAdd(&t->floats, 1.0f);
    atomicAdd(&t->doubles, 0.5);
    int seen = t->by_cas, expected;
    do {
        expected = seen;
        seen = atomicCAS(&t->by_cas, expected, expected + 2);
    } while (seen != expected);
}

/* Long enough a grid that other workers are asked to help. */
__global__ void long_grid(double *out, int steps)
{
    __shared__ double last;
    double x = 0.3 + 1e-6 * rank_in_grid();
    for (int s = 0; s < steps; s++)
        x = 3.7 * x * (1.0 - x);
    if (rank_in_block() == blockDim.x - 1)
        last = x;
    __syncthreads();
    out[rank_in_grid()] = x + last;
}

/* ---- clocks ---------------------------------------------------------------------------------- */

__global__ void clocks(long long *out)
{
    unsigned long long ns = device_time_ns();
    long long ticks = clock64();
    out[0] = (long long)ns;
    out[1] = (long long)device_time_ns();
    out[2] = clock64() - ticks;
    unsigned long long end = device_time_ns();
    while (end - ns < 1000000)
        end = device_time_ns();
    out[3] = (long long)end;
}

__global__ void wait_for_the_last(int *flag, int *seen)
{
    if (threadIdx.x == blockDim.x - 1)
        atomicExch(flag, 1);
    while (atomicAdd(flag, 0) == 0)
        __nanosleep(100);
    atomicAdd(seen, 1);
}

/* ---- variables ------------------------------------------------------------------------------- */

__constant__ float weights[3];
DECLARE_VARIABLE(weights);

__global__ void weigh(float *sum)
{
    *sum = weights[0] + 10 * weights[1] + 100 * weights[2];
}

/* ---- what goes wrong ------------------------------------------------------------------------- */

__global__ void barrier_against_warp()
{
    if (threadIdx.x == 5)
        __syncthreads();
    else
        __syncwarp(0xffffffffu);
}

__global__ void mask_without_me()
{
    __syncwarp(0x0000fffeu);
}

__global__ void assert_from(unsigned block)
{
    __syncthreads();
    assert(blockIdx.x < block || threadIdx.x != 3);
}

__global__ void trap()
{
    __trap();
}

__global__ void host_call()
{
    cudaDeviceSynchronize();
}

__global__ void write_to(int *p)
{
    if (threadIdx.x == 9)
        *p = 1;
}

__device__ int deeper(volatile int *depth)
{
    volatile char frame[256];
    frame[0] = (char)*depth;
    *depth = *depth + 1;
    if (*depth == 1 << 20)
        return 0;
    return deeper(depth) + frame[0];
}

__global__ void recurse(int *out)
{
    volatile int depth = 0;
    *out = deeper(&depth);
}

__global__ void divide(int *out, int by)
{
    *out = 7 / by;
}

/* One thread waits for all of its block, or each for itself. */
__global__ void wait_for_grids(int *before, int *after, int each)
{
    before[rank_in_grid()]++;
    if (each || threadIdx.x == 1)
        cudaGridDependencySynchronize();
    __syncthreads();
    after[rank_in_grid()]++;
}

} // namespace

/* Each kernel, as DECLARE_KERNEL takes it. */
#define KERNELS(X)                                                                                 \
    X(count_visits, nullptr)                                                                       \
    X(where_is_my_stack, nullptr)                                                                  \
    X(order_of_threads, nullptr)                                                                   \
    X(reverse, nullptr)                                                                            \
    X(many_rounds, nullptr)                                                                        \
    X(leave_one_by_one, nullptr)                                                                   \
    X(votes_of_a_block, nullptr)                                                                   \
    X(dynamic_shared, nullptr)                                                                     \
    X(shuffles, nullptr, 40, 512)                                                                  \
    X(shuffle_doubles, nullptr)                                                                    \
    X(shuffle_from_absent, nullptr)                                                                \
    X(halves, nullptr)                                                                             \
    X(warp_votes, nullptr)                                                                         \
    X(active_lanes, nullptr)                                                                       \
    X(atomics, nullptr)                                                                            \
    X(long_grid, nullptr)                                                                          \
    X(weigh, nullptr)                                                                              \
    X(clocks, nullptr)                                                                             \
    X(wait_for_the_last, nullptr)                                                                  \
    X(barrier_against_warp, nullptr)                                                               \
    X(mask_without_me, nullptr)                                                                    \
    X(assert_from, nullptr)                                                                        \
    X(trap, nullptr)                                                                               \
    X(host_call, nullptr)                                                                          \
    X(write_to, nullptr)                                                                           \
    X(recurse, nullptr)                                                                            \
    X(divide, nullptr)                                                                             \
    X(wait_for_grids, nullptr)

#define DECLARE(...) DECLARE_KERNEL(__VA_ARGS__);
KERNELS(DECLARE)

const void *test_variable()
{
    return weights;
}

const void *test_kernel(const char *name)
{
#define IF_NAMED(kernel, ...)                                                                      \
    if (strcmp(#kernel, name) == 0)                                                                \
        return reinterpret_cast<const void *>(kernel);
    KERNELS(IF_NAMED)
    return nullptr;
}

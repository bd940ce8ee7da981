// lockstep.cu: kernels that need the lanes of a warp in lockstep where they access volatile shared
// memory, and threads that wait there for each other in loops.
#include "../check.cuh"

enum { THREADS = 256, BLOCKS = 40, LANES = 32, ROUNDS = 1500 };

/* The last warp adds without barriers. */
template <int N> __device__ void add_last(volatile int *sums, int thread)
{
    if (N >= 64)
        sums[thread] += sums[thread + 32];
    sums[thread] += sums[thread + 16];
    sums[thread] += sums[thread + 8];
    sums[thread] += sums[thread + 4];
    sums[thread] += sums[thread + 2];
    sums[thread] += sums[thread + 1];
}

template <int N> __global__ void add(const int *in, int *out)
{
    extern __shared__ int sums[];
    const int thread = threadIdx.x;
    sums[thread] = in[blockIdx.x * N + thread];
    __syncthreads();
    for (int n = N / 2; n > 32; n /= 2) {
        if (thread < n)
            sums[thread] += sums[thread + n];
        __syncthreads();
    }
    if (thread < 32)
        add_last<N>(sums, thread);
    if (thread == 0)
        out[blockIdx.x] = sums[0];
}

/* Each step is for half of the lanes of the one before; all of them go on after it. */
__global__ void add_narrowing(const int *in, int *out)
{
    volatile __shared__ int sums[THREADS];
    const int thread = threadIdx.x, lane = thread % LANES;
    sums[thread] = in[blockIdx.x * THREADS + thread];
    for (int n = LANES / 2; n > 0; n /= 2)
        if (lane < n)
            sums[thread] += sums[thread + n];
    out[blockIdx.x * THREADS + thread] = sums[thread - lane];
}

/* The inclusive sums of each warp: a lane reads what the next one overwrites. First the odd lanes
 * double their numbers while the others wait. */
__global__ void scan_warp(const int *in, int *out)
{
    volatile __shared__ int sums[THREADS];
    const int thread = threadIdx.x, lane = thread % LANES;
    sums[thread] = in[thread];
    if (lane % 2)
        sums[thread] = 2 * sums[thread];
    for (int n = 1; n < LANES; n *= 2)
        if (lane >= n)
            sums[thread] += sums[thread - n];
    out[thread] = sums[thread];
}

/* Threads wait for a thread of a later warp, whose other lanes are at a barrier, for one that is
 * not there yet, and for one of their own warp. */
__global__ void wait_for_flags(int *out)
{
    volatile __shared__ int turn, data;
    const int thread = threadIdx.x;
    if (thread == 0)
        turn = 0;
    __syncthreads();
    if (thread < 64) {
        while (turn != 2)
            ;
    } else if (thread == 70) {
        data = 5;
        __threadfence_block();
        turn = 1;
    } else if (thread == 71) {
        while (turn != 1)
            ;
        data = data + 1;
        __threadfence_block();
        turn = 2;
    }
    __syncthreads();
    out[thread] = data;
}

/* The same for lanes before the one that they wait for, without a barrier; and with a word of
 * global memory. Lane 31 waits for nobody. */
__global__ void wait_in_warp(int *word, int *out)
{
    volatile __shared__ int sums[LANES];
    const int lane = threadIdx.x;
    if (lane == 31) {
        sums[0] = 7;
        atomicExch(word, 1);
    } else if (lane == 30) {
        while (atomicAdd(word, 0) == 0)
            ;
        sums[1] = 8;
    } else {
        while (sums[1] != 8)
            ;
    }
    out[lane] = sums[0] + (lane == 31 ? 8 : sums[1]);
}

/* One thread waits for the other block, the others of its block for that thread. */
__global__ void wait_for_block(volatile int *word, int *out)
{
    volatile __shared__ int there;
    const int thread = threadIdx.x;
    if (thread == 0)
        there = 0;
    __syncthreads();
    if (blockIdx.x == 1) {
        *word = 2;
        return;
    }
    if (thread == 0) {
        while (*word != 2)
            ;
        there = 1;
    }
    while (there == 0)
        ;
    out[thread] = there;
}

/* Lanes leave a long loop one after the other. */
__global__ void leave_one_by_one(int *out)
{
    volatile __shared__ int count[LANES];
    const int lane = threadIdx.x;
    count[lane] = 0;
    for (int i = 0; i < ROUNDS / LANES * (lane + 1); i++)
        count[lane] = count[lane] + 1;
    out[lane] = count[(lane + 1) % LANES];
}

int main()
{
    int *in, *out, *word;
    OK(cudaMallocManaged(&in, BLOCKS * THREADS * sizeof *in));
    OK(cudaMallocManaged(&out, BLOCKS * THREADS * sizeof *out));
    OK(cudaMallocManaged(&word, sizeof *word));
    *word = 0;
    for (int i = 0; i < BLOCKS * THREADS; i++)
        in[i] = i * 7 % 13;

    add<THREADS><<<BLOCKS, THREADS, THREADS * sizeof(int)>>>(in, out);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < BLOCKS; i++) {
        int sum = 0;
        for (int j = 0; j < THREADS; j++)
            sum += in[i * THREADS + j];
        EXPECT(out[i] == sum);
    }

    add_narrowing<<<BLOCKS, THREADS>>>(in, out);
    OK(cudaDeviceSynchronize());
    for (int i = 0, sum = 0; i < BLOCKS * THREADS; i++) {
        if (i % LANES == 0) {
            sum = 0;
            for (int j = 0; j < LANES; j++)
                sum += in[i + j];
        }
        EXPECT(out[i] == sum);
    }

    scan_warp<<<1, THREADS>>>(in, out);
    OK(cudaDeviceSynchronize());
    for (int i = 0, sum = 0; i < THREADS; i++) {
        sum = (i % LANES ? sum : 0) + in[i] * (1 + i % 2);
        EXPECT(out[i] == sum);
    }

    wait_for_flags<<<4, THREADS>>>(out);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < THREADS; i++)
        EXPECT(out[i] == 6);

    wait_in_warp<<<1, LANES>>>(word, out);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < LANES; i++)
        EXPECT(out[i] == 15);

    wait_for_block<<<2, THREADS>>>(word, out);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < THREADS; i++)
        EXPECT(out[i] == 1);

    leave_one_by_one<<<1, LANES>>>(out);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < LANES; i++)
        EXPECT(out[i] == ROUNDS / LANES * ((i + 1) % LANES + 1));

    OK(cudaFree(in));
    OK(cudaFree(out));
    OK(cudaFree(word));
    puts("passed");
}

// kernels_wait.cu: kernels that wait in a loop for what the host, copies and other kernels write.
#include <thread>
#include <unistd.h>

#include "../check.cuh"

enum { BLOCKS = 4, THREADS = 96 };

static int *flag, *data, *out; // of the device
static cudaStream_t a, b;

__global__ void wait_for(volatile int *flag, int value, const int *data, int *out)
{
    __shared__ int seen;
    if (threadIdx.x == 0) {
        while (*flag != value) {
        }
        __threadfence();
        seen = *flag;
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = seen + data[threadIdx.x];
}

__global__ void wait_asleep(int *flag, int *out)
{
    while (atomicAdd(flag, 0) == 0)
        __nanosleep(500);
    out[threadIdx.x] = atomicAdd(flag, 0);
}

__global__ void wait_until(volatile int *flag, long long limit, int *out)
{
    const long long begun = clock64();
    while (!*flag && clock64() - begun < limit) {
    }
    *out = *flag;
}

__global__ void set(volatile int *flag, int value, int *data)
{
    data[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncthreads();
    __threadfence();
    if (threadIdx.x == 0)
        *flag = value;
}

__global__ void increase(int *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x]++;
}

/* The two take turns: what each waits for, the other one overwrites later. */
__global__ void play(volatile int *mine, volatile int *theirs, int first, int *turns)
{
    for (int i = 0; i < 5; i++) {
        while (*theirs != first + i) {
        }
        ++*turns;
        *mine = i + 1;
        __threadfence();
    }
}

static int value_of(const int *p)
{
    int value;
    OK(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

static void clear()
{
    OK(cudaDeviceSynchronize());
    OK(cudaMemset(flag, 0, 2 * sizeof *flag));
    OK(cudaMemset(data, 0, THREADS * sizeof *data));
    OK(cudaMemset(out, 0, BLOCKS * THREADS * sizeof *out));
    OK(cudaDeviceSynchronize());
}

/* A kernel behind the one that waits reads what that one has read, too. */
static void check_kernel()
{
    clear();
    wait_for<<<BLOCKS, THREADS, 0, a>>>(flag, 7, data, out);
    increase<<<BLOCKS, THREADS, 0, a>>>(out);
    increase<<<1, THREADS, 0, a>>>(data);
    set<<<1, THREADS, 0, b>>>(flag, 7, data);
    OK(cudaStreamSynchronize(a));
    for (int i = 0; i < BLOCKS * THREADS; i += 31)
        EXPECT(value_of(out + i) == 8 + i % THREADS);
    EXPECT(value_of(data + 5) == 6);
}

static void check_copy()
{
    int *one;
    OK(cudaMallocHost(&one, sizeof *one));
    *one = 1;
    clear();
    wait_for<<<BLOCKS, THREADS, 0, a>>>(flag, 1, data, out);
    OK(cudaMemcpyAsync(flag, one, sizeof *one, cudaMemcpyHostToDevice, b));
    OK(cudaDeviceSynchronize());
    EXPECT(value_of(out) == 1);
    clear();
    wait_asleep<<<1, THREADS, 0, a>>>(flag, out);
    OK(cudaMemsetAsync(flag, 1, sizeof *flag, b));
    OK(cudaDeviceSynchronize());
    EXPECT(value_of(out + 3) == 0x01010101);
    OK(cudaFreeHost(one));
}

static void check_host()
{
    int *pinned;
    OK(cudaMallocHost(&pinned, sizeof *pinned));
    *pinned = 0;
    clear();
    wait_for<<<BLOCKS, THREADS, 0, a>>>(pinned, 3, data, out);
    *(volatile int *)pinned = 3;
    OK(cudaDeviceSynchronize());
    EXPECT(value_of(out) == 3);
    *pinned = 0;
    wait_for<<<BLOCKS, THREADS, 0, a>>>(pinned, 4, data, out);
    std::thread other([pinned] {
        usleep(20000);
        *(volatile int *)pinned = 4;
    });
    OK(cudaDeviceSynchronize());
    other.join();
    EXPECT(value_of(out) == 4);
    OK(cudaFreeHost(pinned));
}

static void check_thread()
{
    clear();
    wait_for<<<1, THREADS, 0, a>>>(flag, 7, data, out);
    std::thread other([] {
        usleep(20000);
        set<<<1, THREADS, 0, b>>>(flag, 7, data);
        OK(cudaGetLastError());
    });
    OK(cudaStreamSynchronize(a));
    other.join();
    EXPECT(value_of(out + 2) == 9);
}

/* The one gives up before the other begins, or not. */
static void check_limit()
{
    clear();
    wait_until<<<1, 1, 0, a>>>(flag, 20 * 1000 * 1000, out);
    set<<<1, THREADS, 0, a>>>(flag, 1, data);
    OK(cudaDeviceSynchronize());
    EXPECT(value_of(out) == 0);
    for (int sooner = 0; sooner < 2; sooner++) {
        clear();
        wait_until<<<1, 1, 0, a>>>(flag, 20 * 1000 * 1000, out);
        wait_until<<<1, 1, 0, b>>>(flag + 1, sooner ? 10 * 1000 * 1000 : 30 * 1000 * 1000, out + 1);
        set<<<1, THREADS, 0, b>>>(flag, 1, data);
        OK(cudaDeviceSynchronize());
        EXPECT(value_of(out) == sooner);
    }
}

static void check_turns()
{
    clear();
    play<<<1, 1, 0, a>>>(flag, flag + 1, 0, out);
    play<<<1, 1, 0, b>>>(flag + 1, flag, 1, out + 1);
    OK(cudaDeviceSynchronize());
    EXPECT(value_of(flag) == 5 && value_of(flag + 1) == 5);
    EXPECT(value_of(out) == 5 && value_of(out + 1) == 5);
}

static void check_branches()
{
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaEvent_t fork, join;
    OK(cudaEventCreate(&fork));
    OK(cudaEventCreate(&join));
    clear();
    OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    OK(cudaMemsetAsync(flag, 0, sizeof *flag, a));
    OK(cudaEventRecord(fork, a));
    OK(cudaStreamWaitEvent(b, fork));
    wait_for<<<BLOCKS, THREADS, 0, a>>>(flag, 7, data, out);
    set<<<1, THREADS, 0, b>>>(flag, 7, data);
    OK(cudaEventRecord(join, b));
    OK(cudaStreamWaitEvent(a, join));
    OK(cudaStreamEndCapture(a, &g));
    OK(cudaGraphInstantiate(&x, g, 0));
    for (int i = 0; i < 3; i++)
        OK(cudaGraphLaunch(x, a));
    OK(cudaStreamSynchronize(a));
    EXPECT(value_of(out + THREADS + 1) == 8);
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(g));
    OK(cudaEventDestroy(fork));
    OK(cudaEventDestroy(join));
}

int main()
{
    OK(cudaMalloc(&flag, 2 * sizeof *flag));
    OK(cudaMalloc(&data, THREADS * sizeof *data));
    OK(cudaMalloc(&out, BLOCKS * THREADS * sizeof *out));
    OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    check_kernel();
    check_copy();
    check_host();
    check_thread();
    check_limit();
    check_turns();
    check_branches();
    OK(cudaStreamDestroy(a));
    OK(cudaStreamDestroy(b));
    OK(cudaFree(flag));
    OK(cudaFree(data));
    OK(cudaFree(out));
    puts("passed");
}

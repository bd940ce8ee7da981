// host_pairs_pages.cuh: the pairs of host_pairs.cu in which one load or store accesses a page again: from its second access
// of a page on, it marks the bytes by itself (kernel/host_record.h), until anything is enqueued, waited for or learned.

#include <pthread.h>

int total; // not volatile: that would be a signal

// One load, and one store. After a page with few accesses, some more are not opened: so most pairs access all of pinned.
__attribute__((noipa)) static void read_some(const int *p, int from, int to)
{
    int sum = 0;
    for (int i = from; i < to; i++)
        sum += p[i];
    total = sum;
}

__attribute__((noipa)) static void write_some(int *p, int from, int to)
{
    for (int i = from; i < to; i++)
        p[i] = i;
}

static void read_again(bool waits)
{
    spin<<<1, 1, 0, other>>>();
    read_some(pinned, 0, N);
    to_host(s, pinned);
    wait_if(waits, s);
    read_some(pinned, 0, N);
}

static void write_again(bool waits)
{
    spin<<<1, 1, 0, other>>>();
    write_some(pinned, 0, N);
    to_device(s, pinned);
    wait_if(waits, s);
    write_some(pinned, 0, N);
}

// A page of which one load reads all.
static void read_a_page_again(bool waits)
{
    spin<<<1, 1, 0, other>>>();
    read_some(pinned, 0, N);
    OK(cudaMemcpyAsync(pinned + N / 2, dev, 40, cudaMemcpyDeviceToHost, s));
    wait_if(waits, s);
    read_some(pinned, 0, N);
}

static void read_what_is_allocated_again(bool waits)
{
    for (int i = 0; i < 2; i++) {
        int *p;
        OK(cudaMallocHost(&p, BYTES));
        spin<<<1, 1, 0, other>>>();
        if (i == 1)
            to_host(s, p);
        wait_if(waits, s);
        read_some(p, 0, N);
        OK(cudaDeviceSynchronize());
        OK(cudaFreeHost(p));
    }
}

// Kernels whose accesses are not known yet get to know all bytes that the host has accessed.
static void bytes_beside_those_of_a_kernel(bool waits)
{
    set_variable<<<1, 8, 0, other>>>();
    fill<<<1, 256, 0, s>>>(pinned, 1); // 0 to 255
    read_some(pinned, 256, N);
    read_some(pinned, waits ? 256 : 255, N);
}

static pthread_barrier_t barrier;

// In a thread: some integers of a page, and some more after main has done its part. Other accesses would end the moment.
__attribute__((noipa)) static void read_twice(const int *p, int from)
{
    read_some(p, 0, 50);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    read_some(p, from, from + 50);
}

static void read_in_a_thread(int from, void main_acts(bool), bool waits)
{
    pthread_barrier_init(&barrier, NULL, 2);
    std::thread reader(read_twice, pinned, from);
    pthread_barrier_wait(&barrier);
    main_acts(waits);
    pthread_barrier_wait(&barrier);
    reader.join();
}

static void thread_reads_after_a_copy(bool waits)
{
    spin<<<1, 1, 0, other>>>();
    read_in_a_thread(
        0,
        [](bool waits) {
            to_host(s, pinned);
            wait_if(waits, s);
        },
        waits);
}

static void thread_reads_after_a_wait(bool waits)
{
    OK(cudaMemcpyAsync(pinned + 100, dev, 400, cudaMemcpyDeviceToHost, s));
    spin<<<1, 1, 0, other>>>();
    read_in_a_thread(
        100, [](bool waits) { wait_if(waits, s); }, waits);
}

static void read_after_a_signal(bool waits)
{
    int *p = pinned, *flag = p + 200;
    *flag = 0;
    OK(cudaMemcpyAsync(p, dev, 100, cudaMemcpyDeviceToHost, s));
    OK(cudaMemsetAsync(flag, 1, 4, s));
    read_some(p, 50, 100);
    while (waits && __atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0)
        poll(nullptr, 0, 1); // the device goes on sooner than beside a loop that spins
    read_some(p, 0, 25);
}

// What the load has marked by itself counts, although no access follows.
static void read_before_a_signal(bool waits)
{
    OK(cudaMemcpyAsync(pinned + N - 50, dev, 40, cudaMemcpyDeviceToHost, s));
    wait_if(waits, s);
    spin<<<1, 1, 0, other>>>();
    read_some(pinned, 0, N);
    kept = __atomic_load_n(pinned, __ATOMIC_ACQUIRE);
}

static cudaGraphNode_t add_memset(cudaGraph_t g, int *p, const cudaGraphNode_t *before)
{
    cudaGraphNode_t node;
    cudaMemsetParams set = {};
    set.dst = p;
    set.value = 1;
    set.elementSize = 4;
    set.width = 25;
    set.height = 1;
    OK(cudaGraphAddMemsetNode(&node, g, before, before != NULL, &set));
    return node;
}

__global__ void launch_as_tail(cudaGraphExec_t exec)
{
    cudaGraphLaunch(exec, cudaStreamGraphTailLaunch);
}

// The graph that the kernel launches begins while the host reads its flag. Its accesses are not known before.
static void read_after_a_signal_of_a_tail_launch(bool waits)
{
    int *flag = pinned, *p = pinned + N - 50;
    cudaGraph_t tail, g;
    cudaGraphExec_t tail_exec, exec;
    *flag = 0;
    OK(cudaGraphCreate(&tail, 0));
    const cudaGraphNode_t first = add_memset(tail, p, NULL);
    add_memset(tail, flag, &first);
    OK(cudaGraphInstantiate(&tail_exec, tail, cudaGraphInstantiateFlagDeviceLaunch));
    OK(cudaGraphUpload(tail_exec, s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    launch_as_tail<<<1, 1, 0, s>>>(tail_exec);
    for (int i = 0; i < 20; i++)
        OK(cudaMemcpyAsync(dev, heap, BYTES, cudaMemcpyHostToDevice, s));
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphInstantiate(&exec, g, 0));
    OK(cudaStreamSynchronize(s));
    OK(cudaGraphLaunch(exec, s));
    for (int i = 0; i < 10; i++)
        cudaStreamQuery(s); // the kernel begins
    read_some(pinned, 25, N - 50);
    while (waits && __atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0)
        poll(nullptr, 0, 1); // the device goes on sooner than beside a loop that spins
    read_some(p, 0, 25);
    OK(cudaDeviceSynchronize());
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphExecDestroy(tail_exec));
    OK(cudaGraphDestroy(tail));
}

// ---- 64 stores: one has the slot of the load in read_some

#define STORE(i)                                                                                   \
    case i:                                                                                        \
        p[i] = 1;                                                                                  \
        asm volatile("" ::: "memory");                                                             \
        break;
#define STORES(i)                                                                                  \
    STORE(i)                                                                                       \
    STORE(i + 1) STORE(i + 2) STORE(i + 3) STORE(i + 4) STORE(i + 5) STORE(i + 6) STORE(i + 7)

__attribute__((noipa)) static void write_one(int *p, int i)
{
    switch (i) {
        STORES(0)
        STORES(8)
        STORES(16)
        STORES(24)
        STORES(32)
        STORES(40)
        STORES(48)
        STORES(56)
    }
}

static void write_what_was_read(bool waits)
{
    for (int i = 0; i < 64; i++) {
        simgpu_findings_clear();
        to_device(s, pinned);
        wait_if(waits, s);
        read_some(pinned, 0, N / 4);
        write_one(pinned, i);
        OK(cudaDeviceSynchronize());
        if (!waits && simgpu_findings(NULL, 0) == 0)
            printf("store %d is not found\n", i);
    }
}

// ---- four integers at once

__attribute__((noipa)) static void read_vectors(const int4 *p, int n)
{
    int4 latest = {};
    for (int i = 0; i < n; i++) {
        latest = p[i];
        asm volatile("" : : "m"(latest));
    }
}

static void read_the_end_of_a_vector(bool waits)
{
    OK(cudaMemcpyAsync(pinned + N - 98, dev, 8, cudaMemcpyDeviceToHost, s));
    wait_if(waits, s);
    spin<<<1, 1, 0, other>>>();
    read_vectors((const int4 *)pinned, N / 4);
}

// ---- one integer of each four

__global__ void fill_fields(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i < N)
        out[4 * i] = i;
}

__attribute__((noipa)) static void write_fields(int *p)
{
    for (int i = 0; i < N / 4; i++)
        p[4 * i] = i;
}

static void fields_beside_those_of_a_kernel(bool waits)
{
    fill_fields<<<N / 256, 256, 0, s>>>(pinned);
    write_fields(pinned + waits);
}

static void fields_beside_those_of_a_copy(bool waits)
{
    OK(cudaMemcpy2DAsync(pinned, 16, dev, 16, 4, N / 4, cudaMemcpyDeviceToHost, s));
    write_fields(pinned + waits);
}

__global__ void set_one(int *out)
{
    *out = 1;
}

__attribute__((noipa)) static void write_every(int *p, int step)
{
    for (int i = 0; i < N - 2 * step; i += step)
        p[i] = i;
}

// The host writes each second integer, and the operation one. `enqueue` takes its place.
static void write_each_second(bool waits, void enqueue(int *))
{
    for (int i = 0; i < N - 100; i += 290) {
        simgpu_findings_clear();
        enqueue(pinned + i + waits);
        write_every(pinned, 2);
        OK(cudaDeviceSynchronize());
        if (!waits && simgpu_findings(NULL, 0) == 0)
            printf("integer %d is not found\n", i);
    }
}

static void one_of_a_copy(bool waits)
{
    write_each_second(waits,
                      [](int *p) { OK(cudaMemcpyAsync(p, dev, 4, cudaMemcpyDeviceToHost, s)); });
}

static void one_of_a_kernel(bool waits)
{
    write_each_second(waits, [](int *p) { set_one<<<1, 1, 0, s>>>(p); });
}

// More accesses to other bytes of a page each time than a history keeps as such.
static void one_of_many_moments(bool waits)
{
    for (int i = 0; i < 10; i++)
        spin<<<1, 1, 0, s>>>();
    set_one<<<1, 1, 0, s>>>(pinned + 4 * 19 + 20 * 80 + waits);
    for (int i = 0; i < 20; i++) {
        OK(cudaMemsetAsync(dev, 0, 4, other));
        write_every(pinned + 4 * i, 80);
    }
}

// ---- columns of a matrix: one load has a window of 1 MiB

enum { ROWS = 2048, COLUMNS = 256 };

__attribute__((noipa)) static void read_columns(const int *p)
{
    int sum = 0;
    for (int x = 0; x < 16; x += 2)
        for (int y = 0; y < ROWS; y++)
            sum += p[y * COLUMNS + x];
    total = sum;
}

static void columns_beside_those_of_a_copy(bool waits)
{
    int *p;
    OK(cudaMallocHost(&p, ROWS * COLUMNS * sizeof *p));
    for (int y = 0; y < ROWS; y += 61) {
        simgpu_findings_clear();
        OK(cudaMemcpyAsync(p + y * COLUMNS + 6 + waits, dev, 4, cudaMemcpyDeviceToHost, s));
        read_columns(p);
        OK(cudaDeviceSynchronize());
        if (!waits && simgpu_findings(NULL, 0) == 0)
            printf("row %d is not found\n", y);
    }
    OK(cudaFreeHost(p));
}

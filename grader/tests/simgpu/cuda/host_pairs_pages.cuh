// host_pairs_pages.cuh: the pairs of host_pairs.cu in which one load or store accesses a page again: from its second access
// of a page on, it marks the bytes by itself (kernel/host_record.h), until anything is enqueued, waited for or learned.

#include <pthread.h>

int total; // not volatile: that would be a signal

// One load, and one store.
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
    read_some(pinned, 0, 50);
    to_host(s, pinned);
    wait_if(waits, s);
    read_some(pinned, 0, 50);
}

static void write_again(bool waits)
{
    spin<<<1, 1, 0, other>>>();
    write_some(pinned, 0, 50);
    to_device(s, pinned);
    wait_if(waits, s);
    write_some(pinned, 0, 50);
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
        read_some(p, 0, 50);
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
        ;
    read_some(p, 0, 25);
}

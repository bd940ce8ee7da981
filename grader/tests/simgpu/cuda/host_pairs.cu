// host_pairs.cu: pairs of programs, without and with the order between host code and an operation.
// Each runs both ways. Without the order there is a finding, and with it there is none.
#include "check.cuh"
#include "simgpu.h"

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <poll.h>
#include <thread>
#include <unistd.h>

enum { N = 3000, BYTES = N * sizeof(int) };

static int *dev, *pinned, *managed, *heap; // N integers each
static cudaStream_t s, other;              // non-blocking
static cudaEvent_t event;
static volatile int kept; // what a compiler must not leave out
__managed__ int variable[8];

__global__ void spin() // some 10 us
{
    for (long long begun = clock64(); clock64() - begun < 20000;)
        ;
}

__global__ void fill(int *out, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        out[i] = value;
}

__global__ void copy(int *out, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        out[i] = in[i];
}

__global__ void set_variable()
{
    variable[threadIdx.x] = threadIdx.x;
}

__global__ void publish(int *data, volatile int *flag)
{
    data[0] = 7;
    __threadfence_system();
    *flag = 1;
}

static void fill_in(cudaStream_t stream, int *out)
{
    spin<<<1, 1, 0, stream>>>();
    fill<<<N / 256 + 1, 256, 0, stream>>>(out, 1);
}

static void copy_in(cudaStream_t stream, const int *in)
{
    spin<<<1, 1, 0, stream>>>();
    copy<<<N / 256 + 1, 256, 0, stream>>>(dev, in);
}

static void to_host(cudaStream_t stream, int *out)
{
    spin<<<1, 1, 0, stream>>>();
    OK(cudaMemcpyAsync(out, dev, BYTES, cudaMemcpyDeviceToHost, stream));
}

static void to_device(cudaStream_t stream, const int *in)
{
    spin<<<1, 1, 0, stream>>>();
    OK(cudaMemcpyAsync(dev, in, BYTES, cudaMemcpyHostToDevice, stream));
}

static void set_in_s(int *out)
{
    spin<<<1, 1, 0, s>>>();
    OK(cudaMemsetAsync(out, 1, BYTES, s));
}

static void wait_if(bool waits, cudaStream_t stream)
{
    if (waits)
        OK(cudaStreamSynchronize(stream));
}

static void read_all(const int *p)
{
    int sum = 0;
    for (int i = 0; i < N; i++)
        sum += p[i];
    kept = sum;
}

static void write_all(int *p)
{
    for (int i = 0; i < N; i++)
        p[i] = i;
}

// ---- copies

// The copy of the program that waits is cudaMemcpy.
static void rows_to_pageable(bool waits)
{
    int target[4];
    const size_t row = sizeof(int), pitch = 64;
    spin<<<1, 1>>>();
    if (waits)
        OK(cudaMemcpy2D(target, row, dev, pitch, row, 4, cudaMemcpyDeviceToHost));
    else
        OK(cudaMemcpy2DAsync(target, row, dev, pitch, row, 4, cudaMemcpyDeviceToHost, 0));
    kept = target[2];
}

// Rows of 10 integers, 20 apart: the bytes between them are nobody's.
static void copy_of_rows(bool waits)
{
    spin<<<1, 1, 0, s>>>();
    OK(cudaMemcpy2DAsync(pinned, 80, dev, 80, 40, 50, cudaMemcpyDeviceToHost, s));
    pinned[waits ? 10 : 9] = 1;
}

static void halves(bool waits)
{
    spin<<<1, 1, 0, s>>>();
    OK(cudaMemcpyAsync(dev, pinned, BYTES / 2, cudaMemcpyHostToDevice, s));
    pinned[waits ? N / 2 : N / 2 - 1] = 1;
}

// ---- waits

static void event_before_the_copy(bool waits)
{
    if (!waits)
        OK(cudaEventRecord(event, s));
    to_host(s, pinned);
    if (waits)
        OK(cudaEventRecord(event, s));
    OK(cudaEventSynchronize(event));
    kept = pinned[0];
}

static void wait_for_the_other_stream(bool waits)
{
    to_host(s, pinned);
    OK(cudaStreamSynchronize(waits ? s : other));
    kept = pinned[0];
}

static void wait_through_an_event(bool waits)
{
    to_host(s, pinned);
    OK(cudaEventRecord(event, s));
    if (waits)
        OK(cudaStreamWaitEvent(other, event, 0));
    spin<<<1, 1, 0, other>>>();
    OK(cudaStreamSynchronize(other));
    kept = pinned[0];
}

static void stream_query(bool waits)
{
    to_host(s, pinned);
    while (cudaStreamQuery(s) == cudaErrorNotReady && waits)
        ;
    kept = pinned[0];
}

static void event_query(bool waits)
{
    to_host(s, pinned);
    OK(cudaEventRecord(event, s));
    while (cudaEventQuery(event) == cudaErrorNotReady && waits)
        ;
    kept = pinned[0];
}

static void legacy_stream(bool waits)
{
    cudaStream_t blocking;
    OK(cudaStreamCreate(&blocking));
    to_host(waits ? blocking : s, pinned);
    OK(cudaStreamSynchronize(cudaStreamLegacy));
    kept = pinned[0];
    OK(cudaStreamDestroy(blocking));
}

static void synchronous_copy(bool waits)
{
    cudaStream_t blocking;
    OK(cudaStreamCreate(&blocking));
    fill_in(waits ? blocking : s, managed);
    OK(cudaMemcpy(pinned, dev, BYTES, cudaMemcpyDeviceToHost));
    kept = managed[0] + pinned[0];
    OK(cudaStreamDestroy(blocking));
}

static void stream_destroyed(bool waits)
{
    cudaStream_t gone;
    OK(cudaStreamCreate(&gone));
    to_host(gone, pinned);
    wait_if(waits, gone);
    OK(cudaStreamDestroy(gone));
    kept = pinned[0];
}

static void sleep_in_place_of_a_wait(bool waits)
{
    to_host(s, pinned);
    usleep(60000);
    wait_if(waits, s);
    kept = pinned[0];
}

static void double_buffer(bool waits)
{
    for (int i = 0; i < 4; i++) {
        int *half = pinned + i % 2 * (N / 2);
        if (i >= 2 && waits)
            OK(cudaEventSynchronize(event));
        for (int k = 0; k < N / 2; k++)
            half[k] = i;
        OK(cudaMemcpyAsync(dev, half, BYTES / 2, cudaMemcpyHostToDevice, s));
        OK(cudaEventRecord(event, s));
    }
}

// ---- graphs

static void launch_captured(void enqueue(void *), void *argument)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    enqueue(argument);
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
}

static void graph_copy_to_the_stack(bool waits)
{
    int result[64] = {0};
    launch_captured(
        [](void *p) { OK(cudaMemcpyAsync(p, dev, sizeof result, cudaMemcpyDeviceToHost, s)); },
        result);
    wait_if(waits, s);
    kept = result[1];
    OK(cudaStreamSynchronize(s));
}

static void graph_copy_from_the_heap(bool waits)
{
    int *values = (int *)malloc(BYTES);
    write_all(values);
    launch_captured([](void *p) { to_device(s, (int *)p); }, values);
    wait_if(waits, s);
    write_all(values);
    OK(cudaStreamSynchronize(s));
    free(values);
}

#include "host_pairs_pages.cuh"
#include "host_pairs_threads.cuh"

// ---- an operation of s, and an access of the host, which waits for s or does not

static void set_variable_in_s()
{
    spin<<<1, 1, 0, s>>>();
    set_variable<<<1, 8, 0, s>>>();
}

static void fill_in_graph(void *p)
{
    fill_in(s, (int *)p);
}

static void to_host_in_graph(void *p)
{
    to_host(s, (int *)p);
}

static void copy_from_pinned()
{
    to_device(s, pinned);
}

static void copy_to_pinned()
{
    to_host(s, pinned);
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

struct six {
    int a[6];
} few;
int pageable[N], mine[N];
char text[200];
static FILE *zeros, *sink;

static const struct {
    const char *name;
    void (*enqueue)();
    void (*access)();
} accesses[] = {
    {"kernel_writes_managed", [] { fill_in(s, managed); }, [] { read_all(managed); }},
    {"kernel_writes_pinned", [] { fill_in(s, pinned); }, [] { read_all(pinned); }},
    {"kernel_writes_registered", [] { fill_in(s, heap); }, [] { read_all(heap); }},
    {"kernel_writes_variable", set_variable_in_s, [] { kept = variable[3]; }},
    {"kernel_and_host_write", [] { fill_in(s, managed); }, [] { managed[N - 1] = 3; }},
    {"kernel_reads_managed", [] { copy_in(s, managed); }, [] { write_all(managed); }},
    {"kernel_reads_pinned", [] { copy_in(s, pinned); }, [] { write_all(pinned); }},
    {"memset_writes_managed", [] { set_in_s(managed); }, [] { read_all(managed); }},
    {"memset_writes_pinned", [] { set_in_s(pinned); }, [] { write_all(pinned); }},
    // the call of an H200 waits, but NVIDIA says that it might
    {"copy_writes_pageable", [] { to_host(s, pageable); }, [] { read_all(pageable); }},
    {"copy_writes_pinned", copy_to_pinned, [] { read_all(pinned); }},
    {"copy_writes_registered", [] { to_host(s, heap); }, [] { kept = heap[5]; }},
    {"copy_writes_managed", [] { to_host(s, managed); }, [] { kept = managed[5]; }},
    {"copy_reads_pinned", copy_from_pinned, [] { write_all(pinned); }},
    {"copy_reads_registered", [] { to_device(s, heap); }, [] { heap[N / 2]++; }},
    {"graph_kernel", [] { launch_captured(fill_in_graph, managed); }, [] { kept = managed[1]; }},
    {"graph_copy", [] { launch_captured(to_host_in_graph, pinned); }, [] { kept = pinned[1]; }},
    // functions of the C library
    {"by_memcpy", copy_to_pinned, [] { memcpy(mine, pinned, BYTES); }},
    {"by_small_memcpy", copy_to_pinned, [] { memcpy(&few, pinned + 3, sizeof few); }},
    {"by_assignment", copy_to_pinned, [] { few = *(six *)(pinned + 8); }},
    {"by_memcmp", copy_to_pinned, [] { kept = memcmp(pinned, mine, BYTES); }},
    {"by_strlen", copy_to_pinned, [] { kept = (int)strlen((char *)pinned); }},
    {"by_printf", copy_to_pinned, [] { snprintf(text, 200, "%.3f %s", 2.0, (char *)pinned); }},
    {"by_fwrite", copy_to_pinned, [] { kept = (int)fwrite(pinned, sizeof(int), N, sink); }},
    {"by_memset", copy_from_pinned, [] { memset(pinned, 0, BYTES); }},
    {"by_small_memset", copy_from_pinned, [] { memset(pinned + 3, 0, 40); }},
    {"by_strcpy", copy_from_pinned, [] { strcpy((char *)pinned, kept == 1 ? "one" : "another"); }},
    {"by_snprintf", copy_from_pinned, [] { snprintf((char *)pinned, 100, "%d", kept); }},
    {"by_fread", copy_from_pinned, [] { kept = (int)fread(pinned, sizeof(int), N, zeros); }},
    {"by_read", copy_from_pinned, [] { kept = (int)read(fileno(zeros), pinned, BYTES); }},
    {"by_qsort", copy_from_pinned, [] { qsort(pinned, 10, sizeof(int), compare); }},
};

// ---- the others

static const struct {
    const char *name;
    void (*run)(bool waits);
} pairs[] = {
#define PAIR(name)                                                                                 \
    {                                                                                              \
#name, name                                                                                \
    }
    PAIR(rows_to_pageable),
    PAIR(copy_of_rows),
    PAIR(halves),
    PAIR(event_before_the_copy),
    PAIR(wait_for_the_other_stream),
    PAIR(wait_through_an_event),
    PAIR(stream_query),
    PAIR(event_query),
    PAIR(legacy_stream),
    PAIR(synchronous_copy),
    PAIR(stream_destroyed),
    PAIR(sleep_in_place_of_a_wait),
    PAIR(double_buffer),
    PAIR(graph_copy_to_the_stack),
    PAIR(graph_copy_from_the_heap),
    PAIR(host_function_fills),
    PAIR(host_function_reads),
    PAIR(host_function_before),
    PAIR(host_function_tells),
    PAIR(host_function_beside_another),
    PAIR(host_function_with_a_lock),
    PAIR(host_function_with_atomics),
    PAIR(another_thread),
    PAIR(another_thread_waits),
    PAIR(threads_with_a_lock),
    PAIR(producer_thread),
    PAIR(flag_of_a_kernel),
    PAIR(atomic_flag_of_a_copy),
    PAIR(read_again),
    PAIR(write_again),
    PAIR(read_a_page_again),
    PAIR(read_what_is_allocated_again),
    PAIR(bytes_beside_those_of_a_kernel),
    PAIR(thread_reads_after_a_copy),
    PAIR(thread_reads_after_a_wait),
    PAIR(read_after_a_signal),
    PAIR(read_before_a_signal),
    PAIR(read_after_a_signal_of_a_tail_launch),
    PAIR(write_what_was_read),
    PAIR(read_the_end_of_a_vector),
    PAIR(fields_beside_those_of_a_kernel),
    PAIR(fields_beside_those_of_a_copy),
    PAIR(one_of_a_copy),
    PAIR(one_of_a_kernel),
    PAIR(one_of_many_moments),
    PAIR(columns_beside_those_of_a_copy),
};

static bool is_asked(int argc, char **argv, const char *name)
{
    return argc < 2 || strcmp(argv[1], name) == 0;
}

// What was found is as it should be? A finding about a host function is a race between operations.
static void check(const char *name, bool waits)
{
    simgpu_finding found[8];
    OK(cudaDeviceSynchronize());
    const size_t n = simgpu_findings(found, 8);
    const bool of_function = strncmp(name, "host_function", 13) == 0;
    if (waits ? n > 0 : n == 0)
        printf("%s %s the order: %zu findings\n", name, waits ? "with" : "without", n);
    for (size_t i = 0; i < n && i < 8; i++)
        if (found[i].kind != SIMGPU_HOST_ACCESS && !of_function)
            printf("%s: the finding is of kind %s\n", name, simgpu_kind_name(found[i].kind));
    simgpu_findings_clear();
}

int main(int argc, char **argv)
{
    zeros = fopen("/dev/zero", "r");
    sink = fopen("/dev/null", "w");
    OK(cudaMalloc(&dev, BYTES));
    OK(cudaMallocHost(&pinned, BYTES));
    OK(cudaMallocManaged(&managed, BYTES));
    heap = (int *)calloc(N, sizeof(int));
    OK(cudaHostRegister(heap, BYTES, cudaHostRegisterDefault));
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    OK(cudaEventCreate(&event));
    OK(cudaMemset(dev, 1, BYTES));
    OK(cudaDeviceSynchronize());
    for (int waits = 0; waits < 2; waits++) {
        for (const auto &a : accesses)
            if (is_asked(argc, argv, a.name)) {
                a.enqueue();
                wait_if(waits, s);
                a.access();
                check(a.name, waits);
            }
        for (const auto &pair : pairs)
            if (is_asked(argc, argv, pair.name)) {
                pair.run(waits);
                check(pair.name, waits);
            }
    }
    printf("%zu pairs\n", sizeof accesses / sizeof accesses[0] + sizeof pairs / sizeof pairs[0]);
    return 0;
}

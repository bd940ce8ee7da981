/*
 * test_odd.c: programs that are unusual and right, and calls that nobody means: streams destroyed
 * before their work is done, waiting without a call, sizes beyond the address space, fork, a
 * cancelled thread, work at the very end.
 */
#include <criterion/criterion.h>
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/kernels.h"
#include "common/simgpu/simgpu.h"

#define OK(call) cr_assert_eq((call), cudaSuccess, "%s", #call)

enum { BYTES = 5000 };

static char *device, *pinned;

static void setup(void)
{
    setenv("SIMGPU_REPORT", "0", 1);
    OK(cudaMalloc((void **)&device, BYTES));
    OK(cudaMallocHost((void **)&pinned, BYTES));
    memset(pinned, 0, BYTES);
}

TestSuite(odd, .init = setup, .timeout = 30);
TestSuite(odd_settings, .timeout = 30); /* tests with an environment of their own */

static cudaStream_t stream(unsigned flags)
{
    cudaStream_t s;
    OK(cudaStreamCreateWithFlags(&s, flags));
    return s;
}

static void expect_findings(size_t wanted)
{
    struct simgpu_finding first;
    size_t n = simgpu_findings(&first, 1);
    cr_assert_eq(n, wanted, "%zu findings, first: %s", n, n ? first.text : "none");
}

static void wait_in_the_program(void)
{
    simgpu_host_work_ns(1000000);
}

/* ---- streams that are no more ---------------------------------------------------------------- */

Test(odd, a_device_synchronise_orders_work_of_destroyed_streams)
{
    cudaStream_t s = stream(cudaStreamNonBlocking);
    OK(cudaMemsetAsync(device, 1, BYTES, s));
    OK(cudaStreamDestroy(s));
    wait_in_the_program();
    OK(cudaDeviceSynchronize());
    OK(cudaMemsetAsync(device, 2, BYTES, stream(cudaStreamNonBlocking)));
    expect_findings(0);
}

Test(odd, only_a_synchronise_orders_work_of_destroyed_streams)
{
    cudaStream_t s = stream(cudaStreamNonBlocking);
    OK(cudaMemsetAsync(device, 1, BYTES, s));
    OK(cudaStreamDestroy(s));
    wait_in_the_program();
    OK(cudaStreamSynchronize(NULL));
    OK(cudaMemsetAsync(device, 2, BYTES, NULL));
    expect_findings(1);
}

Test(odd, the_default_stream_comes_after_destroyed_blocking_streams)
{
    cudaStream_t s = stream(cudaStreamDefault);
    OK(cudaMemsetAsync(device, 1, BYTES, s));
    OK(cudaStreamDestroy(s));
    wait_in_the_program();
    OK(cudaMemcpy(pinned, device, BYTES, cudaMemcpyDeviceToHost));
    cr_assert_eq(pinned[0], 1);
    expect_findings(0);
}

static void *set_per_thread(void *unused)
{
    (void)unused;
    OK(cudaMemsetAsync(device, 3, BYTES, cudaStreamPerThread));
    return NULL;
}

Test(odd, the_default_stream_comes_after_streams_of_threads_that_ended)
{
    pthread_t thread;
    pthread_create(&thread, NULL, set_per_thread, NULL);
    pthread_join(thread, NULL);
    wait_in_the_program();
    OK(cudaMemcpy(pinned, device, BYTES, cudaMemcpyDeviceToHost));
    cr_assert_eq(pinned[0], 3);
    expect_findings(0);
}

Test(odd, pending_streams_may_be_destroyed_before_the_default_stream_is_waited_for)
{
    for (int i = 0; i < 8; i++) {
        cudaStream_t s = stream(cudaStreamDefault);
        OK(launch_delay(10, s));
        OK(cudaStreamDestroy(s));
    }
    OK(cudaStreamSynchronize(NULL));
    OK(cudaStreamQuery(NULL));
}

Test(odd, the_default_stream_comes_after_any_number_of_streams)
{
    for (int i = 0; i < 5000; i++)
        OK(cudaMemsetAsync(device + i, 1, 1, stream(cudaStreamDefault)));
    OK(cudaMemcpy(pinned, device, BYTES, cudaMemcpyDeviceToHost));
    expect_findings(0);
}

/* ---- the host knows that work is done -------------------------------------------------------- */

static atomic_bool ran;

static void run_and_linger(void *unused)
{
    (void)unused;
    atomic_store(&ran, true);
    usleep(20000);
}

Test(odd, a_host_function_may_tell_the_program_before_it_returns)
{
    cudaStream_t s = stream(cudaStreamNonBlocking), other = stream(cudaStreamNonBlocking);
    OK(cudaMemsetAsync(device, 1, BYTES, s));
    OK(cudaLaunchHostFunc(s, run_and_linger, NULL));
    wait_in_the_program();
    while (!atomic_load(&ran))
        usleep(100);
    OK(cudaMemsetAsync(device, 2, BYTES, other));
    OK(cudaDeviceSynchronize());
    expect_findings(0);
}

Test(odd, a_copy_may_tell_the_program_through_pinned_memory)
{
    cudaStream_t s = stream(cudaStreamNonBlocking);
    OK(cudaMemsetAsync(device, 1, BYTES, s));
    OK(cudaMemcpyAsync(pinned, device, 1, cudaMemcpyDeviceToHost, s));
    while (*(volatile char *)pinned == 0)
        usleep(1000);
    OK(cudaMemsetAsync(device, 2, BYTES, stream(cudaStreamNonBlocking)));
    expect_findings(0);
}

Test(odd, an_elapsed_time_says_that_both_events_happened)
{
    cudaStream_t s = stream(cudaStreamNonBlocking);
    cudaEvent_t start, end;
    float ms;
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&end));
    OK(cudaEventRecord(start, s));
    OK(cudaMemsetAsync(device, 1, BYTES, s));
    OK(cudaEventRecord(end, s));
    while (cudaEventElapsedTime(&ms, start, end) == cudaErrorNotReady)
        ;
    OK(cudaMemsetAsync(device, 2, BYTES, stream(cudaStreamNonBlocking)));
    expect_findings(0);
}

/* ---- memory of a pool ------------------------------------------------------------------------ */

Test(odd, memory_handed_out_again_keeps_what_pending_work_will_read)
{
    cudaStream_t s = stream(cudaStreamNonBlocking);
    cudaEvent_t filled;
    char *first, *second;
    OK(cudaEventCreate(&filled));
    OK(cudaMallocAsync((void **)&first, BYTES, s));
    OK(cudaMemsetAsync(first, 7, BYTES, s));
    OK(cudaEventRecord(filled, s));
    OK(launch_delay(1000, s));
    OK(cudaMemcpyAsync(pinned, first, BYTES, cudaMemcpyDeviceToHost, s));
    OK(cudaFreeAsync(first, s));
    OK(cudaEventSynchronize(filled));
    OK(cudaMallocAsync((void **)&second, BYTES, s));
    OK(cudaStreamSynchronize(s));
    cr_assert_eq(first, second);
    cr_assert_eq(pinned[0], 7);
}

Test(odd, a_pool_destroyed_before_its_last_free_gives_its_memory_back)
{
    struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
                                     .location = {.type = cudaMemLocationTypeDevice}};
    cudaStream_t s = stream(cudaStreamNonBlocking);
    cudaMemPool_t pool;
    size_t before, after, total;
    void *p;
    OK(cudaMemGetInfo(&before, &total));
    OK(launch_delay(100, s));
    OK(cudaMemPoolCreate(&pool, &props));
    OK(cudaMallocFromPoolAsync(&p, 1 << 20, pool, s));
    OK(cudaFreeAsync(p, s));
    OK(cudaMemPoolDestroy(pool));
    OK(cudaStreamSynchronize(s));
    OK(cudaMemGetInfo(&after, &total));
    cr_assert_eq(after, before);
}

Test(odd, freeing_memory_of_a_pool_at_once_is_a_race_with_pending_work)
{
    cudaStream_t s = stream(cudaStreamNonBlocking);
    struct simgpu_finding f;
    void *p;
    OK(cudaMallocAsync(&p, BYTES, s));
    OK(cudaMemsetAsync(p, 1, BYTES, s));
    OK(cudaFree(p));
    cr_assert_eq(simgpu_findings(&f, 1), 1);
    cr_assert_eq(f.kind, SIMGPU_HOST_RACE);
    simgpu_findings_clear();
    OK(cudaMallocAsync(&p, BYTES, s));
    OK(cudaMemsetAsync(p, 1, BYTES, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaFree(p));
    expect_findings(0);
}

/* ---- sizes that nobody has ------------------------------------------------------------------- */

Test(odd, sizes_and_pitches_that_wrap_around_are_refused)
{
    const size_t minus = (size_t)-64;
    cr_expect_eq(cudaMemcpy(device, pinned, minus, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    cr_expect_eq(cudaMemcpy(pinned, device, minus, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    cr_expect_eq(cudaMemset(device, 0, minus), cudaErrorInvalidValue);
    cr_expect_eq(cudaMemset2D(device + 1024, minus, 0, 16, 3), cudaErrorInvalidValue);
    cr_expect_eq(
        cudaMemcpy2D(device + 1024, minus, pinned + 1024, minus, 16, 3, cudaMemcpyHostToDevice),
        cudaErrorInvalidValue);
    cr_expect_eq(cudaMemcpy2D(device, SIZE_MAX / 2 + 1, pinned, SIZE_MAX / 2 + 1, 16, 3,
                              cudaMemcpyHostToDevice),
                 cudaErrorInvalidValue);
}

Test(odd, slices_on_top_of_each_other_are_refused)
{
    struct cudaMemcpy3DParms copy = {.srcPtr = {pinned, 16, 16, 0},
                                     .dstPtr = {device, 16, 16, 0},
                                     .extent = {16, 1, (size_t)1 << 40},
                                     .kind = cudaMemcpyHostToDevice};
    cr_expect_eq(cudaMemcpy3D(&copy), cudaErrorInvalidValue);
    cr_expect_eq(cudaMemset3D(copy.dstPtr, 0, copy.extent), cudaErrorInvalidValue);
}

Test(odd, pitched_memory_beyond_the_address_space_is_not_to_be_had)
{
    const size_t large = (size_t)1 << 33;
    struct cudaPitchedPtr box;
    size_t pitch;
    void *p;
    cr_expect_eq(cudaMallocPitch(&p, &pitch, (size_t)-100, 1), cudaErrorMemoryAllocation);
    cr_expect_eq(cudaMallocPitch(&p, &pitch, large, large), cudaErrorMemoryAllocation);
    cr_expect_eq(cudaMalloc3D(&box, (struct cudaExtent){large, large, large}),
                 cudaErrorMemoryAllocation);
}

Test(odd, host_memory_is_registered_once_in_all_its_parts)
{
    static char host[16 * BYTES];
    OK(cudaHostRegister(host + 4 * BYTES, BYTES, 0));
    cr_assert_eq(cudaHostRegister(host, sizeof host, 0), cudaErrorHostMemoryAlreadyRegistered);
    OK(cudaHostUnregister(host + 4 * BYTES));
    OK(cudaHostRegister(host, sizeof host, 0));
}

static void last_call(void *const *params)
{
    (void)params;
}

static void last_footprint(const struct simgpu_launch *l, void *const *params,
                           struct simgpu_work *w)
{
    (void)l;
    (void)params;
    w->delay_us = 1;
}

/* 2^32 blocks, which an unsigned int cannot count */
Test(odd_settings, a_grid_of_four_billion_blocks_takes_its_time_and_ends)
{
    static const struct simgpu_kernel last = {
        .entry = &last, .name = "last", .call = last_call, .footprint = last_footprint};
    setenv("SIMGPU_COMPUTE", "0", 1);
    simgpu_register_kernel(&last);
    OK(cudaLaunchKernel(&last, (dim3){65536, 32768, 2}, (dim3){1, 1, 1}, NULL, 0, NULL));
    OK(cudaDeviceSynchronize());
    cr_assert_gt(simgpu_now_ns(), 1000000000, "1 us a wave of 132 * 32 blocks");
}

Test(odd, many_streams_are_made_in_little_time, .timeout = 15)
{
    for (int i = 0; i < 100000; i++)
        stream(cudaStreamNonBlocking);
}

/* ---- several devices ------------------------------------------------------------------------- */

Test(odd_settings, kernels_and_times_belong_to_one_device)
{
    cudaEvent_t here, there;
    float ms;
    setenv("SIMGPU_DEVICES", "2", 1);
    setenv("SIMGPU_REPORT", "0", 1);
    cudaStream_t s = stream(cudaStreamNonBlocking);
    OK(cudaEventCreate(&here));
    OK(cudaEventRecord(here, s));
    OK(cudaSetDevice(1));
    OK(cudaEventCreate(&there));
    OK(cudaEventRecord(there, NULL));
    cr_expect_eq(launch_delay(1, s), cudaErrorInvalidResourceHandle);
    OK(cudaDeviceSynchronize());
    OK(cudaStreamSynchronize(s));
    cr_expect_eq(cudaEventElapsedTime(&ms, here, there), cudaErrorInvalidResourceHandle);
}

/* ---- processes and threads ------------------------------------------------------------------- */

Test(odd, a_child_process_has_no_device_and_nothing_to_report)
{
    int said[2], status, n_devices;
    char text[64];
    cr_assert_eq(pipe(said), 0);
    setenv("SIMGPU_REPORT", "16", 1);
    OK(launch_delay(100, NULL));
    pid_t child = fork();
    if (child == 0) {
        dup2(said[1], STDERR_FILENO);
        bool refused = cudaDeviceSynchronize() == cudaErrorInitializationError &&
                       cudaGetDeviceCount(&n_devices) == cudaErrorInitializationError;
        simgpu_findings_end();
        _exit(refused ? 0 : 1);
    }
    waitpid(child, &status, 0);
    close(said[1]);
    setenv("SIMGPU_REPORT", "0", 1);
    cr_assert_eq(status, 0);
    cr_assert_eq(read(said[0], text, sizeof text), 0, "the child had something to say");
}

static void linger(void *unused)
{
    (void)unused;
    usleep(50000);
}

static void *synchronise(void *s)
{
    return (void *)(intptr_t)cudaStreamSynchronize(s);
}

Test(odd, a_thread_cancelled_while_it_waits_leaves_the_device_usable)
{
    cudaStream_t s = stream(cudaStreamNonBlocking);
    pthread_t thread;
    OK(cudaLaunchHostFunc(s, linger, NULL));
    pthread_create(&thread, NULL, synchronise, s);
    usleep(20000);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    OK(cudaStreamSynchronize(s));
}

/* ---- busy machines --------------------------------------------------------------------------- */

static void note_thread(void *tid)
{
    *(long *)tid = syscall(SYS_gettid);
}

static void stand_still(int signal)
{
    (void)signal;
    usleep(300000);
}

/* The thread of the host functions gets no turn for so long that others are no longer waited for.
 */
Test(odd, a_host_function_that_could_not_begin_is_waited_for)
{
    cudaStream_t s = stream(cudaStreamNonBlocking);
    long tid = 0;
    OK(cudaLaunchHostFunc(s, note_thread, &tid));
    OK(cudaStreamSynchronize(s));
    cr_assert_neq(tid, 0);
    signal(SIGSEGV, stand_still); /* of all that can be sent, this the thread has not blocked */
    for (int i = 0; i < 3; i++) {
        atomic_store(&ran, false);
        syscall(SYS_tgkill, getpid(), (int)tid, SIGSEGV);
        OK(cudaLaunchHostFunc(s, run_and_linger, NULL));
        OK(cudaStreamSynchronize(s));
        cr_assert(atomic_load(&ran));
    }
}

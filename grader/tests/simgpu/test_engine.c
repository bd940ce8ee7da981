/* test_engine.c: what the simulated device does when. All times are virtual, so they are compared
 * exactly, or with what the profile says. */
#include <math.h>
#include <semaphore.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim_test.h"

/* ---- a kernel of a known length that adds one to an int, and one that only lasts ------------- */

struct add {
    int *at;
    float us;
};

static void add_call(void *const *params)
{
    const struct add *a = params[0];
    ++*a->at;
}

static void add_footprint(const struct simgpu_launch *l, void *const *params, struct simgpu_work *w)
{
    const struct add *a = params[0];
    (void)l;
    w->n_ranges = 1;
    w->ranges[0] = (struct simgpu_range){a->at, sizeof(int), 0, 1, SIMGPU_READ_WRITE, 0};
    w->delay_us = a->us;
}

KERNEL_OF(add);

struct last {
    float us;
};

static void last_call(void *const *params)
{
    (void)params;
}

static void last_footprint(const struct simgpu_launch *l, void *const *params,
                           struct simgpu_work *w)
{
    (void)l;
    w->delay_us = ((const struct last *)params[0])->us;
}

KERNEL_OF(last);

static void setup(void)
{
    setup_kernel(&add_kernel);
    setup_kernel(&last_kernel);
}

TestSuite(engine, .init = setup);

static cudaError_t launch_add(int *at, float us, cudaStream_t s)
{
    struct add a = {at, us};
    return cudaLaunchKernel(&add_kernel, (dim3){1, 1, 1}, (dim3){1, 1, 1}, (void *[]){&a}, 0, s);
}

static cudaError_t launch_last(int blocks, int threads, float us, cudaStream_t s)
{
    struct last last = {us};
    return cudaLaunchKernel(&last_kernel, (dim3){(unsigned)blocks, 1, 1},
                            (dim3){(unsigned)threads, 1, 1}, (void *[]){&last}, 0, s);
}

static cudaStream_t apart(void)
{
    return stream(cudaStreamNonBlocking);
}

static double synchronized_us(void)
{
    OK(cudaDeviceSynchronize());
    return (double)simgpu_now_ns() / 1e3;
}

/* ---- what runs beside what ------------------------------------------------------------------- */

Test(engine, kernels_of_two_streams_run_at_the_same_time)
{
    cudaStream_t a = apart(), b = apart();
    double t0 = synchronized_us();
    OK(launch_last(1, 32, 1000, a));
    OK(launch_last(1, 32, 1000, b));
    double together = synchronized_us() - t0;
    OK(launch_last(1, 32, 1000, a));
    OK(launch_last(1, 32, 1000, a));
    double in_turn = synchronized_us() - t0 - together;
    cr_assert_lt(together, 1.05 * in_turn / 2, "together %.1f us, in turn %.1f us", together,
                 in_turn);
}

Test(engine, a_full_device_makes_the_next_kernel_wait)
{
    cudaStream_t a = apart(), b = apart();
    double t0 = synchronized_us();
    OK(launch_last(132 * 2, 1024, 1000, a));
    OK(launch_last(1, 32, 1000, b));
    double t1 = synchronized_us();
    OK(launch_last(132 * 2 + 1, 1024, 1000, a));
    double t2 = synchronized_us();
    cr_assert_gt(t1 - t0, 2000);
    cr_assert_gt(t2 - t1, 2000, "one block too many makes a second wave");
}

Test(engine, a_higher_priority_goes_first_when_slots_come_free)
{
    cudaStream_t busy = apart(), low, high;
    OK(cudaStreamCreateWithPriority(&low, cudaStreamNonBlocking, 0));
    OK(cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, -5));
    cudaEvent_t low_done, high_done;
    OK(cudaEventCreate(&low_done));
    OK(cudaEventCreate(&high_done));
    OK(launch_last(132 * 2, 1024, 100, busy));
    OK(launch_last(132 * 2, 1024, 100, low));
    OK(cudaEventRecord(low_done, low));
    OK(launch_last(132 * 2, 1024, 100, high));
    OK(cudaEventRecord(high_done, high));
    OK(cudaDeviceSynchronize());
    float ms;
    OK(cudaEventElapsedTime(&ms, high_done, low_done));
    cr_assert_gt(ms, 0.09f, "the low one ended %.3f ms after the high one", (double)ms);
}

Test(engine, two_directions_overlap_and_one_direction_does_not)
{
    enum { BYTES = 16 << 20 };
    cudaStream_t a = apart(), b = apart();
    char *device = zeros(2 * BYTES), *host;
    OK(cudaMallocHost((void **)&host, 2 * BYTES));
    double t0 = synchronized_us();
    OK(cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, a));
    double t1 = synchronized_us();
    OK(cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, a));
    OK(cudaMemcpyAsync(host + BYTES, device + BYTES, BYTES, cudaMemcpyDeviceToHost, b));
    double t2 = synchronized_us();
    OK(cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, a));
    OK(cudaMemcpyAsync(device + BYTES, host + BYTES, BYTES, cudaMemcpyHostToDevice, b));
    double t3 = synchronized_us();
    double alone = t1 - t0, both_ways = t2 - t1, same_way = t3 - t2;
    cr_assert_lt(both_ways, 1.2 * alone);
    cr_assert_gt(both_ways, 1.05 * alone, "each direction is a little slower while both run");
    cr_assert_gt(same_way, 1.9 * alone);
}

Test(engine, pageable_copies_are_slow_and_hold_the_host)
{
    enum { BYTES = 16 << 20 };
    cudaStream_t a = apart();
    char *device, *pinned, *ordinary = malloc(BYTES);
    OK(cudaMalloc((void **)&device, BYTES));
    OK(cudaMallocHost((void **)&pinned, BYTES));
    OK(cudaDeviceSynchronize());
    int64_t t0 = simgpu_now_ns();
    OK(cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, a));
    int64_t enqueued = simgpu_now_ns() - t0;
    OK(cudaDeviceSynchronize());
    int64_t done = simgpu_now_ns() - t0;
    t0 = simgpu_now_ns();
    OK(cudaMemcpyAsync(device, ordinary, BYTES, cudaMemcpyHostToDevice, a));
    int64_t held = simgpu_now_ns() - t0;
    OK(cudaDeviceSynchronize());
    cr_assert_lt(50 * enqueued, done, "a pinned copy leaves the host free");
    cr_assert_gt(held, 2 * done,
                 "a pageable one keeps it for longer than the whole pinned copy takes");
    free(ordinary);
}

/* ---- history --------------------------------------------------------------------------------- */

/* Nanoseconds from an allocation to the end of a synchronize after it was given back. */
static int64_t allocate_and_free(void)
{
    void *p;
    int64_t t0 = simgpu_now_ns();
    OK(cudaMallocAsync(&p, 1 << 20, cudaStreamPerThread));
    OK(cudaFreeAsync(p, cudaStreamPerThread));
    OK(cudaStreamSynchronize(cudaStreamPerThread));
    return simgpu_now_ns() - t0;
}

Test(engine, a_pool_that_may_not_keep_its_memory_pays_for_it_at_every_synchronize)
{
    cudaMemPool_t pool;
    uint64_t all = UINT64_MAX;
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    int64_t first = allocate_and_free(), second = allocate_and_free();
    cr_expect_eq(first, second, "%ld and %ld ns", (long)first, (long)second);

    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    int64_t grown = allocate_and_free(), kept = allocate_and_free();
    cr_expect_gt(grown, 5 * kept, "%ld and %ld ns", (long)grown, (long)kept);
    cr_expect_gt(first, 3 * grown / 2, "%ld and %ld ns", (long)first, (long)grown);
}

Test(engine, the_same_program_takes_the_same_virtual_time)
{
    cudaStream_t s[3] = {apart(), apart(), apart()};
    int *at = zeros(3 * sizeof *at);
    int64_t took[2];
    for (int round = 0; round < 2; round++) {
        OK(cudaDeviceSynchronize());
        int64_t t0 = simgpu_now_ns();
        for (int i = 0; i < 300; i++)
            OK(launch_add(at + i % 3, (float)(i % 7), s[i % 3]));
        OK(cudaDeviceSynchronize());
        took[round] = simgpu_now_ns() - t0;
        usleep(1000); /* real time, which must not show in virtual time */
    }
    cr_assert_eq(took[0], took[1], "%lld ns and %lld ns", (long long)took[0], (long long)took[1]);
}

Test(engine, polling_an_event_moves_virtual_time, .timeout = 20)
{
    cudaStream_t s = apart();
    cudaEvent_t done;
    OK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    OK(launch_last(1, 32, 500, s));
    OK(cudaEventRecord(done, s));
    int polls = 0;
    while (cudaEventQuery(done) == cudaErrorNotReady)
        polls++;
    cr_assert_gt(polls, 100);
    OK(cudaStreamQuery(s));
    cr_assert_eq(cudaGetLastError(), cudaSuccess, "not ready is no error");
}

/* Once every millisecond of real time: each query alone moves virtual time by less than 1 us. */
Test(engine, a_loop_that_only_queries_ends_when_the_work_does, .timeout = 20)
{
    enum { WORK_US = 5 * 1000 * 1000, MOST_US = 10 };
    cudaStream_t s = apart();
    OK(launch_last(1, 32, WORK_US, s));
    int64_t begun = simgpu_now_ns();
    while (cudaStreamQuery(s) == cudaErrorNotReady)
        usleep(1000);
    int64_t took = simgpu_now_ns() - begun;
    OK(launch_last(1, 32, WORK_US, s));
    begun = simgpu_now_ns();
    OK(cudaStreamSynchronize(s));
    int64_t waited = simgpu_now_ns() - begun;
    cr_assert(llabs(took - waited) < MOST_US * 1000, "%lld ns and %lld ns", (long long)took,
              (long long)waited);
}

Test(engine, a_full_stream_holds_the_host_and_not_before)
{
    cudaStream_t s = apart();
    OK(launch_last(1, 32, 100000, s));
    int64_t before = simgpu_now_ns(), slowest = 0;
    int at = 0;
    for (int i = 1; i < 1100; i++) {
        OK(launch_last(1, 32, 0, s));
        int64_t now = simgpu_now_ns();
        if (now - before > slowest) {
            slowest = now - before;
            at = i;
        }
        before = now;
    }
    cr_assert_eq(at, 1022, "the call that had to wait was number %d", at);
    cr_assert_gt(slowest, 90 * 1000 * 1000);
}

/* ---- effects land when the operation ends ---------------------------------------------------- */

Test(engine, a_copy_out_that_does_not_wait_for_the_kernel_is_stale)
{
    cudaStream_t a = apart(), b = apart();
    int *at = zeros(sizeof *at), *host;
    OK(cudaMallocHost((void **)&host, sizeof *host));
    OK(cudaDeviceSynchronize());
    OK(launch_add(at, 2, a)); /* it is over long before the copy is */
    OK(cudaMemcpyAsync(host, at, sizeof *at, cudaMemcpyDeviceToHost, b));
    OK(cudaDeviceSynchronize());
    cr_assert_eq(*host, 0);
    const struct simgpu_finding f = only_finding();
    cr_assert_eq(f.kind, SIMGPU_RACE, "%s", finding_text(&f));
    OK(cudaMemcpyAsync(host, at, sizeof *at, cudaMemcpyDeviceToHost, b));
    OK(cudaDeviceSynchronize());
    cr_assert_eq(*host, 1);
}

Test(engine, a_kernel_that_does_not_wait_for_its_input_sees_poison)
{
    cudaStream_t a = apart(), b = apart();
    enum { WORDS = 1 << 18 };
    int *at, *host, poison;
    float same;
    OK(cudaMalloc((void **)&at, WORDS * sizeof *at));
    OK(cudaMemcpy(&poison, at, sizeof poison, cudaMemcpyDeviceToHost));
    memcpy(&same, &poison, sizeof same);
    cr_assert(poison < -1 && isnan(same), "fresh memory holds %d, as a float %g", poison, same);
    simgpu_findings_clear();
    OK(cudaMallocHost((void **)&host, WORDS * sizeof *host));
    *host = 41;
    OK(cudaMemcpyAsync(at, host, WORDS * sizeof *at, cudaMemcpyHostToDevice, a));
    OK(launch_add(at, 1000, b)); /* it ends long after the copy has */
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(host, at, sizeof *at, cudaMemcpyDeviceToHost));
    cr_assert_eq(*host, poison + 1, "one more than the poison is %d; seen %d", poison + 1, *host);
    cr_assert_geq(simgpu_findings(NULL, 0), 1);
}

Test(engine, the_same_with_an_event_is_right_and_without_findings)
{
    cudaStream_t a = apart(), b = apart();
    cudaEvent_t ready;
    int *at, *host;
    OK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    OK(cudaMalloc((void **)&at, sizeof *at));
    OK(cudaMallocHost((void **)&host, sizeof *host));
    *host = 41;
    OK(cudaMemcpyAsync(at, host, sizeof *at, cudaMemcpyHostToDevice, a));
    OK(cudaEventRecord(ready, a));
    OK(cudaStreamWaitEvent(b, ready, 0));
    OK(launch_add(at, 1000, b));
    OK(cudaStreamSynchronize(b));
    OK(cudaMemcpy(host, at, sizeof *at, cudaMemcpyDeviceToHost));
    cr_assert_eq(*host, 42);
    expect_findings(0);
}

Test(engine, a_host_that_does_not_wait_sees_the_old_result)
{
    cudaStream_t a = apart();
    int *at = zeros(sizeof *at), *host;
    OK(cudaMallocHost((void **)&host, sizeof *host));
    *host = -7;
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpyAsync(host, at, sizeof *at, cudaMemcpyDeviceToHost, a));
    cr_assert_eq(*host, -7);
    OK(cudaStreamSynchronize(a));
    cr_assert_eq(*host, 0);
}

Test(engine, host_code_cannot_touch_device_memory)
{
    if (access("/proc/cpuinfo", R_OK) != 0 || system("grep -qw ospke /proc/cpuinfo") != 0)
        cr_skip("this CPU has no protection keys");
    char *device;
    OK(cudaMalloc((void **)&device, 64));
    pid_t child = fork();
    if (child == 0) {
        close(STDERR_FILENO);
        device[0] = 1;
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    cr_assert_neq(status, 0, "it lived on"); /* SIGSEGV, or what a sanitizer makes of it */
}

/* ---- host functions -------------------------------------------------------------------------- */

static void post(void *semaphore)
{
    sem_post(semaphore);
}

Test(engine, a_program_may_wait_for_a_host_function_without_calling_cuda, .timeout = 20)
{
    cudaStream_t s = apart();
    sem_t done;
    sem_init(&done, 0, 0);
    OK(launch_last(1, 32, 50, s));
    OK(cudaLaunchHostFunc(s, post, &done));
    sem_wait(&done);
    OK(cudaStreamSynchronize(s));
}

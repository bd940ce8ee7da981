/* test_host_functions.c: races and virtual times do not depend on how long host functions, and the
 * host between its calls, take in real time. All delays are real time: they are what is tested. */
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

#include "kernels/kernels.h"
#include "sim_graphs.h"

enum { BYTES = 4096, DELAYS = 4 };

static const struct delay {
    unsigned function_us, host_us;
} delays[DELAYS] = {{0, 0}, {20000, 0}, {0, 5000}, {20000, 5000}};

static char *device;
static const struct delay *delay;

static void setup(void)
{
    setenv("SIMGPU_REPORT", "0", 1);
    OK(cudaMalloc((void **)&device, BYTES));
    OK(cudaDeviceSynchronize());
}

TestSuite(host_functions, .init = setup, .timeout = 60);

static void wait_us(unsigned us)
{
    if (us)
        usleep(us);
}

static void linger(void *unused)
{
    (void)unused;
    wait_us(delay->function_us);
}

static void nothing(void *unused)
{
    (void)unused;
}

static void CUDART_CB linger_callback(cudaStream_t s, cudaError_t status, void *unused)
{
    (void)s;
    (void)status;
    linger(unused);
}

static void enqueue_function(cudaStream_t s)
{
    OK(cudaLaunchHostFunc(s, linger, NULL));
}

static void enqueue_callback(cudaStream_t s)
{
    OK(cudaStreamAddCallback(s, linger_callback, NULL, 0));
}

static void enqueue_graph(cudaStream_t s)
{
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    enqueue_function(s);
    cudaGraph_t g = end_capture(s);
    cudaGraphExec_t x = new_exec(g);
    OK(cudaGraphLaunch(x, s));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphExecDestroy(x));
}

static void (*const enqueue[])(cudaStream_t s) = {enqueue_function, enqueue_callback,
                                                  enqueue_graph};
enum { WAYS = sizeof enqueue / sizeof enqueue[0] };

/* One stream writes, calls a host function that takes real time, is busy for `busy_us`, writes and
 * calls another host function. The host works for 1 ms; then another stream writes. Returns how
 * many races there are. */
static size_t races(float busy_us, void enqueue_lingering(cudaStream_t s), const struct delay *now)
{
    cudaStream_t s = stream(cudaStreamNonBlocking), other = stream(cudaStreamNonBlocking);
    simgpu_findings_clear();
    delay = now;
    enqueue_lingering(s);
    OK(launch_delay(busy_us, s));
    OK(cudaMemsetAsync(device, 1, BYTES, s));
    OK(cudaLaunchHostFunc(s, nothing, NULL));
    host_works_1_ms();
    wait_us(delay->host_us);
    OK(cudaMemsetAsync(device, 2, BYTES, other));
    const size_t found = simgpu_findings(NULL, 0);
    OK(cudaDeviceSynchronize());
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(other));
    return found;
}

/* The second host function has begun, so it may have told the host that it runs. */
Test(host_functions, work_before_one_that_has_begun_is_ordered_before_the_hosts_next_work)
{
    for (int way = 0; way < WAYS; way++)
        for (int i = 0; i < DELAYS; i++)
            cr_expect_eq(races(10, enqueue[way], &delays[i]), 0, "way %d, %u us and %u us", way,
                         delays[i].function_us, delays[i].host_us);
}

Test(host_functions, work_before_one_that_has_not_begun_races_with_the_hosts_next_work)
{
    for (int way = 0; way < WAYS; way++)
        for (int i = 0; i < DELAYS; i++)
            cr_expect_eq(races(5000, enqueue[way], &delays[i]), 1, "way %d, %u us and %u us", way,
                         delays[i].function_us, delays[i].host_us);
}

static sem_t go;

static void wait_for_go(void *unused)
{
    (void)unused;
    sem_wait(&go);
}

/* It waits for longer than the simulation waits for it, until the host lets it go on. */
static void enqueue_blocked(cudaStream_t s)
{
    sem_init(&go, 0, 0);
    OK(cudaLaunchHostFunc(s, wait_for_go, NULL));
    host_works_1_ms();
    sem_post(&go);
}

Test(host_functions, one_that_the_host_lets_go_on_ends_before_the_hosts_next_call)
{
    for (int i = 0; i < 5; i++)
        cr_expect_eq(races(10, enqueue_blocked, &delays[0]), 0);
}

/* Nanoseconds for work of one stream after an event that another stream records after a host
 * function; in between the host works for work_ns. */
static int64_t wait_ns(int64_t work_ns, const struct delay *now)
{
    cudaStream_t s = stream(cudaStreamNonBlocking), other = stream(cudaStreamNonBlocking);
    cudaEvent_t recorded;
    OK(cudaEventCreateWithFlags(&recorded, cudaEventDisableTiming));
    OK(cudaDeviceSynchronize());
    const int64_t from = simgpu_now_ns();
    delay = now;
    enqueue_function(s);
    OK(cudaEventRecord(recorded, s));
    simgpu_host_work_ns(work_ns);
    wait_us(delay->host_us);
    OK(cudaStreamWaitEvent(other, recorded, 0));
    OK(launch_delay(1, other));
    OK(cudaStreamSynchronize(other));
    const int64_t took = simgpu_now_ns() - from;
    OK(cudaDeviceSynchronize());
    OK(cudaEventDestroy(recorded));
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(other));
    return took;
}

Test(host_functions, virtual_times_do_not_depend_on_real_time)
{
    enum { LONGEST_NS = 12000, STEP_NS = 1000 }; /* around the end of the host function */
    for (int64_t work_ns = 0; work_ns <= LONGEST_NS; work_ns += STEP_NS) {
        const int64_t usual = wait_ns(work_ns, &delays[0]);
        for (int i = 1; i < DELAYS; i++) {
            const int64_t took = wait_ns(work_ns, &delays[i]);
            cr_expect_eq(took, usual, "%lld ns of work, %u us and %u us: %lld ns, not %lld ns",
                         (long long)work_ns, delays[i].function_us, delays[i].host_us,
                         (long long)took, (long long)usual);
        }
    }
}

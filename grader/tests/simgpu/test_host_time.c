/* test_host_time.c: what the host computes between two calls takes virtual time, if that is asked
 * for and it is more than an allowance. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim_test.h"

enum { ALLOWED_NS = 20000000, MUCH_NS = 60000000, LITTLE_NS = 100000 };

static int64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void compute(int64_t ns)
{
    const int64_t until = cpu_ns() + ns;
    while (cpu_ns() < until)
        ;
}

static void compute_much(void *unused)
{
    (void)unused;
    compute(MUCH_NS);
}

static void *memory;

/* The virtual time of calls, between the last two of which the host computes, or sleeps, while the
   device has nothing to do: with work of it, the simulation would go on while the program sleeps.
 */
static int64_t calls_ns(int64_t compute_ns, unsigned sleep_us)
{
    const int64_t from = simgpu_now_ns();
    OK(cudaMemsetAsync(memory, 0, 256, 0));
    OK(cudaStreamSynchronize(0));
    compute(compute_ns);
    usleep(sleep_us);
    OK(cudaStreamSynchronize(0));
    return simgpu_now_ns() - from;
}

static void begin(void)
{
    OK(cudaMalloc(&memory, 256));
    calls_ns(0, 0);
}

static void end(void)
{
    simgpu_count_computing(-1);
    OK(cudaFree(memory));
}

TestSuite(host_time, .init = begin, .fini = end);

Test(host_time, nobody_counts_unless_asked)
{
    const int64_t usual = calls_ns(0, 0);
    cr_expect_eq(calls_ns(MUCH_NS, 0), usual);
    simgpu_count_computing(ALLOWED_NS);
    simgpu_count_computing(-1);
    cr_expect_eq(calls_ns(MUCH_NS, 0), usual);
}

Test(host_time, a_little_changes_nothing)
{
    const int64_t usual = calls_ns(0, 0);
    simgpu_count_computing(ALLOWED_NS);
    for (int i = 0; i < 10; i++)
        cr_expect_eq(calls_ns(LITTLE_NS, 0), usual);
}

Test(host_time, waiting_changes_nothing)
{
    const unsigned sleep_us = 2 * ALLOWED_NS / 1000;
    const int64_t usual = calls_ns(0, sleep_us);
    simgpu_count_computing(ALLOWED_NS);
    const int64_t counted = calls_ns(0, sleep_us);
    cr_expect_eq(counted, usual, "%lld and %lld ns", (long long)counted, (long long)usual);
}

Test(host_time, what_is_beyond_the_allowance_counts)
{
    simgpu_count_computing(ALLOWED_NS);
    cr_expect_geq(calls_ns(MUCH_NS, 0), MUCH_NS - ALLOWED_NS);
    cr_expect_geq(calls_ns(MUCH_NS, 0), MUCH_NS, "it is allowed once");
}

Test(host_time, what_is_declared_free_does_not_count)
{
    const int64_t usual = calls_ns(0, 0);
    simgpu_count_computing(ALLOWED_NS);
    cr_expect_geq(calls_ns(MUCH_NS, 0), MUCH_NS - ALLOWED_NS);
    simgpu_free_computing(1);
    cr_expect_eq(calls_ns(MUCH_NS, 0), usual);
    simgpu_free_computing(0);
    cr_expect_geq(calls_ns(MUCH_NS, 0), MUCH_NS);
}

Test(host_time, many_pieces_count_together)
{
    int64_t all = 0;
    simgpu_count_computing(ALLOWED_NS);
    for (int i = 0; i < 10; i++)
        all += calls_ns(MUCH_NS / 10, 0);
    cr_expect_geq(all, MUCH_NS - ALLOWED_NS);
}

/* Between calls that take 28.9 us each the host computes for 10: three times the allowance. */
Test(host_time, what_is_less_than_its_calls_take_changes_nothing)
{
    enum { CALLS = 6000, SHORT_NS = 10000 };
    int64_t took_ns[2];
    for (int counts = 0; counts < 2; counts++) {
        const int64_t from = simgpu_now_ns();
        if (counts)
            simgpu_count_computing(ALLOWED_NS);
        for (int i = 0; i < CALLS / 2; i++) {
            void *p;
            OK(cudaMalloc(&p, 256));
            compute(counts ? SHORT_NS : 0);
            OK(cudaFree(p));
            compute(counts ? SHORT_NS : 0);
        }
        took_ns[counts] = simgpu_now_ns() - from;
    }
    cr_expect_eq(took_ns[1], took_ns[0]);
}

Test(host_time, the_trace_shows_it)
{
    struct simgpu_trace_row *rows;
    int64_t shown = 0;
    simgpu_count_computing(ALLOWED_NS);
    simgpu_trace_begin();
    calls_ns(MUCH_NS, 0);
    const size_t n = simgpu_trace_end(&rows);
    for (size_t i = 0; i < n; i++)
        if (strcmp(rows[i].name, "computing") == 0 && strcmp(rows[i].engine, "api") == 0)
            shown += rows[i].end_ns - rows[i].start_ns;
    free(rows);
    cr_expect_geq(shown, MUCH_NS - ALLOWED_NS);
}

Test(host_time, host_functions_count)
{
    simgpu_count_computing(ALLOWED_NS);
    const int64_t from = simgpu_now_ns();
    OK(cudaLaunchHostFunc(0, compute_much, NULL));
    OK(cudaStreamSynchronize(0));
    cr_expect_geq(simgpu_now_ns() - from, MUCH_NS - ALLOWED_NS);
}

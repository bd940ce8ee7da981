/* test_exec.c: kernels on the CPU. Threads, barriers, warps, atomics, what becomes of a kernel that
 * goes wrong. Looks inside the simulated device (exec.h); its device code is exec_kernels.cu. */
#include <criterion/criterion.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/simgpu/kernel/worker.h"
#include "common/simgpu/memory/memory.h"
#include "exec_kernels.h"
#include "stderr_text.h"

enum { GUARD = 12345 };

static const char *why;

/* Runs a kernel of exec_kernels.cu now. */
static bool run_grid(const char *name, struct simgpu_dim grid, struct simgpu_dim block,
                     size_t shared, void **params)
{
    const struct simgpu_kernel *kernel = kernel_find(test_kernel(name));
    cr_assert_not_null(kernel, "kernel %s is not declared", name);
    struct simgpu_launch launch = {grid, block, shared};
    why = NULL;
    return grid_run(kernel, &launch, params, NULL, &(struct grid_steps){0}, &why);
}

static bool run(const char *name, unsigned blocks, unsigned threads, void **params)
{
    return run_grid(name, (struct simgpu_dim){blocks, 1, 1}, (struct simgpu_dim){threads, 1, 1}, 0,
                    params);
}

#define ARGS(...) ((void *[]){__VA_ARGS__})

/* ---- threads and blocks ---------------------------------------------------------------------- */

Test(exec_threads, every_thread_of_every_block_runs_once)
{
    struct simgpu_dim grids[] = {{1, 1, 1}, {7, 1, 1}, {3, 5, 2}, {300, 3, 1}};
    struct simgpu_dim blocks[] = {{1, 1, 1}, {33, 1, 1}, {8, 4, 3}, {1024, 1, 1}, {1, 1, 64}};
    for (size_t g = 0; g < sizeof grids / sizeof grids[0]; g++) {
        for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++) {
            size_t n = (size_t)grids[g].x * grids[g].y * grids[g].z * blocks[b].x * blocks[b].y *
                       blocks[b].z;
            int *visits = calloc(n + 1, sizeof *visits);
            visits[n] = GUARD;
            cr_assert(run_grid("count_visits", grids[g], blocks[b], 0, ARGS(&visits)));
            for (size_t i = 0; i < n; i++)
                cr_assert_eq(visits[i], 1, "grid %zu, block %zu: thread %zu ran %d times", g, b, i,
                             visits[i]);
            cr_assert_eq(visits[n], GUARD);
            free(visits);
        }
    }
}

Test(exec_threads, without_barriers_all_threads_use_one_stack)
{
    setenv("SIMGPU_WORKERS", "1", 1); /* on a busy machine others would take some of the blocks */
    static const void *where[4 * 1024];
    const void **p = where;
    cr_assert(run("where_is_my_stack", 4, 1024, ARGS(&p)));
    for (int i = 1; i < 4 * 1024; i++)
        cr_assert_eq(where[i], where[0]);
    cr_assert_eq(worker_self()->n_mappings, 1);
}

Test(exec_threads, run_in_order_on_one_worker)
{
    setenv("SIMGPU_WORKERS", "1", 1);
    static int order[1000], next;
    int *o = order, *n = &next;
    cr_assert(run("order_of_threads", 10, 100, ARGS(&o, &n)));
    for (int i = 0; i < 1000; i++)
        cr_assert_eq(order[i], i);
}

/* ---- barriers -------------------------------------------------------------------------------- */

Test(exec_barriers, what_was_written_before_is_read_after)
{
    static const struct simgpu_dim shapes[] = {{1, 1, 1},  {31, 1, 1}, {32, 1, 1},
                                               {33, 1, 1}, {16, 8, 2}, {1024, 1, 1}};
    static int values[3 * 1024];
    int *p = values;
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        int n = (int)(shapes[s].x * shapes[s].y * shapes[s].z);
        for (int i = 0; i < 3 * n; i++)
            values[i] = i;
        cr_assert(run_grid("reverse", (struct simgpu_dim){3, 1, 1}, shapes[s], 0, ARGS(&p)));
        for (int i = 0; i < 3 * n; i++)
            cr_assert_eq(values[i], i / n * n + n - 1 - i % n, "shape %zu, thread %d", s, i);
    }
}

Test(exec_barriers, thousands_in_a_row)
{
    static unsigned values[96], expected[96], before[96];
    unsigned *p = values;
    int rounds = 3000;
    for (unsigned i = 0; i < 96; i++)
        values[i] = expected[i] = i * i + 1;
    cr_assert(run("many_rounds", 1, 96, ARGS(&p, &rounds)));
    for (int r = 0; r < rounds; r++) {
        memcpy(before, expected, sizeof before);
        for (int i = 0; i < 96; i++)
            expected[i] = before[i] + before[(i + 95) % 96];
    }
    cr_assert_arr_eq(values, expected, sizeof values);
}

Test(exec_barriers, threads_that_have_left_are_not_waited_for)
{
    static int left[256];
    int *p = left;
    cr_assert(run("leave_one_by_one", 1, 256, ARGS(&p)), "%s", why);
    for (int i = 0; i < 256; i++)
        cr_assert_eq(left[i], 256 - i, "round %d: %d threads at the barrier", i, left[i]);
}

Test(exec_barriers, count_and_or)
{
    static int out[100 * 5];
    int *p = out;
    cr_assert(run("votes_of_a_block", 1, 100, ARGS(&p)));
    for (int i = 0; i < 100; i++) {
        int expected[5] = {50, 0, 1, 1, 0};
        cr_assert_arr_eq(out + 5 * i, expected, sizeof expected, "thread %d", i);
    }
}

/* ---- shared memory --------------------------------------------------------------------------- */

Test(exec_shared, dynamic_is_as_large_as_asked_aligned_and_undefined_at_first)
{
    for (int n = 1; n <= 50000; n = n * 7 + 1) {
        float out[2 * 3 + 1] = {0};
        float *p = out;
        cr_assert(run_grid("dynamic_shared", (struct simgpu_dim){3, 1, 1},
                           (struct simgpu_dim){64, 1, 1}, (size_t)n * sizeof(float), ARGS(&p, &n)));
        float sum = 0;
        for (int i = 0; i < n; i++)
            sum += (float)i;
        for (int b = 0; b < 3; b++) {
            cr_assert_eq(out[2 * b], sum);
            cr_assert_eq(out[2 * b + 1], 0.0f, "not aligned to 128 bytes");
        }
        cr_assert_eq(out[6], 3.0f * (float)n, "%g of %d words were NaN at first", (double)out[6],
                     3 * n);
    }
}

/* ---- warps ----------------------------------------------------------------------------------- */

static int or_own(int me, int source, bool inside)
{
    return 100 + (inside ? source : me);
}

Test(exec_warps, shuffles_within_sections)
{
    static int out[64 * 4];
    int *p = out;
    for (int width = 2; width <= 32; width *= 2) {
        cr_assert(run("shuffles", 1, 64, ARGS(&p, &width)));
        for (int t = 0; t < 64; t++) {
            int warp = t / 32 * 32, me = t % 32, first = me / width * width, end = first + width;
            const int *mine = out + 4 * t;
            cr_assert_eq(mine[0], 100 + warp + first + 3 % width, "width %d, thread %d", width, t);
            cr_assert_eq(mine[1], warp + or_own(me, me - 2, me - 2 >= first),
                         "up, width %d, thread %d", width, t);
            cr_assert_eq(mine[2], warp + or_own(me, me + 2, me + 2 < end),
                         "down, width %d, thread %d", width, t);
            cr_assert_eq(mine[3], warp + or_own(me, me ^ 5, (me ^ 5) < end),
                         "xor, width %d, thread %d", width, t);
        }
    }
}

Test(exec_warps, shuffles_move_eight_bytes)
{
    double values[32], sum = 0;
    double *p = values;
    for (int i = 0; i < 32; i++)
        sum += values[i] = 1.0 / (1 << (i % 20)) + i;
    cr_assert(run("shuffle_doubles", 1, 32, ARGS(&p)));
    for (int i = 0; i < 32; i++)
        cr_assert_float_eq(values[i], sum, 1e-9);
}

Test(exec_warps, a_lane_that_is_not_there_gives_nan)
{
    float out[20];
    float *p = out;
    cr_assert(run("shuffle_from_absent", 1, 20, ARGS(&p)));
    for (int i = 0; i < 20; i++)
        cr_assert_eq(isnan(out[i]) != 0, i + 4 >= 20, "lane %d got %g", i, (double)out[i]);
}

Test(exec_warps, two_halves_go_their_own_ways)
{
    int out[32];
    int *p = out;
    cr_assert(run("halves", 1, 32, ARGS(&p)), "%s", why);
    for (int i = 0; i < 32; i++)
        cr_assert_eq(out[i], i < 16 ? 120 : 31 + 8, "lane %d has %d", i, out[i]);
}

Test(exec_warps, votes_matches_and_sums)
{
    static unsigned out[40 * 10];
    unsigned *p = out;
    cr_assert(run("warp_votes", 1, 40, ARGS(&p)), "%s", why);
    for (unsigned t = 0; t < 32; t++) {
        const unsigned expected[10] = {
            0x49249249u, 1, 1, 0, 0xffu << t / 8 * 8, 0xffffffffu, 496, (unsigned)-21, 15, 0};
        for (int i = 0; i < 10; i++)
            cr_assert_eq(out[10 * t + (unsigned)i], expected[i], "lane %u, vote %d: %#x", t, i,
                         out[10 * t + (unsigned)i]);
    }
    for (unsigned t = 32; t < 40; t++) { /* the second warp has eight lanes: threads 32 to 39 */
        const unsigned expected[10] = {0x92u,         0,  0, 1, 0xff, 0xffffffffu, 284,
                                       (unsigned)-29, 15, 0};
        for (int i = 0; i < 10; i++)
            cr_assert_eq(out[10 * t + (unsigned)i], expected[i], "thread %u, vote %d: %#x", t, i,
                         out[10 * t + (unsigned)i]);
    }
}

Test(exec_warps, activemask_names_the_lanes_of_a_branch)
{
    static unsigned out[64];
    unsigned *p = out;
    cr_assert(run("active_lanes", 1, 32, ARGS(&p)), "%s", why);
    for (unsigned t = 0; t < 32; t++) {
        cr_assert_eq(out[t], 0xffffffffu);
        unsigned branch = t % 4 == 1 ? 0x22222222u : t % 4 == 2 ? ~0x44444444u : 0;
        cr_assert_eq(out[32 + t], branch, "lane %u: %#x", t, out[32 + t]);
    }
}

/* ---- atomics and workers --------------------------------------------------------------------- */

struct totals {
    int sum, least, most, ands, ors, xors, subtracted;
    unsigned around, down;
    unsigned long long wide;
    float floats;
    double doubles;
    int by_cas;
};

static void atomics_with(const char *workers)
{
    setenv("SIMGPU_WORKERS", workers, 1);
    enum { BLOCKS = 4000, THREADS = 64, N = BLOCKS * THREADS };
    struct totals t = {.least = 1 << 30, .ands = -1};
    struct totals *p = &t;
    cr_assert(run("atomics", BLOCKS, THREADS, ARGS(&p)));
    int xors = 0;
    for (int i = 0; i < N; i++)
        xors ^= i;
    cr_assert_eq((unsigned)t.sum, (unsigned)((long long)N * (N - 1) / 2));
    cr_assert_eq(t.subtracted, -N);
    cr_assert(t.least == 0 && t.most == N - 1);
    cr_assert(t.ands == ~0xff && t.ors == 0xff && t.xors == xors);
    cr_assert_eq(t.around, N % 7);
    cr_assert_eq(t.down, (7 - N % 7) % 7);
    cr_assert_eq(t.wide, (unsigned long long)N << 32);
    cr_assert(t.floats == (float)N && t.doubles == 0.5 * N);
    cr_assert_eq(t.by_cas, 2 * N);
}

Test(exec_workers, atomics_hold_on_one_worker)
{
    atomics_with("1");
}

Test(exec_workers, atomics_hold_on_four_workers)
{
    atomics_with("4");
}

static double long_result(int threads)
{
    enum { BLOCKS = 600 };
    int steps = 200;
    double *out = calloc((size_t)BLOCKS * (size_t)threads, sizeof *out), sum = 0;
    cr_assert(run("long_grid", BLOCKS, (unsigned)threads, ARGS(&out, &steps)));
    for (int i = 0; i < BLOCKS * threads; i++)
        sum += out[i] * (i % 7 + 1);
    free(out);
    return sum;
}

static double expected_long_result(int threads)
{
    double sum = 0;
    for (int b = 0; b < 600; b++) {
        double last = 0;
        for (int t = threads - 1; t >= 0; t--) {
            double x = 0.3 + 1e-6 * (unsigned)(b * threads + t);
            for (int s = 0; s < 200; s++)
                x = 3.7 * x * (1.0 - x);
            last = t == threads - 1 ? x : last;
            sum += (x + last) * ((b * threads + t) % 7 + 1);
        }
    }
    return sum;
}

Test(exec_workers, results_do_not_depend_on_how_many)
{
    setenv("SIMGPU_WORKERS", "3", 1);
    for (int again = 0; again < 20; again++)
        cr_assert_float_eq(long_result(64), expected_long_result(64), 1e-6);
}

Test(exec_workers, a_bad_number_is_named)
{
    setenv("SIMGPU_WORKERS", "many", 1);
    stderr_capture();
    cr_assert_geq(pool_workers(), 1);
    cr_assert_not_null(strstr(stderr_text(), "SIMGPU_WORKERS=many is not a number from 1 to 16"),
                       "%s", stderr_text());
}

/* ---- clocks ---------------------------------------------------------------------------------- */

Test(exec_clocks, go_on_from_the_grids_start)
{
    long long out[4];
    long long *p = out;
    sim.profile.clock_khz = 1980000;
    grid_set_clock(5000000);
    cr_assert(run("clocks", 1, 1, ARGS(&p)));
    cr_assert_geq(out[0], 5000000);
    cr_assert_gt(out[1], out[0]);
    long long ticks = 2 * SIMGPU_CLOCK_STEP_NS * 198 / 100;
    cr_assert(out[2] == ticks || out[2] == ticks + 1, "%lld ticks for two readings", out[2]);
    cr_assert_gt(out[3] - out[0], 1000000, "a loop may end only after the time it waits for");
    cr_assert_lt(out[3] - out[0], 1001000);
}

Test(exec_clocks, nanosleep_lets_the_others_run)
{
    int flag = 0, seen = 0;
    int *f = &flag, *s = &seen;
    cr_assert(run("wait_for_the_last", 1, 200, ARGS(&f, &s)), "%s", why);
    cr_assert_eq(seen, 200);
}

/* ---- what goes wrong ------------------------------------------------------------------------- */

static void expect_failure(bool ran, cudaError_t code, const char *words)
{
    cr_assert_not(ran);
    cr_assert_eq(grid_failure(), code, "%s: code %d", why, grid_failure());
    cr_assert_not_null(strstr(why, words), "\"%s\" does not say \"%s\"", why, words);
}

static void expect_all_is_well(void)
{
    int values[64];
    int *p = values;
    for (int i = 0; i < 64; i++)
        values[i] = i;
    cr_assert(run("reverse", 1, 64, ARGS(&p)), "the next grid fails: %s", why);
    cr_assert_eq(values[0], 63);
}

Test(exec_failures, a_deadlock_is_reported)
{
    for (int again = 0; again < 3; again++) {
        expect_failure(
            run("barrier_against_warp", 2, 64, ARGS(NULL)), cudaErrorLaunchTimeout,
            "block (0,0,0): the threads wait for each other forever: 1 of 64 wait in "
            "__syncthreads(), and "
            "31 lane(s) of warp 0 wait in __syncwarp with the mask 0xffffffff for lane 5");
        expect_all_is_well();
    }
}

Test(exec_failures, a_mask_must_name_its_caller)
{
    expect_failure(run("mask_without_me", 1, 32, ARGS(NULL)), cudaErrorLaunchFailure,
                   "mask 0x0000fffe");
    expect_all_is_well();
}

Test(exec_failures, assert_says_where_in_the_first_block_that_fails)
{
    setenv("SIMGPU_WORKERS", "4", 1);
    for (unsigned block = 0; block < 4000; block += 400) {
        expect_failure(run("assert_from", 5000, 64, ARGS(&block)), cudaErrorAssert,
                       "exec_kernels.cu");
        char first[64];
        snprintf(first, sizeof first, "block (%u,0,0): thread (3,0,0): ", block);
        cr_assert_eq(strncmp(why, first, strlen(first)), 0, "%s", why);
        expect_all_is_well();
    }
}

Test(exec_failures, trap)
{
    expect_failure(run("trap", 1, 1, ARGS(NULL)), cudaErrorLaunchFailure, "__trap()");
    expect_all_is_well();
}

Test(exec_failures, a_call_for_the_host)
{
    expect_failure(run("host_call", 1, 1, ARGS(NULL)), cudaErrorLaunchFailure,
                   "called cudaDeviceSynchronize");
    expect_all_is_well();
}

Test(exec_failures, a_wild_pointer_ends_the_grid_and_not_the_program)
{
    if (FIBER_SANITIZED)
        cr_skip_test("the sanitizer reports it");
    int *wild = (int *)16;
    for (int again = 0; again < 3; again++) {
        expect_failure(run("write_to", 1, 32, ARGS(&wild)), cudaErrorIllegalAddress,
                       "thread (9,0,0) accesses address 0x10");
        expect_all_is_well();
    }
}

Test(exec_failures, a_stack_that_overflows_is_named)
{
    if (FIBER_SANITIZED)
        cr_skip_test("the sanitizer reports it");
    int out, *p = &out;
    expect_failure(run("recurse", 1, 1, ARGS(&p)), cudaErrorLaunchFailure, "KB of stack");
    expect_all_is_well();
}

Test(exec_failures, an_integer_divided_by_zero)
{
    if (FIBER_SANITIZED)
        cr_skip_test("the sanitizer reports it");
#if defined(__aarch64__)
    cr_skip_test("on 64-bit Arm the result is 0, and nothing tells");
#endif
    int out, zero = 0, *p = &out;
    expect_failure(run("divide", 1, 1, ARGS(&p, &zero)), cudaErrorLaunchFailure,
                   "divides an integer by zero");
    expect_all_is_well();
}

Test(exec_failures, a_fault_of_the_host_is_still_its_own, .signal = SIGSEGV)
{
    if (FIBER_SANITIZED)
        signal(SIGSEGV, SIG_DFL); /* it is the sanitizer's there */
    expect_all_is_well();         /* the handlers are there now */
    int *volatile wild = (int *)16;
    *wild = 1;
}

/* ---- finding kernels ------------------------------------------------------------------------- */

Test(exec_register, variables_compiled_by_gcc)
{
    const float weights[3] = {1, 2, 3};
    float sum, *p = &sum;
    void *at;
    size_t bytes;
    cr_assert(variable_find(test_variable(), 0, &at, &bytes));
    cr_assert_eq(bytes, sizeof weights);
    memcpy(at, weights, bytes);
    cr_assert(run("weigh", 1, 1, ARGS(&p)));
    cr_assert_eq(sum, 321.0f);
}

/* ---- programmatic dependent launch ----------------------------------------------------------- */

Test(exec_dependencies, threads_stop_where_they_wait_and_their_block_with_them)
{
    enum { BLOCKS = 5, THREADS = 70 };
    struct simgpu_launch launch = {{BLOCKS, 1, 1}, {THREADS, 1, 1}, 0};
    const struct simgpu_kernel *kernel = kernel_find(test_kernel("wait_for_grids"));
    for (int each = 0; each < 2; each++)
        for (int until_wait = 0; until_wait < 2; until_wait++) {
            int counts[2][BLOCKS * THREADS] = {{0}};
            int *before = counts[0], *after = counts[1];
            struct grid_steps steps = {.until_wait = until_wait};
            cr_assert(grid_run(kernel, &launch, ARGS(&before, &after, &each), NULL, &steps, &why));
            cr_assert(steps.waits);
            for (int i = 0; i < BLOCKS * THREADS; i++) {
                cr_assert_eq(before[i], 1, "thread %d, each %d", i, each);
                cr_assert_eq(after[i], !until_wait, "thread %d, each %d", i, each);
            }
        }
}

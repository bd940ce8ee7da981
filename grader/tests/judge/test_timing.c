/*
 * test_timing.c: what the judge decides by times: the interval of a ratio, decisions by pairs of
 * processes, and the lock of gradings that share a GPU.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge/decide.h"
#include "judge/gpu_lock.h"

/* ---- ratios of processes --------------------------------------------------------------------- */

/* The critical values of Mann and Whitney's table (two-sided, 0.01): U <= 7 for 8 and 8, <= 2 for 6
 * and 6, none for 4 and 4. */
Test(ratio, ranks_are_those_of_mann_and_whitney)
{
    double a[8], b[8];
    for (int i = 0; i < 8; i++) {
        a[i] = pow(2, i);
        b[i] = pow(256, -i);
    }
    /* all ratios differ: 2^(i + 8 k), so the bounds tell their rank */
    struct interval r = interval_of_ratio(a, b, 8, 0.99);
    cr_expect(r.low == pow(2, 7) && r.high == pow(2, 63 - 7), "%g %g", r.low, r.high);
    cr_expect(isinf(interval_of_ratio(a, b, 4, 0.99).low));
    r = interval_of_ratio(a, b, 6, 0.99); /* in order: 2^0 … 2^5, 2^8 … */
    cr_expect(r.low == 4, "%g", r.low);
}

/* Uniform in [0, 1), the same in every run of the tests. */
static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

Test(ratio, covers_the_ratio_as_often_as_it_says)
{
    enum { TRIES = 5000, N = 8 };
    uint64_t state = 11;
    int missed = 0;
    for (int t = 0; t < TRIES; t++) {
        double a[N], b[N];
        for (int i = 0; i < N; i++) {
            a[i] = 3 * exp(pow(uniform(&state), 4));
            b[i] = exp(pow(uniform(&state), 4));
        }
        struct interval r = interval_of_ratio(a, b, N, 0.99);
        missed += r.low > 3 || r.high < 3;
    }
    cr_expect_lt(missed, TRIES / 100);
}

/* ---- decisions by processes ------------------------------------------------------------------ */

/* A submission against its reference. */
struct contest {
    double slower;      /* it takes so many times the reference's time */
    double moody, mood; /* this share of all processes takes `mood` times as long, for its life */
    double noise;       /* of medians: up to this share more */
};

static double process_us(const struct contest *c, double us, uint64_t *state)
{
    double mood = uniform(state) < c->moody ? c->mood : 1;
    return us * mood * (1 + c->noise * uniform(state));
}

/* As pairs.c does it; the number of pairs in *n. */
static enum decision contest(const struct contest *c, double at_most, uint64_t *state, int *n)
{
    struct decide_times t = {.n = 0};
    enum decision d = DECISION_OPEN;
    while (d == DECISION_OPEN && t.n < DECIDE_MOST) {
        t.submission_us[t.n] = process_us(c, c->slower, state);
        t.reference_us[t.n] = process_us(c, 1, state);
        const double ratio = t.submission_us[t.n] / t.reference_us[t.n];
        if (t.n++ == 0)
            t.first = (struct interval){ratio, ratio, ratio};
        d = decide(&t, at_most);
    }
    *n = t.n;
    return d;
}

/* How many of so many contests end so, and the fewest pairs in one of those. */
static int count(const struct contest *c, double at_most, enum decision wanted, int *fewest)
{
    enum { CONTESTS = 20000 };
    uint64_t state = 5;
    int n, found = 0;
    *fewest = DECIDE_MOST + 1;
    for (int i = 0; i < CONTESTS; i++)
        if (contest(c, at_most, &state, &n) == wanted) {
            found++;
            *fewest = n < *fewest ? n : *fewest;
        }
    return found;
}

Test(decide, equal_programs_never_fail_though_a_process_in_four_is_slower)
{
    static const double limits[] = {1.03, 1.10, 1.12, 1.20};
    const struct contest c = {.slower = 1, .moody = 0.25, .mood = 1.25, .noise = 0.01};
    int fewest;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        cr_expect_eq(count(&c, limits[i], DECISION_OVER, &fewest), 0, "%g", limits[i]);
        cr_expect_gt(count(&c, limits[i], DECISION_WITHIN, &fewest), 19000, "%g", limits[i]);
    }
}

Test(decide, a_slower_program_fails_after_three_fresh_pairs_and_not_earlier)
{
    static const double slower[] = {1.15, 1.25, 1.5, 4};
    int fewest;
    for (size_t i = 0; i < sizeof slower / sizeof slower[0]; i++) {
        const struct contest c = {.slower = slower[i], .noise = 0.01};
        cr_expect_eq(count(&c, 1.10, DECISION_OVER, &fewest), 20000, "%g", slower[i]);
        cr_expect_eq(fewest, slower[i] > 1.10 * 1.25 ? 4 : 8, "%d", fewest);
    }
    const struct contest moody = {.slower = 1.5, .moody = 0.25, .mood = 1.25, .noise = 0.01};
    cr_expect_eq(count(&moody, 1.10, DECISION_OVER, &fewest), 20000);
    cr_expect_geq(fewest, 4);
}

Test(decide, passing_is_quick_when_nothing_is_near_the_limit)
{
    const struct contest c = {.slower = 1, .noise = 0.01};
    uint64_t state = 1;
    int n;
    cr_expect_eq(contest(&c, 1.10, &state, &n), DECISION_WITHIN);
    cr_expect_eq(n, 1);
    cr_expect_eq(contest(&c, 1.01, &state, &n), DECISION_WITHIN);
    cr_expect_geq(n, 4);
}

Test(decide, a_spread_across_the_limit_stays_open)
{
    struct decide_times t = {.n = DECIDE_MOST};
    for (int i = 0; i < DECIDE_MOST; i++) {
        t.submission_us[i] = i % 2 ? 1.2 : 1.0;
        t.reference_us[i] = 1;
    }
    t.first = (struct interval){1.2, 1.2, 1.2};
    cr_expect_eq(decide(&t, 1.1), DECISION_OPEN);
}

/* ---- gradings that share a GPU ----------------------------------------------------------------
 */

static char folder[] = "/tmp/gpu-lock-XXXXXX";

/* A process that holds the lock until its pipe is closed. */
static pid_t hold(enum gpu_lock how, int *release)
{
    int ready[2], end[2];
    char byte;
    cr_assert(pipe(ready) == 0 && pipe(end) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(end[1]);
        bool locked = gpu_lock(folder, "GPU-1", how, 5);
        if (write(ready[1], "x", 1) == 1 && read(end[0], &byte, 1) == 0)
            _exit(locked ? 0 : 1);
        _exit(2);
    }
    close(end[0]);
    close(ready[1]);
    cr_assert(read(ready[0], &byte, 1) == 1);
    close(ready[0]);
    *release = end[1];
    return pid;
}

static void let_go(pid_t pid, int release)
{
    int status;
    close(release);
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_expect_eq(status, 0);
}

static void make_folder(void)
{
    cr_assert(mkdtemp(folder));
}

static void remove_folder(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_expect_eq(system(command), 0);
}

TestSuite(gpu_lock, .init = make_folder, .fini = remove_folder);

Test(gpu_lock, many_share_it_and_none_has_it_alone_then)
{
    int release;
    pid_t other = hold(GPU_SHARED, &release);
    cr_expect(gpu_lock(folder, "GPU-1", GPU_SHARED, 0.1));
    cr_expect_not(gpu_lock(folder, "GPU-1", GPU_ALONE, 0.1));
    let_go(other, release);
    cr_expect(gpu_lock(folder, "GPU-1", GPU_ALONE, 0.1));
}

Test(gpu_lock, nobody_shares_what_one_has_alone)
{
    int release;
    pid_t other = hold(GPU_ALONE, &release);
    cr_expect_not(gpu_lock(folder, "GPU-1", GPU_SHARED, 0.1));
    let_go(other, release);
    cr_expect(gpu_lock(folder, "GPU-1", GPU_SHARED, 0.1));
}

Test(gpu_lock, who_wants_it_alone_comes_before_those_who_ask_later)
{
    int release;
    pid_t sharer = hold(GPU_SHARED, &release), waiter = fork();
    if (waiter == 0)
        _exit(close(release) == 0 && gpu_lock(folder, "GPU-1", GPU_ALONE, 5) ? 0 : 1);
    usleep(100000);
    cr_expect_not(gpu_lock(folder, "GPU-1", GPU_SHARED, 0.1), "the waiter was overtaken");
    let_go(sharer, release);
    int status;
    waitpid(waiter, &status, 0);
    cr_expect_eq(status, 0);
}

Test(gpu_lock, a_folder_that_nobody_can_write_locks_nothing)
{
    cr_expect_not(gpu_lock("/nowhere", "GPU-1", GPU_SHARED, 0.1));
}

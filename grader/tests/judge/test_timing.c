/* test_timing.c: what the judge decides by times: decisions by pairs of processes, and the lock of
 * gradings that share a GPU. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge/decide.h"
#include "judge/gpu_lock.h"

/* ---- decisions by processes ------------------------------------------------------------------ */

/* Uniform in [0, 1), the same in every run of the tests. */
static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* A submission against its reference. */
struct contest {
    double slower;      /* it takes so many times the reference's time */
    double moody, mood; /* this share of all processes takes `mood` times as long, for its life */
    double noise;       /* of medians: up to this share more */
};

static double process_us(const struct contest *c, double us, uint64_t *state)
{
    return us * (uniform(state) < c->moody ? c->mood : 1);
}

/* As pairs.c does it; the number of pairs in *n. */
static enum decision contest(const struct contest *c, double at_most, uint64_t *state, int *n)
{
    struct decide_times t = {.n = 0};
    enum decision d = DECISION_OPEN;
    while (d == DECISION_OPEN && t.n < DECIDE_MOST) {
        const int i = t.n++;
        t.submission_us[i] =
            i > 0 && i < DECIDE_QUICK ? t.submission_us[i - 1] : process_us(c, c->slower, state);
        t.reference_us[i] = process_us(c, 1, state);
        const double ratio = t.submission_us[i] / t.reference_us[i] *
                             (1 + c->noise * (uniform(state) - uniform(state)));
        t.pair[i] = (struct interval){ratio, ratio, ratio};
        d = decide(&t, at_most);
    }
    *n = t.n;
    return d;
}

/* What came of many contests. */
struct outcome {
    double within, over, open; /* shares */
    double pairs;              /* on average */
    int fewest_over;           /* pairs before a failure */
};

static struct outcome repeat(const struct contest *c, double at_most)
{
    enum { CONTESTS = 20000 };
    struct outcome o = {.fewest_over = DECIDE_MOST + 1};
    uint64_t state = 5;
    for (int i = 0; i < CONTESTS; i++) {
        int n;
        const enum decision d = contest(c, at_most, &state, &n);
        o.within += d == DECISION_WITHIN ? 1.0 / CONTESTS : 0;
        o.over += d == DECISION_OVER ? 1.0 / CONTESTS : 0;
        o.open += d == DECISION_OPEN ? 1.0 / CONTESTS : 0;
        o.pairs += (double)n / CONTESTS;
        if (d == DECISION_OVER && n < o.fewest_over)
            o.fewest_over = n;
    }
    return o;
}

static const double limit = 1.10;

/* Pairs of processes on one CPU differed by up to 5 % on an H200. The second model adds what was
 * seen on CPUs of their own. */
static const struct contest models[] = {{.noise = 0.05},
                                        {.noise = 0.05, .moody = 0.1, .mood = 1.25}};

Test(decide, equal_programs_never_fail)
{
    static const double limits[] = {1.03, 1.10, 1.12, 1.20};
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++)
        for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
            struct contest c = models[m];
            c.slower = 1;
            const struct outcome o = repeat(&c, limits[i]);
            cr_expect_eq(o.over, 0, "%zu %g: %g", m, limits[i], o.over);
            cr_expect_gt(o.within, 0.95, "%zu %g: %g", m, limits[i], o.within);
        }
}

Test(decide, a_slower_program_fails_after_three_fresh_pairs_and_not_earlier)
{
    static const double slower[] = {1.15, 1.25, 1.5, 4};
    for (size_t i = 0; i < sizeof slower / sizeof slower[0]; i++) {
        const struct contest c = {.slower = slower[i], .noise = 0.01};
        const struct outcome o = repeat(&c, limit);
        cr_expect_float_eq(o.over, 1, 1e-9, "%g: %g", slower[i], o.over);
        cr_expect_eq(o.fewest_over, slower[i] > 1.45 ? DECIDE_QUICK + DECIDE_FRESH : 9, "%g: %d",
                     slower[i], o.fewest_over);
    }
}

Test(decide, a_program_that_is_too_slow_seldom_passes_by_luck)
{
    for (double slower = 1.15 * limit; slower <= 1.3 * limit; slower += 0.01) {
        /* the reference's process is the slow one once in four times */
        const struct contest c = {.slower = slower, .moody = 0.25, .mood = 1.25, .noise = 0.01};
        cr_expect_lt(repeat(&c, limit).within, 0.05, "%g", slower);
    }
}

Test(decide, passing_is_quick_when_nothing_is_near_the_limit)
{
    const struct contest c = {.slower = 1, .noise = 0.01};
    uint64_t state = 1;
    int n;
    cr_expect_eq(contest(&c, 1.5, &state, &n), DECISION_WITHIN);
    cr_expect_eq(n, 1);
    cr_expect_eq(contest(&c, 1.10, &state, &n), DECISION_WITHIN);
    cr_expect_eq(n, DECIDE_QUICK);
    cr_expect_eq(contest(&c, 1.012, &state, &n), DECISION_WITHIN);
    cr_expect_geq(n, DECIDE_QUICK + DECIDE_FRESH);
}

/* Pairs with these medians, whose repetitions are spread to 1.2. */
static enum decision decide_spread(int n, double last)
{
    struct decide_times t = {.n = n};
    for (int i = 0; i < n; i++)
        t.pair[i] = (struct interval){i == n - 1 ? last : 1.0, 0.9, 1.2};
    const struct interval shown = decide_interval(&t);
    cr_expect_gt(shown.low, 0.8);
    cr_expect_lt(shown.high, 1.3);
    return decide(&t, limit);
}

Test(decide, a_third_pair_makes_up_for_spread_repetitions)
{
    cr_expect_eq(decide_spread(2, 1.0), DECISION_OPEN);
    cr_expect_eq(decide_spread(3, 1.0), DECISION_WITHIN);
    cr_expect_eq(decide_spread(3, 1.09), DECISION_OPEN);
}

Test(decide, four_repetitions_are_enough_far_below_the_limit)
{
    const double ratios[DECIDE_REPETITIONS] = {1, 1.02, 0.99, 1.05, 1.09, 1, 1, 1};
    for (int n = 0; n < DECIDE_REPETITIONS; n++)
        cr_expect_eq(decide_is_enough(ratios, n, limit), n == DECIDE_FEW, "%d", n);
    cr_expect_not(decide_is_enough(ratios, DECIDE_FEW, 1.06), "one of them is near the limit");
    cr_expect(decide_is_enough(ratios, DECIDE_REPETITIONS, 1.06));
    double first[DECIDE_FEW] = {1, 1.02, 0.99, 1.05};
    const struct interval pair = decide_pair(first, DECIDE_FEW);
    cr_expect(pair.low == 0.99 && pair.high == 1.05, "%g to %g", pair.low, pair.high);
}

Test(decide, a_spread_across_the_limit_stays_open)
{
    struct decide_times t = {.n = DECIDE_MOST};
    for (int i = 0; i < DECIDE_MOST; i++)
        t.pair[i] = (struct interval){i % 2 ? 1.2 : 1.0, 1.0, 1.2};
    cr_expect_eq(decide(&t, 1.1), DECISION_OPEN);
}

/* The rule's operating characteristic, as grader/rates/README.md shows it. */
Test(decide, the_readme_says_how_often_it_is_right)
{
    static const double slower[] = {1, 1.05, 1.10, 1.15, 1.27, 1.43, 2};
    static char readme[1 << 17];
    FILE *from = fopen("grader/rates/README.md", "r");
    cr_assert(from, "run the tests from the root of the checkout");
    readme[fread(readme, 1, sizeof readme - 1, from)] = 0;
    fclose(from);
    for (size_t i = 0; i < sizeof slower / sizeof slower[0]; i++) {
        char row[256];
        int n = snprintf(row, sizeof row, "| %.2f |", slower[i]);
        for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
            struct contest c = models[m];
            c.slower = slower[i];
            const struct outcome o = repeat(&c, limit);
            n += snprintf(row + n, sizeof row - (size_t)n, " %.1f / %.1f / %.1f %% | %.1f |",
                          100 * o.within, 100 * o.open, 100 * o.over, o.pairs);
        }
        cr_expect(strstr(readme, row), "grader/rates/README.md lacks the row\n%s", row);
    }
}

/* ---- gradings that share a GPU --------------------------------------------------------------- */

static char folder[] = "/tmp/gpu-lock-XXXXXX";

static bool lock(const char *uuid, enum gpu_lock how, double patience_s)
{
    return gpu_lock(folder, &uuid, 1, how, patience_s);
}

/* A process that holds the lock until its pipe is closed. */
static pid_t hold(enum gpu_lock how, int *release)
{
    int ready[2], end[2];
    char byte;
    cr_assert(pipe(ready) == 0 && pipe(end) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(end[1]);
        bool locked = lock("GPU-1", how, 5);
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
    cr_expect(lock("GPU-1", GPU_SHARED, 0.1));
    cr_expect_not(lock("GPU-1", GPU_ALONE, 0.1));
    let_go(other, release);
    cr_expect(lock("GPU-1", GPU_ALONE, 0.1));
}

Test(gpu_lock, nobody_shares_what_one_has_alone)
{
    int release;
    pid_t other = hold(GPU_ALONE, &release);
    cr_expect_not(lock("GPU-1", GPU_SHARED, 0.1));
    let_go(other, release);
    cr_expect(lock("GPU-1", GPU_SHARED, 0.1));
}

Test(gpu_lock, who_wants_it_alone_comes_before_those_who_ask_later)
{
    int release;
    pid_t sharer = hold(GPU_SHARED, &release), waiter = fork();
    if (waiter == 0)
        _exit(close(release) == 0 && lock("GPU-1", GPU_ALONE, 5) ? 0 : 1);
    usleep(100000);
    cr_expect_not(lock("GPU-1", GPU_SHARED, 0.1), "the waiter was overtaken");
    let_go(sharer, release);
    int status;
    waitpid(waiter, &status, 0);
    cr_expect_eq(status, 0);
}

Test(gpu_lock, several_are_locked_in_one_order_and_all_of_them)
{
    const char *const both[] = {"GPU-2", "GPU-1"};
    int release, status;
    pid_t holder = hold(GPU_ALONE, &release), waiter = fork();
    if (waiter == 0)
        _exit(close(release) == 0 && gpu_lock(folder, both, 2, GPU_ALONE, 5) ? 0 : 1);
    usleep(100000);
    cr_expect(lock("GPU-2", GPU_ALONE, 0.1), "it waits for GPU-1 first, and holds nothing yet");
    let_go(holder, release);
    usleep(100000);
    cr_expect_eq(waitpid(waiter, &status, WNOHANG), 0, "it has not waited for GPU-2");
    kill(waiter, SIGKILL);
    waitpid(waiter, &status, 0);
}

Test(gpu_lock, a_folder_that_nobody_can_write_locks_nothing)
{
    const char *const gpu = "GPU-1";
    cr_expect_not(gpu_lock("/nowhere", &gpu, 1, GPU_SHARED, 0.1));
}

/*
 * suite.c: the suite of lab 23: results, order, memory and time. Nothing here asks how a submission
 * does it.
 */
#include <math.h>

#include "exchange.h"
#include "judge/judge.h"
#include "labs/lab23/mistakes.h"
#include "labs/products.h"
#include "query/trace.h"
#include "session/session.h"

static const struct judge_mistake *mistake_of(const struct session_event *e);

JUDGE_LAB(.name = "lab23", .title = "copies and kernels within a memory budget",
          .mistake_of = mistake_of);

/* Which order is missing? */
static const struct judge_mistake *mistake_of(const struct session_event *e)
{
    const struct simgpu_site *first = &e->finding.first, *second = &e->finding.second;
    if (e->cause != CAUSE_FINDING || e->finding.kind != SIMGPU_RACE)
        return NULL;
    if (judge_is_site(first, "matmul") && judge_is_site(second, "memcpyH2D"))
        return &lab23_inputs_overwritten;
    if (judge_is_site(first, "memcpyD2H"))
        return &lab23_result_overwritten;
    return &lab23_stages_unordered;
}

/* ---- scenarios ------------------------------------------------------------------------------- */

/* Budgets that a ring of whole sets fits badly: one set and two matrices; two sets and two
   matrices. */
enum { TIGHT = 5, ROOMY = 8 };
enum { MIDDLE = 512 };

static void scenario(struct products_scenario *s, long n_batches, long n_matrices)
{
    products_make(s, JUDGE_NUMBERS(.n = products_size(MIDDLE), .n_batches = n_batches,
                                   .n_matrices = n_matrices, .look = true));
}

/* ---- results, order, memory ------------------------------------------------------------------ */

JUDGE_CHECK(lab23, results, 25, "Every product is right, for any budget of three matrices or more.")
{
    const long n = products_size(64);
    const struct numbers cases[] = {
        {.n = n, .n_batches = judge_draw(9, 11, 1), .n_matrices = TIGHT},
        {.n = n, .n_batches = judge_draw(8, 10, 1), .n_matrices = 3},
        {.n = n, .n_batches = judge_draw(8, 10, 1), .n_matrices = 4},
        {.n = 32, .n_batches = judge_draw(12, 16, 1), .n_matrices = judge_draw(6, 11, 1)},
        {.n = 32, .n_batches = judge_draw(1, 2, 1), .n_matrices = judge_draw(12, 16, 1)},
        {.n = 96, .n_batches = judge_draw(8, 10, 1), .n_matrices = TIGHT, .load = 8},
        {.n = 96, .n_batches = judge_draw(8, 10, 1), .n_matrices = ROOMY, .load = 8},
        {.n = 2048, .n_batches = 4, .n_matrices = TIGHT}};
    /* race_free sees on the simulated device what only long kernels bring to light on a GPU */
    const size_t n_cases = sizeof cases / sizeof cases[0] - judge_device_is_simulated();
    struct products_scenario s[sizeof cases / sizeof cases[0]];
    for (size_t i = 0; i < n_cases; i++)
        products_make(&s[i], &cases[i]);
    struct judge *j = judge_start(JUDGE_SUBMISSION, &s[0].judge);
    for (size_t i = 0; i < n_cases; i++) {
        if (i > 0)
            judge_prepare(j, &s[i].judge);
        for (int k = 0; k < 2; k++)
            if (cases[i].load) /* the grader's own copies may be left */
                judge_run(j);
            else
                judge_run_to_end(j, &lab23_no_final_wait);
    }
    judge_prepare(j, &s[0].judge);
    judge_run_unaided(j, NULL);
}

JUDGE_CHECK(lab23, race_free, 20, "No memory is reused too early, and teardown frees everything.")
{
    const long budgets[] = {TIGHT, ROOMY, judge_draw(9, 11, 1)};
    struct products_scenario s[sizeof budgets / sizeof budgets[0]];
    struct judge *j = NULL;
    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        scenario(&s[i], judge_draw(11, 13, 1), budgets[i]);
        if (i == 0)
            j = judge_start(JUDGE_SUBMISSION, &s[i].judge);
        else
            judge_prepare(j, &s[i].judge);
        judge_run(j);
        products_expect_all_work(j, judge_trace(j));
        judge_expect_no_findings(j);
    }
}

JUDGE_CHECK(lab23, memory, 15, "Device memory stays within memory_bytes.")
{
    const long budgets[] = {TIGHT, ROOMY};
    struct products_scenario s[sizeof budgets / sizeof budgets[0]];
    struct judge *j = NULL;
    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        scenario(&s[i], 10, budgets[i]);
        if (i == 0)
            j = judge_start(JUDGE_SUBMISSION, &s[i].judge);
        else
            judge_prepare(j, &s[i].judge);
        judge_run(j);
        const double n = judge_numbers(j)->n, matrix_bytes = n * n * sizeof(float),
                     most_bytes = judge_value(j, most_bytes);
        judge_actual("%.1f MiB of device memory: %.1f matrices", most_bytes / (1 << 20),
                     most_bytes / matrix_bytes);
        judge_expected("at most %.1f MiB: %ld matrices", budgets[i] * matrix_bytes / (1 << 20),
                       budgets[i]);
        judge_measured(most_bytes, budgets[i] * matrix_bytes, "bytes");
        judge_expect_for(most_bytes <= budgets[i] * matrix_bytes, &lab23_over_budget);
    }
}

/* ---- time ------------------------------------------------------------------------------------ */

/* Why a run is too slow, if its calls show it. */
static void judge_calls(const struct trace *t)
{
    const struct trace_row *last = trace_last(t, "api", "cudaLaunchKernel*");
    const struct trace_row *wait = last ? trace_host_wait(t, -1, last->start_us) : NULL;
    if (trace_calls(t, "cudaMalloc") + trace_calls(t, "cudaFree") > 0)
        judge_fail_for(&lab23_allocates);
    if (trace_streams(t) == 1)
        judge_fail_for(&lab23_one_stream);
    if (wait) {
        judge_actual("%s between the batches", wait->name);
        judge_expected("no call that waits before the last launch");
        judge_fail_for(&lab23_host_waits);
    }
}

/* Of the submission, on the simulated device. */
static const struct trace *calls;

static void too_slow(const struct judge *j)
{
    (void)j;
    if (calls)
        judge_calls(calls);
}

/* The three stages, each alone, in the process of the reference. */
static double longest_alone_us;

/* What no right run can beat: larger copies, and kernels side by side, shorten a stage a little. */
static double no_less_us(struct judge *reference)
{
    const double spared = 0.2;
    judge_floor(reference);
    longest_alone_us = fmax(judge_value(reference, kernel_us),
                            fmax(judge_value(reference, h2d_us), judge_value(reference, d2h_us)));
    judge_run(reference); /* the first after other work takes longer */
    return (1 - spared) * longest_alone_us;
}

static void expect_time(long n_matrices, const char *slow, const char *next)
{
    const double at_most = 1.15;
    struct products_scenario s;
    products_make(&s, JUDGE_NUMBERS(.n = products_size(MIDDLE), .n_batches = judge_draw(18, 22, 1),
                                    .n_matrices = n_matrices));
    struct judge *j = judge_start(JUDGE_SUBMISSION, &s.judge),
                 *reference = judge_start(JUDGE_REFERENCE, &s.judge);
    if (judge_device_is_simulated()) {
        judge_run(j);
        calls = judge_trace(j);
        judge_show_timeline(j);
    }
    judge_next("%s", next);
    const struct judge_times times =
        judge_expect_time(&(struct judge_race){.submission = j,
                                               .reference = reference,
                                               .at_most = at_most,
                                               .floor_us = no_less_us,
                                               .look = products_expect_all_work,
                                               .too_slow = too_slow,
                                               .slow = slow,
                                               .is_open = true});
    judge_note("%.0f us (the reference %.0f, the longest stage alone %.0f)", times.time_us,
               times.reference_us, longest_alone_us);
}

JUDGE_CHECK(lab23, tight, 20, "Memory for five matrices: at most 1.15 times the reference's time.")
{
    expect_time(TIGHT,
                "With memory for one set and two matrices, the batches take longer than they must.",
                "which of the five matrices are idle, and when? A matrix is free after its last "
                "use, not after its batch");
}

JUDGE_CHECK(lab23, roomy, 20, "Memory for eight matrices: at most 1.15 times the reference's time.")
{
    expect_time(ROOMY,
                "With memory for two sets and two matrices, the batches take longer than they "
                "must.",
                "for how long is a matrix of inputs in use, and for how long one of results? "
                "Divide the eight matrices accordingly");
}

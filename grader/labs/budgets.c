/* budgets.c: products within a memory budget: scenarios, results, order, memory, time. */
#include "budgets.h"

#include <math.h>
#include <stdio.h>

#include "budgets_figures.h"
#include "products.h"
#include "query/trace.h"

enum { MIDDLE = 512 };

/* The submission with this budget: the first call starts it. */
static struct judged *with_budget(struct judged *j, struct products_scenario *s, long n_batches,
                                  long n_matrices)
{
    products_make(s, JUDGE_NUMBERS(.n = products_size(MIDDLE), .n_batches = n_batches,
                                   .n_matrices = n_matrices));
    return judge_turn_to(j, &s->judge);
}

/* ---- results, order, memory ------------------------------------------------------------------ */

/* A run that ends when no work is left has waited for all of it, too. */
static void run_to_end(struct judged *j, const char *unfinished)
{
    judge_run_to_end(j, unfinished);
    if (judge_unwaited_stream(j) >= 0)
        judge_expect_order(j); /* work that nothing orders is left, too */
    judge_expect_waited(j, unfinished);
}

void budgets_expect_results(const char *unfinished)
{
    const long n = products_size(64);
    const struct numbers cases[] = {
        {.n = n, .n_batches = judge_draw(9, 11, 1), .n_matrices = BUDGETS_TIGHT},
        {.n = n, .n_batches = judge_draw(8, 10, 1), .n_matrices = 3},
        {.n = n, .n_batches = judge_draw(8, 10, 1), .n_matrices = 4},
        {.n = 32, .n_batches = judge_draw(12, 16, 1), .n_matrices = judge_draw(6, 11, 1)},
        {.n = 32, .n_batches = judge_draw(1, 2, 1), .n_matrices = judge_draw(12, 16, 1)},
        {.n = 96, .n_batches = judge_draw(8, 10, 1), .n_matrices = BUDGETS_TIGHT, .load = 8},
        {.n = 96, .n_batches = judge_draw(8, 10, 1), .n_matrices = BUDGETS_ROOMY, .load = 8},
        {.n = 2048, .n_batches = 4, .n_matrices = BUDGETS_TIGHT}};
    products_run_cases(cases, sizeof cases / sizeof cases[0], run_to_end, unfinished);
}

void budgets_expect_order(void)
{
    /* Each remainder by three, for little memory and for much: which of a batch's matrices gets the
       memory of which earlier one */
    const long budgets[] = {3, 4, BUDGETS_TIGHT, BUDGETS_ROOMY, 9, 10, 11};
    struct products_scenario s[sizeof budgets / sizeof budgets[0]];
    struct judged *j = NULL;
    judge_needs_findings();
    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        j = with_budget(j, &s[i], judge_draw(11, 13, 1), budgets[i]);
        judge_run(j);
        products_expect_all_work(j, judge_trace(j));
        judge_expect_no_findings(j);
    }
}

static double budget_bytes(const struct judged *j)
{
    const double n = judge_numbers(j)->n;
    return (double)judge_numbers(j)->n_matrices * n * n * sizeof(float);
}

/* After a run. */
static void expect_within_budget(const struct judged *j)
{
    char room[64];
    snprintf(room, sizeof room, "memory_bytes, %ld matrices", judge_numbers(j)->n_matrices);
    judge_expect_bytes(judge_own_bytes(j), budget_bytes(j), room, "over_budget");
}

void budgets_expect_memory(void)
{
    const long budgets[] = {BUDGETS_TIGHT, BUDGETS_ROOMY};
    struct products_scenario s[sizeof budgets / sizeof budgets[0]];
    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        /* in a process of its own, where no earlier setup can have left memory */
        struct judged *j = with_budget(NULL, &s[i], 10, budgets[i]);
        judge_run(j);
        expect_within_budget(j);
    }
    s[0].judge.model_only = true;
    judge_expect_error(&s[0].judge);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* The three stages, each alone, in the process of the reference. */
static double longest_alone_us;

/* What no right run can beat: larger copies, and kernels side by side, shorten a stage a little. */
static double no_less_us(struct judged *reference)
{
    const double spared = 0.2;
    judge_floor(reference);
    longest_alone_us = fmax(judge_value(reference, kernel_us),
                            fmax(judge_value(reference, h2d_us), judge_value(reference, d2h_us)));
    judge_run(reference); /* the first after other work takes longer */
    return (1 - spared) * longest_alone_us;
}

/* The simulated device computes nothing in the run that it times, so smaller matrices are computed
   first: advice on the design would be in vain while results, order or memory are wrong. */
static void expect_right(long n_matrices)
{
    struct products_scenario s;
    products_make(&s, JUDGE_NUMBERS(.n = 96, .n_batches = 10, .n_matrices = n_matrices));
    struct judged *j = judge_run_first(&s.judge);
    judge_expect_order(j);
    expect_within_budget(j);
    judge_stop(j);
    judge_forget();
}

void budgets_ask_copies(struct judged *j)
{
    static const struct {
        const char *engine, *words;
    } copies[] = {{"h2d", "to the device"}, {"d2h", "back"}};
    const double least = 0.05;
    for (size_t i = 0; i < sizeof copies / sizeof copies[0]; i++) {
        const double share = trace_overlap_fraction(judge_trace(j), copies[i].engine, "sm");
        if (share >= least)
            continue;
        judge_actual("copies %s run beside kernels for %.0f %% of the shorter of both times",
                     copies[i].words, 100 * share);
        judge_expected("%.0f %% or more", 100 * least);
        judge_fact("copies_alone");
        judge_note("No copy %s runs while a kernel runs.", copies[i].words);
        return;
    }
}

void budgets_expect_time(long n_matrices, void (*too_slow)(struct judged *submission))
{
    const bool is_tight = n_matrices < 6;
    const double at_most = is_tight ? 1.25 : 1.15;
    struct products_scenario s;
    products_make(&s, JUDGE_NUMBERS(.n = products_size(MIDDLE), .n_batches = judge_draw(18, 22, 1),
                                    .n_matrices = n_matrices));
    if (judge_device_is_simulated())
        expect_right(n_matrices);
    struct judged *j = judge_start(JUDGE_SUBMISSION, &s.judge),
                  *reference = judge_start(JUDGE_REFERENCE, &s.judge);
    if (judge_device_is_simulated()) {
        judge_run(j);
        judge_trace(j);
        judge_show_timeline(j);
    }
    judge_next("%s", is_tight
                         ? "which of the matrices are idle, and when? A matrix is free after "
                           "its last use, not after its batch"
                         : "for how long is a matrix of inputs in use, and for how long one of "
                           "results? Divide the matrices accordingly");
    const struct judge_times times = judge_expect_time(&(struct judge_race){
        .submission = j,
        .reference = reference,
        .at_most = at_most,
        .floor_us = no_less_us,
        .look = products_expect_all_work,
        .too_slow = judge_device_is_simulated() ? too_slow : NULL,
        .slow = is_tight ? "With memory for one set and two matrices, the batches take longer than "
                           "they must."
                         : "With memory for two sets and two matrices, the batches take longer "
                           "than they must."});
    judge_expect_timed_bytes(j, budget_bytes(j), "over_budget");
    judge_note("%.0f us (the reference %.0f, the longest stage alone %.0f)", times.time_us,
               times.reference_us, longest_alone_us);
}

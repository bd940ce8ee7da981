/* expected_results.c: what lab 07 is to compute, and what a result that is something else says
 * about how it came about. */
#include "exchange.h"
#include "expected_results.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/handlers.h"
#include "labs/lab07_device_launch/lab.h"

enum { JOURNAL_COLUMNS = 4 };

/* ---- inputs ---------------------------------------------------------------------------------- */

/* The number of iterations, in every second run one more if it `varies`. */
static void fill_count(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    static int runs;
    const int more = numbers->varies ? runs++ % 2 : 0;
    judge_buffer(j, "count")[0] = (float)(numbers->iterations + more);
}

void lab07_fill(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    if (numbers->workload == LAB07_PACKETS)
        lab07_fill_packets(j);
    if (numbers->workload == LAB07_ITERATIONS)
        fill_count(j);
}

/* ---- the journal ----------------------------------------------------------------------------- */

const struct lab07_done *lab07_journal(struct judged *j, size_t *n)
{
    static struct lab07_done *all;
    const float *rows = judge_buffer(j, "journal");
    const size_t most = judge_buffer_count(j, "journal") / JOURNAL_COLUMNS;
    free(all);
    all = judge_room(most, sizeof *all);
    for (*n = 0; *n < most && rows[*n * JOURNAL_COLUMNS] >= 0; ++*n) {
        const float *row = rows + *n * JOURNAL_COLUMNS;
        all[*n] = (struct lab07_done){(int)row[0], (int)row[1], row[2], row[3]};
    }
    return all;
}

const struct lab07_done *lab07_find(const struct lab07_done *rows, size_t n, int number_)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i].number == number_)
            return &rows[i];
    return NULL;
}

size_t lab07_at_once(const struct lab07_done *rows, size_t n, int first, int last)
{
    size_t most = 0;
    for (size_t i = 0; i < n; i++) { /* the fullest instant is one at which a row begins */
        size_t now = 0;
        for (size_t k = 0; k < n; k++)
            now += rows[k].number >= first && rows[k].number <= last &&
                   rows[k].begun_us <= rows[i].begun_us && rows[k].done_us > rows[i].begun_us;
        most = now > most ? now : most;
    }
    return most;
}

/* ---- results --------------------------------------------------------------------------------- */

_Noreturn void lab07_fail(const char *fact)
{
    judge_asks(fact);
    judge_expect_nothing_noted();
    judge_fail_that(fact);
}

/* ---- the length ------------------------------------------------------------------------------ */

/* The entries of a run of lab07_length. */
struct length_run {
    const struct lab07_done *rows, *sum, *root;
    size_t n;
    int workers;
};

static void expect_all_ran(const struct judged *j, const struct length_run *r)
{
    int ran = 0, first = r->workers, missing = -1;
    for (int i = r->workers - 1; i >= 0; i--)
        if (lab07_find(r->rows, r->n, i)) {
            ran++;
            first = i;
        } else
            missing = i;
    judge_actual("%d of %d workers ran; the sum %s, the root %s", ran, r->workers,
                 r->sum ? "ran" : "did not run", r->root ? "ran" : "did not run");
    judge_expected("all workers, the sum and the root");
    if (ran == r->workers && r->sum && r->root)
        return;
    const int skipped = (r->workers - 1) / (LAB07_MAX_FIRE_AND_FORGET + 1); /* one a relaunch */
    judge_fact_number("missing_workers", r->workers - ran);
    judge_fact_number("first_that_ran", first);
    judge_fact_number("workers_ran", ran);
    if (judge_was_right(j))
        judge_fact("right_before");
    if (ran == r->workers - skipped && missing == LAB07_MAX_FIRE_AND_FORGET)
        judge_fact("worker_skipped");
    if (r->n > (size_t)ran + 2)
        judge_fact("more_runs_than_workers");
    lab07_fail("not_all_ran");
}

static bool is_worker_repeated(const struct length_run *r)
{
    size_t workers = 0;
    for (size_t i = 0; i < r->n; i++)
        workers += r->rows[i].number < r->workers;
    return workers > (size_t)r->workers;
}

static void expect_length_order(const struct length_run *r)
{
    for (int i = 0; i < r->workers; i++) {
        const struct lab07_done *w = lab07_find(r->rows, r->n, i);
        judge_actual("the sum began at %.1f us; worker %d was complete at %.1f us",
                     r->sum->begun_us, i, w->done_us);
        judge_expected("the sum begins when all workers are complete");
        if (w->done_us > r->sum->begun_us)
            lab07_fail("sum_early");
    }
    judge_actual("the root began at %.1f us; the sum was complete at %.1f us", r->root->begun_us,
                 r->sum->done_us);
    judge_expected("the root begins when the sum is complete");
    if (r->sum->done_us > r->root->begun_us)
        lab07_fail("root_early");
}

void lab07_expect_length_order(struct judged *j)
{
    struct length_run r = {.workers = judge_numbers(j)->n_workers};
    r.rows = lab07_journal(j, &r.n);
    r.sum = lab07_find(r.rows, r.n, r.workers);
    r.root = lab07_find(r.rows, r.n, r.workers + 1);
    expect_all_ran(j, &r);
    expect_length_order(&r);
    judge_actual("%zu graphs ran", r.n);
    judge_expected("%d: %d workers, the sum and the root", r.workers + 2, r.workers);
    if (is_worker_repeated(&r))
        lab07_fail("workers_repeated");
    if (r.n != (size_t)r.workers + 2) {
        judge_note("A graph ran more than once.");
        judge_next("launch each worker, the sum and the root once");
        lab07_fail("graph_repeated");
    }
    judge_forget();
}

static void verify_length(struct judged *j)
{
    const double want =
        reference_length(judge_buffer(j, "in"), judge_numbers(j)->n_workers * WORKER_FLOATS);
    lab07_expect_length_order(j);
    judge_expect_results(j, &(struct judge_results){.buffer = "out",
                                                    .batches = 1,
                                                    .rows = 1,
                                                    .columns = 1,
                                                    .expected = &want,
                                                    .tolerance = 1e-5,
                                                    .batch_word = "vector"});
}

/* ---- the loop -------------------------------------------------------------------------------- */

/* How many iterations would explain the result; NaN where none. */
static double rounds_made(struct judged *j)
{
    const float *x = judge_buffer(j, "in"), *y = judge_buffer(j, "more"),
                *out = judge_buffer(j, "out");
    const size_t n = judge_buffer_count(j, "out");
    const double alpha = judge_numbers(j)->alpha;
    double both = 0, square = 0;
    for (size_t i = 0; i < n; i++) {
        both += ((double)out[i] - y[i]) * alpha * x[i];
        square += alpha * x[i] * alpha * x[i];
    }
    return both / square;
}

static void expect_iterations(struct judged *j, int iterations)
{
    const double made = rounds_made(j);
    const int left = (int)judge_buffer(j, "left")[0];
    const bool right = (int)round(made) == iterations;
    if (fabs(made - round(made)) >= 0.01 || (right && left == 0))
        return;
    judge_actual("the result of %.0f iterations, and *iterations_left is %d", round(made), left);
    judge_expected("the result of %d, and 0", iterations);
    judge_fact_number("iterations_left", left);
    judge_fact_number("iterations_made", round(made));
    judge_fact_number("iterations_too_many", round(made) - iterations);
    if (judge_numbers(j)->varies && (int)round(made) == judge_numbers(j)->iterations)
        judge_fact("as_in_first_call");
    lab07_fail("other_iterations");
}

static void verify_rounds(struct judged *j)
{
    const float *x = judge_buffer(j, "in"), *y = judge_buffer(j, "more");
    const size_t n = judge_buffer_count(j, "out");
    const double alpha = judge_numbers(j)->alpha;
    const int iterations = (int)judge_buffer(j, "count")[0];
    double *want = judge_room(n, sizeof *want);
    for (size_t i = 0; i < n; i++)
        want[i] = y[i] + iterations * alpha * x[i];
    expect_iterations(j, iterations);
    judge_expect_results(j, &(struct judge_results){.buffer = "out",
                                                    .batches = 1,
                                                    .rows = 1,
                                                    .columns = n,
                                                    .expected = want,
                                                    .tolerance = 1e-4,
                                                    .batch_word = "vector"});
    free(want);
}

/* ---- the three functions together ------------------------------------------------------------ */

/* Did the last run do the work of its own function? */
static bool is_own_work(struct judged *j, enum lab07_workload workload)
{
    size_t n;
    struct lab07_packet packets[LAB07_MOST_PACKETS];
    if (workload == LAB07_ITERATIONS)
        return fabs(rounds_made(j) - judge_buffer(j, "count")[0]) < 0.01;
    lab07_journal(j, &n);
    return n == (size_t)(workload == LAB07_LENGTH ? judge_numbers(j)->n_workers + 2
                                                  : lab07_packets_of(j, packets));
}

void lab07_expect_own_work(struct judged *j)
{
    if (is_own_work(j, judge_numbers(j)->workload))
        return;
    judge_actual("it did not do its own work");
    judge_expected("the same work, whichever function is called first");
    judge_fail_that("shared_state");
}

void lab07_verify(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    const enum lab07_workload workload = numbers->workload;
    if (numbers->before == LAB07_BUSY_GRAPH)
        return;
    if (workload == LAB07_LENGTH)
        verify_length(j);
    else if (workload == LAB07_ITERATIONS)
        verify_rounds(j);
    else
        lab07_verify_packets(j);
}

/*
 * expected_results.c: what lab 07 is to compute, and what a result that is something else says
 * about how it came about.
 */
#include "exchange.h"
#include "expected_results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/handlers.h"
#include "labs/lab07/mistakes.h"
#include "labs/lab07_device_launch/lab.h"

enum { JOURNAL_COLUMNS = 4 };

/* ---- inputs ---------------------------------------------------------------------------------- */

/* The number of iterations, in every second run one more if it `varies`. */
static void fill_count(struct judge *j)
{
    const struct numbers *numbers = judge_numbers(j);
    static int runs;
    const int more = numbers->varies ? runs++ % 2 : 0;
    judge_buffer(j, "count")[0] = (float)(numbers->iterations + more);
}

void lab07_fill(struct judge *j)
{
    const struct numbers *numbers = judge_numbers(j);
    if (numbers->workload == LAB07_PACKETS)
        lab07_fill_packets(j);
    if (numbers->workload == LAB07_ITERATIONS)
        fill_count(j);
}

/* ---- the journal ----------------------------------------------------------------------------- */

struct lab07_done *lab07_journal(struct judge *j, size_t *n)
{
    const float *rows = judge_buffer(j, "journal");
    const size_t most = judge_buffer_count(j, "journal") / JOURNAL_COLUMNS;
    struct lab07_done *all = judge_room(most, sizeof *all);
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

/* How a graph was launched in the last run, as far as that is known (a GPU does not show it). */
static bool is_launched_as(const struct judge *j, struct figure which, enum lab07_mode mode)
{
    return judge_device_is_simulated() && judge_reported(j, which) == (double)mode;
}

void lab07_blame_launches(const struct judge *j)
{
    if (judge_value(j, launched_to_upload) > 0)
        judge_fail_that("launched_to_upload");
    if (judge_value(j, by_host) > 1)
        judge_fail_that("host_loop");
    const char *refused = lab07_mistake((int)judge_value(j, refused));
    if (!refused)
        return;
    judge_actual("%s", refused);
    judge_expected("no refused launch, or its error");
    judge_fail_that("error_lost");
}

/* ---- the length ------------------------------------------------------------------------------ */

/* The entries of a run of lab07_length. */
struct length_run {
    const struct lab07_done *rows, *sum, *root;
    size_t n;
    int workers;
};

static void expect_all_ran(const struct judge *j, const struct length_run *r)
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
    lab07_blame_launches(j);
    if (ran > 0 && first == 1)
        judge_fail_that("first_skipped");
    if (ran < r->workers && first > 0 && (ran > 0 || judge_was_right(j)))
        judge_fail_that("next_not_reset");
    const int skipped = (r->workers - 1) / (LAB07_MAX_FIRE_AND_FORGET + 1); /* one a relaunch */
    if (ran == r->workers - skipped && missing == LAB07_MAX_FIRE_AND_FORGET)
        judge_fail_that("worker_skipped");
    if (ran < r->workers)
        judge_fail_that(r->n > (size_t)ran + 2 ? "workers_repeated" : "workers_missing");
    judge_fail_that("sum_or_root_missing");
}

static bool is_worker_repeated(const struct length_run *r)
{
    size_t workers = 0;
    for (size_t i = 0; i < r->n; i++)
        workers += r->rows[i].number < r->workers;
    return workers > (size_t)r->workers;
}

/* Why the sum did not wait for a worker. */
static const char *why_too_early(const struct judge *j)
{
    if (is_launched_as(j, FIGURE(workers_as), LAB07_SIBLING))
        return "as_siblings";
    if (is_launched_as(j, FIGURE(sum_as), LAB07_TAIL) && judge_value(j, sum_before_relaunch) > 0)
        return "sum_too_early";
    return "sum_fired";
}

static void expect_length_order(const struct judge *j, const struct length_run *r)
{
    for (int i = 0; i < r->workers; i++) {
        const struct lab07_done *w = lab07_find(r->rows, r->n, i);
        judge_actual("the sum began at %.1f us; worker %d was complete at %.1f us",
                     r->sum->begun_us, i, w->done_us);
        judge_expected("the sum begins when all workers are complete");
        if (w->done_us > r->sum->begun_us)
            judge_fail_that(why_too_early(j));
    }
    judge_actual("the root began at %.1f us; the sum was complete at %.1f us", r->root->begun_us,
                 r->sum->done_us);
    judge_expected("the root begins when the sum is complete");
    if (r->sum->done_us > r->root->begun_us)
        judge_fail_that(judge_device_is_simulated() &&
                                !is_launched_as(j, FIGURE(root_as), LAB07_TAIL)
                            ? "sum_fired"
                            : "root_first");
}

void lab07_expect_length_order(struct judge *j)
{
    struct length_run r = {.workers = judge_numbers(j)->n_workers};
    struct lab07_done *rows = lab07_journal(j, &r.n);
    r.rows = rows;
    r.sum = lab07_find(rows, r.n, r.workers);
    r.root = lab07_find(rows, r.n, r.workers + 1);
    expect_all_ran(j, &r);
    expect_length_order(j, &r);
    judge_actual("%zu graphs ran", r.n);
    judge_expected("%d: %d workers, the sum and the root", r.workers + 2, r.workers);
    if (r.n > (size_t)r.workers + 2)
        lab07_blame_launches(j);
    if (is_worker_repeated(&r))
        judge_fail_that("workers_repeated");
    judge_next("launch each worker, the sum and the root once");
    judge_expect(r.n == (size_t)r.workers + 2, "A graph ran more than once.");
    free(rows);
    judge_forget();
}

static void verify_length(struct judge *j)
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
static double rounds_made(struct judge *j)
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

/* The loop made another number of iterations, and the counter is 0 in the end. */
static const char *why_another_number(const struct judge *j, int made)
{
    const struct numbers *numbers = judge_numbers(j);
    if (numbers->varies && made == numbers->iterations)
        return "count_of_first_call";
    return made == 0 ? "result_unchanged" : "not_one_iteration";
}

static void expect_iterations(struct judge *j, int iterations)
{
    const double made = rounds_made(j);
    const int left = (int)judge_buffer(j, "left")[0];
    const bool right = (int)round(made) == iterations;
    if (fabs(made - round(made)) >= 0.01 || (right && left == 0))
        return;
    judge_actual("the result of %.0f iterations, and *iterations_left is %d", round(made), left);
    judge_expected("the result of %d, and 0", iterations);
    lab07_blame_launches(j);
    if (right)
        judge_fail_that("count_not_zero");
    if (left == 0)
        judge_fail_that(why_another_number(j, (int)round(made)));
    judge_fail_that(made < iterations ? "loop_too_short" : "loop_too_long");
}

static void verify_rounds(struct judge *j)
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
static bool is_own_work(struct judge *j, enum lab07_workload workload)
{
    size_t n;
    struct lab07_packet packets[LAB07_MOST_PACKETS];
    if (workload == LAB07_ITERATIONS)
        return fabs(rounds_made(j) - judge_buffer(j, "count")[0]) < 0.01;
    free(lab07_journal(j, &n));
    return n == (size_t)(workload == LAB07_LENGTH ? judge_numbers(j)->n_workers + 2
                                                  : lab07_packets_of(j, packets));
}

void lab07_expect_own_work(struct judge *j)
{
    if (is_own_work(j, judge_numbers(j)->workload))
        return;
    judge_actual("it did not do its own work");
    judge_expected("the same work, whichever function is called first");
    judge_fail_that("shared_state");
}

void lab07_verify(struct judge *j)
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

/* suite.c: the suite of lab 03, from top to bottom what a submission must do. */
#include <math.h>

#include "exchange.h"
#include "judge/judge.h"
#include "labs/lab03/mistakes.h"
#include "labs/products.h"
#include "query/trace.h"

JUDGE_LAB(.name = "lab03", .title = "copies and kernels at the same time", .rules = &lab03_rules);

/* ---- scenarios ------------------------------------------------------------------------------- */

enum { STREAMS = 4, BUFFERS = 4 };

/* So many batches of about n x n, over four streams; the kernel of batch number `late` starts late,
   counted from 1; 0: none does. */
static void scenario_of(struct products_scenario *s, long n, long n_batches, long n_sets, long late)
{
    products_make(s, JUDGE_NUMBERS(.n = products_size(n), .n_batches = n_batches,
                                   .n_streams = STREAMS, .n_sets = n_sets, .late = late));
}

static void scenario(struct products_scenario *s, long n, long n_batches)
{
    scenario_of(s, n, n_batches, BUFFERS, 0);
}

static const struct trace *trace_all(struct judged *j)
{
    judge_run(j);
    const struct trace *t = judge_trace(j);
    products_expect_all_work(j, t);
    return t;
}

/* ---- results and order ----------------------------------------------------------------------- */

JUDGE_CHECK(lab03, results, 25, "Every product is right, for any number of streams and sets.")
{
    products_expect_results("no_final_wait");
}

JUDGE_CHECK(lab03, race_free, 15, "No set is reused too early, and teardown frees everything.")
{
    struct products_scenario fewer, more; /* sets than streams */
    const long n_batches = judge_draw(11, 13, 1);
    scenario_of(&fewer, 512, n_batches, BUFFERS - 1, 0);
    scenario_of(&more, 512, n_batches, BUFFERS + 1, 0);
    judge_needs_findings();
    struct judged *j = judge_start(JUDGE_SUBMISSION, &fewer.judge);
    trace_all(j);
    judge_expect_no_findings(j);
    judge_prepare(j, &more.judge);
    trace_all(j);
    judge_expect_no_findings(j);
}

/* The last batch is in the last stream, or in stream 1: a wait for one stream alone misses it in
   one of the two. A wait for the stream of the last batch misses the one before it, if that takes
   longer. A wait for as many streams as there are sets misses the last stream. */
JUDGE_CHECK(lab03, complete, 10, "lab03_run returns after c is complete, and returns errors.")
{
    struct products_scenario last, other, late;
    const long per_stream = judge_draw(2, 3, 1);
    scenario_of(&last, 1024, per_stream * STREAMS, BUFFERS - 1, 0);
    scenario(&other, 1024, per_stream * STREAMS + 2);
    scenario_of(&late, 512, per_stream * STREAMS, BUFFERS, per_stream * STREAMS - 1);
    struct judged *j = judge_start(JUDGE_SUBMISSION, &last.judge);
    judge_expect_done(j, "no_final_wait");
    judge_expect_waited(j, "no_final_wait");
    judge_prepare(j, &late.judge);
    judge_expect_done(j, "no_final_wait");
    judge_expect_error(&last.judge);
    if (judge_device_is_simulated())
        return; /* it has said for which streams nobody waited */
    judge_prepare(j, &other.judge);
    judge_expect_done(j, "no_final_wait");
}

/* ---- what may be used ------------------------------------------------------------------------ */

JUDGE_CHECK(lab03, memory, 5, "Device memory holds the ring of sets and no more.")
{
    struct products_scenario fewer; /* sets than streams */
    scenario_of(&fewer, 1024, 10, BUFFERS - 1, 0);
    struct judged *j = judge_run_first(&fewer.judge);
    judge_expect_bytes(judge_own_bytes(j), products_most_bytes(j),
                       "the ring of sets, and half a set beside it", "ring_too_large");
}

/* ---- streams and overlap --------------------------------------------------------------------- */

/* Why nothing overlaps: the calls of a run, for the rules. */
static void ask_calls(const struct judged *j, const struct trace *t)
{
    judge_ask_trace(t);
    /* of several runs, each but the last one waits before the last launch */
    if (trace_calls(t, "cudaLaunchKernel*") <= (size_t)judge_numbers(j)->n_batches)
        products_ask_waits(t);
}

/* Which streams a run may use. */
static void judge_streams(const struct trace *t)
{
    size_t made = trace_setup_calls(t), used = trace_streams(t);
    judge_measured((double)used, STREAMS, "streams");
    judge_actual("%zu allocations and new objects, work in %zu streams", made, used);
    judge_expected("none in a run, work in at most %d", STREAMS);
    judge_ask_trace(t);
    judge_expect_that(made == 0, "creates_in_run");
    judge_expect_that(used <= STREAMS, "too_many_streams");
}

static void judge_work(const struct judged *j, const struct trace *t)
{
    products_expect_all_work(j, t);
    judge_streams(t);
}

/* How many streams have the first STREAMS kernels? */
static size_t first_streams(const struct trace *t)
{
    int streams[STREAMS];
    size_t n = 0, different = 0;
    for (size_t i = 0; i < t->n_rows && n < STREAMS; i++) {
        if (!trace_is(&t->rows[i], "sm", "matmul*"))
            continue;
        bool is_known = false;
        for (size_t k = 0; k < n; k++)
            is_known = is_known || streams[k] == t->rows[i].stream;
        different += !is_known;
        streams[n++] = t->rows[i].stream;
    }
    return different;
}

/* Of a run that is too slow. */
static void ask_turns(struct judged *j)
{
    if (!judge_device_is_simulated())
        return;
    const struct trace *t = judge_trace(j);
    const size_t first = first_streams(t);
    ask_calls(j, t);
    if (2 * first <= STREAMS && first < trace_streams(t))
        judge_fact("batches_in_blocks");
}

JUDGE_CHECK(lab03, streams, 5, "A run uses at most n_streams streams, and creates nothing.")
{
    struct products_scenario middle;
    scenario(&middle, 512, judge_draw(9, 11, 1));
    struct judged *j = judge_start(JUDGE_SUBMISSION, &middle.judge);
    const struct trace *t = trace_all(j);
    judge_streams(t);
}

/* Two engines that can be busy at the same time, and the most that is asked of a submission. */
static const struct {
    const char *engine, *other, *words;
    double most;
} pairs[] = {{"h2d", "sm", "H2D copies and kernels", 0.3},
             {"sm", "d2h", "kernels and D2H copies", 0.3},
             {"h2d", "d2h", "H2D and D2H copies", 0.25}};
enum { PAIRS = sizeof pairs / sizeof pairs[0] };

/* On a slow bus a batch's copies take so long that even the reference has little to overlap: then
 * 70 % of its share is enough. A share below 10 % is chance: the copy back of a batch may just end
 * before or after the next kernel starts. Nothing is asked then. */
static void ask_reference(const struct products_scenario *scenario, double least[PAIRS])
{
    const struct trace *t = trace_all(judge_start(JUDGE_REFERENCE, &scenario->judge));
    for (int i = 0; i < PAIRS; i++) {
        const double share = trace_overlap_fraction(t, pairs[i].engine, pairs[i].other);
        least[i] = share < 0.1 ? 0 : fmin(pairs[i].most, 0.7 * share);
    }
}

/* A pair that overlaps less than that; PAIRS: none. */
static int find_apart(const struct trace *t, const double least[PAIRS])
{
    int i = 0;
    while (i < PAIRS && trace_overlap_fraction(t, pairs[i].engine, pairs[i].other) >= least[i])
        i++;
    return i;
}

JUDGE_CHECK(lab03, overlap, 15, "H2D copies, kernels and D2H copies run at the same time.")
{
    struct products_scenario middle;
    double least[PAIRS];
    scenario(&middle, 512, judge_draw(9, 11, 1));
    ask_reference(&middle, least);
    struct judged *j = judge_start(JUDGE_SUBMISSION, &middle.judge);
    const struct trace *t = trace_all(j);
    if (!judge_device_is_simulated() && find_apart(t, least) < PAIRS)
        t = trace_all(j); /* on an H200 27 % where 30 are asked for, once in six gradings */
    judge_show_timeline(j);
    for (int i = 0; i < PAIRS; i++) {
        double part = trace_overlap_fraction(t, pairs[i].engine, pairs[i].other);
        judge_measured(part, least[i], "ratio");
        if (part >= least[i])
            continue;
        judge_actual("%s overlap for %.0f %% of the shorter of the two", pairs[i].words,
                     part * 100);
        judge_expected("at least %.0f %%", least[i] * 100);
        ask_calls(j, t);
        judge_fail_that("no_overlap");
    }
}

/* ---- time ------------------------------------------------------------------------------------ */

/* The three stages, each measured alone by the grader, the last time that it was asked. */
static struct {
    double h2d_us, kernel_us, d2h_us, no_less_us;
} alone;

static void measure_alone(struct judged *reference)
{
    judge_floor(reference);
    alone.h2d_us = judge_value(reference, h2d_us);
    alone.kernel_us = judge_value(reference, kernel_us);
    alone.d2h_us = judge_value(reference, d2h_us);
    alone.no_less_us = judge_value(reference, no_less_us);
}

static double no_less_us(struct judged *reference)
{
    if (!alone.no_less_us)
        measure_alone(reference);
    const double us = alone.no_less_us;
    alone.no_less_us = 0; /* who asks again does not believe it */
    return us;
}

/* T against the busiest of the three stages: 20 batches of about n x n. */
static void judge_limit(long n, double at_most, const char *slow, const char *step)
{
    struct products_scenario timed;
    scenario(&timed, n, judge_draw(18, 22, 1));
    struct judged *j = judge_start(JUDGE_SUBMISSION, &timed.judge),
                  *reference = judge_start(JUDGE_REFERENCE, &timed.judge);
    /* kernels of several streams share the SMs that a kernel alone leaves idle at its end: no
       more is asked for than that the busiest engine is never idle */
    measure_alone(reference);
    const double busiest_us = fmax(alone.h2d_us, fmax(alone.kernel_us, alone.d2h_us)),
                 share = busiest_us / judge_run(reference).time_us;
    judge_next("%s", step);
    struct judge_times times =
        judge_expect_time(&(struct judge_race){.submission = j,
                                               .reference = reference,
                                               .at_most = at_most * fmax(1, share),
                                               .floor_us = no_less_us,
                                               .look = judge_work,
                                               .too_slow = ask_turns,
                                               .slow = slow});
    judge_expect_timed_bytes(j, products_most_bytes(j), "ring_too_large");
    double limit_us = fmax(alone.h2d_us, fmax(alone.kernel_us, alone.d2h_us));
    judge_note("%.0f us: %.2f of the limit (H2D %.0f, compute %.0f, D2H %.0f us alone); the "
               "reference reaches %.2f",
               times.time_us, limit_us / times.time_us, alone.h2d_us, alone.kernel_us, alone.d2h_us,
               limit_us / times.reference_us);
}

JUDGE_CHECK(lab03, time, 15,
            "Large batches: at most 1.1 times the reference's time, or the busiest engine's.")
{
    judge_limit(1024, 1.10,
                "The batches take longer than they must: the busiest engine idles between batches.",
                "find the gaps in the compute row of the timeline: which wait, or which call of "
                "the host, comes before each gap?");
}

JUDGE_CHECK(lab03, short_batches, 10, "Small batches: at most 1.5 times the reference's time.")
{
    judge_limit(256, 1.50,
                "Batches of 256 x 256 take longer than they must: here the fixed costs of each "
                "copy, wait and call count.",
                "remove what every batch repeats needlessly: does it create, allocate or wait for "
                "anything?");
}

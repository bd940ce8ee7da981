/* suite.c: the suite of lab 02, from top to bottom what a submission must do. */
#include <math.h>

#include "exchange.h"
#include "kernels/kernels.h"
#include "judge/judge.h"
#include "labs/lab02/mistakes.h"
#include "query/trace.h"
#include "session/session.h"

JUDGE_LAB(.name = "lab02", .title = "a producer and a consumer, ordered by events",
          .rules = &lab02_rules);

/* The crash read memory beside the first buffer, the inputs. */
bool lab02_reads_inputs(const struct facts *f)
{
    return f->event->has_fault && f->event->fault.buffer == 0 && !f->event->fault.write;
}

/* ---- scenarios ------------------------------------------------------------------------------- */

/* Element k of an item's result: the consumer's, of three neighbors that the producer made. */
static double result_at(struct judged *j, size_t item, size_t row, size_t k)
{
    const struct numbers *numbers = judge_numbers(j);
    int n = numbers->n, steps = numbers->steps;
    const float *in = (const float *)judge_buffer(j, "in") + item * (size_t)n;
    size_t first = k > 0 ? k - 1 : 0, last = k + 1 < (size_t)n ? k + 1 : k;
    double produced[3], consumed[3];
    float near[3];
    (void)row;
    reference_produce(produced, in + first, steps, (int)(last - first + 1));
    for (size_t i = 0; i <= last - first; i++)
        near[i] = (float)produced[i];
    if (k == 0 || k + 1 == (size_t)n)
        return near[k - first];
    reference_consume(consumed, near, 3);
    return consumed[1];
}

/* Of long items a sample: the reference computes in turn what a GPU computes at once. */
static void verify(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    int n = numbers->n, n_items = numbers->n_items;
    judge_expect_results(j, &(struct judge_results){.buffer = "out",
                                                    .batches = (size_t)n_items,
                                                    .rows = 1,
                                                    .columns = (size_t)n,
                                                    .expected_at = result_at,
                                                    .samples = n > 100000 ? 64 : 0,
                                                    .tolerance = 1e-5,
                                                    .batch_word = "item"});
}

static struct judge_scenario scenario(const char *name, const struct numbers *numbers)
{
    const size_t count = (size_t)numbers->n * (size_t)numbers->n_items;
    return (struct judge_scenario){
        .name = name,
        .numbers = numbers,
        .buffers = {{"in", JUDGE_INPUT, count, .pinned = true, .low = 0.05f, .high = 0.95f,
                     .parts = (size_t)numbers->n_items, .part = "item"},
                    {"out", JUDGE_OUTPUT, count, .pinned = true, .made_by = "consume of produce",
                     .parts = (size_t)numbers->n_items, .part = "item"}},
        .verify = verify};
}

/* After many steps the logistic map has forgotten where it began, after a few it has not. */
enum { FEW_STEPS = 6, MANY_STEPS = 3000, ITEMS = 12, ITEM = 1 << 19 };

/* So long that nothing is computed. One at a time. */
static const struct judge_scenario *long_items(struct numbers numbers, long least, long most)
{
    static struct judge_scenario s;
    static struct numbers n;
    n = numbers;
    n.n = (int)judge_draw(least, most, 4096);
    s = scenario("long items", &n);
    s.model_only = true;
    return &s;
}

static const struct judge_scenario *large(void)
{
    return long_items((struct numbers){.n_items = ITEMS, .n_slots = 3, .steps = MANY_STEPS},
                      ITEM - ITEM / 16, ITEM + ITEM / 16);
}

/* A trace that holds all the work of the large scenario: leaving some out gains nothing. */
static const struct trace *trace_large(struct judged *j)
{
    const double bytes = (double)ITEMS * judge_numbers(j)->n * sizeof(float);
    judge_run(j);
    const struct trace *t = judge_trace(j);
    size_t produced = trace_count(t, "sm", "produce*"), consumed = trace_count(t, "sm", "consume*");
    judge_asks("work_left_out");
    judge_next("for each item, copy all of its floats in, launch both kernels, and copy all of the "
               "result back");
    judge_expect(produced == ITEMS && consumed == ITEMS,
                 "the trace shows %zu produce and %zu consume kernels for %d items: each item "
                 "needs one of each",
                 produced, consumed, ITEMS);
    judge_expect(trace_bytes(t, "h2d", NULL) >= bytes && trace_bytes(t, "d2h", NULL) >= bytes,
                 "the copies in the trace move less than all items");
    judge_forget();
    return t;
}

/* ---- checks ---------------------------------------------------------------------------------- */

JUDGE_CHECK(lab02, results, 25, "Every item is right.")
{
    const int n = (int)judge_draw(3900, 4300, 1), odd = (int)judge_draw(900, 1100, 1),
              n_items = (int)judge_draw(11, 13, 1), long_n = (int)judge_draw(64000, 67000, 1);
    const struct judge_scenario
        slow_produce =
            scenario("items that take long to produce, 2 slots",
                     JUDGE_NUMBERS(.n = 512, .n_items = 6, .n_slots = 2, .steps = MANY_STEPS)),
        small =
            scenario("items of about 4096, 3 slots",
                     JUDGE_NUMBERS(.n = n, .n_items = n_items, .n_slots = 3, .steps = FEW_STEPS)),
        single = scenario("7 items of about 1000, 1 slot",
                          JUDGE_NUMBERS(.n = odd, .n_items = 7, .n_slots = 1, .steps = FEW_STEPS)),
        slow_copies = scenario("items of about 65536, 3 slots, and a busy D2H engine",
                               JUDGE_NUMBERS(.n = long_n, .n_items = n_items, .n_slots = 3,
                                             .steps = FEW_STEPS, .load = 12));
    /* first: the slots hold nothing yet */
    struct judged *j = judge_start(JUDGE_SUBMISSION, &slow_produce);
    judge_run_to_end(j, "no_final_wait");
    judge_prepare(j, &small);
    for (int i = 0; i < 3; i++)
        judge_run_to_end(j, "no_final_wait");
    judge_prepare(j, &single);
    judge_run_to_end(j, "no_final_wait");
    judge_run_next(j, &slow_copies); /* the grader's own copies may be left */
    judge_prepare(j, &small);
    judge_run_unaided(j, NULL);
}

JUDGE_CHECK(lab02, race_free, 20, "Both waits are there: no race and no leak.")
{
    judge_needs_findings();
    struct judged *j = judge_start(JUDGE_SUBMISSION, large());
    trace_large(j);
    judge_expect_no_findings(j);
}

JUDGE_CHECK(lab02, complete, 10, "lab02_wait returns after out is complete, and returns errors.")
{
    /* the last copy back takes a good part of the run: a run that does not wait for it is seen */
    const struct judge_scenario *few =
        long_items((struct numbers){.n_items = 3, .n_slots = 2, .steps = FEW_STEPS},
                   4 * ITEM - ITEM / 16, 4 * ITEM);
    judge_expect_done(judge_start(JUDGE_SUBMISSION, few), "no_final_wait");
    judge_expect_error(few);
}

/* The call that enqueues the first operation: a wait before it delays nothing. */
static const struct trace_row *first_call(const struct trace *t)
{
    const struct trace_row *copy = trace_first(t, "api", "cudaMemcpy*"),
                           *launch = trace_first(t, "api", "cudaLaunchKernel*");
    return copy && copy->start_us < launch->start_us ? copy : launch;
}

JUDGE_CHECK(lab02, no_sync, 15,
            "No call makes the host wait between the first and the last item, or creates anything.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, large());
    const struct trace *t = trace_large(j);
    const struct trace_row *last = trace_last(t, "api", "cudaLaunchKernel*");
    judge_expect(last, "the trace shows no kernel launch");
    judge_expect_that(trace_setup_calls(t) == 0, "creates_in_run");
    const double from_us = nextafter(first_call(t)->start_us, -INFINITY); /* it may wait itself */
    const struct trace_row *wait = trace_host_wait(t, from_us, last->start_us);
    if (!wait)
        return;
    judge_actual("%s at %.1f us, the last launch at %.1f us", wait->name, wait->start_us,
                 last->start_us);
    judge_ask_trace(t);
    judge_fail_that("host_waits");
}

/* The share of a run in which the host was in lab02_enqueue, at best. */
static double enqueue_share(struct judged *j)
{
    double part = INFINITY;
    for (int i = 0; i < 3; i++) {
        struct judge_run run = judge_run(j);
        part = fmin(part, judge_value(j, enqueue_us) / run.time_us);
    }
    return part;
}

JUDGE_CHECK(lab02, host_free, 15, "lab02_enqueue returns long before the work is done.")
{
    const struct judge_scenario *scenario = large();
    struct judged *j = judge_start(JUDGE_SUBMISSION, scenario);
    const double part = enqueue_share(j),
                 shortest = enqueue_share(judge_start(JUDGE_REFERENCE, scenario)),
                 most = shortest + 0.3 * (1 - shortest);
    judge_actual("the host was in lab02_enqueue for %.0f %% of the whole time", part * 100);
    judge_expected("at most %.0f %%", most * 100);
    judge_measured(part, most, "ratio");
    judge_expect_that(part <= most, "waits_in_enqueue");
}

/* Items that were produced before item i was consumed. */
static size_t produced_before(const struct trace *t, size_t i)
{
    size_t consumed = 0, produced = 0;
    double from_us = INFINITY;
    for (size_t k = 0; k < t->n_rows; k++)
        if (trace_is(&t->rows[k], "sm", "consume*") && consumed++ == i)
            from_us = t->rows[k].start_us;
    for (size_t k = 0; k < t->n_rows; k++)
        produced += trace_is(&t->rows[k], "sm", "produce*") && t->rows[k].end_us <= from_us;
    return produced;
}

/* Does a copy back run at this time? */
static bool is_copying_back(const struct trace *t, double time_us)
{
    for (size_t i = 0; i < t->n_rows; i++)
        if (trace_is(&t->rows[i], "d2h", NULL) && t->rows[i].start_us <= time_us &&
            time_us < t->rows[i].end_us)
            return true;
    return false;
}

/* Other copies keep the D2H engine busy: item 0 is not copied back yet, so item 1 is not consumed.
   Meanwhile the producer has slots for more items. (lab02_enqueue may have waited for these copies
   first.) */
static void judge_all_slots_filled(void)
{
    struct judge_scenario busy = scenario(
        "items of 65536, 3 slots, and a busy D2H engine",
        JUDGE_NUMBERS(.n = 65536, .n_items = 6, .n_slots = 3, .steps = FEW_STEPS, .load = 12));
    busy.model_only = true;
    struct judged *j = judge_run_first(&busy);
    const struct trace *t = judge_trace(j);
    const struct trace_row *first = trace_first(t, "sm", "consume*");
    const size_t ahead = produced_before(t, 1), slots = judge_numbers(j)->n_slots;
    judge_actual("%zu items were produced before item 1 was consumed", ahead);
    judge_expected("at least %zu: one for each slot", slots);
    if (!first || !is_copying_back(t, first->end_us) || ahead >= slots)
        return;
    judge_show_timeline(j);
    judge_fail_that("lockstep");
}

/* How long other work runs while results are copied back, as a share of these copies. */
static double share_beside(const struct trace *t)
{
    return (trace_overlap_us(t, "d2h", "h2d") + trace_overlap_us(t, "d2h", "sm")) /
           trace_busy_us(t, "d2h", NULL);
}

JUDGE_CHECK(lab02, overlap, 15, "The producer fills the next slot while the consumer reads one.")
{
    const struct judge_scenario *scenario = large();
    const double least =
        fmin(0.5, 0.7 * share_beside(trace_large(judge_start(JUDGE_REFERENCE, scenario))));
    struct judged *j = judge_start(JUDGE_SUBMISSION, scenario);
    const struct trace *t = trace_large(j);
    judge_show_timeline(j);
    judge_ask_trace(t);
    judge_expect_that(trace_calls(t, "cudaMemcpy") == 0 && !trace_uses_legacy_stream(t) &&
                          trace_streams(t) >= 2,
                      "cannot_overlap");
    const double part = share_beside(t), used = judge_value(j, slots_used);
    const size_t ahead = produced_before(t, 0), slots = judge_numbers(j)->n_slots;
    judge_actual("different slots of the first %zu items: %.0f", slots + 1, used);
    judge_expected("%zu", slots); /* 0: launched in another way than by launch_produce */
    judge_expect_that(used == 0 || used == (double)slots, "slots_unused");
    judge_forget();
    judge_measured(part, least, "ratio");
    if (ahead > slots) {
        judge_actual("%zu items were produced into %zu slots before the first was consumed", ahead,
                     slots);
        judge_expected("at most %zu", slots);
        judge_fail_that("records_after_waits");
    }
    judge_actual("other work during %.0f %% of the time in which results are copied back",
                 part * 100);
    judge_expected("at least %.0f %%", least * 100);
    judge_expect_that(part >= least, "lockstep");
    judge_forget();
    if (judge_device_is_simulated()) /* on a GPU, the other copies end when they please */
        judge_all_slots_filled();
}

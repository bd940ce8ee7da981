/*
 * suite.c: the suite of lab 02, from top to bottom what a submission must do.
 */
#include <math.h>

#include "kernels/kernels.h"
#include "judge/judge.h"
#include "query/trace.h"

JUDGE_LAB(.name = "lab02", .title = "a producer and a consumer, ordered by events");

/* ---- scenarios ------------------------------------------------------------------------------- */

/* Element k of an item's result: what the consumer makes of three neighbours that the producer
 * made. */
static double result_at(struct judge *j, size_t item, size_t row, size_t k)
{
    int n = (int)judge_number(j, "n"), steps = (int)judge_number(j, "steps");
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
static void verify(struct judge *j)
{
    int n = (int)judge_number(j, "n"), n_items = (int)judge_number(j, "n_items");
    judge_expect_results(j, &(struct judge_results){.buffer = "out",
                                                    .batches = (size_t)n_items,
                                                    .rows = 1,
                                                    .columns = (size_t)n,
                                                    .expected_at = result_at,
                                                    .samples = n > 100000 ? 64 : 0,
                                                    .tolerance = 1e-5,
                                                    .batch_word = "item"});
}

#define SCENARIO(words_, n_, items_, slots_, steps_, load_, ...)                                   \
    {                                                                                              \
        .name = words_,                                                                            \
        .numbers = {{"n", n_},                                                                     \
                    {"n_items", items_},                                                           \
                    {"n_slots", slots_},                                                           \
                    {"steps", steps_},                                                             \
                    {"load", load_}},                                                              \
        .buffers = {{"in", JUDGE_INPUT, (size_t)(n_) * (items_), .pinned = true, .low = 0.05f,     \
                     .high = 0.95f},                                                               \
                    {"out", JUDGE_OUTPUT, (size_t)(n_) * (items_), .pinned = true,                 \
                     .made_by = "consume of produce"}},                                            \
        .verify = verify, __VA_ARGS__                                                              \
    }

/* After many steps the logistic map has forgotten where it began, after a few it has not. */
enum { FEW_STEPS = 6, MANY_STEPS = 3000, ITEMS = 12, ITEM = 1 << 19 };

static const struct judge_scenario *large(void)
{
    static struct judge_scenario s;
    const long n = judge_draw(ITEM - ITEM / 16, ITEM + ITEM / 16, 4096);
    s = (struct judge_scenario)SCENARIO("long items", n, ITEMS, 3, MANY_STEPS, 0,
                                        .model_only = true);
    return &s;
}

/* A trace that holds all the work of the large scenario, so that nobody gains by leaving some out.
 */
static const struct trace *trace_large(struct judge *j)
{
    const double bytes = (double)ITEMS * (double)judge_number(j, "n") * sizeof(float);
    judge_run(j);
    const struct trace *t = judge_trace(j);
    size_t produced = trace_count(t, "sm", "produce*"), consumed = trace_count(t, "sm", "consume*");
    judge_expect(produced == ITEMS && consumed == ITEMS,
                 "the trace shows %zu produce and %zu consume kernels for %d items: each item "
                 "needs one of each",
                 produced, consumed, ITEMS);
    judge_expect(trace_bytes(t, "h2d", NULL) >= bytes && trace_bytes(t, "d2h", NULL) >= bytes,
                 "the copies in the trace move less than all items");
    return t;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static const struct judge_mistake no_final_wait = {
    "no_final_wait",
    "lab02_wait returned while the device was still working: it waited for the "
    "wrong stream, or for none, or that stream did not wait for the other; out "
    "cannot be read yet",
    "which piece of work comes after all the other? Wait for the "
    "stream that holds it",
    "results complete"};

static void run_to_end(struct judge *j)
{
    judge_run_to_end(j, &no_final_wait);
}

JUDGE_CHECK(lab02, results, 25, "every item is right")
{
    const long n = judge_draw(3900, 4300, 1), odd = judge_draw(900, 1100, 1),
               n_items = judge_draw(11, 13, 1), long_n = judge_draw(64000, 67000, 1);
    const struct judge_scenario slow_produce = SCENARIO("items that take long to produce, 2 slots",
                                                        512, 6, 2, MANY_STEPS, 0, .repeats = 1),
                                small = SCENARIO("items of about 4096, 3 slots", n, n_items, 3,
                                                 FEW_STEPS, 0, .repeats = 1),
                                single = SCENARIO("7 items of about 1000, 1 slot", odd, 7, 1,
                                                  FEW_STEPS, 0, .repeats = 1),
                                slow_copies =
                                    SCENARIO("items of about 65536, 3 slots, and a busy D2H engine",
                                             long_n, n_items, 3, FEW_STEPS, 12, .repeats = 1);
    /* first: the slots hold nothing yet */
    struct judge *j = judge_start(JUDGE_SUBMISSION, &slow_produce);
    run_to_end(j);
    judge_prepare(j, &small);
    for (int i = 0; i < 3; i++)
        run_to_end(j);
    judge_prepare(j, &single);
    run_to_end(j);
    judge_prepare(j, &slow_copies);
    judge_run(j); /* the grader's own copies may be left */
}

JUDGE_CHECK(lab02, race_free, 20, "both waits are there: no race, nothing left behind")
{
    judge_needs_findings();
    struct judge *j = judge_start(JUDGE_SUBMISSION, large());
    trace_large(j);
    judge_next("order: the consumer waits for `ready` before it reads a slot, the producer for "
               "`freed` before it "
               "writes one, and each is recorded behind the work it speaks of, in the same stream; "
               "a leak: "
               "lab02_teardown gives back all that lab02_setup took");
    judge_expect_no_findings(j);
}

JUDGE_CHECK(lab02, complete, 10, "lab02_wait returns when out is complete, not before")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, large());
    judge_expect_done(j, &no_final_wait);
}

JUDGE_CHECK(lab02, no_sync, 15, "no call makes the host wait between the first item and the last")
{
    struct judge *j = judge_start(JUDGE_SUBMISSION, large());
    const struct trace *t = trace_large(j);
    const struct trace_row *last = trace_last(t, "api", "cudaLaunchKernel*");
    judge_expect(last, "the trace shows no kernel launch");
    const struct trace_row *wait = trace_host_wait(t, -1, last->start_us);
    if (!wait)
        return;
    judge_actual("%s at %.1f us, the last launch at %.1f us", wait->name, wait->start_us,
                 last->start_us);
    judge_next(
        "put the order into the streams: cudaEventRecord in one, cudaStreamWaitEvent in the other");
    judge_fail("%s makes the host wait in the middle of the work: ordering two streams is the "
               "device's business, and "
               "an event can say it without the host",
               wait->name);
}

JUDGE_CHECK(lab02, host_free, 15, "lab02_enqueue returns long before the work is done")
{
    const double most = 0.3;
    double part = INFINITY;
    struct judge *j = judge_start(JUDGE_SUBMISSION, large());
    for (int i = 0; i < 3; i++) {
        struct judge_run run = judge_run(j);
        part = fmin(part, judge_value(j, "enqueue_us") / run.time_us);
    }
    judge_next("only lab02_wait may wait");
    judge_actual("the host was in lab02_enqueue for %.0f %% of the whole time", part * 100);
    judge_expected("at most %.0f %%", most * 100);
    judge_expect_at_most(part, most, "ratio",
                         "lab02_enqueue kept the host for most of the time that the work took: "
                         "something in it waits "
                         "for the device");
}

/* Items that were produced before the first one was consumed. */
static size_t produced_ahead(const struct trace *t)
{
    const struct trace_row *first = trace_first(t, "sm", "consume*");
    size_t n = 0;
    for (size_t i = 0; i < t->n_rows; i++)
        n += trace_is(&t->rows[i], "sm", "produce*") && t->rows[i].end_us <= first->start_us;
    return n;
}

JUDGE_CHECK(lab02, overlap, 15,
            "the producer works on the next item while the consumer is at the last one")
{
    const double least = 0.5;
    struct judge *j = judge_start(JUDGE_SUBMISSION, large());
    const struct trace *t = trace_large(j);
    judge_show_timeline(j);
    size_t streams = trace_streams(t);
    judge_next("H2D and produce in state->producer, consume and D2H in state->consumer, and wait "
               "only for what is "
               "needed");
    judge_expect(!trace_uses_legacy_stream(t),
                 "work is on the legacy default stream (stream 0, or a cudaMemcpy): blocking "
                 "streams wait for it and "
                 "it for them, and with cudaStreamNonBlocking ones it has no order at all");
    judge_expect(streams >= 2, "everything is on one stream: what is in one stream never overlaps");
    double both_us = trace_overlap_us(t, "d2h", "h2d") + trace_overlap_us(t, "d2h", "sm");
    double part = both_us / trace_busy_us(t, "d2h", NULL);
    size_t ahead = produced_ahead(t), slots = (size_t)judge_number(j, "n_slots");
    judge_measured(part, least, "ratio");
    judge_actual("other work during %.0f %% of the time in which results are copied back",
                 part * 100);
    judge_expected("%.0f %% and more", least * 100);
    if (part < least && ahead > slots) {
        judge_next("for each item in turn queue the producer's part, then the consumer's: a wait "
                   "is for the last "
                   "record that was called before it");
        judge_fail("%zu items were produced into %zu slots before the first was consumed: what the "
                   "producer waited "
                   "for had not been recorded when it called the wait, so nothing held it back",
                   ahead, slots);
    }
    judge_expect_at_least(part, least, "ratio",
                          "while results are copied back the producer does nothing: the streams "
                          "take turns, so one of "
                          "them waits for more than it needs");
}

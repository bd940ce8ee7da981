/* suite.c: the suite of lab 13, from top to bottom what a server must do. Nothing here asks how it
 * does it. */
#include <math.h>

#include "expected.h"
#include "exchange.h"
#include "judge/judge.h"
#include "labs/lab13/causes.h"
#include "labs/lab13/mistakes.h"
#include "query/trace.h"

JUDGE_LAB(.name = "lab13", .title = "a server for a language model's decoder", .is_open = true,
          .rules = &lab13_rules,
          .endless = "lab13_serve waits for a request or a token that never comes");

/* ---- scenarios ------------------------------------------------------------------------------- */

static void make(struct judge_scenario *s)
{
    const struct numbers *n = s->numbers;
    s->buffers[0] =
        (struct judge_buffer){.name = "tokens",
                              .direction = JUDGE_OUTPUT,
                              .count = (size_t)n->drawing.n * (size_t)n->drawing.tokens};
    if (!n->journal)
        return;
    s->buffers[1] = (struct judge_buffer){.name = "journal",
                                          .direction = JUDGE_OUTPUT,
                                          .count = 1 + (size_t)SERVE_JOURNAL_ENTRIES * LAB13_ENTRY};
    s->buffers[2] = (struct judge_buffer){.name = "samplers",
                                          .direction = JUDGE_OUTPUT,
                                          .count = s->buffers[0].count * LAB13_SAMPLER};
}

#define SCENARIO .make = make, .drawn = JUDGE_DRAWN(seed), .spread = JUDGE_SEED - 1

/* Small ones: a model of `layers` x 64. Two layers if tokens are verified. The other arguments are
   members of struct lab13_drawing. */
enum { TOKENS = 12, LONG_TOKENS = 2 * TOKENS };
#define SMALL(layers, gap_us_, blocks_, tokens_, ...)                                              \
    .model = {.n_layers = layers, .n_heads = 1, .n_positions = 192}, .seed = JUDGE_SEED,           \
    .drawing = {.prompt = 24, .tokens = tokens_, .gap_us = gap_us_, __VA_ARGS__},                  \
    .blocks = blocks_

/* A request that needs all positions has 12 blocks; most need one or two. */
enum { FEW_BLOCKS = 14, MANY_BLOCKS = 60 };

/* ---- order, rows and blocks ------------------------------------------------------------------ */

static const struct judge_scenario unverified = {
    SCENARIO, .name = "6 requests, one of them with 175 to 180 prompt tokens",
    .numbers = JUDGE_NUMBERS(SMALL(1, 30, MANY_BLOCKS, TOKENS, .pattern = LAB13_ONE_LONG, .n = 6,
                                   .long_prompt = 180, .is_sampled = 1))};
static const struct judge_scenario unverified_tight = {
    SCENARIO, .name = "20 requests in bursts of 16, memory for about 9 of them",
    .numbers = JUDGE_NUMBERS(SMALL(1, 15, FEW_BLOCKS, TOKENS, .pattern = LAB13_BURST, .n = 20)),
    .model_only = true};

JUDGE_CHECK(lab13, race_free, 10, "There is no race and no leak.")
{
    judge_needs_findings();
    struct judged *j = judge_run_first(&unverified);
    judge_expect_not_noted(LAB13_NEVER_WAITS); /* after most kernels before it, that is no race */
    judge_expect_not_noted(LAB13_SCRATCH_OVERLAPS); /* the rows of this load may be too few */
    judge_expect_no_findings(j);
}

/* So many requests at the same time, each of one block, and so many blocks. */
#define ONE_BLOCK_EACH(requests_, blocks_)                                                         \
    JUDGE_NUMBERS(.model = {.n_layers = 1, .n_heads = 1, .n_positions = 192}, .seed = JUDGE_SEED,  \
                  .drawing = {.pattern = LAB13_STEADY,                                             \
                              .n = requests_,                                                      \
                              .prompt = 2,                                                         \
                              .tokens = DECODE_BLOCK - 2},                                         \
                  .blocks = blocks_, .journal = true)

/* Which request has a row, and which token and block? */
static const struct judge_scenario journaled[] = {
    {SCENARIO, .name = "20 requests in bursts of 16, memory for about 7 of them",
     .numbers = JUDGE_NUMBERS(
         SMALL(2, 15, FEW_BLOCKS, LONG_TOKENS, .pattern = LAB13_BURST, .n = 20, .ends_alone = 1),
         .journal = true),
     .verify = lab13_verify_blocks},
    {SCENARIO, .name = "20 requests at steady intervals, and each lab->deliver takes 300 us",
     .numbers = JUDGE_NUMBERS(SMALL(1, 30, FEW_BLOCKS, TOKENS, .pattern = LAB13_STEADY, .n = 20),
                              .journal = true, .late = 300 /* the time of several steps */),
     .verify = lab13_verify_blocks},
    {SCENARIO, .name = "40 requests at the same time, each of one block, memory for fewer",
     .numbers = ONE_BLOCK_EACH(40, FEW_BLOCKS), .verify = lab13_verify_blocks},
    {SCENARIO, .name = "100 requests at the same time, each of one block, memory for all",
     .numbers = ONE_BLOCK_EACH(100, 110), .verify = lab13_verify_blocks}};

JUDGE_CHECK(lab13, blocks, 10, "Each row has a token and a block of its own request.")
{
    struct judged *j = judge_run_first(&journaled[0]);
    judge_try("again");
    judge_run(j); /* a slot that the first run freed twice has two requests now */
    judge_run_next(j, &journaled[1]);
    judge_prepare(j, &journaled[2]); /* what one request frees, the next one gets at once */
    judge_run(j);
    judge_prepare(j, &journaled[3]); /* there are slots for fewer */
    judge_run(j);
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static void verify_alone(struct judged *j)
{
    lab13_verify_tokens(j);
    judge_expect_that(!lab13_keeps_waiting(j), "waits_in_receive");
}

static const struct judge_scenario alone = {
    SCENARIO, .tries = "alone", .name = "4 requests, each after the one before is done",
    .numbers = JUDGE_NUMBERS(SMALL(2, 15, MANY_BLOCKS, TOKENS, .pattern = LAB13_APART, .n = 4)),
    .verify = verify_alone};
static const struct judge_scenario tight = {
    SCENARIO, .name = "16 requests at the same time, memory for about 9 of them",
    .numbers = JUDGE_NUMBERS(SMALL(2, 15, FEW_BLOCKS, TOKENS, .pattern = LAB13_BURST, .n = 16)),
    .verify = lab13_verify_tokens};
static const struct judge_scenario arriving = {
    SCENARIO, .name = "12 requests at steady intervals",
    .numbers = JUDGE_NUMBERS(SMALL(2, 30, MANY_BLOCKS, TOKENS, .pattern = LAB13_STEADY, .n = 12)),
    .verify = lab13_verify_tokens};

/* Of a slot or a block that is not free again, one is lost for each request, or for some. That
   shows as requests that get no tokens; which tokens the others get does not matter. */
static const struct judge_scenario many_runs = {
    SCENARIO, .tries = "again",
    .name = "20 requests in bursts of 16, memory for about 9 of them, in each of 24 runs",
    .numbers = JUDGE_NUMBERS(SMALL(1, 15, FEW_BLOCKS, TOKENS, .pattern = LAB13_BURST, .n = 20)),
    .model_only = true};
enum { MANY_RUNS = 24 };

JUDGE_CHECK(lab13, tokens, 20, "Each request gets the tokens that it would get alone.")
{
    struct judged *j = judge_run_first(&alone);
    judge_run_next(j, &arriving);
    judge_run_next(j, &tight);
    judge_stop(j);
    j = judge_start(JUDGE_SUBMISSION, &many_runs);
    judge_run_to_end(j, "unfinished");
    for (int i = 0; i < MANY_RUNS; i++) {
        judge_run(j);
        lab13_expect_all_delivered(j);
    }
}

static const struct judge_scenario sampled = {
    SCENARIO, .name = "24 requests in bursts of 16, temperatures of 0 and above",
    .numbers = JUDGE_NUMBERS(
        SMALL(1, 15, FEW_BLOCKS, TOKENS, .pattern = LAB13_BURST, .n = 24, .is_sampled = 1),
        .journal = true),
    .verify = lab13_verify_tokens};

JUDGE_CHECK(lab13, sampling, 10,
            "Sampled tokens depend on the request's seed, and on nothing else.")
{
    struct judged *j = judge_run_first(&sampled);
    judge_run(j);
}

static const struct judge_scenario one_long = {
    SCENARIO, .tries = "long", .name = "6 requests, one of them with 175 to 180 prompt tokens",
    .numbers = JUDGE_NUMBERS(
        SMALL(2, 30, MANY_BLOCKS, TOKENS, .pattern = LAB13_ONE_LONG, .n = 6, .long_prompt = 180)),
    .verify = lab13_verify_tokens};
static const struct judge_scenario becomes_long = {
    SCENARIO, .tries = "long", .name = "6 requests, one of them grows beyond SERVE_SHORT",
    .numbers = JUDGE_NUMBERS(SMALL(1, 30, MANY_BLOCKS, TOKENS, .pattern = LAB13_ONE_LONG, .n = 6,
                                   .long_prompt = SERVE_SHORT)),
    .verify = lab13_verify_tokens};

static const struct judge_scenario all_short = {
    SCENARIO, .name = "6 requests at steady intervals",
    .numbers = JUDGE_NUMBERS(SMALL(1, 30, MANY_BLOCKS, TOKENS, .pattern = LAB13_STEADY, .n = 6))};

JUDGE_CHECK(lab13, long_context, 10, "Sequences longer than SERVE_SHORT get the right tokens.")
{
    struct judged *j =
        judge_run_first(&all_short); /* what fails there has nothing to do with the length */
    judge_run_next(j, &becomes_long);
    judge_run_next(j, &one_long);
}

/* ---- memory ------------------------------------------------------------------------ */

JUDGE_CHECK(lab13, memory, 5, "The lab never has more device memory than its budget.")
{
    struct judged *j = judge_run_first(&unverified_tight);
    judge_expect_bytes(judge_own_bytes(j), judge_value(j, budget_bytes), "memory_bytes",
                       "over_budget");
}

/* Calls that belong to lab13_setup. */
static const char *const refused[] = {"cudaGraphInstantiate*", "cudaStreamBeginCapture*",
                                      "cudaGraphExecUpdate",   "cudaGraphUpload",
                                      "cudaMalloc*",           "cudaFree*",
                                      "cudaHostAlloc",         "cudaHostRegister",
                                      "cudaEventCreate*",      "cudaStreamCreate*"};

JUDGE_CHECK(lab13, steady, 5, "lab13_serve creates and allocates nothing, and returns errors.")
{
    struct judge_scenario s = unverified;
    s.model_only = true;
    struct judged *j = judge_run_first(&s);
    judge_expect_not_noted(LAB13_NOT_UPLOADED);
    judge_prepare(j, &s); /* what a first run makes, a second one has */
    const struct trace *t = judge_trace(j);
    judge_show_timeline(j);
    judge_ask_trace(t);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const size_t n = trace_calls(t, refused[i]);
        judge_actual("calls of %s in lab13_serve: %zu", refused[i], n);
        judge_expected("none");
        judge_expect_that(n == 0, NULL);
    }
    judge_expect_error(&s);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* 4 layers x 768. The arguments after the blocks are members of struct lab13_drawing. */
#define TIMED(words_, blocks_, ...)                                                                \
    {                                                                                              \
        SCENARIO,                                                                                  \
            .name = words_,                                                                        \
            .numbers =                                                                             \
                JUDGE_NUMBERS(.model = {.n_layers = 4, .n_heads = 12, .n_positions = 640},         \
                              .drawing = {__VA_ARGS__}, .seed = JUDGE_SEED, .blocks = blocks_),    \
            .model_only = true                                                                     \
    }
#define MIXED .n = 40, .prompt = 96, .long_prompt = 512, .tokens = 24
static const struct judge_scenario all_at_once =
    TIMED("4 layers x 768, 40 requests at the same time", 110, MIXED, .pattern = LAB13_STEADY);

/* Times between two requests depend on the device: the load is how many requests arrive while the
   reference could serve one. */
static const struct pattern {
    struct judge_scenario scenario;
    double load;
    const char *words;
} patterns[] = {
    {TIMED("4 layers x 768, 40 requests at steady intervals", 110, MIXED, .pattern = LAB13_STEADY),
     0.7, "steady"},
    {TIMED("4 layers x 768, 40 requests in bursts of 16", 110, MIXED, .pattern = LAB13_BURST), 1.2,
     "bursts"},
    {TIMED("4 layers x 768, 40 requests, one of them with 448 to 512 prompt tokens", 110, MIXED,
           .pattern = LAB13_ONE_LONG),
     0.7, "one long"},
    {TIMED("4 layers x 768, 128 requests with short prompts at the same time", 72,
           .pattern = LAB13_STEADY, .n = 128, .prompt = 4, .tokens = 40),
     INFINITY, "crowd"}};
/* The last one fills the budget and more than half of the rows. Its latencies are those of a
 * queue. */
enum { PATTERNS = sizeof patterns / sizeof patterns[0], ARRIVING = PATTERNS - 1 };

/* On a GPU the first run warms up. */
static void run_warm(struct judged *j)
{
    judge_run(j);
    if (!judge_device_is_simulated())
        judge_run(j);
}

struct both {
    struct judged *submission, *reference;
    double request_us; /* that the reference needs while it is never without work */
};

static struct both start_both(void)
{
    struct both both = {.reference = judge_start(JUDGE_REFERENCE, &all_at_once)};
    run_warm(both.reference);
    both.request_us =
        judge_value(both.reference, run_us) / judge_numbers(both.reference)->drawing.n;
    return both;
}

/* For pattern number i. */
static void prepare_both(struct both *both, int i)
{
    struct judge_scenario s = patterns[i].scenario;
    struct numbers numbers = *s.numbers;
    numbers.drawing.gap_us = both->request_us / patterns[i].load;
    s.numbers = &numbers;
    judge_prepare(both->reference, &s);
    numbers.journal = judge_device_is_simulated();
    both->submission = judge_turn_to(both->submission, &s);
}

/* Of the reference's figure. A percentile may be longer: another design may prefer new requests to
   running ones, or the other way round. */
static const double PER_TOKEN = 1.1, PERCENTILE = 1.5;

/* Of a run that is too slow. */
static struct judged *timed_reference;

static void too_slow(struct judged *j)
{
    if (judge_device_is_simulated())
        judge_show_timeline(j);
    lab13_ask_why(j, timed_reference);
}

static double read_us; /* to read all weights; 0: not measured yet */

/* Of a token, as token_us is. No request is done before it has arrived and each of its tokens had a
   step, which reads all weights. */
static double no_less_us(struct judged *reference)
{
    const struct lab13_drawing d = lab13_drawing_of(reference);
    double least_us = 0;
    read_us = read_us > 0 ? read_us : judge_floor_value(reference, read_us);
    for (int i = 0; i < d.n; i++) {
        const struct lab13_drawn r = lab13_draw(&d, i);
        least_us = fmax(least_us, r.after_us + r.n_tokens * read_us);
    }
    return least_us / lab13_tokens_of(reference);
}

/* The first of the three checks of time measures for the others, too. */
static struct judge_times measure(struct both *both, int i, const struct judge_race *figure)
{
    prepare_both(both, i);
    struct judge_race race = *figure;
    race.submission = both->submission;
    race.reference = both->reference;
    race.look = lab13_look;
    race.too_slow = too_slow;
    timed_reference = both->reference;
    const struct judge_times times = judge_expect_time(&race);
    judge_expect_timed_bytes(both->submission, judge_value(both->submission, budget_bytes),
                             "over_budget");
    judge_share_times(patterns[i].words, &race);
    return times;
}

/* The figure of the first n_patterns patterns, against the reference's. */
static void expect_figure(const struct judge_race *figure, int n_patterns, const char *next)
{
    char note[200] = "";
    size_t used = 0;
    struct both both = {NULL};
    for (int i = 0; i < n_patterns; i++) {
        struct judge_times times;
        if (!judge_knows_time(patterns[i].words, figure->value, figure->at_most, &times)) {
            if (!both.reference)
                both = start_both();
            judge_next("%s", next);
            times = measure(&both, i, figure);
        }
        used +=
            (size_t)snprintf(note + used, sizeof note - used, "%s%s: %.1f us (reference %.1f)",
                             i ? "; " : "", patterns[i].words, times.time_us, times.reference_us);
    }
    judge_note("%s", note);
}

JUDGE_CHECK(lab13, throughput, 10, "Time per token: at most 1.1 times the reference's.")
{
    expect_figure(
        &(struct judge_race){.value = FIGURE(token_us),
                             .at_most = PER_TOKEN,
                             .floor_us = no_less_us,
                             .also = (struct figure[]){FIGURE(first_us), FIGURE(between_us), {0}},
                             .slow = "The server delivers fewer tokens per second than it could."},
        PATTERNS,
        "how many rows of requests and of padding does a step have while other requests wait? Is a "
        "step with short sequences one launch, and what does the device do between two steps?");
}

JUDGE_CHECK(lab13, first_token, 10,
            "Time to the first token, 99th percentile: at most 1.5 times the reference's.")
{
    expect_figure(
        &(struct judge_race){.value = FIGURE(first_us),
                             .at_most = PERCENTILE,
                             .slow = "New requests wait too long for their first token."},
        ARRIVING,
        "what does a request wait for, from its arrival to the step with the last token of its "
        "prompt?");
}

JUDGE_CHECK(lab13, between_tokens, 10,
            "Time between two tokens, 99th percentile: at most 1.5 times the reference's.")
{
    expect_figure(
        &(struct judge_race){.value = FIGURE(between_us),
                             .at_most = PERCENTILE,
                             .slow = "Running requests wait too long for their next token."},
        ARRIVING,
        "how many rows of prompts may a step have, and what runs between two steps of a request?");
}

/* ---- bonus ----------------------------------------------------------------------------------- */

enum { SCORES = 3 };

static struct figure score(int k)
{
    return (struct figure[SCORES]){FIGURE(token_us), FIGURE(first_us), FIGURE(between_us)}[k];
}

/* How many times as good as the reference in pattern i, if a check of time has not failed there. */
static bool knows_score(int i, double times[SCORES])
{
    struct judge_times known;
    bool all = true;
    for (int k = 0; k < SCORES && all; k++) {
        all = judge_knows_time(patterns[i].words, score(k), INFINITY, &known);
        times[k] = 1 / known.ratio;
    }
    return all;
}

static void measure_score(struct both *both, int i, double times[SCORES])
{
    if (!both->reference)
        *both = start_both();
    prepare_both(both, i);
    run_warm(both->submission);
    run_warm(both->reference);
    for (int k = 0; k < SCORES; k++)
        times[k] = judge_reported(both->reference, score(k)) /
                   fmax(judge_reported(both->submission, score(k)), 1e-3);
}

/* "0.81 in WHAT (steady 0.80, bursts 0.71, one long 0.94)", the first of which is the geometric
 * mean */
static void put_score(char text[160], double times[ARRIVING][SCORES], int k, const char *what)
{
    double logarithms = 0;
    for (int i = 0; i < ARRIVING; i++)
        logarithms += log(times[i][k]) / ARRIVING;
    int n = snprintf(text, 160, "%.2f in %s (", exp(logarithms), what);
    for (int i = 0; i < ARRIVING; i++)
        n += snprintf(text + n, 160 - (size_t)n, "%s%s %.2f", i ? ", " : "", patterns[i].words,
                      times[i][k]);
    snprintf(text + n, 160 - (size_t)n, ")");
}

JUDGE_CHECK(lab13, beyond, 0, "No points: how good is the server, beside the reference?")
{
    double times[ARRIVING][SCORES];
    char words[SCORES][160];
    struct both both = {NULL};
    for (int i = 0; i < ARRIVING; i++)
        if (!knows_score(i, times[i]))
            measure_score(&both, i, times[i]);
    put_score(words[0], times, 0, "tokens per second");
    put_score(words[1], times, 1, "the time to the first token");
    put_score(words[2], times, 2, "the time between tokens");
    judge_note("times as good as the reference: %s, %s, %s", words[0], words[1], words[2]);
}

/* ---- diagnosis ------------------------------------------------------------------------------- */

/* Fewer requests fit than arrive; the last ones run when no other ones wait. */
#define CROWD(blocks_)                                                                             \
    {                                                                                              \
        SCENARIO,                                                                                  \
            .name = "48 requests at the same time",                                                \
            .numbers =                                                                             \
                JUDGE_NUMBERS(SMALL(1, 0, blocks_, LONG_TOKENS, .pattern = LAB13_STEADY, .n = 48), \
                              .journal = true)                                                     \
    }
static const struct judge_scenario crowd = CROWD(30), roomy = CROWD(150);

JUDGE_DIAGNOSIS(lab13)
{
    if (!judge_is_unexplained("throughput") && !judge_is_unexplained("first_token") &&
        !judge_is_unexplained("between_tokens"))
        return;
    struct judged *j = judge_run_first(&crowd), *reference = judge_start(JUDGE_REFERENCE, &crowd);
    judge_run(reference);
    lab13_compare_steps(j, reference, &roomy);
}

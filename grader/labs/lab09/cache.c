/* cache.c: the cache of lab 09 against what it should find, keep and evict. */
#include "expected.h"

#include "exchange.h"
#include "requests.h"

/* ---- the lookup ------------------------------------------------------------------------------ */

static const struct judge_scenario two_addresses =
    UNVERIFIED("4 requests of one shape, inputs at two addresses", .sequence = SAME_SHAPE,
               .requests = 4, .streams = 1, .inputs = 2, .max_execs = 4, .max_floats = AMPLE);
static const struct judge_scenario one_address =
    UNVERIFIED("4 requests of 4 shapes, inputs at one address", .sequence = FOUR_KEYS,
               .requests = 4, .streams = 1, .inputs = 1, .max_execs = 4, .max_floats = AMPLE);

/* The request is captured although its shape is in the cache. For an entry that the lookup
   does not find, another workspace is allocated. */
static const char *mistake_of_capture(struct judged *j, size_t request)
{
    return lab09_noted(j, request, LOG_ALLOCATED) > 0 ? "never_found" : "captured_on_hit";
}

/* Finds the lookup each shape that was requested before, and no other one? */
void lab09_expect_lookup(struct judged *j)
{
    judge_run_next(j, &two_addresses);
    judge_expect_that(lab09_captured(j, 0), "no_graph");
    judge_expect_that(!lab09_captured(j, 1) || lab09_noted(j, 0, LOG_STREAMED) == 0,
                      "capture_fails");
    judge_expect_that(!lab09_captured(j, 1) || !lab09_captured(j, 2), mistake_of_capture(j, 1));
    judge_expect_that(!lab09_captured(j, 1), "key_has_address");
    judge_run_next(j, &one_address);
    for (size_t i = 1; i < judge_numbers(j)->requests; i++)
        judge_expect_that(lab09_captured(j, i) || lab09_noted(j, i, LOG_STREAMED) == 0, "no_graph");
    judge_expect_that(lab09_captured(j, 1) && lab09_captured(j, 2) && lab09_captured(j, 3),
                      "key_incomplete");
}

/* ---- evictions ------------------------------------------------------------------------------- */

/* The model's answers for all requests of the first run, which found an empty cache. */
struct model lab09_model_of(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    return (struct model){.max_execs = (int)numbers->max_execs,
                          .max_floats = (int)numbers->max_floats};
}

/* A new entry has a new workspace. */
void lab09_expect_allocated(struct judged *j, size_t request)
{
    if (!lab09_captured(j, request) || lab09_noted(j, request, LOG_ALLOCATED) > 0)
        return;
    judge_actual("request %zu is a miss, and its entry has the workspace of an earlier one",
                 request);
    judge_expected("a miss allocates a workspace");
    judge_fail_that("uses_evicted_entry");
}

/* The first run of j, request by request, against the model. */
static void expect_model(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    struct model m = lab09_model_of(j);
    int n_evicted = 0;
    for (size_t i = 0; i < numbers->requests; i++) {
        const struct lab09_shape shape = lab09_shape(j, i);
        const struct model_step step = model_serve(&m, shape);
        const int evicted = (int)lab09_noted(j, i, LOG_RELEASED);
        n_evicted += step.evicted;
        judge_actual("request %zu (n %d, n_steps %d): %s, %d evicted", i, shape.n, shape.n_steps,
                     lab09_captured(j, i) ? "miss" : "hit", evicted);
        judge_expected("%s, %d evicted (%zu entries, %zu floats at most)",
                       step.hit ? "hit" : "miss", step.evicted, numbers->max_execs,
                       numbers->max_floats);
        judge_expect_that(!step.hit || !lab09_captured(j, i),
                          n_evicted ? "evicted_early" : "never_found");
        judge_expect_that(step.hit || lab09_captured(j, i),
                          evicted ? "keeps_evicted_exec" : "evicts_wrong_entry");
        lab09_expect_allocated(j, i);
        judge_expect_that(evicted >= step.evicted, "keeps_workspace");
    }
    judge_forget();
}

void lab09_expect_found(struct judged *j)
{
    struct model m = lab09_model_of(j);
    float released = 0;
    for (size_t i = 0; i < judge_numbers(j)->requests && released == 0; i++) {
        const struct lab09_shape shape = lab09_shape(j, i);
        judge_actual("request %zu (n %d, n_steps %d) is captured again", i, shape.n, shape.n_steps);
        judge_expected("a hit: nothing has been evicted before");
        judge_expect_that(!model_serve(&m, shape).hit || !lab09_captured(j, i),
                          mistake_of_capture(j, i));
        released += lab09_noted(j, i, LOG_RELEASED);
    }
    judge_forget();
}

static const struct judge_scenario three_of_four =
    UNVERIFIED("6 requests, room for 3 of 4 shapes", .sequence = ONE_TOO_MANY, .requests = 6,
               .streams = 1, .inputs = 6, .max_execs = 3, .max_floats = AMPLE);
static const struct judge_scenario used_again = TRYING(
    "hit_counts", "6 requests, room for 3 of 4 shapes, one used again", .sequence = HIT_COUNTS,
    .requests = 6, .streams = 1, .inputs = 6, .max_execs = 3, .max_floats = AMPLE);
static const struct judge_scenario in_circles =
    UNVERIFIED("16 requests, 4 shapes in a cycle, room for 3", .sequence = CYCLE, .requests = 16,
               .streams = 1, .inputs = 16, .max_execs = 3, .max_floats = AMPLE);
static const struct judge_scenario random_shapes =
    UNVERIFIED("64 requests of random shapes, room for 4", .sequence = AT_RANDOM, .requests = 64,
               .streams = 1, .inputs = 64, .max_execs = 4, .max_floats = 3 * LAB09_MAX_N);

/* Hits, misses and evictions of four scenarios against the model. */
void lab09_expect_lru(struct judged *j)
{
    static const struct judge_scenario *const asked[] = {&three_of_four, &used_again, &in_circles,
                                                         &random_shapes};
    lab09_expect_lookup(j);
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        judge_run_next(j, asked[i]);
        expect_model(j);
    }
}

void lab09_expect_execs(struct judged *j, size_t execs)
{
    const struct numbers *numbers = judge_numbers(j);
    const size_t most = numbers->max_execs;
    size_t streamed = 0;
    for (size_t i = 0; i < numbers->requests; i++)
        streamed += lab09_noted(j, i, LOG_STREAMED) > 0;
    judge_measured((double)execs, (double)most, "executable graphs");
    judge_actual("%zu executable graphs; %zu requests are served with stream launches", execs,
                 streamed);
    judge_expected("at most %zu; none", most);
    judge_fact_number("streamed", (double)streamed);
    judge_expect_that(execs <= most, "too_many_execs");
    judge_forget();
}

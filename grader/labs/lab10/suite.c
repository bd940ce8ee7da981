/* suite.c: the suite of lab 10, from top to bottom what a submission must do. */
#include <math.h>

#include "exchange.h"
#include "expected.h"
#include "judge/judge.h"
#include "labs/lab10/mistakes.h"
#include "labs/lab10_conditional/lab.h"
#include "query/trace.h"
#include "session/session.h"

/* The graph has a SWITCH node. */
static const struct judge_need needs[] = {{.cuda = 12080}};

JUDGE_LAB(.name = "lab10", .needs = needs, .n_needs = 1,
          .title = "iterate until it is good enough, with no host in the loop", .limit_s = 5,
          .total_s = 15, .rules = &lab10_rules);

/* A kernel read the control block before anything had written it. */
bool lab10_of_control(const struct facts *f)
{
    return f->event->finding.memory.bytes == sizeof(struct lab10_control);
}

/* ---- scenarios ------------------------------------------------------------------------------- */

static void make(struct judge_scenario *s)
{
    const size_t count = (size_t)(s->numbers->n * s->numbers->n);
    s->buffers[0] = (struct judge_buffer){"b", JUDGE_INPUT, count, .low = -1, .high = 1};
    s->buffers[1] =
        (struct judge_buffer){"x", JUDGE_OUTPUT, count, .made_by = "jacobi_double or widen"};
    s->buffers[2] =
        (struct judge_buffer){.name = "x_rest", .direction = JUDGE_OUTPUT, .count = count};
    s->fill = lab10_fill;
}

#define SCENARIO(words_, verify_, ...)                                                             \
    {                                                                                              \
        .name = words_, .numbers = JUDGE_NUMBERS(__VA_ARGS__), .drawn = JUDGE_DRAWN(n),            \
        .make = make, .verify = verify_                                                            \
    }
/* With one size: the iterations with checks depend on it. */
#define QUIET(words_, verify_, ...)                                                                \
    {                                                                                              \
        .name = words_, .numbers = JUDGE_NUMBERS(__VA_ARGS__, .scale = 1, .quiet_middle = true),   \
        .make = make, .verify = verify_                                                            \
    }

/* MOST_ROUNDS: three times as many iterations as any b takes. */
enum { SWEEPS = 4, MOST_ROUNDS = 200 };

static const struct judge_scenario plain =
    SCENARIO("64 x 64, 4 sweeps per iteration", lab10_verify, .n = 64, .sweeps = SWEEPS,
             .max_iterations = MOST_ROUNDS, .shift = 0.2f, .tolerance = 1e-3f, .scale = 1);
static const struct judge_scenario odd =
    SCENARIO("33 x 33, 2 sweeps per iteration", lab10_verify_checks, .n = 33, .sweeps = 2,
             .max_iterations = MOST_ROUNDS, .shift = 0.1f, .tolerance = 5e-4f, .scale = 1);
static const struct judge_scenario many_sweeps =
    SCENARIO("40 x 40, 6 sweeps per iteration", lab10_verify_checks, .n = 40, .sweeps = 6,
             .max_iterations = MOST_ROUNDS, .shift = 0.1f, .tolerance = 2e-4f, .scale = 1);
/* On both sides of LAB10_FLOAT_LIMIT, at most a factor of two from it. */
static const struct judge_scenario large_b =
    SCENARIO("48 x 48, b up to 40 and its last one 80, tolerance 0.0005", lab10_verify, .n = 48,
             .sweeps = SWEEPS, .max_iterations = MOST_ROUNDS, .shift = 0.2f, .tolerance = 5e-4f,
             .scale = 40, .largest_last = true);
static const struct judge_scenario changing =
    SCENARIO("48 x 48, b up to 50 and up to 200 in turns", lab10_verify, .n = 48, .sweeps = SWEEPS,
             .max_iterations = MOST_ROUNDS, .shift = 0.2f, .tolerance = 1e-3f, .scale = 50,
             .scale_next = 200);
/* Probe and change are equal to the tolerance. */
static const struct judge_scenario equal =
    SCENARIO("20 x 20, b and tolerance 0", lab10_verify_checks, .n = 20, .sweeps = 2,
             .max_iterations = MOST_ROUNDS, .shift = 0.2f);
static const struct judge_scenario hopeless =
    SCENARIO("32 x 32, max_iterations 10, unsolved", lab10_verify, .n = 32, .sweeps = SWEEPS,
             .max_iterations = 10, .shift = 0.01f, .tolerance = 1e-4f, .scale = 1);
/* The probe asks for checks in the first iterations, then for none, and again at the end. */
static const struct judge_scenario quiet =
    QUIET("24 x 24, b is 0 in the middle", lab10_verify_checks, .n = 24, .sweeps = SWEEPS,
          .max_iterations = MOST_ROUNDS, .shift = 0.02f, .tolerance = 2e-3f);
/* Few enough iterations for a picture, the first ones with checks. */
static const struct judge_scenario few_called =
    QUIET("24 x 24, max_iterations 7, b is 0 in the middle", NULL, .n = 24, .sweeps = SWEEPS,
          .max_iterations = 7, .shift = 0.02f, .tolerance = 2e-3f);
/* The probe asks for a check in every iteration, the last one included, and none of them ends the
 * loop.
 */
static const struct judge_scenario hopeless_checked =
    QUIET("32 x 32, max_iterations 6, unsolved, a check in each iteration", lab10_verify, .n = 32,
          .sweeps = SWEEPS, .max_iterations = 6, .shift = 0.01f, .tolerance = 6e-3f);
/* The same b, so that submission and reference have the same number of iterations. */
static const struct judge_scenario timed = SCENARIO(
    "128 x 128, 4 sweeps per iteration", lab10_verify, .n = 128, .sweeps = SWEEPS,
    .max_iterations = MOST_ROUNDS, .shift = 0.1f, .tolerance = 1e-3f, .scale = 1, .same_b = true);

/* ---- kernels alone --------------------------------------------------------------------------- */

JUDGE_CHECK(lab10, plan, 5, "`plan` chooses the precision, and the body of the SWITCH.")
{
    lab10_expect_alone(ALONE_PLAN);
}

JUDGE_CHECK(lab10, step, 5, "`step` counts, asks for a check if one is needed, and ends the loop.")
{
    lab10_expect_alone(ALONE_STEP);
}

JUDGE_CHECK(lab10, decide, 5, "`decide` ends the loop if x is good enough.")
{
    lab10_expect_alone(ALONE_DECIDE);
}

/* ---- results --------------------------------------------------------------------------------- */

JUDGE_CHECK(lab10, results, 10, "x and the number of iterations are right in every call.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &plain);
    for (int i = 0; i < 2; i++)
        judge_expect_done(j, "no_final_wait");
    judge_run_unaided(j, NULL);
}

JUDGE_CHECK(lab10, checks, 10, "A check runs if the probe requires one, and only then.")
{
    struct judged *j = judge_run_first(&odd);
    judge_run_next(j, &many_sweeps);
    judge_run_next(j, &quiet);
    judge_run(j);
    struct judge_scenario limited[] = {hopeless_checked, few_called};
    for (int i = 0; i < 2; i++) {
        limited[i].verify = lab10_verify_checks;
        judge_run_next(j, &limited[i]);
    }
    judge_run_next(j, &equal);
}

JUDGE_CHECK(lab10, limit, 10, "The loop ends after max_iterations iterations, solved or not.")
{
    struct judged *j = judge_run_first(&hopeless);
    judge_run_next(j, &hopeless_checked);
    judge_run(j);
}

JUDGE_CHECK(lab10, precision, 10, "The device chooses float or double in each launch.")
{
    struct judged *j = judge_run_first(&large_b);
    judge_prepare(j, &changing);
    for (int i = 0; i < 4; i++)
        judge_run(j);
}

JUDGE_CHECK(lab10, race_free, 5, "No race, no uninitialized read, no leak. Errors are returned.")
{
    struct judge_scenario unverified = changing;
    unverified.verify = NULL;
    judge_needs_findings();
    struct judged *j = judge_run_first(&unverified);
    judge_run(j);
    judge_expect_no_findings(j);
    judge_expect_error(&equal);
}

/* ---- the graph ------------------------------------------------------------------------------- */

JUDGE_CHECK(lab10, bodies, 10,
            "SWITCH, WHILE and IF have their bodies, without a copy to the host.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &plain);
    lab10_expect_bodies(lab10_look_at_graph(j), SWEEPS);
    judge_prepare(j, &many_sweeps);
    lab10_expect_bodies(judge_graph(j), judge_numbers(j)->sweeps);
}

JUDGE_CHECK(lab10, order, 5, "Each kernel that sets a value runs before the node that reads it.")
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, &plain);
    lab10_expect_order(lab10_look_at_graph(j));
}

/* ---- calls ----------------------------------------------------------------------------------- */

static size_t rows_outside_graphs(const struct trace *t)
{
    size_t outside = 0;
    for (size_t i = 0; i < t->n_rows; i++)
        outside += !trace_is(&t->rows[i], "api", NULL) && t->rows[i].node < 0;
    return outside;
}

/* CUPTI has rows for the last iteration of a loop alone. */
static void expect_iterations_inside(const struct judged *j, const struct trace *t)
{
    const size_t sweeps = trace_count(t, "sm", "jacobi*"),
                 iterations = judge_device_is_simulated() ? judge_numbers(j)->max_iterations : 1;
    judge_actual("%zu sweeps in the trace", sweeps);
    judge_expected("%zu: %zu x %d", iterations * SWEEPS, iterations, SWEEPS);
    if (sweeps < iterations * SWEEPS ||
        (judge_device_is_simulated() && sweeps != iterations * SWEEPS))
        judge_fail_that("not_in_graph");
}

static void expect_one_launch(const struct judged *j, const struct trace *t)
{
    (void)j;
    const size_t launches = trace_calls(t, "cudaGraphLaunch"), outside = rows_outside_graphs(t),
                 made = trace_calls(t, "cudaGraphInstantiate*"),
                 uploads = trace_calls(t, "cudaGraphUpload*");
    judge_measured((double)launches, 1, "launches");
    judge_actual("graph launches: %zu, kernels and copies outside of graphs: %zu, instantiations: "
                 "%zu, uploads: %zu",
                 launches, outside, made, uploads);
    judge_expected("1 launch, nothing else");
    judge_expect_that(made == 0, "instantiates_each_call");
    judge_expect_that(launches <= 1, "host_loop");
    judge_expect_that(outside + uploads == 0, "beside_graph");
    judge_next("launch the graph in lab10_solve (step 9)");
    judge_expect(launches == 1, "lab10_solve launches no graph.");
}

JUDGE_CHECK(lab10, one_launch, 10, "A call is one launch of a graph that was instantiated once.")
{
    struct judged *j = judge_run_first(&few_called);
    const struct trace *t = judge_trace(j);
    judge_show_timeline(j);
    expect_one_launch(j, t);
    judge_verify(j, lab10_verify);
    expect_iterations_inside(j, t);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* What the grader measured of the host's loop, the last time that it was asked. */
static struct {
    double host_us, sweeps_us, iterations;
} by_host;

static double measure_by_host(struct judged *reference)
{
    judge_floor(reference);
    by_host.host_us = judge_value(reference, host_us);
    by_host.sweeps_us = judge_value(reference, sweeps_us);
    by_host.iterations = judge_value(reference, host_iterations);
    return by_host.sweeps_us;
}

JUDGE_CHECK(lab10, time, 15, "At most 1.1 times the reference's time, and less than a host loop.")
{
    const double at_most = 1.10;
    struct judged *j = judge_run_first(&timed), *reference = judge_start(JUDGE_REFERENCE, &timed);
    judge_run(reference);
    const double iterations = judge_value(reference, iterations);
    judge_next("remove from an iteration what only a check needs, and from lab10_solve what "
               "lab10_setup can do");
    struct judge_times times =
        judge_expect_time(&(struct judge_race){.submission = j,
                                               .reference = reference,
                                               .at_most = at_most,
                                               .floor_us = measure_by_host,
                                               .look = expect_one_launch,
                                               .slow = "lab10_solve takes longer than necessary."});
    const double iteration_us = times.time_us / iterations,
                 host_iteration_us = by_host.host_us / by_host.iterations;
    judge_actual("%.2f us per iteration, a host loop %.2f us", iteration_us, host_iteration_us);
    judge_expect(iteration_us < fmax(host_iteration_us, at_most * times.reference_us / iterations),
                 "A host loop, which launches a graph per iteration and reads its probe, is "
                 "faster.");
    judge_note("per iteration: %.2f us; the reference %.2f us; a host loop %.2f us, %.2f times as "
               "long; the sweeps alone %.2f us",
               iteration_us, times.reference_us / iterations, host_iteration_us,
               host_iteration_us / iteration_us, by_host.sweeps_us / by_host.iterations);
}

/* prediction.c: what is predicted, and what a wrong prediction says of its model. */
#include "prediction.h"

#include <math.h>

enum { PREDICTION = 9 }; /* the scenario's "part" */

static const double off = 0.10; /* between two ways to write the same model */

/* Batches, measured; times of all of them. */
struct batches {
    const struct judge_scenario *scenario;
    double n, h2d_us, kernel_us, d2h_us, overlap_us, replays_us;
};

/* One question: its figures, and what the reference answers. */
struct question {
    struct batches known, asked;
    double replays_us, slowdown;
};

static double stages_us(const struct batches *b)
{
    return b->h2d_us + b->kernel_us + b->d2h_us;
}

static struct batches measure(const struct judge_scenario *scenario)
{
    struct judge *r = judge_start(JUDGE_REFERENCE, scenario);
    judge_floor(r);
    struct batches b = {.scenario = scenario,
                        .n = (double)judge_number(r, "n_batches"),
                        .h2d_us = judge_value(r, "h2d_us"),
                        .kernel_us = judge_value(r, "kernel_us"),
                        .d2h_us = judge_value(r, "d2h_us"),
                        .overlap_us = judge_value(r, "overlap_us"),
                        .replays_us = judge_value(r, "replays_us")};
    judge_stop(r);
    return b;
}

static struct judge *ask(enum judge_who who, const struct question *q)
{
    const struct judge_scenario scenario = {
        .name = q->asked.scenario->name,
        .numbers = {{"part", PREDICTION},
                    {"known_batches", lround(q->known.n)},
                    {"known_h2d_ns", lround(q->known.h2d_us * 1000)},
                    {"known_kernel_ns", lround(q->known.kernel_us * 1000)},
                    {"known_d2h_ns", lround(q->known.d2h_us * 1000)},
                    {"known_overlap_ns", lround(q->known.overlap_us * 1000)},
                    {"known_replays_ns", lround(q->known.replays_us * 1000)},
                    {"n_batches", lround(q->asked.n)},
                    {"h2d_ns", lround(q->asked.h2d_us * 1000)},
                    {"kernel_ns", lround(q->asked.kernel_us * 1000)},
                    {"d2h_ns", lround(q->asked.d2h_us * 1000)},
                    {"overlap_ns", lround(q->asked.overlap_us * 1000)}}};
    struct judge *j = judge_start(who, &scenario);
    judge_run(j);
    return j;
}

static bool is_near(double value, double wanted, double share)
{
    return fabs(value / wanted - 1) <= share; /* false for a NaN */
}

static void expect_replays(double us, const struct question *q)
{
    const struct batches *a = &q->asked, *k = &q->known;
    const double same = 0.02, longest_us = fmax(a->h2d_us, fmax(a->kernel_us, a->d2h_us)),
                 fixed_us = k->replays_us - stages_us(k);
    judge_measured(fabs(us / q->replays_us - 1), off, "ratio");
    judge_expected("%.0f us within %.0f %%: stages %.0f + %.0f + %.0f, and %.1f for each replay",
                   q->replays_us, off * 100, a->h2d_us, a->kernel_us, a->d2h_us, fixed_us / k->n);
    judge_next("known: replays = stages + n_batches x what a replay costs beside its stages. Solve "
               "for that cost; then the same equation for the batches that are asked for");
    judge_expect(us != 0, "lab04_predict says 0: it is not written yet (YOUR STEP 6)");
    if (is_near(us, q->replays_us, off))
        return;
    judge_expect(!is_near(us, longest_us, same) && !is_near(us, a->overlap_us, same),
                 "predicted is the time of stages that overlap, as in lab 03; in this graph every "
                 "node waits for the one before it, and the stages add up");
    judge_expect(!is_near(us, stages_us(a), same),
                 "predicted is the sum of the stages alone; but each replay is also launched and "
                 "waited for, and goes from engine to engine twice");
    judge_expect(!is_near(us * a->n, q->replays_us, off),
                 "predicted is one replay; all n_batches were asked for");
    judge_expect(!is_near(us, k->replays_us * stages_us(a) / stages_us(k), same) &&
                     !is_near(us, k->replays_us / k->n * a->n, same),
                 "predicted is the known time in proportion; but what a replay costs beside its "
                 "stages does not depend on the size of the batch");
    judge_expect(!is_near(us, stages_us(a) + fixed_us, same) &&
                     !is_near(us, stages_us(a) + fixed_us / k->n, same),
                 "predicted are the stages and the fixed cost of another number of replays: each "
                 "of the n_batches that are asked for has it once");
    judge_fail("the prediction is off by more than %.0f %%", off * 100);
}

static void expect_slowdown(double slowdown, const struct question *q)
{
    const double wanted = q->slowdown;
    judge_measured(fabs(slowdown / wanted - 1), off, "ratio");
    judge_actual("a slowdown of %.2f", slowdown);
    judge_expected("%.2f within %.0f %%: %.0f us of replays, %.0f us as in lab 03", wanted,
                   off * 100, q->replays_us, q->asked.overlap_us);
    judge_next("the replays' time divided by lab 03's: 2 for twice as long");
    judge_expect(slowdown != 0, "the slowdown is 0: lab04_predict does not set it");
    judge_expect(!is_near(slowdown, 1 / wanted, off) || is_near(slowdown, wanted, off),
                 "the slowdown is inverted: it is the replays' time divided by lab 03's");
    judge_expect(is_near(slowdown, wanted, off), "the slowdown is off by more than %.0f %%",
                 off * 100);
}

static void judge_question(struct question q)
{
    struct judge *reference = ask(JUDGE_REFERENCE, &q);
    q.replays_us = judge_value(reference, "replays_us");
    q.slowdown = judge_value(reference, "slowdown");
    judge_stop(reference);
    struct judge *j = ask(JUDGE_SUBMISSION, &q);
    const double us = judge_value(j, "replays_us"), slowdown = judge_value(j, "slowdown");
    judge_actual("%.0f us predicted for %.0f %s", us, q.asked.n, q.asked.scenario->name);
    expect_replays(us, &q);
    expect_slowdown(slowdown, &q);
    judge_stop(j);
    judge_note("%.0f %s: %.0f us predicted, %.0f measured, %.2f times lab 03's", q.asked.n,
               q.asked.scenario->name, us, q.asked.replays_us,
               q.asked.replays_us / q.asked.overlap_us);
}

void judge_predictions(const struct judge_scenario *known, const struct judge_scenario *asked)
{
    const struct batches a = measure(known), b = measure(asked);
    struct batches imaginary = a;
    imaginary.replays_us = 2 * stages_us(&a);
    judge_question((struct question){.known = imaginary, .asked = b});
    judge_question((struct question){.known = b, .asked = a});
    judge_question((struct question){.known = a, .asked = b});
}

/* time.c: is the submission as fast as the reference? The verdict on what pairs.c
 * measured. */
#include "inside.h"

static const double below_floor = 0.95; /* a floor is measured, too: a little less is noise */

/* Of the share that a run takes of the warm-up before it: less than half the reference's is no
 * noise. */
static const double least_again = 0.5;

/* Of the reference's time. Nobody has been so much faster with the same work. */
static const double suspiciously_fast = 0.75;

static void expect_all_work(const struct judge_race *race, const struct judge_times *t)
{
    if (race->floor_us > 0 && t->time_us < below_floor * race->floor_us) {
        judge_expected("at least the %.1f us that the copies and kernels alone take here",
                       race->floor_us);
        judge_next("is all the work done in every run, inside the timed part?");
        judge_fail("faster than the hardware can be: some of the work was not done");
    }
    if (race->value || t->again >= least_again * t->reference_again)
        return;
    judge_actual("a run whose inputs are those of the run before: %.2f of that one's time",
                 t->again);
    judge_expected("about %.2f, as of the reference", t->reference_again);
    judge_next("do all the work in every run, whatever the inputs are");
    judge_fail("the same work done again takes a fraction of the time: it was not done again");
}

struct judge_times judge_expect_time(const struct judge_race *race)
{
    const char *than = race->than ? race->than : "the reference's time";
    struct judge_times t = judge_time_pairs(race);
    judge_measured(t.ratio, race->at_most, "ratio");
    judge_actual("%.1f us, %.3f of %s", t.time_us, t.ratio, than);
    judge_expected("at most %.3f of %s, %.1f us", race->at_most, than, t.reference_us);
    if (t.pairs > 1)
        judge_actual("%.1f us, %.3f of %s (99 %% certain: %.3f to %.3f; %d pairs)", t.time_us,
                     t.ratio, than, t.low, t.high, t.pairs);
    expect_all_work(race, &t);
    if (t.low > race->at_most)
        judge_fail("%s", race->slow);
    if (!(t.high <= race->at_most)) {
        judge_next("run ./grade again, with nothing else on the machine");
        judge_inconclusive("the timing is too noisy to tell");
    }
    judge_current->by_hand = !race->than && t.high < suspiciously_fast;
    judge_note("%.1f us, %.3f of %s", t.time_us, t.ratio, than);
    return t;
}

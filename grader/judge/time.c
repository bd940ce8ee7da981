/* time.c: the verdict on the times that pairs.c measured: is the submission as fast as the
 * reference? */
#include "inside.h"

/* Of the reference's time. No right program has been this much faster; in a lab of free design none
   has been twice as fast. */
static const double suspiciously_fast = 0.75, suspicious_of_open = 0.5;

static void expect_all_work(const struct judge_timing *t)
{
    if (t->undone & UNDONE_BYTES) {
        judge_actual("%.2f MB, by kernels and copies in the run that was timed", t->bytes / 1e6);
        judge_expected("%.2f MB, as in the reference's run", t->reference_bytes / 1e6);
        judge_next("do in this run all the work that you do for smaller sizes");
        judge_fail("the run that was timed lacks work: it accesses less memory than the lab needs");
    }
    if (t->undone & UNDONE_BY_FLOOR) {
        judge_expected("at least the %.1f us that the copies and kernels alone take here",
                       t->floor_us);
        judge_next("is all the work done in every run, inside the timed part?");
        judge_fail("faster than the hardware can be: some of the work was not done");
    }
    if (!(t->undone & UNDONE_AGAIN))
        return;
    judge_actual("a run whose inputs are those of the run before: %.2f of that one's time",
                 t->again);
    judge_expected("about %.2f, as of the reference", t->reference_again);
    judge_next("do all the work in every run, whatever the inputs are");
    judge_fail("the same work done again takes a fraction of the time: it was not done again");
}

static void show(const struct judge_race *race, const struct judge_timing *timing, const char *than)
{
    const struct judge_times *t = &timing->times;
    judge_current->time_us = t->time_us;
    judge_current->reference_us = t->reference_us;
    judge_current->floor_us = race->floor_us ? timing->floor_us : 0;
    const double share = race->share > 0 ? race->share : 1, ratio = t->ratio * share,
                 at_most = race->at_most * share;
    judge_measured(ratio, at_most, "ratio");
    judge_actual("%.1f us, %.3f of %s", t->time_us, ratio, than);
    judge_expected("at most %.3f of %s, %.1f us", at_most, than, t->reference_us / share);
    if (!judge_device_is_simulated())
        judge_actual("%.1f us, %.3f of %s (%.3f to %.3f; %d %s of processes)", t->time_us, ratio,
                     than, t->low * share, t->high * share, t->pairs,
                     t->pairs == 1 ? "pair" : "pairs");
    judge_note("%.1f us, %.3f of %s", t->time_us, ratio, than);
}

/* The run that was timed: a time is none of a program that has a race, or does something else. */
static void look_at_run(const struct judge_race *race)
{
    struct judged *j = race->submission;
    judge_forget();
    if (race->look)
        race->look(j, &j->trace);
    judge_forget();
    judge_note("%s", ""); /* a finding has words of its own */
    judge_expect_order(j);
}

struct judge_times judge_expect_time(const struct judge_race *race)
{
    const char *than = race->than ? race->than : "the reference's time";
    struct judge_timing t = judge_time_pairs(race);
    judge_rest_on(EVIDENCE_REPEATED);
    show(race, &t, than);
    expect_all_work(&t);
    if (t.decision == DECISION_OVER) {
        judge_note("%s", race->slow); /* unless a rule knows why */
        if (race->too_slow)
            race->too_slow(race->submission);
        judge_fail_as_said();
    }
    if (t.decision == DECISION_OPEN)
        judge_too_noisy();
    if (judge_device_is_simulated()) {
        look_at_run(race);
        show(race, &t, than);
    }
    judge_keep_timing(&t);
    judge_current->by_hand =
        t.times.high < (judge_running_lab->is_open ? suspicious_of_open : suspiciously_fast);
    return t.times;
}

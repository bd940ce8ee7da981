/* pairs.c: two subjects timed side by side, in one pair of processes or in several.
 *
 * On a GPU they take turns, A B B A A B B A …, on the same CPU (cpus.c), so that slow changes
 * (clocks, temperature, a neighbor) affect both alike. Each comes first equally often: in lab 04 on
 * an H200 (driver 580.159.04, 2026-11-30) the second of two parts of one process took 1.02 to 1.06
 * times as long as the first, and the median of seven ratios of a program to itself was 1.06 to
 * 1.10. A B A B favored A by 0.3 % to 1 %. A pass that is not clear is confirmed by a second
 * process of the reference. If it is not confirmed, both are started again, and decide.h decides by
 * all pairs.
 *
 * The first work on a GPU after another process had it takes longer than the work after it, and
 * never equally long: on an H200 (driver 580.159.04, 2026-11-21) ten batches of lab 05 took 540 to
 * 720 us first, and 497 to 507 us afterwards. So each timed part begins with one run that does not
 * count, the warm-up; of long runs only the first of a pair of processes, because a fifth of a
 * millisecond is no part of them. The timed part lasts some milliseconds, so the time of a request
 * and its reply does not matter. */
#include <math.h>

#include "decide.h"
#include "inside.h"
#include "query/trace.h"

enum { MOST_REPEATS = 256 };

_Static_assert(DECIDE_REPETITIONS % 2 == 0 && DECIDE_FEW % 2 == 0, "both come first equally often");

static const double part_us = 5000, /* that a timed part lasts, at least */
    long_us = 15000;                /* a run that needs no warm-up each time */

static const double below_floor = 0.95; /* a floor is measured, too: a little less is noise */

/* Of the share that a run takes of the warm-up before it: less than half the reference's is no
 * noise. */
static const double least_again = 0.5;

/* Of the reference's bytes: a little less is another way to do the same. */
static const double all_bytes = 0.99;

/* The repetitions of one pair of processes. */
struct pair {
    double ratio[DECIDE_REPETITIONS], submission_us[DECIDE_REPETITIONS],
        reference_us[DECIDE_REPETITIONS];
    /* what a run takes as a share of the warm-up before it, of the first n_warm */
    int n_warm;
    double again[DECIDE_REPETITIONS], reference_again[DECIDE_REPETITIONS];
    struct values {
        double submission[DECIDE_REPETITIONS], reference[DECIDE_REPETITIONS];
    } also[MOST_ALSO];
};

/* again: NULL if there is no warm-up. */
static double figure(struct judged *j, struct figure value, int repeats, double *again)
{
    double warm_up_us;
    struct judge_run run = judge_run_timed(j, repeats, again ? &warm_up_us : NULL);
    if (again)
        *again = run.time_us / warm_up_us;
    return value.name ? judge_reported(j, value) : run.time_us;
}

static double above_zero(double reference_us)
{
    if (!(reference_us > 0))
        judge_internal_error("the reference solution's time is not above zero");
    return reference_us;
}

static int n_also(const struct judge_race *race)
{
    int n = 0;
    while (race->also && race->also[n].name)
        n++;
    if (n > MOST_ALSO)
        judge_internal_error("a race has %d more figures", n);
    return n;
}

static void note_also(const struct judge_race *race, int i, struct pair *p)
{
    for (int k = 0; k < n_also(race); k++) {
        p->also[k].submission[i] = judge_reported(race->submission, race->also[k]);
        p->also[k].reference[i] = judge_reported(race->reference, race->also[k]);
    }
}

static void repeat(const struct judge_race *race, const struct judge_timing *t, int i,
                   struct pair *p)
{
    const bool is_warm = i > 0 && t->run_us > long_us;
    for (int turn = 0; turn < 2; turn++)
        if ((turn + i) % 2 == 0)
            p->submission_us[i] =
                figure(race->submission, race->value, t->repeats, is_warm ? NULL : &p->again[i]);
        else
            p->reference_us[i] = figure(race->reference, race->value, t->repeats,
                                        is_warm ? NULL : &p->reference_again[i]);
    p->n_warm = is_warm ? p->n_warm : i + 1;
    p->ratio[i] = p->submission_us[i] / above_zero(p->reference_us[i]);
    note_also(race, i, p);
}

/* Of the slower of the two. */
static double warm_up(const struct judge_race *race)
{
    const double submission_us = judge_warm_up(race->submission);
    return fmax(submission_us, judge_warm_up(race->reference));
}

/* Warms both up. The first pair chooses how many runs a timed part has: enough for part_us. */
static void choose_repeats(const struct judge_race *race, struct judge_timing *t)
{
    const double first_us = warm_up(race);
    if (t->repeats > 0)
        return;
    t->run_us = first_us > long_us ? first_us : warm_up(race);
    t->repeats = (int)fmin(ceil(part_us / fmax(t->run_us, 1)), MOST_REPEATS);
}

static double median(double *values, int n)
{
    return decide_pair(values, n).median;
}

static void add_pair(struct decide_times *all, struct values *v, int times)
{
    double ratio[DECIDE_REPETITIONS];
    for (int i = 0; i < times; i++)
        ratio[i] = v->submission[i] / above_zero(v->reference[i]);
    all->pair[all->n] = decide_pair(ratio, times);
    all->submission_us[all->n] = median(v->submission, times);
    all->reference_us[all->n++] = median(v->reference, times);
}

/* On several GPUs the next reference takes 0.3 s to start: one that can be timed stays so. Later
 * pairs are fresh, and so is what their floor is measured in. */
static double floor_us(const struct judge_race *race, int n_pairs)
{
    const bool is_fresh = n_pairs > DECIDE_QUICK;
    struct judged *other =
        judge_session->devices > 1 && !is_fresh ? judge_start_probed(race->reference) : NULL;
    const double us = race->floor_us(other ? other : race->reference);
    if (other)
        judge_stop(other);
    return us;
}

/* The present processes, into the times so far. Their part of t->undone stays where it holds. */
static void time_processes(const struct judge_race *race, struct judge_timing *t)
{
    struct pair p;
    struct decide_times *all = &t->all;
    judge_share_cpu(race->submission, race->reference);
    choose_repeats(race, t);
    const int n = all->n++;
    int times = 0;
    while (!decide_is_enough(p.ratio, times, race->at_most))
        repeat(race, t, times++, &p);
    all->pair[n] = decide_pair(p.ratio, times);
    all->submission_us[n] = median(p.submission_us, times);
    all->reference_us[n] = median(p.reference_us, times);
    for (int k = 0; k < n_also(race); k++)
        add_pair(&t->also[k], &p.also[k], times);
    t->again = median(p.again, p.n_warm);
    t->reference_again = median(p.reference_again, p.n_warm);
    /* only now: the submission's process has not done what that does */
    if (race->floor_us && t->undone & UNDONE_BY_FLOOR)
        t->floor_us = fmin(t->floor_us, floor_us(race, all->n));
    if (!race->floor_us || all->submission_us[n] >= below_floor * t->floor_us)
        t->undone &= ~UNDONE_BY_FLOOR;
    if (race->value.name || t->again >= least_again * t->reference_again)
        t->undone &= ~UNDONE_AGAIN;
}

/* The second pair shares the submission's process with the first, and has another one of the
 * reference; both may come from the pool. Later pairs are fresh. In turns the one and the other
 * comes first: on an H200 the second of two processes launched graphs from the device up to 15 %
 * faster. */
static void start_again(const struct judge_race *race, int pair)
{
    const bool reference_first = pair % 2;
    struct judged *first = reference_first ? race->reference : race->submission,
                  *second = reference_first ? race->submission : race->reference;
    judge_restart(first);
    judge_restart(second);
}

static void time_in_pairs(const struct judge_race *race, struct judge_timing *t)
{
    if (race->submission->came_probed)
        judge_exchange(race->submission);
    if (race->reference->came_probed)
        judge_exchange(race->reference);
    while (t->all.n < DECIDE_MOST) {
        if (t->all.n >= DECIDE_QUICK)
            start_again(race, t->all.n);
        else if (t->all.n > 0)
            judge_exchange(race->reference);
        time_processes(race, t);
        judge_gpu_look();
        t->decision = decide(&t->all, race->at_most);
        bool may_end = t->all.n >= DECIDE_QUICK + DECIDE_FRESH || !t->undone;
        if (may_end && t->decision != DECISION_OPEN)
            return;
    }
}

/* In virtual time. */
static double time_run(const struct judge_race *race, struct judged *j, bool traced)
{
    const struct judge_run run = traced ? judge_run_traced(j) : judge_run(j);
    return race->value.name ? judge_reported(j, race->value) : run.time_us;
}

/* Virtual time: once is enough. */
static void time_once(const struct judge_race *race, struct judge_timing *t)
{
    if (race->floor_us)
        t->floor_us = race->floor_us(race->reference);
    double time_us = time_run(race, race->submission, race->look || race->same_work),
           reference_us = above_zero(time_run(race, race->reference, race->same_work));
    double ratio = time_us / reference_us;
    t->all = (struct decide_times){.n = 1,
                                   .submission_us = {time_us},
                                   .reference_us = {reference_us},
                                   .pair = {{ratio, ratio, ratio}}};
    struct pair p;
    note_also(race, 0, &p);
    for (int k = 0; k < n_also(race); k++)
        add_pair(&t->also[k], &p.also[k], 1);
    t->decision = ratio <= race->at_most ? DECISION_WITHIN : DECISION_OVER;
    t->undone = race->floor_us && time_us < below_floor * t->floor_us ? UNDONE_BY_FLOOR : 0;
    if (!race->same_work)
        return;
    t->bytes = trace_bytes(&race->submission->trace, NULL, NULL);
    t->reference_bytes = trace_bytes(&race->reference->trace, NULL, NULL);
    if (t->bytes < all_bytes * t->reference_bytes)
        t->undone |= UNDONE_BYTES;
}

struct judge_times judge_times_of(const struct decide_times *all)
{
    const struct interval ratio = decide_interval(all);
    struct decide_times sorted = *all;
    return (struct judge_times){
        .ratio = ratio.median,
        .low = ratio.low,
        .high = ratio.high,
        .pairs = all->n,
        .time_us = interval_of_median(sorted.submission_us, all->n, 0.5).median,
        .reference_us = interval_of_median(sorted.reference_us, all->n, 0.5).median};
}

struct judge_timing judge_time_pairs(const struct judge_race *race)
{
    struct judge_timing t = {.floor_us = INFINITY, .undone = UNDONE_BY_FLOOR | UNDONE_AGAIN};
    judge_current->is_timed = true;
    judge_gpu_take();
    if (judge_device_is_simulated())
        time_once(race, &t);
    else
        time_in_pairs(race, &t);
    t.times = judge_times_of(&t.all);
    return t;
}

struct judge_times judge_compare(struct judged *a, struct judged *b)
{
    return judge_time_pairs(
               &(struct judge_race){.submission = a, .reference = b, .at_most = INFINITY})
        .times;
}

/* slow.c: why a timed run of lab 13 takes longer than the reference's, see expected.h. */
#include <math.h>

#include "exchange.h"
#include "expected.h"

void lab13_look(const struct judged *j, const struct trace *t)
{
    (void)t;
    lab13_expect_rows(j);
    judge_actual("%.0f rows that a kernel lacks in a layer", judge_value(j, left_out));
    judge_expected("none; where a position is %d or more, serve_attend_parts", SERVE_SHORT);
    judge_expect_that(judge_value(j, left_out) == 0, "work_left_out");
}

bool lab13_keeps_waiting(const struct judged *j)
{
    const double waited_us = judge_value(j, waited_us), run_us = judge_value(j, run_us);
    if (waited_us < 0.2 * run_us)
        return false;
    judge_actual("%.0f of %.0f us in lab->receive while received requests had to wait for tokens",
                 waited_us, run_us);
    return true;
}

static void ask_requests(const struct judged *j, const struct judged *reference)
{
    const double most = judge_value(j, most_generating),
                 most_of_reference = judge_value(reference, most_generating),
                 bytes = judge_own_bytes(j), budget = judge_value(j, budget_bytes);
    if (judge_value(j, between_us) < 0.1 * judge_value(reference, between_us)) {
        judge_actual("%.1f us between the tokens of a request (the reference: %.1f us)",
                     judge_value(j, between_us), judge_value(reference, between_us));
        judge_fact("held_back");
    } else if (lab13_keeps_waiting(j)) {
        judge_fact("waits_in_receive");
    } else if (most < 0.75 * most_of_reference && bytes < 0.75 * budget && most > 1) {
        judge_actual("%.0f KiB of device memory, %.0f %% of the budget; at most %.0f requests "
                     "generated at the same time (the reference: %.0f)",
                     bytes / 1024, 100 * bytes / budget, most, most_of_reference);
        judge_fact("budget_left");
    } else if (most <= 1 && most_of_reference > 1) {
        judge_actual("one request generates at a time (the reference: %.0f)", most_of_reference);
        judge_fact("few_at_a_time");
    }
}

/* Copies between host and device. */
static double copies_per_step(const struct trace *t)
{
    return (double)(trace_count(t, "h2d", NULL) + trace_count(t, "d2h", NULL)) /
           fmax((double)trace_count(t, "sm", "serve_sample*"), 1);
}

static void ask_copies(const struct trace *t, const struct trace *of_reference)
{
    const double own = copies_per_step(t), other = copies_per_step(of_reference);
    if (own <= 2 * other)
        return;
    judge_actual("%.1f copies for each step (the reference: %.1f)", own, other);
    judge_fact("many_copies");
}

static void ask_kernels(struct judged *j, struct judged *reference)
{
    const bool has_long = judge_numbers(j)->drawing.pattern == LAB13_ONE_LONG;
    const struct trace *t = judge_trace(j);
    const size_t steps = trace_count(t, "sm", "serve_sample*"),
                 launches = trace_calls(t, "cudaGraphLaunch");
    const double share = judge_value(j, prefetching),
                 of_reference = judge_value(reference, prefetching);
    if (launches == 0)
        judge_fact("stream_launches");
    else if (launches >= 2 * steps && !has_long)
        judge_fact("cut_for_short");
    ask_copies(t, judge_trace(reference));
    if (launches == 0 || 2 * share >= of_reference)
        return;
    judge_actual("%.0f %% of the kernels prefetch their weights (the reference: %.0f %%)",
                 100 * share, 100 * of_reference);
    judge_fact("full_edges");
}

void lab13_ask_why(struct judged *j, struct judged *reference)
{
    ask_requests(j, reference);
    if (judge_device_is_simulated())
        ask_kernels(j, reference);
}

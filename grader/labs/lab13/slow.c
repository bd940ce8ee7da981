/* slow.c: why a timed run of lab 13 takes longer than the reference's, see slow.h. */
#include "exchange.h"
#include "slow.h"

#include "expected.h"
#include "work.h"

void lab13_look(const struct judged *j, const struct trace *t)
{
    const struct lab13_drawing d = lab13_drawing_of(j);
    size_t kernels = trace_count(t, "sm", "decode_down*"), rows = 0, least = 0;
    for (int i = 0; i < d.n; i++) {
        const struct lab13_drawn r = lab13_draw(&d, i);
        rows += (size_t)r.n_tokens;
        least = (size_t)r.n_tokens > least ? (size_t)r.n_tokens : least;
    }
    least = least > rows / (size_t)d.n ? least : rows / (size_t)d.n;
    judge_actual("%zu kernels decode_down in the timed run", kernels);
    judge_expected("at least %zu: one for each token of the longest request and each layer",
                   least * judge_numbers(j)->model.n_layers);
    judge_expect_that(kernels >= least * judge_numbers(j)->model.n_layers, "work_left_out");
    if (kernels ==
        trace_count(t, "sm", "decode_down")) /* of an estimated time, no bytes are known */
        lab13_expect_work(j, t);
}

/* Does a kernel begin before the one before it is done? */
static bool kernels_overlap(const struct trace *t)
{
    double end_us = 0;
    for (size_t i = 0; i < t->n_rows; i++) {
        if (!trace_is(&t->rows[i], "sm", NULL))
            continue;
        if (t->rows[i].start_us < end_us)
            return true;
        end_us = t->rows[i].end_us;
    }
    return false;
}

static void ask_requests(const struct judged *j, const struct judged *reference)
{
    const double waited_us = judge_value(j, waited_us), run_us = judge_value(j, run_us),
                 most = judge_value(j, most_generating),
                 most_of_reference = judge_value(reference, most_generating),
                 bytes = judge_own_bytes(j), budget = judge_value(j, budget_bytes);
    const struct lab13_drawing *d = &judge_numbers(j)->drawing;
    const bool is_crowd = d->gap_us == 0 || d->pattern == LAB13_BURST;
    if (judge_value(j, between_us) < 0.1 * judge_value(reference, between_us)) {
        judge_actual("%.1f us between the tokens of a request (the reference: %.1f us)",
                     judge_value(j, between_us), judge_value(reference, between_us));
        judge_fact("held_back");
    } else if (waited_us >= 0.2 * run_us) {
        judge_actual(
            "%.0f of %.0f us in lab->receive while received requests had to wait for tokens",
            waited_us, run_us);
        judge_fact("waits_in_receive");
    } else if (most < 0.75 * most_of_reference && bytes < 0.75 * budget && most > 1) {
        judge_actual("%.0f KiB of device memory, %.0f %% of the budget; at most %.0f requests "
                     "generated at the same time (the reference: %.0f)",
                     bytes / 1024, 100 * bytes / budget, most, most_of_reference);
        judge_fact("budget_left");
    } else if (most < 0.75 * most_of_reference && (most <= 1 || is_crowd)) {
        judge_actual("at most %.0f request%s generated at the same time (the reference: %.0f)",
                     most, most > 1 ? "s" : "", most_of_reference);
        judge_fact("few_at_a_time");
    }
}

static void ask_kernels(struct judged *j, struct judged *reference)
{
    const bool has_long = judge_numbers(j)->drawing.pattern == LAB13_ONE_LONG;
    const struct trace *t = judge_trace(j);
    const size_t steps = trace_count(t, "sm", "serve_sample*"),
                 launches = trace_calls(t, "cudaGraphLaunch");
    judge_fact_each((struct judge_truth[]){
        {launches == 0, "stream_launches"},
        {launches > 0 && launches >= 2 * steps && !has_long, "cut_for_short"},
        {launches > 0 && !kernels_overlap(t) && kernels_overlap(judge_trace(reference)),
         "full_edges"},
        {false, NULL}});
}

void lab13_ask_why(struct judged *j, struct judged *reference)
{
    ask_requests(j, reference);
    if (judge_device_is_simulated())
        ask_kernels(j, reference);
}

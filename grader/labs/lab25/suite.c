/* suite.c: the suite of lab 25: results, order, memory and time of one graph. Nothing here asks for
 * its shape. */
#include "exchange.h"
#include "judge/judge.h"
#include "labs/budgets.h"
#include "labs/lab25/mistakes.h"
#include "query/trace.h"

JUDGE_LAB(.name = "lab25", .title = "one graph within a memory budget", .is_open = true,
          .rules = &lab25_rules);

JUDGE_CHECK(lab25, results, 25, "Every product is right, for any budget of three matrices or more.")
{
    budgets_expect_results(NULL);
}

JUDGE_CHECK(lab25, race_free, 20, "No memory is reused too early, and teardown frees everything.")
{
    budgets_expect_order();
}

JUDGE_CHECK(lab25, memory, 15, "Device memory stays within memory_bytes. Errors are returned.")
{
    budgets_expect_memory();
}

/* Why a graph is too slow, if its trace shows it. */
static void too_slow(struct judged *j)
{
    const struct trace *t = judge_trace(j);
    const double overlap = trace_overlap_fraction(t, "h2d", "sm") +
                           trace_overlap_fraction(t, "sm", "d2h") +
                           trace_overlap_fraction(t, "h2d", "d2h");
    if (overlap == 0)
        judge_fact("chain");
    budgets_ask_copies(j);
}

JUDGE_CHECK(lab25, tight, 20, "Memory for five matrices: at most 1.25 times the reference's time.")
{
    budgets_expect_time(BUDGETS_TIGHT, too_slow);
}

JUDGE_CHECK(lab25, roomy, 20, "Memory for eight matrices: at most 1.15 times the reference's time.")
{
    budgets_expect_time(BUDGETS_ROOMY, too_slow);
}

/* suite.c: the suite of lab 23: results, order, memory and time. Nothing here asks how a submission
 * does it. */
#include "exchange.h"
#include "judge/judge.h"
#include "labs/budgets.h"
#include "labs/lab23/mistakes.h"
#include "labs/products.h"

JUDGE_LAB(.name = "lab23", .title = "copies and kernels within a memory budget", .is_open = true,
          .rules = &lab23_rules);

JUDGE_CHECK(lab23, results, 25, "Every product is right, for any budget of three matrices or more.")
{
    budgets_expect_results("no_final_wait");
}

JUDGE_CHECK(lab23, race_free, 20, "No memory is reused too early, and teardown frees everything.")
{
    budgets_expect_order();
}

JUDGE_CHECK(lab23, memory, 15, "Device memory stays within memory_bytes. Errors are returned.")
{
    budgets_expect_memory();
}

/* Why a run is too slow, if its calls show it. */
static void too_slow(struct judged *j)
{
    const struct trace *t = judge_trace(j);
    judge_ask_trace(t);
    if (!products_ask_waits(t))
        budgets_ask_copies(j);
}

JUDGE_CHECK(lab23, tight, 20, "Memory for five matrices: at most 1.25 times the reference's time.")
{
    budgets_expect_time(BUDGETS_TIGHT, too_slow);
}

JUDGE_CHECK(lab23, roomy, 20, "Memory for eight matrices: at most 1.15 times the reference's time.")
{
    budgets_expect_time(BUDGETS_ROOMY, too_slow);
}

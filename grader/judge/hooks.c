/* hooks.c: the part of the judge that runs in the suite's own process, around the tests.
 *
 * It lists the checks before the first one starts, so that a check that never ran is known. A check
 * passes only if its last line was reached and Criterion says that the test passed. */
#include <criterion/hooks.h>
#include <stdio.h>
#include <stdlib.h>

#include "gpu_lock.h"
#include "inside.h"
#include "jail/jail.h"

/* A program with a sanitizer in it is slower, and its faults and allocations are slower still. */
#ifdef __SANITIZE_ADDRESS__
enum { SLOWER = 4 };
#else
enum { SLOWER = 1 };
#endif

const int judge_hooks = 1; /* JUDGE_LAB refers to it: nothing else calls this file */

static const struct judge_lab *lab; /* that all checks name */

static void list_check(const struct criterion_test *test)
{
    const struct judge_check *check = test->data->data;
    if (!check || judge_session->n_checks == SESSION_CHECKS)
        return;
    struct session_check *c = &judge_session->checks[judge_session->n_checks++];
    snprintf(c->name, sizeof c->name, "%s", check->name);
    snprintf(c->words, sizeof c->words, "%s", check->words);
    c->points = check->points;
    c->given = session_is_among(check->lab->given, check->name);
    lab = check->lab;
}

/* With one GPU the driver starts sooner: a subject was ready after 140 ms on a machine with one
 * H200, after 340 to 470 ms on one with four, the others of which were at work. */
static void show_one_gpu(void)
{
    if (judge_session->n_gpus > 1 && lab->devices < 2 && judge_session->gpu_uuids[0][0])
        setenv("CUDA_VISIBLE_DEVICES", judge_session->gpu_uuids[0], 1);
}

static unsigned line_of(const struct criterion_ordered_set_node *n)
{
    const struct criterion_test *test = (const void *)(n + 1);
    return test->data->line_;
}

/* Criterion runs tests in the order of their names; that of the source reads, and fails, better. */
static void sort_by_line(struct criterion_ordered_set *tests)
{
    struct criterion_ordered_set_node *rest = tests->first;
    tests->first = NULL;
    while (rest) {
        struct criterion_ordered_set_node *n = rest, **place = &tests->first;
        rest = rest->next;
        while (*place && line_of(*place) < line_of(n))
            place = &(*place)->next;
        n->next = *place;
        *place = n;
    }
}

ReportHook(PRE_ALL)(struct criterion_test_set *tests)
{
    const char *why;
    judge_names_use();
    judge_session = session_open(&why);
    if (!judge_session) {
        fprintf(stderr, "%s\n", why);
        exit(2);
    }
    session_hide();
    FOREACH_SET(struct criterion_suite_set * suite, tests->suites)
    {
        sort_by_line(suite->tests);
        FOREACH_SET(struct criterion_test * test, suite->tests)
        list_check(test);
    }
    snprintf(judge_session->title, sizeof judge_session->title, "%s", lab->title);
    snprintf(judge_session->endless, sizeof judge_session->endless, "%s",
             lab->endless ? lab->endless : "");
    const bool simulated = judge_device_is_simulated();
    show_one_gpu();
    judge_pool_open();
    judge_session->limit_s = lab->limit_s > 0 ? lab->limit_s : simulated ? 5 * SLOWER : 10;
    judge_session->total_s = lab->total_s > 0 ? lab->total_s : simulated ? 15 * SLOWER : 25;
    judge_session->devices = lab->devices > 0 ? lab->devices : 1;
    judge_session->n_devices =
        simulated ? judge_simulated_devices(lab->devices) : judge_session->n_gpus;
    judge_note_needs(judge_session, lab);
    judge_session->may_skip = lab->may_skip || judge_session->debug[0];
    if (jail_gap())
        snprintf(judge_session->jail_gap, sizeof judge_session->jail_gap, "%s", jail_gap());
    judge_session->listed = true;
    judge_pool_fill();
}

/* From here on a check has the lock. */
ReportHook(PRE_TEST)(struct criterion_test *test)
{
    (void)test;
    gpu_unlock();
}

ReportHook(POST_TEST)(struct criterion_test_stats *stats)
{
    struct session_check *c = session_find(judge_session, stats->test->name);
    if (!c || c->status != CHECK_ENDED)
        return;
    bool passed = stats->test_status == CR_STATUS_PASSED;
    c->status = passed ? CHECK_PASSED : CHECK_FAILED;
    if (!passed)
        snprintf(c->message, sizeof c->message, "an assertion of the check failed");
}

ReportHook(POST_ALL)(struct criterion_global_stats *stats)
{
    (void)stats;
    if (judge_session->pool_bytes == 0)
        return;
    __atomic_store_n(&judge_session->through, true, __ATOMIC_RELEASE);
    fputs("all checks have ended\n", stderr); /* ./grade waits for output */
    judge_pool_empty();
}

/* test_findings_kept.c: which findings are kept, and how many are printed. */
#include "order_inside.h"

#include <criterion/redirect.h>

static void add(enum simgpu_finding_kind kind, const char *first, int stream, int node)
{
    struct simgpu_finding f = {.kind = kind,
                               .what = SIMGPU_WHAT_STILL_CAPTURING,
                               .first = {.stream = stream, .node = node}};
    snprintf(f.first.name, sizeof f.first.name, "%s", first);
    finding_add(&f);
}

Test(findings_kept, kind_name_stream_and_node_tell_them_apart)
{
    for (int twice = 0; twice < 2; twice++) {
        add(SIMGPU_LEAK, "a", 1, 1);
        add(SIMGPU_RACE, "a", 1, 1);
        add(SIMGPU_RACE, "b", 1, 1);
        add(SIMGPU_RACE, "a", 2, 1);
        add(SIMGPU_RACE, "a", 1, 2);
    }
    struct simgpu_finding found[8];
    cr_assert_eq(simgpu_findings(found, 8), 5);
    for (int i = 0; i < 5; i++)
        cr_assert_eq(found[i].count, 2);
    cr_assert_eq(found[0].kind, SIMGPU_LEAK, "oldest first");
    cr_assert_eq(simgpu_findings(found, 1), 5);
}

Test(findings_kept, at_most_256_are_kept_and_the_rest_counted)
{
    for (int i = 0; i < 300; i++)
        add(SIMGPU_RACE, "a", i, -1);
    add(SIMGPU_RACE, "a", 0, -1);
    cr_assert_eq(simgpu_findings(NULL, 0), 256);
    cr_assert_eq(simgpu_findings_dropped(), 44);
    simgpu_findings_clear();
    cr_assert_eq(simgpu_findings(NULL, 0), 0);
    cr_assert_eq(simgpu_findings_dropped(), 0);
    add(SIMGPU_RACE, "a", 299, -1);
    cr_assert_eq(simgpu_findings(NULL, 0), 1);
}

/* ---- what is printed ------------------------------------------------------------------------- */

#define CAPTURING(stream)                                                                          \
    "simgpu: unfinished: The program ended while stream " stream                                   \
    " was still capturing: its 0 nodes never ran.\n"

static void printing(const char *limit, int n)
{
    if (limit)
        setenv("SIMGPU_REPORT", limit, 1);
    else
        unsetenv("SIMGPU_REPORT");
    cr_redirect_stderr();
    for (int i = 0; i < 2 * n; i++)
        add(SIMGPU_UNFINISHED, "x", 1 + i / 2, -1);
    fflush(stderr);
}

Test(findings_kept, each_is_printed_once)
{
    printing(NULL, 2);
    cr_assert_stderr_eq_str(CAPTURING("1") CAPTURING("2"));
}

Test(findings_kept, after_some_they_are_only_counted)
{
    printing("2", 5);
    cr_assert_stderr_eq_str(CAPTURING("1") CAPTURING(
        "2") "simgpu: further findings are counted, not printed (SIMGPU_REPORT=n "
             "prints n of them)\n");
    cr_assert_eq(simgpu_findings(NULL, 0), 5);
}

Test(findings_kept, sixteen_are_printed_unless_told_otherwise)
{
    char want[2048], *end = want;
    for (int i = 0; i < 16; i++)
        end += sprintf(end, CAPTURING("%d"), 1 + i);
    sprintf(end, "simgpu: further findings are counted, not printed (SIMGPU_REPORT=n prints n of "
                 "them)\n");
    printing(NULL, 200);
    cr_assert_stderr_eq_str(want);
}

Test(findings_kept, none_is_printed_when_report_is_0)
{
    printing("0", 20);
    cr_assert_stderr_eq_str("");
    cr_assert_eq(simgpu_findings(NULL, 0), 20);
}

Test(findings_kept, a_limit_that_is_no_number_is_named)
{
    printing("many", 1);
    cr_assert_stderr_eq_str("simgpu: SIMGPU_REPORT=many is not a number of findings to print; "
                            "printing 16\n" CAPTURING("1"));
}

/* test_suites.c: no check of a suite has a limit in microseconds or bytes of its own: such a limit
 * is right for the GPU that it was tried on. Limits come from the reference, measured in the same
 * grading, or from structure: sizes of the scenario, shares. And each figure that an adapter may
 * report is reported, and some suite reads it. */
#include "checkout.h"

/* A name with a unit that is set to a number, and a number as the limit of a figure with a unit.
 * Watchdogs (limit_s, total_s) end a submission that hangs: they are no limits of a check. */
#define UNITS "(us|US|ms|MS|ns|NS|bytes|BYTES|mib|MIB)"
#define NUMBER "[-+*<>(). 0-9e]*[1-9][-+*<>(). 0-9e]*"
static const char search[] =
    "grep -Pzo '(?:_" UNITS "\\s*=\\s*" NUMBER "[,;}]|"
    "judge_(?:measured|expect_at_(?:most|least))\\([^;\"]*,\\s*" NUMBER ",\\s*\"" UNITS "\")' ";

TestSuite(suites, .init = checkout_enter);

Test(suites, have_no_limits_with_a_unit)
{
    int status = checkout_run(text, "%s $(ls grader/labs/*/*.c | grep -v adapter.c)", search);
    cr_expect(status == 1 && text[0] == 0, "limits with a unit of time or bytes:\n%s", text);
}

Test(suites, the_search_finds_such_limits)
{
    static const char *const limits[] = {
        "enum { RUNS = 3, PATIENCE_US = 10 };",
        "const double patience_us = 2.5e1;",
        "double slack_bytes = 2 * (1 << 20);",
        "judge_expect_at_most(judge_value(j, (least)), 25, \"us\", words);",
        "judge_measured(pending,\n    10, \"us\");",
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        cr_expect_eq(checkout_run(text, "%s <<'END'\n%s\nEND", search, limits[i]), 0, "%s: %s",
                     limits[i], text);
    static const char *const others[] = {
        "double stream_us = 0;",
        "const double set_bytes = 3.0 * ROOMY * ROOMY * sizeof(float), slack_bytes = 2 * "
        "set_bytes;",
        "JUDGE_LAB(.limit_s = 5);",
        "judge_expect_at_most(part, 0.3, \"ratio\", words);",
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        cr_expect_eq(checkout_run(text, "%s <<'END'\n%s\nEND", search, others[i]), 1, "%s: %s",
                     others[i], text);
}

/* The members of struct figures in one file that no file of the second list names. */
#define NAMED_BY(who_, files_)                                                                     \
    "    comm -23 <(members $file | sort -u) <(cat " files_                                        \
    " | grep -oE '[a-z][a-z0-9_]*' | sort -u) | sed \"s|^|$file: nobody " who_ " |\"\n"

static const char unused[] =
    "members() { awk '/^struct figures \\{/ { on = 1; next } /^};/ { on = 0 } on' $1 |\n"
    "    sed 's|/\\*.*||; s|^ *\\*.*||; s|.*\\*/||' |\n"
    "    grep -oE '[a-z][a-z0-9_]*(\\[[^]]*\\])? *[,;]' | sed 's/[^a-z0-9_].*//'; }\n"
    "for file in $(grep -ls '^struct figures {' grader/labs/*.h grader/labs/*/*.h); do\n"
    "    in=${file%/*}; [ $in != grader/labs ] || in='grader/labs/*'\n"
    "    n=$((n + $(members $file | wc -l)))\n" NAMED_BY(
        "reads", "$(ls grader/labs/*.c $in/*.c | grep -v /adapter)")
        NAMED_BY("reports",
                 "$(ls grader/labs/*.c $in/*.c | grep -v /suite)") "done; [ $n -gt 50 ] || echo "
                                                                   "there are only $n";

Test(suites, every_figure_is_reported_and_read)
{
    checkout_run(text, "%s", unused);
    cr_expect_str_eq(text, "");
}

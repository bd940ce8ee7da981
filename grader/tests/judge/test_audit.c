/*
 * test_audit.c: does the audit itself notice? Tables and folders that are wrong, in a scratch copy.
 * (The verdicts themselves are audited by the course: build/grader/audit sim labNN.)
 */
#include "../course/checkout.h"

static char text[CHECKOUT_TEXT];
static char scratch[] = "/tmp/audit-XXXXXX";

/* A root in which lab01 has the wrong submissions leaks and milliseconds, and the table that the
 * test wants. */
static void make_root(void)
{
    checkout_enter();
    cr_assert(mkdtemp(scratch));
    int status = checkout_run(text,
                              "set -e; s=%s\n"
                              "mkdir -p $s/build/grader $s/grader/labs/lab01/wrong\n"
                              "touch $s/grader/labs/lab01/wrong/{leaks,milliseconds}\n"
                              "cp build/grader/audit $s/build/grader/\n"
                              "ln -s $PWD/grade $s/grade; ln -s $PWD/build/sim $s/build/sim",
                              scratch);
    cr_assert(status == 0, "%s", text);
}

static void remove_root(void)
{
    checkout_run(text, "rm -rf %s", scratch);
}

TestSuite(audit, .init = make_root, .fini = remove_root);
TestSuite(audit_rates, .init = make_root, .fini = remove_root);

/* Audits with these rows below the heading; the exit status, and what was said in `text`. */
static int audit(const char *rows, const char *what)
{
    return checkout_run(text,
                        "s=%s; { printf 'submission\\tdevice\\tcheck\\twords\\n'; printf '%s'; } "
                        ">$s/grader/labs/lab01/expected.tsv\n"
                        "$s/build/grader/audit sim %s",
                        scratch, rows, what);
}

Test(audit, words_that_the_report_lacks)
{
    cr_expect(audit("milliseconds\\tany\\tstage_times\\tsomething else\\n", "lab01/milliseconds") ==
              1);
    cr_expect(
        strstr(text, "but without the words \"something else\": the stage times are milliseconds"),
        "%s", text);
}

Test(audit, a_starter_says_what_the_table_says_or_what_is_not_written)
{
    cr_expect(audit("leaks\\tany\\tclean\\tfreed\\n", "lab01/starter") == 0, "%s", text);
    cr_expect(audit("starter\\tany\\tpinned\\tbroken by design\\n", "lab01/starter") == 1);
    cr_expect(strstr(text, "starter: pinned fails, but without the words \"broken by design\""),
              "%s", text);
}

Test(audit, a_check_that_passes)
{
    cr_expect(audit("milliseconds\\tany\\tpinned\\tpageable\\n", "lab01/milliseconds") == 1);
    cr_expect(strstr(text, "milliseconds is wrong, and pinned says \"pass\""), "%s", text);
}

Test(audit, a_check_that_is_not_there)
{
    cr_expect(audit("milliseconds\\tany\\tbeauty\\tugly\\n", "lab01/milliseconds") == 1);
    cr_expect(strstr(text, "names a check beauty, and the report has none"), "%s", text);
}

Test(audit, too_few_and_unnamed)
{
    cr_expect(audit("milliseconds\\tany\\tstage_times\\tmilliseconds\\nghost\\tany\\ttime\\tx\\n",
                    "lab01") == 1);
    cr_expect(strstr(text, "has 2 wrong submissions, 4 are the least"), "%s", text);
    cr_expect(strstr(text, "leaks: expected.tsv has no line for it"), "%s", text);
    cr_expect(strstr(text, "expected.tsv names ghost, which is not built"), "%s", text);
    cr_expect(strstr(text, "no wrong submission is there for the check pinned"), "%s", text);
}

Test(audit, a_broken_table)
{
    cr_expect(audit("milliseconds any stage_times words\\n", "lab01/milliseconds") == 1);
    cr_expect(strstr(text, "expected.tsv:2: four columns are wanted"), "%s", text);
    cr_expect(audit("milliseconds\\tmoon\\tstage_times\\twords\\n", "lab01/milliseconds") == 1);
    cr_expect(strstr(text, "expected.tsv:2: a device is any, sim or gpu"), "%s", text);
    cr_expect(audit("", "lab01/milliseconds") == 1);
    cr_expect(strstr(text, "it names no submission"), "%s", text);
}

Test(audit, a_submission_that_is_not_wrong_where_it_should_be)
{
    /* the solution, under the name of leaks */
    int status =
        checkout_run(text,
                     "set -e; s=%s; rm $s/build/sim; mkdir -p $s/build/sim/lab01/leaks\n"
                     "ln -s $PWD/build/sim/lab01/solution/subject $s/build/sim/lab01/leaks/subject",
                     scratch);
    cr_assert(status == 0, "%s", text);
    cr_expect(audit("leaks\\tany\\tclean\\tfreed\\n", "lab01/leaks") == 1);
    cr_expect(strstr(text, "leaks is wrong, and clean says \"pass\""), "%s", text);
}

/* Rates of lab01/milliseconds under a table that is right about it. */
static int rates(const char *options)
{
    char what[256];
    snprintf(what, sizeof what, "--log %s/log --json %s/json %s lab01/milliseconds", scratch,
             scratch, options);
    return audit("milliseconds\\tany\\tstage_times\\tmilliseconds\\n", what);
}

Test(audit_rates, go_on_where_they_were_cut)
{
    cr_expect_eq(rates("--repeat 1"), 0, "%s", text);
    cr_expect(strstr(text, "| lab01 | wrong | 1 | 0 passed (0.0 to 79.3 %) | 0 "), "%s", text);
    /* cut in the middle of a line */
    checkout_run(text, "printf '0\\tlab01\\twro' >>%s/log", scratch);
    cr_expect_eq(rates("--repeat 1"), 0, "%s", text);
    checkout_run(text, "grep -c lab01/ %s/log; wc -l <%s/log", scratch, scratch);
    cr_expect_str_eq(text, "0\n1\n", "graded again: %s", text);
    cr_expect_eq(rates("--repeat 2"), 0, "%s", text);
    cr_expect(strstr(text, "| lab01 | wrong | 2 | 0 passed"), "%s", text);
    cr_expect_eq(rates("--repeat 1 --load 1"), 0, "%s", text);
    cr_expect(strstr(text, "load: 1"), "%s", text);
}

Test(audit_rates, count_false_and_undecided_verdicts)
{
    checkout_run(text,
                 "for i in {1..9}; do printf '0\\tlab01\\twrong\\tmilliseconds\\t1\\t2.0\\tx\\n'; "
                 "done >%s/log; printf '%%s\\n' "
                 "$'0\\tlab01\\twrong\\tmilliseconds\\t0\\t2.0\\t-' "
                 "$'0\\tlab01\\twrong\\tmilliseconds\\t3\\t4.2\\ttime?' "
                 "$'0\\tlab01\\tsolution\\tsolution\\t1\\t2.0\\ttime' >>%s/log",
                 scratch, scratch);
    cr_expect_eq(rates("--repeat 1"), 1);
    cr_expect(strstr(text, "| wrong | 11 | 1 passed (1.6 to 37.7 %) | 1 (1.6 to 37.7 %) | 2.2 s |"),
              "%s", text);
    cr_expect(strstr(text, "| lab01 | solution | 1 | 1 failed"), "%s", text);
    cr_expect(strstr(text, "lab01/milliseconds: 1 false, 1 inconclusive of 11: - time?"), "%s",
              text);
    checkout_run(text, "jq -r '.rates[] | select(.lab == \"all\") | .false' %s/json", scratch);
    cr_expect_str_eq(text, "1\n1\n");
}

Test(audit_rates, need_a_log_that_is_one)
{
    checkout_run(text, "echo something else >%s/log", scratch);
    cr_expect_eq(rates("--repeat 1"), 2);
    cr_expect(strstr(text, "is no log of gradings: something else"), "%s", text);
    cr_expect_eq(audit("", "--repeat 1 lab01"), 2);
    cr_expect(strstr(text, "usage: audit"), "%s", text);
}

Test(audit, nothing_to_audit)
{
    cr_expect(audit("leaks\\tany\\tclean\\tfreed\\n", "lab99") == 2);
    cr_expect(strstr(text, "there is nothing to audit by that name"), "%s", text);
    cr_expect(checkout_run(text, "%s/build/grader/audit moon", scratch) == 2);
    cr_expect(strstr(text, "usage: audit sim|gpu"), "%s", text);
}

Test(audit, a_grader_that_cannot_run)
{
    int status = checkout_run(
        text,
        "s=%s; rm $s/grade; printf '#!/bin/sh\\necho out of paper >&2; exit 4\\n' >$s/grade; "
        "chmod +x $s/grade",
        scratch);
    cr_assert(status == 0, "%s", text);
    cr_expect(audit("leaks\\tany\\tclean\\tfreed\\n", "lab01/leaks") == 1);
    cr_expect(strstr(text, "leaks: ./grade ended with 4 and without a report:\nout of paper"), "%s",
              text);
}

Test(audit, a_subject_that_is_not_built)
{
    cr_expect(checkout_run(text, "rm %s/build/sim", scratch) == 0);
    cr_expect(audit("leaks\\tany\\tclean\\tfreed\\n", "lab01/leaks") == 2);
    cr_expect(strstr(text, "make audit DEVICE=sim builds it"), "%s", text);
}

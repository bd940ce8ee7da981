/* test_audit.c: does the audit itself notice? Tables and folders that are wrong, in a scratch copy.
 * (The verdicts themselves are audited by the course: build/grader/audit sim labNN.) */
#include "../course/checkout.h"

/* A root in which lab01 has the wrong submissions leaks and milliseconds, and the table that the
 * test wants. */
static void make_root(void)
{
    scratch_make();
    must_succeed("set -e; s=%s\n"
                 "mkdir -p $s/build/grader/gen/labs/lab01 $s/grader/labs/lab01/wrong\n"
                 "touch $s/grader/labs/lab01/wrong/{leaks,milliseconds}\n"
                 "cp build/grader/audit $s/build/grader/\n"
                 "ln -s $PWD/grade $s/grade; ln -s $PWD/build/sim $s/build/sim",
                 scratch);
}

TestSuite(audit, .init = make_root, .fini = scratch_remove);
TestSuite(audit_rates, .init = make_root, .fini = scratch_remove);

/* Audits with these rows; the exit status, and what was said in `text`. */
static int audit_of(const char *lab, const char *rows, const char *what)
{
    return checkout_run(text,
                        "s=%s; printf '%s' >$s/build/grader/gen/labs/%s/expected.tsv\n"
                        "$s/build/grader/audit sim %s",
                        scratch, rows, lab, what);
}

static int audit(const char *rows, const char *what)
{
    return audit_of("lab01", rows, what);
}

Test(audit, words_that_the_report_lacks)
{
    cr_expect(audit("milliseconds\\tany\\tstage_times\\tsomething else\\n", "lab01/milliseconds") ==
              1);
    expect_text("but without the words \"something else\": The stage times are milliseconds");
}

Test(audit, a_seed_repeats_what_differed)
{
    const char *rows = "milliseconds\\tany\\tstage_times\\tsomething else\\n";
    cr_expect(audit(rows, "--seed 5 lab01/milliseconds") == 1);
    expect_text("the same inputs again: --seed 5 (make audit SEED=5)");
    cr_expect(audit(rows, "--seed five lab01/milliseconds") == 1);
    expect_text("GRADE_SEED=five? It is a number from 0 up");
}

Test(audit, a_starter_says_what_the_table_says_or_what_is_not_written)
{
    cr_expect(audit("leaks\\tany\\tclean\\tfreed\\n", "lab01/starter") == 0, "%s", text);
    cr_expect(audit("starter\\tany\\tpinned\\tbroken by design\\n", "lab01/starter") == 1);
    expect_text("starter: pinned fails, but without the words \"broken by design\"");
}

/* The starter of lab 13 is right and slow: the table names what fails, and the rest passes. */
Test(audit, a_starter_that_works_fails_what_the_table_says_and_nothing_else)
{
    const char *rows = "starter\\tany\\tthroughput\\tFew requests\\n"
                       "starter\\tany\\tfirst_token\\tFew requests\\n"
                       "%s";
    char all[512];
    /* it is graded once, and audited with three tables */
    must_succeed(
        "set -e; s=%s; cd $s; mkdir -p build/grader/gen/labs/lab13 grader/labs/lab13/wrong; touch "
        "grader/labs/lab13/wrong/x; [ -x build/sim/lab13/starter/subject ]\n"
        "s=0; ./grade lab13 --submission starter --device sim --json - >said 2>&1 || s=$?\n"
        "printf '#!/bin/sh\\ncat %%s/said; exit %%s\\n' $PWD $s >replayed; chmod +x replayed; mv "
        "replayed grade",
        scratch);
    snprintf(all, sizeof all, rows, "");
    cr_expect(audit_of("lab13", all, "lab13/starter") == 0, "%s", text);
    snprintf(all, sizeof all, rows, "starter\\tany\\ttokens\\tx\\n");
    cr_expect(audit_of("lab13", all, "lab13/starter") == 1);
    expect_text("starter: tokens is \"pass\", and must fail with the words \"x\"");
    cr_expect(audit_of("lab13", "starter\\tany\\tthroughput\\tFew requests\\n", "lab13/starter") ==
              1);
    expect_text("starter: tokens is \"pass\": nothing is written yet");
}

Test(audit, a_check_that_passes)
{
    cr_expect(audit("milliseconds\\tany\\tpinned\\tpageable\\n", "lab01/milliseconds") == 1);
    expect_text("milliseconds is wrong, and pinned says \"pass\"");
}

/* Other checks are not graded, unless the named ones do not show what is expected. */
Test(audit, of_named_checks_only_the_named_ones_are_graded)
{
    static const char passes[] = " ok ";
    cr_expect(audit("milliseconds\\tany\\tstage_times\\tmilliseconds\\n",
                    "--named lab01/solution lab01/milliseconds") == 0,
              "%s", text);
    const char *line = strstr(text, "  milliseconds ");
    cr_expect(line && strstr(line, "CAUGHT") && !strstr(line, passes), "%s", text);
    cr_expect(audit("milliseconds\\tany\\tpinned\\tpageable\\n",
                    "--named lab01/solution lab01/milliseconds") == 1);
    line = strstr(text, "  milliseconds ");
    const char *first = line ? strstr(line, passes) : NULL; /* that of pinned, or of results */
    cr_expect(first && strstr(first + 1, passes), "not the whole report:\n%s", text);
    expect_text("milliseconds is wrong, and pinned says \"pass\"");
}

/* On a T4 no kernel starts early, so one that starts too early is right there. */
Test(audit, what_a_device_cannot_show_is_named_and_not_expected)
{
    static const char *const needs[] = {"first_kernel_early\\tany\\tneeds\\tedges\\n", ""},
                             *const profiles[] = {"h200", "t4"};
    for (int d = 0; d < 2; d++)
        for (int p = 0; p < 2; p++) {
            const bool hidden = p == 1 && d == 0;
            int status = checkout_run(
                text,
                "s=%s; l=$s/grader/labs/lab11; g=$s/build/grader/gen/labs/lab11\n"
                "mkdir -p $l/wrong $g; touch $l/wrong/first_kernel_early\n"
                "printf '%sfirst_kernel_early\\tsim\\ttokens\\tis complete\\n' >$g/expected.tsv\n"
                "SIMGPU_PROFILE=$PWD/common/simgpu/profiles/%s.profile $s/build/grader/audit sim "
                "--named lab11/first_kernel_early",
                scratch, needs[d], profiles[p]);
            cr_expect_eq(status, p == 1 && !hidden, "%s on %s: %s", needs[d], profiles[p], text);
            cr_expect_eq(strstr(text, "cannot show it: edges: it needs compute capability 9.0\n") !=
                             NULL,
                         hidden, "%s on %s: %s", needs[d], profiles[p], text);
        }
}

Test(audit, nothing_is_expected_on_the_profiles_that_are_an_exception)
{
    static const char *const profiles[] = {"h200", "t4", "a100"};
    for (int p = 0; p < 3; p++) {
        int status = checkout_run(
            text,
            "printf 'leaks\\tany\\tclean\\tno such words\\nleaks\\tsim\\texcept\\ta10,t4\\n' "
            ">%s/build/grader/gen/labs/lab01/expected.tsv\n"
            "SIMGPU_PROFILE=$PWD/common/simgpu/profiles/%s.profile %s/build/grader/audit sim "
            "--named lab01/leaks",
            scratch, profiles[p], scratch);
        const bool excepted = p == 1;
        cr_expect_eq(status, !excepted, "%s: %s", profiles[p], text);
        cr_expect_eq(strstr(text, "cannot show it\n") != NULL, excepted, "%s: %s", profiles[p],
                     text);
    }
}

Test(audit, at_most_so_many_wrong_ones)
{
    const char *rows = "milliseconds\\tany\\tstage_times\\tmilliseconds\\n"
                       "leaks\\tany\\tclean\\tfreed\\n";
    cr_expect_eq(audit(rows, "--named --wrong 1 lab01"), 0, "%s", text);
    expect_text("* solution ");
    expect_text("* starter ");
    cr_expect((strstr(text, "  leaks ") != NULL) + (strstr(text, "  milliseconds ") != NULL) == 1,
              "%s", text);
    cr_expect_eq(audit(rows, "--named --wrong 2 lab01"), 0, "%s", text);
    expect_text("  leaks ");
    expect_text("  milliseconds ");
}

Test(audit, a_check_that_is_not_there)
{
    cr_expect(audit("milliseconds\\tany\\tbeauty\\tugly\\n", "lab01/milliseconds") == 1);
    expect_text("milliseconds must fail the check beauty, and the report has none");
}

Test(audit, mistakes_that_the_report_names)
{
    static const char check[] = "milliseconds\\tany\\tstage_times\\tmilliseconds\\n";
    static const struct {
        const char *rows, *complaint;
    } cases[] = {
        {"milliseconds\\tsim\\tmistake\\ttimes_in_ms\\n", NULL},
        {"milliseconds\\tsim\\talso\\ttimes_in_ms\\n", NULL},
        {"milliseconds\\tsim\\tmistake\\tleak\\n",
         "the first mistake of the report is \"times_in_ms\", \"leak\" is expected"},
        {"milliseconds\\tsim\\talso\\tleak\\n",
         "the report does not name the mistake \"leak\", but: times_in_ms"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char rows[256];
        snprintf(rows, sizeof rows, "%s%s", check, cases[i].rows);
        const char *complaint = cases[i].complaint;
        cr_expect_eq(audit(rows, "lab01/milliseconds"), complaint != NULL, "%s", text);
        cr_expect(!complaint || strstr(text, complaint), "%s", text);
    }
}

Test(audit, a_broken_table)
{
    cr_expect(audit("milliseconds any stage_times words\\n", "lab01/milliseconds") == 1);
    expect_text("expected.tsv:1: a column is empty or too long");
    cr_expect(audit("", "lab01/milliseconds") == 1);
    expect_text("it names no submission");
}

Test(audit, a_submission_that_is_not_wrong_where_it_should_be)
{
    /* the solution, under the name of leaks */
    must_succeed("set -e; s=%s; rm $s/build/sim; mkdir -p $s/build/sim/lab01/leaks\n"
                 "ln -s $PWD/build/sim/lab01/solution/subject $s/build/sim/lab01/leaks/subject",
                 scratch);
    cr_expect(audit("leaks\\tany\\tclean\\tfreed\\n", "lab01/leaks") == 1);
    expect_text("leaks is wrong, and clean says \"pass\"");
}

/* Rates of lab01/milliseconds under a table that is right about it. */
static int rates(const char *options)
{
    char what[256];
    snprintf(what, sizeof what, "--log %s/log --json %s/json %s lab01/milliseconds", scratch,
             scratch, options);
    return audit("milliseconds\\tany\\tstage_times\\tmilliseconds\\n", what);
}

/* A line of a log, for printf. */
#define LINE(device, load, kind, submission, counts, checks)                                       \
    device "\\t580\\tabc\\t2026-11-22\\t" load "\\tlab01\\t" kind "\\t" submission "\\t" counts    \
           "\\t" checks "\\n"

Test(audit_rates, go_on_where_they_were_cut)
{
    cr_expect_eq(rates("--repeat 1"), 0, "%s", text);
    expect_text("| all | 0 passed (0.0 to 79.3 %), 0 inconclusive");
    /* cut in the middle of a line */
    checkout_run(text, "printf 'simulated device\tnone' >>%s/log", scratch);
    cr_expect_eq(rates("--repeat 1"), 0, "%s", text);
    checkout_run(text, "grep -c simulated %s/log; wc -l <%s/log", scratch, scratch);
    cr_expect_str_eq(text, "1\n2\n", "graded again: %s", text);
    cr_expect_eq(rates("--repeat 2"), 0, "%s", text);
    expect_text("| lab01 | 0 passed, 0 inconclusive of 2 |");
    /* another commit, another load */
    cr_expect_eq(rates("--repeat 1 --commit other"), 0, "%s", text);
    expect_text("of 3 |");
    expect_text("commit other, unknown");
    cr_expect_eq(rates("--repeat 1 --load 1"), 0, "%s", text);
    expect_text("of 4 |");
}

Test(audit_rates, grade_the_check_that_must_fail_and_compare_its_words)
{
    char what[256];
    snprintf(what, sizeof what, "--repeat 1 --log %s/log lab01/milliseconds", scratch);
    cr_expect_eq(audit("milliseconds\\tany\\tstage_times\\tsomething else\\n", what), 0, "%s",
                 text);
    expect_text("!! lab01 milliseconds: stage_times fails, but without the words");
    /* another check, which passes: the failing one does not run */
    snprintf(what, sizeof what, "--repeat 1 --commit other --log %s/log lab01/milliseconds",
             scratch);
    cr_expect_eq(audit("milliseconds\\tany\\tpinned\\tpageable\\n", what), 1, "%s", text);
    expect_text("milliseconds is wrong, and pinned says \"pass\"");
}

Test(audit_rates, say_why_a_right_one_failed)
{
    char what[256];
    snprintf(what, sizeof what, "--repeat 1 --log %s/log lab01/milliseconds", scratch);
    checkout_run(text, "cd %s/grader/labs/lab01 && mkdir right && mv wrong/milliseconds right/",
                 scratch);
    cr_expect_eq(audit("leaks\\tany\\tclean\\tfreed\\n", what), 1, "%s", text);
    expect_text("!! lab01 milliseconds is right, and stage_times says \"fail\": The "
                "stage times are milliseconds");
}

Test(audit_rates, count_false_and_undecided_verdicts)
{
    checkout_run(text,
                 "for i in {1..9}; do printf '" LINE(
                     "X", "0", "wrong", "slow", "1\\t0\\t0\\t2.0",
                     "-") "'; done >%s/log; printf '" LINE("X", "0", "wrong", "slow",
                                                           "1\\t1\\t0\\t2.0", "all_time?")
                     LINE("X", "0", "wrong", "slow", "1\\t0\\t1\\t4.2", "time?,all_time?") LINE(
                         "X", "0", "solution", "solution", "1\\t1\\t0\\t2.0", "time") "' >>%s/log",
                 scratch, scratch);
    must_succeed("build/grader/audit table %s/log", scratch);
    expect_text("**X**: 12 gradings, driver 580, commit abc, on 2026-11-22\n");
    expect_text("| lab01 | 1 failed, 0 inconclusive of 1 | 1 passed, 1 inconclusive of "
                "11 | 2.0 s |");
    expect_text("| 1 passed (1.6 to 37.7 %), 1 inconclusive (1.6 to 37.7 %) of 11 |");
    expect_text("- lab01/slow, alone: 1 false, 1 inconclusive of 11: all_time?, time?\n");
    checkout_run(text,
                 "build/grader/audit json %s/log | jq -r '.rates[] | select(.lab == \"all\") | "
                 ".false'",
                 scratch);
    cr_expect_str_eq(text, "1\n1\n");
}

Test(audit_rates, time_the_solution_of_the_newest_commit)
{
    checkout_run(text,
                 "{ printf '" LINE("X", "0", "solution", "solution", "2\\t0\\t0\\t18.0", "-") LINE(
                     "X", "0", "right", "other", "1\\t0\\t0\\t7.0",
                     "-") "' | sed s/abc/old/; printf '" LINE("X", "0", "solution", "solution",
                                                              "2\\t0\\t0\\t6.0", "-")
                     LINE("X", "1", "solution", "solution", "1\\t0\\t0\\t9.0", "-") "'; } >%s/log",
                 scratch);
    checkout_run(text, "build/grader/audit table %s/log", scratch);
    expect_text("| lab01 | 0 failed, 0 inconclusive of 5 | 0 failed, 0 inconclusive of "
                "1 | | 3.0 s |");
    expect_text(" | 3.0 s |\n");
}

Test(audit_rates, of_several_runs_and_machines_make_one)
{
    checkout_run(
        text,
        "printf '" LINE("X", "0", "right", "other", "3\\t0\\t0\\t6",
                        "-") "' >%s/a\n"
                             "printf '" LINE("X", "0", "right", "other", "2\\t0\\t1\\t9", "time?")
                                 LINE("Y", "1", "right", "other", "1\\t0\\t0\\t2",
                                      "-") "' >%s/b\n"
                                           "build/grader/audit merge %s/a %s/b | tee %s/log; "
                                           "build/grader/audit merge %s/log | cmp - %s/log",
        scratch, scratch, scratch, scratch, scratch, scratch, scratch);
    expect_text("\nX\t580\tabc\t2026-11-22\t0\tlab01\tright\tother\t5\t0\t1\t15.00\t"
                "time?\nY\t");
    cr_expect_not(strstr(text, "differ"), "%s", text);
    checkout_run(text, "build/grader/audit table %s/log", scratch);
    expect_text("| lab01 | 0 failed, 1 inconclusive of 5 | |");
    expect_text("**Y**: 1 grading");
    cr_expect_eq(checkout_run(text, "build/grader/audit table %s/none", scratch), 2);
    expect_text("No such file");
}

/* The newest commit of the solution keeps a line of its own, which has its time. */
Test(audit_rates, of_several_commits_make_one_line_of_a_merged_log)
{
    checkout_run(
        text,
        "{ printf '" LINE("X", "0", "wrong", "slow", "2\\t0\\t1\\t6", "time?")
            LINE("X", "0", "solution", "solution", "1\\t0\\t0\\t2",
                 "-") "' >%s/log\n"
                      "sed 's/abc/def/; s/-22/-23/; p; s/def/ghi/; s/-23/-24/' %s/log; } >>%s/log\n"
                      "build/grader/audit merge %s/log",
        scratch, scratch, scratch, scratch);
    expect_text("\nX\t580\tabc,def,ghi\t2026-11-22,2026-11-23,2026-11-24\t0\tlab01\twrong"
                "\tslow\t6\t0\t3\t18.00\ttime?\n");
    expect_text("\tabc,def\t2026-11-22,2026-11-23\t0\tlab01\tsolution\tsolution\t2\t");
    expect_text("\tghi\t2026-11-24\t0\tlab01\tsolution\tsolution\t1\t");
}

Test(audit_rates, that_were_counted_on_gpus_are_in_their_page)
{
    cr_expect_eq(checkout_run(text, "sed '1,/^<!-- make rates/d' grader/rates/README.md | diff - "
                                    "<(echo; build/grader/audit table grader/rates/*.tsv)"),
                 0, "grader/rates/README.md is not what make rates writes:\n%s", text);
}

/* A machine with three GPUs, two of which may be used; ./grade says what it got. */
Test(audit_rates, begin_at_another_gpu_in_each_place)
{
    checkout_run(
        text,
        "s=%s; rm $s/grade; mkdir $s/bin; ln -s $PWD/build/sim $s/build/gpu\n"
        "printf '#!/bin/sh\\necho GPU-a, 580, X; echo GPU-b, 580, X; echo GPU-c, 580, X\\n' "
        ">$s/bin/nvidia-smi\n"
        "printf '#!/bin/sh\\nsleep 0.2; echo $CUDA_VISIBLE_DEVICES >>%%s/got; exit 3\\n' $s "
        ">$s/grade; chmod +x $s/grade $s/bin/nvidia-smi\n"
        "printf 'leaks\\tany\\tx\\tx\\n' >$s/build/grader/gen/labs/lab01/expected.tsv\n"
        "export PATH=$s/bin:$PATH\n"
        "$s/build/grader/audit gpu --repeat 6 --log $s/log lab01/solution\n"
        "sort -u $s/got; rm $s/got; CUDA_VISIBLE_DEVICES=1,2 $s/build/grader/audit gpu "
        "--repeat 12 --log $s/log lab01/solution; sort -u $s/got",
        scratch);
    expect_text("**X**: 6 gradings");
    expect_text("GPU-a,GPU-b,GPU-c\nGPU-b,GPU-c,GPU-a\nGPU-c,GPU-a,GPU-b\n");
    expect_text("**X**: 12 gradings");
    expect_text("\n1,2\n2,1\n");
}

/* Its wrong submissions are right there, or fail in other words. */
Test(audit_rates, leave_out_a_lab_that_is_for_more_devices)
{
    static const char command[] =
        "s=%s; mkdir $s/grader/labs/lab12 $s/build/grader/gen/labs/lab12\n"
        "cp build/grader/gen/labs/lab12/expected.tsv $s/build/grader/gen/labs/lab12\n"
        "SIMGPU_DEVICES=1 $s/build/grader/audit sim %s lab12/solution";
    char once[64];
    snprintf(once, sizeof once, "--repeat 1 --log %s/log", scratch);
    for (int i = 0; i < 2; i++) {
        must_succeed(command, scratch, i == 0 ? "" : once);
        expect_text("lab12 is left out: it is for 2 devices, and there is 1 here");
        cr_expect(!strstr(text, "ok ") && !strstr(text, "1 gradings"), "%s", text);
        must_succeed("rm -r %s/grader/labs/lab12 %s/build/grader/gen/labs/lab12", scratch, scratch);
    }
}

Test(audit_rates, need_a_log_that_is_one)
{
    checkout_run(text, "echo something else >%s/log", scratch);
    cr_expect_eq(rates("--repeat 1"), 2);
    expect_text("is no log of gradings: something else");
    cr_expect_eq(audit("", "--repeat 1 lab01"), 2);
    expect_text("usage: audit");
}

Test(audit, nothing_to_audit)
{
    cr_expect(audit("leaks\\tany\\tclean\\tfreed\\n", "lab99") == 2);
    expect_text("there is nothing to audit by that name");
    cr_expect(checkout_run(text, "%s/build/grader/audit moon", scratch) == 2);
    expect_text("usage: audit sim|gpu");
}

Test(audit, a_grader_that_cannot_run)
{
    must_succeed(
        "s=%s; rm $s/grade; printf '#!/bin/sh\\necho out of paper >&2; exit 4\\n' >$s/grade; "
        "chmod +x $s/grade",
        scratch);
    cr_expect(audit("leaks\\tany\\tclean\\tfreed\\n", "lab01/leaks") == 1);
    expect_text("leaks: ./grade ended with 4 and without a report:\nout of paper");
}

Test(audit, a_subject_that_is_not_built)
{
    must_succeed("rm %s/build/sim", scratch);
    cr_expect(audit("leaks\\tany\\tclean\\tfreed\\n", "lab01/leaks") == 2);
    expect_text("make audit DEVICE=sim builds it");
}

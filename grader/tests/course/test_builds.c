/* test_builds.c: one folder for each submission's build: makes and gradings at the same time, and
 * known submissions, which are stored as their difference from the solution. */
#include "checkout.h"

TestSuite(builds, .init = checkout_enter);

/* ---- at the same time ------------------------------------------------------------------------ */

/* Two submissions whose verdicts differ, and a third that does not compile. Of what a subject is
 * made of beside its submission, some objects and all libraries are not built yet. */
Test(builds, many_are_built_and_graded_at_once)
{
    checkout_copy(scratch);
    int status = checkout_run(
        text, "left() { find build/sim build/grader -type f -name '*.[0-9]*' ! -name "
              "'libcudart.so.13' \"$@\"; }; left -delete # of a build that was interrupted\n"
              "mkdir one two three; make build/known/lab01/{leaks,milliseconds}/lab.c\n"
              "cp build/known/lab01/leaks/lab.c one; echo 'int oops(' >three/lab.c\n"
              "cp build/known/lab01/milliseconds/lab.c two\n"
              "rm -r build/sim/obj/common/*.o build/sim/lib/*.a build/sim/lab01 "
              "build/grader/lib\n"
              "for n in one two three; do { make lab01 SUBMISSION=$n && "
              "./grade lab01 --submission $n --json $n.json; } >$n.txt 2>&1 & done; wait\n"
              "grep '^lab01' three.txt || cat three.txt; for n in one two; do jq -r '.submission, "
              "(.checks[] | select(.status == \"fail\") | .name)' $n.json || cat $n.txt; done\n"
              "left");
    checkout_remove(scratch);
    cr_expect_eq(status, 0);
    cr_expect_str_eq(text, "lab01: three/lab.c does not compile; fix the first error above and run "
                           "make lab01 SUBMISSION=three again\n"
                           "one/lab.c\nclean\ntwo/lab.c\nstage_times\n");
}

/* Criterion starts a process of a suite for each of its checks, by the path of the running file. */
Test(builds, a_program_that_is_linked_again_and_is_the_same_keeps_its_file)
{
    checkout_copy(scratch);
    int status =
        checkout_run(text, "grade=$(stat -c %%i grade)\n"
                           "touch build/grader/lib/libjudge.a; make -s grade | grep -c '^  ld'\n"
                           "[ $grade = $(stat -c %%i grade) ] && make -s grade");
    checkout_remove(scratch);
    cr_expect_eq(status, 0);
    cr_expect_str_eq(text, "1\n");
}

/* Another make may read it, and a copy of the checkout (checkout_copy) shares its files. */
Test(builds, no_rule_writes_a_file_in_place)
{
    checkout_run(text, "grep -nE '>>?[[:space:]]*\\$@([^.]|$)' Makefile */*.mk */*/*.mk");
    cr_expect_str_eq(text, "", "next: write $@.$$$$, then mv\n%s", text);
}

/* ---- known submissions ----------------------------------------------------------------------- */

/* What make would run, when the environment has a variable for each name that the makefiles mention
 * and the settings do not. */
Test(builds, the_environment_changes_the_settings_and_nothing_else)
{
    must_succeed(
        "settings=$(sed -n 's/^\\([A-Z_]*\\) ?=.*/-e \\1/p' Makefile grader/grader.mk)\n"
        "names=$(cat Makefile */*.mk */*/*.mk | grep -oE '[$][$]?[(][A-Za-z_]+' | tr -d '$(' | "
        "sort -u | grep -vxFe CURDIR -e PATH -e SHELL -e MAKEFLAGS -e MAKECMDGOALS -e "
        "MAKEFILE_LIST $settings)\n"
        "plan() { env \"$@\" make -nB DEVICE=sim SOLUTION=1 lab01 build/san/grader/audit "
        "build/sim/lib/libcudart.so 2>/dev/null | sed 's/json[.][0-9]*/json/' | sort; }\n"
        "echo \"$names\" | grep -cxE 'MORE|SANITIZE|OPTIMIZE|CC'\n"
        "diff <(plan) <(plan $(printf '%%s=nonsense ' $names)) | cut -c1-200");
    cr_expect_str_eq(text, "4\n", "%s", text);
}

/* Also as the first: what it has in common with the solution is compiled before. */
Test(builds, a_known_submission_is_built_by_name)
{
    checkout_copy(scratch);
    int status =
        checkout_run(text, "rm -r build/sim/lab07; make lab07 KNOWN=sum_fired && ./grade lab07");
    cr_expect_eq(status, 1);
    expect_text("       grader/labs/lab07/wrong/sum_fired\n");
    status = checkout_run(text, "make lab07 KNOWN=sum_fried");
    checkout_remove(scratch);
    cr_expect_eq(status, 2);
    expect_text("there is no grader/labs/lab07/*/sum_fried; known submissions of lab07: ");
    expect_text("sum_fired");
}

/* Applies the known submission to a solution of these lines: one, two, same, same, last. */
static int apply(const char *known)
{
    return checkout_run(text,
                        "printf 'one\\ntwo\\nsame\\nsame\\nlast\\n' | awk -v file=lab.c -v "
                        "files='lab.c lab.cu' -v base=solutions/lab.c -f grader/labs/known.awk "
                        "<(printf '%s') -",
                        known);
}

Test(builds, a_known_submission_is_the_solution_with_other_lines)
{
    cr_expect_eq(apply("What is wrong here.\n\n<<<< lab.c\none\ntwo\n====\n2\n>>>>\nand\n"
                       "<<<< lab.cu\nx\n====\n>>>>\n<<<< lab.c\nlast\n====\n5\n6\n>>>>\n"),
                 0);
    cr_expect_str_eq(text, "2\nsame\nsame\n5\n6\n");
    cr_expect_eq(apply("All of it is wrong.\n<<<< lab.c\n====\nnew\n>>>>\n"), 0);
    cr_expect_str_eq(text, "new\n");
}

Test(builds, a_known_submission_that_does_not_apply_is_named_with_its_block)
{
    static const struct {
        const char *known, *said;
    } all[] = {
        {"What is wrong here.\n\n<<<< lab.c\nthree\n====\n3\n>>>>\n",
         ":3: the text of this block is not in solutions/lab.c"},
        {"What is wrong here.\n<<<< lab.c\nsame\n====\n3\n>>>>\n",
         ":2: the text of this block is in solutions/lab.c 2 times"},
        {"What is wrong here.\n<<<< lab.c\none\ntwo\n====\n>>>>\n"
         "<<<< lab.c\ntwo\nsame\n====\n3\n>>>>\n",
         ":7: this block and the one of line 2 change the same line"},
        {"What is wrong here.\n<<<< lab.h\none\n====\n3\n>>>>\n",
         ":2: there is no lab.h; the files are: lab.c lab.cu"},
        {"What is wrong here.\n<<<< lab.c\none\n====\n3\n", ":2: this block has no >>>>"},
        {"What is wrong here.\n<<<< lab.c\none\n>>>>\n", ":2: this block has no ===="},
        {"What is wrong here.\n<<<< lab.c\none\n====\n3\n<<<< lab.c\n",
         ":6: the block of line 2 has no >>>>"},
        {"<<<< lab.c\none\n====\n3\n>>>>\n", ":1: the first line must state the misconception"},
        {"What is wrong here.\n", ":1: there is no block"},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        cr_expect_eq(apply(all[i].known), 1);
        expect_text(all[i].said);
    }
}

Test(builds, a_known_submission_that_does_not_apply_stops_the_build)
{
    checkout_copy(scratch);
    int status = checkout_run(
        text, "printf 'What is wrong here.\\nfails: any time \"x\"\\n<<<< lab.c\\nno such line\\n"
              "====\\n>>>>\\n' >grader/labs/lab01/wrong/broken\n"
              "make lab01 KNOWN=broken; ./grade lab01");
    checkout_remove(scratch);
    cr_expect_eq(status, 2);
    expect_text("grader/labs/lab01/wrong/broken:3: the text of this block is not in "
                "solutions/lab01_sync_copies/lab.c");
    expect_text("lab01 is not built");
}

Test(builds, a_known_submission_may_be_the_difference_from_another)
{
    checkout_copy(scratch);
    int status = checkout_run(text, "rm -r build/known/lab03\n"
                                    "make build/known/lab03/one_stream/lab.c && grep -c 'float .a, "
                                    ".b, .c;' build/known/lab03/one_stream/lab.c\n"
                                    "sed -i '2,$ s/float .a, .b, .c;/float *a, *b, *c, *d;/' "
                                    "grader/labs/lab03/right/two_copies\n"
                                    "make build/known/lab03/one_stream/lab.c; grep '.a, .b, .c' "
                                    "build/known/lab03/one_stream/lab.c");
    checkout_remove(scratch);
    cr_expect_eq(status, 0, "%s", text);
    cr_expect_str_eq(text, "1\n    float *a, *b, *c, *d;\n");
}

Test(builds, a_base_that_cannot_be_one_is_named)
{
    static const char *const all[][3] = {
        {"none", "two_copies", "base: there is no submission none"},
        {"one_stream", "two_copies", "base: two_copies is made of this submission itself"},
        {"one_stream", "one_stream", "base: one_stream is made of this submission itself"},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        cr_expect_eq(
            checkout_run(text,
                         "s=$(mktemp -d); cp -r grader/labs/lab03 $s; cd $s/lab03\n"
                         "sed -i '/^base:/d; 1a base: %s' */%s\n"
                         "awk -f $OLDPWD/grader/labs/known.awk wrong/* right/* >/dev/null; "
                         "status=$?; rm -r $s; exit $status",
                         all[i][0], all[i][1]),
            1);
        expect_text(all[i][2]);
    }
}

/* A branch that moves one, merged into an old checkout, leaves both. */
Test(builds, a_known_submission_is_right_or_wrong_and_not_both)
{
    checkout_copy(scratch);
    int status = checkout_run(text, "cd grader/labs/lab01 && cp wrong/leaks right; cd ../../..\n"
                                    "make lab01; make lab01 KNOWN=leaks");
    checkout_remove(scratch);
    cr_expect_eq(status, 2);
    expect_text("grader/labs/lab01/right/leaks:1: grader/labs/lab01/wrong/leaks has the same name");
}

/* With make -n, as the programs of a bundle take minutes to build. */
Test(builds, a_bundle_takes_what_the_learner_has_now)
{
    checkout_copy(scratch);
    int status = checkout_run(text, "grep -q '^NVCC := .' build/setup.mk || exit 77\n"
                                    "echo '/* mine */' >>labs/lab01_sync_copies/lab.c\n"
                                    "make -n bundle LAB=lab01 >/dev/null 2>&1\n"
                                    "cmp labs/lab01_sync_copies/lab.c build/intake/lab01/lab.c");
    checkout_remove(scratch);
    if (status == 77)
        cr_skip("no nvcc");
    cr_expect_eq(status, 0, "%s", text);
}

/* test_new_lab.c: whoever adds a lab is shown every part that it lacks (labs/lacks.sh). */
#include "checkout.h"

/* Without the labs, but for their pages. */
static void copy_course(void)
{
    scratch_make();
    must_succeed("cp --parents README.md labs/*.md grader/labs/*.{sh,awk} %s; mkdir %s/solutions",
                 scratch, scratch);
    cr_assert(chdir(scratch) == 0);
}

TestSuite(new_lab, .init = copy_course, .fini = scratch_remove);
TestSuite(labs, .init = checkout_enter);

static void is_complete(const char *path)
{
    int status = checkout_run(text, "grader/labs/lacks.sh $(grep -o 'lab[0-9][0-9]' <<<%s)", path);
    cr_expect(status == 0 && text[0] == 0, "%s", text);
}

Test(labs, are_complete)
{
    checkout_each("labs/lab*/lab.h", is_complete);
}

Test(new_lab, a_folder_alone_lacks_all_files_and_rows)
{
    cr_expect_eq(checkout_run(text, "mkdir labs/lab77_x; grader/labs/lacks.sh lab77"), 1);
    cr_expect_str_eq(text,
                     "labs/lab77_x/lab.h: the contract is missing\n"
                     "labs/lab77_x/Makefile: the link is missing: ln -s ../Makefile\n"
                     "solutions/lab77_x/lab.c*: the solution is missing\n"
                     "labs/lab77_x/lab.c*: the starter is missing: make starters\n"
                     "grader/labs/lab77/exchange.h: what adapter and suite exchange is missing\n"
                     "grader/labs/lab77/adapter.c: the adapter is missing\n"
                     "grader/labs/lab77/suite.c: the suite is missing\n"
                     "grader/labs/lab77/mistakes: the file of mistakes is missing\n"
                     "grader/labs/lab77/wrong: 0 wrong submissions, at least 4 are needed\n"
                     "grader/labs/lab77/right/*: no other way to solve the lab is known\n"
                     "labs/lab77_x/hints.md: the hints are missing\n"
                     "labs/lab77_x/README.md: the handout is missing\n"
                     "README.md: the table of labs has no row for lab77\n"
                     "labs/SYMPTOMS.md: no symptom names lab77\n"
                     "labs/TEACHING.md: the table of labs has no row for lab77\n");
    cr_expect_eq(checkout_run(text, "grader/labs/lacks.sh lab78"), 1);
    cr_expect_str_eq(text, "labs/lab78_name: there is no such folder\n");
}

/* Empty files lack their contents. */
Test(new_lab, a_skeleton_lacks_what_its_files_should_hold)
{
    cr_expect_eq(
        checkout_run(
            text, "mkdir -p labs/lab77_x solutions/lab77_x grader/labs/lab77/right\n"
                  "ln -s ../Makefile labs/lab77_x/Makefile\n"
                  "touch labs/lab77_x/{lab.h,lab.c,README.md,hints.md} "
                  "solutions/lab77_x/lab.c grader/labs/lab77/{exchange.h,adapter.c,right/other}\n"
                  "echo 'JUDGE_CHECK(lab77, results, 100, \"x\")' >grader/labs/lab77/suite.c\n"
                  "echo 'step: 1' >grader/labs/lab77/mistakes\n"
                  "echo '| [77 x](labs/lab77_x/README.md) | | |' >>README.md\n"
                  "grader/labs/lacks.sh lab77"),
        1);
    cr_expect_str_eq(
        text,
        "solutions/lab77_x: nothing is marked #ifdef SOLUTION\n"
        "solutions/lab77_x: no comment says YOUR STEP 1\n"
        "grader/labs/lab77/suite.c: it has no JUDGE_LAB\n"
        "grader/labs/lab77/mistakes: no step has checks:\n"
        "grader/labs/lab77/mistakes: it has no mistake\n"
        "grader/labs/lab77/wrong: 0 wrong submissions, at least 4 are needed\n"
        "grader/labs/lab77/wrong: no submission fails the check results\n"
        "labs/lab77_x/hints.md: step 1 has no hints\n"
        "labs/lab77_x/README.md: the part \"**Goal:**\" is missing\n"
        "labs/lab77_x/README.md: the part \"## What to expect on \" is missing\n"
        "labs/lab77_x/README.md: the part \"<summary>Common mistakes</summary>\" is missing\n"
        "labs/lab77_x/README.md: the part \"## Questions to answer for yourself\" is missing\n"
        "labs/lab77_x/README.md: the part \"## Where to read more\" is missing\n"
        "labs/lab77_x/README.md: the table of checks is missing\n"
        "labs/lab77_x/README.md: the steps are missing\n"
        "labs/lab77_x/README.md: the command that runs its program is missing\n"
        "labs/lab77_x/README.md: the command ./grade lab77 is missing\n"
        "labs/SYMPTOMS.md: no symptom names lab77\n"
        "labs/TEACHING.md: the table of labs has no row for lab77\n");
}

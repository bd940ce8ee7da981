/* test_hints.c: ./grade labNN --hint, and the hints of all labs. Runs as test_grade.c does. */
#include "learner.h"

TestSuite(hints, .init = begin);

Test(hints, hints_come_one_level_at_a_time)
{
    run(0, "./grade lab05 --hint");
    expect("lab05, Step 1: from lab 03\nhint 1 of 3\n");
    expect("more: ./grade lab05 --hint=2\n");
    run(0, "./grade lab05 --hint=3");
    expect("hint 3 of 3\n");
    expect("sed s/lab03/lab05/g");
    cr_expect(!strstr(text, "more: "), "%s", text);
    run(0, "./grade lab05 width --hint 2");
    expect("lab05, Step 2: the fork\nhint 2 of 3\n");
    expect("more: ./grade lab05 width --hint=3\n");
    run(2, "./grade lab05 --hint=4");
    expect("--hint=4? It is 1, 2 or 3");
    run(2, "./grade lab05 nonsense --hint");
    expect("lab05 has no hint for nonsense");
}

Test(hints, the_hint_is_for_what_comes_next)
{
    run(0, "make lab01 lab10 >/dev/null"); /* keeps the starters, which the hints compare with */
    run(0, "sed -i '0,/return cudaErrorNotYetImplemented/s//return cudaSuccess/' "
           "labs/lab01_*/lab.c; ./grade lab01 --hint");
    expect("lab01, Step 2: ");
    run(0, "./grade lab10 --hint; solution lab10 lab.cu; ./grade lab10 --hint");
    expect("lab10, Step 1: plan\n");
    expect("lab10, Step 4: a conditional node");
    run(2, "solution lab01 lab.c; ./grade lab01 --hint");
    expect("your lab01 was not graded yet. Next: make lab01 && ./grade lab01");
    run(0, "sed -i 's/h2d_ms \\* 1000/h2d_ms/' labs/lab01_*/lab.c; ./grade lab01 >/dev/null; "
           "./grade lab01 --hint");
    expect("lab01, Step 4: the times of the stages\n");
    run(0, "solution lab01 lab.c; sed -i 's/TRY(\\(cudaEventRecord(state->begin, stream)\\))/\\1/' "
           "labs/lab01_*/lab.c; ./grade lab01 >/dev/null; ./grade lab01 --hint");
    expect("lab01, An error that was not returned\n");
    run(1, "solution lab01 lab.c; sed -i 's/TRY(\\(cudaEventRecord(state->begin\\)/CHECK(\\1/' "
           "labs/lab01_*/lab.c; ./grade lab01");
    expect("return errors, with TRY in place of CHECK");
    run(0, "solution lab01 lab.c; sed -i '/cudaEventDestroy(state->begin)/d' labs/lab01_*/lab.c; "
           "./grade lab01 >/dev/null; ./grade lab01 --hint");
    expect("lab01, Something that is not freed\n");
    run(0, "solution lab01 lab.c; ./grade lab01 >/dev/null; ./grade lab01 --hint");
    expect("lab01 passed all checks");
}

/* Each check draws other sizes, so each says other numbers. */
Test(hints, a_call_that_goes_out_of_bounds_is_one_reason)
{
    run(1, "solution lab01 lab.c; sed -i 's/lab->n, stream));/lab->n + 32, stream));/' "
           "labs/lab01_*/lab.c; ./grade lab01");
    expect("All 6 checks fail for one reason:");
    expect("next      compare the size that you allocated");
}

Test(hints, a_solution_has_no_step_left)
{
    run(0,
        "for lab in solutions/*; do lab=${lab#*/}; number=${lab%%_*}\n"
        "for file in solutions/$lab/*; do solution $number ${file##*/}; done\n"
        "./grade $number --hint 2>&1 | grep -v '^your lab.. was not graded yet'; done; echo none");
    cr_expect_str_eq(text, "none\n");
}

/* A section for each step, with three levels; a starter of free design has no steps. (Each check
   and mistake has a step that has a section: labs/mistakes.awk.) */
static void has_all_hints(const char *path)
{
    int status = checkout_run(
        text,
        "lab=$(dirname %s)\n"
        "! grep -q 'YOUR STEP' $lab/lab.c* || diff <(grep -ho 'YOUR STEP [0-9]*' $lab/lab.c* | "
        "grep -o '[0-9]*' | sort -nu) "
        "<(sed -n 's/^## Step \\([0-9]*\\): .*/\\1/p' $lab/hints.md) || exit 1\n"
        "awk '/^## / { if (title && n != 3) print title; title = $0; n = 0 } /^[0-9]\\. / && "
        "substr($0, 1, 1) == n + 1 { n++ } END { if (n != 3) print title }' $lab/hints.md",
        path);
    cr_expect(status == 0 && text[0] == 0,
              "%s: steps without a section, or sections without three levels:\n%s", path, text);
}

/* The section for what is not freed, not that of the check that finds it. */
Test(hints, a_hint_is_for_the_mistake_and_not_for_the_check)
{
    run(0, "make build/known/lab26/leaks_exec/lab.c >/dev/null; cp "
           "build/known/lab26/leaks_exec/lab.c labs/lab26_*/; ./grade lab26 >/dev/null; "
           "./grade lab26 --hint");
    expect("lab26, If something is not freed\nhint 1 of 3\n");
}

Test(hints, every_step_has_hints)
{
    checkout_each("labs/lab*/lab.h", has_all_hints);
}

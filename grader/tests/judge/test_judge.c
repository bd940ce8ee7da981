/* test_judge.c: the judge against submissions that do not want to be judged, and ./grade against
 * its users. Each submission must end in a failed report, soon, and leave no process and no file.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include "grading.h"

TestSuite(judge, .init = begin, .fini = end);

/* ---- submissions ----------------------------------------------------------------------------- */

/* With sanitizers in the subject some deaths come sooner, or by another hand. */
#if defined(__SANITIZE_ADDRESS__)
#define PLAIN_OR_SANITIZED(plain, sanitized) sanitized
#else
#define PLAIN_OR_SANITIZED(plain, sanitized) plain
#endif

struct hostile {
    char name[32];
    char check[16];   /* that must fail */
    char words[96];   /* that its message must hold */
    char printed[64]; /* that the report must show as printed by the submission; empty: nothing */
    char never[64];   /* that the report must not hold; empty: nothing */
};

ParameterizedTestParameters(judge, hostile_submission)
{
    static struct hostile all[] = {
        {"exit_zero", "results", "ended the program during a run", "", ""},
        {"exit_at_once", "results", "ended the program during a run", "", ""},
        {"aborts", "results", "aborted during a run", "this cannot be", ""},
        {"kills_itself", "results", "killed (SIGKILL) during a run", "", ""},
        {"constructor_report", "results", "ended the program before main",
         "100 of 100 points   3 passed", ""},
        {"constructor_loops", "results", "did not return before main", "", ""},
        {"loops", "results", "did not return during a run", "", ""},
        {"prints", "results", "printed more than it may", "xxxxxxxx", ""},
        {"allocates", "results",
         PLAIN_OR_SANITIZED("followed a null pointer", "used more host memory"), "", ""},
        {"allocates_shared", "results", "it made shared memory", "", ""},
        {"forks", "results", "did not return during a run", "", ""},
        {"threads", "results", "more threads than it may", "", ""},
        {"writes_input", "results", "wrote to the input in", "", ""},
        {"changes_input", "results", "the input in was changed", "", ""},
        {"overruns", "results", "wrote past the end of the buffer out", "", ""},
        {"underruns", "results", "memory beside the buffer out was written", "", ""},
        {"null_pointer", "results",
         PLAIN_OR_SANITIZED("followed a null pointer", "ended the program"), "", ""},
#if !defined(__aarch64__) /* there, the result is 0 */
        {"divides_by_zero", "results", PLAIN_OR_SANITIZED("divided by zero", "ended the program"),
         "", ""},
#endif
        {"recurses", "results", "ran out of stack", "", ""},
        {"not_a_number", "results", "not numbers (NaN)", "", ""},
        {"first_only", "results", "results of the run before", "", ""},
        {"does_nothing", "results", "nothing was in out when the run was over", "", ""},
        {"half", "results", "Never written: batch 3 of out", "", ""},
        {"mixes", "results", "batch 1 holds the result of batch 0", "", ""},
        {"too_fast", "time", "faster than the hardware can be", "", ""},
        {"too_slow", "time", "does more than it must", "", ""},
        {"returns_error", "results", "lab00_run returned 999", "", ""},
        {"closes", "results", "closed or replaced file descriptors", "", ""},
        {"replaces_channel", "results", "closed or replaced file descriptors", "", ""},
        {"kills_parent", "results", "nothing was in out", "", ""},
        {"forges", "results", "wrote into the grader", "", ""},
        {"impostor", "results", "nothing was in out", "", ""},
        {"spies", "results", "nothing was in out", "looking", "got hold"},
        {"escapes", "results", "nothing was in out", "trying", "got hold"},
        {"exits_as_grader", "results", "ended the program", "", ""},
        {"blames_grader", "results", "says that it does not fit", "", ""},
        {"speaks_as_grader", "results", "the submission's process says: \\\"The grader is broken",
         "", ""},
        {"writes_on_terminal", "results", "wrote into the grader's channel", "", "\033"},
        {"invents_finding", "results", "wrote into the grader's channel", "", ""},
        {"page_tables", "results", "used more host memory than it may", "", ""},
        {"vandal", "results", "holds zeros", "trying", "managed"},
    };
    return cr_make_param_array(struct hostile, all, sizeof all / sizeof all[0]);
}

/* Where the machine allows namespaces (jail/room.c). */
Test(judge, a_submission_does_not_see_files_and_processes_of_the_machine)
{
    if (system("unshare -Urm mount -t tmpfs none /tmp 2>/dev/null") != 0)
        cr_skip_test("this machine allows no user namespaces");
    grade_subject("spies");
    cr_expect(strstr(g.out, "looking") && !strstr(g.out, "saw "), "%s", g.out);
}

ParameterizedTest(struct hostile *h, judge, hostile_submission)
{
    char filter[256];
    /* used up within the time limit, on a busy machine, too; sanitizers keep more themselves */
    setenv("GRADE_MEMORY_MIB", PLAIN_OR_SANITIZED("160", "320"), 1);
    /* one that never returns would use up the time limit in each check */
    grade_check(h->name, strstr(h->words, "did not return") ? h->check : "");
    cr_assert_eq(g.status, 1, "%s: exit status %d:\n%s", h->name, g.status, g.out);
    snprintf(filter, sizeof filter,
             ".checks[] | select(.name == \"%s\") | .status == \"fail\" and .points == 0",
             h->check);
    cr_assert(json_says(filter), "%s: %s did not fail:\n%s", h->name, h->check, g.json);
    cr_assert(strstr(g.json, h->words), "%s: the report does not say \"%s\":\n%s", h->name,
              h->words, g.json);
    cr_assert(strstr(g.out, h->printed), "%s: \"%s\" is not shown:\n%s", h->name, h->printed,
              g.out);
    cr_assert(!h->never[0] || !strstr(g.out, h->never), "%s:\n%s", h->name, g.out);
    cr_assert(g.seconds < 30, "%s took %.1f s", h->name, g.seconds);
    expect_nothing_left();
}

Test(judge, a_submission_that_fills_memory_until_the_time_limit_is_told_so)
{
    setenv("GRADE_MEMORY_MIB", "16384", 1);
    grade_subject("fills");
    cr_assert_eq(g.status, 1, "exit status %d:\n%s", g.status, g.out);
    cr_assert(strstr(g.json, "still filling host memory during a run"), "%s", g.json);
    expect_nothing_left();
}

Test(judge, a_right_submission_passes_whatever_the_seed_and_its_json_is_the_same)
{
    char first[TEXT];
    grade_subject("good");
    cr_assert_eq(g.status, 0, "%s", g.out);
    cr_assert(json_says(
        "keys == [\"checks\", \"device\", \"devices\", \"lab\", \"max_points\", \"mistakes\", "
        "\"points\", \"seed\", \"submission\"]"));
    cr_assert(json_says(".lab == \"lab00\" and .points == 80 and .max_points == 80 and (.device | "
                        "test(\"^[Ss]imulated\"))"));
    cr_assert(json_says(".devices == {\"present\": 1, \"lab_is_for\": 1}"));
    cr_assert(json_says("[.checks[].name] == [\"results\", \"race_free\", \"time\"]"));
    cr_assert(json_says("[.checks[].status] == [\"pass\", \"skip\", \"pass\"]"));
    cr_assert(json_says(".checks[0].message == \"every element is right, at every size\""));
    cr_assert(json_says(".checks[] | (keys - [\"time_us\", \"reference_us\", \"floor_us\"]) == "
                        "[\"device\", \"max_points\", \"measured\", \"message\", \"name\", "
                        "\"points\", \"required\", \"status\", \"unit\", \"verdicts\"]"));
    cr_assert(json_says(".checks[0].verdicts == {\"sim\": \"pass\"}"));
    cr_assert(json_says(".checks[2] | .measured == 1 and .required == 1.1 and .unit == \"ratio\""));
    strcpy(first, strstr(g.json, "\"points\""));
    run("%G lab00 --subject %B/sim/lab00/good --json %J --seed 0x10");
    cr_assert_eq(g.status, 0);
    cr_assert(json_says(".seed == \"16\""));
    cr_assert_str_eq(strstr(g.json, "\"points\""), first);
    expect_nothing_left();
}

Test(judge, a_failure_says_how_to_repeat_it_and_repeats)
{
    char first[TEXT];
    run("%G lab00 --subject %B/sim/lab00/half --seed 7");
    strcpy(first, g.out);
    cr_assert(strstr(g.out, "--seed 7"), "%s", g.out);
    run("GRADE_SEED=7 %G lab00 --subject %B/sim/lab00/half");
    cr_assert_str_eq(g.out, first);
}

/* ---- users ----------------------------------------------------------------------------------- */

struct wrong_usage {
    char command[160];
    int status;
    char words[96];
};

ParameterizedTestParameters(judge, wrong_usage)
{
    static struct wrong_usage all[] = {
        {"%G --brief", 2, "which lab?"},
        {"%G lab99", 2, "there is no lab lab99. The labs are:"},
        {"%G nonsense", 2, "there is no lab nonsense. The labs are:"},
        {"%G explicit", 2, "there is no lab explicit. The labs are:"},
        {"%G lab00 lab01", 2, "one lab at a time: what is lab01?"},
        {"%G lab00 --device tpu", 2, "It is sim, gpu or both"},
        {"%G lab00 --seed many", 2, "It is a number"},
        {"%G lab00 --seed -1", 2, "It is a number"},
        {"GRADE_SEED=x %G lab00", 2, "GRADE_SEED=x? It is a number"},
        {"%G lab00 --fast", 2, "usage:"},
        {"%G lab00 --subject /nowhere/at/all", 2, "No such file"},
        {"%G lab00 --subject /etc/passwd", 4, "could not be started: executing it: "},
        {"%G lab00 --json /nowhere/report.json", 4, "cannot write /nowhere/report.json"},
        {"%G lab00 --json /dev/full", 4, "No space left on device"},
        {"%G lab00 --trace /nowhere/t.csv", 4, "cannot write /nowhere/t.csv"},
        {"touch %S/t; %G lab00 --trace %S/t; echo $?; test -e %S/t", 1,
         "no check of lab00 shows a timeline"},
        {"%G lab00 >/dev/full", 4, ""},
        {"TMPDIR=/nowhere %G lab00", 4, "cannot make temporary files in /nowhere"},
        {"env -u BXFI_MAP %B/grader/lab00", 2, "run ./grade labNN"},
        {"%G --help", 0, "exit status: 0 all checks pass"},
    };
    return cr_make_param_array(struct wrong_usage, all, sizeof all / sizeof all[0]);
}

ParameterizedTest(struct wrong_usage *m, judge, wrong_usage)
{
    run(m->command);
    cr_assert_eq(g.status, m->status, "%s: exit status %d:\n%s", m->command, g.status, g.out);
    cr_assert(strstr(g.out, m->words), "%s: not said: %s\n%s", m->command, m->words, g.out);
    expect_nothing_left();
}

Test(judge, settings_of_criterion_are_not_for_a_suite)
{
    setenv("CRITERION_TEST_PATTERN", "none/*", 1);
    setenv("CRITERION_FAIL_FAST", "1", 1);
    grade_subject("half");
    cr_assert_eq(g.status, 1, "exit status %d:\n%s", g.status, g.out);
    cr_assert(json_says("all(.checks[]; .status == \"fail\")"), "%s", g.json);
}

/* A course of its own in the scratch directory, of links to this build. */
static void make_course(void)
{
    run("mkdir -p %S/course/labs/lab00_own %S/course/build/grader && cd %S/course && mkdir -p "
        "build/sim/lab00/yours build/sim/lab00/solution && cp %G grade && ln -s %B/grader/lab00 "
        "build/grader/ && touch labs/lab00_own/lab.c && sleep 0.02 && cp %B/sim/lab00/good "
        "build/sim/lab00/yours/subject && cp %B/sim/lab00/good build/sim/lab00/solution/subject && "
        "echo labs/lab00_own/lab.c >build/sim/lab00/yours/submission && ln -s sim/lab00/yours "
        "build/lab00");
    cr_assert_eq(g.status, 0, "%s", g.out);
}

Test(judge, a_build_is_found_and_named)
{
    make_course();
    run("%S/course/grade labs/lab00_own/ --json %J");
    cr_assert_eq(g.status, 0, "%s", g.out);
    cr_assert(json_says(".submission == \"labs/lab00_own/lab.c\""), "%s", g.json);
}

Test(judge, a_lab_is_its_number_or_its_name)
{
    make_course();
    run("for lab in 0 lab0 LAB00 Lab-0 labs/lab0_own/ own OWN; do %S/course/grade $lab --brief || "
        "echo $lab; done | grep -c '^80 of 80'");
    cr_assert_str_eq(g.out, "7\n");
}

Test(judge, a_lab_that_is_not_built_is_not_graded)
{
    make_course();
    run("rm %S/course/build/sim/lab00/yours/subject; %S/course/grade lab00");
    cr_assert_eq(g.status, 2, "%s", g.out);
    cr_assert(strstr(g.out, "lab00 is not built") && strstr(g.out, "Next: make lab00"), "%s",
              g.out);
}

Test(judge, a_source_changed_after_the_build_is_not_graded)
{
    make_course();
    run("cd %S/course && cp -r build/sim/lab00/yours build/sim/lab00/hers && "
        "echo hers/lab.c >build/sim/lab00/hers/submission && ln -sfn sim/lab00/hers build/lab00 && "
        "sleep 0.02 && mkdir hers && touch Makefile hers/lab.c && ./grade lab00");
    cr_assert_eq(g.status, 2, "%s", g.out);
    cr_assert(strstr(g.out, "was changed after lab00 was built. Next: make lab00"), "%s", g.out);
}

Test(judge, a_build_for_a_gpu_wants_one)
{
    if (access("/dev/nvidiactl", F_OK) == 0)
        cr_skip_test("there is a GPU");
    make_course();
    run("cd %S/course/build && mv sim gpu && ln -sfn gpu/lab00/yours lab00 && "
        "%S/course/grade lab00 --device gpu");
    cr_assert_eq(g.status, 4, "%s", g.out);
    cr_assert(strstr(g.out, "the GPU cannot be used") && strstr(g.out, "make lab00 DEVICE=sim"),
              "%s", g.out);
}

Test(judge, the_old_json_stays_when_the_new_one_cannot_be_written)
{
    run("echo old >%S/kept.json; chmod 500 %S; %G lab00 --json %S/kept.json; s=$?; chmod 700 %S; "
        "cat %S/kept.json; exit $s");
    cr_assert(g.status == 4 || g.status == 0); /* root may write anywhere */
    if (g.status == 4)
        cr_assert(strstr(g.out, "old"), "%s", g.out);
}

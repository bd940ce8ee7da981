/*
 * test_judge.c: the judge against submissions that do not want to be judged, and ./grade against
 * its users.
 *
 * Everything goes through ./grade and lab 00 (grader/tests/judge/lab00/); the submissions are
 * grader/tests/judge/hostile/, built as build/sim/lab00/NAME. Each must end in a failed report,
 * soon, with nothing left behind.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "session/session.h"

enum { TEXT = 64 * 1024 };

/* One ./grade that has run. */
struct graded {
    int status; /* exit status, or -signal */
    double seconds;
    char out[TEXT];  /* stdout and stderr */
    char json[TEXT]; /* what it wrote to --json, empty if nothing */
};

static char build[PATH_MAX]; /* the build that holds this test */
static char grade[PATH_MAX];
static char scratch[64];   /* a directory of this test: TMPDIR of the grading, and the JSON */
static char temporary[80]; /* in it */
static struct graded g;

static void find_build(void)
{
    ssize_t n = readlink("/proc/self/exe", build, sizeof build - 1);
    cr_assert(n > 0);
    build[n] = 0;
    for (int up = 0; up < 3; up++)
        *strrchr(build, '/') = 0; /* grader/tests/test_judge */
    snprintf(grade, sizeof grade, "%.4000s/grader/grade", build);
    if (access(grade, X_OK) != 0)
        snprintf(grade, sizeof grade, "%.4000s/../grade", build);
    cr_assert(access(grade, X_OK) == 0, "no ./grade beside %s: make test builds it", build);
}

static void begin(void)
{
    find_build();
    strcpy(scratch, "/tmp/test-judge-XXXXXX");
    cr_assert(mkdtemp(scratch));
    snprintf(temporary, sizeof temporary, "%s/tmp", scratch);
    cr_assert(mkdir(temporary, 0777) == 0);
    setenv("TMPDIR", temporary, 1);
    unsetenv("NO_COLOR");
}

static void end(void)
{
    char command[256];
    snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", scratch, scratch);
    cr_assert(system(command) == 0);
}

TestSuite(judge, .init = begin, .fini = end);

/* ---- running ./grade ------------------------------------------------------------------------- */

static double now(void)
{
    return (double)session_now_ns() / 1e9;
}

static void read_all(const char *path, char text[TEXT])
{
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(text, 1, TEXT - 1, f) : 0;
    text[n] = 0;
    if (f)
        fclose(f);
}

static int status_of(int wait_status)
{
    return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -WTERMSIG(wait_status);
}

/* Runs the shell command line, with %G for ./grade and %J for the JSON file; fills g. */
static void run(const char *format)
{
    char command[3 * PATH_MAX] = "{ ", json[128], out[128];
    snprintf(json, sizeof json, "%s/report.json", scratch);
    snprintf(out, sizeof out, "%s/out", scratch);
    for (const char *c = format; *c; c++) {
        size_t used = strlen(command), room = sizeof command - used;
        if (c[0] == '%' && c[1] == 'G')
            snprintf(command + used, room, "%s", grade);
        else if (c[0] == '%' && c[1] == 'J')
            snprintf(command + used, room, "%s", json);
        else if (c[0] == '%' && c[1] == 'B')
            snprintf(command + used, room, "%s", build);
        else if (c[0] == '%' && c[1] == 'S')
            snprintf(command + used, room, "%s", scratch);
        else {
            snprintf(command + used, room, "%c", *c);
            continue;
        }
        c++;
    }
    size_t used = strlen(command);
    snprintf(command + used, sizeof command - used, "; } >%s 2>&1", out);
    unlink(json);
    double start = now();
    g.status = status_of(system(command));
    g.seconds = now() - start;
    read_all(out, g.out);
    read_all(json, g.json);
}

static void grade_subject(const char *name)
{
    char command[256];
    snprintf(command, sizeof command, "%%G lab00 --subject %%B/sim/lab00/%s --json %%J", name);
    run(command);
}

/* jq's answer to the filter over the JSON is true. */
static bool json_says(const char *filter)
{
    char command[1024];
    snprintf(command, sizeof command, "jq -e '%s' %s/report.json >%s/jq 2>&1", filter, scratch,
             scratch);
    return system(command) == 0;
}

/* The first entry of the directory for which `is_it` says so; an empty string: none. */
static void find_entry(const char *directory, bool (*is_it)(const char *name),
                       char name[NAME_MAX + 1])
{
    DIR *d = opendir(directory);
    name[0] = 0;
    for (struct dirent *e; !name[0] && (e = readdir(d)) != NULL;)
        if (is_it(e->d_name))
            strcpy(name, e->d_name);
    closedir(d);
}

/* Subjects run in a directory in this test's TMPDIR, whether that is still there or not. */
static bool is_subject(const char *pid)
{
    char link[NAME_MAX + 16], target[PATH_MAX];
    snprintf(link, sizeof link, "/proc/%s/cwd", pid);
    ssize_t n = readlink(link, target, sizeof target - 1);
    target[n > 0 ? n : 0] = 0;
    return strncmp(target, temporary, strlen(temporary)) == 0;
}

static bool is_file(const char *name)
{
    return name[0] != '.';
}

static void expect_nothing_left(void)
{
    char process[NAME_MAX + 1], file[NAME_MAX + 1];
    for (int i = 0; i < 100; i++) {
        find_entry("/proc", is_subject, process);
        find_entry(temporary, is_file, file);
        if (!process[0] && !file[0])
            return;
        usleep(20000);
    }
    cr_assert_fail("left behind: process %s, %s in TMPDIR", process, file);
}

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
        {"divides_by_zero", "results", PLAIN_OR_SANITIZED("divided by zero", "ended the program"),
         "", ""},
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

ParameterizedTest(struct hostile *h, judge, hostile_submission)
{
    char filter[256];
    /* used up within the time limit, on a busy machine, too; sanitizers keep more themselves */
    setenv("GRADE_MEMORY_MIB", PLAIN_OR_SANITIZED("160", "320"), 1);
    grade_subject(h->name);
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
                        "[\"max_points\", \"measured\", \"message\", \"name\", \"points\", "
                        "\"required\", \"status\", \"unit\"]"));
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
        {"%G lab8", 2, "there is no lab lab8. Did you mean lab08? Next: ./grade lab08\n"},
        {"%G 8", 2, "there is no lab 8. Did you mean lab08?"},
        {"%G LAB08", 2, "there is no lab LAB08. Did you mean lab08?"},
        {"%G labs/lab8_explicit_graph/", 2, "Did you mean lab08?"},
        {"%G lab00 lab01", 2, "one lab at a time: what is lab01?"},
        {"%G lab00 --device tpu", 2, "It is sim or gpu"},
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

/* A course of its own in the scratch directory, of links to this build. */
static void make_course(void)
{
    run("mkdir -p %S/course/labs/lab00_own %S/course/build/grader && cd %S/course && "
        "mkdir -p build/sim/lab00/yours build/sim/lab00/solution && "
        "cp %G grade && ln -s %B/grader/lab00 build/grader/ && touch labs/lab00_own/lab.c && sleep "
        "0.02 && "
        "cp %B/sim/lab00/good build/sim/lab00/yours/subject && "
        "cp %B/sim/lab00/good build/sim/lab00/solution/subject && "
        "echo labs/lab00_own/lab.c >build/sim/lab00/yours/submission && "
        "ln -s sim/lab00/yours build/lab00");
    cr_assert_eq(g.status, 0, "%s", g.out);
}

Test(judge, a_build_is_found_and_named)
{
    make_course();
    run("%S/course/grade labs/lab00_own/ --json %J");
    cr_assert_eq(g.status, 0, "%s", g.out);
    cr_assert(json_says(".submission == \"labs/lab00_own/lab.c\""), "%s", g.json);
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
    run("sleep 0.02; touch %S/course/labs/lab00_own/lab.c; %S/course/grade lab00");
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

/* ---- stopped --------------------------------------------------------------------------------- */

static pid_t start_grading(const char *name)
{
    char subject[PATH_MAX + 32];
    snprintf(subject, sizeof subject, "%.4000s/sim/lab00/%s", build, name);
    pid_t pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_WRONLY);
        dup2(null, 1);
        dup2(null, 2);
        execl(grade, grade, "lab00", "--subject", subject, (char *)NULL);
        _exit(127);
    }
    usleep(400000);
    return pid;
}

Test(judge, ctrl_c_stops_everything)
{
    int wait_status;
    pid_t pid = start_grading("loops");
    kill(pid, SIGINT);
    cr_assert(waitpid(pid, &wait_status, 0) == pid);
    cr_assert_eq(status_of(wait_status), -SIGINT, "the shell above it would go on with its loop");
    expect_nothing_left();
}

/* As the terminal does it: all of the group get the signal, the shell and ./grade. */
Test(judge, ctrl_c_ends_a_loop_over_submissions)
{
    int wait_status;
    char loop[3 * PATH_MAX], went_on[128];
    snprintf(went_on, sizeof went_on, "%s/went_on", scratch);
    snprintf(
        loop, sizeof loop,
        "for i in 1 2 3; do %s lab00 --subject %s/sim/lab00/loops >/dev/null 2>&1; echo >%s; done",
        grade, build, went_on);
    pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        execl("/bin/bash", "bash", "-c", loop, (char *)NULL);
        _exit(127);
    }
    usleep(600000);
    kill(-pid, SIGINT);
    cr_assert(waitpid(pid, &wait_status, 0) == pid);
    cr_assert_eq(status_of(wait_status), -SIGINT);
    cr_assert(access(went_on, F_OK) != 0, "the loop went on with the next submission");
    expect_nothing_left();
}

Test(judge, no_subject_outlives_a_killed_grade)
{
    char process[NAME_MAX + 1];
    pid_t pid = start_grading("loops");
    find_entry("/proc", is_subject, process);
    cr_assert(process[0], "the subject does not run yet");
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    run("chmod -R u+rwx $TMPDIR; rm -r $TMPDIR/*");
    expect_nothing_left();
}

/* ---- on a terminal --------------------------------------------------------------------------- */

static void grade_on_terminal(const char *no_color)
{
    struct winsize size = {.ws_row = 40, .ws_col = 70};
    int terminal, wait_status;
    size_t n = 0;
    pid_t pid = forkpty(&terminal, NULL, NULL, &size);
    if (pid < 0)
        cr_skip_test("no pseudo-terminal here: %s", strerror(errno));
    if (pid == 0) {
        setenv("TERM", "xterm", 1);
        setenv("NO_COLOR", no_color, 1);
        execl(grade, grade, "lab00", (char *)NULL);
        _exit(127);
    }
    for (ssize_t got; n < TEXT - 1 && (got = read(terminal, g.out + n, TEXT - 1 - n)) > 0;)
        n += (size_t)got;
    g.out[n] = 0;
    waitpid(pid, &wait_status, 0);
    close(terminal);
}

Test(judge, color_is_for_terminals_alone)
{
    grade_on_terminal("");
    cr_assert(strstr(g.out, "\033[32mok"), "%s", g.out);
    grade_on_terminal("1");
    cr_assert(strstr(g.out, "ok") && !strchr(g.out, '\033'), "%s", g.out);
    run("%G lab00");
    cr_assert(!strchr(g.out, '\033'));
}

/* test_stopped.c: ./grade on a terminal, and stopped: by Ctrl-C, or killed. */
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>

#include "grading.h"

TestSuite(stopped, .init = begin, .fini = end);

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

Test(stopped, ctrl_c_stops_everything)
{
    int wait_status;
    pid_t pid = start_grading("loops");
    kill(pid, SIGINT);
    cr_assert(waitpid(pid, &wait_status, 0) == pid);
    cr_assert_eq(status_of(wait_status), -SIGINT, "the shell above it would go on with its loop");
    expect_nothing_left();
}

/* As the terminal does it: all of the group get the signal, the shell and ./grade. */
Test(stopped, ctrl_c_ends_a_loop_over_submissions)
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

Test(stopped, no_subject_outlives_a_killed_grade)
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

/* The reader has ended before the report: `./grade lab01 | head`. */
Test(stopped, a_pipe_that_nobody_reads_leaves_nothing)
{
    run("%G lab00 --html %S/page.html | true");
    expect_nothing_left();
}

Test(stopped, an_answer_without_a_report_leaves_nothing)
{
    run("%G lab00 --needs --html %S/page.html");
    cr_expect_eq(g.status, 0, "%s", g.out);
    run("%G lab00 --why results --html %S/page.html --submission solution");
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

Test(stopped, color_is_for_terminals_alone)
{
    grade_on_terminal("");
    cr_assert(strstr(g.out, "\033[32mok"), "%s", g.out);
    grade_on_terminal("1");
    cr_assert(strstr(g.out, "ok") && !strchr(g.out, '\033'), "%s", g.out);
    run("%G lab00");
    cr_assert(!strchr(g.out, '\033'));
}

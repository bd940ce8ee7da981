/* test_jail.c: the jail on other machines than this one: for an ordinary user, on a kernel without
 * Landlock, beside what other users have left. */
#include <fcntl.h>
#include <pty.h>
#include <seccomp.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "grader/tests/course/checkout.h"

#define AS_USER "setpriv --reuid=65534 --regid=65534 --clear-groups "

static char users[] = "/tmp/test-jail-XXXXXX";

TestSuite(jail, .init = checkout_enter);

static void expect_not_said(const char *words)
{
    cr_expect(!strstr(text, words), "\"%s\" was said:\n%s", words, text);
}

/* ---- an ordinary user ------------------------------------------------------------------------ */

/* Only root can become another user. This checkout may be in a folder that this user cannot enter,
 * so what the tests run is copied to one of the user's own. */
static void become_ready_for_user(void)
{
    checkout_enter();
    if (geteuid() != 0)
        cr_skip_test("this is an ordinary user");
    cr_assert(mkdtemp(users));
    must_succeed(
        "set -e; cp -a --parents grade build/lab00 build/sim/lab00 build/sim/lib "
        "build/grader/lab00 build/grader/lab00_clock build/grader/tests/test_{judge,stopped} "
        "labs/lab*/lab.h build/grader/lib/*.so* %s; chown -R 65534:65534 %s; chmod -R a+rX %s",
        users, users, users);
    cr_assert(chdir(users) == 0);
}

static void end_for_user(void)
{
    if (geteuid() == 0)
        checkout_remove(users);
}

TestSuite(jail_of_a_user, .init = become_ready_for_user, .fini = end_for_user);

/* Of test_judge, what is not for the jail has been tested: usage and names of labs. */
Test(jail_of_a_user, holds)
{
    must_succeed(AS_USER "build/grader/tests/test_judge -j1 --filter "
                         "'judge/@(hostile_submission|a_submission_|the_old_json_)*' && " AS_USER
                         "build/grader/tests/test_stopped -j1");
}

/* Criterion names a socket by the number of its process. */
Test(jail_of_a_user, sockets_that_other_users_left_stop_no_grading)
{
    enum { MANY = 40 };
    char path[64];
    int made[MANY], n_made = 0, ran;
    for (int i = 1; i <= MANY; i++) {
        snprintf(path, sizeof path, "/tmp/criterion_%d.sock", getpid() + i);
        int fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
        if (fd >= 0)
            made[n_made++] = getpid() + i;
        close(fd);
    }
    ran = checkout_run(text, AS_USER "./grade lab00");
    /* A grading that runs beside this test may have taken the number, and made its socket. */
    for (int i = 0; i < n_made; i++) {
        struct stat it;
        snprintf(path, sizeof path, "/tmp/criterion_%d.sock", made[i]);
        if (lstat(path, &it) == 0 && S_ISREG(it.st_mode))
            unlink(path);
    }
    cr_expect_eq(ran, 0, "%s", text);
}

/* Criterion's shared memory, too, has the number of a process for a name. Nobody can make any here,
   and a grading does not need it. */
Test(jail_of_a_user, shared_memory_that_others_took_stops_no_grading)
{
    if (checkout_run(text, "unshare -m mount -t tmpfs -o ro tmpfs /dev/shm") != 0)
        cr_skip_test("no mount namespaces here: %s", text);
    const int ran = checkout_run(text, "unshare -m sh -c 'mount -t tmpfs -o ro tmpfs /dev/shm; ! "
                                       "touch /dev/shm/x 2>/dev/null && exec ./grade lab00'");
    cr_expect_eq(ran, 0, "%s", text);
}

/* ---- a terminal ------------------------------------------------------------------------------ */

/* As a descriptor that ./grade itself was given, and as the one that its process belongs to. */
Test(jail, a_terminal_is_out_of_reach)
{
    int terminal;
    size_t n = 0;
    pid_t pid = forkpty(&terminal, NULL, NULL, NULL);
    if (pid < 0)
        cr_skip_test("no pseudo-terminal here: %s", strerror(errno));
    if (pid == 0) {
        dup2(STDOUT_FILENO, 7);
        dup2(STDOUT_FILENO, 300);
        execl("./grade", "grade", "lab00", "--subject", "build/sim/lab00/escapes", (char *)NULL);
        _exit(127);
    }
    for (ssize_t got; n < sizeof text - 1 && (got = read(terminal, text + n, 4096)) > 0;)
        n += (size_t)got;
    text[n] = '\0';
    waitpid(pid, NULL, 0);
    close(terminal);
    expect_text("trying");
    expect_not_said("got hold");
}

/* ---- without Landlock ------------------------------------------------------------------------ */

/* For this process and those that it starts. */
static void hide_landlock(void)
{
    scmp_filter_ctx rules = seccomp_init(SCMP_ACT_ALLOW);
    cr_assert(rules && seccomp_rule_add(rules, SCMP_ACT_ERRNO(ENOSYS),
                                        SCMP_SYS(landlock_create_ruleset), 0) == 0);
    cr_assert_eq(seccomp_load(rules), 0);
    seccomp_release(rules);
}

static const char *last_line(void)
{
    size_t n = strlen(text);
    if (n > 0)
        text[n - 1] = '\0';
    const char *line = strrchr(text, '\n');
    return line ? line + 1 : text;
}

Test(jail, without_landlock_labs_are_graded_and_the_last_line_says_what_is_missing)
{
    static const char *const gradings[] = {
        "lab00", "lab08 --device sim --subject build/sim/lab08/solution/subject"};
    hide_landlock();
    for (size_t i = 0; i < sizeof gradings / sizeof gradings[0]; i++) {
        must_succeed("./grade %s", gradings[i]);
        cr_expect(strncmp(last_line(), "This kernel has no Landlock", 27) == 0, "%s", last_line());
    }
}

Test(jail, with_landlock_it_has_no_gap)
{
    if (syscall(SYS_landlock_create_ruleset, NULL, 0, 1) < 1)
        cr_skip_test("this kernel has no Landlock");
    must_succeed("./grade lab00");
    expect_not_said("Landlock");
}

/* What the filter of system calls and the limits keep up alone. */
Test(jail, without_landlock_a_submission_leaves_nothing_behind)
{
    hide_landlock();
    cr_expect_eq(checkout_run(text, "./grade lab00 --subject build/sim/lab00/vandal"), 1);
    expect_text("trying");
    expect_not_said("managed");
}

Test(jail, without_landlock_submissions_are_compiled)
{
    hide_landlock();
    must_succeed("S=$(mktemp -d); echo 'int x;' >$S/x.c; build/grader/compile "
                 "-w $S -- gcc -c $S/x.c -o $S/x.o; s=$?; rm -r $S; exit $s");
}

/* checkout.h: for tests of the repository itself: where it is, what is in it, commands run in it.
 */
#pragma once

#include <criterion/criterion.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHECKOUT_TEXT = 256 * 1024 };
static char text[CHECKOUT_TEXT] __attribute__((unused)); /* what the latest command said */

/* Goes to the root of the checkout that this test was built in. */
static inline void checkout_enter(void)
{
    char path[PATH_MAX], probe[PATH_MAX + 16];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    cr_assert(n > 0);
    path[n] = 0;
    do {
        char *slash = strrchr(path, '/');
        cr_assert(slash, "no checkout around this test");
        *slash = 0;
        snprintf(probe, sizeof probe, "%s/solutions", path);
    } while (access(probe, F_OK) != 0);
    cr_assert(chdir(path) == 0);
    /* a make that is run from here is not part of the one that runs the tests */
    unsetenv("MAKEFLAGS");
    unsetenv("MAKELEVEL");
    unsetenv("MFLAGS");
    unsetenv("BXFI_MAP"); /* Criterion's own: a suite that runs inside this one is not its child */
}

/* Runs the command with bash; its output (both kinds) in `text`. Returns its exit status, or
 * -signal. */
__attribute__((format(printf, 2, 3))) static inline int checkout_run(char text[CHECKOUT_TEXT],
                                                                     const char *format, ...)
{
    static char command[CHECKOUT_TEXT], script[CHECKOUT_TEXT + 64];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    /* a script of its own, so that what the command holds needs no quoting */
    char name[] = "/tmp/checkout-XXXXXX";
    int fd = mkstemp(name);
    cr_assert(fd >= 0);
    snprintf(script, sizeof script, "set -o pipefail\n%s\n", command);
    cr_assert(write(fd, script, strlen(script)) == (ssize_t)strlen(script));
    close(fd);
    char call[128];
    snprintf(call, sizeof call, "bash %s 2>&1 </dev/null", name);
    FILE *from = popen(call, "r");
    cr_assert(from);
    size_t n = fread(text, 1, CHECKOUT_TEXT - 1, from);
    text[n] = 0;
    int status = pclose(from);
    unlink(name);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* Runs the commands, which must end with 0; their output in `text`. */
#define must_succeed(...)                                                                          \
    do {                                                                                           \
        const int status_ = checkout_run(text, __VA_ARGS__);                                       \
        cr_assert_eq(status_, 0, "exit status %d:\n%s", status_, text);                            \
    } while (0)

static inline void expect_text(const char *words)
{
    cr_expect(strstr(text, words), "\"%s\" was not said, but:\n%s", words, text);
}

/* make test FULL=1 */
static inline bool is_full_run(void)
{
    const char *full = getenv("FULL");
    return full && *full;
}

/* Runs the commands in the checkout that `from` is, with $to for the copy `scratch`. */
static inline void checkout_take(const char *from, const char *scratch, const char *commands)
{
    must_succeed(
        "set -e; cd %s; to=%s\n"
        "link=-al; { ln build/setup.mk $to/probe 2>/dev/null && rm $to/probe; } || link=-a\n"
        /* meanwhile another test may remove or rename a file */
        "take() { LC_ALL=C cp $link \"$@\" 2>$to/.said || ! grep -v 'No such file or "
        "directory$' $to/.said; }\n"
        "%s\n"
        "rm -f $to/.said",
        from, scratch, commands);
}

/* What learners write, and what is built of it, becomes as it was when the copy was made. What
 * nothing has changed stays: making and removing many files takes seconds on some file systems. */
static inline void checkout_restore(const char *from, const char *scratch)
{
    checkout_take(from, scratch,
                  "(cd $to && rm -rf grade $(find labs solutions build/sim/lab[0-9]* build/known "
                  "-cnewer build/restored 2>/dev/null | grep -oE '^(labs|solutions|build/sim|"
                  "build/known)/[^/]+' | sort -u) && find build -mindepth 1 -maxdepth 1 ! -name "
                  "grader ! -name sim ! -name known ! -name state ! -name deps ! -name "
                  "compile_commands.json -exec rm -rf {} +)\n"
                  "missing() { for s; do [ ! -e $s ] || [ -e $to/$s ] || echo $s; done; }\n"
                  "written=$(missing labs/* solutions/*)\n"
                  "[ -z \"$written\" ] || cp -a --parents $written $to/\n"
                  "built=$(missing build/sim/lab[0-9]*/solution build/known/lab[0-9]*/starter)\n"
                  "[ -z \"$built\" ] || take --parents $built $to/\n"
                  "take build/setup.mk $to/build/\n"
                  "[ ! -e build/timeline ] || take build/timeline $to/build/\n"
                  "[ ! -e grade ] || cp -a grade $to/\n"
                  /* the time of a file changes every few milliseconds */
                  "touch $to/build/restored; sleep 0.02");
}

/* Goes to a copy of the checkout in `scratch`, for mkdtemp. It takes build/ along, but for what was
 * built of submissions: so little is built again, and nothing that a learner has built here is
 * touched. Files outside labs/ and solutions/ are links where that is possible, as making many
 * files takes seconds on some file systems: replace them, do not write into them. */
static inline void checkout_copy(char *scratch)
{
    cr_assert(mkdtemp(scratch));
    checkout_take(".", scratch,
                  /* but what .gitignore names: builds, and a class that was graded here */
                  "take $(ls -A | grep -vxF -f <(sed -n 's|^/||; s|/$||p' .gitignore; "
                  "printf '%s\\n' .git labs solutions grade)) $to/\n"
                  "mkdir -p $to/labs $to/solutions $to/build/sim\n"
                  "take build/state build/grader $to/build/\n"
                  "take $(ls -d build/sim/* | grep -v '/lab[0-9]*$') $to/build/sim/\n"
                  "[ ! -e build/deps ] || ln -s \"$PWD/build/deps\" $to/build/deps");
    checkout_restore(".", scratch);
    cr_assert(chdir(scratch) == 0);
    setenv("DEVICE", "sim", 1);
}

static inline void checkout_remove(const char *scratch)
{
    char command[PATH_MAX];
    snprintf(command, sizeof command, "rm -rf '%s'", scratch);
    cr_assert(chdir("/") == 0);
    cr_expect_eq(system(command), 0);
}

/* A folder of the test's own: .init and .fini of its suite. */
static char scratch[] __attribute__((unused)) = "/tmp/test-XXXXXX";

static inline void scratch_make(void)
{
    checkout_enter();
    cr_assert(mkdtemp(scratch));
}

static inline void scratch_remove(void)
{
    checkout_remove(scratch);
}

/* Calls `visit` with every path that matches. There must be one. */
static inline void checkout_each(const char *pattern, void (*visit)(const char *path))
{
    glob_t found;
    cr_assert(glob(pattern, GLOB_MARK, NULL, &found) == 0, "nothing matches %s", pattern);
    for (size_t i = 0; i < found.gl_pathc; i++)
        visit(found.gl_pathv[i]);
    globfree(&found);
}

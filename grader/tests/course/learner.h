/* learner.h: for tests of what a learner types: commands in a copy of the checkout. All tests of
 * the program share it, one after the other, and each finds it as it was made. */
#pragma once

#include "shared_copy.h"

ReportHook(PRE_ALL)(struct criterion_test_set *tests)
{
    (void)tests;
    char original[PATH_MAX];
    checkout_enter();
    /* a test is a process of its own, which inherits no variables of this program */
    setenv("ORIGINAL", getcwd(original, sizeof original), 1);
    checkout_copy(copy);
}

static inline void begin(void)
{
    take_turn();
    char here[PATH_MAX];
    checkout_restore(getenv("ORIGINAL"), getcwd(here, sizeof here));
}

/* Runs the command, which must end with this status. */
static inline void run(int status, const char *command)
{
    int ended = checkout_run(text,
                             "solution() { unifdef -DSOLUTION solutions/$1_*/$2 >$(echo "
                             "labs/$1_*)/$2; [ $? -le 1 ]; }\n%s",
                             command);
    cr_assert_eq(ended, status, "%s\nended with %d, not %d:\n%s", command, ended, status, text);
}

static inline void expect(const char *words)
{
    cr_assert(strstr(text, words), "\"%s\" was not printed, but:\n%s", words, text);
}

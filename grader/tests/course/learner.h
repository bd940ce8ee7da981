/*
 * learner.h: for tests of what a learner types: commands in a copy of the checkout, which each test
 * has to itself.
 */
#ifndef LEARNER_H
#define LEARNER_H

#include "checkout.h"

static char text[CHECKOUT_TEXT];
static char scratch[] = "/tmp/test-learner-XXXXXX";

static inline void begin(void)
{
    checkout_enter();
    checkout_copy(scratch);
}

static inline void end(void)
{
    checkout_remove(scratch);
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

#endif

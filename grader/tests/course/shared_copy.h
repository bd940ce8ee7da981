/* shared_copy.h: for test programs whose tests share one copy of the checkout, one test after the
 * other. PRE_ALL of the program makes the copy. */
#pragma once

#include <criterion/hooks.h>
#include <fcntl.h>
#include <sys/file.h>

#include "checkout.h"

static char copy[] = "/tmp/test-checkout-XXXXXX";

ReportHook(POST_ALL)(struct criterion_global_stats *stats)
{
    (void)stats;
    checkout_remove(copy);
}

/* Waits until no other test uses the copy. The turn ends with the test. */
static inline void take_turn(void)
{
    int turn = open("build/grader/turn.lock", O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    cr_assert(turn >= 0 && flock(turn, LOCK_EX) == 0);
    unsetenv("BXFI_MAP"); /* Criterion's own: a suite that runs inside this one is not its child */
}

/* verdict.c: the running check, what it says, and how it ends. All of the judge may call this. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "inside.h"

struct session *judge_session;
struct session_check *judge_current;
const struct judge_lab *judge_running_lab;
struct judge_endings judge_endings;

static enum judge_evidence evidence;
static bool counts_computing; /* a time of this try has CPU time of the host in it */

/* ---- how a test ends ------------------------------------------------------------------------- */

enum judge_evidence judge_rest_on(enum judge_evidence now)
{
    const enum judge_evidence before = evidence;
    evidence = now;
    return before;
}

void judge_count_computing(bool counts)
{
    counts_computing = counts;
}

/* Virtual time is exact. CPU time is not: others on the machine may add to it. */
static enum judge_evidence evidence_of_failure(void)
{
    if (!judge_device_is_simulated())
        return evidence;
    return counts_computing ? EVIDENCE_MEASURED : EVIDENCE_CERTAIN;
}

void judge_end_test(enum session_status status)
{
    judge_endings.test(status);
    abort(); /* it does not come back */
}

void judge_end_grading(void)
{
    judge_session->internal_error = judge_current->is_internal_error = true;
    judge_end_test(CHECK_FAILED);
}

void judge_fail_as_said(void)
{
    judge_current->is_measured = evidence_of_failure() != EVIDENCE_CERTAIN;
    if (judge_current->is_measured)
        judge_endings.doubt_failure(evidence_of_failure());
    judge_end_test(CHECK_FAILED);
}

/* ---- what it says ---------------------------------------------------------------------------- */

static void put(char *to, const char *format, va_list args)
{
    vsnprintf(to, SESSION_TEXT, format, args);
}

#define PUT(to)                                                                                    \
    do {                                                                                           \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        put(to, format, args);                                                                     \
        va_end(args);                                                                              \
    } while (0)

void judge_fail(const char *format, ...)
{
    PUT(judge_current->message);
    judge_current->has_own_words = true;
    judge_fail_as_said();
}

void judge_expect(bool right, const char *format, ...)
{
    if (right)
        return;
    PUT(judge_current->message);
    judge_current->has_own_words = true;
    judge_fail_as_said();
}

void judge_skip(const char *format, ...)
{
    PUT(judge_current->message);
    judge_end_test(CHECK_SKIPPED);
}

void judge_inconclusive(const char *format, ...)
{
    PUT(judge_current->message);
    judge_end_test(CHECK_INCONCLUSIVE);
}

void *judge_room(size_t count, size_t bytes)
{
    void *room = calloc(count + !count, bytes);
    if (!room)
        judge_inconclusive("the grader has no memory for its own results");
    return room;
}

void judge_internal_error(const char *format, ...)
{
    PUT(judge_current->message);
    judge_end_grading();
}

void judge_note(const char *format, ...)
{
    PUT(judge_current->message);
}

void judge_actual(const char *format, ...)
{
    PUT(judge_current->actual);
}

void judge_expected(const char *format, ...)
{
    PUT(judge_current->expected);
}

void judge_next(const char *format, ...)
{
    PUT(judge_current->next);
}

void judge_measured(double measured, double required, const char *unit)
{
    judge_current->has_figure = true;
    judge_current->measured = measured;
    judge_current->required = required;
    snprintf(judge_current->unit, sizeof judge_current->unit, "%s", unit);
}

void judge_expect_at_most(double measured, double required, const char *unit, const char *format,
                          ...)
{
    judge_measured(measured, required, unit);
    if (measured <= required)
        return;
    PUT(judge_current->message);
    judge_current->has_own_words = true;
    judge_fail_as_said();
}

void judge_expect_at_least(double measured, double required, const char *unit, const char *format,
                           ...)
{
    judge_measured(measured, required, unit);
    if (measured >= required)
        return;
    PUT(judge_current->message);
    judge_current->has_own_words = true;
    judge_fail_as_said();
}

/* ---- the device ------------------------------------------------------------------------------ */

bool judge_device_is_simulated(void)
{
    return judge_session->device == DEVICE_SIM;
}

int judge_devices(void)
{
    return judge_session->n_devices;
}

/* mistake_of.c: which mistake of lab 13 an event shows, see mistake_of.h. */
#include "exchange.h"
#include "mistake_of.h"

#include <cuda_runtime_api.h>
#include <string.h>

static const char *suspected;

void lab13_suspect(const char *mistake)
{
    suspected = mistake;
}

static bool is_suspected(const char *what)
{
    return suspected && strcmp(suspected, what) == 0;
}

static bool is_of_race(const struct simgpu_finding *f, const char *name)
{
    return judge_is_site(&f->first, name) || judge_is_site(&f->second, name);
}

static const char *mistake_of_finding(const struct simgpu_finding *f)
{
    if (f->kind == SIMGPU_OUT_OF_BOUNDS)
        return "array_small";
    if (f->kind != SIMGPU_RACE)
        return NULL;
    if (is_of_race(f, "memcpyH2D"))
        return "control_not_ordered";
    if (is_of_race(f, "memcpyD2H"))
        return f->what == SIMGPU_WHAT_READS_EARLY ? "tokens_copied_early" : "tokens_not_ordered";
    return f->first.is_early || f->second.is_early ? "never_waits" : NULL;
}

static const char *mistake_of_error(const struct wire_failure *f)
{
    if (f->cause)
        return lab13_mistake(f->cause);
    if (f->error.code == cudaErrorStreamCaptureUnsupported)
        return "long_captured";
    if (f->error.code == cudaErrorAssert)
        return is_suspected("needs_long") || is_suspected("lengths_refused") ? "needs_long"
                                                                             : "out_of_range";
    /* the server's own error, or a launcher's */
    if (f->error.origin != WIRE_ORIGIN_NONE)
        return NULL;
    if (f->error.code == cudaErrorInvalidValue && is_suspected("lengths_refused"))
        return suspected;
    if (is_suspected("not_freed"))
        return suspected;
    return f->error.code == cudaErrorMemoryAllocation && strcmp(f->what, "lab13_serve") == 0
               ? "gave_up"
               : NULL;
}

const char *lab13_mistake_of_undelivered(const struct judge *j)
{
    return judge_value(j, received) < judge_numbers(j)->drawing.n ? "not_received"
                                                                  : "not_delivered";
}

const char *lab13_mistake_of(const struct session_event *e)
{
    if (e->cause == CAUSE_FINDING)
        return mistake_of_finding(&e->finding);
    if (e->cause == CAUSE_TIMEOUT && is_suspected("not_freed"))
        return suspected;
    return e->cause == CAUSE_FAILED ? mistake_of_error(&e->failure) : NULL;
}

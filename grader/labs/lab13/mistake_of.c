/* mistake_of.c: which mistake of lab 13 an event shows, see mistake_of.h. */
#include "exchange.h"
#include "mistake_of.h"

#include <cuda_runtime_api.h>
#include <string.h>

static const struct judge_mistake *suspected;

void lab13_suspect(const struct judge_mistake *mistake)
{
    suspected = mistake;
}

static bool is_of_race(const struct simgpu_finding *f, const char *name)
{
    return judge_is_site(&f->first, name) || judge_is_site(&f->second, name);
}

static const struct judge_mistake *mistake_of_finding(const struct simgpu_finding *f)
{
    if (f->kind == SIMGPU_OUT_OF_BOUNDS)
        return &lab13_array_small;
    if (f->kind != SIMGPU_RACE)
        return NULL;
    if (is_of_race(f, "memcpyH2D"))
        return &lab13_control_not_ordered;
    if (is_of_race(f, "memcpyD2H"))
        return f->what == SIMGPU_WHAT_READS_EARLY ? &lab13_tokens_copied_early
                                                  : &lab13_tokens_not_ordered;
    return f->first.is_early || f->second.is_early ? &lab13_never_waits : NULL;
}

static const struct judge_mistake *mistake_of_error(const struct wire_failure *f)
{
    if (f->cause)
        return lab13_mistake(f->cause);
    if (f->error.code == cudaErrorStreamCaptureUnsupported)
        return &lab13_long_captured;
    if (f->error.code == cudaErrorAssert)
        return suspected == &lab13_needs_long || suspected == &lab13_lengths_refused
                   ? &lab13_needs_long
                   : &lab13_out_of_range;
    /* the server's own error, or a launcher's */
    if (f->error.origin != WIRE_ORIGIN_NONE)
        return NULL;
    if (f->error.code == cudaErrorInvalidValue && suspected == &lab13_lengths_refused)
        return suspected;
    if (suspected == &lab13_not_freed)
        return suspected;
    return f->error.code == cudaErrorMemoryAllocation && strcmp(f->what, "lab13_serve") == 0
               ? &lab13_gave_up
               : NULL;
}

const struct judge_mistake *lab13_mistake_of_undelivered(const struct judge *j)
{
    return judge_value(j, received) < judge_numbers(j)->drawing.n ? &lab13_not_received
                                                                  : &lab13_not_delivered;
}

const struct judge_mistake *lab13_mistake_of(const struct session_event *e)
{
    if (e->cause == CAUSE_FINDING)
        return mistake_of_finding(&e->finding);
    if (e->cause == CAUSE_TIMEOUT && suspected == &lab13_not_freed)
        return suspected;
    return e->cause == CAUSE_FAILED ? mistake_of_error(&e->failure) : NULL;
}

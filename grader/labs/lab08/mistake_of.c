/* mistake_of.c: which mistake of lab 08 an event shows. */
#include "mistake_of.h"

#include <cuda_runtime_api.h>
#include <signal.h>
#include <string.h>

static const char *of_failure(const struct wire_failure *f)
{
    const bool invalid = f->error.code == cudaErrorInvalidValue;
    if (f->cause)
        return lab08_mistake(f->cause);
    if (strcmp(f->what, "lab08_instantiate") == 0 && f->error.code == cudaErrorNotSupported)
        return "instantiated_twice";
    if (strcmp(f->what, "lab08_instantiate") == 0 && invalid)
        return "cycle";
    if (strcmp(f->what, "lab08_draw") == 0 && f->error.code == cudaErrorOperatingSystem)
        return "not_drawn";
    if (invalid && strstr(f->error.call, "UserObject"))
        return "user_object";
    return invalid && strncmp(f->error.call, "cudaGraphAddDep", 15) == 0 ? "invalid_edge" : NULL;
}

static bool is_of(const struct simgpu_finding *f, const char *kernel)
{
    const size_t n = strlen(kernel);
    return strncmp(f->first.name, kernel, n) == 0 || strncmp(f->second.name, kernel, n) == 0;
}

static const char *of_finding(const struct simgpu_finding *f)
{
    if (f->kind == SIMGPU_OUT_OF_BOUNDS)
        return is_of(f, "weigh") ? "weigh_outside" : "out_of_bounds";
    if (f->object == SIMGPU_OBJECT_USER_OBJECT)
        return "data_never_freed"; /* with its user object */
    if (f->kind != SIMGPU_RACE && f->kind != SIMGPU_UNINITIALIZED_READ)
        return NULL;
    if (is_of(f, "weigh"))
        return "reads_too_early";
    if (f->kind == SIMGPU_UNINITIALIZED_READ && is_of(f, "consume"))
        return "consume_reads_other";
    if (f->what == SIMGPU_WHAT_READS_BEYOND)
        return NULL;
    /* in the library, too: a child graph whose saxpy races is explained by library_drawn */
    return (is_of(f, "saxpy") || is_of(f, "memset")) && judge_has_passed("branches_drawn")
               ? "other_array"
               : NULL;
}

const char *lab08_mistake_of(const struct session_event *e)
{
    if (e->cause == CAUSE_FAILED)
        return of_failure(&e->failure);
    /* in a function that builds a graph, and not in the submission's own code */
    if (e->cause == CAUSE_ENDED && e->request == WIRE_SETUP && e->fault.signal == SIGSEGV &&
        !e->fault.stack && (e->fault.in_call || !e->fault_at.at[0]))
        return e->fault.device ? "argument_by_value" : "argument_missing";
    if (e->cause == CAUSE_ENDED && e->request == WIRE_GO && e->has_fault && !e->fault.device)
        return "crashed_in_run";
    return e->cause == CAUSE_FINDING ? of_finding(&e->finding) : NULL;
}

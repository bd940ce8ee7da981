/* mistake_of.c: which mistake of lab 09 an event shows. */
#include "mistake_of.h"

#include <cuda_runtime_api.h>
#include <string.h>

enum { NULL_PAGE = 4096 };

/* Work reads the copy in, which is of its own request: another client would copy in first. */
const char *lab09_mistake_of_race(const struct simgpu_finding *f, const char *otherwise)
{
    const bool reads = f->what == SIMGPU_WHAT_READS_EARLY,
               /* there are two clients, and the event is recorded in the stream of neither */
        is_elsewhere = f->wait.waited.at && f->wait.stream > 0 && !f->is_wait_for_first &&
                       !f->is_wait_for_itself;
    if (reads && judge_is_site(&f->first, "memcpyH2D"))
        return "other_stream";
    return otherwise && is_elsewhere ? "done_too_early" : otherwise;
}

const char *lab09_mistake_of(const struct session_event *e)
{
    const struct wire_error *error = &e->failure.error;
    const bool is_null = error->code == cudaErrorInvalidValue;
    if (e->cause == CAUSE_ENDED && e->has_fault && e->fault.address < NULL_PAGE &&
        strstr(e->fault_at.text, "e->"))
        return "no_entry";
    if (e->cause == CAUSE_FAILED && e->failure.cause)
        return lab09_mistake(e->failure.cause);
    if (e->cause == CAUSE_FAILED && strcmp(e->failure.what, "lab09_warm") == 0)
        return is_null ? "warms_without_graph" : NULL;
    if (e->cause != CAUSE_FAILED || strcmp(e->failure.what, "lab09_serve") != 0)
        return NULL;
    if (error->code == cudaErrorGraphExecUpdateFailure)
        return "update_error_returned";
    if (is_null && strcmp(error->call, "cudaGraphLaunch") == 0)
        return "launches_nothing";
    const bool broken = error->code == cudaErrorStreamCaptureUnsupported ||
                        error->code == cudaErrorStreamCaptureInvalidated;
    return broken && e->failure.text[0] ? "capture_error_returned" : NULL;
}

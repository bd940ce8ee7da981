/* mistake_of.c: which mistake of lab 12 an event shows, see mistake_of.h. */
#include <cuda_runtime_api.h>
#include <string.h>

#include "ends.h"
#include "labs/captures.h"
#include "mistake_of.h"
#include "session/session.h"

static const char *suspected;

void lab12_suspect(const char *mistake)
{
    suspected = mistake;
}

static bool is_copy(const struct simgpu_site *site)
{
    return judge_is_site(site, "memcpy");
}

/* ---- findings -------------------------------------------------------------------------------- */

/* Which order is missing? */
static const char *mistake_of_race(const struct simgpu_finding *f)
{
    const bool reads = f->what == SIMGPU_WHAT_READS_EARLY || f->what == SIMGPU_WHAT_USES_EARLY;
    if (suspected)
        return suspected;
    if (reads && f->first.node < 0) /* in lab12_setup */
        return "weights_not_awaited";
    if (reads && is_copy(&f->second))
        return "result_not_awaited";
    if (reads)
        return f->is_wait_for_first ? "recorded_before_copy" : "copy_not_awaited";
    return judge_is_site(&f->second, "memcpyPeer") || judge_is_site(&f->first, "memcpyD2H")
               ? "next_slot_not_free"
               : "slot_not_free";
}

/* Weights are n x n floats. No micro-batch of the suite has n rows. */
static bool is_of_weights(const struct simgpu_finding *f)
{
    size_t n = 0;
    while (n * n * sizeof(float) < f->bytes)
        n++;
    return n * n * sizeof(float) == f->bytes;
}

static const char *mistake_of_unwritten(const struct simgpu_finding *f)
{
    if (f->first.node < 0)
        return "not_in_graph";
    if (is_copy(&f->first)) /* of the whole slot, or of its last rows only */
        return f->address == f->memory.address ? "sends_nothing" : "rows_missing";
    if (is_of_weights(f))
        return "weights_missing";
    return f->what == SIMGPU_WHAT_READS_BEYOND ? "rows_differ" : "wrong_buffer";
}

static const char *mistake_of_memory(const struct simgpu_finding *f)
{
    if (f->what == SIMGPU_WHAT_OTHER_DEVICE)
        return "memory_elsewhere";
    if (f->what == SIMGPU_WHAT_OUT_OF_REACH)
        return "host_weights";
    return is_of_weights(f) ? "wrong_memory" : "too_many_rows";
}

static const char *mistake_of_finding(const struct simgpu_finding *f)
{
    switch (f->kind) {
    case SIMGPU_RACE:
        return mistake_of_race(f);
    case SIMGPU_UNINITIALIZED_READ:
        return mistake_of_unwritten(f);
    case SIMGPU_OUT_OF_BOUNDS:
        return mistake_of_memory(f);
    case SIMGPU_USE_AFTER_FREE:
        return "freed_early";
    default:
        return NULL;
    }
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* A stream was forked and not joined: which work does the origin not wait for? */
static const char *mistake_of_end(int end)
{
    switch (end) {
    case LAB12_NO_COPY_TO_Y:
        return "pipeline_unwritten";
    case LAB12_NO_LAST_STAGE:
        return "last_stage_missing";
    case LAB12_LAYERS:
        return "computed_too_early";
    case LAB12_COPY_NOT_IN_SENT:
        return "sent_too_early";
    case LAB12_COPY_NOT_AWAITED:
        return "waits_for_computed";
    default:
        return "not_joined";
    }
}

/* Does a layer wait for each copy of x? */
static bool all_arrive(const struct dag *g)
{
    for (size_t i = 0; i < g->n_nodes; i++) {
        bool arrives = !dag_is(&g->nodes[i], "h2d", NULL);
        for (size_t k = 0; k < g->n_nodes && !arrives; k++)
            arrives =
                dag_is(&g->nodes[k], "kernel", NULL) && dag_waits(g, &g->nodes[k], &g->nodes[i]);
        if (!arrives)
            return false;
    }
    return true;
}

/* A stream waits for one that is not part of the capture. How far has the capture come? */
static const char *mistake_of_isolation(void)
{
    const struct dag *g = judge_failed_capture();
    if (!g)
        return NULL;
    if (dag_count(g, "h2d", NULL) == 0)
        return "input_not_captured";
    if (!all_arrive(g))
        return "received_not_awaited";
    return dag_count(g, "p2p", NULL) + dag_count(g, "d2h", NULL) == 0 ? "computed_not_awaited"
                                                                      : "sent_not_awaited";
}

/* A GPU names no call. */
static const char *mistake_of_handle(const char *call)
{
    if (strstr(call, "Destroy"))
        return "destroyed_twice";
    return judge_begins(call, "cudaStreamWaitEvent") ? "not_created" : "created_elsewhere";
}

static const char *mistake_of_value(const struct wire_error *e)
{
    if (e->origin == WIRE_ORIGIN_NONE)
        return "launch_refused";
    if (judge_begins(e->call, "cudaEvent"))
        return "waits_for_edge";
    if (strcmp(e->call, "cudaMemcpy") == 0)
        return "weights_refused";
    return judge_begins(e->call, "cudaMemcpy") ? "slot_too_small" : NULL;
}

static const char *mistake_of_error(const struct wire_failure *f)
{
    switch (f->error.code) {
    case cudaErrorPeerAccessAlreadyEnabled:
        return strcmp(f->what, "lab12_run") == 0 ? "enabled_in_run" : "peer_access_left";
    case cudaErrorPeerAccessNotEnabled:
        return "not_enabled";
    case cudaErrorPeerAccessUnsupported:
        return "own_access";
    case cudaErrorInvalidDevice:
        return judge_begins(f->error.call, "cudaSetDevice") ? "no_such_device" : "no_next_device";
    case cudaErrorInvalidResourceHandle:
        return mistake_of_handle(f->error.call);
    case cudaErrorStreamCaptureUnsupported:
        return judge_begins(f->error.call, "cudaMemcpyPeer") ? "peer_call" : NULL;
    case cudaErrorStreamCaptureImplicit:
        return "stream_missing";
    case cudaErrorStreamCaptureUnjoined:
        return mistake_of_end(f->cause);
    case cudaErrorStreamCaptureIsolation:
        return mistake_of_isolation();
    case cudaErrorIllegalAddress:
        return "wrong_memory";
    case cudaErrorInvalidValue:
        return mistake_of_value(&f->error);
    default:
        return NULL;
    }
}

/* Setup follows pointers to stages and slots. Of the memory that it is lent it copies the
   weights. */
static const char *mistake_of_fault(const struct session_event *e)
{
    if (e->cause != CAUSE_ENDED || e->request != WIRE_SETUP || !e->has_fault || !e->fault_at.at[0])
        return NULL;
    return e->fault.lent[0] ? "weights_outside" : "outside_arrays";
}

const char *lab12_mistake_of(const struct session_event *e)
{
    const char *m = mistake_of_fault(e);
    if (m)
        return m;
    m = e->cause == CAUSE_FAILED    ? mistake_of_error(&e->failure)
        : e->cause == CAUSE_FINDING ? mistake_of_finding(&e->finding)
                                    : NULL;
    return m;
}

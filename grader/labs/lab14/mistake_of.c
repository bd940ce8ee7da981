/* mistake_of.c: which mistake of lab 14 an event shows, see mistake_of.h. */
#include "mistake_of.h"

#include <cuda_runtime_api.h>

#include "labs/captures.h"
#include "session/session.h"

/* ---- findings -------------------------------------------------------------------------------- */

static bool is_copy(const struct simgpu_site *site)
{
    return judge_is_site(site, "memcpy");
}

/* A copy, and another operation that writes the same memory. */
static const struct judge_mistake *mistake_of_writes(const struct simgpu_finding *f)
{
    const struct simgpu_site *other = is_copy(&f->first) ? &f->second : &f->first;
    return is_copy(other)                      ? &lab14_slot_shared
           : judge_is_site(other, "mlp_down")  ? &lab14_own_slot_overwritten
           : judge_is_site(other, "sum_parts") ? &lab14_added_part_overwritten
                                               : &lab14_slot_not_free;
}

static const struct judge_mistake *mistake_of_race(const struct simgpu_finding *f)
{
    const bool reads = f->what == SIMGPU_WHAT_READS_EARLY || f->what == SIMGPU_WHAT_USES_EARLY;
    if (f->first.node < 0 || f->second.node < 0)
        return &lab14_weights_not_awaited;
    if (reads && judge_is_site(&f->first, "mlp_up") && judge_is_site(&f->second, "mlp_down"))
        return &lab14_products_apart;
    if (reads)
        return is_copy(&f->second)                      ? &lab14_sent_too_early
               : judge_is_site(&f->second, "sum_parts") ? &lab14_sum_too_early
               : judge_is_site(&f->first, "sum_parts")  ? &lab14_sum_elsewhere
                                                        : &lab14_result_not_awaited;
    if (judge_is_site(&f->first, "mlp_") && judge_is_site(&f->second, "mlp_"))
        return &lab14_memory_shared;
    if (!is_copy(&f->first) && !is_copy(&f->second))
        return NULL;
    return f->what == SIMGPU_WHAT_BOTH_WRITE ? mistake_of_writes(f) : &lab14_slot_not_free;
}

/* Of the bytes that a sum should not have read: has the part of its device any? Its memory is a
   slot for each device. */
static bool is_in_part(const struct simgpu_finding *f)
{
    const uint64_t n = (uint64_t)judge_devices(), d = (uint64_t)f->memory.device;
    const uint64_t floats = f->memory.bytes / n / sizeof(float);
    const uint64_t at = (f->address - f->memory.address) / sizeof(float) % (floats ? floats : 1);
    return at + f->run_bytes / sizeof(float) > d * floats / n && at < (d + 1) * floats / n;
}

static const struct judge_mistake *mistake_of_unwritten(const struct simgpu_finding *f)
{
    if (judge_is_site(&f->first, "sum_parts"))
        return is_in_part(f) ? &lab14_slot_unwritten : &lab14_outside_own_part;
    return is_copy(&f->first) ? &lab14_sends_nothing : &lab14_weights_missing;
}

static const struct judge_mistake *mistake_of_memory(const struct simgpu_finding *f)
{
    if (f->what == SIMGPU_WHAT_OTHER_DEVICE)
        return NULL; /* the device says it all */
    if (f->what == SIMGPU_WHAT_OUT_OF_REACH)
        return &lab14_host_weights;
    return judge_is_site(&f->first, "mlp_up") && !f->is_read ? &lab14_h_too_small
                                                             : &lab14_wrong_memory;
}

static const struct judge_mistake *mistake_of_finding(const struct simgpu_finding *f)
{
    switch (f->kind) {
    case SIMGPU_RACE:
        return mistake_of_race(f);
    case SIMGPU_UNINITIALIZED_READ:
        return mistake_of_unwritten(f);
    case SIMGPU_OUT_OF_BOUNDS:
        return mistake_of_memory(f);
    default:
        return NULL;
    }
}

/* ---- errors ---------------------------------------------------------------------------------- */

static const struct judge_mistake *mistake_of_value(const struct wire_error *e)
{
    if (e->origin == WIRE_ORIGIN_NONE)
        return &lab14_launch_refused;
    if (judge_begins(e->call, "cudaMemcpy2D"))
        return &lab14_weights_refused;
    return judge_begins(e->call, "cudaMemcpy") ? &lab14_copy_refused : NULL;
}

static const struct judge_mistake *mistake_of_error(const struct wire_error *e)
{
    switch (e->code) {
    case cudaErrorPeerAccessAlreadyEnabled:
        return &lab14_peer_access_left;
    case cudaErrorPeerAccessNotEnabled:
        return &lab14_not_enabled;
    case cudaErrorPeerAccessUnsupported:
    case cudaErrorInvalidDevice:
        return &lab14_no_such_peer;
    case cudaErrorInvalidResourceHandle:
        return judge_begins(e->call, "cudaEventRecord") ? &lab14_created_elsewhere : NULL;
    case cudaErrorInvalidPitchValue:
        return &lab14_weights_refused;
    case cudaErrorStreamCaptureUnsupported:
        return judge_begins(e->call, "cudaMemcpyPeer") ? &lab14_peer_call : NULL;
    case cudaErrorStreamCaptureIsolation:
        return &lab14_not_forked;
    case cudaErrorStreamCaptureUnjoined:
        return &lab14_not_joined;
    case cudaErrorIllegalAddress:
        return &lab14_wrong_memory;
    case cudaErrorInvalidValue:
        return mistake_of_value(e);
    default:
        return NULL;
    }
}

const struct judge_mistake *lab14_mistake_of(const struct session_event *e)
{
    const struct judge_mistake *m = e->cause == CAUSE_FAILED ? mistake_of_error(&e->failure.error)
                                    : e->cause == CAUSE_FINDING ? mistake_of_finding(&e->finding)
                                                                : NULL;
    return m ? m : captures_mistake_of(e);
}

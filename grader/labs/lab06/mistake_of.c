/* mistake_of.c: which mistake of lab 06 an event shows. */
#include "mistake_of.h"

#include <cuda_runtime_api.h>
#include <string.h>

#include "labs/captures.h"

/* The only error of their own that the functions are to return is that of last_node. */
static const char *last_node_mistake(const struct session_event *e)
{
    const struct wire_failure *f = &e->failure;
    if (e->cause != CAUSE_FAILED || f->reason != WIRE_RETURNED ||
        f->error.origin != WIRE_ORIGIN_NONE || f->error.code == cudaErrorNotYetImplemented)
        return NULL;
    if (strcmp(f->what, "lab06_one") == 0)
        return "last_node_fails";
    return strcmp(f->what, "lab06_branch") == 0 ? "last_node_misplaced" : NULL;
}

static bool is_out_of_bounds(const struct session_event *e, const char *kernel)
{
    return e->cause == CAUSE_FINDING && e->finding.kind == SIMGPU_OUT_OF_BOUNDS &&
           judge_is_site(&e->finding.first, kernel);
}

/* Only an item has two halves. */
static bool is_in_item(const struct session_event *e)
{
    const struct simgpu_finding *f = &e->finding;
    return f->memory.bytes > 0 && f->address > f->memory.address;
}

/* Two kernels that are to run concurrently use the same memory. */
static bool is_race_of_sides(const struct session_event *e)
{
    return e->cause == CAUSE_FINDING && e->finding.kind == SIMGPU_RACE &&
           judge_are_sites(&e->finding, "produce", "consume");
}

/* A kernel reads the second half of the memory for an item, which has two. */
static bool is_half_copied(const struct session_event *e)
{
    const struct simgpu_finding *f = &e->finding;
    return e->cause == CAUSE_FINDING && f->kind == SIMGPU_UNINITIALIZED_READ &&
           judge_is_site(&f->first, "saxpy") && f->bytes * 2 == f->memory.bytes &&
           f->address == f->memory.address + f->bytes;
}

const char *lab06_mistake_of(const struct session_event *e)
{
    if (is_out_of_bounds(e, "saxpy"))
        return is_in_item(e) ? "item_bounds" : "parameters_exchanged";
    if (is_out_of_bounds(e, "consume"))
        return "smoothing_node";
    if (is_out_of_bounds(e, "produce"))
        return "produce_exchanged";
    if (is_half_copied(e))
        return "item_half_copied";
    if (is_race_of_sides(e))
        return "sides_share_memory";
    if (captures_is(e, cudaErrorInvalidValue, "cudaGraphKernelNodeGetParams") &&
        e->failure.error.refusal.what == SIMGPU_REFUSED_NOTHING)
        return "node_not_a_kernel";
    if (captures_is(e, cudaErrorGraphExecUpdateFailure, NULL))
        return "update_failure_returned";
    if (captures_is(e, cudaErrorInvalidValue, "cudaGraphExecKernelNodeSetParams") ||
        captures_is(e, cudaErrorInvalidValue, "cudaGraphNodeSetEnabled"))
        return "other_node";
    const char *last_node = last_node_mistake(e);
    return last_node ? last_node : NULL;
}

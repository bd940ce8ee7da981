/* bad_memory.c: findings about memory that does not exist, or that a device may not access. */
#include "stream.h"

/* A finding about one operation and `a`; NULL: no allocation is known. */
static struct simgpu_finding finding_of(const struct op *op, enum simgpu_finding_kind kind,
                                        enum simgpu_what what, enum simgpu_next next,
                                        const void *at, const struct allocation *a)
{
    struct simgpu_finding f = {.kind = kind,
                               .what = what,
                               .next = next,
                               .address = (uint64_t)(uintptr_t)at,
                               .bytes = op->work.bytes,
                               .device = op->device->id,
                               .memory = memory_of(a)};
    site_of(op, &f.first);
    f.second = f.first;
    return f;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* An allocation within 1 MiB before or after an address of the device; NULL: there is none. */
static const struct allocation *neighbor_of(const unsigned char *at)
{
    const struct allocation *a = NULL;
    for (size_t off = 1; memory_is_device_address(at) && !a && off <= 1 << 20; off *= 2) {
        a = memory_find(at - off);
        a = a ? a : memory_find(at + off);
    }
    return a;
}

void bad_memory_range(const struct op *op, const struct simgpu_range *r,
                      const struct allocation *live, const struct allocation *freed)
{
    const struct allocation *near = live || freed ? NULL : neighbor_of(r->base);
    const enum simgpu_what what = freed          ? SIMGPU_WHAT_FREED_BEFORE
                                  : live || near ? SIMGPU_WHAT_LEAVES_MEMORY
                                                 : SIMGPU_WHAT_OUT_OF_REACH;
    const enum simgpu_next next = freed  ? SIMGPU_NEXT_FREE_LATER
                                  : live ? SIMGPU_NEXT_COMPARE_SIZES
                                  : near ? SIMGPU_NEXT_CHECK_INDEX
                                         : SIMGPU_NEXT_PASS_DEVICE_MEMORY;
    struct simgpu_finding f =
        finding_of(op, freed ? SIMGPU_USE_AFTER_FREE : SIMGPU_OUT_OF_BOUNDS, what, next, r->base,
                   live    ? live
                   : freed ? freed
                           : near);
    f.bytes = r->rows > 1 ? (r->rows - 1) * r->pitch_bytes + r->width_bytes : r->width_bytes;
    f.is_read = r->access == SIMGPU_READ;
    if (freed)
        history_ended_by(freed->history, &f.second);
    finding_add(&f);
}

void bad_memory_of_device(const struct op *op, const struct simgpu_range *r,
                          const struct allocation *a)
{
    const enum simgpu_next next =
        memory_is_shared_by_pool(a) ? SIMGPU_NEXT_SET_POOL_ACCESS : SIMGPU_NEXT_ENABLE_PEER_ACCESS;
    struct simgpu_finding f =
        finding_of(op, SIMGPU_OUT_OF_BOUNDS, SIMGPU_WHAT_OTHER_DEVICE, next, r->base, a);
    f.bytes = r->rows * r->width_bytes;
    f.is_read = r->access == SIMGPU_READ;
    finding_add(&f);
}

bool bad_memory_is_reached(const void *p)
{
    enum { PAGE_BYTES = 2 << 20 };
    uintptr_t page = (uintptr_t)p / PAGE_BYTES * PAGE_BYTES;
    return memory_is_device_address(p) && memory_find_in((void *)page, PAGE_BYTES) != NULL;
}

/* ---- graphs that outlive what their nodes name ----------------------------------------------- */

void bad_memory_replayed(const struct op *op, const struct allocation *a, const void *at)
{
    const bool again =
        a->kind != MEMORY_GRAPH && a->kind != MEMORY_REGISTERED && a->serial > op->known;
    if (!again && !(a->kind == MEMORY_GRAPH && a->freed_by_node))
        return;
    struct simgpu_finding f =
        again ? finding_of(op, SIMGPU_USE_AFTER_FREE, SIMGPU_WHAT_ALLOCATED_AGAIN,
                           SIMGPU_NEXT_FREE_AFTER_LAUNCHES, at, a)
              : finding_of(op, SIMGPU_USE_AFTER_FREE, SIMGPU_WHAT_FREED_BY_NODE,
                           SIMGPU_NEXT_FREE_AFTER_NODE, at, a);
    finding_add(&f);
}

static bool is_gone(const void *p, const struct op *op, bool is_read)
{
    if (memory_find(p))
        return false;
    struct simgpu_finding f = finding_of(op, SIMGPU_USE_AFTER_FREE, SIMGPU_WHAT_FREED_BEFORE,
                                         SIMGPU_NEXT_FREE_AFTER_LAUNCHES, p, memory_find_freed(p));
    f.is_read = is_read;
    finding_add(&f);
    return !bad_memory_is_reached(p);
}

void bad_memory_of_host(const struct op *op, const void *at, bool is_read)
{
    struct simgpu_finding f = finding_of(op, SIMGPU_OUT_OF_BOUNDS, SIMGPU_WHAT_NO_HOST_MEMORY,
                                         SIMGPU_NEXT_CHECK_HOST_ADDRESS, at, NULL);
    f.is_read = is_read;
    finding_add(&f);
}

/* A node that was built for a copy inside the device and has been given ordinary host memory since.
 */
static void report_out_of_reach(const struct op *op)
{
    const struct copy_job *c = &op->work.copy;
    const void *p = c->path == PATH_H2D || c->path == PATH_H2H ? c->src : c->dst;
    struct simgpu_finding f = finding_of(op, SIMGPU_OUT_OF_BOUNDS, SIMGPU_WHAT_SET_TO_PAGEABLE,
                                         SIMGPU_NEXT_USE_PINNED, p, NULL);
    finding_add(&f);
}

/* A node that was made while its device had access to the memory of another one. */
static bool lost_access(const struct op *op)
{
    const struct copy_job *c = &op->work.copy;
    const struct memset_job *m = &op->work.memset;
    bool copies = op->work.kind == OP_COPY;
    const struct allocation *a = copies ? NULL : memory_find(m->dst);
    if (copies ? copy_has_route(c) : !a || memory_reaches(a, op->device->id))
        return false;
    struct simgpu_finding f =
        finding_of(op, SIMGPU_OUT_OF_BOUNDS, SIMGPU_WHAT_LOST_PEER_ACCESS,
                   SIMGPU_NEXT_KEEP_PEER_ACCESS, copies ? c->dst : m->dst, NULL);
    finding_add(&f);
    return true;
}

cudaError_t bad_memory_fails(const struct op *op)
{
    const struct copy_job *c = &op->work.copy;
    if (op->work.kind == OP_MEMSET) {
        bool gone = is_gone(op->work.memset.dst, op, false);
        return gone || lost_access(op) ? cudaErrorLaunchFailure : cudaSuccess;
    }
    if (op->work.kind != OP_COPY)
        return cudaSuccess;
    if (lost_access(op))
        return cudaErrorLaunchFailure;
    if (c->in_device && c->pageable) {
        report_out_of_reach(op);
        return cudaErrorIllegalAddress;
    }
    if (c->path == PATH_H2H)
        return cudaSuccess;
    bool from_host = c->path == PATH_H2D, to_host = c->path == PATH_D2H;
    bool gone = (!(from_host && c->pageable) && is_gone(c->src, op, true)) ||
                (!(to_host && c->pageable) && is_gone(c->dst, op, false));
    return gone ? cudaErrorLaunchFailure : cudaSuccess;
}

/*
 * bad_memory.c: findings about memory that is not there, or that a device may not access.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "stream.h"

static struct simgpu_finding finding_of(const struct op *op, enum simgpu_finding_kind kind,
                                        const void *at, uint64_t bytes)
{
    struct simgpu_finding f = {.kind = kind, .address = (uint64_t)(uintptr_t)at, .bytes = bytes};
    site_of(op, &f.first);
    f.second = f.first;
    return f;
}

/* Of a kernel, with the bytes of a range; the text begins with its name. */
static struct simgpu_finding of_kernel(const struct op *op, enum simgpu_finding_kind kind,
                                       const struct simgpu_range *r, uint64_t bytes)
{
    struct simgpu_finding f = finding_of(op, kind, r->base, bytes);
    snprintf(f.text, sizeof f.text, "Kernel %s (stream %d, operation %llu)", op->work.name,
             op->stream_id, (unsigned long long)op->index);
    return f;
}

/* Of a node of a graph that was launched; the text begins with it. */
static struct simgpu_finding of_node(const struct op *op, enum simgpu_finding_kind kind,
                                     const void *at)
{
    struct simgpu_finding f = finding_of(op, kind, at, op->work.bytes);
    snprintf(f.text, sizeof f.text, "Node %lld (%s) of a graph launched in stream %d",
             (long long)op->node, op->work.name, op->stream_id);
    return f;
}

/* Goes on with the text, and adds the finding. */
__attribute__((format(printf, 2, 3))) static void report(struct simgpu_finding *f,
                                                         const char *format, ...)
{
    const size_t begun = strlen(f->text);
    va_list args;
    va_start(args, format);
    vsnprintf(f->text + begun, sizeof f->text - begun, format, args);
    va_end(args);
    finding_add(f);
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
                      const struct allocation *live)
{
    const struct allocation *freed = live ? NULL : memory_find_freed(r->base),
                            *near = live || freed ? NULL : neighbor_of(r->base);
    struct simgpu_finding f =
        of_kernel(op, freed ? SIMGPU_USE_AFTER_FREE : SIMGPU_OUT_OF_BOUNDS, r,
                  r->rows > 1 ? (r->rows - 1) * r->pitch_bytes + r->width_bytes : r->width_bytes);
    const char *does = r->access == SIMGPU_READ ? "reads" : "writes";
    const unsigned long long bytes = f.bytes;
    const bool is_before = near && f.address < near->lo;
    if (live)
        report(&f,
               " %s %llu bytes from byte %llu of an allocation of %llu bytes: this is out of "
               "bounds; compare the size that you allocated with the count that you passed",
               does, bytes, (unsigned long long)(f.address - live->lo),
               (unsigned long long)(live->hi - live->lo));
    else if (freed)
        report(&f,
               " %s memory that was freed before it was launched (%llu bytes at %p, allocation "
               "number %llu); free it after the last operation that uses it",
               does, bytes, r->base, (unsigned long long)freed->serial);
    else if (near)
        report(&f,
               " %s %llu bytes that begin %llu bytes %s an allocation of %llu bytes: this is out "
               "of bounds; compare the index with the size that you allocated. Is an `if (i < n)` "
               "missing?",
               does, bytes,
               (unsigned long long)(is_before ? near->lo - f.address : f.address - near->hi),
               is_before ? "before" : "after the end of",
               (unsigned long long)(near->hi - near->lo));
    else
        report(&f,
               " %s %llu bytes at %p, which the device cannot access. Pass a pointer from "
               "cudaMalloc (or pinned host memory), not pageable host memory.",
               does, bytes, r->base);
}

void bad_memory_of_device(const struct op *op, const struct simgpu_range *r,
                          const struct allocation *a)
{
    struct simgpu_finding f = of_kernel(op, SIMGPU_OUT_OF_BOUNDS, r, r->rows * r->width_bytes);
    report(&f, " runs on device %d and %s memory of device %d, which device %d may not access. %s",
           op->device->id, r->access == SIMGPU_READ ? "reads" : "writes", a->device, op->device->id,
           memory_is_shared_by_pool(a)
               ? "Give it access to the pool (cudaMemPoolSetAccess, accessDescs), or launch the "
                 "kernel on the other device."
               : "Call cudaDeviceEnablePeerAccess, or launch the kernel on the other device.");
}

bool bad_memory_is_reached(const void *p)
{
    enum { PAGE_BYTES = 2 << 20 };
    uintptr_t page = (uintptr_t)p / PAGE_BYTES * PAGE_BYTES;
    return memory_is_device_address(p) && memory_find_in((void *)page, PAGE_BYTES) != NULL;
}

/* ---- graphs that outlive what their nodes name ----------------------------------------------- */

/* Once for each pair of node and sentence: finding_add leaves out what is known. */
static void report_replay(const struct op *op, const struct allocation *a, const void *at,
                          const char *what, const char *advice)
{
    struct simgpu_finding f = of_node(op, SIMGPU_USE_AFTER_FREE, at);
    report(&f, " uses %p, which %s (allocation number %llu, by %s). %s", at, what,
           (unsigned long long)a->serial, a->call, advice);
}

void bad_memory_replayed(const struct op *op, const struct allocation *a, const void *at)
{
    if (a->kind == MEMORY_GRAPH && a->freed_by_node)
        report_replay(op, a, at, "a free node of a graph frees before it",
                      "Add an edge from the node to the free node, or free the memory later in the "
                      "captured stream.");
    else if (a->kind != MEMORY_GRAPH && a->kind != MEMORY_REGISTERED && a->serial > op->known)
        report_replay(op, a, at, "was freed and allocated again after the graph was created",
                      "The node accesses the memory of another allocation: free the memory after "
                      "the last launch, or set the new address in the node.");
}

static bool is_gone(const void *p, const struct op *op, const char *does)
{
    if (memory_find(p))
        return false;
    const struct allocation *freed = memory_find_freed(p);
    struct simgpu_finding f = of_node(op, SIMGPU_USE_AFTER_FREE, p);
    report(&f,
           " %s %llu bytes at %p, which were freed before the launch (%s number %llu). A graph "
           "stores addresses: free the memory after the last launch, or set another address in the "
           "node.",
           does, (unsigned long long)f.bytes, p, freed ? "allocation" : "an allocation,",
           (unsigned long long)(freed ? freed->serial : 0));
    return !bad_memory_is_reached(p);
}

/* A node that was built for a copy inside the device and has been given ordinary host memory since.
 */
static void report_out_of_reach(const struct op *op)
{
    const struct copy_job *c = &op->work.copy;
    const void *p = c->path == PATH_H2D || c->path == PATH_H2H ? c->src : c->dst;
    struct simgpu_finding f = of_node(op, SIMGPU_OUT_OF_BOUNDS, p);
    report(&f,
           " was created for a copy inside the device, and later set to pageable host memory (%llu "
           "bytes, %p), which it cannot access. Use pinned memory (cudaMallocHost), or create the "
           "node for the direction of its copies.",
           (unsigned long long)f.bytes, p);
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
    struct simgpu_finding f = of_node(op, SIMGPU_OUT_OF_BOUNDS, copies ? c->dst : m->dst);
    report(&f, " uses memory of another device, and peer access was disabled after the node was "
               "created. Disable it after the last launch.");
    return true;
}

cudaError_t bad_memory_fails(const struct op *op)
{
    const struct copy_job *c = &op->work.copy;
    if (op->work.kind == OP_MEMSET) {
        bool gone = is_gone(op->work.memset.dst, op, "sets");
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
    bool gone = (!(from_host && c->pageable) && is_gone(c->src, op, "reads")) ||
                (!(to_host && c->pageable) && is_gone(c->dst, op, "writes"));
    return gone ? cudaErrorLaunchFailure : cudaSuccess;
}

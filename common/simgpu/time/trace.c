/* trace.c: the trace: one row for each operation or call, with its times. common/trace.h has the
 * format. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

static struct simgpu_trace_row *rows;
static size_t n_rows, cap_rows;
static bool said_full;
static const char *exit_file;

/* A loop on the device may be endless, memory is not: there are no more rows than these. */
enum { MOST_ROWS = 4 << 20 };

static struct simgpu_trace_row *add(void)
{
    static struct simgpu_trace_row dropped;
    if (n_rows == MOST_ROWS) {
        if (!said_full)
            fprintf(stderr,
                    "simgpu: the trace is full (%d rows): the rest of the run is not in it\n",
                    MOST_ROWS);
        said_full = true;
        return &dropped;
    }
    rows = room_for_one(rows, n_rows, &cap_rows, sizeof *rows, "rows of a trace");
    return memset(&rows[n_rows++], 0, sizeof *rows);
}

static const char *engine_name(const struct op *op)
{
    switch (op->work.engine) {
    case ENGINE_H2D:
        return "h2d";
    case ENGINE_D2H:
        return "d2h";
    case ENGINE_HOST:
        return "host";
    case ENGINE_SM:
        return "sm";
    case ENGINE_PEER:
        return "p2p";
    default:
        if (op->work.kind == OP_COPY && op->work.copy.path == PATH_H2D)
            return "h2d";
        return op->work.kind == OP_COPY && op->work.copy.path == PATH_D2H ? "d2h" : "d2d";
    }
}

static const char *shown_name(const struct op *op)
{
    if (op->work.kind != OP_COPY)
        return op->work.name;
    if (op->work.copy.path == PATH_D2D || op->work.copy.path == PATH_PEER)
        return "memcpy_device";
    return op->work.copy.pageable ? "memcpy_pageable" : "memcpy_pinned";
}

/* Of a kernel: all that it declares to read and to write. */
static uint64_t bytes_of(const struct op *op)
{
    const struct kernel_call *k = op->work.kernel.call;
    uint64_t bytes = 0;
    if (op->work.kind != OP_KERNEL)
        return op->work.bytes;
    for (int i = 0; i < k->n_ranges; i++)
        bytes += k->ranges[i].width_bytes * k->ranges[i].rows;
    return bytes;
}

void trace_op(const struct op *op)
{
    if (op->work.engine == ENGINE_NONE)
        return;
    struct simgpu_trace_row *r = add();
    r->device = op->work.engine == ENGINE_PEER ? op->work.copy.from : op->device->id;
    snprintf(r->engine, sizeof r->engine, "%s", engine_name(op));
    r->stream = op->stream_id;
    r->node = op->node;
    bool is_estimated = op->work.kind == OP_KERNEL && op->work.kernel.call->recorded;
    snprintf(r->name, sizeof r->name, "%.50s%s", shown_name(op),
             is_estimated ? " (estimated)" : "");
    r->start_ns = op->start_ns;
    r->end_ns = op->end_ns;
    r->bytes = bytes_of(op);
}

void trace_graph(const struct op *end, int number, const char *name, ns_t start, ns_t end_ns)
{
    struct simgpu_trace_row *r = add();
    r->device = end->device->id;
    snprintf(r->engine, sizeof r->engine, "graph");
    r->stream = end->stream_id;
    r->node = number;
    snprintf(r->name, sizeof r->name, "%s", name);
    r->start_ns = start;
    r->end_ns = end_ns;
}

void trace_api(const char *name, ns_t start, ns_t end)
{
    struct simgpu_trace_row *r = add();
    snprintf(r->engine, sizeof r->engine, "api");
    r->stream = r->node = -1;
    snprintf(r->name, sizeof r->name, "%s", name);
    r->start_ns = start;
    r->end_ns = end;
}

EXPORT void simgpu_trace_begin(void)
{
    struct thread_state *t = thread_self();
    device_lock(t);
    n_rows = 0;
    sim.tracing = true;
    device_unlock(t);
}

static int by_start(const void *a, const void *b)
{
    const struct simgpu_trace_row *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return x->end_ns < y->end_ns ? -1 : x->end_ns > y->end_ns;
}

EXPORT size_t simgpu_trace_end(struct simgpu_trace_row **out)
{
    struct thread_state *t = thread_self();
    device_lock(t);
    sim.tracing = false;
    if (n_rows)
        qsort(rows, n_rows, sizeof *rows, by_start);
    *out = rows;
    size_t n = n_rows;
    rows = NULL;
    n_rows = cap_rows = 0;
    device_unlock(t);
    return n;
}

/* ---- a whole run, to a file ------------------------------------------------------------------ */

void trace_at_end(void)
{
    if (!exit_file)
        return;
    struct simgpu_trace_row *all;
    size_t n = simgpu_trace_end(&all);
    FILE *f = fopen(exit_file, "w");
    if (!f) {
        fprintf(stderr, "simgpu: SIMGPU_TRACE=%s: the file cannot be written: %s\n", exit_file,
                strerror(errno));
        free(all);
        return;
    }
    fputs("device,engine,stream,node,name,start_us,end_us,bytes\n", f);
    ns_t first = n ? all[0].start_ns : 0;
    for (size_t i = 0; i < n; i++)
        fprintf(f, "%d,%s,%d,%" PRId64 ",%s,%.3f,%.3f,%" PRIu64 "\n", all[i].device, all[i].engine,
                all[i].stream, all[i].node, all[i].name, (double)(all[i].start_ns - first) / 1e3,
                (double)(all[i].end_ns - first) / 1e3, all[i].bytes);
    if (fclose(f) != 0)
        fprintf(stderr, "simgpu: SIMGPU_TRACE=%s: the trace is incomplete: %s\n", exit_file,
                strerror(errno));
    free(all);
}

void trace_start_from_env(void)
{
    const char *file = setting("SIMGPU_TRACE");
    if (!file || !*file)
        return;
    exit_file = file;
    sim.tracing = true;
}

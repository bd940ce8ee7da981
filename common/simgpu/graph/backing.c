/*
 * graph_backing.c: the physical memory behind what graphs allocate. Addresses are fixed when nodes
 * are made; memory is put behind them at launch, in large pieces, and graphs that run one after the
 * other share a piece. A piece stays with the device until it is trimmed.
 */
#include <stdlib.h>

#include "exec_graph.h"

enum { PIECE_BYTES = 32 << 20 }; /* as seen on an H200 */

struct backing {
    int device;
    uint64_t bytes;
    int n_holders;               /* memory in it that launches have left allocated */
    const struct stream *stream; /* of the latest launch that used it; compared only */
    struct op *last;             /* counted; the end of that launch */
    struct backing *next;
};

static struct backing *backings;
static uint64_t reserved[MAX_DEVICES], high[MAX_DEVICES][2]; /* of used, of reserved */

uint64_t graph_backing_bytes(int device)
{
    return reserved[device];
}

uint64_t *graph_backing_high(int device)
{
    return high[device];
}

/* The most that lives at once while the nodes run in the order in which they are launched. */
static uint64_t footprint(const struct flat *f)
{
    uint64_t now = 0, most = 0;
    for (int i = 0; i < f->n; i++) {
        const struct exec_node *n = &f->nodes[i];
        if (n->type == cudaGraphNodeTypeMemAlloc)
            now += arena_round(n->memory->bytes);
        else if (n->type == cudaGraphNodeTypeMemFree && now >= arena_round(n->memory->bytes))
            now -= arena_round(n->memory->bytes);
        most = now > most ? now : most;
    }
    return (most + PIECE_BYTES - 1) / PIECE_BYTES * PIECE_BYTES;
}

static bool is_idle(const struct backing *b)
{
    return !b->n_holders && (!b->last || b->last->state == OP_DONE);
}

static bool can_take(const struct backing *b, const struct stream *s, uint64_t bytes)
{
    return b->device == s->device->id && b->bytes >= bytes && !b->n_holders &&
           (b->stream == s || is_idle(b));
}

static struct backing *take(const struct flat *f, const struct stream *s)
{
    uint64_t bytes = footprint(f);
    if (!bytes)
        return NULL;
    for (struct backing *b = backings; b; b = b->next)
        if (can_take(b, s, bytes))
            return b;
    struct backing *b = calloc(1, sizeof *b);
    if (!b)
        fatal("out of memory for the memory of a graph");
    *b = (struct backing){.device = s->device->id, .bytes = bytes, .next = backings};
    backings = b;
    reserved[b->device] += bytes;
    for (int i = 0; i < 2; i++)
        if (reserved[b->device] > high[b->device][i])
            high[b->device][i] = reserved[b->device];
    return b;
}

void graph_backing_used(struct backing *b, const struct stream *s, struct op *end)
{
    if (!b)
        return;
    if (b->last)
        op_put(b->last);
    b->last = end;
    op_get(end);
    b->stream = s;
}

void graph_backing_hold(struct backing *b, int n)
{
    if (b)
        b->n_holders += n;
}

void graph_backing_trim(int device)
{
    for (struct backing **at = &backings; *at;) {
        struct backing *b = *at;
        if (b->device != device || !is_idle(b)) {
            at = &b->next;
            continue;
        }
        *at = b->next;
        reserved[device] -= b->bytes;
        if (b->last)
            op_put(b->last);
        free(b);
    }
}

/* ---- a launch -------------------------------------------------------------------------------- */

/* What it would allocate must not be allocated yet, and what it would free must be by then. */
static bool memory_is_ready(struct exec *x)
{
    bool automatic = x->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch, good = true;
    for (int i = 0; i < x->flat.n; i++) {
        struct exec_node *n = &x->flat.nodes[i];
        if (n->type == cudaGraphNodeTypeMemAlloc) {
            good = good && (automatic || !n->memory->allocated);
            n->memory->made_here = true;
        }
    }
    for (int i = 0; i < x->flat.n; i++) {
        const struct exec_node *n = &x->flat.nodes[i];
        if (n->type == cudaGraphNodeTypeMemFree)
            good = good && (n->memory->made_here || n->memory->allocated);
    }
    for (int i = 0; i < x->flat.n; i++)
        if (x->flat.nodes[i].memory)
            x->flat.nodes[i].memory->made_here = false;
    return good;
}

cudaError_t graph_memory_take(struct exec *x, const struct stream *s, struct backing **backing)
{
    *backing = NULL;
    if (!x->shape->n_memory_nodes)
        return cudaSuccess;
    if (!memory_is_ready(x))
        return cudaErrorInvalidValue;
    for (int i = 0; i < x->flat.n; i++)
        if (x->flat.nodes[i].type == cudaGraphNodeTypeMemAlloc)
            graph_memory_freed(x->flat.nodes[i].memory);
    *backing = take(&x->flat, s);
    for (int i = 0; i < x->flat.n; i++) {
        struct exec_node *n = &x->flat.nodes[i];
        if (n->type == cudaGraphNodeTypeMemAlloc)
            graph_memory_made(n->memory, *backing);
        else if (n->type == cudaGraphNodeTypeMemFree)
            graph_memory_freed(n->memory);
    }
    return cudaSuccess;
}

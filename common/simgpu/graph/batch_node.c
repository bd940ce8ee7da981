/* batch_node.c: a node for a batch of copies (CUDA 13.5): as documented, and not asked of a GPU. It
 * keeps a child graph of copies that nothing orders, so it is instantiated, updated and run as a
 * child graph is. A copy of size 0 is a node that does nothing. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

#if CUDART_VERSION >= 13050

/* The parameters as given, for those who ask; of a node and its clones. */
struct copy_batch {
    int refs;
    struct cudaMemcpyBatchNodeParams p; /* its arrays are copies */
};

static void *copy_of(const void *array, size_t n, size_t bytes)
{
    void *copy = needed(malloc(n * bytes + 1), "a batch of %zu copies", n);
    return memcpy(copy, array, n * bytes);
}

static struct copy_batch *batch_new(const struct cudaMemcpyBatchNodeParams *p)
{
    struct copy_batch *b = needed(malloc(sizeof *b), "a batch of %zu copies", p->count);
    *b = (struct copy_batch){1, *p};
    b->p.dsts = copy_of(p->dsts, p->count, sizeof *p->dsts);
    b->p.srcs = copy_of(p->srcs, p->count, sizeof *p->srcs);
    b->p.sizes = copy_of(p->sizes, p->count, sizeof *p->sizes);
    b->p.attrs = copy_of(p->attrs, p->numAttrs, sizeof *p->attrs);
    b->p.attrsIdxs = copy_of(p->attrsIdxs, p->numAttrs, sizeof *p->attrsIdxs);
    return b;
}

void batch_put(struct copy_batch *b)
{
    if (!b || --b->refs > 0)
        return;
    free(b->p.dsts);
    free(b->p.srcs);
    free(b->p.sizes);
    free(b->p.attrs);
    free(b->p.attrsIdxs);
    free(b);
}

void batch_share(struct node *to, const struct node *from)
{
    to->batch = from->batch;
    if (to->batch)
        to->batch->refs++;
}

static cudaError_t one_copy(struct work *w, void *dst, const void *src, size_t bytes)
{
    const struct cudaMemcpy3DParms m = {.dstPtr = {dst, bytes, bytes, 1},
                                        .srcPtr = {(void *)(uintptr_t)src, bytes, bytes, 1},
                                        .extent = {bytes, 1, 1},
                                        .kind = cudaMemcpyDefault};
    *w = (struct work){.kind = OP_MARKER, .name = "no copy", .caller = call_place()};
    return bytes ? copy_work(w, &m) : cudaSuccess;
}

cudaError_t batch_graph(struct graph **out, struct graph *parent,
                        const struct cudaGraphNodeParams *params)
{
    const struct cudaMemcpyBatchNodeParams *p = &params->memcpyBatch;
    if (!p->dsts || !p->srcs || !p->sizes || p->count == 0 ||
        !copy_attributes_fit(p->attrs, p->attrsIdxs, p->numAttrs, p->count))
        return cudaErrorInvalidValue;
    struct graph *g = graph_new(parent);
    for (size_t i = 0; i < p->count; i++) {
        struct work w;
        const cudaError_t e = one_copy(&w, p->dsts[i], p->srcs[i], p->sizes[i]);
        if (e != cudaSuccess) {
            graph_disown(g);
            return e;
        }
        node_new(g, cudaGraphNodeTypeMemcpy, &w)->device = thread_self()->device;
    }
    *out = g;
    return cudaSuccess;
}

cudaError_t batch_make(struct node *n, const struct cudaGraphNodeParams *p)
{
    struct graph *old = n->child, *g;
    TRY(batch_graph(&g, n->graph, p));
    batch_put(n->batch);
    n->batch = batch_new(&p->memcpyBatch);
    n->child = g;
    if (old)
        graph_disown(old);
    return cudaSuccess;
}

void batch_params(const struct node *n, struct cudaGraphNodeParams *p)
{
    p->memcpyBatch = n->batch->p;
}

#else

void batch_put(struct copy_batch *b)
{
    (void)b;
}

void batch_share(struct node *to, const struct node *from)
{
    to->batch = from->batch;
}

cudaError_t batch_graph(struct graph **out, struct graph *parent,
                        const struct cudaGraphNodeParams *params)
{
    (void)out;
    (void)parent;
    (void)params;
    return cudaErrorInvalidValue; /* there is no such node */
}

cudaError_t batch_make(struct node *n, const struct cudaGraphNodeParams *p)
{
    (void)n;
    (void)p;
    return cudaErrorInvalidValue;
}

void batch_params(const struct node *n, struct cudaGraphNodeParams *p)
{
    (void)n;
    (void)p;
}

#endif

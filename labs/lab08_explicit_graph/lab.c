/*
 * Lab 08: graphs built node by node. See lab.h and README.md.
 */
#include "check.h"
#include "kernels.h"
#include "lab.h"

/* ---- nodes ----------------------------------------------------------------------------------- */

/* The nodes that a new node waits for: AFTER(a, b) are a and b; with NOTHING the new node is a
   root. */
struct after {
    const cudaGraphNode_t *nodes;
    size_t n;
};
#define AFTER(...)                                                                                 \
    ((struct after){(const cudaGraphNode_t[]){__VA_ARGS__},                                        \
                    sizeof((const cudaGraphNode_t[]){__VA_ARGS__}) / sizeof(cudaGraphNode_t)})
#define NOTHING ((struct after){NULL, 0})

/* An example: a struct cudaGraphNodeParams has a type and the parameters of that type. */
static cudaError_t add_copy(cudaGraph_t graph, cudaGraphNode_t *node, struct after after, void *to,
                            const void *from, int n, enum cudaMemcpyKind kind)
{
    size_t bytes = (size_t)n * sizeof(float);
    struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeMemcpy};

    params.memcpy.copyParams = (struct cudaMemcpy3DParms){.srcPtr = {(void *)from, bytes, bytes, 1},
                                                          .dstPtr = {to, bytes, bytes, 1},
                                                          .extent = {bytes, 1, 1}, /* one row */
                                                          .kind = kind};
    return cudaGraphAddNode(node, graph, after.nodes, NULL, after.n, &params);
}

/* A kernel with one thread for each of n elements. args[i] points to argument i. */
static cudaError_t add_kernel(cudaGraph_t graph, cudaGraphNode_t *node, struct after after,
                              const void *kernel, int n, void **args)
{
    /*
     * YOUR STEP 1: params.kernel.func, gridDim, blockDim, kernelParams. Blocks have 256 threads.
     * gridDim and blockDim are of type dim3: assign (dim3){x, y, z}. No field may be 0.
     */
    (void)graph, (void)node, (void)after, (void)kernel, (void)n, (void)args;
    return cudaErrorNotYetImplemented;
}

/* Sets n floats to 0. */
static cudaError_t add_clear(cudaGraph_t graph, cudaGraphNode_t *node, struct after after, float *p,
                             int n)
{
    /* YOUR STEP 2: params.memset.dst, elementSize, width, height, value. What does width count? */
    (void)graph, (void)node, (void)after, (void)p, (void)n;
    return cudaErrorNotYetImplemented;
}

/* The graph waits for an event that another stream records. */
static cudaError_t add_wait(cudaGraph_t graph, cudaGraphNode_t *node, struct after after,
                            cudaEvent_t event)
{
    /* YOUR STEP 2: cudaGraphNodeTypeWaitEvent, params.eventWait. */
    (void)graph, (void)node, (void)after, (void)event;
    return cudaErrorNotYetImplemented;
}

/* The graph records an event that another stream waits for. */
static cudaError_t add_record(cudaGraph_t graph, cudaGraphNode_t *node, struct after after,
                              cudaEvent_t event)
{
    /* YOUR STEP 2: cudaGraphNodeTypeEventRecord, params.eventRecord. */
    (void)graph, (void)node, (void)after, (void)event;
    return cudaErrorNotYetImplemented;
}

/* ---- branches -------------------------------------------------------------------------------- */

static cudaError_t set_priority(cudaGraphNode_t node, int priority)
{
    /* YOUR STEP 5: cudaGraphKernelNodeSetAttribute. */
    (void)node, (void)priority;
    return cudaSuccess;
}

cudaError_t lab08_branches(const struct lab08_branches *b, cudaGraph_t *graph)
{
    cudaGraphNode_t wait, clear, in, produce;
    float *x = b->x, *u = b->u;
    int steps = b->steps, n = b->n;

    TRY(cudaGraphCreate(graph, 0));
    TRY(add_wait(*graph, &wait, NOTHING, b->ready));
    TRY(add_clear(*graph, &clear, NOTHING, b->sum, n));
    TRY(add_copy(*graph, &in, AFTER(wait), x, b->in, n, cudaMemcpyHostToDevice));
    TRY(add_kernel(*graph, &produce, AFTER(in), kernel_produce(), n,
                   (void *[]){&u, &x, &steps, &n}));
    TRY(set_priority(produce, b->priority));
    /*
     * YOUR STEP 3: add the other branch, the join and all nodes after it, as lab.h draws them.
     * Which nodes does each of them wait for?
     */
    (void)add_record;
    return cudaErrorNotYetImplemented;
}

/* ---- temporary memory ------------------------------------------------------------------------ */

/* Allocates n floats when the graph runs. Their address is known now: it is stored in *p. */
static cudaError_t add_alloc(cudaGraph_t graph, cudaGraphNode_t *node, struct after after,
                             int device, int n, float **p)
{
    /*
     * YOUR STEP 6: in params.alloc.poolProps set allocType to cudaMemAllocationTypePinned,
     * location.type to cudaMemLocationTypeDevice and location.id to the device. Set
     * params.alloc.bytesize. cudaGraphAddNode stores the address in params.alloc.dptr.
     */
    (void)graph, (void)node, (void)after, (void)device, (void)n, (void)p;
    return cudaErrorNotYetImplemented;
}

/* Frees the memory of an alloc node when the graph runs. */
static cudaError_t add_free(cudaGraph_t graph, cudaGraphNode_t *node, struct after after, float *p)
{
    /* YOUR STEP 6, too: params.free.dptr. */
    (void)graph, (void)node, (void)after, (void)p;
    return cudaErrorNotYetImplemented;
}

cudaError_t lab08_temporary(const struct lab08_temporary *t, cudaGraph_t *graph)
{
    cudaGraphNode_t alloc_a;
    float *a;

    TRY(cudaGraphCreate(graph, 0));
    TRY(add_alloc(*graph, &alloc_a, NOTHING, t->device, t->n, &a));
    /* YOUR STEP 6, too: the rest of the graph. Which node uses a last? Which uses b last? */
    (void)add_free;
    return cudaErrorNotYetImplemented;
}

/* ---- a library's work ------------------------------------------------------------------------ */

/* Captures the library's work with this weight and adds it as a child graph. */
static cudaError_t add_library(cudaGraph_t graph, cudaGraphNode_t *node, struct after after,
                               const struct lab08_library *l, float weight)
{
    /*
     * YOUR STEP 7: capture the library's work in l->stream, and add the captured graph as a child
     * graph (cudaGraphNodeTypeGraph, params.graph.graph). The node gets a copy. Then destroy the
     * captured graph: it is still yours.
     */
    (void)graph, (void)node, (void)after, (void)l, (void)weight;
    return cudaErrorNotYetImplemented;
}

cudaError_t lab08_library(const struct lab08_library *l, cudaGraph_t *graph)
{
    cudaGraphNode_t in, first;

    TRY(cudaGraphCreate(graph, 0));
    TRY(add_copy(*graph, &in, NOTHING, l->x, l->in, l->n, cudaMemcpyHostToDevice));
    TRY(add_library(*graph, &first, AFTER(in), l, l->weight[0]));
    /* YOUR STEP 7, too: the second child graph and the copy back. */
    return cudaErrorNotYetImplemented;
}

/* ---- host work ------------------------------------------------------------------------------- */

/* The data of the host node. */
struct mean_of {
    const float *values;
    int n;
    double *mean;
};

/* Runs on a thread of the CUDA runtime. */
static void CUDART_CB compute_mean(void *data)
{
    struct mean_of *m = data;
    double sum = 0;

    for (int i = 0; i < m->n; i++)
        sum += m->values[i];
    *m->mean = sum / m->n;
}

/* From now on the graph owns the data: the destructor runs when the last reference is released. */
static cudaError_t retain_data(cudaGraph_t graph, void *data, void (*destructor)(void *))
{
    /*
     * YOUR STEP 8: cudaUserObjectCreate creates an object with one reference, which is yours.
     * cudaGraphRetainUserObject gives the graph a reference. Move yours to the graph, or release
     * yours.
     */
    (void)graph, (void)data, (void)destructor;
    return cudaErrorNotYetImplemented;
}

cudaError_t lab08_summary(const struct lab08_summary *s, cudaGraph_t *graph)
{
    cudaGraphNode_t in, smooth, out;
    float *x = s->x, *y = s->y;
    int n = s->n;
    struct mean_of *data = s->allocate(sizeof *data);

    if (!data)
        return cudaErrorMemoryAllocation;
    *data = (struct mean_of){s->values, n, s->mean};
    TRY(cudaGraphCreate(graph, 0));
    TRY(retain_data(*graph, data, s->destructor));
    TRY(add_copy(*graph, &in, NOTHING, x, s->in, n, cudaMemcpyHostToDevice));
    TRY(add_kernel(*graph, &smooth, AFTER(in), kernel_consume(), n, (void *[]){&y, &x, &n}));
    TRY(add_copy(*graph, &out, AFTER(smooth), s->values, y, n, cudaMemcpyDeviceToHost));
    /* YOUR STEP 8, too: the host node. params.host.fn is compute_mean. What is its userData? */
    (void)compute_mean;
    return cudaErrorNotYetImplemented;
}

/* ---- a kernel that starts early -------------------------------------------------------------- */

/* Adds a programmatic edge: `to` may start when all blocks of `from` have started. */
static cudaError_t add_early_edge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to)
{
    /* YOUR STEP 10: cudaGraphAddDependencies takes a cudaGraphEdgeData. Which port, which type? */
    (void)graph, (void)from, (void)to;
    return cudaErrorNotYetImplemented;
}

cudaError_t lab08_early(const struct lab08_early *e, cudaGraph_t *graph)
{
    cudaGraphNode_t produce, weigh;
    const float *x = e->x, *weights = e->weights;
    float *u = e->u, *out = e->out;
    int steps = e->steps, rows = e->rows, n = e->n;

    TRY(cudaGraphCreate(graph, 0));
    TRY(add_kernel(*graph, &produce, NOTHING, kernel_produce(), n, (void *[]){&u, &x, &steps, &n}));
    TRY(add_kernel(*graph, &weigh, NOTHING, lab08_weigh(), n,
                   (void *[]){&out, &u, &weights, &rows, &n}));
    return add_early_edge(*graph, produce, weigh);
}

/* ---- any graph ------------------------------------------------------------------------------- */

cudaError_t lab08_instantiate(cudaGraph_t graph, cudaGraphExec_t *exec, cudaGraphNode_t *node)
{
    /*
     * YOUR STEP 4: cudaGraphInstantiateWithParams. Its parameters have a flag for node priorities,
     * and return the node that is to blame.
     */
    (void)graph, (void)exec, (void)node;
    return cudaErrorNotYetImplemented;
}

cudaError_t lab08_draw(cudaGraph_t graph, const char *path)
{
    /* YOUR STEP 9: one call. */
    (void)graph, (void)path;
    return cudaErrorNotYetImplemented;
}

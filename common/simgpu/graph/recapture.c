/* recapture.c: a capture that repeats the nodes of its graph (cudaStreamBeginRecaptureToGraph of
 * CUDA 13.3). Each captured operation becomes the next node, in the order in which the nodes were
 * created. A function of the program gets the parameters that changed. All of it is as NVIDIA's
 * documentation says, and none has been asked of a GPU. */
#include <string.h>

#include "graph.h"

/* ---- what may not change --------------------------------------------------------------------- */

/* Does the node wait for these, and for no others? */
static bool waits_for(const struct node *n, const struct frontier *f)
{
    if (n->in.n != f->n)
        return false;
    for (int i = 0; i < f->n; i++) {
        int k = 0;
        while (k < n->in.n && n->in.at[k].node != f->nodes[i])
            k++;
        if (k == n->in.n || memcmp(&n->in.at[k].data, &f->data[i], sizeof f->data[i]) != 0)
            return false;
    }
    return true;
}

static bool comes_next(const struct stream *s, enum cudaGraphNodeType type)
{
    const struct node *n = s->capture->again->next;
    return n && n->type == type && waits_for(n, &s->frontier);
}

/* ---- what may -------------------------------------------------------------------------------- */

static bool same_memset(const struct memset_job *a, const struct memset_job *b)
{
    return a->dst == b->dst && a->value == b->value && memset_has_same_shape(a, b);
}

static bool same_work(const struct work *a, const struct work *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case OP_KERNEL:
        return kernel_call_is(a->kernel.call, b->kernel.call->kernel, &b->kernel.call->launch,
                              b->kernel.call->params);
    case OP_COPY:
        return a->copy.kind == b->copy.kind && copy_is_same(&a->copy, &b->copy);
    case OP_MEMSET:
        return same_memset(&a->memset, &b->memset);
    case OP_HOST_FUNC:
        return a->host.fn == b->host.fn && a->host.data == b->host.data;
    case OP_EVENT_RECORD:
    case OP_EVENT_WAIT:
        return a->event == b->event;
    default:
        return true;
    }
}

/* The program's function may call the runtime: the device is not locked meanwhile. */
static cudaError_t report(struct capture *c, struct node *n, struct node *now)
{
    enum { ELIGIBLE, INELIGIBLE }; /* of enum cudaGraphRecaptureStatus */
    const struct recapture *again = c->again;
    struct thread_state *t = thread_self();
    const struct thread_state before = *t;
    struct cudaGraphNodeParams old, new;
    node_params(n, &old);
    node_params(now, &new);
    const bool fits = n->device == now->device && again->can_become(&n->work, &now->work);
    c->refs++;
    device_unlock(t);
    cudaError_t e =
        again->changed(again->data, (cudaGraphNode_t)n, &old, &new, fits ? ELIGIBLE : INELIGIBLE);
    device_lock(t);
    t->call = before.call;
    t->caller = before.caller;
    t->call_start_ns = before.call_start_ns;
    t->call_cost = before.call_cost;
    if (c->ended)
        e = (cudaError_t)RECAPTURE_FAILED;
    capture_put(c);
    return e;
}

/* The stream continues after the next node. */
static void pass(struct stream *s)
{
    struct recapture *again = s->capture->again;
    struct node *n = again->next;
    again->next = n->next;
    frontier_set(&s->frontier, &(struct frontier){&n, NULL, 1});
}

/* The next node has the work from now on. */
static bool take(struct stream *s, struct work *w)
{
    struct capture *c = s->capture;
    struct node *n = c->again->next, now = *n;
    now.work = *w;
    now.device = s->device->id;
    now.copy_place = (struct copy_place){0};
    const bool is_same = now.device == n->device && same_work(&n->work, w);
    if (!is_same && c->again->changed && report(c, n, &now) != cudaSuccess)
        return false;
    work_drop(&n->work);
    n->work = *w;
    n->work.waits = stream_waits(s);
    n->device = now.device;
    n->copy_place = now.copy_place;
    n->priority = s->priority;
    n->attributes = kernel_attributes_fresh();
    pass(s);
    return true;
}

/* ---- the calls of a capture ------------------------------------------------------------------ */

static cudaError_t fails(struct stream *s)
{
    if (s->capture)
        capture_invalidate(s->capture);
    return (cudaError_t)RECAPTURE_FAILED;
}

cudaError_t recapture_work(struct stream *s, enum cudaGraphNodeType type, struct work *w)
{
    if (comes_next(s, type) && take(s, w))
        return cudaSuccess;
    work_drop(w);
    return fails(s);
}

cudaError_t recapture_alloc(struct stream *s, size_t bytes, void **out)
{
    const struct node *n = s->capture->again->next;
    if (!comes_next(s, cudaGraphNodeTypeMemAlloc) || n->memory->given.bytesize != bytes ||
        n->memory->device != s->device->id)
        return fails(s);
    *out = n->memory->given.dptr;
    pass(s);
    return cudaSuccess;
}

cudaError_t recapture_free(struct stream *s, const void *p)
{
    const struct node *n = s->capture->again->next;
    if (!comes_next(s, cudaGraphNodeTypeMemFree) || n->memory->allocation->lo != (uintptr_t)p)
        return fails(s);
    pass(s);
    return cudaSuccess;
}

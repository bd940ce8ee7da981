/*
 * userobject.c: user objects: reference-counted resources that a graph and everything made from it
 * keeps alive.
 */
#include <stdlib.h>

#include "graph.h"

struct user_object {
    void *resource;
    cudaHostFn_t destroy;
    unsigned refs;     /* the program's and all graphs'; 0: destroyed */
    unsigned n_graphs; /* that name it, though they may have lost it to a release too many */
};

static struct user_object *object_of(cudaUserObject_t handle)
{
    return handle_type_of(handle) == HANDLE_USER_OBJECT ? (struct user_object *)handle : NULL;
}

static void free_unnamed(struct user_object *o)
{
    if (!o->refs && !o->n_graphs)
        free(o);
}

static void release(struct user_object *o, unsigned count)
{
    if (count > o->refs || (o->refs -= count) > 0)
        return;
    handle_remove(o);
    o->destroy(o->resource);
    free_unnamed(o);
}

static void ref_free(struct user_ref *r)
{
    r->object->n_graphs--;
    free_unnamed(r->object);
    free(r);
}

void user_refs_drop(struct user_ref **refs)
{
    while (*refs) {
        struct user_ref *r = *refs;
        *refs = r->next;
        release(r->object, r->count);
        ref_free(r);
    }
}

static void hold(struct user_ref **refs, struct user_object *o, unsigned count)
{
    while (*refs && (*refs)->object != o)
        refs = &(*refs)->next;
    if (!*refs) {
        *refs = calloc(1, sizeof **refs);
        if (!*refs)
            fatal("out of memory for a reference to a user object");
        (*refs)->object = o;
        o->n_graphs++;
    }
    (*refs)->count += count;
}

static void forget(struct user_ref **refs, const struct user_object *o, unsigned count)
{
    while (*refs && (*refs)->object != o)
        refs = &(*refs)->next;
    struct user_ref *r = *refs;
    if (!r)
        return;
    r->count -= r->count < count ? r->count : count;
    if (r->count)
        return;
    *refs = r->next;
    ref_free(r);
}

void user_refs_copy(struct user_ref **to, const struct user_ref *from)
{
    for (; from; from = from->next) {
        if (!from->object->refs)
            continue;
        hold(to, from->object, from->count);
        from->object->refs += from->count;
    }
}

void user_refs_replace(struct user_ref **refs, const struct user_ref *by)
{
    struct user_ref *before = *refs;
    *refs = NULL;
    user_refs_copy(refs, by);
    user_refs_drop(&before);
}

EXPORT cudaError_t cudaUserObjectCreate(cudaUserObject_t *out, void *resource, cudaHostFn_t destroy,
                                        unsigned initial_refs, unsigned flags)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaUserObjectCreate", &e))
        return e;
    if (!out || !destroy || initial_refs == 0 || flags != cudaUserObjectNoDestructorSync)
        return api_leave(cudaErrorInvalidValue);
    struct user_object *o = malloc(sizeof *o);
    if (!o)
        return api_leave(cudaErrorMemoryAllocation);
    *o = (struct user_object){resource, destroy, initial_refs, 0};
    handle_add(o, HANDLE_USER_OBJECT);
    *out = (cudaUserObject_t)o;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaUserObjectRetain(cudaUserObject_t handle, unsigned count)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaUserObjectRetain", &e))
        return e;
    struct user_object *o = object_of(handle);
    if (!o || count == 0 || count > INT32_MAX)
        return api_leave(cudaErrorInvalidValue);
    o->refs += count;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaUserObjectRelease(cudaUserObject_t handle, unsigned count)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaUserObjectRelease", &e))
        return e;
    struct user_object *o = object_of(handle);
    if (!o || count == 0 || count > INT32_MAX)
        return api_leave(cudaErrorInvalidValue);
    release(o, count);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t handle,
                                             unsigned count, unsigned flags)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaGraphRetainUserObject", &e))
        return e;
    struct graph *g = graph_of(graph);
    struct user_object *o = object_of(handle);
    if (!g || !o || count == 0 || count > INT32_MAX || (flags & ~(unsigned)cudaGraphUserObjectMove))
        return api_leave(cudaErrorInvalidValue);
    hold(&g->user_refs, o, count);
    if (!(flags & cudaGraphUserObjectMove))
        o->refs += count;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t handle,
                                              unsigned count)
{
    cudaError_t e;
    if (!api_enter(COST_QUERY, "cudaGraphReleaseUserObject", &e))
        return e;
    struct graph *g = graph_of(graph);
    struct user_object *o = object_of(handle);
    if (!g || !o || count == 0 || count > INT32_MAX)
        return api_leave(cudaErrorInvalidValue);
    forget(&g->user_refs, o, count);
    release(o, count); /* of references that the graph does not hold, too */
    return api_leave(cudaSuccess);
}

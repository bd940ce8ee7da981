/* user_object.c: user objects. */
#include <stdlib.h>

#include "api.h"

static struct user_object *object_of(cudaUserObject_t handle)
{
    return handle_type_of(handle) == HANDLE_USER_OBJECT ? (struct user_object *)handle : NULL;
}

EXPORT cudaError_t cudaUserObjectCreate(cudaUserObject_t *out, void *resource, cudaHostFn_t destroy,
                                        unsigned initial_refs, unsigned flags)
{
    API_ENTER(cudaUserObjectCreate);
    API_REFUSE_IF(!out || !destroy || initial_refs == 0 || flags != cudaUserObjectNoDestructorSync,
                  cudaErrorInvalidValue);
    struct user_object *o = malloc(sizeof *o);
    API_REFUSE_IF(!o, cudaErrorMemoryAllocation);
    *o = (struct user_object){resource, destroy, initial_refs, 0};
    handle_add(o, HANDLE_USER_OBJECT);
    *out = (cudaUserObject_t)o;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaUserObjectRetain(cudaUserObject_t handle, unsigned count)
{
    API_ENTER(cudaUserObjectRetain);
    struct user_object *o = object_of(handle);
    API_REFUSE_IF(!o || count == 0 || count > INT32_MAX, cudaErrorInvalidValue);
    o->refs += count;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaUserObjectRelease(cudaUserObject_t handle, unsigned count)
{
    API_ENTER(cudaUserObjectRelease);
    struct user_object *o = object_of(handle);
    API_REFUSE_IF(!o || count == 0 || count > INT32_MAX, cudaErrorInvalidValue);
    user_object_release(o, count);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t handle,
                                             unsigned count, unsigned flags)
{
    API_ENTER(cudaGraphRetainUserObject);
    struct graph *g = graph_of(graph);
    struct user_object *o = object_of(handle);
    API_REFUSE_IF(!g || !o || count == 0 || count > INT32_MAX ||
                      (flags & ~(unsigned)cudaGraphUserObjectMove),
                  cudaErrorInvalidValue);
    user_refs_hold(&g->user_refs, o, count);
    if (!(flags & cudaGraphUserObjectMove))
        o->refs += count;
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t handle,
                                              unsigned count)
{
    API_ENTER(cudaGraphReleaseUserObject);
    struct graph *g = graph_of(graph);
    struct user_object *o = object_of(handle);
    API_REFUSE_IF(!g || !o || count == 0 || count > INT32_MAX, cudaErrorInvalidValue);
    user_refs_forget(&g->user_refs, o, count);
    user_object_release(o, count); /* of references that the graph does not hold, too */
    return api_leave(cudaSuccess);
}

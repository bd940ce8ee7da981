/* objects.c: the list of what this process has created and not destroyed, see objects.h. */
#include "objects.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static struct {
    pthread_mutex_t lock;
    struct object {
        const void *at;
        size_t bytes; /* of a handle: 0 */
        const void *caller;
        enum simgpu_object kind;
    } * all;
    size_t n, room;
    size_t bytes, most_bytes; /* of device memory, now and at most */
} held = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Without memory for the list it stays as it is: a little less is counted. */
cudaError_t object_created(cudaError_t error, enum simgpu_object kind, const void *created,
                           size_t bytes, const void *caller)
{
    const void *object = NULL;
    if (!error)
        memcpy(&object, created, sizeof object);
    if (!object)
        return error;
    pthread_mutex_lock(&held.lock);
    if (held.n == held.room) {
        const size_t room = held.room ? 2 * held.room : 64;
        struct object *all = realloc(held.all, room * sizeof *all);
        held.all = all ? all : held.all;
        held.room = all ? room : held.room;
    }
    if (held.n < held.room)
        held.all[held.n++] = (struct object){object, bytes, caller, kind};
    held.bytes += kind == SIMGPU_OBJECT_MEMORY ? bytes : 0;
    held.most_bytes = held.bytes > held.most_bytes ? held.bytes : held.most_bytes;
    pthread_mutex_unlock(&held.lock);
    return error;
}

cudaError_t object_destroyed(cudaError_t error, const void *object)
{
    if (error)
        return error;
    pthread_mutex_lock(&held.lock);
    for (size_t i = held.n; i-- > 0;)
        if (held.all[i].at == object) {
            held.bytes -= held.all[i].kind == SIMGPU_OBJECT_MEMORY ? held.all[i].bytes : 0;
            held.all[i] = held.all[--held.n];
            break;
        }
    pthread_mutex_unlock(&held.lock);
    return error;
}

/* `caller` is the lowest of all: the same in each run of a program. */
struct objects_left objects_left(enum simgpu_object kind)
{
    struct objects_left left = {0};
    pthread_mutex_lock(&held.lock);
    for (size_t i = 0; i < held.n; i++) {
        const struct object *o = &held.all[i];
        if (o->kind != kind)
            continue;
        left.n++;
        left.bytes += o->bytes;
        if (!left.caller || (uintptr_t)o->caller < (uintptr_t)left.caller)
            left.caller = o->caller;
    }
    pthread_mutex_unlock(&held.lock);
    return left;
}

double objects_bytes(double *most, bool anew)
{
    pthread_mutex_lock(&held.lock);
    const double now = (double)held.bytes;
    if (most)
        *most = (double)held.most_bytes;
    if (anew)
        held.most_bytes = held.bytes;
    pthread_mutex_unlock(&held.lock);
    return now;
}

bool bench_allocation_of(const void *p, size_t *bytes, const void **caller)
{
    bool found = false;
    if (pthread_mutex_trylock(&held.lock) != 0)
        return false;
    for (size_t i = 0; i < held.n && !found; i++) {
        const struct object *o = &held.all[i];
        found = o->kind == SIMGPU_OBJECT_MEMORY && (uintptr_t)p - (uintptr_t)o->at < o->bytes;
        *bytes = o->bytes;
        *caller = o->caller;
    }
    pthread_mutex_unlock(&held.lock);
    return found;
}

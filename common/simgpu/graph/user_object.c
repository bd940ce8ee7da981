/* user_object.c: user objects: resources with a reference count. A graph, and everything made from
 * it, keeps them alive. */
#include <stdlib.h>

#include "graph.h"

static void free_unnamed(struct user_object *o)
{
    if (!o->refs && !o->n_graphs)
        free(o);
}

void user_object_release(struct user_object *o, unsigned count)
{
    if (count > o->refs || (o->refs -= count) > 0)
        return;
    handle_remove(o);
    struct thread_state *t = thread_self();
    /* it may call no function of the runtime, which is in a call already */
    t->in_destructor = true;
    o->destroy(o->resource);
    t->in_destructor = false;
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
        user_object_release(r->object, r->count);
        ref_free(r);
    }
}

void user_refs_hold(struct user_ref **refs, struct user_object *o, unsigned count)
{
    while (*refs && (*refs)->object != o)
        refs = &(*refs)->next;
    if (!*refs) {
        *refs = needed(calloc(1, sizeof **refs), "a reference to a user object");
        (*refs)->object = o;
        o->n_graphs++;
    }
    (*refs)->count += count;
}

void user_refs_copy(struct user_ref **to, const struct user_ref *from)
{
    for (; from; from = from->next) {
        if (!from->object->refs)
            continue;
        user_refs_hold(to, from->object, from->count);
        from->object->refs += from->count;
    }
}

void user_refs_replace(struct user_ref **refs, const struct user_ref *by, struct user_ref **former)
{
    while (*former)
        former = &(*former)->next;
    *former = *refs;
    *refs = NULL;
    user_refs_copy(refs, by);
}

void user_refs_forget(struct user_ref **refs, const struct user_object *o, unsigned count)
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

/* work_update.c: changes of single nodes of an executable graph: parameters, enabled or not.
 * graph_update.c changes all nodes at once. */
#include "exec.h"

/* ---- one node -------------------------------------------------------------------------------- */

/* A copy stays between the same devices, a memset in memory of the same one. */
static bool same_devices(const struct work *a, const struct work *b)
{
    if (a->kind == OP_COPY)
        return a->copy.from == b->copy.from && a->copy.to == b->copy.to;
    const struct allocation *x = memory_find(a->memset.dst), *y = memory_find(b->memset.dst);
    return !x || !y || x->device == y->device;
}

/* What runs is built for the direction that was given (cudaMemcpyDefault is one, too) and for the
 * shape. Of a single row all else may change; of a copy of several rows nothing, of such a memset
 * its address and value. */
bool work_can_become(const struct work *a, const struct work *b)
{
    if (a->kind != b->kind)
        return false;
    if ((a->kind == OP_COPY || a->kind == OP_MEMSET) && !same_devices(a, b))
        return false;
    if (a->kind == OP_COPY) {
        bool row =
            a->copy.rows == 1 && a->copy.depth == 1 && b->copy.rows == 1 && b->copy.depth == 1;
        return a->copy.kind == b->copy.kind && (row || copy_is_same(&a->copy, &b->copy));
    }
    if (a->kind == OP_MEMSET)
        return (a->memset.rows == 1 && b->memset.rows == 1) ||
               memset_has_same_shape(&a->memset, &b->memset);
    return true;
}

cudaError_t exec_set_work(struct exec_node *x, struct work *w, bool for_device)
{
    const bool elsewhere = w->kind == OP_KERNEL && x->device != thread_self()->device,
               pageable = for_device && w->kind == OP_COPY && w->copy.pageable;
    if (!work_can_become(&x->work, w) || elsewhere || pageable) {
        work_drop(w);
        return cudaErrorInvalidValue;
    }
    if (w->kind == OP_COPY)
        w->copy.in_device = x->work.copy.in_device;
    if (w->kind == OP_KERNEL)
        w->kernel.cooperative = x->work.kernel.cooperative;
    w->waits = x->work.waits;
    work_drop(&x->work);
    x->work = *w;
    x->known = memory_latest();
    return cudaSuccess;
}

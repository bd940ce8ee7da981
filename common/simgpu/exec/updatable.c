/* updatable.c: kernel nodes that device code may change: parameters, grid, enabled or not.
 *
 * A request of a kernel is checked at once, kept, and takes effect when the kernel ends, for all
 * later runs of the node. A launch reads such a node when the node starts, not when the graph is
 * launched. */
#include <stdlib.h>
#include <string.h>

#include "exec.h"

/* One change, put aside. */
struct node_change {
    struct device_node *node;
    enum cudaGraphKernelNodeField field;
    struct simgpu_dim grid;
    bool enabled;
    size_t offset, bytes;
    unsigned char value[]; /* bytes of them */
};

struct node_changes {
    struct node_change **at;
    int n;
    size_t cap;
};

/* Of the grid that runs; its blocks may be on several of the machine's cores. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node_changes running;

void exec_node_updatable(struct exec_node *x, const struct node *n)
{
    x->updatable = n->updatable;
    device_node_get(x->updatable);
}

void exec_node_launched(struct exec_node *x, void *unused)
{
    (void)unused;
    x->host_changed = false;
}

void device_node_bind(struct exec_node *x, void *exec)
{
    struct device_node *d = x->updatable;
    if (!d)
        return;
    if (d->exec && d->exec->uploaded)
        d->uploaded = true;
    d->exec = exec;
    d->source = x->source;
}

/* ---- the device's side ----------------------------------------------------------------------- */

static size_t param_bytes(const struct simgpu_kernel *k)
{
    size_t offset = 0;
    for (int i = 0; i < k->n_params; i++)
        offset = kernel_param_offset(k, i) + k->param_bytes[i];
    return offset;
}

static bool valid(const struct cudaGraphKernelNodeUpdate *u)
{
    const struct device_node *d = device_node_of(u->node);
    if (!d || !(d->exec ? d->exec->uploaded : d->uploaded))
        return false;
    const struct exec_node *x = d->exec ? exec_find_uid(d->exec, d->source) : NULL;
    const dim3 *g = &u->updateData.gridDim;
    size_t offset = u->updateData.param.offset, bytes = u->updateData.param.size;
    switch (u->field) {
    case cudaGraphKernelNodeFieldGridDim:
        return g->x && g->y && g->z && g->x <= INT32_MAX && g->y <= UINT16_MAX &&
               g->z <= UINT16_MAX;
    case cudaGraphKernelNodeFieldParam:
        if (bytes == 0 || !x)
            return true;
        return u->updateData.param.pValue && offset <= param_bytes(x->work.kernel.call->kernel) &&
               bytes <= param_bytes(x->work.kernel.call->kernel) - offset;
    case cudaGraphKernelNodeFieldEnabled:
        return true;
    default:
        return false;
    }
}

/* Reads what the kernel points at, which may be no memory: the lock is not held. */
static struct node_change *change_new(const struct cudaGraphKernelNodeUpdate *u)
{
    bool param = u->field == cudaGraphKernelNodeFieldParam,
         grid = u->field == cudaGraphKernelNodeFieldGridDim;
    struct device_node *d = device_node_of(u->node);
    size_t bytes = param && d->exec ? u->updateData.param.size : 0;
    struct node_change *c = needed(calloc(1, sizeof *c + bytes), "a change of a node");
    *c = (struct node_change){.node = d, .field = u->field, .bytes = bytes};
    if (bytes) {
        c->offset = u->updateData.param.offset;
        memcpy(c->value, u->updateData.param.pValue, bytes);
    } else if (grid) {
        c->grid = (struct simgpu_dim){u->updateData.gridDim.x, u->updateData.gridDim.y,
                                      u->updateData.gridDim.z};
    } else {
        c->enabled = u->updateData.isEnabled != 0;
    }
    return c;
}

static void put_aside(struct node_change *c)
{
    pthread_mutex_lock(&lock);
    running.at = room_for_one(running.at, (size_t)running.n, &running.cap,
                              sizeof(struct node_change *), "changes of nodes");
    c->node->refs++;
    running.at[running.n++] = c;
    pthread_mutex_unlock(&lock);
}

EXPORT int simgpu_update_nodes(const void *updates, size_t count)
{
    const struct cudaGraphKernelNodeUpdate *u = updates;
    if (!u && count)
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++) {
        if (!valid(&u[i]))
            return cudaErrorInvalidValue;
        put_aside(change_new(&u[i]));
    }
    return cudaSuccess;
}

void node_changes_give(struct node_changes *c)
{
    if (c)
        running = *c;
    free(c);
}

struct node_changes *node_changes_take(void)
{
    if (!running.n)
        return NULL;
    struct node_changes *taken = needed(malloc(sizeof *taken), "changes of nodes");
    *taken = running;
    running = (struct node_changes){.n = 0};
    return taken;
}

static void apply(const struct node_change *c)
{
    struct exec_node *x = c->node->exec ? exec_find_uid(c->node->exec, c->node->source) : NULL;
    if (!x || x->host_changed)
        return;
    if (c->field == cudaGraphKernelNodeFieldEnabled)
        x->disabled = !c->enabled;
    else if (c->field == cudaGraphKernelNodeFieldGridDim)
        kernel_change(&x->work, &c->grid, 0, NULL, 0);
    else
        kernel_change(&x->work, NULL, c->offset, c->value, c->bytes);
    x->changed = true;
}

void node_changes_drop(struct node_changes *s)
{
    for (int i = 0; s && i < s->n; i++) {
        device_node_put(s->at[i]->node);
        free(s->at[i]);
    }
    if (s)
        free(s->at);
    free(s);
}

void node_changes_land(struct node_changes *s)
{
    for (int i = 0; s && i < s->n; i++)
        apply(s->at[i]);
    node_changes_drop(s);
}

/* ---- when its turn has come ------------------------------------------------------------------ */

void updatable_refresh(struct op *op)
{
    struct exec_node *x = exec_find_uid(op->exec, op->updatable);
    if (!x)
        return;
    struct work w = {.kind = OP_MARKER, .name = x->work.name};
    if (!x->disabled)
        work_copy(&w, &x->work);
    bool told =
        op->work.kind == OP_KERNEL && w.kind == OP_KERNEL && op->work.kernel.call == w.kernel.call;
    if (told)
        w.kernel.bad_address = op->work.kernel.bad_address;
    work_drop(&op->work);
    op->work = w;
    if (!x->disabled && (x->changed || !told))
        access_verify(op);
}

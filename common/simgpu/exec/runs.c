/* runs.c: runs of kernels, which the device launches as one, and the cost of nodes for the host
 * that launches them. */
#include "exec.h"

/* In the body of a conditional node a kernel moves what is copied from or to the host, as seen on
 * an H200. */
bool exec_node_copied_by_kernel(const struct exec_node *x)
{
    const struct work *w = &x->work;
    return x->in_body && w->kind == OP_COPY &&
           (w->copy.path == PATH_H2D || w->copy.path == PATH_D2H);
}

bool exec_node_is_kernel(const struct exec_node *x)
{
    const struct work *w = &x->work;
    return w->kind == OP_KERNEL || (w->kind == OP_COPY && w->copy.path == PATH_D2D) ||
           exec_node_copied_by_kernel(x) || (w->kind == OP_MEMSET && !memset_is_small(w->bytes));
}

/* Kernels that follow nothing but kernels of their device are launched with them; nodes that do
 * nothing do not part them. */
static void find_runs(struct flat *f)
{
    for (int i = 0; i < f->n; i++) {
        struct exec_node *x = &f->nodes[i];
        for (int b = 0; x->work.kind == OP_CONDITION && b < x->work.condition.choice->n; b++)
            find_runs(&x->work.condition.choice->bodies[b]);
        bool kernel = exec_node_is_kernel(x), follows = x->n_in > 0;
        for (int k = 0; k < x->n_in && follows; k++) {
            const struct exec_node *before = &f->nodes[f->in[x->first_in + k].from];
            follows = before->in_run && before->device == x->device;
        }
        x->in_run = kernel || (follows && x->work.kind == OP_MARKER);
        x->first_of_run = kernel && !follows;
        x->run = follows ? f->nodes[f->in[x->first_in].from].run : i;
        x->run_kernels = 0;
        if (kernel)
            f->nodes[x->run].run_kernels++;
    }
}

/* Host time of bringing a run, or a conditional node with its bodies, to the device, which its
 * first launch does. */
double upload_cost_us(const struct exec_node *x)
{
    double us = x->first_of_run ? cost_upload_run_us(x->run_kernels) : 0;
    if (x->work.kind != OP_CONDITION)
        return us;
    const struct choice *c = x->work.condition.choice;
    for (int b = 0; b < c->n; b++)
        for (int i = 0; i < c->bodies[b].n; i++)
            us += upload_cost_us(&c->bodies[b].nodes[i]);
    return us + cost_upload_condition_us();
}

/* Host time that the node takes of the launching call. */
double launch_cost_us(const struct exec_node *x)
{
    return cost_launch_kind_us(x->work.kind, exec_node_is_kernel(x), x->first_of_run) +
           (x->crosses ? cost_launch_crossing_us() : 0);
}

/* Can the node become an operation after the launch? All that a launch changes or reads at once,
 * besides accesses, is what operations do. */
static bool can_fold(const struct flat *f, const struct exec_node *x)
{
    const struct work *w = &x->work;
    for (int k = 0; k < x->n_in; k++)
        if (f->in[x->first_in + k].order != AFTER_END)
            return false;
    switch (w->kind) {
    case OP_KERNEL:
        return !x->updatable;
    case OP_COPY:
        return !w->copy.staged_by_host;
    case OP_MEMSET:
    case OP_HOST_FUNC:
        return true;
    default:
        return w->kind == OP_MARKER && !x->memory;
    }
}

static bool accesses_memory(const struct work *w)
{
    if (w->kind == OP_KERNEL)
        return !w->kernel.call->is_known || w->kernel.call->n_ranges > 0;
    return w->kind == OP_COPY || w->kind == OP_MEMSET;
}

void exec_plan(struct exec *x)
{
    const struct flat *f = &x->flat;
    if (x->is_planned)
        return;
    find_runs(&x->flat);
    x->is_planned = x->folds = true;
    for (int i = 0; i < f->n; i++) {
        struct exec_node *n = &f->nodes[i];
        double us = launch_cost_us(n);
        n->launch_ns = us_to_ns(us + cost_launch_node_us());
        n->goes_along = us <= 0;
        n->accesses = accesses_memory(&n->work);
        x->folds = x->folds && can_fold(f, n);
    }
}

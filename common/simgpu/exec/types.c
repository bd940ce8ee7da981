/* types.c: the actions of the operations of a launch at their steps, and the calls of device code
 * while its kernel runs. */
#include "device_launch.h"

static const struct op_type nodes_done_type = {.done = environment_nodes_done};

/* A kernel that goes on keeps what it asked for before. */
static void grid_begins(struct op *op)
{
    struct kernel_job *k = &op->work.kernel;
    if (k->waiting) {
        condition_sets_give(k->sets);
        node_changes_give(k->changes);
        k->sets = NULL;
        k->changes = NULL;
    }
    kernel_calls_begin(op);
}

static bool grid_ends(struct op *op)
{
    struct kernel_job *k = &op->work.kernel;
    k->sets = condition_sets_take();
    k->changes = node_changes_take();
    return kernel_calls_end(op);
}

static void writes_land(struct op *op)
{
    struct kernel_job *k = &op->work.kernel;
    if (k->sets)
        condition_sets_land(k->sets, op->exec);
    if (k->changes)
        node_changes_land(k->changes);
    k->sets = NULL;
    k->changes = NULL;
}

static void kernel_drops(struct kernel_job *k)
{
    if (k->sets)
        condition_sets_free(k->sets);
    if (k->changes)
        node_changes_drop(k->changes);
}

static void grid_recorded(struct op *op)
{
    if (op->environment && sim.checks)
        late_writes_meet(op->environment, op);
}

static const struct device_runtime runtime = {.begin = grid_begins,
                                              .recorded = grid_recorded,
                                              .end = grid_ends,
                                              .land = writes_land,
                                              .drop = kernel_drops};

void exec_types_set(void)
{
    op_type_set(OP_GRAPH_BEGIN, &graph_begin_type);
    op_type_set(OP_GRAPH_END, &graph_end_type);
    op_type_set(OP_NODES_DONE, &nodes_done_type);
    op_type_set(OP_CONDITION, &condition_type);
    op_type_set(OP_BODY_END, &body_end_type);
    device_runtime_set(&runtime);
}

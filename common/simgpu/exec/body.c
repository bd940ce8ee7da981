/* body.c: conditional nodes at run time. When such a node starts, it reads its value and runs the
 * body that the value selects. A WHILE node then reads the value again. The device does this alone:
 * the host does not wait for it. */
#include <stdio.h>

#include "exec.h"

/* Rounds of one launch after which a loop whose value no kernel has set is spoken of. */
enum { MANY_ROUNDS = 2000000 };

/* The body to run now, or NULL. */
static struct flat *chosen(const struct op *op)
{
    struct choice *c = op->work.condition.choice;
    const struct condition_value *v = condition_value(op->exec, c->handle);
    unsigned value = v->now, which = value;
    if (context_error() != cudaSuccess)
        return NULL;
    if (!v->was_set && !v->has_default && sim.checks && sim.compute)
        find_undefined(op, &(struct simgpu_finding){.what = SIMGPU_WHAT_CONDITION_UNDEFINED,
                                                    .next = SIMGPU_NEXT_ASSIGN_DEFAULT});
    if (c->type != cudaGraphCondTypeSwitch)
        which = value ? 0 : 1;
    if (which >= (unsigned)c->n || (c->bodies[which].n == 0 && c->type != cudaGraphCondTypeWhile))
        return NULL;
    return &c->bodies[which];
}

/* From the end of all that the node does to what comes after it. */
static ns_t end_ns(const struct op *op)
{
    return cost_condition_end(op->work.condition.inner);
}

static void leave(void *arg, ns_t now)
{
    struct op *op = arg;
    op->came_from[ENGINE_SM] = now;
    op->came = 1u << ENGINE_SM;
    op_done(op, now);
}

static void enter(void *arg, ns_t now)
{
    struct op *op = arg;
    struct work end = {.kind = OP_BODY_END, .name = "body", .body_of = op};
    flat_run(op->exec, op->work.condition.running, op_new(&end, op->stream), now);
}

static void condition_reached(struct op *op, ns_t now)
{
    op->came = 0;
    op->work.condition.running = chosen(op);
    if (op->work.condition.running)
        agenda_add(now + cost_condition_begin(), enter, op);
    else
        agenda_add(now + cost_condition_skip() + end_ns(op), leave, op);
}

/* A loop that may be endless is spoken of, once: a GPU would go on and say nothing. */
static void tell_of_many(const struct op *op)
{
    const struct condition_job *j = &op->work.condition;
    if (j->rounds == MANY_ROUNDS && !condition_value(op->exec, j->choice->handle)->was_set)
        fprintf(
            stderr,
            "simgpu: a WHILE node (node %d of a graph launched in stream %d) has run its body %d "
            "times, and no kernel has set its value yet. The loop continues until a kernel in its "
            "body calls cudaGraphSetConditional(handle, 0) with the handle of this node.\n",
            op->node, op->stream->id, MANY_ROUNDS);
}

enum code { NO_KERNELS, NO_CODE, HAS_CODE };

/* Can the CPU run any of the body's kernels? Only a kernel sets a condition. */
static enum code code_in(const struct flat *body)
{
    enum code found = NO_KERNELS;
    for (int i = 0; i < body->n && found != HAS_CODE; i++) {
        const struct work *w = &body->nodes[i].work;
        if (w->kind == OP_KERNEL)
            found =
                w->kernel.call->kernel->call || w->kernel.call->kernel->run ? HAS_CODE : NO_CODE;
        for (int b = 0; w->kind == OP_CONDITION && b < w->condition.choice->n; b++) {
            enum code inner = code_in(&w->condition.choice->bodies[b]);
            found = inner > found ? inner : found;
        }
    }
    return found;
}

/* A loop over kernels that nvcc alone has compiled would never end. */
static bool runs_nothing(const struct op *op)
{
    if (code_in(op->work.condition.running) != NO_CODE)
        return false;
    fprintf(stderr,
            "simgpu: a WHILE node (node %d of a graph launched in stream %d) would never end: no "
            "kernel in its body has code that the CPU can run. Compile the program with simcc.\n",
            op->node, op->stream->id);
    context_fail(cudaErrorNotSupported);
    return true;
}

static void body_ended(struct op *end, ns_t now)
{
    struct op *op = end->work.body_of;
    struct condition_job *j = &op->work.condition;
    j->rounds++;
    bool again =
        j->choice->type == cudaGraphCondTypeWhile && sim.compute && chosen(op) && !runs_nothing(op);
    if (!again) {
        agenda_add(now + end_ns(op), leave, op);
        return;
    }
    tell_of_many(op);
    agenda_add(now + cost_while(), enter, op);
}

static void condition_hold(struct work *w)
{
    w->condition.choice->refs++;
}

static void condition_drop(struct work *w)
{
    choice_put(w->condition.choice);
}

const struct op_type condition_type = {
    .ready = condition_reached, .hold = condition_hold, .drop = condition_drop};
const struct op_type body_end_type = {.done = body_ended};

/*
 * work.c: what an operation does, apart from when: shared by operations in streams and nodes in
 * graphs.
 */
#include <stdlib.h>

#include "sim.h"

void kernel_call_put(struct kernel_call *k)
{
    if (!k || --k->refs > 0)
        return;
    free(k->params);
    free(k->touches);
    free(k);
}

void work_drop(struct work *w)
{
    switch (w->kind) {
    case OP_KERNEL:
        kernel_call_put(w->kernel.call);
        free(w->kernel.landing);
        free(w->kernel.shown);
        condition_sets_free(w->kernel.sets);
        node_changes_drop(w->kernel.changes);
        break;
    case OP_COPY:
        free(w->copy.staged);
        break;
    case OP_EVENT_RECORD:
    case OP_EVENT_WAIT:
        if (w->event)
            event_put(w->event);
        break;
    case OP_CONDITION:
        choice_put(w->condition.choice);
        break;
    case OP_GRAPH_BEGIN:
        condition_defaults_put(w->defaults);
        break;
    default:
        break;
    }
    w->kind = OP_MARKER;
}

void work_copy(struct work *to, const struct work *from)
{
    *to = *from;
    if (to->kind == OP_KERNEL)
        to->kernel.call->refs++;
    else if ((to->kind == OP_EVENT_RECORD || to->kind == OP_EVENT_WAIT) && to->event)
        to->event->refs++;
    else if (to->kind == OP_CONDITION)
        choice_get(to->condition.choice);
}

/* waiting_kernel.c: kernels that wait in a loop for what others write: the order that this makes,
 * and a message if nobody is left that could. */
#include <inttypes.h>
#include <stdio.h>

#include "kernel/record.h"
#include "stream.h"

void op_learns(struct op *op, const struct epoch *epoch)
{
    while (op && !epoch_before(epoch, &op->epoch)) {
        struct stream *s = op->stream;
        struct op *last = NULL;
        epoch_learn(&op->epoch, epoch);
        if (s && s->tail == op) {
            epoch_learn(&s->epoch, epoch);
            epoch_learn(&s->work, epoch);
        }
        for (int i = 0; i < op->n_succ; i++) {
            if (last)
                op_learns(last, epoch);
            last = op->succ[i].op;
        }
        op = last;
    }
}

void kernel_learns(struct op *op, const struct recording *r)
{
    for (int i = 0; i < r->n_looked && r->n_looked <= LOOKED_WORDS; i++) {
        const struct allocation *a = memory_find((const void *)r->looked[i].at);
        const struct epoch *writer = a ? history_writer(a->history, r->looked[i].at) : NULL;
        if (writer && epoch_has_ended(writer))
            op_learns(op, writer);
    }
}

/* What it reads, in words: "0 at byte 4 of allocation 2 (…)". */
static void describe_word(const struct polled_word *p, char *text, size_t room)
{
    const struct allocation *a = memory_find(p->at);
    const uint64_t at = (uint64_t)(uintptr_t)p->at;
    if (!a)
        snprintf(text, room, "%" PRIu64 " at address %p", p->value, p->at);
    else
        snprintf(text, room,
                 "%" PRIu64 " at byte %" PRIu64 " of %s memory (allocation %" PRIu64 ")", p->value,
                 at - a->lo, a->call, a->serial);
}

/* Operations that could write, but start only when op has ended. */
static void say_followers(const struct op *op)
{
    for (int i = 0; i < op->n_succ; i++) {
        const struct op *next = op->succ[i].op;
        if (next && op_is_work(next)) {
            fprintf(stderr, " %s (stream %d, operation %" PRIu32 ") starts only after this kernel.",
                    next->work.name, next->stream_id, next->index);
            return;
        }
    }
}

void kernel_waits_in_vain(struct op *op, double seconds)
{
    struct waiting *w = op->work.kernel.waiting;
    char word[160], line[1][CALLER_LINE];
    if (w->is_explained || !patience_seconds() || seconds < patience_seconds())
        return;
    w->is_explained = true;
    describe_word(&w->grid->words[0], word, sizeof word);
    caller_lines(&op->work.caller.at, 1, line);
    fprintf(stderr,
            "simgpu: kernel %s (stream %d, operation %" PRIu32 "%s%s) waits in a loop for a value "
            "that never comes: it reads %s, and no operation that can still run writes there.",
            op->work.name, op->stream_id, op->index, line[0][0] ? ", launched at " : "", line[0],
            word);
    say_followers(op);
    fprintf(stderr, " Ctrl-C ends the program. SIMGPU_PATIENCE=0 switches this message off.\n");
}

/*
 * earlier.c: memory as it was when a kernel started early. Such a kernel runs on the CPU when it
 * need not wait any more. So the part of a block that comes before its wait is shown what other
 * kernels have written since, as it was before.
 */
#include <stdlib.h>

#include "stream.h"

/* What more kernels, or a kernel with more bytes, have written is there when it goes on. With more
 * bytes in all blocks together, only some of the blocks are shown what was there before. */
enum { MOST_KERNELS = 8, MOST_BYTES = 1 << 26 };

struct written {
    struct kernel_call *call;
    unsigned char *other; /* than what is in memory: what was there before, or was written */
};

struct earlier {
    const struct op *of;
    struct earlier *next;
    struct written all[MOST_KERNELS]; /* in their order */
    int n;
    uint64_t n_blocks, n_begun, bytes;
    bool is_shown;
};

static struct earlier *held; /* of kernels that wait */

static unsigned char *room_for(size_t bytes)
{
    unsigned char *room =
        needed(malloc(bytes), "%zu bytes that a kernel writes beside another one", bytes);
    return room;
}

void earlier_begin(const struct op *op)
{
    const struct simgpu_dim *grid = &op->work.kernel.call->launch.grid;
    struct earlier *e = calloc(1, sizeof *e);
    earlier_end(op); /* of one at the same place that was dropped */
    if (!e)
        fatal("out of memory for a kernel that starts early");
    *e =
        (struct earlier){.of = op, .next = held, .n_blocks = (uint64_t)grid->x * grid->y * grid->z};
    held = e;
}

/* The link to the one of the kernel, or to NULL. */
static struct earlier **find(const struct op *op)
{
    struct earlier **at = &held;
    while (*at && (*at)->of != op)
        at = &(*at)->next;
    return at;
}

struct earlier *earlier_of(const struct op *op)
{
    return *find(op);
}

void earlier_end(const struct op *op)
{
    struct earlier **at = find(op), *e = *at;
    if (!e)
        return;
    *at = e->next;
    while (e->n > 0) {
        kernel_call_put(e->all[--e->n].call);
        free(e->all[e->n].other);
    }
    free(e);
}

void earlier_keep(struct kernel_call *lands)
{
    const size_t bytes = kernel_written_bytes(lands);
    for (struct earlier *e = held; e && bytes > 0; e = e->next) {
        if (e->n == MOST_KERNELS || bytes > MOST_BYTES - e->bytes)
            continue;
        e->bytes += bytes;
        struct written *w = &e->all[e->n++];
        *w = (struct written){lands, room_for(bytes)};
        lands->refs++;
        kernel_move_written(lands, w->other, false);
    }
}

static void exchange(struct written *w)
{
    unsigned char *now = room_for(kernel_written_bytes(w->call));
    kernel_move_written(w->call, now, false);
    kernel_move_written(w->call, w->other, true);
    free(w->other);
    w->other = now;
}

/* Is the next block one of those that are shown it? */
static bool is_drawn(struct earlier *e)
{
    const uint64_t one_in = e->bytes * e->n_blocks / MOST_BYTES + 1,
                   number = (uint64_t)sim.now + e->n_begun++;
    return (number * UINT64_C(0x9e3779b97f4a7c15) >> 32) % one_in == 0;
}

void earlier_show(struct earlier *e, bool shown)
{
    shown = shown && is_drawn(e);
    for (int i = 0; i < e->n && shown != e->is_shown; i++)
        exchange(&e->all[shown ? e->n - 1 - i : i]);
    e->is_shown = shown;
}

/* backing.c: the physical memory of graph allocations. Addresses are fixed when nodes are created.
 * A launch maps memory to them, in large pieces, and graphs that run sequentially share a piece. A
 * piece stays with the device until it is trimmed. */
#include <stdlib.h>

#include "graph.h"

enum { PIECE_BYTES = 32 << 20 }; /* as seen on an H200 */

struct backing {
    int device;
    uint64_t bytes;
    int n_holders;               /* memory in it that launches have left allocated */
    const struct stream *stream; /* of the latest launch that used it; compared only */
    struct op *last;             /* counted; the end of that launch */
    struct backing *next;
};

static struct backing *backings;
static uint64_t reserved[MAX_DEVICES], high[MAX_DEVICES][2]; /* of used, of reserved */

uint64_t graph_backing_bytes(int device)
{
    return reserved[device];
}

uint64_t *graph_backing_high(int device)
{
    return high[device];
}

static bool is_idle(const struct backing *b)
{
    return !b->n_holders && (!b->last || b->last->state == OP_DONE);
}

static bool can_take(const struct backing *b, int device, const struct stream *s, uint64_t bytes)
{
    return b->device == device && b->bytes >= bytes && !b->n_holders &&
           (b->stream == s || is_idle(b));
}

struct backing *graph_backing_take(int device, uint64_t bytes, const struct stream *s)
{
    if (!bytes)
        return NULL;
    bytes = (bytes + PIECE_BYTES - 1) / PIECE_BYTES * PIECE_BYTES;
    for (struct backing *b = backings; b; b = b->next)
        if (can_take(b, device, s, bytes))
            return b;
    struct backing *b = needed(calloc(1, sizeof *b), "the memory of a graph");
    *b = (struct backing){.device = device, .bytes = bytes, .next = backings};
    backings = b;
    reserved[b->device] += bytes;
    memory_use((int64_t)bytes);
    for (int i = 0; i < 2; i++)
        if (reserved[b->device] > high[b->device][i])
            high[b->device][i] = reserved[b->device];
    return b;
}

void graph_backing_used(struct backing *b, const struct stream *s, struct op *end)
{
    if (!b)
        return;
    if (b->last)
        op_put(b->last);
    b->last = end;
    op_get(end);
    b->stream = s;
}

void graph_backing_hold(struct backing *b, int n)
{
    if (b)
        b->n_holders += n;
}

void graph_backing_trim(int device)
{
    for (struct backing **at = &backings; *at;) {
        struct backing *b = *at;
        if (b->device != device || !is_idle(b)) {
            at = &b->next;
            continue;
        }
        *at = b->next;
        reserved[device] -= b->bytes;
        memory_use(-(int64_t)b->bytes);
        if (b->last)
            op_put(b->last);
        free(b);
    }
}

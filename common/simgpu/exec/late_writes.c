/* late_writes.c: the writes of a kernel after it has launched a graph fire-and-forget. The graph
 * may run already: it sees the writes before the launch, and races with the later ones.
 *
 * A footprint does not say when a kernel writes. But memory at the launch and memory at the end of
 * the kernel differ in exactly the bytes that changed in between. */
#include <stdlib.h>

#include "device_launch.h"

enum { MOST_LATE = 8 };

struct late_writes {
    int refs;
    struct simgpu_site who; /* the kernel */
    int n;
    struct {
        uint64_t lo, hi;
    } at[MOST_LATE];
};

/* ---- finding them ---------------------------------------------------------------------------- */

/* The bytes of one row that differ, as one range. */
static void add_row(struct late_writes *l, const unsigned char *now, const unsigned char *then,
                    size_t bytes)
{
    size_t lo = 0, hi = bytes;
    while (lo < hi && now[lo] == then[lo])
        lo++;
    while (hi > lo && now[hi - 1] == then[hi - 1])
        hi--;
    if (lo == hi || l->n == MOST_LATE)
        return;
    l->at[l->n].lo = (uint64_t)(uintptr_t)now + lo;
    l->at[l->n++].hi = (uint64_t)(uintptr_t)now + hi;
}

struct late_writes *late_writes_of(const struct op *op)
{
    const struct kernel_call *w = op->work.kernel.call;
    const unsigned char *then = op->work.kernel.shown;
    struct late_writes *l = needed(calloc(1, sizeof *l), "what kernel %s writes", op->work.name);
    l->refs = 1;
    site_of(op, &l->who);
    for (int i = 0; then && i < w->n_ranges; i++) {
        const struct simgpu_range *r = &w->ranges[i];
        for (size_t row = 0; range_is_set_aside(r) && row < r->rows; row++, then += r->width_bytes)
            add_row(l, (const unsigned char *)r->base + row * r->pitch_bytes, then, r->width_bytes);
    }
    return l;
}

struct late_writes *late_writes_get(struct late_writes *l)
{
    if (l)
        l->refs++;
    return l;
}

void late_writes_put(struct late_writes *l)
{
    if (l && --l->refs == 0)
        free(l);
}

/* ---- meeting them ---------------------------------------------------------------------------- */

static void report(const struct late_writes *l, const struct op *op, uint64_t lo, uint64_t hi,
                   enum simgpu_access access)
{
    struct simgpu_finding f = {.kind = SIMGPU_RACE,
                               .what = SIMGPU_WHAT_WRITES_AFTER_LAUNCH,
                               .next = SIMGPU_NEXT_WRITE_BEFORE_LAUNCH,
                               .first = l->who,
                               .address = lo,
                               .bytes = hi - lo,
                               .run_bytes = hi - lo,
                               .is_read = access == SIMGPU_READ,
                               .count = 1};
    site_of(op, &f.second);
    if (finding_again(&f))
        return;
    f.memory = memory_of(memory_find((const void *)(uintptr_t)lo));
    finding_add(&f);
}

static void meet(const struct environment *e, const struct op *op, const void *base, size_t bytes,
                 enum simgpu_access access)
{
    uint64_t lo = (uint64_t)(uintptr_t)base, hi = lo + bytes;
    for (; e; e = e->place ? e->place->around : NULL)
        for (int i = 0; e->late && i < e->late->n; i++) {
            uint64_t from = lo > e->late->at[i].lo ? lo : e->late->at[i].lo;
            uint64_t to = hi < e->late->at[i].hi ? hi : e->late->at[i].hi;
            if (from < to)
                report(e->late, op, from, to, access);
        }
}

void late_writes_meet(const struct environment *e, const struct op *op)
{
    const struct copy_job *c = &op->work.copy;
    const struct memset_job *m = &op->work.memset;
    const struct kernel_call *w = op->work.kind == OP_KERNEL ? op->work.kernel.call : NULL;
    for (int i = 0; w && i < w->n_ranges; i++)
        for (size_t row = 0; row < w->ranges[i].rows; row++)
            meet(e, op, (const char *)w->ranges[i].base + row * w->ranges[i].pitch_bytes,
                 w->ranges[i].width_bytes, w->ranges[i].access);
    if (op->work.kind == OP_COPY && c->depth == 1)
        for (size_t row = 0; row < c->rows; row++) {
            meet(e, op, c->src + row * c->src_pitch, c->width, SIMGPU_READ);
            meet(e, op, c->dst + row * c->dst_pitch, c->width, SIMGPU_WRITE);
        }
    for (size_t row = 0; op->work.kind == OP_MEMSET && row < m->rows; row++)
        meet(e, op, m->dst + row * m->pitch, m->width * (size_t)m->element_bytes, SIMGPU_WRITE);
}

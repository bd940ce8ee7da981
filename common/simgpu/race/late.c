/* late.c: operations whose accesses are declared late: after those of operations that come after
 * them. Histories keep what such an access may race with.
 *
 * Suppose that access `t` is superseded by access `by` of the same bytes. A later operation that is
 * ordered after `by` is ordered after t, too, and one that is not races with `by`. So t can be
 * forgotten, unless an operation comes before `by`, is not ordered after t, and declares its
 * accesses only now. The operations of one clock id follow each other: if one of them is such an
 * operation, the oldest one is. So one of each clock id is asked. */
#include <stdlib.h>

#include "segment.h"

struct late {
    struct late *older, *newer;  /* of all */
    struct late *before, *after; /* of its clock id */
    struct epoch from;
    uint32_t number;
    bool writes;
};

/* Those of one clock id, in their order. */
struct lane {
    struct late *first, *last;
    uint32_t place; /* in late.lanes, if there is any */
};

static struct {
    struct late *oldest, *newest;
    uint32_t n_made;
    uint32_t n_writing;
    struct lane *by_clock;
    uint32_t n_clocks;
    uint32_t *lanes; /* the clock ids that have any; room for n_clocks */
    uint32_t n_lanes;
} late;

static struct cells late_cells = {.bytes = sizeof(struct late)};

/* ---- the operations of one clock id ---------------------------------------------------------- */

static void lanes_grow(uint32_t clock_id)
{
    uint32_t n = late.n_clocks ? late.n_clocks : 64;
    while (n <= clock_id)
        n *= 2;
    late.by_clock = checks_need(realloc(late.by_clock, n * sizeof *late.by_clock));
    late.lanes = checks_need(realloc(late.lanes, n * sizeof *late.lanes));
    for (uint32_t i = late.n_clocks; i < n; i++)
        late.by_clock[i] = (struct lane){.first = NULL};
    late.n_clocks = n;
}

static void lane_add(struct late *l)
{
    const uint32_t clock_id = l->from.clock_id;
    if (clock_id >= late.n_clocks)
        lanes_grow(clock_id);
    struct lane *lane = &late.by_clock[clock_id];
    if (!lane->first) {
        lane->place = late.n_lanes;
        late.lanes[late.n_lanes++] = clock_id;
    }
    l->before = lane->last;
    while (l->before && l->before->from.seq > l->from.seq)
        l->before = l->before->before;
    l->after = l->before ? l->before->after : lane->first;
    *(l->before ? &l->before->after : &lane->first) = l;
    *(l->after ? &l->after->before : &lane->last) = l;
}

static void lane_remove(struct late *l)
{
    struct lane *lane = &late.by_clock[l->from.clock_id];
    *(l->before ? &l->before->after : &lane->first) = l->after;
    *(l->after ? &l->after->before : &lane->last) = l->before;
    if (lane->first)
        return;
    const uint32_t moved = late.lanes[--late.n_lanes];
    late.lanes[lane->place] = moved;
    late.by_clock[moved].place = lane->place;
}

/* ---- all of them ----------------------------------------------------------------------------- */

struct late *late_begin(const struct epoch *from, bool writes)
{
    struct late *l = cell_get(&late_cells);
    *l = (struct late){
        .from = epoch_copy(from), .number = ++late.n_made, .writes = writes, .older = late.newest};
    *(l->older ? &l->older->newer : &late.oldest) = l;
    late.newest = l;
    late.n_writing += writes;
    lane_add(l);
    return l;
}

void late_end(struct late **place)
{
    struct late *l = *place;
    *place = NULL;
    if (!l)
        return;
    *(l->older ? &l->older->newer : &late.oldest) = l->newer;
    *(l->newer ? &l->newer->older : &late.newest) = l->older;
    late.n_writing -= l->writes;
    lane_remove(l);
    epoch_drop(&l->from);
    cell_put(&late_cells, l);
}

bool late_any(void)
{
    return late.oldest != NULL;
}

bool late_writes(void)
{
    return late.n_writing > 0;
}

bool late_may_miss(const struct epoch *t, const struct epoch *by)
{
    if (epoch_is(t, by))
        return false;
    for (uint32_t i = 0; i < late.n_lanes; i++) {
        const struct epoch *from = &late.by_clock[late.lanes[i]].first->from;
        if (!epoch_before(t, from) && epoch_before(from, by))
            return true;
    }
    return false;
}

uint32_t late_latest(void)
{
    return late.n_made;
}

bool late_is_over(uint32_t number)
{
    return !late.oldest || late.oldest->number > number;
}

/* hazard.c: the finding about a missing order, and the advice that adds the order. */
#include "hazard.h"

static bool same_graph_launch(const struct simgpu_site *a, const struct simgpu_site *b)
{
    return a->node >= 0 && b->node >= 0 && a->stream == b->stream && a->index == b->index &&
           a->graph == b->graph;
}

static enum simgpu_next next_of(const struct hazard *z)
{
    const struct simgpu_site *first = &z->first, *second = &z->second;
    if (z->what == SIMGPU_WHAT_READS_UNWRITTEN)
        return SIMGPU_NEXT_WRITE_FIRST;
    if (z->what == SIMGPU_WHAT_READS_BEYOND)
        return SIMGPU_NEXT_WRITE_ALL;
    if ((first->is_early || second->is_early) && z->what != SIMGPU_WHAT_FREES_EARLY)
        return SIMGPU_NEXT_SYNCHRONIZE_GRID;
    if (same_graph_launch(first, second))
        return SIMGPU_NEXT_ADD_EDGE;
    if (first->stream == second->stream && (first->graph || second->graph))
        return SIMGPU_NEXT_LAUNCH_AS_TAIL;
    if (first->stream < 0)
        return SIMGPU_NEXT_CALL_LATER;
    if (second->stream < 0)
        return !z->by_host       ? SIMGPU_NEXT_WAIT_ON_HOST
               : first->pageable ? SIMGPU_NEXT_ACCESS_PAGEABLE_LATER
                                 : SIMGPU_NEXT_ACCESS_LATER;
    if (first->stream == 0 && first->pageable == 1)
        return SIMGPU_NEXT_COPY_IN_STREAM;
    if (first->stream == 0 || second->stream == 0)
        return SIMGPU_NEXT_USE_THAT_STREAM;
    return SIMGPU_NEXT_RECORD_AND_WAIT;
}

static enum simgpu_finding_kind kind_of(const struct hazard *z)
{
    if (z->what == SIMGPU_WHAT_READS_UNWRITTEN || z->what == SIMGPU_WHAT_READS_BEYOND)
        return SIMGPU_UNINITIALIZED_READ;
    if (z->what != SIMGPU_WHAT_FREES_EARLY)
        return z->by_host ? SIMGPU_HOST_ACCESS : SIMGPU_RACE;
    return z->second.stream < 0 ? SIMGPU_HOST_RACE : SIMGPU_USE_AFTER_FREE;
}

static enum simgpu_what what_of(const struct hazard *z)
{
    if (!z->by_host)
        return z->what;
    return z->what == SIMGPU_WHAT_READS_EARLY        ? SIMGPU_WHAT_HOST_READS
           : z->what == SIMGPU_WHAT_OVERWRITES_EARLY ? SIMGPU_WHAT_HOST_OVERWRITES
                                                     : SIMGPU_WHAT_HOST_WRITES_TOO;
}

/* Of the waits directly before the second operation: the latest for the stream of the first one; if
 * there is none, the latest. Waits in a capture order the nodes of that capture alone. */
static void find_wait(struct simgpu_finding *f)
{
    const struct wait_list *first = waits_of(f->first.waits), *l = waits_of(f->second.waits);
    const bool captured =
        same_graph_launch(&f->first, &f->second) && l->capture && l->capture == first->capture;
    const int from = captured ? first->stream : f->first.stream,
              to = captured ? l->stream : f->second.stream;
    if ((f->second.node >= 0 && !captured) || from < 0 || to < 0 || from == to || l->n == 0)
        return;
    int i = 0;
    while (i < l->n && l->at[i].stream != from)
        i++;
    f->is_wait_for_first = i < l->n;
    f->wait = l->at[f->is_wait_for_first ? i : 0];
    f->is_wait_for_itself = f->wait.stream == to;
}

void hazard_report(const struct hazard *z, const struct simgpu_memory *m)
{
    struct simgpu_finding f = {.kind = kind_of(z),
                               .what = what_of(z),
                               .next = next_of(z),
                               .first = z->first,
                               .second = z->second,
                               .address = z->lo,
                               .bytes = z->bytes,
                               .run_bytes = z->hi - z->lo,
                               .count = 1};
    if (finding_again(&f))
        return;
    f.memory = *m;
    if (f.kind != SIMGPU_UNINITIALIZED_READ)
        find_wait(&f);
    finding_add(&f);
}

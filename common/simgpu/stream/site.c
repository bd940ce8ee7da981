/* site.c: an operation as a finding names it. */
#include <string.h>

#include "stream.h"

void site_of(const struct op *op, struct simgpu_site *site)
{
    size_t n = strnlen(op->work.name, sizeof site->name - 1);
    memcpy(site->name, op->work.name, n);
    site->name[n] = 0;
    site->stream = op->stream_id;
    site->node = op->node;
    site->index = op->index;
    site->graph = op->graph;
    site->is_early = 0;
    site->pageable = 0;
    if (op->work.kind == OP_COPY && op->work.copy.pageable && !op->in_graph)
        site->pageable = op->work.copy.path == PATH_H2D ? 1 : 2;
    site->waits = op->work.waits;
    site->caller = op->work.caller;
}

void find_undefined(const struct op *op, enum simgpu_what what, enum simgpu_next next, uint64_t n)
{
    struct simgpu_finding f = {
        .kind = SIMGPU_UNDEFINED, .what = what, .next = next, .n = n, .device = op->device->id};
    site_of(op, &f.first);
    f.second = f.first;
    finding_add(&f);
}

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
    site->nth = op->nth;
    site->line[0] = 0;
    site->graph = op->graph;
    site->is_early = 0;
    site->of_setup = op->index >= op->stream->setup_from && op->index < op->stream->setup_to;
    site->pageable = 0;
    if (op->work.kind == OP_COPY && op->work.copy.pageable && !op->in_graph)
        site->pageable = op->work.copy.path == PATH_H2D ? 1 : 2;
    site->waits = op->work.waits;
    site->caller = op->work.caller;
}

uint32_t site_count(uint32_t caller)
{
    enum { SITES = 1024 };
    static struct {
        uint32_t caller, run, n;
    } counts[SITES];
    const uint32_t run = lineage_run();
    for (uint32_t i = 0; caller && i < SITES; i++) {
        const uint32_t at = (caller * 2654435761u + i) % SITES;
        if (counts[at].caller != caller && counts[at].caller)
            continue;
        counts[at].n = counts[at].run == run ? counts[at].n : 0;
        counts[at].caller = caller;
        counts[at].run = run;
        return ++counts[at].n;
    }
    return 0;
}

void find_undefined(const struct op *op, struct simgpu_finding *f)
{
    f->kind = SIMGPU_UNDEFINED;
    f->device = op->device->id;
    site_of(op, &f->first);
    f->second = f->first;
    finding_add(f);
}

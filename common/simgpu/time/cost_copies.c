/* cost_copies.c: the duration of copies and memsets, from the profile. See cost.c. */
#include "sim.h"

/* A copy to or from the host in the body of a conditional node: no copy engine has it. */
static bool copy_by_kernel(const struct work *w)
{
    return w->kind == OP_COPY && w->engine == ENGINE_D2D && !w->copy.inlined &&
           (w->copy.path == PATH_H2D || w->copy.path == PATH_D2H);
}

bool memset_is_small(uint64_t bytes)
{
    return bytes <= (uint64_t)sim.profile.memset_small_bytes;
}

bool copy_is_inlined(uint64_t bytes)
{
    return bytes <= (uint64_t)sim.profile.inline_copy_bytes;
}

bool goes_with_command(const struct work *w)
{
    return w->kind == OP_COPY ? w->copy.inlined : memset_is_small(w->bytes);
}

double cost_copy_rate(const struct work *w, int engine, bool both)
{
    const struct profile *p = &sim.profile;
    if (engine == COPY_D2D && w->kind == OP_MEMSET)
        return goes_with_command(w) ? p->memset_small_gbps : p->memset_gbps;
    if (engine == COPY_D2D && copy_by_kernel(w))
        return w->copy.path == PATH_H2D ? p->h2d_gbps : p->d2h_gbps;
    if (engine == COPY_D2D)
        return p->d2d_gbps / 2;
    double rate = both ? p->bidir_gbps : engine == COPY_H2D ? p->h2d_gbps : p->d2h_gbps;
    double pageable = engine == COPY_D2H                              ? p->pageable_d2h_gbps
                      : w->bytes <= (uint64_t)p->pageable_small_bytes ? p->pageable_small_gbps
                                                                      : p->pageable_h2d_gbps;
    return w->copy.pageable && pageable < rate ? pageable : rate;
}

double cost_peer_rate(const struct work *w, int arrivals)
{
    const struct profile *p = &sim.profile;
    return (w->copy.staged_by_host ? p->peer_staged_gbps : p->peer_gbps) / arrivals;
}

/* In a stream of another device than the one that moves the bytes, it goes there and back. */
static double peer_overhead_us(const struct op *op)
{
    const struct profile *p = &sim.profile;
    const struct copy_job *c = &op->work.copy;
    if (c->staged_by_host)
        return p->peer_staged_us;
    if (op->in_graph)
        return p->graph_peer_overhead_us;
    return p->peer_overhead_us + (op->device->id == c->by ? 0 : 2 * p->device_hop_us);
}

/* Of a copy to or from the host in the body of a conditional node. What is written to the host is
 * on its way while the kernel that does it ends. */
static double body_copy_overhead_us(const struct work *w)
{
    const struct profile *p = &sim.profile;
    if (w->copy.path == PATH_H2D)
        return p->graph_d2d_overhead_us + p->graph_body_h2d_us;
    double us = p->graph_d2d_overhead_us - (double)w->bytes / (p->d2h_gbps * 1e3);
    return us > 0 ? us : 0;
}

/* What the first chunk of a copy to pageable memory takes longer than the others. */
static double first_chunk_us(const struct work *w)
{
    const struct profile *p = &sim.profile;
    if (!w->copy.pageable || p->pageable_chunk_gbps >= p->pageable_d2h_gbps)
        return 0;
    uint64_t chunk = (uint64_t)p->pageable_chunk_bytes;
    double bytes = (double)(w->bytes < chunk ? w->bytes : chunk);
    return bytes / (p->pageable_chunk_gbps * 1e3) - bytes / (p->pageable_d2h_gbps * 1e3);
}

double cost_copy_overhead_us(const struct op *op)
{
    const struct profile *p = &sim.profile;
    const struct work *w = &op->work;
    if (w->kind == OP_MEMSET && goes_with_command(w))
        return p->memset_small_us;
    if (w->kind == OP_MEMSET)
        return op->in_graph ? p->graph_memset_overhead_us : p->memset_overhead_us;
    if (copy_by_kernel(w))
        return body_copy_overhead_us(w);
    if (w->copy.inlined)
        return p->inline_copy_us - p->same_stream_us;
    switch (w->engine) {
    case ENGINE_H2D:
        return op->in_graph ? p->graph_h2d_overhead_us : p->h2d_overhead_us;
    case ENGINE_D2H:
        return (op->in_graph ? p->graph_d2h_overhead_us : p->d2h_overhead_us) + first_chunk_us(w);
    case ENGINE_PEER:
        return peer_overhead_us(op);
    default:
        return op->in_graph ? p->graph_d2d_overhead_us : p->d2d_overhead_us;
    }
}

double cost_copy_switch_us(void)
{
    return sim.profile.copy_switch_us;
}

double cost_disguised_kernel_us(const struct op *op)
{
    const struct profile *p = &sim.profile;
    double first_us = op->first_of_run ? p->graph_first_kernel_us - p->graph_kernel_us : 0;
    double company_us = op->in_company ? p->graph_company_us : 0;
    return cost_copy_overhead_us(op) + first_us + company_us;
}

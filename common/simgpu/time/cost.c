/* cost.c: the duration of everything. Only this file, cost_copies.c and cost_graph.c read the costs
 * of the profile. core/profile_keys.def explains each key; profiles/ has the source of its value.
 *
 * Functions named _us return microseconds, to be added up before they are rounded to ns_t. */
#include <math.h>

#include "sim.h"

/* ---- calls of the host ----------------------------------------------------------------------- */

ns_t cost_call(enum api_cost cost)
{
    return sim.profile.host_cost[cost];
}

void call_charge(enum api_cost cost)
{
    struct thread_state *t = thread_self();
    t->clock += cost_call(cost) - cost_call(t->call_cost);
    t->call_cost = cost;
}

ns_t cost_submit(bool host_function)
{
    const struct profile *p = &sim.profile;
    return us_to_ns(p->submit_us) + (host_function ? us_to_ns(p->host_func_idle_us) : 0);
}

COST_IS(cost_sync_return, sync_return_us)
COST_IS(cost_pageable_call, pageable_overhead_us)

ns_t cost_staging(uint64_t bytes)
{
    return us_to_ns((double)bytes / (sim.profile.pageable_h2d_gbps * 1e3));
}

COST_IS(cost_pool_grow, pool_grow_us)
COST_IS(cost_pool_shrink, pool_shrink_us)

int stream_depth(void)
{
    return sim.profile.stream_depth;
}

/* ---- from one operation to the next ---------------------------------------------------------- */

/* Memsets and copies inside the device are kernels in disguise: going from one to the other costs
 * no crossing. */
static enum engine_kind latency_class(enum engine_kind e)
{
    return e == ENGINE_D2D ? ENGINE_SM : e;
}

ns_t cost_latency(enum engine_kind from, enum engine_kind to, bool in_graph)
{
    const struct profile *p = &sim.profile;
    from = latency_class(from);
    to = latency_class(to);
    if (to == ENGINE_HOST)
        return us_to_ns(from == ENGINE_HOST ? p->host_func_next_us : p->host_func_us);
    if (from == ENGINE_HOST)
        return us_to_ns(p->host_func_done_us);
    if (from != to)
        return us_to_ns(in_graph ? p->graph_cross_us : p->cross_engine_us);
    if (in_graph)
        return us_to_ns(p->graph_edge_us);
    return from == ENGINE_SM ? us_to_ns(p->same_stream_us) : 0;
}

COST_IS(cost_event_wait, event_wait_us)

ns_t cost_device_hop(bool in_graph)
{
    return us_to_ns(in_graph ? sim.profile.graph_hop_us : sim.profile.device_hop_us);
}

COST_IS(cost_event_record, event_record_us)

/* ---- kernels --------------------------------------------------------------------------------- */

int concurrent_kernels(void)
{
    return sim.profile.concurrent_kernels;
}

ns_t cost_issue(bool in_graph)
{
    return us_to_ns(in_graph ? sim.profile.graph_issue_us : sim.profile.kernel_issue_us);
}

ns_t cost_issue_blocks(uint64_t blocks)
{
    return us_to_ns((double)blocks * sim.profile.block_issue_us);
}

/* Nothing waits for what a kernel only writes. */
static bool reads_memory(const struct op *op)
{
    const struct kernel_call *k = op->work.kernel.call;
    if (!k->is_known && k->kernel->reports_accesses)
        return true; /* it has not run, and most do */
    for (int i = 0; i < k->n_ranges; i++)
        if (k->ranges[i].access & SIMGPU_READ)
            return true;
    return false;
}

ns_t cost_kernel_overhead(const struct op *op)
{
    const struct profile *p = &sim.profile;
    double more_us = reads_memory(op) && op->n_beside == 0 ? p->kernel_memory_us : 0;
    if (!op->in_graph)
        return us_to_ns((op->is_beside ? p->early_kernel_us : p->kernel_overhead_us) + more_us);
    if (op->in_company)
        more_us += p->graph_company_us;
    double first_us = op->graph ? p->device_first_kernel_us : p->graph_first_kernel_us;
    return us_to_ns((op->first_of_run ? first_us : p->graph_kernel_us) + more_us);
}

COST_IS(cost_early_start, early_start_us)

ns_t cost_resume(const struct op *op)
{
    const struct profile *p = &sim.profile;
    double memory_us = reads_memory(op) ? p->kernel_memory_us : 0;
    return us_to_ns((op->in_graph ? p->graph_early_resume_us : p->early_resume_us) + memory_us);
}

void cost_kernel(struct kernel_call *k, const struct simgpu_work *w, int blocks_per_sm)
{
    const struct profile *p = &sim.profile;
    const struct simgpu_dim *g = &k->launch.grid;
    double touched = 0;
    k->busy_blocks = (uint64_t)g->x * g->y * g->z;
    if (w && w->busy_blocks && w->busy_blocks < k->busy_blocks)
        k->busy_blocks = w->busy_blocks;
    const double blocks = (double)k->busy_blocks;
    k->capacity = (blocks_per_sm > 0 ? blocks_per_sm : 1) * p->sm_count;
    k->half_threads = p->sm_half_threads;
    if (!w)
        return;
    for (int i = 0; i < k->n_ranges; i++) {
        const struct simgpu_range *r = &k->ranges[i];
        int times = r->access == SIMGPU_READ_WRITE ? 2 : 1;
        touched += (double)times * (double)r->width_bytes * (double)r->rows;
    }
    double traffic = w->dram_bytes > 0 ? w->dram_bytes : touched;
    double load = w->flops / (p->sm_gflops * 1e3);
    double drawn = w->cache_bytes > traffic ? w->cache_bytes : traffic;
    double shared = w->shared_bytes / (p->sm_shared_gbps * 1e3),
           dram = drawn / (p->sm_dram_gbps * 1e3);
    if (shared > load) {
        load = shared;
        k->half_threads = p->sm_shared_half_threads;
    }
    load = dram > load ? dram : load;
    k->block_load = load / blocks;
    k->dram_per_load = load > 0 ? traffic / load : 0;
    double waits_us = w->waits * p->memory_wait_us;
    k->least_us = waits_us > w->delay_us ? waits_us : w->delay_us;
    k->wait_load = w->wait_share * dram / blocks;
    k->wait_us = w->wait_share * k->least_us;
    k->trigger_load = k->trigger_us = 0;
    k->trigger = w->triggers ? TRIGGERS_BEFORE_WAIT : TRIGGERS_AT_END;
}

/* The share of its full rate that an SM reaches with this many threads resident. */
static double sm_efficiency(double threads, double half)
{
    double full = sim.profile.sm_threads;
    double share = threads / (threads + half) * (full + half) / full;
    return share < 1 ? share : 1;
}

/* Blocks that wait for another grid take room, and no time of others. */
static unsigned busy_blocks(const struct op *op)
{
    return op->work.kernel.at_wait ? 0 : op->work.kernel.resident;
}

static unsigned block_threads(const struct op *op)
{
    const struct simgpu_dim *b = &op->work.kernel.call->launch.block;
    return b->x * b->y * b->z;
}

static bool any_has_work(struct op *const *running, int n)
{
    for (int i = 0; i < n; i++)
        if (running[i]->left_work > 0)
            return true;
    return false;
}

void cost_kernel_rates(struct op *const *running, int n)
{
    if (!any_has_work(running, n)) /* rates only say how fast work becomes less */
        return;
    const struct profile *p = &sim.profile;
    double blocks = 0, threads = 0, traffic = 0;
    for (int i = 0; i < n; i++) {
        blocks += busy_blocks(running[i]);
        threads += (double)busy_blocks(running[i]) * block_threads(running[i]);
    }
    /* A kernel lasts as long as its blocks on the fullest SM: so many SMs as full as that one would
     * do as much. */
    double busy_sms = blocks > 0 ? blocks / ceil(blocks / p->sm_count) : 0;
    for (int i = 0; i < n; i++) {
        struct op *op = running[i];
        const struct kernel_job *k = &op->work.kernel;
        double share = threads > 0 ? (double)busy_blocks(op) * block_threads(op) / threads : 0;
        op->rate =
            busy_sms > 0
                ? busy_sms * sm_efficiency(threads / busy_sms, k->call->half_threads) * share / 1000
                : 0;
        traffic += op->left_work > 0 ? op->rate * k->call->dram_per_load : 0;
    }
    if (traffic <= p->dram_gbps)
        return;
    for (int i = 0; i < n; i++)
        if (running[i]->left_work > 0 && running[i]->work.kernel.call->dram_per_load > 0)
            running[i]->rate *= p->dram_gbps / traffic;
}

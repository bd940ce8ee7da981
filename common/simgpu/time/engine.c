/*
 * engine.c: what runs when. Copies go through copy engines, one at a time in each; kernels share
 * the SMs.
 *
 * Work is a fluid: an operation has so much of it left and goes at a rate that holds until
 * something on its engine begins or ends. Copies count bytes; kernels count microseconds of one SM
 * at its full rate.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

enum { COPY_H2D, COPY_D2H, COPY_D2D };

/* ---- queues ---------------------------------------------------------------------------------- */

static bool goes_first(const struct op *a, const struct op *b)
{
    return a->priority < b->priority;
}

static void queue_put(struct ready_queue *q, struct op *op)
{
    q->n++;
    op->next = NULL;
    if (!q->first) {
        q->first = q->last = op;
        return;
    }
    if (!goes_first(op, q->last)) {
        q->last->next = op;
        q->last = op;
        return;
    }
    struct op **at = &q->first;
    while (!goes_first(op, *at))
        at = &(*at)->next;
    op->next = *at;
    *at = op;
}

static struct op *queue_take(struct ready_queue *q)
{
    struct op *op = q->first;
    q->first = op->next;
    q->n--;
    return op;
}

static ns_t ceil_ns(double ns)
{
    return ns < 1e18 ? (ns_t)ceil(ns) : NS_NEVER / 2;
}

/* ---- copy engines ---------------------------------------------------------------------------- */

/* A copy to or from the host in the body of a conditional node: no copy engine has it. */
bool copy_by_kernel(const struct work *w)
{
    return w->kind == OP_COPY && w->engine == ENGINE_D2D && !w->copy.inlined &&
           (w->copy.path == PATH_H2D || w->copy.path == PATH_D2H);
}

/* So small that its bytes travel with the command. */
static bool goes_with_command(const struct op *op)
{
    return op->work.kind == OP_COPY ? op->work.copy.inlined
                                    : op->work.bytes <= (uint64_t)sim.profile.memset_small_bytes;
}

/* Bytes per nanosecond of the copy that moves on engine `which`, given what else moves. 1 GB/s is 1
 * byte/ns. */
static double copy_rate(const struct device *d, int which)
{
    const struct profile *p = &sim.profile;
    const struct op *op = d->copy[which].running;
    if (which == COPY_D2D && op->work.kind == OP_MEMSET)
        return goes_with_command(op) ? p->memset_small_gbps : p->memset_gbps;
    if (which == COPY_D2D && copy_by_kernel(&op->work))
        return op->work.copy.path == PATH_H2D ? p->h2d_gbps : p->d2h_gbps;
    if (which == COPY_D2D)
        return p->d2d_gbps / 2;
    if (op->work.copy.path == PATH_PEER)
        return p->peer_gbps;
    bool both = d->copy[COPY_H2D].running && d->copy[COPY_H2D].moving &&
                d->copy[COPY_D2H].running && d->copy[COPY_D2H].moving;
    double rate = both ? p->bidir_gbps : which == COPY_H2D ? p->h2d_gbps : p->d2h_gbps;
    double pageable = which == COPY_D2H                                     ? p->pageable_d2h_gbps
                      : op->work.bytes <= (uint64_t)p->pageable_small_bytes ? p->pageable_small_gbps
                                                                            : p->pageable_h2d_gbps;
    return op->work.copy.pageable && pageable < rate ? pageable : rate;
}

static void copy_settle(struct copy_engine *e, ns_t now)
{
    if (e->running && e->moving)
        e->running->left -= e->running->rate * (double)(now - e->since_ns);
    e->since_ns = now;
}

/* Something began or ended to move at `now`: new rates for both directions. */
static void copy_rerate(struct device *d, ns_t now)
{
    for (int i = 0; i < 3; i++) {
        struct copy_engine *e = &d->copy[i];
        if (!e->running || !e->moving)
            continue;
        copy_settle(e, now);
        e->running->rate = copy_rate(d, i);
        e->next_ns =
            now + (e->running->left > 0 ? ceil_ns(e->running->left / e->running->rate) : 0);
    }
}

/*
 * The same of a copy to or from the host in the body of a conditional node. What is written to the
 * host is on its way while the kernel that does it ends.
 */
static double body_copy_overhead_us(const struct op *op)
{
    const struct profile *p = &sim.profile;
    if (op->work.copy.path == PATH_H2D)
        return p->graph_d2d_overhead_us + p->graph_body_h2d_us;
    double us = p->graph_d2d_overhead_us - (double)op->work.bytes / (p->d2h_gbps * 1e3);
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

/* Engine time of a copy or memset besides its bytes. */
static double copy_overhead_us(const struct op *op)
{
    const struct profile *p = &sim.profile;
    if (op->work.kind == OP_MEMSET && goes_with_command(op))
        return p->memset_small_us;
    if (op->work.kind == OP_MEMSET)
        return op->in_graph ? p->graph_memset_overhead_us : p->memset_overhead_us;
    if (copy_by_kernel(&op->work))
        return body_copy_overhead_us(op);
    if (op->work.copy.inlined)
        return p->inline_copy_us - p->same_stream_us;
    switch (op->work.engine) {
    case ENGINE_H2D:
        return op->in_graph ? p->graph_h2d_overhead_us : p->h2d_overhead_us;
    case ENGINE_D2H:
        return (op->in_graph ? p->graph_d2h_overhead_us : p->d2h_overhead_us) +
               first_chunk_us(&op->work);
    default:
        return op->in_graph ? p->graph_d2d_overhead_us : p->d2d_overhead_us;
    }
}

/* Has any other engine worked since the copy before on this one began? */
static bool others_busy(const struct device *d, int which)
{
    ns_t since = d->copy[which].start_ns;
    for (int i = 0; i < 3; i++)
        if (i != which && (d->copy[i].running || d->copy[i].end_ns > since))
            return true;
    return d->sm.n_started > 0 || d->sm.end_ns > since;
}

static void copy_start(struct device *d, int which, ns_t now)
{
    struct copy_engine *e = &d->copy[which];
    struct op *op = e->queue.n ? queue_take(&e->queue) : NULL;
    e->running = op;
    e->moving = false;
    e->next_ns = NS_NEVER;
    if (!op)
        return;
    op->left = (double)op->work.bytes;
    effects_begin(op);
    if (which == COPY_D2D && !goes_with_command(op)) { /* its overhead is over */
        e->next_ns = now;
        return;
    }
    op->state = OP_RUNNING;
    op->start_ns = now;
    double overhead_us = copy_overhead_us(op);
    bool other = e->last_stream != op->stream || e->last_branch != op->branch;
    if (which != COPY_D2D && e->last_stream && other && others_busy(d, which))
        overhead_us += sim.profile.copy_switch_us;
    e->start_ns = now;
    e->last_stream = op->stream;
    e->last_branch = op->branch;
    e->next_ns = now + us_to_ns(overhead_us);
}

static void d2d_put(void *arg, ns_t now)
{
    struct op *op = arg;
    struct copy_engine *e = &op->device->copy[COPY_D2D];
    queue_put(&e->queue, op);
    if (!e->running)
        copy_start(op->device, COPY_D2D, now);
}

/*
 * Memsets and copies inside the device are kernels in disguise: they are issued in turn with the
 * kernels, and their overheads pass side by side.
 */
static void d2d_submit(struct device *d, struct op *op, ns_t now)
{
    const struct profile *p = &sim.profile;
    if (goes_with_command(op)) {
        d2d_put(op, now);
        return;
    }
    op->state = OP_RUNNING;
    op->start_ns = now > d->sm.issue_free_ns ? now : d->sm.issue_free_ns;
    d->sm.issue_free_ns =
        op->start_ns + us_to_ns(op->in_graph ? p->graph_issue_us : p->kernel_issue_us);
    double first_us = op->first_of_run ? p->graph_first_kernel_us - p->graph_kernel_us : 0;
    double company_us = op->in_company ? p->graph_company_us : 0;
    agenda_add(op->start_ns + us_to_ns(copy_overhead_us(op) + first_us + company_us), d2d_put, op);
}

/*
 * An engine stays with a stream whose next copy is already queued, as traces of an H200 show: of
 * the operations that waited for op alone, the copy for the same engine, if it is ready at once and
 * nothing of higher priority waits.
 */
static struct op *next_of_stream(const struct copy_engine *e, const struct op *op, ns_t now)
{
    for (int i = 0; i < op->n_succ; i++) {
        struct op *s = op->succ[i];
        if (s->stream == op->stream && s->work.engine == op->work.engine && s->n_waits == 1 &&
            s->ready_ns <= now)
            return e->queue.first && goes_first(e->queue.first, s) ? NULL : s;
    }
    return NULL;
}

/* The overhead is over, or the last byte has moved. */
static void copy_run(struct device *d, int which, ns_t now)
{
    struct copy_engine *e = &d->copy[which];
    struct op *op = e->running;
    if (!e->moving) {
        e->moving = true;
        e->since_ns = now;
        copy_rerate(d, now);
        return;
    }
    e->running = NULL;
    e->next_ns = NS_NEVER;
    e->end_ns = now;
    e->expected = which == COPY_D2D ? NULL : next_of_stream(e, op, now);
    effects_land(op);
    op_done(op, now);
    if (!e->expected)
        copy_start(d, which, now);
    copy_rerate(d, now);
}

/* ---- SMs ------------------------------------------------------------------------------------- */

/* The share of its full rate that an SM reaches with this many threads resident. */
static double sm_efficiency(double threads, double half)
{
    double full = sim.profile.sm_threads;
    double share = threads / (threads + half) * (full + half) / full;
    return share < 1 ? share : 1;
}

static unsigned block_threads(const struct op *op)
{
    const struct simgpu_dim *b = &op->work.kernel.call->launch.block;
    return b->x * b->y * b->z;
}

static void sm_settle(struct sm_engine *e, ns_t now)
{
    double dt = (double)(now - e->since_ns);
    for (int i = 0; i < e->n_running; i++)
        e->running[i]->left -= e->running[i]->rate * dt;
    e->since_ns = now;
}

/* Hands free block slots to the kernels in order of priority and arrival: who came first takes all
 * it can use. */
static void sm_place_blocks(struct sm_engine *e, ns_t now)
{
    double free_share = 1;
    for (int i = 0; i < e->n_running; i++)
        free_share -=
            (double)e->running[i]->work.kernel.resident / e->running[i]->work.kernel.call->capacity;
    for (int i = 0; i < e->n_running; i++) {
        struct kernel_job *k = &e->running[i]->work.kernel;
        if (k->blocks_left == 0 || (k->resident && k->call->least_us > 0))
            continue;
        double slots = floor(free_share * k->call->capacity + 1e-6);
        unsigned room = slots > 0 ? (unsigned)slots : 0;
        unsigned take = room < k->blocks_left ? room : (unsigned)k->blocks_left;
        if (take == 0)
            continue;
        k->blocks_left -= take;
        k->resident += take;
        e->running[i]->left += take * k->call->block_load;
        k->delay_until = now + us_to_ns(k->call->least_us);
        free_share -= (double)take / k->call->capacity;
    }
}

/* Rates of all running kernels, in microseconds of one full SM per nanosecond. */
static void sm_rate(struct sm_engine *e)
{
    const struct profile *p = &sim.profile;
    double blocks = 0, threads = 0, traffic = 0;
    for (int i = 0; i < e->n_running; i++) {
        struct op *op = e->running[i];
        blocks += op->work.kernel.resident;
        threads += (double)op->work.kernel.resident * block_threads(op);
    }
    /* A kernel lasts as long as its blocks on the fullest SM: so many SMs as full as that one would
     * do as much. */
    double busy_sms = blocks > 0 ? blocks / ceil(blocks / p->sm_count) : 0;
    for (int i = 0; i < e->n_running; i++) {
        struct op *op = e->running[i];
        double share =
            threads > 0 ? (double)op->work.kernel.resident * block_threads(op) / threads : 0;
        op->rate = busy_sms > 0
                       ? busy_sms *
                             sm_efficiency(threads / busy_sms, op->work.kernel.call->half_threads) *
                             share / 1000
                       : 0;
        traffic += op->left > 0 ? op->rate * op->work.kernel.call->dram_per_load : 0;
    }
    if (traffic <= p->dram_gbps)
        return;
    for (int i = 0; i < e->n_running; i++)
        if (e->running[i]->left > 0 && e->running[i]->work.kernel.call->dram_per_load > 0)
            e->running[i]->rate *= p->dram_gbps / traffic;
}

static ns_t wave_end(const struct op *op, ns_t now)
{
    if (op->work.kernel.resident == 0)
        return NS_NEVER;
    ns_t at =
        op->left > 1e-9 ? (op->rate > 0 ? now + ceil_ns(op->left / op->rate) : NS_NEVER) : now;
    return at > op->work.kernel.delay_until ? at : op->work.kernel.delay_until;
}

static void sm_replan(struct sm_engine *e, ns_t now)
{
    sm_place_blocks(e, now);
    sm_rate(e);
    e->next_ns = NS_NEVER;
    for (int i = 0; i < e->n_running; i++) {
        ns_t at = wave_end(e->running[i], now);
        if (at < e->next_ns)
            e->next_ns = at;
    }
}

static uint64_t op_blocks(const struct op *op)
{
    const struct simgpu_dim *g = &op->work.kernel.call->launch.grid;
    return (uint64_t)g->x * g->y * g->z;
}

/* The launch overhead is over: the kernel's blocks want their slots. */
static void sm_begin(void *arg, ns_t now)
{
    struct op *op = arg;
    struct sm_engine *e = &op->device->sm;
    struct kernel_job *k = &op->work.kernel;
    sm_settle(e, now);
    k->blocks_left = op_blocks(op);
    effects_begin(op);
    int i = e->n_running++;
    for (; i > 0 && goes_first(op, e->running[i - 1]); i--)
        e->running[i] = e->running[i - 1];
    e->running[i] = op;
    sm_replan(e, now);
}

/* What it only writes, nobody waits for. */
static bool reads_memory(const struct op *op)
{
    const struct simgpu_work *w = op->work.kernel.call->touches;
    for (int i = 0; w && i < w->n_ranges; i++)
        if (w->ranges[i].access & SIMGPU_READ)
            return true;
    return false;
}

static double kernel_overhead_us(const struct op *op)
{
    const struct profile *p = &sim.profile;
    double more_us = reads_memory(op) ? p->kernel_memory_us : 0;
    if (!op->in_graph)
        return p->kernel_overhead_us + more_us;
    if (op->in_company)
        more_us += p->graph_company_us;
    bool by_kernel = op->environment && environment_graph(op->environment) != 0;
    double first_us = by_kernel ? p->device_first_kernel_us : p->graph_first_kernel_us;
    return (op->first_of_run ? first_us : p->graph_kernel_us) + more_us;
}

static void sm_start(struct sm_engine *e, ns_t now)
{
    const struct profile *p = &sim.profile;
    while (e->queue.n && e->n_started < sim.profile.concurrent_kernels) {
        struct op *op = queue_take(&e->queue);
        e->n_started++;
        op->state = OP_RUNNING;
        op->start_ns = now > e->issue_free_ns ? now : e->issue_free_ns;
        const struct kernel_call *k = op->work.kernel.call;
        uint64_t capacity = (uint64_t)k->capacity;
        uint64_t first_wave = op_blocks(op) < capacity ? op_blocks(op) : capacity;
        ns_t blocks = us_to_ns((double)first_wave * p->block_issue_us);
        ns_t issue = us_to_ns(op->in_graph ? p->graph_issue_us : p->kernel_issue_us);
        ns_t overhead = us_to_ns(kernel_overhead_us(op));
        e->issue_free_ns = op->start_ns + (blocks > issue ? blocks : issue);
        agenda_add(op->start_ns + overhead + blocks, sm_begin, op);
    }
}

static void kernel_done(void *arg, ns_t now)
{
    op_done(arg, now);
}

/* Its blocks have done their work; calls of cudaGraphLaunch have made it longer, once it has run.
 */
static void kernel_finish(void *arg, ns_t now)
{
    struct op *op = arg;
    ns_t *calls_ns = &op->work.kernel.calls_ns, wait = *calls_ns;
    *calls_ns = 0;
    if (wait > 0) {
        agenda_add(now + wait, kernel_finish, op);
        return;
    }
    effects_land(op);
    if (*calls_ns > 0)
        agenda_add(now + *calls_ns, kernel_done, op);
    else
        op_done(op, now);
}

static void sm_run(struct sm_engine *e, ns_t now)
{
    sm_settle(e, now);
    struct op *finished[MAX_CONCURRENT_KERNELS];
    int n_finished = 0, n_kept = 0;
    for (int i = 0; i < e->n_running; i++) {
        struct op *op = e->running[i];
        struct kernel_job *k = &op->work.kernel;
        bool wave_over = k->resident && op->left <= 1e-6 && k->delay_until <= now;
        if (wave_over) {
            k->resident = 0;
            op->left = 0;
        }
        if (wave_over && k->blocks_left == 0)
            finished[n_finished++] = op;
        else
            e->running[n_kept++] = op;
    }
    e->n_running = n_kept;
    e->n_started -= n_finished;
    if (n_finished > 0)
        e->end_ns = now;
    sm_start(e, now);
    sm_replan(e, now);
    for (int i = 0; i < n_finished; i++)
        kernel_finish(finished[i], now);
}

/* ---- the device ------------------------------------------------------------------------------ */

void device_start(struct device *d, int id)
{
    d->id = id;
    d->streams_end = &d->streams;
    for (int i = 0; i < 3; i++)
        d->copy[i].next_ns = NS_NEVER;
    d->sm.next_ns = NS_NEVER;
    d->sm.running = calloc(MAX_CONCURRENT_KERNELS, sizeof *d->sm.running);
    if (!d->sm.running)
        fatal("out of memory for device %d", id);
}

void engine_submit(struct op *op, ns_t now)
{
    struct device *d = op->device;
    if (op->work.engine == ENGINE_SM) {
        queue_put(&d->sm.queue, op);
        sm_start(&d->sm, now);
        return;
    }
    if (op->work.engine == ENGINE_D2D) {
        d2d_submit(d, op, now);
        return;
    }
    int which = op->work.engine == ENGINE_H2D ? COPY_H2D : COPY_D2H;
    struct copy_engine *e = &d->copy[which];
    if (e->expected == op) {
        e->expected = NULL;
        op->next = e->queue.first;
        e->queue.first = op;
        if (e->queue.n++ == 0)
            e->queue.last = op;
    } else {
        queue_put(&e->queue, op);
    }
    if (!e->running && !e->expected)
        copy_start(d, which, now);
}

ns_t engine_next(void)
{
    ns_t next = NS_NEVER;
    for (int i = 0; i < sim.n_devices; i++) {
        const struct device *d = &sim.devices[i];
        for (int k = 0; k < 3; k++)
            if (d->copy[k].next_ns < next)
                next = d->copy[k].next_ns;
        if (d->sm.next_ns < next)
            next = d->sm.next_ns;
    }
    return next;
}

void engine_run(ns_t now)
{
    for (int i = 0; i < sim.n_devices; i++) {
        struct device *d = &sim.devices[i];
        for (int k = 0; k < 3; k++)
            if (d->copy[k].next_ns <= now)
                copy_run(d, k, now);
        if (d->sm.next_ns <= now)
            sm_run(&d->sm, now);
    }
}

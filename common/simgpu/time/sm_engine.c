/* sm_engine.c: kernels. They share the SMs of a device: block slots by order of arrival, rate by
 * occupancy.
 *
 * Work is a fluid: a kernel has so many microseconds of one SM at its full rate left, and proceeds
 * at a rate that holds until a wave of blocks begins or ends. */
#include <math.h>

#include "engine.h"

static void sm_settle(struct sm_engine *e, ns_t now)
{
    double dt = (double)(now - e->since_ns);
    for (int i = 0; i < e->n_running; i++)
        e->running[i]->left_work -= e->running[i]->rate * dt;
    e->since_ns = now;
}

/* What a block has to do until it ends, or waits for other grids. */
static double load_now(const struct kernel_job *k)
{
    return k->held ? k->call->wait_load : k->call->block_load;
}

static double least_now(const struct kernel_job *k)
{
    return k->held ? k->call->wait_us : k->call->least_us;
}

/* After its last busy blocks, the grid lasts until all others have started, too. */
static ns_t rest_ns(const struct kernel_job *k)
{
    const struct simgpu_dim *g = &k->call->launch.grid;
    return k->blocks_left ? 0
                          : cost_issue_blocks((uint64_t)g->x * g->y * g->z - k->call->busy_blocks);
}

/* Hands free block slots to the kernels in order of priority and arrival: who came first takes all
 * it can use. */
static void sm_place_blocks(struct sm_engine *e, ns_t now)
{
    double free_share = 1;
    for (int i = 0; i < e->n_running; i++) {
        const struct kernel_job *k = &e->running[i]->work.kernel;
        if (k->resident)
            free_share -= (double)k->resident / k->call->capacity;
    }
    for (int i = 0; i < e->n_running; i++) {
        struct kernel_job *k = &e->running[i]->work.kernel;
        if (k->blocks_left == 0 || k->at_wait || (k->resident && k->call->least_us > 0))
            continue;
        double slots = free_share * k->call->capacity + 1e-6;
        unsigned room = slots >= 1 ? (unsigned)slots : 0;
        unsigned take = room < k->blocks_left ? room : (unsigned)k->blocks_left;
        if (take == 0)
            continue;
        k->blocks_left -= take;
        k->resident += take;
        e->running[i]->left_work += take * load_now(k);
        const ns_t least_ns = us_to_ns(least_now(k)), rest = rest_ns(k);
        k->delay_until = now + (least_ns > rest ? least_ns : rest);
        k->trigger_until = now + us_to_ns(k->call->trigger_us);
        free_share -= (double)take / k->call->capacity;
    }
}

/* When the kernel has only so much work left, and not before `earliest`. */
static ns_t work_at(const struct op *op, double left, ns_t earliest, ns_t now)
{
    ns_t at = now;
    if (op->left_work > left + 1e-9)
        at = op->rate > 0 ? now + ceil_ns((op->left_work - left) / op->rate) : NS_NEVER;
    return at > earliest ? at : earliest;
}

static ns_t wave_end(const struct op *op, ns_t now)
{
    const struct kernel_job *k = &op->work.kernel;
    if (k->resident == 0 || k->at_wait)
        return NS_NEVER;
    return work_at(op, 0, k->delay_until, now);
}

/* When all blocks have called cudaTriggerProgrammaticLaunchCompletion; NS_NEVER: when they end. */
static ns_t trigger_at(const struct op *op, ns_t now)
{
    const struct kernel_job *k = &op->work.kernel;
    if (k->call->trigger == TRIGGERS_AT_END || op->reached[AFTER_TRIGGER] ||
        !op->reached[AFTER_START] || (k->held && k->call->trigger == TRIGGERS_AFTER_WAIT))
        return NS_NEVER;
    double left = k->resident * (load_now(k) - k->call->trigger_load);
    return work_at(op, left, k->trigger_until, now);
}

static void sm_replan(struct sm_engine *e, ns_t now)
{
    ns_t next = NS_NEVER;
    if (e->n_running > 0) {
        sm_place_blocks(e, now);
        cost_kernel_rates(e->running, e->n_running);
    }
    for (int i = 0; i < e->n_running; i++) {
        struct op *op = e->running[i];
        if (op->work.kernel.blocks_left == 0)
            op_reach(op, AFTER_START);
        ns_t end = wave_end(op, now), trigger = trigger_at(op, now);
        ns_t at = end < trigger ? end : trigger;
        if (at < next)
            next = at;
    }
    engine_is_due(&e->next_ns, next);
}

/* The launch overhead is over: the kernel's blocks want their slots. */
static void sm_begin(void *arg, ns_t now)
{
    struct op *op = arg;
    struct sm_engine *e = &op->device->sm;
    struct kernel_job *k = &op->work.kernel;
    sm_settle(e, now);
    k->blocks_left = k->call->busy_blocks;
    op_begins(op);
    k->calls_ns += freedom_delay(FREEDOM_DURATION, op->id);
    int i = e->n_running++;
    for (; i > 0 && goes_first(op, e->running[i - 1]); i--)
        e->running[i] = e->running[i - 1];
    e->running[i] = op;
    sm_replan(e, now);
}

static void sm_start(struct sm_engine *e, ns_t now)
{
    while (e->queue.n && e->n_started < concurrent_kernels()) {
        struct op *op = ready_take(&e->queue);
        e->n_started++;
        op->state = OP_RUNNING;
        op->start_ns = now > e->issue_free_ns ? now : e->issue_free_ns;
        const struct kernel_call *k = op->work.kernel.call;
        const uint64_t capacity = (uint64_t)k->capacity;
        ns_t blocks = cost_issue_blocks(k->busy_blocks < capacity ? k->busy_blocks : capacity);
        ns_t issue = cost_issue(op->in_graph);
        e->issue_free_ns = op->start_ns + (blocks > issue ? blocks : issue);
        agenda_add(op->start_ns + cost_kernel_overhead(op) + blocks, sm_begin, op);
    }
}

static void kernel_done(void *arg, ns_t now)
{
    op_done(arg, now);
}

/* Its blocks have done their work; calls of cudaGraphLaunch, or a freedom, have made it longer,
 * once it has run. */
static void kernel_finish(void *arg, ns_t now)
{
    struct op *op = arg;
    ns_t *calls_ns = &op->work.kernel.calls_ns, wait = *calls_ns;
    *calls_ns = 0;
    if (wait > 0) {
        agenda_add(now + wait, kernel_finish, op);
        return;
    }
    op_lands(op);
    if (*calls_ns > 0)
        agenda_add(now + *calls_ns, kernel_done, op);
    else
        op_done(op, now);
}

void sm_engine_run(struct sm_engine *e, ns_t now)
{
    sm_settle(e, now);
    struct op *finished[MAX_CONCURRENT_KERNELS];
    int n_finished = 0, n_kept = 0;
    for (int i = 0; i < e->n_running; i++) {
        struct op *op = e->running[i];
        struct kernel_job *k = &op->work.kernel;
        if (trigger_at(op, now) <= now)
            op_reach(op, AFTER_TRIGGER);
        bool wave_over =
            k->resident && !k->at_wait && op->left_work <= 1e-6 && k->delay_until <= now;
        if (wave_over && k->held) {
            k->at_wait = true;
            op->left_work = 0;
            wave_over = false;
        }
        if (wave_over) {
            k->resident = 0;
            op->left_work = 0;
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

void sm_engine_submit(struct op *op, ns_t now)
{
    ready_put(&op->device->sm.queue, op);
    sm_start(&op->device->sm, now);
}

void sm_engine_go_on(struct op *op, ns_t now)
{
    struct kernel_job *k = &op->work.kernel;
    sm_settle(&op->device->sm, now);
    op_resumes(op);
    if (k->polls)
        return;
    const struct kernel_call *c = k->call;
    if (k->at_wait)
        k->delay_until = now;
    op->left_work = fmax(op->left_work, 0) + k->resident * (c->block_load - c->wait_load);
    k->delay_until += us_to_ns(c->least_us - c->wait_us);
    if (c->trigger == TRIGGERS_AFTER_WAIT)
        k->trigger_until = now + us_to_ns(c->trigger_us - c->wait_us);
    k->held = k->at_wait = false;
    sm_replan(&op->device->sm, now);
}

/* Its blocks go on after cudaGridDependencySynchronize. */
static void go_on(void *arg, ns_t now)
{
    sm_engine_go_on(arg, now);
}

void sm_engine_resume(struct op *op, ns_t now)
{
    if (op->work.kernel.held)
        agenda_add(now + cost_resume(op), go_on, op);
}

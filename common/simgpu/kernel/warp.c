/* warp.c: warp primitives. The lanes that a mask names meet; the last to come works out what each
 * of them gets.
 *
 * A lane that has ended counts as present, without a value. Lanes with different masks or in
 * different primitives do not meet: they wait. If this never ends, the block is in a deadlock, as
 * it would be on a GPU.
 *
 * Programs from before Volta count on lanes that go on in lockstep. So the lanes of a warp also
 * meet at each access to volatile shared memory: nobody goes on to the next access before all
 * others are at theirs. Here nobody knows which lanes will come. Those that are at the same place
 * in the program go on when all of the warp are there, or when all others have stopped elsewhere.
 * If several groups wait then, the one that is earliest in the program goes first, as the others
 * are likely to wait for it after a branch. */
#include "worker.h"

#include <stdio.h>
#include <string.h>

/* Read from a lane that takes no part: NaN as a float, -1 as an integer. */
#define NOT_THERE UINT64_MAX

enum {
    IDLE_TURNS = 2 * MAX_BLOCK_THREADS, /* in so many each thread that can go on has done so */
    MAX_PASSED_OVER = 10000,
    LOOK_PASSES_OVER = 100 /* threads that only read the same word again may wait for others */
};

static const char *const primitive[] = {
    [SIMGPU_WARP_SYNC] = "__syncwarp",
    [SIMGPU_WARP_SHUFFLE] = "a warp shuffle",
    [SIMGPU_WARP_BALLOT] = "a warp vote",
    [SIMGPU_WARP_MATCH] = "a warp match",
    [SIMGPU_WARP_ADD] = "__reduce_add_sync",
    [SIMGPU_WARP_MIN] = "__reduce_min_sync",
    [SIMGPU_WARP_MAX] = "__reduce_max_sync",
    [SIMGPU_WARP_MIN_SIGNED] = "__reduce_min_sync",
    [SIMGPU_WARP_MAX_SIGNED] = "__reduce_max_sync",
    [SIMGPU_WARP_AND] = "__reduce_and_sync",
    [SIMGPU_WARP_OR] = "__reduce_or_sync",
    [SIMGPU_WARP_XOR] = "__reduce_xor_sync",
    [SIMGPU_WARP_ACTIVE] = "__activemask",
    [SIMGPU_WARP_STEP] = "an access to volatile shared memory",
};

static inline unsigned lowest_lane(uint32_t lanes)
{
    return (unsigned)__builtin_ctz(lanes);
}

void warps_begin(struct worker *w, unsigned rank)
{
    unsigned n_threads = w->grid->n_threads;
    w->n_turns = 0;
    for (unsigned first = 0; first < n_threads; first += WARP_LANES) {
        struct warp *warp = &w->warps[first / WARP_LANES];
        unsigned lanes = n_threads - first;
        unsigned ended = rank > first ? rank - first : 0;
        uint32_t exist = lanes >= WARP_LANES ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
        uint32_t gone = ended >= WARP_LANES ? UINT32_MAX : (UINT32_C(1) << ended) - 1;
        warp->live = exist & ~gone;
        warp->n_meetings = 0;
        warp->latest_turn = 0;
    }
}

/* ---- what the lanes of a meeting get --------------------------------------------------------- */

static void give_shuffle(struct warp *warp, uint32_t lanes)
{
    uint64_t brought[WARP_LANES];
    for (unsigned i = 0; i < WARP_LANES; i++)
        brought[i] = lanes >> i & 1 ? warp->value[i] : NOT_THERE;
    for (uint32_t left = lanes; left; left &= left - 1)
        warp->value[lowest_lane(left)] = brought[warp->source[lowest_lane(left)] % WARP_LANES];
}

static void give_match(struct warp *warp, uint32_t lanes)
{
    uint32_t unknown = lanes;
    while (unknown) {
        uint64_t value = warp->value[lowest_lane(unknown)];
        uint32_t same = 0;
        for (uint32_t left = unknown; left; left &= left - 1)
            if (warp->value[lowest_lane(left)] == value)
                same |= UINT32_C(1) << lowest_lane(left);
        for (uint32_t left = same; left; left &= left - 1)
            warp->value[lowest_lane(left)] = same;
        unknown &= ~same;
    }
}

static void give_all(struct warp *warp, uint32_t lanes, uint64_t value)
{
    for (uint32_t left = lanes; left; left &= left - 1)
        warp->value[lowest_lane(left)] = value;
}

static uint32_t ballot(const struct warp *warp, uint32_t lanes)
{
    uint32_t votes = 0;
    for (uint32_t left = lanes; left; left &= left - 1)
        if (warp->value[lowest_lane(left)])
            votes |= UINT32_C(1) << lowest_lane(left);
    return votes;
}

static uint32_t combine(unsigned op, uint32_t a, uint32_t b)
{
    switch (op) {
    case SIMGPU_WARP_ADD:
        return a + b;
    case SIMGPU_WARP_MIN:
        return a < b ? a : b;
    case SIMGPU_WARP_MAX:
        return a > b ? a : b;
    case SIMGPU_WARP_MIN_SIGNED:
        return (int32_t)a < (int32_t)b ? a : b;
    case SIMGPU_WARP_MAX_SIGNED:
        return (int32_t)a > (int32_t)b ? a : b;
    case SIMGPU_WARP_AND:
        return a & b;
    case SIMGPU_WARP_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static uint32_t reduce(const struct warp *warp, uint32_t lanes, unsigned op)
{
    uint32_t sum = (uint32_t)warp->value[lowest_lane(lanes)];
    for (uint32_t left = lanes & (lanes - 1); left; left &= left - 1)
        sum = combine(op, sum, (uint32_t)warp->value[lowest_lane(left)]);
    return sum;
}

/* ---- meetings -------------------------------------------------------------------------------- */

/* All have come: each lane gets its value and may go on. The meeting is over. */
static void conclude(struct worker *w, struct warp *warp, struct meeting *m)
{
    uint32_t lanes = m->arrived;
    switch (m->op) {
    case SIMGPU_WARP_SYNC:
    case SIMGPU_WARP_STEP:
        break;
    case SIMGPU_WARP_SHUFFLE:
        give_shuffle(warp, lanes);
        break;
    case SIMGPU_WARP_BALLOT:
        give_all(warp, lanes, ballot(warp, lanes));
        break;
    case SIMGPU_WARP_MATCH:
        give_match(warp, lanes);
        break;
    case SIMGPU_WARP_ACTIVE:
        give_all(warp, lanes, lanes);
        break;
    default:
        give_all(warp, lanes, reduce(warp, lanes, m->op));
    }
    for (uint32_t left = lanes; left; left &= left - 1)
        queue_put(&w->ready, warp->lanes[lowest_lane(left)]);
    *m = warp->meetings[--warp->n_meetings];
}

static bool is_complete(const struct warp *warp, const struct meeting *m)
{
    return (m->mask & warp->live) == m->arrived;
}

static struct meeting *meeting_find(struct warp *warp, unsigned op, uint32_t mask, const void *site)
{
    for (int i = 0; i < warp->n_meetings; i++) {
        struct meeting *m = &warp->meetings[i];
        if (m->op == op && m->mask == mask && m->site == site)
            return m;
    }
    struct meeting *m = &warp->meetings[warp->n_meetings++];
    *m = (struct meeting){.op = op, .mask = mask, .site = site};
    return m;
}

/* The running thread is one more lane of the meeting. */
static void arrive(struct worker *w, struct warp *warp, struct meeting *m, unsigned lane)
{
    warp->lanes[lane] = w->current;
    m->arrived |= UINT32_C(1) << lane;
    if (is_complete(warp, m))
        conclude(w, warp, m);
}

EXPORT uint64_t simgpu_warp_meet(unsigned op, unsigned mask, uint64_t value, unsigned source)
{
    struct worker *w = worker_running;
    if (!w)
        fatal("%s outside of a kernel", primitive[op]);
    unsigned rank = thread_rank();
    unsigned lane = rank % WARP_LANES;
    if (!(mask >> lane & 1))
        worker_fail(
            w, cudaErrorLaunchFailure,
            "lane %u of warp %u calls %s with the mask 0x%08x, which does not have its bit: "
            "set the bits of all lanes that make the call",
            lane, rank / WARP_LANES, primitive[op], mask);
    threads_wait_noted(w);
    struct warp *warp = &w->warps[rank / WARP_LANES];
    const void *site = op == SIMGPU_WARP_ACTIVE ? __builtin_return_address(0) : NULL;
    struct meeting *m = meeting_find(warp, op, mask, site);
    warp->value[lane] = value;
    warp->source[lane] = source;
    arrive(w, warp, m, lane);
    return thread_stop(w, &warp->value[lane]);
}

void warp_lane_ended(struct worker *w, unsigned rank)
{
    struct warp *warp = &w->warps[rank / WARP_LANES];
    warp->live &= ~(UINT32_C(1) << rank % WARP_LANES);
    for (int i = warp->n_meetings; i-- > 0;)
        if (is_complete(warp, &warp->meetings[i]))
            conclude(w, warp, &warp->meetings[i]);
}

bool warp_release_active(struct worker *w)
{
    for (unsigned first = 0; first < w->grid->n_threads; first += WARP_LANES) {
        struct warp *warp = &w->warps[first / WARP_LANES];
        for (int i = 0; i < warp->n_meetings; i++) {
            if (warp->meetings[i].op == SIMGPU_WARP_ACTIVE) {
                conclude(w, warp, &warp->meetings[i]);
                return true;
            }
        }
    }
    return false;
}

/* ---- lockstep -------------------------------------------------------------------------------- */

/* That of an access to volatile shared memory which is to go on first; NULL: there is none. */
static struct meeting *step_due(struct warp *warp)
{
    struct meeting *first = NULL;
    for (int i = 0; i < warp->n_meetings; i++) {
        struct meeting *m = &warp->meetings[i];
        if (m->op != SIMGPU_WARP_STEP)
            continue;
        if (m->passed_over >= MAX_PASSED_OVER)
            return m;
        if (!first || (uintptr_t)m->site < (uintptr_t)first->site)
            first = m;
    }
    return first;
}

/* Lets one step of each warp go on to which no lane has come in so many turns. */
static bool release_steps(struct worker *w, uint64_t turns)
{
    bool any = false;
    for (unsigned first = 0; first < w->grid->n_threads; first += WARP_LANES) {
        struct warp *warp = &w->warps[first / WARP_LANES];
        struct meeting *due = w->n_turns - warp->latest_turn >= turns ? step_due(warp) : NULL;
        if (!due)
            continue;
        for (int i = 0; i < warp->n_meetings; i++)
            warp->meetings[i].passed_over += due->moves ? 1 : LOOK_PASSES_OVER;
        conclude(w, warp, due);
        any = true;
    }
    return any;
}

bool warp_release_steps(struct worker *w)
{
    return release_steps(w, 0);
}

void warp_count_turn(struct worker *w)
{
    if (++w->n_turns % IDLE_TURNS == 0)
        release_steps(w, IDLE_TURNS);
}

void warp_step(struct worker *w, const void *site, const void *read)
{
    threads_wait_noted(w);
    warp_count_turn(w);
    const unsigned rank = thread_rank(), lane = rank % WARP_LANES;
    struct warp *warp = &w->warps[rank / WARP_LANES];
    if (warp->latest_turn == 0)
        memset(warp->read, 0, sizeof warp->read);
    warp->latest_turn = w->n_turns;
    struct meeting *m = meeting_find(warp, SIMGPU_WARP_STEP, UINT32_MAX, site);
    m->moves |= !read || read != warp->read[lane];
    warp->read[lane] = read;
    arrive(w, warp, m, lane);
    thread_give_way(w);
}

bool warp_describe_waiting(const struct worker *w, char *text, size_t bytes)
{
    for (unsigned first = 0; first < w->grid->n_threads; first += WARP_LANES) {
        const struct warp *warp = &w->warps[first / WARP_LANES];
        if (warp->n_meetings == 0)
            continue;
        const struct meeting *m = &warp->meetings[0];
        uint32_t missing = m->mask & warp->live & ~m->arrived;
        snprintf(text, bytes, "%d lane(s) of warp %u wait in %s with the mask 0x%08x for lane %u",
                 __builtin_popcount(m->arrived), first / WARP_LANES, primitive[m->op], m->mask,
                 lowest_lane(missing));
        return true;
    }
    return false;
}

/*
 * order.c: who is ordered before whom.
 *
 * Operations of one lane (a stream, a host thread, a branch of a graph launch) follow each other,
 * so an operation is a pair (lane, seq), and all that is ordered before it fits in one number a
 * lane: the newest seq there that it comes after. That array is its vector clock (C. J. Fidge and
 * F. Mattern, 1988).
 *
 * One rule makes it cheap: a clock is complete. Whoever knows (lane, seq) also knows all that this
 * operation knew. So one comparison tells whether a stamp has anything new to say, and the next
 * operation of a stream, to which nothing is new, shares the clock of the one before it.
 */
#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "race.h"

struct vclock {
    uint32_t refs;
    uint32_t n;       /* lanes it has numbers for; it knows nothing of later ones */
    uint32_t known[]; /* by lane: the newest seq that came before */
};

struct lane {
    uint32_t seq;                   /* of its newest operation */
    uint32_t until_lane, until_seq; /* of that one */
    bool is_free;
    uint32_t next_free;  /* in the queue of free lanes, NO_LANE at its end */
    struct vclock *seen; /* the newest operation's clock, counted; kept when the lane is freed */
};

#define NO_LANE UINT32_MAX
enum { PLENTY_OF_LANES = 4096, LANES_TO_TRY = 32 };

static struct {
    struct lane *items;
    uint32_t n, cap;
    uint32_t n_free, first_free, last_free;
} lanes = {.first_free = NO_LANE, .last_free = NO_LANE};

/* The clock of "after this one operation and what it knew": a fork asks for it once a branch. */
static struct {
    struct stamp origin;
    struct vclock *clock;
} last_fork;

struct check_counts check_counts;
struct stamp host_stamp;

/* ---- clocks ---------------------------------------------------------------------------------- */

static size_t clock_bytes(uint32_t n)
{
    return sizeof(struct vclock) + n * sizeof(uint32_t);
}

/* A copy of `from` (or nothing known), with room for n lanes at least. */
static struct vclock *clock_new(const struct vclock *from, uint32_t n)
{
    uint32_t n_from = from ? from->n : 0;
    if (n < n_from)
        n = n_from;
    struct vclock *c = malloc(clock_bytes(n));
    if (!c)
        fatal("out of memory for the ordering checks; run with SIMGPU_CHECKS=0 to go without");
    c->refs = 1;
    c->n = n;
    if (n_from)
        memcpy(c->known, from->known, n_from * sizeof c->known[0]);
    memset(c->known + n_from, 0, (n - n_from) * sizeof c->known[0]);
    check_counts.clocks_made++;
    check_counts.clocks_alive++;
    check_counts.clock_bytes_alive += clock_bytes(n);
    return c;
}

static struct vclock *clock_get(struct vclock *c)
{
    if (c)
        c->refs++;
    return c;
}

static void clock_put(struct vclock *c)
{
    if (!c || --c->refs)
        return;
    check_counts.clocks_alive--;
    check_counts.clock_bytes_alive -= clock_bytes(c->n);
    free(c);
}

static bool clock_knows(const struct vclock *c, const struct stamp *s)
{
    return s->seq == 0 || (c && s->lane < c->n && c->known[s->lane] >= s->seq);
}

/* c is still private, and has room for s and all that s knows. */
static void clock_learn(struct vclock *c, const struct stamp *s)
{
    if (clock_knows(c, s))
        return;
    for (uint32_t i = 0; s->seen && i < s->seen->n; i++) {
        if (c->known[i] < s->seen->known[i])
            c->known[i] = s->seen->known[i];
    }
    c->known[s->lane] = s->seq;
}

static uint32_t clock_room(uint32_t n, const struct stamp *s)
{
    if (s->seen && s->seen->n > n)
        n = s->seen->n;
    return s->lane >= n ? s->lane + 1 : n;
}

/* ---- lanes ----------------------------------------------------------------------------------- */

static uint32_t lane_add(void)
{
    if (lanes.n == lanes.cap) {
        lanes.cap = lanes.cap ? 2 * lanes.cap : 64;
        lanes.items = realloc(lanes.items, lanes.cap * sizeof *lanes.items);
        if (!lanes.items)
            fatal("out of memory for the ordering checks; run with SIMGPU_CHECKS=0 to go without");
    }
    lanes.items[lanes.n] = (struct lane){.next_free = NO_LANE};
    check_counts.lanes++;
    return lanes.n++;
}

static void free_push(uint32_t lane)
{
    lanes.items[lane].next_free = NO_LANE;
    if (lanes.n_free++)
        lanes.items[lanes.last_free].next_free = lane;
    else
        lanes.first_free = lane;
    lanes.last_free = lane;
}

static uint32_t free_pop(void)
{
    uint32_t lane = lanes.first_free;
    lanes.first_free = lanes.items[lane].next_free;
    lanes.n_free--;
    return lane;
}

/* What origin knows not of goes to the end of the queue, so that the next call tries others. */
static uint32_t free_lane_before(const struct stamp *origin)
{
    uint32_t tries = lanes.n_free < LANES_TO_TRY ? lanes.n_free : LANES_TO_TRY;
    while (tries--) {
        uint32_t lane = free_pop();
        const struct lane *l = &lanes.items[lane];
        struct stamp newest = {
            .lane = lane, .seq = l->seq, .until_lane = l->until_lane, .until_seq = l->until_seq};
        if (newest.seq == 0 || (origin && order_before(&newest, origin)))
            return lane;
        free_push(lane);
    }
    return NO_LANE;
}

uint32_t order_lane_after(const struct stamp *origin)
{
    uint32_t lane = free_lane_before(origin);
    if (lane == NO_LANE) {
        bool plenty = lanes.n >= PLENTY_OF_LANES && lanes.n_free;
        lane = plenty ? free_pop() : lane_add();
    }
    lanes.items[lane].is_free = false;
    return lane;
}

uint32_t order_lane_new(void)
{
    return order_lane_after(NULL);
}

void order_lane_free(uint32_t lane)
{
    if (lane >= lanes.n || lanes.items[lane].is_free)
        fatal("lane %u of the ordering checks is freed, but was not in use", lane);
    lanes.items[lane].is_free = true;
    free_push(lane);
}

/* ---- stamps ---------------------------------------------------------------------------------- */

/* Of the stamps that are news to a lane, one that comes after all the others, or NULL. */
static const struct stamp *newest_of(const struct stamp *const *after, int n,
                                     const struct stamp *own)
{
    const struct stamp *newest = after[0];
    for (int i = 1; i < n; i++) {
        if (order_before(newest, after[i]))
            newest = after[i];
    }
    for (int i = 0; i < n; i++) {
        if (!order_before(after[i], newest))
            return NULL;
    }
    return own->seen == NULL || order_before(own, newest) ? newest : NULL;
}

static struct vclock *clock_after_one(const struct stamp *s)
{
    const struct stamp *last = &last_fork.origin;
    if (last->lane == s->lane && last->seq == s->seq && last_fork.clock)
        return clock_get(last_fork.clock);
    struct vclock *c = clock_new(s->seen, clock_room(0, s));
    c->known[s->lane] = s->seq;
    clock_put(last_fork.clock);
    last_fork.origin = (struct stamp){.lane = s->lane, .seq = s->seq};
    last_fork.clock = clock_get(c);
    return c;
}

static struct vclock *clock_after_all(const struct stamp *const *after, int n,
                                      const struct stamp *own)
{
    uint32_t room = 0;
    for (int i = 0; i < n; i++)
        room = clock_room(room, after[i]);
    struct vclock *c = clock_new(own->seen, room);
    for (int i = n; i-- > 0;) /* later ones tend to know the earlier ones */
        clock_learn(c, after[i]);
    return c;
}

struct stamp order_stamp(uint32_t lane, const struct stamp *const *after, int n_after)
{
    struct lane *l = &lanes.items[lane];
    struct stamp own = {.lane = lane, .seq = l->seq, .seen = l->seen};
    int news = 0;
    while (news < n_after && order_before(after[news], &own))
        news++;
    if (news < n_after) {
        const struct stamp *newest = newest_of(after + news, n_after - news, &own);
        struct vclock *c =
            newest ? clock_after_one(newest) : clock_after_all(after + news, n_after - news, &own);
        clock_put(l->seen);
        l->seen = c;
    }
    l->until_seq = 0;
    return (struct stamp){.lane = lane, .seq = ++l->seq, .seen = clock_get(l->seen)};
}

void order_until(struct stamp *s, const struct stamp *end)
{
    struct lane *l = &lanes.items[s->lane];
    s->until_lane = l->until_lane = end->lane;
    s->until_seq = l->until_seq = end->seq;
}

struct stamp order_copy(const struct stamp *s)
{
    clock_get(s->seen);
    return *s;
}

void order_drop(struct stamp *s)
{
    clock_put(s->seen);
    *s = (struct stamp){.seq = 0};
}

void order_join(struct stamp *into, const struct stamp *s)
{
    if (order_before(s, into))
        return;
    struct stamp joined = order_stamp(into->lane, &s, 1);
    if (into->until_seq)
        order_until(&joined, &(struct stamp){.lane = into->until_lane, .seq = into->until_seq});
    order_drop(into);
    *into = joined;
}

bool order_before(const struct stamp *a, const struct stamp *b)
{
    if (a->lane == b->lane)
        return a->seq <= b->seq;
    if (clock_knows(b->seen, a))
        return true;
    const struct stamp until = {.lane = a->until_lane, .seq = a->until_seq};
    return until.seq && order_before(&until, b);
}

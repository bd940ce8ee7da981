/* order.c: the order of operations.
 *
 * Operations of one clock id (a stream, a host thread, a chain of a graph launch) follow each
 * other. So an operation is a pair (clock id, seq), and all that comes before it fits into one
 * number for each clock id: the newest seq there that comes before it. This array is its vector
 * clock (C. J. Fidge and F. Mattern, 1988).
 *
 * One rule keeps this fast: a clock is complete. A clock that contains (clock id, seq) also
 * contains the clock of this operation. So one comparison shows whether an epoch adds anything. If
 * it adds nothing, the next operation of a stream shares the clock of the one before it. */
#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "race.h"

struct vclock {
    uint32_t refs;
    uint32_t n;       /* clock ids it has numbers for; it knows nothing of later ones */
    uint32_t known[]; /* by clock id: the newest seq that came before */
};

struct clock_state {
    uint32_t seq;                       /* of its newest operation */
    uint32_t until_clock_id, until_seq; /* of that one */
    bool is_free;
    uint32_t next_free; /* in the queue of free clock ids, NO_CLOCK_ID at its end */
    struct vclock
        *seen; /* the newest operation's clock, counted; kept when the clock id is freed */
};

#define NO_CLOCK_ID UINT32_MAX
enum { PLENTY_OF_CLOCK_IDS = 4096, CLOCK_IDS_TO_TRY = 32 };

static struct {
    struct clock_state *items;
    uint32_t n, cap;
    uint32_t n_free, first_free, last_free;
} clock_ids = {.first_free = NO_CLOCK_ID, .last_free = NO_CLOCK_ID};

/* The clock of "after this one operation and what it knew": a fork asks for it once a branch. */
static struct {
    struct epoch origin;
    struct vclock *clock;
} last_fork;

struct check_counts check_counts;
struct epoch host_epoch, access_epoch, seen_epoch;
uint32_t *epochs_ended;

/* ---- clocks ---------------------------------------------------------------------------------- */

static size_t clock_bytes(uint32_t n)
{
    return sizeof(struct vclock) + n * sizeof(uint32_t);
}

/* A copy of `from` (or nothing known), with room for n clock ids at least. */
static struct vclock *clock_new(const struct vclock *from, uint32_t n)
{
    uint32_t n_from = from ? from->n : 0;
    if (n < n_from)
        n = n_from;
    struct vclock *c = checks_need(malloc(clock_bytes(n)));
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

static bool clock_knows(const struct vclock *c, const struct epoch *s)
{
    return s->seq == 0 || (c && s->clock_id < c->n && c->known[s->clock_id] >= s->seq);
}

/* c is still private, and has room for all that s knows. */
static void clock_learn_seen(struct vclock *c, const struct epoch *s)
{
    for (uint32_t i = 0; s->seen && i < s->seen->n; i++) {
        if (c->known[i] < s->seen->known[i])
            c->known[i] = s->seen->known[i];
    }
}

/* And for s itself. */
static void clock_learn(struct vclock *c, const struct epoch *s)
{
    if (clock_knows(c, s))
        return;
    clock_learn_seen(c, s);
    c->known[s->clock_id] = s->seq;
}

static uint32_t clock_room(uint32_t n, const struct epoch *s)
{
    if (s->seen && s->seen->n > n)
        n = s->seen->n;
    return s->clock_id >= n ? s->clock_id + 1 : n;
}

/* ---- clock ids ------------------------------------------------------------------------------- */

static uint32_t clock_add(void)
{
    if (clock_ids.n == clock_ids.cap) {
        clock_ids.cap = clock_ids.cap ? 2 * clock_ids.cap : 64;
        clock_ids.items =
            checks_need(realloc(clock_ids.items, clock_ids.cap * sizeof *clock_ids.items));
        epochs_ended = checks_need(realloc(epochs_ended, clock_ids.cap * sizeof *epochs_ended));
    }
    clock_ids.items[clock_ids.n] = (struct clock_state){.next_free = NO_CLOCK_ID};
    epochs_ended[clock_ids.n] = 0;
    check_counts.clock_ids++;
    return clock_ids.n++;
}

static void free_push(uint32_t clock_id)
{
    clock_ids.items[clock_id].next_free = NO_CLOCK_ID;
    if (clock_ids.n_free++)
        clock_ids.items[clock_ids.last_free].next_free = clock_id;
    else
        clock_ids.first_free = clock_id;
    clock_ids.last_free = clock_id;
}

static uint32_t free_pop(void)
{
    uint32_t clock_id = clock_ids.first_free;
    clock_ids.first_free = clock_ids.items[clock_id].next_free;
    clock_ids.n_free--;
    return clock_id;
}

/* What origin knows not of goes to the end of the queue, so that the next call tries others. */
static uint32_t free_clock_before(const struct epoch *origin)
{
    uint32_t tries = clock_ids.n_free < CLOCK_IDS_TO_TRY ? clock_ids.n_free : CLOCK_IDS_TO_TRY;
    while (tries--) {
        uint32_t clock_id = free_pop();
        const struct clock_state *l = &clock_ids.items[clock_id];
        struct epoch newest = {.clock_id = clock_id,
                               .seq = l->seq,
                               .until_clock_id = l->until_clock_id,
                               .until_seq = l->until_seq};
        if (newest.seq == 0 || (origin && epoch_before(&newest, origin)))
            return clock_id;
        free_push(clock_id);
    }
    return NO_CLOCK_ID;
}

uint32_t clock_id_after(const struct epoch *origin)
{
    uint32_t clock_id = free_clock_before(origin);
    if (clock_id == NO_CLOCK_ID) {
        bool plenty = clock_ids.n >= PLENTY_OF_CLOCK_IDS && clock_ids.n_free;
        clock_id = plenty ? free_pop() : clock_add();
    }
    clock_ids.items[clock_id].is_free = false;
    return clock_id;
}

uint32_t clock_id_new(void)
{
    return clock_id_after(NULL);
}

void clock_id_free(uint32_t clock_id)
{
    if (clock_id >= clock_ids.n || clock_ids.items[clock_id].is_free)
        fatal("clock_id %u of the ordering checks is freed, but was not in use", clock_id);
    clock_ids.items[clock_id].is_free = true;
    free_push(clock_id);
}

/* ---- epochs ---------------------------------------------------------------------------------- */

/* Of the epochs that are news to a clock id, one that comes after all the others, or NULL. */
static const struct epoch *newest_of(const struct epoch *const *after, int n,
                                     const struct epoch *own)
{
    const struct epoch *newest = after[0];
    for (int i = 1; i < n; i++) {
        if (epoch_before(newest, after[i]))
            newest = after[i];
    }
    for (int i = 0; i < n; i++) {
        if (!epoch_before(after[i], newest))
            return NULL;
    }
    return own->seen == NULL || epoch_before(own, newest) ? newest : NULL;
}

static struct vclock *clock_after_one(const struct epoch *s)
{
    const struct epoch *last = &last_fork.origin;
    if (last->clock_id == s->clock_id && last->seq == s->seq && last_fork.clock)
        return clock_get(last_fork.clock);
    struct vclock *c = clock_new(s->seen, clock_room(0, s));
    c->known[s->clock_id] = s->seq;
    clock_put(last_fork.clock);
    last_fork.origin = (struct epoch){.clock_id = s->clock_id, .seq = s->seq};
    last_fork.clock = clock_get(c);
    return c;
}

static struct vclock *clock_after_all(const struct epoch *const *after, int n,
                                      const struct epoch *own)
{
    uint32_t room = 0;
    for (int i = 0; i < n; i++)
        room = clock_room(room, after[i]);
    struct vclock *c = clock_new(own->seen, room);
    for (int i = n; i-- > 0;) /* later ones tend to know the earlier ones */
        clock_learn(c, after[i]);
    return c;
}

struct epoch epoch_next(uint32_t clock_id)
{
    struct clock_state *l = &clock_ids.items[clock_id];
    l->until_seq = 0;
    return (struct epoch){.clock_id = clock_id, .seq = ++l->seq, .seen = clock_get(l->seen)};
}

struct epoch epoch_new(uint32_t clock_id, const struct epoch *const *after, int n_after)
{
    struct clock_state *l = &clock_ids.items[clock_id];
    struct epoch own = {.clock_id = clock_id, .seq = l->seq, .seen = l->seen};
    int news = 0;
    while (news < n_after && epoch_before(after[news], &own))
        news++;
    if (news < n_after) {
        const struct epoch *newest = newest_of(after + news, n_after - news, &own);
        struct vclock *c =
            newest ? clock_after_one(newest) : clock_after_all(after + news, n_after - news, &own);
        clock_put(l->seen);
        l->seen = c;
    }
    return epoch_next(clock_id);
}

void epoch_until(struct epoch *s, const struct epoch *end)
{
    struct clock_state *l = &clock_ids.items[s->clock_id];
    s->until_clock_id = l->until_clock_id = end->clock_id;
    s->until_seq = l->until_seq = end->seq;
}

struct epoch epoch_copy(const struct epoch *s)
{
    clock_get(s->seen);
    return *s;
}

void epoch_drop(struct epoch *s)
{
    clock_put(s->seen);
    *s = (struct epoch){.seq = 0};
}

void epoch_join(struct epoch *into, const struct epoch *s)
{
    if (epoch_before(s, into))
        return;
    struct epoch joined = epoch_new(into->clock_id, &s, 1);
    if (into->until_seq)
        epoch_until(&joined,
                    &(struct epoch){.clock_id = into->until_clock_id, .seq = into->until_seq});
    epoch_drop(into);
    *into = joined;
}

bool epoch_has_ended(const struct epoch *s)
{
    return s->seq <= epochs_ended[s->clock_id];
}

void epoch_learn(struct epoch *into, const struct epoch *s)
{
    struct clock_state *l = &clock_ids.items[into->clock_id];
    if (into->seq == 0 || epoch_before(s, into))
        return;
    struct vclock *c = clock_after_all(&s, 1, into);
    clock_put(into->seen);
    into->seen = c;
    if (l->seq != into->seq)
        return;
    clock_put(l->seen);
    l->seen = clock_get(c);
}

void epoch_join_beside(struct epoch *into, const struct epoch *s)
{
    struct clock_state *l = &clock_ids.items[into->clock_id];
    struct vclock *c = clock_new(l->seen, clock_room(0, s));
    clock_learn_seen(c, s);
    if (c->known[s->clock_id] < s->seq - 1)
        c->known[s->clock_id] = s->seq - 1;
    clock_put(l->seen);
    l->seen = c;
    clock_put(into->seen);
    into->seen = clock_get(c);
    into->seq = ++l->seq;
}

void epoch_advance(struct epoch *s)
{
    struct epoch next = epoch_next(s->clock_id);
    epoch_drop(s);
    *s = next;
}

void host_waited(const struct epoch *s)
{
    epoch_join(&host_epoch, s);
    host_learned(s);
}

void host_waited_beside(const struct epoch *s)
{
    epoch_join_beside(&host_epoch, s);
    epoch_join_beside(&access_epoch, s);
    simgpu_host.moment += HOST_MOMENT;
}

void host_learned(const struct epoch *s)
{
    if (epoch_before(s, &access_epoch))
        return;
    epoch_join(&access_epoch, s);
    simgpu_host.moment += HOST_MOMENT;
}

struct epoch host_acts(void)
{
    struct epoch now = epoch_next(host_epoch.clock_id);
    epoch_drop(&host_epoch);
    host_epoch = now;
    return (struct epoch){
        .clock_id = now.clock_id, .seq = now.seq, .seen = clock_get(access_epoch.seen)};
}

bool epoch_before(const struct epoch *a, const struct epoch *b)
{
    if (a->clock_id == b->clock_id)
        return a->seq <= b->seq;
    if (clock_knows(b->seen, a))
        return true;
    const struct epoch until = {.clock_id = a->until_clock_id, .seq = a->until_seq};
    return until.seq && epoch_before(&until, b);
}

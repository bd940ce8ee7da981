/*
 * history.c: for every byte of an allocation, who wrote it last and who has read it since.
 *
 * Bytes with the same story make one segment; the segments of an allocation lie side by side
 * without gaps, in a red-black tree. An operation splits those at the edges of its range, and what
 * has become equal is one segment again: a history is as long as its story is complicated, whatever
 * the size of the buffer.
 *
 * A later operation must come after the last write, and, to write, after every read since. Of reads
 * only those are kept that no other read comes after: whoever comes after the later one comes after
 * both. So the first race on a byte is always found, and after it each race with the last write and
 * the latest reads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hazard.h"

/* One operation, as long as a byte remembers it. */
struct touch {
    uint32_t refs;
    bool begins;       /* it made the memory, and wrote nothing */
    struct stamp stamp;
    const char *name;  /* its site, the name kept once for all */
    int stream, node;
    uint64_t index;
};

/* One of the reads since the last write. */
struct reader {
    struct touch *touch;
    struct reader *next; /* of a greater lane */
};

struct segment {
    RB_ENTRY(segment) by_address;
    uint64_t lo, hi;
    struct touch *writer;   /* NULL: nobody yet */
    struct reader *readers; /* no two in order */
};

RB_HEAD(segment_tree, segment);

struct history {
    struct segment_tree segments;
    struct segment *near;  /* the last one touched: the next access is often beside it */
    struct hazard_memory memory;
    bool initialised;
};

enum { MAX_HAZARDS = 16 };

/* One access under way, and what it has met. */
struct walk {
    struct history *history;
    struct touch *touch;
    enum simgpu_access mode;
    int n_hazards;
    struct hazard hazards[MAX_HAZARDS];
};

static int segment_compare(const struct segment *a, const struct segment *b)
{
    return a->lo < b->lo ? -1 : a->lo > b->lo;
}

RB_GENERATE(segment_tree, segment, by_address, segment_compare)

static void *must_alloc(size_t bytes)
{
    void *p = malloc(bytes);
    if (!p)
        fatal("out of memory for the ordering checks; run with SIMGPU_CHECKS=0 to go without");
    return p;
}

/* ---- touches --------------------------------------------------------------------------------- */

struct name {
    struct name *next;
    char text[sizeof((struct simgpu_site *)0)->name];
};

/* The one copy of a name. There are as many as a program has kernels and kinds of calls. */
static const char *name_keep(const char *text)
{
    enum { BUCKETS = 1024 };
    static struct name *names[BUCKETS];
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (const char *c = text; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    struct name **bucket = &names[(hash ^ hash >> 16) % BUCKETS];
    for (struct name *n = *bucket; n; n = n->next) {
        if (strcmp(n->text, text) == 0)
            return n->text;
    }
    struct name *n = must_alloc(sizeof *n);
    snprintf(n->text, sizeof n->text, "%s", text);
    n->next = *bucket;
    *bucket = n;
    return n->text;
}

static struct simgpu_site touch_site(const struct touch *t)
{
    struct simgpu_site site = {.stream = t->stream, .node = t->node, .index = t->index};
    snprintf(site.name, sizeof site.name, "%s", t->name);
    return site;
}

static void touch_put(struct touch *t)
{
    if (!t || --t->refs)
        return;
    order_drop(&t->stamp);
    free(t);
    check_counts.touches_alive--;
}

/* The newest: an operation with several ranges is one touch, so that its segments can be equal. */
static struct touch *recent;

static bool is_recent(const struct stamp *stamp, const struct simgpu_site *site)
{
    return recent && recent->stamp.lane == stamp->lane && recent->stamp.seq == stamp->seq &&
           recent->stream == site->stream && recent->node == site->node &&
           recent->index == site->index && strcmp(recent->name, site->name) == 0;
}

static struct touch *touch_new(const struct stamp *stamp, const struct simgpu_site *site)
{
    struct touch *t = must_alloc(sizeof *t);
    *t = (struct touch){.refs = 1, .stamp = order_copy(stamp), .name = name_keep(site->name),
                        .stream = site->stream, .node = site->node, .index = site->index};
    check_counts.touches_alive++;
    return t;
}

/* Lasts until the next call; whoever keeps it counts it. */
static struct touch *touch_of(const struct stamp *stamp, const struct simgpu_site *site)
{
    if (!is_recent(stamp, site)) {
        touch_put(recent);
        recent = touch_new(stamp, site);
    }
    return recent;
}

/* ---- readers --------------------------------------------------------------------------------- */

static void readers_free(struct reader **list)
{
    while (*list) {
        struct reader *r = *list;
        *list = r->next;
        touch_put(r->touch);
        free(r);
    }
}

static struct reader *readers_copy(const struct reader *from)
{
    struct reader *list = NULL, **end = &list;
    for (; from; from = from->next) {
        *end = must_alloc(sizeof **end);
        **end = (struct reader){.touch = from->touch};
        from->touch->refs++;
        end = &(*end)->next;
    }
    return list;
}

static bool readers_equal(const struct reader *a, const struct reader *b)
{
    while (a && b && a->touch == b->touch) {
        a = a->next;
        b = b->next;
    }
    return !a && !b;
}

/* Adds t in the place of those that it comes after. */
static void readers_add(struct reader **list, struct touch *t)
{
    struct reader **place = NULL;
    struct reader *mine = NULL;
    while (*list) {
        struct reader *r = *list;
        if (!place && r->touch->stamp.lane >= t->stamp.lane)
            place = list;
        if (!order_before(&r->touch->stamp, &t->stamp)) {
            list = &r->next;
            continue;
        }
        *list = r->next;
        touch_put(r->touch);
        free(mine);
        mine = r;
    }
    if (!place)
        place = list;
    if (!mine)
        mine = must_alloc(sizeof *mine);
    *mine = (struct reader){.touch = t, .next = *place};
    t->refs++;
    *place = mine;
}

/* ---- segments -------------------------------------------------------------------------------- */

static struct segment *segment_add(struct history *h, uint64_t lo, uint64_t hi)
{
    struct segment *s = must_alloc(sizeof *s);
    *s = (struct segment){.lo = lo, .hi = hi};
    RB_INSERT(segment_tree, &h->segments, s);
    check_counts.segments_alive++;
    return s;
}

static void segment_remove(struct history *h, struct segment *s)
{
    RB_REMOVE(segment_tree, &h->segments, s);
    if (h->near == s)
        h->near = NULL;
    touch_put(s->writer);
    readers_free(&s->readers);
    free(s);
    check_counts.segments_alive--;
}

static struct segment *segment_next(struct segment *s)
{
    check_counts.segments_visited++;
    return RB_NEXT(segment_tree, unused, s);
}

/* The one that holds this address, which is inside the allocation. */
static struct segment *segment_at(struct history *h, uint64_t address)
{
    struct segment *s = h->near;
    if (s && s->hi == address)
        s = segment_next(s);
    if (!s || address < s->lo || address >= s->hi)
        s = RB_ROOT(&h->segments);
    while (address < s->lo || address >= s->hi) {
        check_counts.segments_visited++;
        s = address < s->lo ? RB_LEFT(s, by_address) : RB_RIGHT(s, by_address);
    }
    return s;
}

/* Cuts s at `address`, inside it; returns the upper part. */
static struct segment *segment_split(struct history *h, struct segment *s, uint64_t address)
{
    uint64_t hi = s->hi;
    s->hi = address;
    struct segment *upper = segment_add(h, address, hi);
    upper->writer = s->writer;
    if (upper->writer)
        upper->writer->refs++;
    upper->readers = readers_copy(s->readers);
    return upper;
}

/* Makes neighbours with equal stories one; returns the segment that ends where `upper` did. */
static struct segment *segment_merge(struct history *h, struct segment *lower,
                                     struct segment *upper)
{
    if (!lower || !upper)
        return upper;
    if (lower->writer != upper->writer || !readers_equal(lower->readers, upper->readers))
        return upper;
    lower->hi = upper->hi;
    segment_remove(h, upper);
    return lower;
}

static struct segment *segment_previous(struct segment *s)
{
    check_counts.segments_visited++;
    return RB_PREV(segment_tree, unused, s);
}

/* ---- the checks ------------------------------------------------------------------------------ */

static void walk_begin(struct walk *w, struct history *h, enum simgpu_access mode,
                       struct touch *touch)
{
    w->history = h;
    w->touch = touch;
    w->mode = mode;
    w->n_hazards = 0;
}

static void walk_report(struct walk *w)
{
    for (int i = 0; i < w->n_hazards; i++)
        hazard_report(&w->hazards[i], &w->history->memory);
    w->n_hazards = 0;
}

/* Bytes [lo, hi) have met `other` (NULL: nothing was there to read); told once for all of such bytes. */
static void walk_meet(struct walk *w, enum hazard_kind kind, const struct touch *other,
                      uint64_t lo, uint64_t hi)
{
    struct simgpu_site mine = touch_site(w->touch);
    struct hazard z = {.kind = kind, .first = mine, .lo = lo, .hi = hi, .bytes = hi - lo};
    if (other) {
        z.first = touch_site(other);
        z.second = mine;
    }
    for (int i = 0; i < w->n_hazards; i++) {
        struct hazard *known = &w->hazards[i];
        if (known->kind != kind || known->first.stream != z.first.stream ||
            known->first.node != z.first.node || strcmp(known->first.name, z.first.name) != 0)
            continue;
        if (known->hi == lo)
            known->hi = hi;
        known->bytes += hi - lo;
        return;
    }
    if (w->n_hazards == MAX_HAZARDS)
        walk_report(w);
    w->hazards[w->n_hazards++] = z;
}

/* Bytes [lo, hi), all in s, are touched by w: who should have come before? */
static void walk_check(struct walk *w, const struct segment *s, uint64_t lo, uint64_t hi)
{
    const struct stamp *now = &w->touch->stamp;
    const struct touch *writer = s->writer;
    if (writer && !order_before(&writer->stamp, now)) {
        enum hazard_kind kind = writer->begins           ? HAZARD_USE_AFTER_ALLOC
                                : (w->mode & SIMGPU_READ) ? HAZARD_READ_AFTER_WRITE
                                                          : HAZARD_WRITE_AFTER_WRITE;
        walk_meet(w, kind, writer, lo, hi);
    }
    if ((w->mode & SIMGPU_READ) && !w->history->initialised && (!writer || writer->begins))
        walk_meet(w, HAZARD_NEVER_WRITTEN, NULL, lo, hi);
    if (!(w->mode & SIMGPU_WRITE))
        return;
    for (const struct reader *r = s->readers; r; r = r->next) {
        if (!order_before(&r->touch->stamp, now))
            walk_meet(w, HAZARD_WRITE_AFTER_READ, r->touch, lo, hi);
    }
}

/* ---- the accesses ---------------------------------------------------------------------------- */

/* The first segment of [lo, hi), with edges at lo and hi. */
static struct segment *cut_out(struct history *h, uint64_t lo, uint64_t hi)
{
    struct segment *first = segment_at(h, lo);
    if (first->lo < lo)
        first = segment_split(h, first, lo);
    struct segment *last = first->hi >= hi ? first : segment_at(h, hi - 1);
    if (last->hi > hi)
        segment_split(h, last, hi);
    return first;
}

static void walk_read(struct walk *w, uint64_t lo, uint64_t hi)
{
    struct history *h = w->history;
    struct segment *s = cut_out(h, lo, hi);
    struct segment *lower = segment_previous(s);
    while (s && s->lo < hi) {
        walk_check(w, s, s->lo, s->hi);
        readers_add(&s->readers, w->touch);
        lower = segment_merge(h, lower, s);
        s = segment_next(lower);
    }
    h->near = lower;
    segment_merge(h, lower, s);
}

static void walk_write(struct walk *w, uint64_t lo, uint64_t hi)
{
    struct history *h = w->history;
    struct segment *mine = cut_out(h, lo, hi);
    walk_check(w, mine, mine->lo, mine->hi);
    while (mine->hi < hi) {
        struct segment *s = segment_next(mine);
        walk_check(w, s, s->lo, s->hi);
        mine->hi = s->hi;
        segment_remove(h, s);
    }
    readers_free(&mine->readers);
    w->touch->refs++;
    touch_put(mine->writer);
    mine->writer = w->touch;
    mine = segment_merge(h, segment_previous(mine), mine);
    h->near = mine;
    segment_merge(h, mine, segment_next(mine));
}

void history_access(struct history *h, const struct access *a)
{
    if (!h)
        return;
    struct walk w;
    walk_begin(&w, h, a->mode, touch_of(a->stamp, a->site));
    uint64_t rows = a->rows > 1 ? a->rows : 1, width = a->hi > a->lo ? a->hi - a->lo : 0;
    if (a->pitch == width) {
        width *= rows;
        rows = 1;
    }
    for (uint64_t row = 0; row < rows && width; row++) {
        uint64_t lo = a->lo + row * a->pitch, hi = lo + width;
        if (lo < h->memory.lo)
            lo = h->memory.lo;
        if (hi > h->memory.hi)
            hi = h->memory.hi;
        if (lo >= hi)
            continue;
        if (a->mode & SIMGPU_WRITE)
            walk_write(&w, lo, hi);
        else
            walk_read(&w, lo, hi);
    }
    walk_report(&w);
}

struct history *history_new(uint64_t lo, uint64_t hi, bool initialised, const char *call,
                            uint64_t serial)
{
    struct history *h = must_alloc(sizeof *h);
    *h = (struct history){.memory = {.lo = lo, .hi = hi, .call = call, .serial = serial},
                          .initialised = initialised};
    RB_INIT(&h->segments);
    segment_add(h, lo, hi);
    return h;
}

void history_free(struct history *h)
{
    if (!h)
        return;
    struct segment *s = RB_MIN(segment_tree, &h->segments), *next;
    for (; s; s = next) {
        next = RB_NEXT(segment_tree, &h->segments, s);
        segment_remove(h, s);
    }
    free(h);
    touch_put(recent);
    recent = NULL;
}

void history_begin(struct history *h, const struct stamp *stamp, const struct simgpu_site *site)
{
    if (!h)
        return;
    struct segment *all = RB_ROOT(&h->segments);
    all->writer = touch_new(stamp, site);
    all->writer->begins = true;
}

void history_end(struct history *h, const struct stamp *stamp, const struct simgpu_site *site)
{
    if (!h)
        return;
    struct walk w;
    walk_begin(&w, h, SIMGPU_WRITE, touch_of(stamp, site));
    struct segment *s = RB_MIN(segment_tree, &h->segments);
    for (; s; s = segment_next(s)) {
        if (s->writer && !order_before(&s->writer->stamp, stamp))
            walk_meet(&w, HAZARD_FREE_AFTER_USE, s->writer, s->lo, s->hi);
        for (const struct reader *r = s->readers; r; r = r->next) {
            if (!order_before(&r->touch->stamp, stamp))
                walk_meet(&w, HAZARD_FREE_AFTER_USE, r->touch, s->lo, s->hi);
        }
    }
    walk_report(&w);
}

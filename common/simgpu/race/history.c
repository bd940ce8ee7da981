/*
 * history.c: the last writer of each byte of an allocation, and its readers since.
 *
 * Bytes with the same writer and readers make one segment. The segments of an allocation lie side
 * by side without gaps, in a red-black tree. An operation splits segments at the edges of its
 * range, and equal neighbors become one again. So the size of a history depends on the pattern of
 * accesses, not on the size of the buffer.
 *
 * A later operation must come after the last write. To write, it must also come after every read
 * since. A read is kept only while no later read comes after it: an operation that comes after the
 * later read comes after both. So the first race on a byte is always found, and then each race with
 * the last write and the latest reads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hazard.h"
#include "segment.h"

struct history {
    struct segment_map segments;
    struct simgpu_memory memory; /* for findings */
    bool initialised;            /* reading what nobody wrote is no mistake */
};

enum { MAX_HAZARDS = 16 };

/* One access under way, and what it has met. */
struct walk {
    struct history *history;
    struct touch *touch;
    enum simgpu_access mode;
    bool expected;  /* whether it reads what nobody wrote is seen when it happens */
    bool late;      /* others that come after it may have been told before it */
    bool overtaken; /* what comes after it has been told before it */
    uint64_t row;   /* where the row of the access begins */
    int n_hazards;
    struct hazard hazards[MAX_HAZARDS];
};

/* ---- the checks ------------------------------------------------------------------------------ */

static void walk_begin(struct walk *w, struct history *h, enum simgpu_access mode,
                       struct touch *touch)
{
    w->history = h;
    w->touch = touch;
    w->mode = mode;
    w->expected = w->late = w->overtaken = false;
    w->n_hazards = 0;
}

static void walk_report(struct walk *w)
{
    for (int i = 0; i < w->n_hazards; i++)
        hazard_report(&w->hazards[i], &w->history->memory);
    w->n_hazards = 0;
}

static bool is_of_unwritten(enum simgpu_what what)
{
    return what == SIMGPU_WHAT_READS_UNWRITTEN || what == SIMGPU_WHAT_READS_BEYOND;
}

/* The operation that wrote the bytes directly before s, if the same row of the access reads those,
   too; else NULL. */
static const struct touch *writer_before(const struct walk *w, struct segment *s)
{
    const struct segment *before = s->lo > w->row ? segment_previous(s) : NULL;
    return before && before->writer && !before->writer->begins ? before->writer : NULL;
}

/* The bytes of s have met `other` (NULL: nothing to read). Told once for all such bytes. */
static void walk_meet(struct walk *w, enum simgpu_what what, const struct touch *other,
                      const struct segment *s)
{
    uint64_t lo = s->lo, hi = s->hi;
    struct simgpu_site mine = touch_site(w->touch);
    struct hazard z = {.what = what, .first = mine, .lo = lo, .hi = hi, .bytes = hi - lo};
    if (what == SIMGPU_WHAT_READS_BEYOND) {
        z.second = touch_site(other);
    } else if (other) {
        z.first = touch_site(other);
        z.second = mine;
    }
    for (int i = 0; i < w->n_hazards; i++) {
        struct hazard *known = &w->hazards[i];
        if ((known->what != what && !(is_of_unwritten(known->what) && is_of_unwritten(what))) ||
            known->first.stream != z.first.stream || known->first.node != z.first.node ||
            known->first.graph != z.first.graph || strcmp(known->first.name, z.first.name) != 0)
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

static bool is_unwritten(const struct history *h, const struct segment *s)
{
    return !h->initialised && (!s->writer || s->writer->begins);
}

static void walk_meet_unwritten(struct walk *w, struct segment *s)
{
    const struct touch *before = writer_before(w, s);
    walk_meet(w, before ? SIMGPU_WHAT_READS_BEYOND : SIMGPU_WHAT_READS_UNWRITTEN, before, s);
}

/*
 * Is the access of w ordered with the earlier declared one, so that they are no race? Accesses are
 * usually declared in their order. An access that is declared late may also come before accesses
 * that were declared earlier. Atomic operations need no order with each other.
 */
static bool ordered(const struct walk *w, const struct touch *declared)
{
    const struct epoch *now = &w->touch->epoch;
    bool may_come_before = w->late || now->until_seq;
    return epoch_before(&declared->epoch, now) ||
           (may_come_before && epoch_before(now, &declared->epoch)) ||
           (declared->atomic && w->touch->atomic);
}

/* All of s is touched by w: who should have come before, and did not? */
static void walk_check(struct walk *w, struct segment *s)
{
    const struct touch *writer = s->writer;
    if (writer && !ordered(w, writer)) {
        enum simgpu_what what = writer->begins            ? SIMGPU_WHAT_USES_EARLY
                                : (w->mode & SIMGPU_READ) ? SIMGPU_WHAT_READS_EARLY
                                                          : SIMGPU_WHAT_BOTH_WRITE;
        walk_meet(w, what, writer, s);
    }
    if ((w->mode & SIMGPU_READ) && !w->expected && is_unwritten(w->history, s))
        walk_meet_unwritten(w, s);
    if (!(w->mode & SIMGPU_WRITE))
        return;
    for (const struct reader *r = s->readers; r; r = r->next) {
        if (!ordered(w, r->touch))
            walk_meet(w, SIMGPU_WHAT_OVERWRITES_EARLY, r->touch, s);
    }
}

/* A read is checked as a whole before it changes the segments: a finding names the last that wrote
 * before it. False: it does not read, and nothing is checked yet. */
static bool walk_check_read(struct walk *w, struct segment *first, uint64_t hi)
{
    if (!(w->mode & SIMGPU_READ))
        return false;
    for (struct segment *s = first; s && s->lo < hi; s = segment_next(s))
        walk_check(w, s);
    return true;
}

/* ---- the accesses ---------------------------------------------------------------------------- */

/* Only an operation that some segment remembers already can become equal to a neighbour. */
static bool is_remembered(const struct touch *t)
{
    return t->refs > 1; /* one is touch_of's */
}

static void walk_read(struct walk *w, uint64_t lo, uint64_t hi)
{
    struct segment_map *m = &w->history->segments;
    bool remembered = is_remembered(w->touch);
    struct segment *s = segment_cut(m, lo, hi);
    struct segment *lower = remembered ? segment_previous(s) : NULL;
    while (s && s->lo < hi) {
        walk_check(w, s);
        readers_add(&s->readers, w->touch);
        lower = segment_merge(m, lower, s);
        s = lower->hi < hi || remembered ? segment_next(lower) : NULL;
    }
    segment_mark(m, lower);
    segment_merge(m, lower, s);
}

static void walk_write(struct walk *w, uint64_t lo, uint64_t hi)
{
    struct segment_map *m = &w->history->segments;
    bool remembered = is_remembered(w->touch);
    struct segment *mine = segment_cut(m, lo, hi);
    const bool checked = walk_check_read(w, mine, hi);
    if (!checked)
        walk_check(w, mine);
    while (mine->hi < hi) {
        struct segment *s = segment_next(mine);
        if (!checked)
            walk_check(w, s);
        segment_swallow(m, mine, s);
    }
    readers_free(&mine->readers);
    w->touch->refs++;
    touch_put(mine->writer);
    mine->writer = w->touch;
    if (remembered)
        mine = segment_merge(m, segment_previous(mine), mine);
    segment_mark(m, mine);
    if (remembered)
        segment_merge(m, mine, segment_next(mine));
}

/* Calls walk for every row of the access that lies in the history. */
static void each_row(struct walk *w, const struct access *a,
                     void walk(struct walk *, uint64_t lo, uint64_t hi))
{
    const struct segment_map *m = &w->history->segments;
    uint64_t rows = a->rows > 1 ? a->rows : 1;
    uint64_t width = a->hi > a->lo ? a->hi - a->lo : 0;
    if (a->pitch == width) {
        width *= rows;
        rows = 1;
    }
    for (uint64_t row = 0; row < rows && width; row++) {
        uint64_t lo = a->lo + row * a->pitch, hi = lo + width;
        if (lo < m->lo)
            lo = m->lo;
        if (hi > m->hi)
            hi = m->hi;
        w->row = lo;
        if (lo < hi)
            walk(w, lo, hi);
    }
    walk_report(w);
}

static bool is_after(const struct touch *t, const struct epoch *s)
{
    return t && !epoch_before(&t->epoch, s) && epoch_before(s, &t->epoch);
}

/* Has anything been told of these bytes that comes after the walk's operation? */
static void walk_overtaken(struct walk *w, uint64_t lo, uint64_t hi)
{
    const struct epoch *now = &w->touch->epoch;
    for (struct segment *s = segment_cut(&w->history->segments, lo, hi); s && s->lo < hi;
         s = segment_next(s)) {
        w->overtaken = w->overtaken || is_after(s->writer, now);
        for (const struct reader *r = s->readers; r; r = r->next)
            w->overtaken = w->overtaken || is_after(r->touch, now);
    }
}

/* Checks; what has overtaken it stays what the bytes are remembered for. */
static void walk_late(struct walk *w, uint64_t lo, uint64_t hi)
{
    struct touch *t = w->touch;
    struct segment *first = segment_cut(&w->history->segments, lo, hi);
    const bool checked = walk_check_read(w, first, hi);
    for (struct segment *s = first; s && s->lo < hi; s = segment_next(s)) {
        if (!checked)
            walk_check(w, s);
        if (is_after(s->writer, &t->epoch))
            continue;
        if (w->mode & SIMGPU_WRITE) {
            readers_after(&s->readers, &t->epoch);
            touch_put(s->writer);
            s->writer = t;
            t->refs++;
        } else {
            readers_add(&s->readers, t);
        }
    }
}

void history_access(struct history *h, const struct access *a)
{
    if (!h)
        return;
    struct walk w;
    walk_begin(&w, h, a->mode, touch_of(a->epoch, a->site, a->mode == SIMGPU_ATOMIC));
    w.expected = a->expected;
    w.late = a->late;
    w.touch->origin = a->origin; /* the same for all of an operation's accesses */
    if (a->late)
        each_row(&w, a, walk_overtaken);
    if (w.overtaken) {
        each_row(&w, a, walk_late);
        return;
    }
    each_row(&w, a, a->mode & SIMGPU_WRITE ? walk_write : walk_read);
}

const struct epoch *history_writer(struct history *h, uint64_t at)
{
    const struct touch *t = h ? segment_cut(&h->segments, at, at + 1)->writer : NULL;
    return t && !t->begins ? &t->epoch : NULL;
}

static void walk_unwritten(struct walk *w, uint64_t lo, uint64_t hi)
{
    for (struct segment *s = segment_cut(&w->history->segments, lo, hi); s && s->lo < hi;
         s = segment_next(s))
        if (is_unwritten(w->history, s))
            walk_meet_unwritten(w, s);
}

void history_read_now(struct history *h, const struct access *a)
{
    if (!h || h->initialised)
        return;
    struct walk w;
    walk_begin(&w, h, a->mode, touch_of(a->epoch, a->site, false));
    each_row(&w, a, walk_unwritten);
}

/* ---- origins --------------------------------------------------------------------------------- */

/* What walk_origin adds up. */
struct sum {
    struct walk walk; /* first: each_row hands this on */
    struct origin origin;
    uint64_t by, every, gap;
};

static void walk_origin(struct walk *w, uint64_t lo, uint64_t hi)
{
    struct sum *sum = (struct sum *)w;
    for (struct segment *s = segment_cut(&w->history->segments, lo, hi); s && s->lo < hi;
         s = segment_next(s)) {
        const struct touch *t = s->writer;
        bool now = t && !t->begins && t->run == lineage_run();
        const uint64_t found = lineage_is_input(s->lo, s->hi) ? ORIGIN_INPUT : ORIGIN_OLD,
                       by = now ? t->origin.by : found;
        const uint64_t through = sum->origin.through & (now ? t->origin.through : 0);
        if (!sum->origin.by && now)
            sum->origin = t->origin;
        else if (!now || t->origin.serial != sum->origin.serial)
            sum->origin.serial = 0;
        sum->origin.through = through;
        sum->every &= by;
        sum->origin.by |= by;
        sum->origin.from |= now ? t->origin.from : found;
        if ((!by || (by & ~sum->by)) && s->lo < sum->gap)
            sum->gap = s->lo;
    }
}

struct origin history_origin(struct history *h, const struct access *a, uint64_t by,
                             uint64_t *every, uint64_t *gap)
{
    struct sum sum = {.walk = {.history = h},
                      .origin = {.through = UINT64_MAX},
                      .by = by,
                      .every = UINT64_MAX,
                      .gap = UINT64_MAX};
    if (h)
        each_row(&sum.walk, a, walk_origin);
    *gap = sum.gap;
    *every = sum.every;
    return sum.origin;
}

uint64_t history_unread(struct history *h, uint64_t lo, uint64_t hi)
{
    for (struct segment *s = segment_cut(&h->segments, lo, hi); s && s->lo < hi;
         s = segment_next(s)) {
        const struct reader *r = s->readers;
        while (r && r->touch->run != lineage_run())
            r = r->next;
        if (!r)
            return s->lo;
    }
    return hi;
}

static int by_serial(const void *a, const void *b)
{
    uint64_t x = ((const struct origin *)a)->serial, y = ((const struct origin *)b)->serial;
    return x < y ? -1 : x > y;
}

bool history_has_duplicates(struct history *h, uint64_t lo, uint64_t hi)
{
    struct origin *all = checks_alloc((h->segments.n + 2) * sizeof *all);
    size_t n = 0;
    for (struct segment *s = segment_cut(&h->segments, lo, hi); s && s->lo < hi;
         s = segment_next(s))
        if (s->writer && s->writer->origin.serial) {
            all[n] = s->writer->origin;
            all[n++].by = s->hi - s->lo; /* how many of its bytes are here */
        }
    qsort(all, n, sizeof *all, by_serial);
    bool found = false;
    uint64_t here = 0;
    for (size_t i = 0; i < n; i++) {
        here = i > 0 && all[i].serial == all[i - 1].serial ? here + all[i].by : all[i].by;
        found = found || here > all[i].bytes;
    }
    free(all);
    return found;
}

struct history *history_new(const struct simgpu_memory *memory, bool initialised)
{
    struct history *h = checks_alloc(sizeof *h);
    *h = (struct history){.memory = *memory, .initialised = initialised};
    map_init(&h->segments, memory->address, memory->address + memory->bytes);
    return h;
}

void history_free(struct history *h)
{
    if (!h)
        return;
    map_clear(&h->segments);
    free(h);
    touch_forget();
}

void history_assume_written(struct history *h)
{
    if (h)
        h->initialised = true;
}

void history_begin(struct history *h, const struct epoch *epoch, const struct simgpu_site *site)
{
    if (!h)
        return;
    struct segment *all = segment_first(&h->segments);
    all->writer = touch_new(epoch, site);
    all->writer->begins = true;
}

void history_end(struct history *h, const struct epoch *epoch, const struct simgpu_site *site)
{
    if (!h)
        return;
    struct walk w;
    walk_begin(&w, h, SIMGPU_WRITE, touch_of(epoch, site, false));
    struct segment *s = segment_first(&h->segments);
    for (; s; s = segment_next(s)) {
        if (s->writer && !epoch_before(&s->writer->epoch, epoch))
            walk_meet(&w, SIMGPU_WHAT_FREES_EARLY, s->writer, s);
        for (const struct reader *r = s->readers; r; r = r->next) {
            if (!epoch_before(&r->touch->epoch, epoch))
                walk_meet(&w, SIMGPU_WHAT_FREES_EARLY, r->touch, s);
        }
    }
    walk_report(&w);
}

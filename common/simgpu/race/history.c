/* history.c: the accesses to each byte of an allocation, as far as later ones may race with them.
 *
 * Bytes with the same accesses make one segment. The segments of an allocation lie side by side
 * without gaps, in a red-black tree. An operation splits segments at the edges of its range, and
 * equal neighbors become one again. So the size of a history depends on the pattern of accesses,
 * not on the size of the buffer.
 *
 * A later operation must come after the last write. To write, it must also come after every read
 * since. A read is kept only while no later read comes after it: an operation that comes after the
 * later read comes after both. So the first race on a byte is always found, and then each race with
 * the last write and the latest reads. To free memory is to read all of it, with which reads race,
 * too.
 *
 * A late access is declared after accesses that come after it. These may have superseded one that
 * it races with. So that one is kept until no such access can follow (late.c), and a late access is
 * compared with all of them. */
#include <stdlib.h>

#include "hazard.h"
#include "segment.h"

enum { MAX_HAZARDS = 16 };

/* One access under way, and what it has met. */
struct walk {
    struct history *history;
    struct touch *touch;
    enum simgpu_access mode;
    bool expected; /* whether it reads what nobody wrote is seen when it happens */
    bool late;     /* others that come after it may have been told before it */
    bool signals;  /* as in struct access, as also is */
    const struct epoch *also;
    uint64_t row, end; /* where the row of the access begins, and ends */
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
    w->expected = w->late = w->signals = false;
    w->also = NULL;
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

/* What happened if the second one of two accesses came first. */
static enum simgpu_what turned(enum simgpu_what what)
{
    return what == SIMGPU_WHAT_READS_EARLY        ? SIMGPU_WHAT_OVERWRITES_EARLY
           : what == SIMGPU_WHAT_OVERWRITES_EARLY ? SIMGPU_WHAT_READS_EARLY
                                                  : what;
}

static bool is_of_host(const struct touch *t)
{
    return t->of_host && t->stream < 0;
}

/* The bytes of s have met `other` (NULL: nothing to read). Told once for all such bytes. An access
 * by the host is always the second one: what is enqueued after it comes after it. */
static void walk_meet(struct walk *w, enum simgpu_what what, const struct touch *other,
                      const struct segment *s)
{
    uint64_t lo = s->lo > w->row ? s->lo : w->row, hi = s->hi < w->end ? s->hi : w->end;
    const uint64_t bytes = masks_meet(w->touch->mask, other ? other->mask : NULL, &lo, &hi);
    if (bytes == 0)
        return;
    struct simgpu_site mine = touch_site(w->touch);
    struct hazard z = {.what = what, .first = mine, .lo = lo, .hi = hi, .bytes = bytes};
    if (what == SIMGPU_WHAT_READS_BEYOND || (other && other->ends)) {
        z.second = touch_site(other);
    } else if (other && is_of_host(other)) {
        z.what = turned(what);
        z.second = touch_site(other);
        z.by_host = true;
    } else if (other) {
        z.first = touch_site(other);
        z.second = mine;
        z.by_host = is_of_host(w->touch);
    }
    for (int i = 0; i < w->n_hazards; i++) {
        struct hazard *known = &w->hazards[i];
        const bool unwritten = is_of_unwritten(known->what) && is_of_unwritten(what);
        if (!same_site(&known->first, &z.first) ||
            (!unwritten && (known->what != z.what || !same_site(&known->second, &z.second))))
            continue;
        if (known->hi == lo)
            known->hi = hi;
        known->bytes += bytes;
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

/* Is the access of w ordered with the earlier declared one, so that they are no race? Accesses are
 * usually declared in their order. An access that is declared late may also come before accesses
 * that were declared earlier. Atomic operations need no order with each other. Threads of the host
 * may have one that is not known; two host functions that take no lock have none. */
static bool ordered(const struct walk *w, const struct touch *declared)
{
    const struct epoch *now = &w->touch->epoch;
    bool may_come_before = w->late || now->until_seq;
    if (epoch_before(&declared->epoch, now) ||
        (may_come_before && epoch_before(now, &declared->epoch)))
        return true;
    if (declared->of_host && w->touch->of_host)
        return !declared->alone || !w->touch->alone;
    return (declared->atomic && w->touch->atomic) || (declared->of_host && w->signals) ||
           (w->also && epoch_before(&declared->epoch, w->also));
}

/* w accesses s, which `other` has written, allocated or freed. */
static void check_change(struct walk *w, const struct segment *s, const struct touch *other)
{
    if (ordered(w, other))
        return;
    const bool frees = other->ends || w->touch->ends, reads = w->mode & SIMGPU_READ;
    walk_meet(w,
              frees           ? SIMGPU_WHAT_FREES_EARLY
              : other->begins ? SIMGPU_WHAT_USES_EARLY
              : reads         ? SIMGPU_WHAT_READS_EARLY
                              : SIMGPU_WHAT_BOTH_WRITE,
              other, s);
}

static void check_kept(struct walk *w, const struct segment *s, const struct kept *k)
{
    if (k->wrote || k->touch->ends)
        check_change(w, s, k->touch);
    else if ((w->mode & SIMGPU_WRITE) && !ordered(w, k->touch))
        walk_meet(w, w->touch->ends ? SIMGPU_WHAT_FREES_EARLY : SIMGPU_WHAT_OVERWRITES_EARLY,
                  k->touch, s);
}

/* All of s is touched by w: who should have come before, and did not? What is superseded concerns
 * late accesses alone. */
static void walk_check(struct walk *w, struct segment *s)
{
    if (s->writer)
        check_change(w, s, s->writer);
    if ((w->mode & SIMGPU_READ) && !w->expected && is_unwritten(w->history, s))
        walk_meet_unwritten(w, s);
    if (!(w->mode & SIMGPU_WRITE) && !w->history->ended && !w->history->has_atomic &&
        !w->history->has_host && !w->late)
        return;
    if (w->late)
        kept_trim(&s->kept);
    for (const struct kept *k = s->kept; k; k = k->next)
        if (w->late || !k->until || k->until == UNDER_ATOMIC)
            check_kept(w, s, k);
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

static bool comes_after(const struct touch *t, const struct epoch *s)
{
    return t && !epoch_before(&t->epoch, s) && epoch_before(s, &t->epoch);
}

/* From now on, s is remembered for the access. */
static void remember(struct walk *w, struct segment *s)
{
    struct touch *t = w->touch;
    const bool writes = (w->mode & SIMGPU_WRITE) && !t->ends;
    if (w->late && comes_after(s->writer, &t->epoch)) {
        kept_superseded(&s->kept, t, writes, s->writer);
    } else if (!writes || t->of_host) {
        kept_read(&s->kept, t, writes);
    } else {
        kept_write(&s->kept, s->writer, t);
        t->refs++;
        touch_put(s->writer);
        s->writer = t;
    }
}

/* Only an operation that some segment remembers already can become equal to a neighbor. */
static bool is_remembered(const struct touch *t)
{
    return t->refs > 1; /* one is touch_of's */
}

/* Any access. */
static void walk_access(struct walk *w, uint64_t lo, uint64_t hi)
{
    struct segment_map *m = &w->history->segments;
    const bool may_be_equal = is_remembered(w->touch) || late_any();
    struct segment *s = segment_cut(m, lo, hi);
    const bool checked = (w->mode & SIMGPU_WRITE) && walk_check_read(w, s, hi);
    struct segment *lower = may_be_equal ? segment_previous(s) : NULL;
    while (s && s->lo < hi) {
        if (!checked)
            walk_check(w, s);
        remember(w, s);
        lower = segment_merge(m, lower, s);
        s = lower->hi < hi || may_be_equal ? segment_next(lower) : NULL;
    }
    segment_mark(m, lower);
    segment_merge(m, lower, s);
}

/* A write that supersedes all else, because no access is late. */
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
    kept_free(&mine->kept);
    w->touch->refs++;
    touch_put(mine->writer);
    mine->writer = w->touch;
    if (remembered)
        mine = segment_merge(m, segment_previous(mine), mine);
    segment_mark(m, mine);
    if (remembered)
        segment_merge(m, mine, segment_next(mine));
}

/* Any access that no later one can race with. */
static void walk_past(struct walk *w, uint64_t lo, uint64_t hi)
{
    for (struct segment *s = segment_at(&w->history->segments, lo); s && s->lo < hi;
         s = segment_next(s))
        walk_check(w, s);
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
        w->end = hi;
        if (lo < hi)
            walk(w, lo, hi);
    }
    walk_report(w);
}

void history_access(struct history *h, const struct access *a)
{
    if (!h)
        return;
    struct walk w;
    walk_begin(&w, h, a->mode, touch_of(a->epoch, a->site, a->mode == SIMGPU_ATOMIC, a->mask));
    w.expected = a->expected;
    w.late = a->late;
    w.signals = a->signals;
    w.also = a->also;
    w.touch->of_host = a->of_host;
    w.touch->alone = a->alone;
    w.touch->origin = a->origin; /* the same for all of an operation's accesses */
    const bool is_atomic = a->mode == SIMGPU_ATOMIC,
               supersedes_all = (a->mode & SIMGPU_WRITE) && !is_atomic && !a->late && !late_any();
    h->has_atomic |= is_atomic;
    h->has_host |= a->of_host && (a->mode & SIMGPU_WRITE);
    const bool is_past = is_of_host(w.touch) && !late_any();
    each_row(&w, a, is_past ? walk_past : supersedes_all ? walk_write : walk_access);
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
    walk_begin(&w, h, a->mode, touch_of(a->epoch, a->site, false, NULL));
    each_row(&w, a, walk_unwritten);
}

/* ---- origins --------------------------------------------------------------------------------- */

/* What was made of constants alone is constant, whenever that was. */
static bool is_constant(const struct touch *t)
{
    const uint64_t all = t->origin.by | t->origin.from;
    return (all & ORIGIN_CONSTANT) && !(all & (ORIGIN_INPUT | ORIGIN_HOST | ORIGIN_OLD));
}

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
        const uint64_t found = t && !t->begins && is_constant(t)
                                   ? ORIGIN_CONSTANT
                                   : lineage_unwritten(s->lo, s->hi, ORIGIN_OLD),
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
    struct touch *t = touch_new(epoch, site);
    t->ends = true;
    walk_begin(&w, h, SIMGPU_WRITE, t);
    w.row = h->segments.lo;
    w.end = h->segments.hi;
    walk_access(&w, h->segments.lo, h->segments.hi);
    walk_report(&w);
    touch_put(t);
    h->ended = true;
}

/* The free of the bytes of s, or NULL. */
static struct touch *end_of(const struct segment *s)
{
    const struct kept *k = s->kept;
    while (k && !k->touch->ends)
        k = k->next;
    return k ? k->touch : NULL;
}

bool history_ended_by(struct history *h, struct simgpu_site *site)
{
    const struct touch *end = h && h->ended ? end_of(segment_first(&h->segments)) : NULL;
    if (end)
        *site = touch_site(end);
    return end;
}

bool history_ended_before(struct history *h, const struct epoch *epoch)
{
    const struct touch *end = h->ended ? end_of(segment_first(&h->segments)) : NULL;
    return end && epoch_before(&end->epoch, epoch);
}

bool history_close(struct history *h)
{
    if (!h || !h->ended)
        return false;
    struct segment_map *m = &h->segments;
    struct touch *end = end_of(segment_first(m));
    if (late_any() || !end)
        return end;
    end->refs++;
    const uint64_t lo = m->lo, hi = m->hi;
    map_clear(m);
    map_init(m, lo, hi);
    kept_read(&segment_first(m)->kept, end, false);
    touch_put(end);
    return true;
}

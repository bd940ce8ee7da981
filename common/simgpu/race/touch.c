/* touch.c: the operations that histories remember, and the lists of those that bytes are remembered
 * for beside the last write. */
#include <stdio.h>
#include <string.h>

#include "segment.h"

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
    struct name *n = checks_alloc(sizeof *n);
    snprintf(n->text, sizeof n->text, "%s", text);
    n->next = *bucket;
    *bucket = n;
    return n->text;
}

/* ---- touches --------------------------------------------------------------------------------- */

static struct cells touch_cells = {.bytes = sizeof(struct touch)},
                    mask_cells = {.bytes = MASK_WORDS * sizeof(uint64_t)};

/* The newest: an operation with several ranges is one touch, so that its segments can be equal. */
static struct touch *recent;

struct touch *touch_new(const struct epoch *epoch, const struct simgpu_site *site)
{
    struct touch *t = cell_get(&touch_cells);
    *t = (struct touch){.refs = 1,
                        .epoch = epoch_copy(epoch),
                        .name = name_keep(site->name),
                        .stream = site->stream,
                        .node = site->node,
                        .graph = site->graph,
                        .index = site->index,
                        .nth = site->nth,
                        .is_early = site->is_early,
                        .of_setup = site->of_setup,
                        .pageable = (uint8_t)site->pageable,
                        .waits = site->waits,
                        .caller = site->caller,
                        .run = lineage_run()};
    check_counts.touches_alive++;
    return t;
}

void touch_put(struct touch *t)
{
    if (!t || --t->refs)
        return;
    epoch_drop(&t->epoch);
    if (t->mask)
        cell_put(&mask_cells, t->mask);
    cell_put(&touch_cells, t);
    check_counts.touches_alive--;
}

static bool is_recent(const struct epoch *epoch, const struct simgpu_site *site, bool atomic)
{
    return recent && !recent->mask && recent->atomic == atomic &&
           recent->epoch.clock_id == epoch->clock_id && recent->epoch.seq == epoch->seq &&
           recent->stream == site->stream && recent->node == site->node &&
           recent->graph == site->graph && recent->index == site->index &&
           recent->caller.at == site->caller.at && strcmp(recent->name, site->name) == 0;
}

struct touch *touch_of(const struct epoch *epoch, const struct simgpu_site *site, bool atomic,
                       const uint64_t *mask)
{
    if (mask || !is_recent(epoch, site, atomic)) {
        touch_put(recent);
        recent = touch_new(epoch, site);
        recent->atomic = atomic;
        if (mask)
            recent->mask = memcpy(cell_get(&mask_cells), mask, mask_cells.bytes);
    }
    return recent;
}

void touch_forget(void)
{
    touch_put(recent);
    recent = NULL;
}

struct simgpu_site touch_site(const struct touch *t)
{
    struct simgpu_site site = {.stream = t->stream,
                               .node = t->node,
                               .index = t->index,
                               .nth = t->nth,
                               .graph = t->graph,
                               .is_early = t->is_early,
                               .of_setup = t->of_setup,
                               .pageable = t->pageable,
                               .waits = t->waits,
                               .caller = t->caller};
    snprintf(site.name, sizeof site.name, "%s", t->name);
    return site;
}

/* ---- masks ----------------------------------------------------------------------------------- */

uint64_t masks_meet(const uint64_t *a, const uint64_t *b, uint64_t *lo, uint64_t *hi)
{
    if (!a && !b)
        return *hi - *lo;
    uint64_t n = 0, first = *lo, end = *lo;
    for (uint64_t at = *lo - *lo % 64; at < *hi; at += 64) {
        const size_t word = at % MASK_BYTES / 64;
        uint64_t bits = (a ? a[word] : UINT64_MAX) & (b ? b[word] : UINT64_MAX);
        if (at < *lo)
            bits &= UINT64_MAX << (*lo - at);
        if (*hi - at < 64)
            bits &= ~(UINT64_MAX << (*hi - at));
        if (bits && n == 0)
            first = end = at + (uint64_t)__builtin_ctzll(bits);
        if (at <= end && end < at + 64) { /* the first run may go on */
            const uint64_t others = ~(bits >> (end - at));
            end += others ? (uint64_t)__builtin_ctzll(others) : 64;
        }
        n += (uint64_t)__builtin_popcountll(bits);
    }
    *lo = first;
    *hi = end;
    return n;
}

/* Has a accessed all of the bytes of their segment that b has accessed? */
static bool covers(const struct touch *a, const struct touch *b)
{
    for (size_t i = 0; a->mask && i < MASK_WORDS; i++)
        if (!b->mask || (b->mask[i] & ~a->mask[i]))
            return false;
    return true;
}

/* ---- kept accesses --------------------------------------------------------------------------- */

static struct cells kept_cells = {.bytes = sizeof(struct kept)};

static void kept_insert(struct kept **place, struct touch *t, uint32_t until, bool wrote)
{
    struct kept *k = cell_get(&kept_cells);
    *k = (struct kept){.touch = t, .next = *place, .until = until, .wrote = wrote};
    t->refs++;
    *place = k;
}

static void kept_remove(struct kept **place)
{
    struct kept *k = *place;
    *place = k->next;
    touch_put(k->touch);
    cell_put(&kept_cells, k);
}

void kept_free(struct kept **list)
{
    while (*list)
        kept_remove(list);
}

/* The place behind those that are not superseded. */
static struct kept **superseded_of(struct kept **list)
{
    while (*list && !(*list)->until)
        list = &(*list)->next;
    return list;
}

void kept_trim(struct kept **list)
{
    list = superseded_of(list);
    while (*list) {
        if ((*list)->until != UNDER_ATOMIC && late_is_over((*list)->until))
            kept_remove(list);
        else
            list = &(*list)->next;
    }
}

/* `by` supersedes those under atomic ones: all of them, or those that it comes after and that race
 * with nothing that it does not race with. */
static void settle_under_atomic(struct kept **list, const struct touch *by, bool all)
{
    list = superseded_of(list);
    while (*list) {
        struct kept *k = *list;
        const bool stays = k->until != UNDER_ATOMIC || k->touch == by || !covers(by, k->touch) ||
                           (!all && (!epoch_before(&k->touch->epoch, &by->epoch) ||
                                     (by->atomic && !k->touch->atomic)));
        if (!stays && !late_may_miss(&k->touch->epoch, &by->epoch)) {
            kept_remove(list);
            continue;
        }
        if (!stays)
            k->until = late_latest();
        list = &k->next;
    }
}

void kept_superseded(struct kept **list, struct touch *t, bool wrote, const struct touch *by)
{
    const bool is_under = by->atomic && (!t->atomic || !epoch_before(&t->epoch, &by->epoch));
    if (!is_under && !late_may_miss(&t->epoch, &by->epoch))
        return;
    kept_trim(list);
    if (is_under)
        settle_under_atomic(list, t, false);
    list = superseded_of(list);
    while (*list &&
           (!epoch_is(&(*list)->touch->epoch, &t->epoch) || (*list)->touch->mask != t->mask))
        list = &(*list)->next;
    if (!*list)
        kept_insert(list, t, 0, wrote);
    if ((*list)->until != UNDER_ATOMIC)
        (*list)->until = is_under ? UNDER_ATOMIC : late_latest();
    (*list)->wrote |= wrote;
}

/* Removes the one at *place, which `by` supersedes. */
static void supersede(struct kept **place, const struct touch *by)
{
    struct touch *t = (*place)->touch;
    const bool wrote = (*place)->wrote;
    t->refs++;
    kept_remove(place);
    if (t != by)
        kept_superseded(place, t, wrote, by);
    touch_put(t);
}

/* An access of the host does not supersede one of an operation: history_unread asks for these. */
void kept_read(struct kept **list, struct touch *t, bool wrote)
{
    struct kept **place = NULL;
    while (*list && !(*list)->until) {
        if (!place && (*list)->touch->epoch.clock_id >= t->epoch.clock_id)
            place = list;
        if (epoch_before(&(*list)->touch->epoch, &t->epoch) && (t->ends || !(*list)->touch->ends) &&
            (!t->of_host || (*list)->touch->of_host) && (wrote || t->ends || !(*list)->wrote) &&
            covers(t, (*list)->touch))
            supersede(list, t);
        else
            list = &(*list)->next;
    }
    kept_insert(place ? place : list, t, 0, wrote);
}

/* A free that has no order with a write stays: other accesses may be unordered with it, too. */
static bool outlives(const struct touch *t, const struct touch *by)
{
    return t != by && (epoch_before(&by->epoch, &t->epoch) ||
                       (t->ends && !epoch_before(&t->epoch, &by->epoch)));
}

void kept_write(struct kept **list, struct touch *writer, struct touch *by)
{
    struct kept **at = list;
    while (*at && !(*at)->until) {
        if (outlives((*at)->touch, by))
            at = &(*at)->next;
        else
            supersede(at, by);
    }
    if (writer && writer != by)
        kept_superseded(at, writer, true, by);
    if (!by->atomic)
        settle_under_atomic(at, by, true);
}

void kept_copy(struct kept **list, const struct kept *from)
{
    for (; from; from = from->next) {
        kept_insert(list, from->touch, from->until, from->wrote);
        list = &(*list)->next;
    }
}

bool kept_equal(const struct kept *a, const struct kept *b)
{
    while (a && b && a->touch == b->touch && a->until == b->until && a->wrote == b->wrote) {
        a = a->next;
        b = b->next;
    }
    return !a && !b;
}

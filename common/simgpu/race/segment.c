/* segment.c: the segments of an allocation in a red-black tree, with a way to find most of them
 * without a walk from its root; and the memory that touches, readers and segments come from. */
#include <stdlib.h>

#include "segment.h"

/* ---- memory ---------------------------------------------------------------------------------- */

enum { CELLS_A_CHUNK = 512, CACHE_LINE = 64 };

void *checks_alloc(size_t bytes)
{
    return checks_need(malloc(bytes));
}

#ifdef __SANITIZE_ADDRESS__ /* which sees more of cells that come and go one by one */

void *cell_get(struct cells *c)
{
    return checks_alloc(c->bytes);
}

void cell_put(struct cells *c, void *cell)
{
    (void)c;
    free(cell);
}

#else

void *cell_get(struct cells *c)
{
    if (!c->free) {
        if (c->left == 0) {
            c->chunk = checks_need(aligned_alloc(CACHE_LINE, CELLS_A_CHUNK * c->bytes));
            c->left = CELLS_A_CHUNK;
        }
        return c->chunk + --c->left * c->bytes;
    }
    void *cell = c->free;
    c->free = *(void **)cell;
    return cell;
}

void cell_put(struct cells *c, void *cell)
{
    *(void **)cell = c->free;
    c->free = cell;
}

#endif

/* ---- the tree -------------------------------------------------------------------------------- */

/* How far segment_at looks around; a walk from the root costs about WALK_COST steps. */
enum { STEPS_FROM_NEAR = 4, WALK_COST = 16, MAX_SLOTS_A_SEGMENT = 8 };

static struct cells segment_cells = {.bytes = sizeof(struct segment)};

static int segment_compare(const struct segment *a, const struct segment *b)
{
    return a->lo < b->lo ? -1 : a->lo > b->lo;
}

RB_GENERATE(segment_tree, segment, by_address, segment_compare)

struct segment *segment_first(struct segment_map *m)
{
    return RB_MIN(segment_tree, &m->tree);
}

/* RB_NEXT and RB_PREV do not use their second argument, the tree. */
struct segment *segment_next(struct segment *s)
{
    check_counts.segments_visited++;
    return RB_NEXT(segment_tree, NULL, s);
}

struct segment *segment_previous(struct segment *s)
{
    check_counts.segments_visited++;
    return RB_PREV(segment_tree, NULL, s);
}

static struct segment **near_slot(struct segment_map *m, uint64_t address)
{
    return &m->near[(address - m->lo) >> m->slot_shift];
}

void segment_mark(struct segment_map *m, struct segment *s)
{
    *near_slot(m, s->lo) = s;
}

/* More and smaller slots. */
static void near_grow(struct segment_map *m)
{
    do
        m->n_slots = m->n_slots ? 2 * m->n_slots : 1;
    while (m->n_slots < m->n / 2);
    m->n_walks = 0;
    m->slot_shift = 0;
    while ((m->hi - m->lo) >> m->slot_shift >= m->n_slots)
        m->slot_shift++;
    free(m->near);
    m->near = checks_need(calloc(m->n_slots, sizeof *m->near));
    for (struct segment *s = segment_first(m); s; s = segment_next(s))
        segment_mark(m, s);
}

static struct segment *segment_new(struct segment_map *m, uint64_t lo, uint64_t hi)
{
    struct segment *s = cell_get(&segment_cells);
    *s = (struct segment){.lo = lo, .hi = hi};
    m->n++;
    check_counts.segments_alive++;
    return s;
}

static void segment_free(struct segment_map *m, struct segment *s)
{
    touch_put(s->writer);
    kept_free(&s->kept);
    cell_put(&segment_cells, s);
    m->n--;
    check_counts.segments_alive--;
}

/* Cuts s at `address`, inside it; returns the upper part. */
static struct segment *segment_split(struct segment_map *m, struct segment *s, uint64_t address)
{
    struct segment *upper = segment_new(m, address, s->hi);
    s->hi = address;
    upper->writer = s->writer;
    if (upper->writer)
        upper->writer->refs++;
    kept_copy(&upper->kept, s->kept);

    struct segment *parent = s; /* its place is known: RB_INSERT would look for it from the root */
    if (RB_RIGHT(s, by_address)) {
        parent = RB_NEXT(segment_tree, &m->tree, s);
        RB_LEFT(parent, by_address) = upper;
    } else {
        RB_RIGHT(s, by_address) = upper;
    }
    RB_SET(upper, parent, by_address);
    segment_tree_RB_INSERT_COLOR(&m->tree, upper);
    if (!*near_slot(m, address))
        segment_mark(m, upper);
    return upper;
}

/* From the root. Slots that led nowhere so often that new ones cost less are made smaller. */
static struct segment *segment_walk_to(struct segment_map *m, uint64_t address)
{
    m->n_walks++;
    if (m->n_slots < MAX_SLOTS_A_SEGMENT * m->n && WALK_COST * m->n_walks > m->n + m->n_slots)
        near_grow(m);
    struct segment *s = RB_ROOT(&m->tree);
    while (address < s->lo || address >= s->hi) {
        check_counts.segments_visited++;
        s = address < s->lo ? RB_LEFT(s, by_address) : RB_RIGHT(s, by_address);
    }
    return s;
}

struct segment *segment_at(struct segment_map *m, uint64_t address)
{
    struct segment *s = *near_slot(m, address);
    for (int steps = 0; s && steps < STEPS_FROM_NEAR; steps++) {
        if (address >= s->lo && address < s->hi)
            return s;
        s = address < s->lo ? segment_previous(s) : segment_next(s);
    }
    return segment_walk_to(m, address);
}

struct segment *segment_cut(struct segment_map *m, uint64_t lo, uint64_t hi)
{
    struct segment *first = segment_at(m, lo);
    if (first->lo < lo)
        first = segment_split(m, first, lo);
    struct segment *last = first->hi >= hi ? first : segment_at(m, hi - 1);
    if (last->hi > hi)
        segment_split(m, last, hi);
    return first;
}

void segment_swallow(struct segment_map *m, struct segment *lower, struct segment *upper)
{
    lower->hi = upper->hi;
    RB_REMOVE(segment_tree, &m->tree, upper);
    struct segment **slot = near_slot(m, upper->lo);
    if (*slot == upper)
        *slot = NULL;
    segment_free(m, upper);
}

struct segment *segment_merge(struct segment_map *m, struct segment *lower, struct segment *upper)
{
    if (!lower || !upper || lower->writer != upper->writer)
        return upper;
    kept_trim(&lower->kept);
    kept_trim(&upper->kept);
    if (!kept_equal(lower->kept, upper->kept))
        return upper;
    segment_swallow(m, lower, upper);
    return lower;
}

void map_init(struct segment_map *m, uint64_t lo, uint64_t hi)
{
    *m = (struct segment_map){.lo = lo, .hi = hi};
    RB_INIT(&m->tree);
    RB_INSERT(segment_tree, &m->tree, segment_new(m, lo, hi));
    near_grow(m);
}

void map_clear(struct segment_map *m)
{
    struct segment *s = segment_first(m), *next;
    for (; s; s = next) {
        next = segment_next(s);
        RB_REMOVE(segment_tree, &m->tree, s);
        segment_free(m, s);
    }
    free(m->near);
}

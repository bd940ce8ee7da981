/* test_order_model.c: the ordering checks against a slow and simple model, on thousands of small
 * random programs: operations in clock ids, waits between them, a host that waits too, clock ids
 * that come and go, ranges of a few bytes in two allocations. The model knows every edge, closes
 * them transitively, and keeps for every byte the list of all that touched it. */
#include "order_inside.h"

enum {
    PROGRAMS = 6000,
    MAX_NODES = 48, /* operations, and moments of the host */
    MAX_LANES = 6,
    BYTES = 24, /* of an allocation */
    ALLOCATIONS = 2,
    MAX_TOUCHES = 3 * MAX_NODES,
    MAX_PAIRS = 256
};

static const uint64_t base[ALLOCATIONS] = {1 << 20, (1 << 20) + 4096};

/* ---- the program ----------------------------------------------------------------------------- */

struct touching {
    int node, allocation;
    uint64_t lo, width, rows, pitch; /* lo from the start of the allocation; may leave it */
    enum simgpu_access mode;
};

struct program {
    uint64_t random;
    int n_nodes;
    struct epoch epochs[MAX_NODES];
    bool edge[MAX_NODES][MAX_NODES]; /* [a][b]: a comes before b; after close(), transitively */
    struct {
        uint32_t clock_id;
        int last;        /* node, or -1 */
        bool after_host; /* it took over a clock id: its first operation must come after the host */
    } clock_ids[MAX_LANES];
    int n_clock_ids;
    struct epoch host;
    int host_node;
    struct history *histories[ALLOCATIONS];
    bool initialised[ALLOCATIONS];
    int begun_by[ALLOCATIONS]; /* node, or -1 */
    struct touching touches[MAX_TOUCHES];
    int n_touches;
};

static struct simgpu_site site_of_node(int node)
{
    struct simgpu_site site = {.stream = 1 + node % 3, .node = -1, .index = (uint64_t)node};
    snprintf(site.name, sizeof site.name, "op%d", node);
    return site;
}

static void clock_begin(struct program *p)
{
    bool anew = chance(&p->random, 5);
    p->clock_ids[p->n_clock_ids].clock_id = anew ? clock_id_new() : clock_id_after(&p->host);
    p->clock_ids[p->n_clock_ids].after_host = !anew;
    p->clock_ids[p->n_clock_ids++].last = -1;
}

static void lane_end(struct program *p, int i)
{
    clock_id_free(p->clock_ids[i].clock_id);
    p->clock_ids[i] = p->clock_ids[--p->n_clock_ids];
}

static int add_op(struct program *p)
{
    int me = p->n_nodes++, l = (int)below(&p->random, (uint32_t)p->n_clock_ids), n = 0;
    const struct epoch *after[8];
    int last = p->clock_ids[l].last;
    if (last >= 0)
        p->edge[last][me] = true;
    if (last >= 0 && chance(&p->random, 70))
        after[n++] = &p->epochs[last];
    if ((p->clock_ids[l].after_host && last < 0) || chance(&p->random, 60)) {
        after[n++] = &p->host;
        p->edge[p->host_node][me] = true;
    }
    for (uint32_t waits = below(&p->random, 3); waits && me; waits--) {
        int other = (int)below(&p->random, (uint32_t)me);
        after[n++] = &p->epochs[other];
        p->edge[other][me] = true;
    }
    p->epochs[me] = epoch_new(p->clock_ids[l].clock_id, after, n);
    p->clock_ids[l].last = me;
    return me;
}

static void touch_something(struct program *p, int node)
{
    struct touching t = {.node = node, .allocation = (int)below(&p->random, ALLOCATIONS)};
    t.lo = below(&p->random, BYTES);
    t.width = chance(&p->random, 10) ? BYTES : below(&p->random, 8);
    t.rows = chance(&p->random, 25) ? 1 + below(&p->random, 4) : below(&p->random, 2);
    t.pitch = t.width + below(&p->random, 4);
    t.mode = (enum simgpu_access)(1 + below(&p->random, 3));
    if (chance(&p->random, 5))
        t.width = t.pitch = BYTES, t.lo = 0;
    p->touches[p->n_touches++] = t;
    struct simgpu_site site = site_of_node(node);
    uint64_t lo = base[t.allocation] + t.lo;
    history_access(p->histories[t.allocation], &(struct access){.lo = lo,
                                                                .hi = lo + t.width,
                                                                .rows = t.rows,
                                                                .pitch = t.pitch,
                                                                .mode = t.mode,
                                                                .epoch = &p->epochs[node],
                                                                .site = &site});
}

/* Edges lead from smaller nodes to greater ones. */
static bool leads_to(const struct program *p, int a, int b)
{
    for (int next = a + 1; next <= b; next++) {
        if (p->edge[a][next] && leads_to(p, next, b))
            return true;
    }
    return a == b;
}

/* A moment of its own if it is news to the host. */
static void host_waits(struct program *p)
{
    int other = (int)below(&p->random, (uint32_t)p->n_nodes), me = p->n_nodes;
    epoch_join(&p->host, &p->epochs[other]);
    if (leads_to(p, other, p->host_node))
        return;
    p->n_nodes++;
    p->edge[p->host_node][me] = p->edge[other][me] = true;
    p->epochs[me] = epoch_copy(&p->host);
    p->host_node = me;
}

static void make_allocation(struct program *p, int i)
{
    p->initialised[i] = chance(&p->random, 50);
    p->histories[i] = history_new(
        &(struct simgpu_memory){
            .address = base[i], .bytes = BYTES, .serial = (uint64_t)i, .call = "cudaMalloc"},
        p->initialised[i]);
    p->begun_by[i] = -1;
    if (chance(&p->random, 25)) {
        int node = p->begun_by[i] = add_op(p);
        struct simgpu_site site = site_of_node(node);
        history_begin(p->histories[i], &p->epochs[node], &site);
    }
}

/* `host` lives from program to program, and knows all that the former ones did. */
static void program_run(struct program *p, uint64_t seed, const struct epoch *host)
{
    *p = (struct program){.random = seed * 0x9E3779B97F4A7C15u + 1, .n_nodes = 1};
    p->host = epoch_copy(host);
    p->epochs[0] = epoch_copy(host);
    for (uint32_t n = 2 + below(&p->random, 3); n; n--)
        clock_begin(p);
    for (int i = 0; i < ALLOCATIONS; i++)
        make_allocation(p, i);
    for (uint32_t n = 4 + below(&p->random, 14); n; n--) {
        int op = add_op(p);
        for (uint32_t touches = below(&p->random, 4); touches; touches--)
            touch_something(p, op);
        if (chance(&p->random, 15))
            host_waits(p);
        if (chance(&p->random, 10) && p->n_clock_ids > 1)
            lane_end(p, (int)below(&p->random, (uint32_t)p->n_clock_ids));
        if (chance(&p->random, 10) && p->n_clock_ids < MAX_LANES)
            clock_begin(p);
    }
}

static void program_end(struct program *p, struct epoch *host)
{
    epoch_join(host, &p->host);
    for (int i = 0; i < p->n_nodes; i++) {
        epoch_join(host, &p->epochs[i]);
        epoch_drop(&p->epochs[i]);
    }
    epoch_drop(&p->host);
    while (p->n_clock_ids)
        lane_end(p, 0);
    for (int i = 0; i < ALLOCATIONS; i++)
        history_free(p->histories[i]);
}

static void close_edges(struct program *p)
{
    for (int i = 0; i < p->n_nodes; i++)
        p->edge[i][i] = true;
    for (int k = 0; k < p->n_nodes; k++)
        for (int i = 0; i < p->n_nodes; i++)
            for (int j = 0; p->edge[i][k] && j < p->n_nodes; j++)
                p->edge[i][j] |= p->edge[k][j];
}

/* ---- the model ------------------------------------------------------------------------------- */

struct byte {
    int writer; /* the last write: node, or -1 */
    bool written;
    bool read[MAX_NODES];                             /* since the last write, by node */
    bool all_read[MAX_NODES], all_written[MAX_NODES]; /* ever */
    bool told;                                        /* a race here was found */
};

/* What one touch found about one other operation. */
struct pair {
    enum simgpu_finding_kind kind;
    enum simgpu_what what;
    int first, second; /* second -1: an uninitialized read */
    int touch;         /* which of the program's */
    uint64_t address, bytes;
};

struct model {
    struct byte bytes[ALLOCATIONS][BYTES];
    struct pair pairs[16 * MAX_TOUCHES];
    int n_pairs;
    struct pair found[MAX_PAIRS]; /* pairs of one kind and the same operations are one */
    uint64_t counts[MAX_PAIRS];
    int n_found;
};

static void model_meet(struct model *m, struct pair new)
{
    for (int i = 0; i < m->n_pairs; i++) {
        struct pair *p = &m->pairs[i];
        if (p->touch == new.touch && p->what == new.what && p->first == new.first) {
            p->bytes++;
            return;
        }
    }
    m->pairs[m->n_pairs++] = new;
}

/* Does another read since the last write come after this one? Then that one stands for it. */
static bool stood_for(const struct program *p, const struct byte *b, int reader)
{
    for (int r = 0; r < p->n_nodes; r++) {
        if (b->read[r] && r != reader && p->edge[reader][r])
            return true;
    }
    return false;
}

static void model_byte(const struct program *p, struct model *m, int touch, uint64_t at)
{
    const struct touching *t = &p->touches[touch];
    struct byte *b = &m->bytes[t->allocation][at];
    struct pair new = {.kind = SIMGPU_RACE,
                       .second = t->node,
                       .touch = touch,
                       .address = base[t->allocation] + at,
                       .bytes = 1};
    if (b->writer >= 0 && !p->edge[b->writer][t->node]) {
        new.first = b->writer;
        new.what = !b->written               ? SIMGPU_WHAT_USES_EARLY
                   : (t->mode & SIMGPU_READ) ? SIMGPU_WHAT_READS_EARLY
                                             : SIMGPU_WHAT_BOTH_WRITE;
        b->told = true;
        model_meet(m, new);
    }
    if ((t->mode & SIMGPU_READ) && !b->written && !p->initialised[t->allocation])
        model_meet(m, (struct pair){.kind = SIMGPU_UNINITIALIZED_READ,
                                    .what = SIMGPU_WHAT_READS_UNWRITTEN,
                                    .first = t->node,
                                    .second = -1,
                                    .touch = touch,
                                    .address = new.address,
                                    .bytes = 1});
    for (int r = 0; (t->mode & SIMGPU_WRITE) && r < p->n_nodes; r++) {
        if (!b->read[r] || p->edge[r][t->node] || stood_for(p, b, r))
            continue;
        new.first = r;
        new.what = SIMGPU_WHAT_OVERWRITES_EARLY;
        b->told = true;
        model_meet(m, new);
    }
    if (t->mode & SIMGPU_WRITE) {
        b->writer = t->node;
        b->written = b->all_written[t->node] = true;
        memset(b->read, 0, sizeof b->read);
    } else {
        b->read[t->node] = true;
    }
    if (t->mode & SIMGPU_READ)
        b->all_read[t->node] = true;
}

static void model_run(const struct program *p, struct model *m)
{
    memset(m, 0, sizeof *m);
    for (int i = 0; i < ALLOCATIONS; i++) {
        for (int at = 0; at < BYTES; at++)
            m->bytes[i][at].writer = p->begun_by[i];
    }
    for (int i = 0; i < p->n_touches; i++) {
        const struct touching *t = &p->touches[i];
        for (uint64_t row = 0; row < (t->rows ? t->rows : 1); row++) {
            for (uint64_t x = 0; x < t->width; x++) {
                uint64_t at = t->lo + row * t->pitch + x;
                if (at < BYTES)
                    model_byte(p, m, i, at);
            }
        }
    }
    for (int i = 0; i < m->n_pairs; i++) {
        const struct pair *p = &m->pairs[i];
        int f = 0;
        while (f < m->n_found && (m->found[f].kind != p->kind || m->found[f].first != p->first ||
                                  m->found[f].second != p->second))
            f++;
        if (f == m->n_found)
            m->found[m->n_found++] = *p;
        m->counts[f]++;
    }
}

/* Two that touch the byte, one writing, in no order: then, and only then, something was told. */
static bool byte_has_race(const struct program *p, const struct byte *b, int begun_by)
{
    for (int i = 0; i < p->n_nodes; i++) {
        for (int j = 0; j < i; j++) {
            bool both = (b->all_written[i] && (b->all_written[j] || b->all_read[j])) ||
                        (b->all_read[i] && b->all_written[j]) ||
                        (j == begun_by && (b->all_read[i] || b->all_written[i]));
            if (both && !p->edge[i][j] && !p->edge[j][i])
                return true;
        }
    }
    return false;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static void compare_order(const struct program *p, int seed)
{
    for (int a = 0; a < p->n_nodes; a++) {
        for (int b = 0; b < p->n_nodes; b++)
            cr_assert_eq(epoch_before(&p->epochs[a], &p->epochs[b]), p->edge[a][b],
                         "program %d: is %d before %d?", seed, a, b);
    }
}

static void compare_findings(const struct model *m, int seed)
{
    static struct simgpu_finding found[256];
    size_t n = simgpu_findings(found, 256);
    cr_assert_eq(n, (size_t)m->n_found, "program %d: %zu findings, not %d", seed, n, m->n_found);
    for (int i = 0; i < m->n_found; i++) {
        const struct pair *want = &m->found[i];
        const struct simgpu_finding *f = NULL;
        for (size_t k = 0; k < n && !f; k++) {
            const struct simgpu_finding *g = &found[k];
            if (g->kind == want->kind && g->first.index == (uint64_t)want->first &&
                (want->second < 0 || g->second.index == (uint64_t)want->second))
                f = g;
        }
        cr_assert(f, "program %d: nothing found about %d and %d", seed, want->first, want->second);
        cr_assert_eq(f->count, m->counts[i], "program %d: %s", seed, finding_text(f));
        cr_assert(f->what == want->what || (want->what == SIMGPU_WHAT_READS_UNWRITTEN &&
                                            f->what == SIMGPU_WHAT_READS_BEYOND),
                  "program %d: %s", seed, finding_text(f));
        cr_assert_eq(f->address, want->address, "program %d: %s", seed, finding_text(f));
        cr_assert_eq(f->bytes, want->bytes, "program %d: %s", seed, finding_text(f));
    }
}

/* Side by side, no two neighbours with the same story, and every slot leads where it should. */
static void check_segments(struct segment_map *m, int seed)
{
    size_t n = 0;
    uint64_t at = m->lo;
    struct segment *before = NULL;
    for (struct segment *s = segment_first(m); s; before = s, s = segment_next(s), n++) {
        cr_assert(s->lo == at && s->hi > at, "program %d: a gap at %zu", seed, (size_t)at);
        cr_assert(!before || before->writer != s->writer || !kept_equal(before->kept, s->kept),
                  "program %d: two segments of one story at %zu", seed, (size_t)(at - m->lo));
        at = s->hi;
    }
    cr_assert_eq(at, m->hi);
    cr_assert_eq(n, m->n);
    for (size_t i = 0; i < m->n_slots; i++) {
        struct segment *s = m->near[i];
        cr_assert(!s || near_slot(m, s->lo) == &m->near[i]);
        cr_assert(!s || segment_walk_to(m, s->lo) == s);
    }
}

Test(order_model, every_program_has_the_findings_of_the_model)
{
    setenv("SIMGPU_REPORT", "0", 1);
    static struct program p;
    static struct model m;
    struct epoch host = epoch_new(clock_id_new(), NULL, 0);
    int races = 0, uninitialized = 0, clean = 0;
    for (int seed = 1; seed <= PROGRAMS; seed++) {
        program_run(&p, (uint64_t)seed, &host);
        close_edges(&p);
        compare_order(&p, seed);
        model_run(&p, &m);
        compare_findings(&m, seed);
        for (int i = 0; i < ALLOCATIONS; i++) {
            for (int at = 0; at < BYTES; at++)
                cr_assert_eq(m.bytes[i][at].told, byte_has_race(&p, &m.bytes[i][at], p.begun_by[i]),
                             "program %d: byte %d of allocation %d", seed, at, i);
            check_segments(&p.histories[i]->segments, seed);
        }
        for (int i = 0; i < m.n_found; i++)
            *(m.found[i].kind == SIMGPU_RACE ? &races : &uninitialized) += 1;
        clean += m.n_found == 0;
        program_end(&p, &host);
        simgpu_findings_clear();
        cr_assert_eq(check_counts.touches_alive, 0);
        cr_assert_eq(check_counts.segments_alive, 0);
    }
    epoch_drop(&host);
    /* the programs are worth something: of every kind enough */
    cr_assert(races > PROGRAMS && uninitialized > PROGRAMS / 2 && clean > PROGRAMS / 20, "%d %d %d",
              races, uninitialized, clean);
}

/* test_late_model.c: accesses that are declared late, against all pairs of accesses, on thousands
 * of small random programs. Operations of several streams are enqueued. Some of them declare their
 * accesses only when they run: recorded kernels, and kernels that start early. Some allocate or
 * free the memory. Host code accesses any of the bytes, as one access with a mask, or a range of
 * them. A byte has a race if two accesses to it have no order and one of them writes, allocates or
 * frees. Then, and only then, the byte has a finding. */
#include "order_inside.h"

enum {
    PROGRAMS = 10000,
    MAX_OPS = 24,
    MAX_NODES = 4 * MAX_OPS, /* main and early part of each operation, and moments of the host */
    STREAMS = 3,
    BYTES = 5,
    MAX_ACCESSES = 4
};

enum { BASE = 1 << 20, NONE = -1 };

struct one_access {
    uint64_t lo, hi;
    enum simgpu_access mode;
    bool is_early;
    uint64_t mask; /* of host code: a bit for each byte */
};

enum op_change { CHANGES_NOTHING, ALLOCATES, FREES };

/* Node 2 * i is the main part of operation i, node 2 * i + 1 its early part. */
struct an_op {
    struct epoch epoch, early;
    int beside; /* its early part does not come after this operation; NONE: it has none */
    enum op_change change;
    bool is_host;
    struct one_access at[MAX_ACCESSES];
    int n;
    struct late *late; /* not declared yet */
};

struct program {
    uint64_t random;
    struct an_op ops[MAX_OPS];
    int n_ops, n_moments;
    bool edge[MAX_NODES][MAX_NODES]; /* after close_edges, transitively */
    uint32_t clocks[STREAMS];
    int last[STREAMS];
    struct epoch host;
    int host_node;
    struct history *bytes[BYTES], *all; /* each byte alone, and all in one history */
    bool found[BYTES + 1][MAX_OPS][MAX_OPS];
};

static int node_of(int op, bool is_early)
{
    return 2 * op + is_early;
}

/* ---- declaring ------------------------------------------------------------------------------- */

/* The findings of the latest access, to history k. */
static void collect(struct program *p, int k)
{
    static struct simgpu_finding found[64];
    size_t n = simgpu_findings(found, 64);
    for (size_t i = 0; i < n; i++)
        p->found[k][found[i].first.index][found[i].second.index] = true;
    simgpu_findings_clear();
}

static struct simgpu_site site_of_op(int op, bool is_early)
{
    struct simgpu_site site = {
        .stream = 1 + op % 3, .node = -1, .index = (uint64_t)op, .is_early = is_early};
    snprintf(site.name, sizeof site.name, "op%d", op);
    return site;
}

static void declare_to(struct program *p, int op, const struct one_access *a, int k, bool is_late)
{
    const struct an_op *o = &p->ops[op];
    struct simgpu_site site = site_of_op(op, a->is_early);
    const uint64_t mask[MASK_WORDS] = {a->mask};
    if (o->is_host)
        site.stream = -1;
    history_access(k < BYTES ? p->bytes[k] : p->all,
                   &(struct access){.lo = BASE + a->lo,
                                    .hi = BASE + a->hi,
                                    .mode = a->mode,
                                    .epoch = a->is_early ? &o->early : &o->epoch,
                                    .site = &site,
                                    .mask = a->mask ? mask : NULL,
                                    .of_host = o->is_host,
                                    .late = is_late});
    collect(p, k);
}

static void declare(struct program *p, int op, bool is_early, bool is_late)
{
    for (int i = 0; i < p->ops[op].n; i++)
        for (int k = 0; p->ops[op].at[i].is_early == is_early && k <= BYTES; k++)
            declare_to(p, op, &p->ops[op].at[i], k, is_late);
}

/* What comes before operation `beside` comes before its early part, too, but for the early part of
 * `beside`. */
static void start_early(struct program *p, int op)
{
    struct an_op *o = &p->ops[op];
    if (o->beside == NONE)
        return;
    epoch_join_beside(&o->early, &p->ops[o->beside].epoch);
    for (int i = 0; i < MAX_NODES; i++)
        for (int part = 0; part < 2; part++)
            if (i / 2 != o->beside && p->edge[i][2 * o->beside + part])
                p->edge[i][node_of(op, true)] = true;
    declare(p, op, true, true);
}

/* The late operation runs, after all that come before it. */
static void run_op(struct program *p, int op)
{
    struct an_op *o = &p->ops[op];
    for (int i = 0; i < op; i++)
        if (p->ops[i].late && epoch_before(&p->ops[i].epoch, &o->epoch))
            run_op(p, i);
    if (!o->late)
        return;
    start_early(p, op);
    declare(p, op, false, true);
    late_end(&o->late);
    if (o->beside != NONE)
        clock_id_free(o->early.clock_id);
}

/* ---- the program ----------------------------------------------------------------------------- */

static void change_memory(struct program *p, int op)
{
    struct simgpu_site site = site_of_op(op, false);
    struct an_op *o = &p->ops[op];
    for (int k = 0; k <= BYTES; k++) {
        struct history *h = k < BYTES ? p->bytes[k] : p->all;
        if (o->change == ALLOCATES)
            history_begin(h, &o->epoch, &site);
        else
            history_end(h, &o->epoch, &site);
        collect(p, k);
    }
}

static void draw_accesses(struct program *p, struct an_op *o, bool has_early)
{
    o->n = 1 + (int)below(&p->random, MAX_ACCESSES - 1);
    for (int i = 0; i < o->n; i++) {
        uint64_t lo = below(&p->random, BYTES);
        o->at[i] = (struct one_access){.lo = lo,
                                       .hi = lo + 1 + below(&p->random, (uint32_t)(BYTES - lo)),
                                       .mode = chance(&p->random, 10)
                                                   ? SIMGPU_ATOMIC
                                                   : (enum simgpu_access)(1 + below(&p->random, 3)),
                                       .is_early = has_early && chance(&p->random, 50)};
    }
}

/* Its dependencies, but for the last operation of its stream. */
static int draw_dependencies(struct program *p, int op, const struct epoch **after, bool has_early)
{
    int n = 0;
    after[n++] = &p->host;
    p->edge[p->host_node][node_of(op, has_early)] = true;
    for (uint32_t waits = below(&p->random, 3); waits && op; waits--) {
        int other = (int)below(&p->random, (uint32_t)op);
        after[n++] = &p->ops[other].epoch;
        p->edge[node_of(other, false)][node_of(op, has_early)] = true;
    }
    return n;
}

static int enqueue(struct program *p, enum op_change change)
{
    const int me = p->n_ops++, s = (int)below(&p->random, STREAMS), last = p->last[s];
    struct an_op *o = &p->ops[me];
    const struct epoch *after[8];
    const bool has_early = change == CHANGES_NOTHING && last != NONE && chance(&p->random, 25);
    *o = (struct an_op){.beside = has_early ? last : NONE, .change = change};
    int n = draw_dependencies(p, me, after, has_early);
    if (has_early) {
        o->early = epoch_new(clock_id_after(&p->host), after, n);
        p->edge[node_of(me, true)][node_of(me, false)] = true;
    }
    if (last != NONE) {
        after[n++] = &p->ops[last].epoch;
        p->edge[node_of(last, false)][node_of(me, false)] = true;
    }
    o->epoch = epoch_new(p->clocks[s], after, n);
    p->last[s] = me;
    if (change == CHANGES_NOTHING)
        draw_accesses(p, o, has_early);
    if (has_early)
        epoch_until(&o->early, &o->epoch);
    const bool is_recorded = change == CHANGES_NOTHING && !has_early && chance(&p->random, 40);
    if (has_early || is_recorded)
        o->late = late_begin(has_early ? &o->early : &o->epoch, true);
    if (change != CHANGES_NOTHING)
        change_memory(p, me);
    else if (!is_recorded && !has_early)
        declare(p, me, false, false);
    return me;
}

/* Host code accesses memory. */
static void host_accesses(struct program *p)
{
    const int me = p->n_ops++;
    struct an_op *o = &p->ops[me];
    epoch_advance(&p->host);
    *o = (struct an_op){.beside = NONE,
                        .is_host = true,
                        .epoch = epoch_copy(&p->host),
                        .n = 1 + (int)below(&p->random, 2)};
    for (int i = 0; i < o->n; i++)
        o->at[i] = (struct one_access){
            .hi = 1 + below(&p->random, BYTES),
            .mode = chance(&p->random, 50) ? SIMGPU_READ : SIMGPU_WRITE,
            .mask = chance(&p->random, 30) ? 0 : 1 + below(&p->random, (1 << BYTES) - 1)};
    p->edge[p->host_node][node_of(me, false)] = true;
    p->host_node = node_of(me, false);
    declare(p, me, false, true);
}

/* The host waits for an operation that has run. */
static void host_waits(struct program *p)
{
    const int other = (int)below(&p->random, (uint32_t)p->n_ops), me = 2 * MAX_OPS + ++p->n_moments;
    run_op(p, other);
    epoch_join(&p->host, &p->ops[other].epoch);
    p->edge[p->host_node][me] = p->edge[node_of(other, false)][me] = true;
    p->host_node = me;
}

static struct history *history_of(uint64_t lo, uint64_t bytes)
{
    return history_new(&(struct simgpu_memory){.address = lo, .bytes = bytes, .call = "cudaMalloc"},
                       true);
}

static void program_run(struct program *p, uint64_t seed, const struct epoch *host)
{
    *p = (struct program){.random = seed * 0x9E3779B97F4A7C15u + 1};
    p->host = epoch_copy(host);
    p->host_node = 2 * MAX_OPS;
    for (int k = 0; k < BYTES; k++)
        p->bytes[k] = history_of(BASE + (uint64_t)k, 1);
    p->all = history_of(BASE, BYTES);
    for (int s = 0; s < STREAMS; s++) {
        p->clocks[s] = clock_id_after(&p->host);
        p->last[s] = NONE;
    }
    if (chance(&p->random, 50))
        enqueue(p, ALLOCATES);
    for (uint32_t n = 4 + below(&p->random, MAX_OPS - 5); n; n--) {
        if (chance(&p->random, 20))
            host_accesses(p);
        else
            enqueue(p, chance(&p->random, 12) ? FREES : CHANGES_NOTHING);
        if (chance(&p->random, 30))
            run_op(p, (int)below(&p->random, (uint32_t)p->n_ops));
        if (chance(&p->random, 10))
            host_waits(p);
    }
    for (int i = 0; i < p->n_ops; i++)
        run_op(p, i);
}

static void program_end(struct program *p, struct epoch *host)
{
    epoch_join(host, &p->host);
    for (int i = 0; i < p->n_ops; i++) {
        epoch_join(host, &p->ops[i].epoch);
        epoch_drop(&p->ops[i].epoch);
        epoch_drop(&p->ops[i].early);
    }
    epoch_drop(&p->host);
    for (int s = 0; s < STREAMS; s++)
        clock_id_free(p->clocks[s]);
    for (int k = 0; k < BYTES; k++)
        history_free(p->bytes[k]);
    history_free(p->all);
}

/* ---- all pairs ------------------------------------------------------------------------------- */

static void close_edges(struct program *p)
{
    for (int k = 0; k < MAX_NODES; k++)
        for (int i = 0; i < MAX_NODES; i++)
            for (int j = 0; p->edge[i][k] && j < MAX_NODES; j++)
                p->edge[i][j] |= p->edge[k][j];
}

static bool holds(const struct one_access *a, int byte)
{
    if (a->mask && !(a->mask >> byte & 1))
        return false;
    return a->lo <= (uint64_t)byte && (uint64_t)byte < a->hi;
}

static bool have_order(const struct program *p, int a, int b)
{
    return p->edge[a][b] || p->edge[b][a];
}

static bool conflict(const struct one_access *a, const struct one_access *b)
{
    const bool atomic = a->mode == SIMGPU_ATOMIC && b->mode == SIMGPU_ATOMIC;
    return ((a->mode | b->mode) & SIMGPU_WRITE) && !atomic;
}

/* Do the two operations race on the byte? */
static bool race(const struct program *p, int i, int j, int byte)
{
    static const struct one_access whole = {.hi = BYTES, .mode = SIMGPU_WRITE};
    const struct an_op *a = &p->ops[i], *b = &p->ops[j];
    const int n_a = a->change ? 1 : a->n, n_b = b->change ? 1 : b->n;
    for (int x = 0; x < n_a; x++)
        for (int y = 0; y < n_b; y++) {
            const struct one_access *u = a->change ? &whole : &a->at[x],
                                    *v = b->change ? &whole : &b->at[y];
            if (holds(u, byte) && holds(v, byte) && conflict(u, v) &&
                !have_order(p, node_of(i, u->is_early), node_of(j, v->is_early)))
                return true;
        }
    return false;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static int compare_byte(const struct program *p, int byte, int seed)
{
    int races = 0, found = 0;
    for (int i = 0; i < p->n_ops; i++)
        for (int j = 0; j < p->n_ops; j++) {
            const bool is_race = i != j && race(p, i, j, byte);
            cr_assert(is_race || !p->found[byte][i][j],
                      "program %d, byte %d: operations %d and %d have no race", seed, byte, i, j);
            races += is_race;
            found += p->found[byte][i][j];
        }
    cr_assert_eq(races > 0, found > 0, "program %d, byte %d: %d races, %d found", seed, byte, races,
                 found);
    return found;
}

/* One history of all bytes has the findings of the histories of each byte. */
static void compare_histories(const struct program *p, int seed)
{
    for (int i = 0; i < p->n_ops; i++)
        for (int j = 0; j < p->n_ops; j++) {
            bool any = false;
            for (int k = 0; k < BYTES; k++)
                any = any || p->found[k][i][j];
            cr_assert_eq(any, p->found[BYTES][i][j], "program %d: operations %d and %d", seed, i,
                         j);
        }
}

static void compare_order(const struct program *p, int seed)
{
    for (int i = 0; i < p->n_ops; i++)
        for (int j = 0; j < p->n_ops; j++)
            cr_assert_eq(epoch_before(&p->ops[i].epoch, &p->ops[j].epoch),
                         i == j || p->edge[node_of(i, false)][node_of(j, false)],
                         "program %d: is %d before %d?", seed, i, j);
}

/* Nothing is late any more: a write of all supersedes all. */
static void compare_memory(struct program *p, int seed)
{
    struct epoch *host = &p->host;
    for (int i = 0; i < p->n_ops; i++)
        epoch_join(host, &p->ops[i].epoch);
    const struct simgpu_site site = {.stream = -1, .node = -1, .name = "last"};
    for (int k = 0; k <= BYTES; k++)
        history_access(k < BYTES ? p->bytes[k] : p->all, &(struct access){.lo = BASE,
                                                                          .hi = BASE + BYTES,
                                                                          .mode = SIMGPU_WRITE,
                                                                          .epoch = host,
                                                                          .site = &site});
    cr_assert_eq(simgpu_findings(NULL, 0), 0, "program %d", seed);
    cr_assert_eq(check_counts.touches_alive, 1, "program %d", seed);
    cr_assert_eq(check_counts.segments_alive, BYTES + 1, "program %d", seed);
}

Test(late_model, a_byte_has_a_finding_if_two_accesses_race)
{
    setenv("SIMGPU_REPORT", "0", 1);
    static struct program p;
    struct epoch host = epoch_new(clock_id_new(), NULL, 0);
    int racy = 0, clean = 0;
    for (int seed = 1; seed <= PROGRAMS; seed++) {
        program_run(&p, (uint64_t)seed, &host);
        cr_assert(!late_any());
        close_edges(&p);
        compare_order(&p, seed);
        for (int byte = 0; byte < BYTES; byte++)
            *(compare_byte(&p, byte, seed) ? &racy : &clean) += 1;
        compare_histories(&p, seed);
        compare_memory(&p, seed);
        program_end(&p, &host);
    }
    epoch_drop(&host);
    cr_assert(racy > PROGRAMS && clean > PROGRAMS / 5, "%d %d", racy, clean);
}

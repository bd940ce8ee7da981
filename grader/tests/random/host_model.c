/* host_model.c: see host_model.h. */
#include "host_model.h"

#include <string.h>

void clock_join(struct clock *a, const struct clock *b)
{
    for (int i = 0; i < MAX_CLOCKS; i++)
        if (b->of[i] > a->of[i])
            a->of[i] = b->of[i];
}

bool clock_covers(const struct clock *whole, const struct clock *part)
{
    for (int i = 0; i < MAX_CLOCKS; i++)
        if (part->of[i] > whole->of[i])
            return false;
    return true;
}

void touch_read(struct touch *t, int buffer, size_t from, size_t bytes)
{
    if (bytes == 0)
        return;
    for (size_t c = from / CELL_BYTES; c <= (from + bytes - 1) / CELL_BYTES; c++)
        cells_add(&t->reads, buffer * BUFFER_CELLS + (int)c);
}

void touch_write(struct touch *t, int buffer, size_t from, size_t bytes)
{
    if (bytes == 0)
        return;
    for (size_t c = from / CELL_BYTES; c <= (from + bytes - 1) / CELL_BYTES; c++) {
        int cell = buffer * BUFFER_CELLS + (int)c;
        cells_add(&t->writes, cell);
        if (c * CELL_BYTES >= from && (c + 1) * CELL_BYTES <= from + bytes)
            cells_add(&t->whole, cell);
    }
}

static void touch_join(struct touch *t, const struct touch *other)
{
    for (int i = 0; i < CELL_WORDS; i++) {
        t->reads.bits[i] |= other->reads.bits[i];
        t->writes.bits[i] |= other->writes.bits[i];
        t->whole.bits[i] |= other->whole.bits[i];
    }
}

void model_before(const struct model *m, int id, struct clock *c)
{
    *c = m->clocks[id];
    clock_join(c, &m->clocks[HOST]);
    if (id == LEGACY) {
        for (int i = LEGACY + 1; i < MAX_CLOCKS; i++)
            if (m->live[i] && m->blocking[i])
                clock_join(c, &m->worked[i]);
    } else if (id != HOST && m->blocking[id]) {
        clock_join(c, &m->worked[LEGACY]);
    }
}

bool model_ordered(const struct model *m, const struct clock *c, const struct touch *t)
{
    for (int i = 0; i < N_CELLS; i++) {
        bool writes = cells_have(&t->writes, i);
        if (!writes && !cells_have(&t->reads, i))
            continue;
        const struct cell *cell = &m->cells[i];
        if (cell->written > c->of[cell->writer])
            return false;
        for (int k = 0; writes && k < MAX_CLOCKS; k++)
            if (cell->read[k] > c->of[k])
                return false;
    }
    return true;
}

bool model_still(const struct model *m, const struct touch *t)
{
    for (int i = PAGEABLE * BUFFER_CELLS; i < N_BUFFERS * BUFFER_CELLS; i++) {
        const struct cell *cell = &m->cells[i];
        if (cells_have(&t->reads, i) && cell->written > m->clocks[HOST].of[cell->writer])
            return false;
    }
    return true;
}

/* Whether contents of unknown value are read; then what is written is unknown, too. */
static void flow(struct model *m, const struct touch *t, const struct cells *racy, bool shy)
{
    bool tainted = false;
    for (int i = 0; i < N_CELLS && !tainted; i++)
        tainted =
            cells_have(&t->reads, i) && (m->cells[i].tainted || (racy && cells_have(racy, i)));
    for (int i = 0; i < N_CELLS; i++) {
        if (tainted && cells_have(&t->writes, i))
            m->cells[i].tainted = true;
        else if (!shy && cells_have(&t->whole, i))
            m->cells[i].tainted = false;
    }
}

/* The next operation of `id`, after `after`, touches these. */
static void set_epoch(struct model *m, int id, const struct touch *t, const struct clock *after)
{
    struct clock c;
    model_before(m, id, &c);
    if (after)
        clock_join(&c, after);
    uint32_t number = c.of[id] = ++m->count[id];
    for (int i = 0; i < N_CELLS; i++) {
        if (cells_have(&t->reads, i))
            m->cells[i].read[id] = number;
        if (cells_have(&t->writes, i)) {
            m->cells[i].writer = id;
            m->cells[i].written = number;
            memset(m->cells[i].read, 0, sizeof m->cells[i].read);
        }
    }
    m->clocks[id] = m->worked[id] = c;
}

void model_run(struct model *m, int id, const struct touch *t, const struct clock *after)
{
    set_epoch(m, id, t, after);
    flow(m, t, NULL, false);
}

void graph_touch(const struct graph_model *g, struct touch *t)
{
    memset(t, 0, sizeof *t);
    for (int i = 0; i < g->n; i++)
        touch_join(t, &g->nodes[i].touch);
}

/* Nodes in an order that keeps every edge, and before each node all that lead to it. Returns how
 * many. */
static int sort(const struct graph_model *g, int order[MAX_NODES], uint64_t before[MAX_NODES])
{
    uint64_t done = 0;
    int n = 0;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < g->n; i++) {
            if ((done >> i & 1) || (g->nodes[i].after & ~done))
                continue;
            before[i] = 0;
            for (int k = 0; k < g->n; k++)
                if (g->nodes[i].after >> k & 1)
                    before[i] |= before[k] | UINT64_C(1) << k;
            done |= UINT64_C(1) << i;
            order[n++] = i;
            more = true;
        }
    }
    return n;
}

void graph_races(const struct graph_model *g, struct cells *racy)
{
    uint64_t before[MAX_NODES] = {0};
    int order[MAX_NODES];
    sort(g, order, before);
    for (int a = 0; a < g->n; a++) {
        for (int i = 0; i < CELL_WORDS; i++)
            racy->bits[i] |= g->nodes[a].racy.bits[i];
        for (int b = a + 1; b < g->n; b++) {
            if ((before[a] >> b | before[b] >> a) & 1)
                continue;
            const struct touch *x = &g->nodes[a].touch, *y = &g->nodes[b].touch;
            for (int i = 0; i < CELL_WORDS; i++)
                racy->bits[i] |= (x->writes.bits[i] & (y->reads.bits[i] | y->writes.bits[i])) |
                                 (y->writes.bits[i] & x->reads.bits[i]);
        }
    }
}

void model_launch(struct model *m, int id, const struct graph_model *g, const struct clock *after)
{
    struct touch all;
    struct cells racy = {{0}};
    uint64_t before[MAX_NODES] = {0};
    int order[MAX_NODES], n = sort(g, order, before);
    graph_touch(g, &all);
    graph_races(g, &racy);
    set_epoch(m, id, &all, after);
    for (int i = 0; i < n; i++)
        flow(m, &g->nodes[order[i]].touch, &racy, g->nodes[order[i]].shy);
    for (int i = 0; i < N_CELLS; i++)
        if (cells_have(&racy, i))
            m->cells[i].tainted = true;
}

void model_settle(struct model *m)
{
    for (int i = 0; i < MAX_CLOCKS; i++)
        if (m->clocks[HOST].of[i] < m->count[i])
            m->clocks[HOST].of[i] = m->count[i];
}

bool graph_add(struct graph_model *g, enum node_kind kind, const struct touch *t, uint64_t after,
               int event)
{
    static const struct touch nothing;
    if (g->n == MAX_NODES)
        return false;
    g->nodes[g->n++] = (struct graph_node){
        .kind = kind, .touch = t ? *t : nothing, .after = after, .event = event};
    return true;
}

uint64_t model_hash(const struct model *m, int buffer, int *cells)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    *cells = 0;
    for (int c = 0; c < BUFFER_CELLS; c++) {
        if (m->cells[buffer * BUFFER_CELLS + c].tainted)
            continue;
        ++*cells;
        hash = (hash ^ (unsigned)c) * UINT64_C(0x100000001b3);
        for (int i = 0; i < CELL_BYTES; i++)
            hash = (hash ^ m->buffers[buffer][c * CELL_BYTES + i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/*
 * drawn.c: compares a graph with a drawing. Nodes of one kind and name can stand for each other:
 * of all ways to match them the one counts that leaves the fewest edges unmatched.
 */
#include "drawn.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { ALIKE = 160 };

struct matching {
    const struct dag *g;
    const struct drawn *d;
    size_t n;                                  /* nodes of both */
    bool edge[DRAWN_NODES][DRAWN_NODES];       /* of the drawing */
    bool graph_edge[DRAWN_NODES][DRAWN_NODES]; /* of the graph */
    int to[DRAWN_NODES], best[DRAWN_NODES];    /* the graph's node for each drawn one */
    bool used[DRAWN_NODES];
    int fewest; /* unmatched edges, by `best` */
};

/* ---- nodes ----------------------------------------------------------------------------------- */

static bool is_drawn(const struct drawn *d, const struct dag_node *node)
{
    for (int i = 0; i < DRAWN_NODES && d->nodes[i].kind; i++)
        if (dag_is(node, d->nodes[i].kind, d->nodes[i].name))
            return true;
    return false;
}

static size_t count_drawn(const struct drawn *d, const struct drawn_node *like)
{
    size_t count = 0;
    for (int i = 0; i < DRAWN_NODES && d->nodes[i].kind; i++)
        count +=
            strcmp(d->nodes[i].kind, like->kind) == 0 && strcmp(d->nodes[i].name, like->name) == 0;
    return count;
}

/* "[alloc a], [alloc b]": all drawn nodes of this kind and name. */
static void put_alike(const struct drawn *d, const struct drawn_node *like, char to[ALIKE])
{
    size_t n = 0;
    to[0] = '\0';
    for (int i = 0; i < DRAWN_NODES && d->nodes[i].kind && n < ALIKE; i++)
        if (strcmp(d->nodes[i].kind, like->kind) == 0 && strcmp(d->nodes[i].name, like->name) == 0)
            n += (size_t)snprintf(to + n, ALIKE - n, "%s[%s]", n ? ", " : "", d->nodes[i].shown);
}

/* A node that the drawing does not have; *number: in the order of creation. NULL: there is none. */
static const struct dag_node *extra_node(const struct dag *g, const struct drawn *d, size_t *number)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        if (!is_drawn(d, &g->nodes[i])) {
            *number = i + 1;
            return &g->nodes[i];
        }
    for (int k = 0; k < DRAWN_NODES && d->nodes[k].kind; k++) {
        size_t room = count_drawn(d, &d->nodes[k]);
        for (size_t i = 0; i < g->n_nodes; i++)
            if (dag_is(&g->nodes[i], d->nodes[k].kind, d->nodes[k].name) && room-- == 0) {
                *number = i + 1;
                return &g->nodes[i];
            }
    }
    return NULL;
}

static bool is_event(const char *kind)
{
    return strcmp(kind, "wait") == 0 || strcmp(kind, "record") == 0;
}

static bool is_copy(const char *kind)
{
    return strlen(kind) == 3 && kind[1] == '2'; /* h2d, … */
}

/* Can a wrong type, kernel or address be all that makes a node of this kind another one? */
static bool is_related(const char *kind, const char *other)
{
    return strcmp(kind, other) == 0 || (is_event(kind) && is_event(other)) ||
           (is_copy(kind) && is_copy(other));
}

/* How a related node becomes this one. */
static void next_for_other_kind(const struct drawn_node *node)
{
    if (strcmp(node->kind, "wait") == 0)
        judge_next("set the type of the node in add_wait: it waits for an event");
    else if (strcmp(node->kind, "record") == 0)
        judge_next("set the type of the node in add_record: it records an event");
    else if (strcmp(node->kind, "h2d") == 0)
        judge_next("pass the addresses of the copy [%s] to add_copy in this order: the device's "
                   "array, then the host's",
                   node->shown);
    else if (strcmp(node->kind, "d2h") == 0)
        judge_next("pass the addresses of the copy [%s] to add_copy in this order: the host's "
                   "array, then the device's",
                   node->shown);
    else
        judge_next("pass the kernel %s to add_kernel for the node [%s]", node->name, node->shown);
}

static void expect_node(const struct dag *g, const struct drawn *d, const struct drawn_node *node)
{
    const size_t expected = count_drawn(d, node), actual = dag_count(g, node->kind, node->name);
    size_t number;
    const struct dag_node *extra = extra_node(g, d, &number);
    char alike[ALIKE], missing[2 * ALIKE];
    if (actual >= expected)
        return;
    put_alike(d, node, alike);
    if (expected == 1)
        snprintf(missing, sizeof missing, "the node %s is missing in the graph", alike);
    else
        snprintf(missing, sizeof missing, "the graph has %zu of the %zu nodes %s", actual, expected,
                 alike);
    if (extra && is_related(node->kind, extra->kind)) {
        const bool is_named = strcmp(extra->name, "-") != 0;
        judge_asks(d->mistakes[DRAWN_NODE_OF_OTHER_KIND]);
        next_for_other_kind(node);
        judge_fail("lab08_%s: %s, and it has one node of the kind %s%s%s too many", d->name,
                   missing, extra->kind, is_named ? " " : "", is_named ? extra->name : "");
    }
    judge_asks(d->mistakes[DRAWN_NODE_MISSING]);
    judge_next("add the missing node, as the drawing at the top of lab.h has it");
    judge_fail("lab08_%s: %s", d->name, missing);
}

static size_t expect_nodes(const struct dag *g, const struct drawn *d)
{
    size_t n = 0, number;
    for (; n < DRAWN_NODES && d->nodes[n].kind; n++)
        expect_node(g, d, &d->nodes[n]);
    const struct dag_node *extra = extra_node(g, d, &number);
    if (extra) {
        judge_asks(d->mistakes[DRAWN_NODE_TOO_MANY]);
        judge_next("remove this node: the drawing at the top of lab.h has all that are needed");
        judge_fail("lab08_%s: the graph has a node that the drawing does not have: node number "
                   "%zu, of the kind %s",
                   d->name, number, extra->kind);
    }
    return n;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static void try_all(struct matching *m, size_t i)
{
    if (i == m->n) {
        int unmatched = 0;
        for (size_t a = 0; a < m->n; a++)
            for (size_t b = 0; b < m->n; b++)
                unmatched += m->edge[a][b] != m->graph_edge[m->to[a]][m->to[b]];
        if (unmatched < m->fewest) {
            m->fewest = unmatched;
            memcpy(m->best, m->to, sizeof m->best);
        }
        return;
    }
    for (size_t k = 0; k < m->n; k++) {
        if (m->used[k] || !dag_is(&m->g->nodes[k], m->d->nodes[i].kind, m->d->nodes[i].name))
            continue;
        m->used[k] = true;
        m->to[i] = (int)k;
        try_all(m, i + 1);
        m->used[k] = false;
    }
}

static void match(struct matching *m)
{
    const struct dag *g = m->g;
    for (size_t i = 0; i < DRAWN_EDGES && m->d->edges[i].from != m->d->edges[i].to; i++)
        m->edge[m->d->edges[i].from][m->d->edges[i].to] = true;
    for (size_t i = 0; i < m->n; i++)
        for (size_t k = 0; k < g->nodes[i].n_out; k++)
            m->graph_edge[i][g->out[g->nodes[i].first_out + k]] = true;
    m->fewest = INT_MAX;
    try_all(m, 0);
}

/* Has the graph an edge from the node drawn as a to that drawn as b? */
static bool has_edge(const struct matching *m, size_t a, size_t b)
{
    return m->graph_edge[m->best[a]][m->best[b]];
}

/* The step's task is to find the nodes; the drawing has them. */
static void next_for_edge(const struct matching *m, size_t to)
{
    judge_next(
        "compare the arrows into [%s] in the drawing of lab.h with the AFTER(...) of that node",
        m->d->nodes[to].shown);
    if (m->d->add_edge)
        judge_next("%s", m->d->add_edge);
}

static void expect_edge(const struct matching *m, size_t a, size_t b)
{
    const char *from = m->d->nodes[a].shown, *to = m->d->nodes[b].shown;
    if (!m->edge[a][b] || has_edge(m, a, b))
        return;
    judge_asks(m->d->mistakes[DRAWN_EDGE_MISSING]);
    judge_next("let the second of the two wait for the first: exchange them in this edge");
    judge_expect(!has_edge(m, b, a) || m->edge[b][a],
                 "lab08_%s: the edge between [%s] and [%s] has the wrong direction: it makes the "
                 "first node wait for the second",
                 m->d->name, from, to);
    next_for_edge(m, b);
    judge_expect(!dag_waits(m->g, &m->g->nodes[m->best[b]], &m->g->nodes[m->best[a]]),
                 "lab08_%s: [%s] waits for [%s] by way of other nodes, and the drawing has an edge "
                 "between them",
                 m->d->name, to, from);
    judge_fail("lab08_%s: the edge from [%s] to [%s] is missing: nothing makes the second node "
               "wait for the first",
               m->d->name, from, to);
}

static void expect_no_edge(const struct matching *m, size_t a, size_t b)
{
    const char *from = m->d->nodes[a].shown, *to = m->d->nodes[b].shown;
    if (m->edge[a][b] || !has_edge(m, a, b))
        return;
    judge_asks(m->d->mistakes[DRAWN_EDGE_TOO_MANY]);
    next_for_edge(m, b);
    judge_fail("lab08_%s: the graph has an edge from [%s] to [%s] that the drawing does not have: "
               "the second node waits without need",
               m->d->name, from, to);
}

/* Does a drawn node have edges to two others? */
static bool forks(const struct matching *m)
{
    for (size_t a = 0; a < m->n; a++) {
        size_t n_out = 0;
        for (size_t b = 0; b < m->n; b++)
            n_out += m->edge[a][b];
        if (n_out > 1)
            return true;
    }
    return false;
}

/* The graph with the drawing's names and all edges that differ. */
static void show(struct judge *j, const struct matching *m)
{
    const char *shown[DRAWN_NODES];
    struct dag_edge missing[DRAWN_NODES * DRAWN_NODES], extra[DRAWN_NODES * DRAWN_NODES];
    struct dag_difference difference = {.shown = shown, .missing = missing, .extra = extra};
    struct judge_shape shape = m->d->shape;
    char nodes[8], edges[8];
    size_t n_edges = 0;
    for (size_t a = 0; a < m->n; a++) {
        shown[m->best[a]] = m->d->nodes[a].shown;
        for (size_t b = 0; b < m->n; b++) {
            const struct dag_edge edge = {(size_t)m->best[a], (size_t)m->best[b]};
            n_edges += m->edge[a][b];
            if (m->edge[a][b] && !has_edge(m, a, b))
                missing[difference.n_missing++] = edge;
            else if (!m->edge[a][b] && has_edge(m, a, b))
                extra[difference.n_extra++] = edge;
        }
    }
    if (!shape.nodes && m->fewest == 0)
        return;
    snprintf(nodes, sizeof nodes, "%zu", m->n);
    snprintf(edges, sizeof edges, "%zu", n_edges);
    shape.nodes = nodes;
    shape.edges = edges;
    shape.difference = &difference;
    judge_show_graph(j, &shape);
}

void drawn_expect(struct judge *j, const struct dag *g, const struct drawn *d)
{
    if (d->shape.nodes)
        judge_show_graph(j, &d->shape);
    struct matching m = {.g = g, .d = d, .n = expect_nodes(g, d)};
    match(&m);
    show(j, &m);
    judge_asks(d->mistakes[DRAWN_ONE_CHAIN]);
    judge_next("pass to each node the nodes whose results it needs, and no others");
    judge_expect(!forks(&m) || dag_path(g) < m.n,
                 "lab08_%s: each node waits for the one before it. The graph is one chain, so no "
                 "two nodes can run concurrently",
                 d->name);
    for (size_t i = 0; i < m.n * m.n; i++)
        expect_edge(&m, i / m.n, i % m.n);
    for (size_t i = 0; i < m.n * m.n; i++)
        expect_no_edge(&m, i / m.n, i % m.n);
    judge_forget();
}

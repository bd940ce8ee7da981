/* drawn.c: compares a graph with a drawing. One to one, nodes of one kind and name can stand for
 * each other: of all ways to match them the one counts that leaves the fewest edges unmatched. */
#include "drawn.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "rules/rules.h"

enum { ALIKE = 160 };

struct matching {
    const struct dag *g;
    const struct drawn *d;
    size_t n;                                /* nodes of both */
    bool edge[DRAWN_MOST][DRAWN_MOST];       /* of the drawing */
    bool graph_edge[DRAWN_MOST][DRAWN_MOST]; /* of the graph */
    int to[DRAWN_MOST], best[DRAWN_MOST];    /* the graph's node for each drawn one */
    bool used[DRAWN_MOST];
    int fewest; /* unmatched edges, by `best` */
};

/* ---- nodes ----------------------------------------------------------------------------------- */

static bool is_drawn(const struct drawn *d, const struct dag_node *node)
{
    for (int i = 0; d->nodes[i].kind; i++)
        if (dag_is(node, d->nodes[i].kind, d->nodes[i].name))
            return true;
    return false;
}

static size_t count_drawn(const struct drawn *d, const struct drawn_node *like)
{
    size_t count = 0;
    for (int i = 0; d->nodes[i].kind; i++)
        count +=
            strcmp(d->nodes[i].kind, like->kind) == 0 && strcmp(d->nodes[i].name, like->name) == 0;
    return count;
}

/* "[alloc a], [alloc b]": all drawn nodes of this kind and name. */
static void put_alike(const struct drawn *d, const struct drawn_node *like, char to[ALIKE])
{
    size_t n = 0;
    to[0] = '\0';
    for (int i = 0; d->nodes[i].kind && n < ALIKE; i++)
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
    for (int k = 0; d->nodes[k].kind; k++) {
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

static void differs(const struct drawn *d, enum difference difference, const char *from,
                    const char *to, size_t actual)
{
    judge_fact_drawn(&(struct drawn_fact){d->name, difference, from, to, actual});
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
    if (d->of_other_kind && extra && is_related(node->kind, extra->kind)) {
        const bool is_named = strcmp(extra->name, "-") != 0;
        differs(d, DIFFERS_BY_NODE_OF_OTHER_KIND, node->shown, "", actual);
        d->of_other_kind(node);
        judge_fail("%s: %s, and it has one node of the kind %s%s%s too many", d->function, missing,
                   extra->kind, is_named ? " " : "", is_named ? extra->name : "");
    }
    differs(d, DIFFERS_BY_NODE_MISSING, node->shown, "", actual);
    judge_next("add the missing node, as the drawing at the top of lab.h has it");
    judge_fail("%s: %s", d->function, missing);
}

static size_t expect_nodes(const struct dag *g, const struct drawn *d)
{
    size_t n = 0, number;
    for (; d->nodes[n].kind; n++)
        expect_node(g, d, &d->nodes[n]);
    const struct dag_node *extra = extra_node(g, d, &number);
    if (extra) {
        differs(d, DIFFERS_BY_NODE_TOO_MANY, extra->kind, "", g->n_nodes);
        judge_next("remove this node: the drawing at the top of lab.h has all that are needed");
        judge_fail("%s: the graph has a node that the drawing does not have: node number "
                   "%zu, of the kind %s",
                   d->function, number, extra->kind);
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
    for (size_t i = 0; m->d->edges[i].from != m->d->edges[i].to; i++)
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
    const bool is_reversed = has_edge(m, b, a) && !m->edge[b][a];
    differs(m->d, is_reversed ? DIFFERS_BY_EDGE_REVERSED : DIFFERS_BY_EDGE_MISSING, from, to, 0);
    judge_next("let the second of the two wait for the first: exchange them in this edge");
    judge_expect(!is_reversed,
                 "%s: the edge between [%s] and [%s] has the wrong direction: it makes the "
                 "first node wait for the second",
                 m->d->function, from, to);
    next_for_edge(m, b);
    judge_expect(!dag_waits(m->g, &m->g->nodes[m->best[b]], &m->g->nodes[m->best[a]]),
                 "%s: [%s] waits for [%s] by way of other nodes, and the drawing has an edge "
                 "between them",
                 m->d->function, to, from);
    judge_fail("%s: the edge from [%s] to [%s] is missing: nothing makes the second node "
               "wait for the first",
               m->d->function, from, to);
}

static void expect_no_edge(const struct matching *m, size_t a, size_t b)
{
    const char *from = m->d->nodes[a].shown, *to = m->d->nodes[b].shown;
    if (m->edge[a][b] || !has_edge(m, a, b))
        return;
    differs(m->d, DIFFERS_BY_EDGE_TOO_MANY, from, to, 1);
    next_for_edge(m, b);
    judge_fail("%s: the graph has an edge from [%s] to [%s] that the drawing does not have: "
               "the second node waits without need",
               m->d->function, from, to);
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
static void show(struct judged *j, const struct matching *m)
{
    const char *shown[DRAWN_MOST];
    struct dag_edge missing[DRAWN_MOST * DRAWN_MOST], extra[DRAWN_MOST * DRAWN_MOST];
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

void drawn_expect(struct judged *j, const struct dag *g, const struct drawn *d)
{
    if (d->shape.nodes)
        judge_show_graph(j, &d->shape);
    struct matching m = {.g = g, .d = d, .n = expect_nodes(g, d)};
    match(&m);
    show(j, &m);
    if (forks(&m) && dag_path(g) == m.n) {
        differs(d, DIFFERS_BY_ONE_CHAIN, "", "", 1);
        judge_next("pass to each node the nodes whose results it needs, and no others");
        judge_fail("%s: each node waits for the one before it. The graph is one chain, so no two "
                   "nodes can run concurrently",
                   d->function);
    }
    for (size_t i = 0; i < m.n * m.n; i++)
        expect_edge(&m, i / m.n, i % m.n);
    for (size_t i = 0; i < m.n * m.n; i++)
        expect_no_edge(&m, i / m.n, i % m.n);
    judge_forget();
}

/* ---- groups ---------------------------------------------------------------------------------- */

static bool is_of_row(const struct dag_node *node, const struct drawn_node *row)
{
    return dag_is(node, row->kind, row->name) && (row->batch == 0 || row->batch == node->batch + 1);
}

/* How many of this group the node is, or has inside if it is a child graph. */
static size_t holds(const struct dag_node *node, const struct drawn *d, int row)
{
    size_t count = is_of_row(node, &d->nodes[row]);
    for (int before = 0; before < row; before++)
        count = is_of_row(node, &d->nodes[before]) ? 0 : count;
    for (size_t k = 0; k < node->n_inside && dag_is(node, "child", NULL); k++)
        for (size_t i = 0; i < node->inside[k].n_nodes; i++)
            count += holds(&node->inside[k].nodes[i], d, row);
    return count;
}

static size_t count_row(const struct dag *g, const struct drawn *d, int row)
{
    size_t count = 0;
    for (size_t i = 0; i < g->n_nodes; i++)
        count += holds(&g->nodes[i], d, row);
    return count;
}

size_t drawn_count(const struct dag *g, const struct drawn *d)
{
    size_t differences = 0;
    for (int row = 0; d->nodes[row].kind; row++) {
        const struct drawn_node *group = &d->nodes[row];
        const size_t count = count_row(g, d, row);
        if (count >= group->n && count <= group->n + group->more)
            continue;
        differences++;
        differs(d, count < group->n ? DIFFERS_BY_NODE_MISSING : DIFFERS_BY_NODE_TOO_MANY,
                group->shown, "", count);
    }
    return differences;
}

/* Is there a node that is to wait for another one, and does not; or only the other way around? */
static bool is_unordered(const struct dag *g, const struct drawn *d, const struct drawn_edge *e,
                         bool reversed)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        for (size_t k = 0; k < g->n_nodes && holds(&g->nodes[i], d, e->from); k++)
            if (i != k && holds(&g->nodes[k], d, e->to) &&
                (reversed ? dag_waits(g, &g->nodes[i], &g->nodes[k])
                          : !dag_waits(g, &g->nodes[k], &g->nodes[i])))
                return true;
    return false;
}

size_t drawn_order(const struct dag *g, const struct drawn *d)
{
    size_t differences = 0;
    for (const struct drawn_edge *e = d->edges; e->from != e->to; e++) {
        const struct drawn_node *both[] = {&d->nodes[e->from], &d->nodes[e->to]};
        const int rows[] = {e->from, e->to};
        for (int i = 0; i < 2; i++)
            if (both[i]->n > 0 && count_row(g, d, rows[i]) == 0) {
                differs(d, DIFFERS_BY_NODE_MISSING, both[i]->shown, "", 0);
                differences++;
            }
        if (!is_unordered(g, d, e, false))
            continue;
        differs(d, is_unordered(g, d, e, true) ? DIFFERS_BY_EDGE_REVERSED : DIFFERS_BY_EDGE_MISSING,
                both[0]->shown, both[1]->shown, 0);
        differences++;
    }
    return differences;
}

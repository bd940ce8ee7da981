/* graph.c: what can be counted in a graph: nodes, ends, paths. */
#include "graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- nodes ----------------------------------------------------------------------------------- */

bool dag_has_cycle(const struct dag *g)
{
    if (g->n_ordered < g->n_nodes)
        return true;
    for (size_t i = 0; i < g->n_nodes; i++)
        for (size_t k = 0; k < g->nodes[i].n_inside; k++)
            if (dag_has_cycle(&g->nodes[i].inside[k]))
                return true;
    return false;
}

bool dag_is(const struct dag_node *node, const char *kind, const char *name)
{
    size_t n = name ? strlen(name) : 0;
    if (kind && strcmp(node->kind, kind) != 0)
        return false;
    if (n && name[n - 1] == '*')
        return strncmp(node->name, name, n - 1) == 0;
    return !name || strcmp(node->name, name) == 0;
}

size_t dag_count(const struct dag *g, const char *kind, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < g->n_nodes; i++)
        count += dag_is(&g->nodes[i], kind, name);
    return count;
}

size_t dag_count_all(const struct dag *g, const char *kind, const char *name)
{
    size_t count = dag_count(g, kind, name);
    for (size_t i = 0; i < g->n_nodes; i++)
        for (size_t k = 0; k < g->nodes[i].n_inside; k++)
            count += dag_count_all(&g->nodes[i].inside[k], kind, name);
    return count;
}

const struct dag_node *dag_first(const struct dag *g, const char *kind, const char *name)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        if (dag_is(&g->nodes[i], kind, name))
            return &g->nodes[i];
    return NULL;
}

bool dag_takes_time(const struct dag_node *node)
{
    static const char *const kinds[] = {"kernel", "memset", "host", "h2d",
                                        "d2h",    "d2d",    "p2p",  "h2h"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (dag_is(node, kinds[i], NULL))
            return true;
    return false;
}

/* ---- ends ------------------------------------------------------------------------------------ */

size_t dag_roots(const struct dag *g)
{
    size_t count = 0;
    for (size_t i = 0; i < g->n_nodes; i++)
        count += g->nodes[i].n_in == 0;
    return count;
}

size_t dag_sinks(const struct dag *g)
{
    size_t count = 0;
    for (size_t i = 0; i < g->n_nodes; i++)
        count += g->nodes[i].n_out == 0;
    return count;
}

const struct dag_node *dag_root(const struct dag *g)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        if (g->nodes[i].n_in == 0)
            return &g->nodes[i];
    return NULL;
}

const struct dag_node *dag_sink(const struct dag *g)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        if (g->nodes[i].n_out == 0)
            return &g->nodes[i];
    return NULL;
}

/* ---- paths ----------------------------------------------------------------------------------- */

bool dag_waits(const struct dag *g, const struct dag_node *later, const struct dag_node *earlier)
{
    bool *reached = calloc(g->n_nodes + 1, sizeof *reached);
    if (!reached)
        return false;
    reached[earlier - g->nodes] = true;
    for (size_t i = 0; i < g->n_ordered; i++) {
        const struct dag_node *n = &g->nodes[g->order[i]];
        for (size_t e = 0; e < n->n_out && reached[g->order[i]]; e++)
            reached[g->out[n->first_out + e]] = true;
    }
    bool waits = later != earlier && reached[later - g->nodes];
    free(reached);
    return waits;
}

/* Does `to` wait for `from` by way of another node? */
static bool is_redundant(const struct dag *g, const struct dag_node *from,
                         const struct dag_node *to)
{
    for (size_t e = 0; e < from->n_out; e++)
        if (dag_waits(g, to, &g->nodes[g->out[from->first_out + e]]))
            return true;
    return false;
}

size_t dag_redundant_edges(const struct dag *g)
{
    size_t redundant = 0;
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct dag_node *n = &g->nodes[i];
        for (size_t e = 0; e < n->n_out; e++)
            redundant += is_redundant(g, n, &g->nodes[g->out[n->first_out + e]]);
        for (size_t k = 0; k < n->n_inside; k++)
            redundant += dag_redundant_edges(&n->inside[k]);
    }
    return redundant;
}

/* A node that does nothing has no time of its own. */
static double duration_us(const struct dag_node *n)
{
    return dag_takes_time(n) ? n->end_us - n->start_us : 0;
}

static double one_node(const struct dag_node *n)
{
    (void)n;
    return 1;
}

/* The heaviest path, and where it begins. */
struct heaviest {
    double weight; /* NAN where a node's is */
    size_t first;
};

/* From the last node to the first: `next` becomes the heaviest way on, n_nodes where there is none.
 */
static struct heaviest find_heaviest(const struct dag *g, double (*weight)(const struct dag_node *),
                                     double *from, size_t *next)
{
    struct heaviest h = {0, 0};
    for (size_t k = g->n_ordered; k-- > 0 && !isnan(h.weight);) {
        size_t i = g->order[k], best = g->n_nodes;
        for (size_t e = 0; e < g->nodes[i].n_out; e++) {
            size_t to = g->out[g->nodes[i].first_out + e];
            best = best == g->n_nodes || from[to] > from[best] ? to : best;
        }
        next[i] = best;
        from[i] = weight(&g->nodes[i]) + (best < g->n_nodes ? from[best] : 0);
        if (from[i] > h.weight || isnan(from[i]))
            h = (struct heaviest){from[i], i};
    }
    return h;
}

/* Its weight; its nodes in `path`, if not NULL, and their number in *n. */
static double heaviest_path(const struct dag *g, double (*weight)(const struct dag_node *),
                            size_t *path, size_t *n)
{
    double *from = calloc(g->n_nodes + 1, sizeof *from);
    size_t *next = calloc(g->n_nodes + 1, sizeof *next);
    struct heaviest h = {0, g->n_nodes};
    if (from && next && g->n_ordered > 0)
        h = find_heaviest(g, weight, from, next);
    *n = 0;
    for (size_t i = h.first; path && i < g->n_nodes && !isnan(h.weight); i = next[i])
        path[(*n)++] = i;
    free(from);
    free(next);
    return h.weight;
}

size_t dag_path(const struct dag *g)
{
    size_t n;
    return (size_t)heaviest_path(g, one_node, NULL, &n);
}

double dag_path_us(const struct dag *g)
{
    size_t n;
    return heaviest_path(g, duration_us, NULL, &n);
}

size_t dag_path_nodes(const struct dag *g, size_t *path)
{
    size_t n;
    if (isnan(heaviest_path(g, duration_us, path, &n)))
        heaviest_path(g, one_node, path, &n);
    return n;
}

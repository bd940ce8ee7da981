/* graph_query.c: what can be counted in a graph: nodes, ends, paths. */
#include "graph_query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- nodes -------------------------------------------------------------------------------------
 */

bool dag_has_cycle(const struct dag *g)
{
    return g->n_ordered < g->n_nodes;
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

bool dag_takes_time(const struct dag_node *node)
{
    static const char *const kinds[] = {"kernel", "memset", "host", "h2d", "d2h", "d2d", "h2h"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (dag_is(node, kinds[i], NULL))
            return true;
    return false;
}

/* ---- ends --------------------------------------------------------------------------------------
 */

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

/* ---- paths -------------------------------------------------------------------------------------
 */

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

/* The heaviest path; NAN where a node's weight is. */
static double longest(const struct dag *g, double (*weight)(const struct dag_node *))
{
    double *before = calloc(g->n_nodes + 1, sizeof *before), most = 0;
    for (size_t i = 0; before && i < g->n_ordered && !isnan(most); i++) {
        const struct dag_node *n = &g->nodes[g->order[i]];
        double behind = before[g->order[i]] + weight(n);
        most = behind > most || isnan(behind) ? behind : most;
        for (size_t e = 0; e < n->n_out; e++) {
            double *to = &before[g->out[n->first_out + e]];
            *to = behind > *to ? behind : *to;
        }
    }
    free(before);
    return most;
}

size_t dag_path(const struct dag *g)
{
    return (size_t)longest(g, one_node);
}

double dag_path_us(const struct dag *g)
{
    return longest(g, duration_us);
}

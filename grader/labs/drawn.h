/* drawn.h: is a graph the one that is drawn in lab.h? A drawing is a table of nodes and edges:
 *
 *     static const struct drawn loop = {
 *         .name = "loop",
 *         .nodes = DRAWN_NODES(DRAWN_NODE("kernel", "jacobi", "sweep", .n = 4),
 *                              DRAWN_NODE("if", "-", "if", .n = 1)),
 *         .edges = DRAWN_EDGES({0, 1})};
 *
 * What differs is a fact: `when: drawn loop edge-missing sweep -> if` (rules/terms.c). So shown
 * names that rules use are one word each. */
#pragma once

#include "judge/judge.h"
#include "query/graph.h"

enum { DRAWN_MOST = 16, DRAWN_ANY = 1 << 20 };

/* A node; or, for drawn_count and drawn_order, a group of nodes. */
struct drawn_node {
    const char *kind, *name; /* for dag_is; kind NULL ends the list */
    const char *shown;       /* as lab.h has it */

    /* of a group: how many, and at most how many more */
    size_t n, more;
    int batch; /* counted from 1 (dag_take_batches); 0: of any batch or none */
};

#define DRAWN_NODE(kind_, name_, ...)                                                              \
    {                                                                                              \
        .kind = kind_, .name = name_, .shown = __VA_ARGS__                                         \
    }

/* From one row of the nodes to another; from == to ends the list. */
struct drawn_edge {
    int from, to;
};

#define DRAWN_NODES(...)                                                                           \
    (const struct drawn_node[])                                                                    \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            .kind = NULL                                                                           \
        }                                                                                          \
    }
#define DRAWN_EDGES(...)                                                                           \
    (const struct drawn_edge[])                                                                    \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            0, 0                                                                                   \
        }                                                                                          \
    }

struct drawn {
    const char *name;               /* for rules */
    const struct drawn_node *nodes; /* at most DRAWN_MOST */
    const struct drawn_edge *edges;

    /* of drawn_expect */
    const char *function;     /* that builds it: "lab08_branches" */
    const char *add_edge;     /* how it adds an edge; NULL: with the node that waits */
    struct judge_shape shape; /* for the report; empty: it shows the graph only if it differs */
    /* the next step if a node of another kind is in the place of this one; NULL: as if it were
       missing */
    void (*of_other_kind)(const struct drawn_node *node);
};

/* Fails unless nodes and edges of the graph match those of the drawing one to one; names the first
   node or edge that is missing, or that the drawing does not have. The report then shows the graph
   with the drawing's names and the edges that differ. */
void drawn_expect(struct judged *j, const struct dag *g, const struct drawn *d);

/* Groups: a node belongs to the first row that it matches, and the nodes of a child graph to the
 * child's place. Each returns the number of differences, which are facts; none fails.
 *     drawn_count   has each group as many nodes as it must have?
 *     drawn_order   does each node of `to` wait for each of `from`, if only by way of others? A
 *                   group that needs a node and has none is missing */
size_t drawn_count(const struct dag *g, const struct drawn *d);
size_t drawn_order(const struct dag *g, const struct drawn *d);

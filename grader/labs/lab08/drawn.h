/*
 * drawn.h: is a graph the one that is drawn in lab.h?
 */
#ifndef LAB08_DRAWN_H
#define LAB08_DRAWN_H

#include "judge/judge.h"
#include "query/graph.h"

enum { DRAWN_NODES = 8, DRAWN_EDGES = 8 };

/* How a graph differs from its drawing. */
enum drawn_difference {
    DRAWN_ONE_CHAIN,
    DRAWN_NODE_MISSING,
    DRAWN_NODE_OF_OTHER_KIND,
    DRAWN_NODE_TOO_MANY,
    DRAWN_EDGE_MISSING,
    DRAWN_EDGE_TOO_MANY,
    DRAWN_DIFFERENCES
};

/* The mistakes of lab08_NAME. */
#define DRAWN_MISTAKES(name)                                                                       \
    {                                                                                              \
        [DRAWN_ONE_CHAIN] = #name "_one_chain", [DRAWN_NODE_MISSING] = #name "_node_missing",      \
        [DRAWN_NODE_OF_OTHER_KIND] = #name "_node_of_other_kind",                                  \
        [DRAWN_NODE_TOO_MANY] = #name "_node_too_many",                                            \
        [DRAWN_EDGE_MISSING] = #name "_edge_missing",                                              \
        [DRAWN_EDGE_TOO_MANY] = #name "_edge_too_many"                                             \
    }

/* A graph as it is drawn. */
struct drawn {
    const char *name; /* branches: of lab08_branches, which builds it */
    const char *mistakes[DRAWN_DIFFERENCES];
    const char *add_edge;     /* how it adds an edge; NULL: with the node that waits */
    struct judge_shape shape; /* for the report; empty: it shows the graph only if it differs */
    struct drawn_node {
        const char *kind, *name; /* as in struct dag_node; NULL: no such node */
        const char *shown;       /* as lab.h has it */
    } nodes[DRAWN_NODES];
    struct drawn_edge {
        int from, to;
    } edges[DRAWN_EDGES]; /* the first one with from == to ends them */
};

/* Fails unless nodes and edges of the graph match those of the drawing one to one; names the first
   node or edge that is missing, or that the drawing does not have. The report then shows the graph
   with the drawing's names and the edges that differ. */
void drawn_expect(struct judge *j, const struct dag *g, const struct drawn *d);

#endif

/* graph.h: a submission's graph as its adapter read it (subject/graph.h), and questions that suites
 * ask of it.
 *
 * As text, one line each: "nodes N edges M", then N times
 *     kind,name,bytes,value,buffer,offset,pageable,graphs
 * and M times "from,to", which count nodes from 0. A name is an identifier, or - where there is
 * none. Then come the graphs inside of nodes, `graphs` of each, in the order of the nodes: written
 * in the same way. (What is 0 at the end of a node's line may be left out.)
 *
 * Questions are about the graph itself: to one inside of a node they are put in the same way.
 *
 * A node waits for another if a path of edges leads from that one to it. In a graph with a cycle
 * nothing can be ordered: ask dag_has_cycle first. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/trace.h"

struct dag_node {
    char kind[16];  /* kernel, h2d, d2h, d2d, p2p, h2h, copy (its ends are not known), memset, host,
                       empty, alloc, free, record, wait, child, if, while, switch, conditional
                       (of a kind that is not known), other */
    char name[64];  /* of the kernel; else - */
    uint64_t bytes; /* that a copy, memset or allocation is about; else 0 */
    long value;     /* that a memset writes */
    char buffer[24]; /* the judge's buffer that a copy has its host side in, or that a parameter of
                        a kernel points to; - for other memory */
    long offset;     /* of its first float in that buffer */
    bool pageable;   /* a copy's host side is not pinned */

    struct dag *inside; /* n_inside graphs: a child graph; what is done if, as long as, as which */
    size_t n_inside;

    int batch;               /* that it is about, by dag_take_batches; -1: not known */
    double start_us, end_us; /* in the trace given to dag_take_times; NAN: not known */

    /* filled by dag_read: nodes that wait for this one directly, and how many it waits for */
    size_t first_out, n_out, n_in;
};

struct dag {
    struct dag_node *nodes; /* in the adapter's order: that of their creation */
    size_t n_nodes;
    size_t *out; /* n_edges nodes: those of nodes[i] from nodes[i].first_out on */
    size_t n_edges;
    size_t *order;    /* all nodes, each after those it waits for */
    size_t n_ordered; /* n_nodes, or less: then there is a cycle */
};

/* 0, or -1 with a sentence in *why that stays valid until the next call. dag_free when done. */
int dag_read(struct dag *out, FILE *from, const char **why);
void dag_free(struct dag *g);

/* In the graph, or in one inside of its nodes? */
bool dag_has_cycle(const struct dag *g);

/* Nodes of a kind (NULL: any) with a name (NULL: any; or ending in '*'). */
bool dag_is(const struct dag_node *node, const char *kind, const char *name);
size_t dag_count(const struct dag *g, const char *kind, const char *name);

/* The same in the graph and in all that are inside of its nodes. */
size_t dag_count_all(const struct dag *g, const char *kind, const char *name);

/* The first such node, in this graph; NULL: there is none. */
const struct dag_node *dag_first(const struct dag *g, const char *kind, const char *name);

/* Is it of a kind that shows in a trace? (Empty nodes, event nodes and the like do not.) */
bool dag_takes_time(const struct dag_node *node);

/* Nodes that wait for none, and that none waits for; the first of them (NULL: there is none). */
size_t dag_roots(const struct dag *g);
size_t dag_sinks(const struct dag *g);
const struct dag_node *dag_root(const struct dag *g);
const struct dag_node *dag_sink(const struct dag *g);

/* Does `later` wait for `earlier`, directly or by way of others? */
bool dag_waits(const struct dag *g, const struct dag_node *later, const struct dag_node *earlier);

/* Edges from a node to one that waits for it anyway, by way of others; also inside of nodes. */
size_t dag_redundant_edges(const struct dag *g);

/* Nodes of the longest path; and the path that took longest by the times of the trace (the work on
   it alone, without what passes in between; NAN where a time is not known). */
size_t dag_path(const struct dag *g);
double dag_path_us(const struct dag *g);

/* The nodes of the path that took longest, or, without times, has the most nodes; n_nodes have room
   in `path`. Returns how many they are. */
size_t dag_path_nodes(const struct dag *g, size_t *path);

/* The most nodes of which none waits for another: how much could run at once. Exact up to DAG_EXACT
 * nodes; beyond that the fullest of its levels, which may be less. */
enum { DAG_EXACT = 2048 };
size_t dag_width(const struct dag *g);

/* Gives copies the batch that their place in a buffer of the judge's says (n_batches matrices of so
 * many floats, once or several times over), and kernels that of a copy beside them. */
void dag_take_batches(struct dag *g, size_t floats, size_t n_batches);

/* Gives nodes their times: the rows of the trace that lie in a graph belong, kind by kind in the
 * order of their node numbers, to the nodes of that kind in the order of their creation. False, and
 * no times, where rows and nodes do not match one to one (more than one launch in the trace?), the
 * times contradict the edges, or there are more than a few thousand nodes. */
bool dag_take_times(struct dag *g, const struct trace *t);

/* How a graph differs from an expected one. Edges are between nodes of the graph itself. */
struct dag_edge {
    size_t from, to;
};
struct dag_difference {
    const char *const *shown; /* what each node is called in the drawing; NULL: not known */
    const struct dag_edge *missing, *extra;
    size_t n_missing, n_extra;
};

/* Writes the graph for graphviz: nodes colored by engine, labeled with what is known of them; the
   longest path is thick. Graphs inside of nodes are frames, tied to their node. Missing edges are
   dashed and red, extra ones dotted; without a difference (NULL) there are none. */
void dag_write_dot(const struct dag *g, FILE *to, const char *title,
                   const struct dag_difference *difference);

/*
 * exec_graph.h: an executable graph: all nodes flat, in an order in which they can be launched.
 */
#ifndef EXEC_GRAPH_H
#define EXEC_GRAPH_H

#include "graph.h"

/* A node ready to be launched. A child graph is unfolded between two markers, of which the last stands for it. */
struct exec_node {
    struct work work;
    enum cudaGraphNodeType type;
    uint64_t source;          /* uid of the node it was made from; 0: the opening marker of a child graph */
    int number;               /* of that node, for reports */
    int first_in, n_in;       /* its dependencies, in flat.in */
    bool has_out;             /* something waits for it */
    int chain;                /* nodes of one chain follow each other: they share a lane */
    int priority;
    bool disabled;
    bool in_run, first_of_run; /* of kernels launched as one; set when they are launched or uploaded */
    int run;                  /* in_run: the node that is first in it */
    int run_kernels;          /* first_of_run: how many it has */
    struct graph_memory *memory;
    struct conditional *condition;
    enum cudaGraphConditionalNodeType condition_type;
    struct flat *bodies;
    int n_bodies;
};

struct flat {
    struct exec_node *nodes;
    int n, cap;
    int *in;
    int n_ins, cap_ins;
    int n_chains;
    int width;                /* chains that can run at once, at most */
};

struct exec {
    struct flat flat;
    struct graph *shape;      /* a clone of the graph, for updates to be compared with */
    int *index;               /* hash table from uid to node of flat, by open addressing; -1: free */
    size_t index_cap;
    unsigned long long flags;
    struct device *device;
    uint32_t *lanes;          /* one a chain, while launches use them */
    struct op *last_end;      /* counted; the end of the latest launch, until it is done */
    struct stamp last_stamp;  /* of that end */
    bool uploaded;
    double owed_us;           /* what the next launch pays for nodes switched on or off */
    struct user_ref *user_refs;
    int refs;                 /* the handle, pending launches */
};

struct exec *exec_of(cudaGraphExec_t handle);
/* The node of the exec that was made from this node, or NULL. */
struct exec_node *exec_find(struct exec *x, const struct node *n);
struct exec_node *exec_find_uid(struct exec *x, uint64_t uid);
void exec_put(struct exec *x);
/* Is the node a kernel to the device: a kernel, a copy inside the device or a large memset? */
bool exec_node_is_kernel(const struct exec_node *x);
/* Brings to the device what is not there as it should be: the host pays, and the stream has something to wait for. */
void exec_upload(struct exec *x, struct stream *s);
cudaError_t exec_launch(struct exec *x, struct stream *s);

#endif

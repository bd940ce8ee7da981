/* launch.h: one launch of an executable graph, between launch.c and unfold.c. */
#pragma once

#include "exec.h"

/* A node of a launch before it becomes an operation. */
struct folded {
    struct op *op;      /* pending, so not counted; NULL: it is none yet */
    ns_t ready_ns;      /* the host has launched it by then */
    struct epoch epoch; /* the operation takes it over */
    cudaError_t fails;  /* this and the rest: as of an operation */
    bool read_later, bad_address;
    struct late *late;
};

/* What one launch, of a graph by the host or of a body by the device, needs while its operations
 * are made. */
struct launch {
    struct exec *exec;
    struct flat *flat;
    struct stream *stream;
    uint32_t index;                  /* of the host's launch in its stream */
    int priority;                    /* of that stream */
    bool in_company;                 /* of its kernels */
    struct op *begin;                /* NULL: nothing comes before the first nodes */
    struct op **ops;                 /* of the flat graph's nodes; pending, so not counted */
    ns_t ready_ns;                   /* what the launching call begins with may start */
    bool by_device;                  /* at ready_ns: no host thread is in it */
    struct environment *environment; /* where its kernels may launch graphs, or NULL */
    struct late *late;               /* what its bodies access is declared when they run; or NULL */
    const struct epoch *origin; /* it is launched by a kernel: what the first nodes come after */

    /* unfold.c: such a launch lasts until its end is done */
    struct folded *folded; /* its nodes, in place of ops; or NULL */
    uint64_t first_id;     /* of its operations */
    struct op *end;
    bool is_listed;              /* in exec->folded: some nodes are not operations yet */
    struct launch *next, **prev; /* there */
};

/* ---- launch_node.c --------------------------------------------------------------------------- */
/* An operation that does what node i does in this launch. */
struct op *launch_op(const struct launch *l, int i);
/* The host launches the node: this takes host time. When it may start. */
ns_t launch_ready_ns(const struct launch *l, const struct exec_node *x);
/* The place of node i in the order, after the places of the nodes before it are set. */
struct epoch launch_epoch(const struct launch *l, int i);
/* The same, once it is set. */
const struct epoch *launch_epoch_of(const struct launch *l, int i);

/* Node i becomes an operation, after those that it depends on. */
void launch_node(struct launch *l, int i);
/* A clock id for each chain of nodes, for a launch after `origin`. */
void clock_ids_take(struct exec *x, const struct epoch *origin);
/* The mark that waits for the nodes of a graph in the environment. */
struct op *nodes_done(struct environment *e, struct stream *s);

/* ---- unfold.c -------------------------------------------------------------------------------- */
/* The nodes of the launch become operations later. Returns the launch as it is from now on. */
struct launch *launch_fold(const struct launch *given);
/* Its end waits for it. */
void launch_folded_begins(struct launch *l, struct op *end);
/* All of it is done. */
void launch_folded_ends(struct launch *l);
/* All nodes of pending launches become operations. */
void launches_unfold(struct exec *x);

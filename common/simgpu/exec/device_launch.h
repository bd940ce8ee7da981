/* device_launch.h: graphs launched by kernels.
 *
 *     a launch by the host -> environment of its stream
 *         |-> place -> environment of the graph launched, then of its tails, one at a time
 *         |-> place -> a sibling of that graph, and so on
 *
 * An environment is one execution of a graph with all that its kernels have launched to fire and
 * forget: it is complete when the graph's nodes and all places in it are done. Then the first of
 * its tails takes its place; when there is none, the place is done. */
#pragma once

#include "exec.h"

enum { MOST_FIRED = 120, MOST_TAILS = 255 };

enum launch_mode { LAUNCH_BY_HOST, LAUNCH_FIRE, LAUNCH_TAIL, LAUNCH_SIBLING };

/* A launch by a kernel. */
struct request {
    struct exec *exec; /* counted */
    enum launch_mode mode;
    struct place *place;      /* fire and sibling: the place in which it runs */
    struct epoch after;       /* fire and sibling: of the kernel */
    double at_us;             /* time of the call, after the begin of the kernel */
    struct late_writes *late; /* fire and sibling: the later writes of that kernel; counted */
    int launcher; /* number of the graph with the kernel; of a tail: of the graph before it; for
                     traces */
    struct request *next;
};

struct requests {
    struct request *first, **end;
    int n;
};

struct environment {
    struct exec *exec;     /* counted; NULL: of a stream */
    struct place *place;   /* NULL: of a stream */
    struct op *end;        /* the end of the launch by the host, which waits for all of this */
    int n_open;            /* its nodes (as one) and places that are not done */
    uint64_t n_runs;       /* of a stream: graphs that kernels have launched in it */
    int n_fired;           /* graphs launched into it so far, fire-and-forget or as siblings */
    bool has_joined;       /* one of them is done */
    bool again;            /* it is one of its own tails */
    struct requests tails; /* launched by its kernels */
    struct late *accesses; /* until it is complete */
    struct epoch done;     /* after all completed work in it, on clock_id */
    uint32_t clock_id;
    struct late_writes
        *late; /* of the kernel that launched it, or that launched the graph before it; counted */
    enum launch_mode mode; /* how it was launched, by which graph, and when its nodes began */
    int launcher;
    ns_t start_ns;
};

/* Environments run in sequence in a place. */
struct place {
    struct environment *around;
    struct requests tails; /* that will run here */
};

/* ---- environment.c --------------------------------------------------------------------------- */
/* The host launches x: its environment. The end of the launch waits for it. `sinks`: the nodes
 * without successors. */
struct environment *environment_of_launch(struct exec *x);
/* All accesses in it come after *origin, and some may be declared late. */
void environment_expect(struct environment *e, const struct epoch *origin);
void environment_bind(struct environment *e, struct op *end, const struct epoch *const *sinks,
                      int n);
/* A further place inside it. */
struct place *environment_place(struct environment *e);
/* The launch begins, at `ready_ns`. */
void environment_fire(struct request *r, ns_t ready_ns);

/* Its nodes have begun; its nodes are done. */
void environment_begins(struct op *begin);
void environment_nodes_done(struct op *mark, ns_t now);
/* The number of its graph if a kernel launched it, else 0. */
int environment_graph(const struct environment *e);

/* ---- device_launch.c: around the run of op's grid; true: it has launched graphs -------------- */
void kernel_calls_begin(struct op *op);
bool kernel_calls_end(struct op *op);
/* cudaGraphLaunch in a kernel. */
cudaError_t kernel_graph_launch(cudaGraphExec_t handle, cudaStream_t stream);

/* ---- late_writes.c --------------------------------------------------------------------------- */
struct late_writes *late_writes_of(const struct op *op); /* its grid has run */
struct late_writes *late_writes_get(struct late_writes *l);
void late_writes_put(struct late_writes *l);
/* op, of a graph in e, is launched: reports its races with late writes. */
void late_writes_meet(const struct environment *e, const struct op *op);

/* ---- device_run.c ---- */
/* The device launches x in its environment: nodes are ready at `ready_ns`, after `origin`. Sets
 * e->clock_id and e->done. */
void exec_launch_by_device(struct environment *e, const struct epoch *origin, ns_t ready_ns);

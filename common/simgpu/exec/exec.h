/*
 * exec.h: an executable graph: all nodes flat, in an order in which they can be launched.
 */
#ifndef EXEC_H
#define EXEC_H

#include "graph/graph.h"

/* A node ready to be launched. A child graph is unfolded between two markers, of which the last
 * stands for it. */
struct exec_node {
    struct work work;
    uint64_t source; /* uid of the node it was made from; 0: the opening marker of a child graph */
    uint64_t known;  /* the latest allocation when its work was given: it can name no later one */
    enum cudaGraphNodeType type;
    int number;         /* of that node, for reports */
    int device;         /* that runs it */
    int first_in, n_in; /* its dependencies, in flat.in */
    int chain;          /* nodes of one chain follow each other: they share a clock id */
    int priority;
    int run;            /* in_run: the node that is first in it */
    int run_kernels;    /* first_of_run: how many it has */
    bool crosses;       /* it waits for a node of another device, or copies between devices */
    bool has_out;       /* something waits for it */
    bool disabled;      /* for the launches to come */
    bool host_disabled; /* as the host has set it; device code may have changed that */
    bool host_changed;  /* by the host since the last launch: that counts, whatever device code does
                         */
    bool in_run,
        first_of_run; /* of kernels launched as one; set when they are launched or uploaded */
    bool in_body;     /* of a conditional node */
    bool changed;     /* device code has changed it */
    struct graph_memory *memory;
    struct device_node *updatable; /* counted; device code may change it */
    uint64_t verified;    /* in a body: the launch in which its footprint was last looked at */
    struct epoch unknown; /* in a body, a kernel without a footprint: its place in the order of the
                             latest launch, for when it runs; else seq 0 */
};

/* An edge, at the node that waits. */
struct flat_in {
    int from;
    unsigned order : 2;        /* enum order */
    unsigned programmatic : 1; /* the node is complete only once `from` is */
};

struct flat {
    struct exec_node *nodes;
    int n, cap;
    struct flat_in *in;
    int n_ins, cap_ins;
    int n_chains;
    int width; /* chains that can run at once, at most */
    struct node
        *cyclic; /* the youngest node that is in, or after, a cycle: there is no such order */
};

/*
 * What a conditional node chooses from. Counted: a launch keeps the bodies as they were when it was
 * made, whatever is changed in the executable graph before they run.
 */
struct choice {
    int refs;
    enum cudaGraphConditionalNodeType type;
    cudaGraphConditionalHandle handle;
    int n;
    struct flat bodies[];
};

/* The value of a condition. */
struct condition_value {
    unsigned now;
    bool was_set; /* by a kernel of this launch */
};

struct condition_defaults;

struct exec {
    struct flat flat;
    struct graph *shape;      /* a clone of the graph, for updates to be compared with */
    struct exec_node **index; /* hash table from uid to node, by open addressing; NULL: free */
    size_t index_cap;
    struct condition_defaults
        *defaults; /* what the values are when a launch begins; NULL: there are none */
    struct single_exec
        *single;   /* counted; NULL: the graph may be instantiated as often as you like */
    bool launched; /* by the host or the device */
    uint64_t n_launches;
    unsigned long long flags;
    struct device *device;
    uint32_t *clock_ids;     /* one a chain, while launches use them */
    struct op *last_end;     /* counted; the end of the latest launch, until it is done */
    struct epoch last_epoch; /* of that end */
    bool uploaded;
    struct epoch upload; /* by cudaGraphUpload, since the latest launch by the host */
    bool has_updatable;  /* nodes that device code may change */
    struct flat *image;  /* what the device has of it, where that is older; NULL: flat itself */
    struct environment
        *running; /* by device launch, or by the host where its kernels may launch graphs */
    bool asked;   /* a kernel has asked for it, it has not begun */
    struct epoch last_run; /* after its latest run by a kernel: no two are at once */
    int number;            /* in order of instantiation, from 1; as traces show it */
    int n_roots;           /* nodes that wait for nothing */
    int n_devices;         /* that its nodes run on */
    bool for_device; /* kernels may launch it, or its kernels launch graphs: the host's launch costs
                        more */
    bool in_company; /* its latest launch by the host came after kernels in several streams */
    double owed_us;  /* what the next launch pays for nodes switched on or off */
    double made_before; /* nodes_instantiated when the host last had it in hand */
    struct user_ref *user_refs;
    struct user_ref *former_refs; /* before an update: pending launches may need them */
    int refs;                     /* the handle, pending launches */
};

/* launched.c: the host or a kernel has launched it. */
void launched_note(const struct exec *x);

extern double nodes_instantiated; /* of all executable graphs so far */

/* Defines what the operations of launches do, and answers device code; before any is made. */
void exec_types_set(void);

/* How an instantiation ended. */
struct instantiation {
    cudaError_t error;
    cudaGraphInstantiateResult result;
    struct node *node; /* that is the reason, or NULL */
    int n_looked_at;   /* scratch: nodes that may be in a graph for device launch so far */
    int device;        /* scratch: of the first of these */
};

struct instantiation exec_instantiate(cudaGraphExec_t *out, cudaGraph_t handle,
                                      unsigned long long flags);
struct exec *exec_of(cudaGraphExec_t handle);
/* Host time of destroying it, besides what every call takes. */
ns_t exec_destroy_cost(const struct exec *x);
/* The node of the exec that was made from this node, or NULL. */
struct exec_node *exec_find(struct exec *x, const struct node *n);
struct exec_node *exec_find_uid(struct exec *x, uint64_t uid);
/* Calls fn for every node, those of bodies included. */
void exec_each_node(struct exec *x, void fn(struct exec_node *n, void *arg), void *arg);
/* Before nodes are changed: launches that are still to run keep theirs, and the device what it has.
 */
void exec_own_bodies(struct exec *x);
/* The device gets the nodes as they are now. */
void exec_drop_image(struct exec *x);
void exec_put(struct exec *x);
/* User objects that an update has replaced are let go, unless a launch is pending. */
void exec_drop_former_refs(struct exec *x);
/* ---- runs.c ---- */
void find_runs(struct flat *f);
double upload_cost_us(const struct exec_node *x);
double launch_cost_us(const struct exec_node *x);
bool exec_node_copied_by_kernel(const struct exec_node *x);
/* Is the node a kernel to the device: a kernel, a copy inside the device or a large memset? */
bool exec_node_is_kernel(const struct exec_node *x);
/* Device code that changes its nodes changes them in no exec. */
void exec_unbind(struct exec *x);
/* Brings to the device what is not there as it should be: the host pays, and the stream has
 * something to wait for. */
void exec_upload(struct exec *x, struct stream *s);
/* exec_memory.c: a launch in s allocates and frees what its nodes say; `backing` gets the memory
 * of each device for it, or NULL. Fails if it is allocated already. */
cudaError_t exec_memory_take(struct exec *x, const struct stream *s,
                             struct backing *backing[MAX_DEVICES]);
/* The node is to run as op: if it frees memory, whatever is not ordered before it is a use after
   free. */
void exec_memory_ends(const struct op *op, const struct exec_node *x);
/* work_update.c: may work a become work b in an executable graph? */
bool work_can_become(const struct work *a, const struct work *b);
/* graph_update.c: the nodes of x, made from `old`, become those of `new`. */
cudaError_t exec_update(struct exec *x, struct graph *old, struct graph *new,
                        cudaGraphExecUpdateResultInfo *info);
/* The child graph node, which x was made from, becomes g. */
cudaError_t exec_set_child(struct exec *x, const struct node *n, struct graph *g);
cudaError_t exec_launch(struct exec *x, struct stream *s);
/* The device launches the nodes of a body at `now`; `end`, of kind OP_BODY_END, is done after them.
 */
void flat_run(struct exec *x, struct flat *body, struct op *end, ns_t now);

/* ---- flatten.c ------------------------------------------------------------------------------- */
/* Appends the nodes of g; those that wait for nothing wait for node `open` (-1: for nothing).
 * False: there is a cycle. */
bool flatten(struct flat *f, const struct graph *g, int open);
/* Each node goes on with the chain of the first dependency that nothing else goes on with; bodies
 * too. */
void find_chains(struct flat *f);
void flat_free(struct flat *f);
/* ---- body.c: all of it, with bodies of its own ----------------------------------------------- */
void flat_copy(struct flat *to, const struct flat *from);

/* ---- condition_values.c
 * ----------------------------------------------------------------------------- */
struct condition_defaults *condition_defaults_new(const struct graph *g);
struct condition_defaults *condition_defaults_get(struct condition_defaults *d);
void condition_defaults_put(struct condition_defaults *d);
/* What the grid that just ran has set, or NULL; lets it take effect. x: whose kernel it was; NULL:
 * no graph's. */
struct condition_sets *condition_sets_take(void);
void condition_sets_land(struct condition_sets *s, struct exec *x);
void condition_sets_free(struct condition_sets *s);
/* x is the one exec of g, if g has conditional or device-updatable nodes. */
void single_exec_take(struct exec *x, struct graph *g);
/* A launch begins. */
void conditions_begin(struct exec *x, const struct condition_defaults *d);
/* The value that the handle means in a launch of x, or NULL. */
struct condition_value *condition_value(struct exec *x, cudaGraphConditionalHandle handle);

/* ---- updatable.c ----------------------------------------------------------------------------- */
void exec_node_updatable(struct exec_node *x, const struct node *n);
/* Device code that changes the node changes it in this exec (NULL: in none). */
void device_node_bind(struct exec_node *x, void *exec);
/* What the grid that just ran asked to change of nodes, or NULL; lets it take effect, or drops it.
 */
struct node_changes *node_changes_take(void);
void node_changes_land(struct node_changes *s);
void node_changes_drop(struct node_changes *s);
/* The operation of such a node takes its work as it is now. */
void updatable_refresh(struct op *op);
/* The exec is brought to the device: from now on device code's changes count again. */
void exec_node_launched(struct exec_node *x, void *unused);

/* ---- body.c ---------------------------------------------------------------------------------- */
extern const struct op_type condition_type, body_end_type, graph_begin_type, graph_end_type;
struct choice *choice_new(enum cudaGraphConditionalNodeType type, cudaGraphConditionalHandle handle,
                          int n);
/* Makes the conditional node's bodies its own, to be changed: false if they are, or it is no such
 * node. */
bool choice_own(struct work *w);

/* ---- body_order.c ---------------------------------------------------------------------------- */
/*
 * Tells the ordering checks what the bodies may touch, when the launch is made: after `begin`,
 * which it moves on in the same clock id to after all of them. True: what some of their kernels
 * access is known only once they run.
 */
bool bodies_declare(const struct choice *c, struct stream *s, uint32_t clock_id,
                    struct epoch *begin);

#endif

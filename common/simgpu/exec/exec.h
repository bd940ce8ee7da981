/* exec.h: an executable graph: all nodes flat, in an order in which they can be launched. */
#pragma once

#include "core/table.h"
#include "graph/graph.h"

/* A node of an executable graph. The nodes of a child graph lie between two markers; the last one
 * stands for the child graph node. */
struct exec_node {
    uint64_t source; /* uid of the node it was made from; 0: the opening marker of a child graph */
    struct graph_memory *memory;
    uint64_t verified;    /* in a body: the launch in which its footprint was last checked */
    struct epoch unknown; /* a kernel without a footprint in a body: its place in the order, of the
                             latest launch; else seq 0 */
    enum cudaGraphNodeType type;
    int run;         /* in_run: the first node of the run */
    int run_kernels; /* first_of_run: the number of nodes */

    /* each launch reads these: they lie together, and beside the work */
    int first_out, n_out; /* nodes that depend on it, in flat.out */
    int first_in, n_in;   /* its dependencies, in flat.in */
    int number;           /* of its source, for reports */
    int device;           /* that runs it */
    int chain;            /* nodes of one chain follow each other: they share a clock id */
    int priority;
    uint64_t known;                /* the latest allocation when its work was set */
    struct device_node *updatable; /* counted; device code may change it */
    ns_t launch_ns;                /* host time that it takes of the launching call */
    bool goes_along;    /* none of that is its own: it goes to the device with what it follows */
    bool accesses;      /* its work accesses memory */
    bool continues;     /* it depends on the node before it in its chain alone */
    bool crosses;       /* it waits for a node of another device, or copies between devices */
    bool has_out;       /* it has successors */
    bool disabled;      /* for later launches */
    bool host_disabled; /* the latest setting of the host; device code may have changed it */
    bool host_changed;  /* by the host since the last launch: it overrides device code */
    bool in_run,
        first_of_run; /* of kernels that are launched as one; set by a launch or an upload */
    bool in_body;     /* of a conditional node */
    bool changed;     /* device code has changed it */
    struct work work;
};

/* An edge, kept at its later node. */
struct flat_in {
    int from;
    unsigned order : 2;        /* enum order */
    unsigned programmatic : 1; /* the node is complete only once `from` is */
};

struct flat {
    struct exec_node *nodes;
    int n;
    size_t cap;
    struct flat_in *in;
    int n_ins;
    size_t cap_ins;
    int *out;   /* for each node those that depend on it; then the nodes without predecessors */
    int *sinks; /* nodes that nothing waits for; in the memory of `out` */
    int n_roots, n_sinks;
    int n_chains;
    int width;           /* the most chains that can run concurrently */
    struct node *cyclic; /* the youngest node in or after a cycle; NULL: there is no cycle */
};

/* The bodies of a conditional node. Counted: a launch keeps them, even if the executable graph is
 * changed before they run. */
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
    bool was_set;     /* by a kernel of this launch */
    bool has_default; /* it had one when this launch began */
};

struct condition_defaults;

struct exec {
    struct flat flat;
    struct graph *shape; /* a clone of the graph: updates are compared with it */
    struct table index;  /* indexed_node */
    struct condition_defaults
        *defaults;              /* the values at the beginning of a launch; NULL: there are none */
    struct single_exec *single; /* counted; NULL: the graph may be instantiated again */
    bool launched;              /* by the host or the device */
    uint64_t n_launches;
    unsigned long long flags;
    struct device *device;
    uint32_t *clock_ids;     /* one for each chain, while launches use them */
    bool is_planned;         /* runs and costs of its nodes are up to date */
    bool folds;              /* its nodes can become operations late: unfold.c */
    struct launch *folded;   /* pending launches with such nodes */
    struct launch *spare;    /* memory of launches that have ended, for the next ones */
    struct op *last_end;     /* counted; the end of the latest launch, until it is done */
    struct epoch last_epoch; /* of that end */
    bool uploaded;
    struct epoch upload; /* by cudaGraphUpload, since the latest launch by the host */
    bool has_updatable;  /* nodes that device code may change */
    struct flat *image;  /* the older state that the device has; NULL: it has flat */
    struct environment
        *running; /* a launch by the device, or by the host if its kernels may launch graphs */
    bool asked;   /* a kernel has launched it, and it has not begun */
    struct epoch last_run; /* after its latest launch by a kernel: launches do not overlap */
    int number;            /* in order of instantiation, from 1; as traces show it */
    int n_devices;         /* devices of its nodes */
    bool for_device; /* kernels may launch it, or its kernels launch graphs: the host's launch costs
                        more */
    bool in_company; /* its latest launch by the host came after kernels in several streams */
    double owed_us;  /* the cost of nodes switched on or off, for the next launch */
    double made_before; /* nodes_instantiated when the host last used it */
    struct user_ref *user_refs;
    struct user_ref *former_refs; /* of before an update: pending launches may need them */
    int refs;                     /* of the handle and of pending launches */
};

/* launched.c: the host or a kernel has launched it. */
void launched_note(const struct exec *x);

extern double nodes_instantiated; /* of all executable graphs so far */

/* Registers the actions of the operations of launches and the calls of device code, before the
 * first use. */
void exec_types_set(void);

/* The result of an instantiation. */
struct instantiation {
    cudaError_t error;
    cudaGraphInstantiateResult result;
    struct node *node; /* the cause of the error, or NULL */
    int n_looked_at;   /* scratch: nodes so far that a graph for device launch may have */
    int device;        /* scratch: of the first of these */
};

struct instantiation exec_instantiate(cudaGraphExec_t *out, cudaGraph_t handle,
                                      unsigned long long flags);
struct exec *exec_of(cudaGraphExec_t handle);
struct exec *exec_given(cudaGraphExec_t handle); /* the same; notes a wrong handle */
/* Host time to destroy it, in addition to the cost of the call. */
ns_t exec_destroy_cost(const struct exec *x);
/* The node of the exec that was made from this node, or NULL. */
struct exec_node *exec_find(struct exec *x, const struct node *n);
struct exec_node *exec_find_uid(struct exec *x, uint64_t uid);
/* Calls fn for every node, those of bodies included. */
void exec_each_node(struct exec *x, void fn(struct exec_node *n, void *arg), void *arg);
/* Before nodes are changed: pending launches keep the former work and bodies, and the device its
 * state. */
void exec_before_change(struct exec *x);
/* The device takes over the present nodes. */
void exec_drop_image(struct exec *x);
void exec_put(struct exec *x);
void exec_index_nodes(struct exec *x); /* for exec_find_uid, after nodes have moved */
/* Releases user objects that an update has replaced, unless a launch is pending. */
void exec_drop_former_refs(struct exec *x);
/* ---- runs.c ---- */
/* Before a launch or an upload: runs and costs, after nodes have been changed. */
void exec_plan(struct exec *x);
double upload_cost_us(const struct exec_node *x);
double launch_cost_us(const struct exec_node *x);
bool exec_node_copied_by_kernel(const struct exec_node *x);
/* Does the device run the node as a kernel: a kernel, a copy inside the device, a large memset? */
bool exec_node_is_kernel(const struct exec_node *x);
/* From now on, device code that changes its nodes changes no executable graph. */
void exec_unbind(struct exec *x);
/* Uploads the nodes that the device lacks or has in an older state: this takes host time, and the
 * stream gets an operation. */
void exec_upload(struct exec *x, struct stream *s);
/* exec_memory.c: the memory of the alloc nodes for a launch in s; `backing` gets that of each
 * device, or NULL. Fails if it is still allocated. */
cudaError_t exec_memory_take(struct exec *x, const struct stream *s,
                             struct backing *backing[MAX_DEVICES]);
/* op runs the node. If the node frees memory, an access that is not ordered before it is a use
   after free. */
void exec_memory_ends(const struct op *op, const struct exec_node *x);
/* work_update.c: may work a become work b in an executable graph? */
bool work_can_become(const struct work *a, const struct work *b);
/* The node gets this work, which it takes over; cudaErrorInvalidValue: it cannot. A kernel node
   stays on its device, which is to be current. for_device: in a graph for device launch no node may
   name pageable memory. */
cudaError_t exec_set_work(struct exec_node *x, struct work *w, bool for_device);
/* graph_update.c: the nodes of x, made from `old`, become those of `new`. */
cudaError_t exec_update(struct exec *x, struct graph *old, struct graph *new,
                        cudaGraphExecUpdateResultInfo *info);
/* The child graph node, which x was made from, becomes g. */
cudaError_t exec_set_child(struct exec *x, const struct node *n, struct graph *g);
cudaError_t exec_launch(struct exec *x, struct stream *s);
/* The device launches the nodes of a body at `now`. `end` (OP_BODY_END) is done after them. */
void flat_run(struct exec *x, struct flat *body, struct op *end, ns_t now);

/* ---- flatten.c ------------------------------------------------------------------------------- */
/* Appends the nodes of g; its roots get the predecessor `open` (-1: none). False: g has a cycle. */
bool flatten(struct flat *f, const struct graph *g, int open);
/* Each node continues the chain of its first predecessor whose chain no other node continues. Also
 * in bodies. */
void find_chains(struct flat *f);
/* Sets flat.out, with the nodes without predecessors, and flat.sinks. */
void find_successors(struct flat *f);
void flat_free(struct flat *f);
void choice_put(struct choice *c);
/* ---- body.c: all of it, with bodies of its own ----------------------------------------------- */
void flat_copy(struct flat *to, const struct flat *from);

/* ---- condition_values.c ---------------------------------------------------------------------- */
struct condition_defaults *condition_defaults_new(const struct graph *g);
struct condition_defaults *condition_defaults_get(struct condition_defaults *d);
void condition_defaults_put(struct condition_defaults *d);
/* The values that the grid has set, or NULL; they take effect with condition_sets_land. x: the
 * executable graph of the kernel, or NULL. */
struct condition_sets *condition_sets_take(void);
void condition_sets_give(struct condition_sets *s); /* the kernel goes on; NULL: it begins */
void condition_sets_land(struct condition_sets *s, struct exec *x);
void condition_sets_free(struct condition_sets *s);
/* x is the one exec of g, if g has conditional or device-updatable nodes. */
void single_exec_take(struct exec *x, struct graph *g);
/* A launch begins. */
void conditions_begin(struct exec *x, const struct condition_defaults *d, uint64_t launch);
/* The value of the handle in a launch of x, or NULL. */
struct condition_value *condition_value(struct exec *x, cudaGraphConditionalHandle handle);

/* ---- updatable.c ----------------------------------------------------------------------------- */
void exec_node_updatable(struct exec_node *x, const struct node *n);
/* From now on, device code that changes the node changes it in this exec (NULL: in none). */
void device_node_bind(struct exec_node *x, void *exec);
/* The changes of nodes that the grid asked for, or NULL; they take effect, or are dropped. */
struct node_changes *node_changes_take(void);
void node_changes_give(struct node_changes *c); /* the kernel goes on; NULL: it begins */
void node_changes_land(struct node_changes *s);
void node_changes_drop(struct node_changes *s);
/* The operation of such a node takes over the present work of the node. */
void updatable_refresh(struct op *op);
/* The exec is uploaded: changes by device code count again. */
void exec_node_launched(struct exec_node *x, void *unused);

/* ---- body.c ---------------------------------------------------------------------------------- */
extern const struct op_type condition_type, body_end_type, graph_begin_type, graph_end_type;
struct choice *choice_new(enum cudaGraphConditionalNodeType type, cudaGraphConditionalHandle handle,
                          int n);
/* Copies the bodies of the conditional node if they are shared, before a change. False: no copy was
 * needed. */
bool choice_own(struct work *w);

/* ---- body_order.c ---------------------------------------------------------------------------- */
/* Declares the accesses of the bodies to race detection when the graph is launched: `launched` is
 * its conditional node, in or around which they are. They come after `begin`, which then moves on,
 * on the same clock id, to after all of them. True: the accesses of some of their kernels become
 * known only when they run. */
bool bodies_declare(const struct choice *c, const struct op *launched, uint32_t clock_id,
                    struct epoch *begin);

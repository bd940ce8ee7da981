/* graph.h: graphs, captures and executable graphs of the simulated device.
 *
 *   stream --capture--> graph --instantiate--> exec --launch--> operations (stream/)
 *
 * A node keeps its work as a struct work, as an operation of a stream does. An exec keeps a flat
 * copy of all nodes, child graphs in place, in a topological order. */
#pragma once

#include "stream/stream.h"

struct graph;
struct node;

/* One end of an edge, kept at both of its nodes. */
struct link {
    struct node *node;
    cudaGraphEdgeData data;
};

struct links {
    struct link *at; /* few, or allocated for more */
    int n, cap;
    struct link few[1];
};

/* Of a memcpy node: the positions of its two ends in their arrays. */
struct copy_place {
    bool given; /* by cudaMemcpy3DParms */
    struct cudaPos dst, src;
};

/* Of a kernel node, in addition to its priority. */
struct kernel_attributes {
    int cooperative;
    dim3 cluster; /* 0 0 0: none */
    enum cudaClusterSchedulingPolicy cluster_policy;
    unsigned carveout; /* percent of shared memory */
    struct memory_attributes memory;
};

struct node {
    struct graph *graph;
    enum cudaGraphNodeType type;
    uint64_t uid; /* of all nodes ever made */
    int number;   /* in its graph and the bodies in it, in order of creation; as reports show it */
    struct work work;         /* kernel, memcpy, memset, host, event nodes */
    int device;               /* that runs it */
    struct graph *child;      /* child graph node: its own copy; batch of copies: the copies */
    struct copy_batch *batch; /* counted; batch of copies: its parameters */
    struct graph **bodies;    /* of a conditional node */
    int n_bodies;
    unsigned long long condition; /* of a conditional node: its handle */
    enum cudaGraphConditionalNodeType condition_type;
    struct graph_memory *memory; /* alloc and free nodes */
    int priority;
    struct kernel_attributes attributes;
    struct copy_place copy_place;
    struct device_node *updatable; /* counted; kernel node: device code may change it */
    uint64_t origin;               /* uid of the node this one was cloned from, or 0 */
    struct links in, out;          /* edges from predecessors and to successors */
    struct node *next, **prev;     /* in its graph, in order of creation */
    int mark;                      /* scratch of walks over the graph */
    struct node *pair;             /* scratch of updates: its counterpart in another graph */
};

/* The object of a cudaGraphDeviceNode_t. */
struct device_node {
    int refs;          /* of its node and of the exec with it */
    struct exec *exec; /* NULL: none, or no longer */
    uint64_t source;   /* uid of its node, in the graph or in a child graph that is a copy */
    bool uploaded;     /* an exec with it was uploaded: changes are valid, even without effect */
};

struct backing;

/* The memory of an alloc node. The address is fixed when the node is created. If earlier memory of
 * the graph is always freed before, it gets the same address. */
struct graph_memory {
    struct allocation
        *allocation; /* the addresses; the program can use them while it is allocated */
    struct cudaMemAllocNodeParams given;
    uint64_t bytes;
    int device;
    bool allocated;              /* by a launch, and not freed */
    bool made_here;              /* scratch of a launch: one of its nodes allocates it */
    bool freed_in_graph;         /* a free node of the same graph names it */
    struct graph_memory *before; /* counted; earlier memory at the same address */
    bool passed_on;              /* it is `before` of later memory */
    struct backing *backing;     /* if allocated: its physical memory */
    int refs;                    /* of nodes and execs, and one more while it is allocated */
};

/* A value that a kernel sets and a conditional node reads. Its handle is a number, counted in the
 * outermost graph, as on a GPU. The executable graph has the value itself. */
struct conditional {
    unsigned long long handle;
    unsigned initial;
    bool has_default; /* every launch begins with the initial value */
    bool used;        /* a conditional node has it */
    int device;       /* the current device when it was created: its node runs there */
    struct conditional *next;
};

/* A graph with conditional or device-updatable nodes has at most one executable graph at a time.
 * Graph and exec share this struct. The values of conditions persist from one exec to the next. */
struct single_exec {
    int refs;
    bool exists;
    struct condition_value *values; /* by handle */
    int n_values;
};

/* A resource that graphs keep alive. */
struct user_object {
    void *resource;
    cudaHostFn_t destroy;
    unsigned refs;     /* of the program and of all graphs; 0: destroyed */
    unsigned n_graphs; /* graphs that name it; the program may have released more references */
};

struct user_ref {
    struct user_object *object;
    unsigned count;
    struct user_ref *next;
};

struct graph {
    struct node *nodes, **end; /* in order of creation */
    int n_nodes, n_numbers;
    size_t n_edges;
    struct graph *parent; /* graph of the child or conditional node that owns it; NULL: a handle of
                             the program */
    bool is_body;         /* of a conditional node */
    uint64_t uid;
    uint64_t origin;    /* uid of the graph this was cloned from, or 0 */
    int n_memory_nodes; /* alloc and free nodes, and frees that its capture refused: it cannot be
                         * cloned, and no node can be destroyed */
    struct conditional
        *conditions; /* of a graph without parent: of all graphs in it, the latest first */
    int n_updatable; /* of a graph without parent: such nodes in it and in all graphs in it */
    struct single_exec *single; /* counted; NULL: never instantiated, or without such nodes */
    struct user_ref *user_refs;
    struct capture *capture; /* that adds nodes to it, or NULL */
    int refs;                /* of its handle or its node, and of a capture into it */
    struct {
        uint64_t thread, call; /* 0: none; the number of the API call */
        struct simgpu_caller caller;
    } used; /* by the latest call that named it */
};

/* One ongoing capture. */
struct capture {
    struct graph *graph;
    struct stream *origin;
    enum cudaStreamCaptureMode mode;
    uint64_t thread; /* that began it */
    uint32_t caller; /* where the program began it */
    unsigned long long id;
    bool invalidated;
    bool ended;              /* its graph is destroyed or belongs to the program */
    int refs;                /* of its streams and of the events recorded in it */
    struct recapture *again; /* it repeats the nodes of its graph; NULL: it makes nodes */
    struct capture *next;
};

/* What a capture that repeats nodes knows beyond others: of cudaStreamBeginRecaptureToGraph. */
struct recapture {
    struct node *next; /* the next one; NULL: all are done */
    /* gets the parameters that have changed, before the node has them; NULL: nobody wants to know.
       The last argument is an enum cudaGraphRecaptureStatus, which older headers do not have */
    cudaError_t (*changed)(void *data, cudaGraphNode_t node, const struct cudaGraphNodeParams *old,
                           const struct cudaGraphNodeParams *new, unsigned status);
    void *data;
    bool (*can_become)(const struct work *a, const struct work *b); /* in an executable graph */
};

/* cudaErrorGraphRecaptureFailure, which older headers do not have. */
enum { RECAPTURE_FAILED = 918 };

/* ---- graph.c --------------------------------------------------------------------------------- */
struct graph *graph_of(cudaGraph_t handle);
struct node *node_of(cudaGraphNode_t handle);
struct node *node_given(cudaGraphNode_t handle); /* the same; notes a handle that never was one */
struct graph *graph_new(struct graph *parent);
void graph_put(struct graph *g);
void graph_disown(struct graph *g); /* its node is destroyed; a capture into it may continue */
bool graph_is_programs(const struct graph *g); /* no node and no ongoing capture owns it */
struct graph *graph_clone(const struct graph *g, struct graph *parent);
struct node *node_new(struct graph *g, enum cudaGraphNodeType type, const struct work *work);
void node_destroy(struct node *n);
/* Checks that the n nodes are nodes of g, without duplicates. */
cudaError_t dependencies_check(const struct graph *g, const cudaGraphNode_t *nodes, size_t n);

/* ---- edge.c ---------------------------------------------------------------------------------- */
void links_init(struct links *links);
void links_free(struct links *links);
cudaError_t edges_change(cudaGraph_t handle, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                         size_t n, const cudaGraphEdgeData *data, bool add);
/* Not to itself, and not twice. The caller checks the data: a capture keeps any data. */
cudaError_t edge_add(struct node *from, struct node *to, const cudaGraphEdgeData *data);
void edges_drop(struct node *n); /* all of a node */
/* Is the data valid for an edge between nodes of these types? */
bool edge_data_fits(const cudaGraphEdgeData *data, enum cudaGraphNodeType from,
                    enum cudaGraphNodeType to);

/* ---- node.c ---------------------------------------------------------------------------------- */
cudaError_t node_add(cudaGraphNode_t *out, cudaGraph_t handle, const cudaGraphNode_t *after,
                     const cudaGraphEdgeData *data, size_t n_after, struct cudaGraphNodeParams *p);
enum api_cost
node_cost(const struct cudaGraphNodeParams *p); /* of a call that adds or sets such a node */
cudaError_t node_set(cudaGraphNode_t handle, const struct cudaGraphNodeParams *p);
cudaError_t node_work(struct work *w, const struct cudaGraphNodeParams *p);
void node_params(struct node *n, struct cudaGraphNodeParams *p);

/* Creates the node of a valid work: the last step of node_add. */
cudaError_t node_place(cudaGraphNode_t *out, struct graph *g, const cudaGraphNode_t *after,
                       size_t n_after, enum cudaGraphNodeType type, const struct work *w);
/* ---- batch_node.c: a node for a batch of copies ---------------------------------------------- */
enum { NODE_BATCH = 0x0e }; /* cudaGraphNodeTypeMemcpyBatch, which older headers do not have */
/* The graph of its copies; for cudaGraphExecNodeSetParams. */
cudaError_t batch_graph(struct graph **out, struct graph *parent,
                        const struct cudaGraphNodeParams *p);
/* The node's child is the graph of these copies, in place of an older one. */
cudaError_t batch_make(struct node *n, const struct cudaGraphNodeParams *p);
void batch_params(const struct node *n, struct cudaGraphNodeParams *p);
void batch_share(struct node *to, const struct node *from);
void batch_put(struct copy_batch *b); /* NULL: nothing */

/* ---- kernel_attributes.c --------------------------------------------------------------------- */
struct kernel_attributes kernel_attributes_fresh(void);
bool kernel_attributes_match(const struct kernel_attributes *a, const struct kernel_attributes *b);
/* A cluster divides the grid. */
cudaError_t cluster_error(const struct simgpu_dim *g, const cudaLaunchAttributeValue *v);
cudaError_t kernel_attribute_set(struct node *n, cudaLaunchAttributeID id,
                                 const cudaLaunchAttributeValue *v);

/* ---- condition.c ----------------------------------------------------------------------------- */
/* The outermost graph around g. */
struct graph *graph_top(struct graph *g);
/* The condition of the handle in graph g, or NULL. */
struct conditional *conditional_of(struct graph *g, cudaGraphConditionalHandle handle);
void conditions_free(struct graph *g);
/* Has the graph no handles, and is it no body? Such a graph can be a child graph; without
 * device-updatable nodes, it can be cloned. */
bool graph_is_plain(struct graph *g);
void single_exec_put(struct single_exec *s);

/* ---- device_node.c ---- */
struct device_node *device_node_of(const void *handle); /* NULL: invalid */
cudaError_t node_set_updatable(struct node *n, cudaLaunchAttributeValue *value);
void node_get_updatable(const struct node *n, cudaLaunchAttributeValue *value);
void device_node_get(struct device_node *d); /* NULL: nothing */
void device_node_put(struct device_node *d);

/* ---- backing.c ------------------------------------------------------------------------------- */
/* Memory of the device for a launch in s that allocates so many bytes; NULL if none. The launch
 * uses it until `end`. */
struct backing *graph_backing_take(int device, uint64_t bytes, const struct stream *s);
void graph_backing_used(struct backing *b, const struct stream *s, struct op *end);
uint64_t graph_backing_bytes(int device);
uint64_t *graph_backing_high(int device); /* of two counts: used, reserved */
void graph_backing_hold(struct backing *b,
                        int n); /* n more (or fewer) of its memory stay allocated */
void graph_backing_trim(int device);

/* ---- memory_node.c --------------------------------------------------------------------------- */
/* Has a launch allocated this address of an alloc node? True for every other address. */
bool graph_memory_exists(const void *p);
void graph_memory_put(struct graph_memory *m);
void graph_memory_made(struct graph_memory *m, struct backing *b);
void graph_memory_freed(struct graph_memory *m);
/* The device is reset: the memory is no longer allocated; graphs keep the address. */
void graph_memory_forget(struct graph_memory *m);
/* cudaFree or cudaFreeAsync, outside of a graph, of memory that a launch allocated. */
cudaError_t graph_memory_free(const void *p);
cudaError_t memory_node_alloc(struct node *n, struct cudaMemAllocNodeParamsV2 *p);
cudaError_t memory_node_free(struct node *n, void *p);
bool graph_memory_can_be_freed(const void *p); /* it is a graph's, and no node frees it yet */
cudaError_t capture_alloc(struct stream *s, size_t bytes, void **out);
cudaError_t capture_free(struct stream *s, void *p);

/* ---- user_object.c --------------------------------------------------------------------------- */
void user_object_release(struct user_object *o, unsigned count);
void user_refs_hold(struct user_ref **refs, struct user_object *o, unsigned count);
void user_refs_forget(struct user_ref **refs, const struct user_object *o, unsigned count);
void user_refs_drop(struct user_ref **refs);
void user_refs_copy(struct user_ref **to, const struct user_ref *from);
/* The former references go to `former`. */
void user_refs_replace(struct user_ref **refs, const struct user_ref *by, struct user_ref **former);

/* ---- dot.c ----------------------------------------------------------------------------------- */
/* cudaGraphDebugDotPrint; false: the file cannot be written. */
bool graph_print_dot(const struct graph *g, const char *path, bool verbose);

/* ---- frontier.c ------------------------------------------------------------------------------ */
void frontier_clear(struct frontier *f);
void frontier_set(struct frontier *f,
                  const struct frontier *to); /* `to` may have no data; duplicates are left out */
void frontier_unite(struct frontier *f, const struct frontier *more);

/* ---- capture.c ------------------------------------------------------------------------------- */
cudaError_t capture_begin(cudaStream_t stream, enum cudaStreamCaptureMode mode, struct graph *given,
                          const struct frontier *f);
cudaError_t capture_end(cudaStream_t stream, cudaGraph_t *out);
extern struct capture *captures; /* all that have begun and not ended */
void capture_put(struct capture *c);
void capture_enter(struct stream *s, struct capture *c, const struct frontier *f);
/* The stream is destroyed: a capture that began in it ends. */
void capture_lose_origin(struct stream *s);
/* Puts the work into the stream's capture as a node. The work is the capture's, also if it fails.
 */
cudaError_t capture_work(struct stream *s, struct work *w);
/* Enqueues the work, or captures it. */
cudaError_t work_submit(struct work *w, struct stream *s);
struct node *capture_node(struct stream *s, enum cudaGraphNodeType type, struct work *w);

/* ---- recapture.c ----------------------------------------------------------------------------- */
/* A capture that repeats the nodes of g; `again` without `next`. */
cudaError_t recapture_begin(cudaStream_t stream, enum cudaStreamCaptureMode mode, struct graph *g,
                            const struct recapture *again);
/* Operations in it: the next node takes the work over, or the recapture has failed. */
cudaError_t recapture_work(struct stream *s, enum cudaGraphNodeType type, struct work *w);
cudaError_t recapture_alloc(struct stream *s, size_t bytes, void **out);
cudaError_t recapture_free(struct stream *s, const void *p);

/* ---- capture_rules.c ------------------------------------------------------------------------- */
void capture_invalidate(struct capture *c);
bool capture_of_blocking_stream(const struct device *d);
/* The stream of a handle. Fails if the handle is invalid. Also fails if it is the legacy stream and
 * a blocking stream captures, and invalidates that capture: legacy work would have to wait for work
 * that does not run. */
cudaError_t stream_for_call(cudaStream_t handle, struct stream **out);
/* The same for a call that enqueues work: also fails if the stream's capture is invalidated. */
cudaError_t stream_for_work(cudaStream_t handle, struct stream **out);
cudaError_t capture_refuses_legacy(const struct device *d);
/* For work that cannot be captured: invalidates the capture of the stream. */
cudaError_t capture_cannot_take(struct stream *s);
/* The error of a potentially unsafe call while this or another thread captures, or success. */
cudaError_t capture_unsafe_call(void);
/* A call that waits for one stream, or for the device. */
cudaError_t capture_refuses_sync(struct stream *s);
cudaError_t capture_refuses_device_sync(const struct device *d);

/* ---- capture_events.c ------------------------------------------------------------------------ */
/* An event recorded in a capture keeps the stream's frontier; a wait for it forks or joins. */
void capture_record(struct event *ev, struct stream *s);
cudaError_t capture_refuses_void_event(struct stream *s, const struct event *ev);
cudaError_t capture_wait(struct stream *s, struct event *ev);
cudaError_t capture_refuses_event_query(struct event *ev);
cudaError_t capture_refuses_event_time(const struct event *ev);

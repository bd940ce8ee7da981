/* sim.h: the discrete-event simulation: virtual time, the engines of a device, the thread that runs
 * host functions, all costs, and the trace. */
#pragma once

#include "op.h"

struct arena;
struct mempool;

/* ---- clock.c: virtual time and the agenda ---------------------------------------------------- */

typedef void agenda_fn(void *arg, ns_t now);

/* fn(arg, at) happens at `at`, not before what already happened; equal times in order of the calls.
 */
void agenda_add(ns_t at, agenda_fn *fn, void *arg);
/* One thing more happens, whatever its time. False: nothing is left to happen, or a host function
 * is running. */
bool sim_step(void);
/* When the next thing happens that may change what the host sees; NS_NEVER: nothing will. */
ns_t sim_next(void);
bool sim_is_busy(void); /* is work pending on any device? */
/* Kernel op waits in a loop for what others write: it goes on (struct op_type) once that happens.
 */
void set_aside(struct op *op);
/* Writes of operation `by` have appeared: those that wait look. */
void let_look(const struct op *by);
/* All that happens up to `until`, in order. Waits in real time for host functions that begin, so
 * that no answer depends on how long they take; not to be called by a host function. */
void sim_run_until(ns_t until);
/* ---- copy_engine.c, sm_engine.c -------------------------------------------------------------- */

/* The most that profile.concurrent_kernels may be. */
enum { MAX_CONCURRENT_KERNELS = 1024 };

/* A queue of ready operations: higher stream priority first, then by time. */
struct ready_queue {
    struct op *first, *last;
    int n;
};

/* A copy engine runs one copy at a time: first its overhead, then its bytes at a rate. */
struct copy_engine {
    struct ready_queue queue;
    struct op *running;
    bool moving;               /* its bytes move (the overhead is over) */
    const struct op *expected; /* the next copy of the same stream, which is about to be ready */
    bool has_last;             /* there was a copy before */
    int last_stream;           /* the number of its stream */
    uint32_t last_branch;      /* the branch of its graph launch */
    ns_t start_ns, end_ns;     /* when the latest copy began, and the latest one ended */
    ns_t since_ns;             /* when `left_work` of the running one was true */
    ns_t next_ns;              /* when something happens here next */
};

/* All SMs of a device: the kernels in them share block slots and rate. */
struct sm_engine {
    struct ready_queue queue;
    struct op **running; /* kernels that have begun, in order of arrival */
    int n_running;
    int n_started;      /* begun, or in their launch overhead */
    ns_t issue_free_ns; /* the next kernel may start */
    ns_t end_ns;        /* when the latest kernel ended */
    ns_t since_ns;
    ns_t next_ns;
};

enum { COPY_H2D, COPY_D2H, COPY_D2D, COPY_PEER, N_COPY_ENGINES };

struct device {
    int id;
    struct copy_engine copy[N_COPY_ENGINES];
    struct sm_engine sm;
    int n_pending; /* operations of its streams that are not done */
    int n_guests;  /* nodes of graphs in streams of other devices that run here and are not done */

    /* stream/ */
    struct stream *streams;      /* all of them */
    struct stream **streams_end; /* for the next one */
    int n_streams;
    struct epoch gone[2]; /* after the work of destroyed streams: blocking, non-blocking */
    struct stream *legacy;
    uint64_t n_kernels;    /* launched into its streams so far */
    uint64_t most_kernels; /* launched into the stream that has most */

    /* memory/ */
    uint64_t used_bytes;
    struct arena *arena;  /* its addresses, reserved at first use */
    struct mempool *pool; /* current pool of cudaMallocAsync */
    struct mempool *default_pool;
};
extern struct device devices[MAX_DEVICES];

void device_start(struct device *d, int id);
void engine_submit(struct op *op, ns_t now); /* op is ready */
void engine_run(ns_t now);                   /* lets every engine do its next step */

/* ---- host_worker.c: runs host functions, and the simulation while the whole program sleeps --- */

/* `idle`, if not NULL, is called with the lock held once a program that makes no call may see in
 * its memory that all devices are done. */
void host_worker_on_idle(void (*idle)(void));
/* The thread exists from now on. */
void host_worker_start(void);
bool host_worker_running(void);
/* A thread begins or ends a sleep whose virtual time has passed already. */
void host_worker_sleeper(bool sleeps);
/* The lock is held; returns when the running one has ended, or the simulation leaves it behind
 * until the program lets it go on. */
void host_worker_wait(void);
/* Waits for something to change about one that was left behind; false: there is none. */
bool host_worker_wait_left(void);
/* The type of OP_HOST_FUNC. */
extern const struct op_type host_function_type;

/* ---- cost.c, cost_copies.c: the duration of everything, from the profile --------------------- */

/* Functions named _us return microseconds, to be added up before they are rounded. */
static inline ns_t us_to_ns(double us)
{
    double ns = us * 1000;
    return (ns_t)(ns < 0 ? ns - 0.5 : ns + 0.5);
}

/* A cost that is a key of the profile. */
#define COST_IS(name, key)                                                                         \
    ns_t name(void)                                                                                \
    {                                                                                              \
        return us_to_ns(sim.profile.key);                                                          \
    }
#define COST_IS_US(name, key)                                                                      \
    double name(void)                                                                              \
    {                                                                                              \
        return sim.profile.key;                                                                    \
    }

/* Calls of the host: any call; until the device may start what it submits; a synchronizing call
 * after the end of the work; a pageable copy besides staging, and staging its bytes; a pool that
 * takes memory from the device or returns it. */
ns_t cost_call(enum api_cost cost);
void call_charge(enum api_cost cost); /* inside a call: it costs this instead */
ns_t cost_submit(bool host_function);
ns_t cost_sync_return(void);
ns_t cost_pageable_call(void);
ns_t cost_staging(uint64_t bytes);
ns_t cost_pool_grow(void);
ns_t cost_pool_shrink(void);
/* Kernels and copies that a stream queues before a further call waits. */
int stream_depth(void);

/* From the end of work on one engine to the earliest start of its successor on another. */
ns_t cost_latency(enum engine_kind from, enum engine_kind to, bool in_graph);
ns_t cost_event_wait(void);
ns_t cost_device_hop(bool in_graph); /* more, from one device to another */
ns_t cost_event_record(void);        /* of an event with timing */

/* So small that it travels with the command. */
bool memset_is_small(uint64_t bytes);
bool copy_is_inlined(uint64_t bytes);
bool goes_with_command(const struct work *w);
/* Bytes per nanosecond; `both`: both directions move. 1 GB/s is 1 byte/ns. */
double cost_copy_rate(const struct work *w, int engine, bool both);
/* Of a copy between devices, one of so many that go to the same one. */
double cost_peer_rate(const struct work *w, int arrivals);
/* Engine time of a copy or memset besides its bytes; more after a copy of another stream. */
double cost_copy_overhead_us(const struct op *op);
double cost_copy_switch_us(void);
/* Of a large memset or a copy inside the device, which the device runs as a kernel. */
double cost_disguised_kernel_us(const struct op *op);

int concurrent_kernels(void);
/* A kernel that starts beside another: from the trigger of that one until it is ready to start, and
 * from the end of that one until it goes on. */
ns_t cost_early_start(void);
ns_t cost_resume(const struct op *op);
/* From the start of one kernel to that of the next; so many blocks of one. */
ns_t cost_issue(bool in_graph);
ns_t cost_issue_blocks(uint64_t blocks);
ns_t cost_kernel_overhead(const struct op *op);
/* The average block of a kernel without a declaration. */
struct block_work {
    double waits;           /* loads that a thread waited for */
    double lines;           /* of 128 bytes, that the accesses of its warps were to */
    double atomics_in_turn; /* of the whole grid: atomic operations on the same line */
};
/* At least so long a block stays on its SM. */
double cost_block_us(const struct kernel_call *k, int blocks_per_sm, const struct block_work *w);
double cost_l2_bytes(void);
/* The launch in the engine's units: microseconds of one SM at its full rate. w: its work, NULL: not
 * known yet. */
void cost_kernel(struct kernel_call *k, const struct simgpu_work *w, int blocks_per_sm);
/* Rates of the running kernels, in microseconds of one full SM per nanosecond. */
void cost_kernel_rates(struct op *const *running, int n);

/* Graphs, host time. A run is a set of kernels, copies inside the device and large memsets that
 * follow each other: the device launches them as one. */
ns_t cost_capture_end(int nodes);
ns_t cost_graph_destroy(int nodes);
double cost_instantiate_us(int width); /* besides its nodes */
double cost_instantiate_node_us(bool is_kernel);
double cost_instantiate_condition_us(void);
double cost_instantiate_body_us(void);
double cost_exec_destroy_us(int nodes);
double cost_exec_destroy_body_us(void);
ns_t cost_graph_update(int nodes);
double cost_switch_us(bool enabled); /* the launch after a node was enabled or disabled */
double cost_upload_run_us(int kernels);
double cost_upload_condition_us(void);
double cost_launch_node_us(void); /* any node */
/* And by kind; is_kernel: to the device, the node is a kernel. */
double cost_launch_kind_us(enum op_kind kind, bool is_kernel, bool first_of_run);
/* A node that waits for one of another device; a graph over so many devices. */
double cost_launch_crossing_us(void);
ns_t cost_launch_devices(int n);
/* The host last launched this graph `made` instantiated nodes ago. */
double cost_launch_cold_us(double made, int nodes);
ns_t cost_launch_conditions(void);
ns_t cost_launch_for_device(void);

/* Graphs, device time. */
ns_t cost_upload_on_device(void);
ns_t cost_disabled_node(void);
/* Do so many kernels, and those of the stream with most, make every kernel node slower? */
bool kernels_in_company(uint64_t all, uint64_t in_one_stream);
ns_t cost_condition_begin(void);
ns_t cost_condition_skip(void);
ns_t cost_condition_end(bool inner);
ns_t cost_while(void);

/* Graphs launched by kernels. */
double cost_tail_call_us(void);
double cost_fire_call_us(int roots);
double cost_fire_us(void); /* from the call to the first node */
ns_t cost_root(void);      /* from the start of one root node to that of the next */
ns_t cost_tail(void);
ns_t cost_join(void);
ns_t cost_device_launch_end(void);

/* ---- trace.c: one row per finished operation or call, while tracing -------------------------- */

void trace_start_from_env(void);
void trace_op(const struct op *op);
void trace_api(const char *name, ns_t start, ns_t end);
/* In place of a call's name: what the host computed between two calls (core/host_time.c). */
#define HOST_COMPUTES "computing"
/* A graph that a kernel launched, or whose kernels launched others: row `name`, engine "graph". */
void trace_graph(const struct op *end, int number, const char *name, ns_t start, ns_t end_ns);
/* The program has ended: writes the trace for SIMGPU_TRACE. */
void trace_at_end(void);

/*
 * profile.h: the costs of operations of the device and of API calls of the host. Each field is a
 * key of a profile (profiles/).
 */
#ifndef PROFILE_H
#define PROFILE_H

#include <stdint.h>

/* Virtual nanoseconds since the device was first used. */
typedef int64_t ns_t;
#define NS_NEVER INT64_MAX

/* Host time of one call of each kind. Profile key: host.<name>, in microseconds. */
enum api_cost {
    COST_QUERY,  /* cudaGetDevice, cudaPeekAtLastError and the like */
    COST_MALLOC, /* cudaMalloc */
    COST_FREE,
    COST_MALLOC_HOST,
    COST_FREE_HOST,
    COST_MALLOC_ASYNC,
    COST_FREE_ASYNC,
    COST_STREAM_CREATE,
    COST_STREAM_DESTROY,
    COST_STREAM_QUERY,
    COST_EVENT_CREATE,
    COST_EVENT_DESTROY,
    COST_EVENT_RECORD, /* of an event without timing */
    COST_EVENT_RECORD_TIMING,
    COST_EVENT_QUERY,
    COST_STREAM_WAIT, /* cudaStreamWaitEvent */
    COST_SYNC,        /* any synchronization that has nothing to wait for */
    COST_MEMCPY_ASYNC,
    COST_MEMCPY_D2D,   /* inside the device: the runtime launches a kernel */
    COST_MEMSET_ASYNC, /* up to memset_small_bytes */
    COST_MEMSET_LARGE, /* larger: the runtime launches a kernel */
    COST_LAUNCH,       /* cudaLaunchKernel */
    COST_HOST_FUNC,    /* cudaLaunchHostFunc, cudaStreamAddCallback */
    COST_PEER_ACCESS,  /* cudaDeviceEnablePeerAccess, cudaDeviceDisablePeerAccess */
    COST_GRAPH_CREATE, /* cudaGraphCreate, cudaGraphDestroy */
    COST_GRAPH_NODE,   /* one small node, or one edge, added with the node API */
    COST_GRAPH_WORK,   /* one kernel, copy, memset or child graph node, added with the node API */
    COST_CAPTURE_BEGIN,
    COST_CAPTURE_END,       /* without its nodes */
    COST_CAPTURE_NODE,      /* a captured kernel or copy */
    COST_CAPTURE_MARK,      /* a captured memset, host function, event record or event wait */
    COST_GRAPH_INSTANTIATE, /* without its nodes */
    COST_GRAPH_UPLOAD,      /* without its nodes */
    COST_GRAPH_LAUNCH,      /* without its nodes */
    COST_GRAPH_SET,         /* one call that changes an executable graph */
    COST_EXEC_DESTROY,      /* without its nodes */
    N_API_COSTS
};

/* The numbers of a profile file; the key of a field is its name. Rates are per second. */
struct profile {
    char name[64];
    /* cudaGetDeviceProperties */
    int compute_major, compute_minor;
    int sm_count, sm_threads, sm_blocks, sm_registers, sm_shared_bytes, block_shared_bytes_optin;
    int clock_khz, memory_clock_khz, memory_bus_bits, l2_bytes, copy_engines;
    int concurrent_kernels; /* kernels that can be resident concurrently */
    double memory_bytes;
    /* copies: bandwidths in GB/s (1e9 bytes), overheads in us */
    double h2d_gbps, d2h_gbps; /* pinned, one direction alone */
    double bidir_gbps;         /* each direction if both are busy */
    double pageable_h2d_gbps, pageable_d2h_gbps;
    int pageable_small_bytes;   /* pageable copies to the device of at most this size have */
    double pageable_small_gbps; /* this bandwidth */
    int pageable_chunk_bytes;   /* the first bytes of a copy to pageable memory have */
    double pageable_chunk_gbps; /* this one: the host copies a chunk while the next one arrives */
    /* between devices: with peer access, or through the host */
    double peer_gbps, peer_staged_gbps;
    double peer_overhead_us, graph_peer_overhead_us, peer_staged_us; /* fixed engine time */
    double h2d_overhead_us, d2h_overhead_us; /* fixed engine time of a copy */
    double copy_switch_us; /* additional engine time of a copy after a copy of another stream, if
                              other engines are busy */
    double inline_copy_us; /* a copy to the device that is small enough to be part of the command */
    int inline_copy_bytes; /* the largest such copy */
    double pageable_overhead_us;      /* fixed host time of a pageable copy */
    double d2d_gbps, d2d_overhead_us; /* inside the device: bytes read plus bytes written */
    double memset_gbps, memset_overhead_us;
    int memset_small_bytes; /* a memset of at most this size is part of the command */
    double memset_small_us, memset_small_gbps; /* its device time: fixed, and for its bytes */
    /* stream-ordered pools */
    double pool_grow_us;   /* an allocation that makes the pool grow */
    double pool_shrink_us; /* a synchronization that makes the pool return memory */

    /* kernels */
    double kernel_overhead_us; /* device time of a kernel that does nothing */
    double kernel_memory_us;   /* additional, in a stream or a graph, if it reads memory */
    double kernel_issue_us;    /* the minimum time from the start of one kernel to the start of the
                                  next, device-wide */
    double block_issue_us;     /* the minimum time from the start of one block to the next */
    double sm_gflops;          /* one SM, fully occupied, plain C arithmetic */
    double sm_shared_gbps;     /* shared memory traffic of one SM */
    double sm_dram_gbps;       /* the bandwidth of one SM alone to device memory */
    double dram_gbps;          /* all SMs together, bytes read plus bytes written */
    double sm_half_threads;    /* resident threads at which an SM reaches half of its arithmetic
                                  rate */
    double sm_shared_half_threads; /* resident threads at which an SM reaches half of its rate of
                                      shared memory traffic */
    double block_us;               /* undeclared kernels: the minimum time of a block on its SM */
    double atomic_us; /* undeclared kernels: from one atomic operation on a 128-byte line to the
                         next */
    double memory_wait_us; /* the time that a thread waits for a load, mostly from the caches */
    /* latencies */
    double submit_us;       /* from the end of the host's call until the device may start */
    double same_stream_us;  /* from the end of an operation to the next one of its stream, same
                               engine */
    double cross_engine_us; /* the same, if the next one runs on another engine */
    double event_wait_us;   /* from an event's record to another stream that waits for it */
    double device_hop_us, graph_hop_us; /* the minimum time to work on another device */
    double event_record_us;             /* device time of the record of an event with timing */
    double host_func_us; /* from the end of the work before it to the start of a host function */
    double host_func_next_us; /* from the end of a host function to the start of the next in its
                                 stream */
    double host_func_idle_us; /* to the start of a host function without earlier work */
    double host_func_done_us; /* from its return to the work after it */
    double sync_return_us;    /* from the end of the work to the return of a synchronizing call */
    /* graphs, host time: a run is a sequence of kernels, copies inside the device and large memsets
     */
    double graph_capture_end_node_us;   /* end of a capture, per node */
    double graph_instantiate_kernel_us; /* instantiation, per node of a run */
    double graph_instantiate_node_us;   /* per other node */
    double graph_instantiate_branch_us; /* per further concurrent branch */
    double graph_upload_run_us;         /* first launch, or upload: per run */
    double graph_upload_kernel_us;      /* per node of a run */
    double graph_upload_us;             /* device time of an upload by cudaGraphUpload */
    double graph_switch_on_us,
        graph_switch_off_us;     /* the launch after a node was enabled or disabled */
    double graph_launch_node_us; /* any launch, per node */
    double graph_launch_run_us;  /* per run: its kernels are launched together */
    int graph_launch_cold_nodes; /* if this many nodes were instantiated since its last launch: */
    double graph_launch_cold_us, graph_launch_cold_node_us; /* additional, fixed and per node; after
                                                               fewer nodes a part of it */
    double graph_launch_copy_us;                            /* per copy from or to the host */
    double graph_launch_memset_us;     /* per memset of at most memset_small_bytes */
    double graph_launch_host_us;       /* per host function */
    double graph_launch_event_us;      /* per event record or event wait */
    double graph_launch_device_us;     /* per device with nodes, after the first one */
    double graph_launch_crossing_us;   /* per node that waits for a node of another device, and per
                                          copy between devices */
    double graph_update_node_us;       /* cudaGraphExecUpdate, per node */
    double graph_destroy_node_us;      /* cudaGraphDestroy, per node */
    double graph_exec_destroy_node_us; /* cudaGraphExecDestroy, per node */
    /* graphs, device time */
    double graph_kernel_us;       /* an empty kernel node, inside a run */
    double graph_first_kernel_us; /* the first kernel node of a run */
    int graph_company_kernels;    /* if this many kernels were launched into other streams than the
                                     most    used one: */
    double graph_company_us; /* additional per kernel node, also for d2d copies and large memsets */
    double graph_disabled_us; /* a disabled node */
    double graph_issue_us; /* the minimum time from the start of one kernel node to the start of the
                              next */
    double graph_h2d_overhead_us, graph_d2h_overhead_us; /* as without graph_, but shorter */
    double graph_d2d_overhead_us, graph_memset_overhead_us;
    /* programmatic dependent launch: from the trigger until the next kernel is ready to start; its
     * launch in a stream; from the end of the first kernel until it continues */
    double early_start_us, early_kernel_us, early_resume_us, graph_early_resume_us;
    double graph_edge_us;      /* from the end of a node to the next one on the same engine */
    double graph_cross_us;     /* to the next one on another engine */
    double graph_condition_us; /* from the start of a conditional node to the start of its body */
    double graph_condition_skip_us; /* to its end, if no body runs */
    double graph_condition_end_us; /* from the end of the last body to the successors of the node */
    double graph_inner_end_us;     /* graph_condition_end_us of a conditional node in a body */
    double graph_while_us;         /* from the end of a WHILE node's body to its next start */
    double graph_body_h2d_us; /* a copy from the host in a body, instead of one inside the device */
    /* graphs launched by kernels: the call is kernel time; the launched graph starts during the
     * call
     */
    double device_first_kernel_us; /* as graph_first_kernel_us, for a graph launched by a kernel */
    double device_fire_us;         /* from the call to the first node, fire-and-forget or sibling */
    double device_fire_call_us;    /* the time of such a call */
    double device_fire_root_us;    /* per further root */
    double device_root_us;         /* from the start of one root to the start of the next */
    double device_tail_call_us;    /* the time of a tail launch call */
    double device_tail_us; /* from the end of the work that a tail waits for to its first node */
    double device_join_us; /* additional, if that work includes launched graphs */
    double device_host_call_us; /* additional host time of launching a graph that is for device
                                   launch, or that launches graphs */
    double device_host_end_us;  /* additional time from the end of its work to the next work */
    /* conditional nodes, host time */
    double graph_launch_conditions_us;     /* any launch of a graph with conditional nodes */
    double graph_launch_condition_us;      /* per conditional node outside of bodies */
    double graph_instantiate_condition_us; /* instantiation, per conditional node */
    double graph_instantiate_body_us;      /* instantiation, per body with nodes */
    double graph_upload_condition_us;  /* first launch, or upload: per conditional node, without the
                                          runs  in bodies */
    double graph_exec_destroy_body_us; /* cudaGraphExecDestroy, per body with nodes */
    int stream_depth; /* kernels and copies that a stream can hold before a further call waits */
    ns_t host_cost[N_API_COSTS];
};

/* Loads the built-in profile, or the file that SIMGPU_PROFILE names. If the file has a mistake,
 * prints its line and ends the program. */
void profile_load(struct profile *profile);

#endif

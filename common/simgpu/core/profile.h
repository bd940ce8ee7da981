/*
 * profile.h: what the device and the host's API calls cost: the keys of a profile (profiles/), as
 * fields.
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
    COST_SYNC,        /* any synchronise that finds nothing to wait for */
    COST_MEMCPY_ASYNC,
    COST_MEMCPY_D2D,   /* inside the device: the call is a kernel launch in disguise */
    COST_MEMSET_ASYNC, /* up to memset_small_bytes */
    COST_MEMSET_LARGE, /* beyond: a kernel launch in disguise */
    COST_LAUNCH,       /* cudaLaunchKernel */
    COST_HOST_FUNC,    /* cudaLaunchHostFunc, cudaStreamAddCallback */
    COST_PEER_ACCESS,  /* cudaDeviceEnablePeerAccess, cudaDeviceDisablePeerAccess */
    COST_GRAPH_CREATE, /* cudaGraphCreate, cudaGraphDestroy */
    COST_GRAPH_NODE,   /* one node with little in it, or one edge, by the node API */
    COST_GRAPH_WORK,   /* one kernel, copy, memset or child graph node by the node API */
    COST_CAPTURE_BEGIN,
    COST_CAPTURE_END,  /* besides its nodes */
    COST_CAPTURE_NODE, /* a kernel or a copy that is captured instead of run */
    COST_CAPTURE_MARK, /* a memset, a host function, an event's record or wait that is captured */
    COST_GRAPH_INSTANTIATE, /* besides its nodes */
    COST_GRAPH_UPLOAD,      /* besides its nodes */
    COST_GRAPH_LAUNCH,      /* besides its nodes */
    COST_GRAPH_SET,         /* one call that changes an executable graph */
    COST_EXEC_DESTROY,      /* besides its nodes */
    N_API_COSTS
};

/* Numbers of the profile file; every field's key there is its name. Rates are per second. */
struct profile {
    char name[64];
    /* cudaGetDeviceProperties */
    int compute_major, compute_minor;
    int sm_count, sm_threads, sm_blocks, sm_registers, sm_shared_bytes, block_shared_bytes_optin;
    int clock_khz, memory_clock_khz, memory_bus_bits, l2_bytes, copy_engines;
    int concurrent_kernels; /* kernels resident at once */
    double memory_bytes;
    /* copies: bandwidths in GB/s (1e9 bytes), overheads in us */
    double h2d_gbps, d2h_gbps; /* pinned, one direction alone */
    double bidir_gbps;         /* each direction while both run */
    double pageable_h2d_gbps, pageable_d2h_gbps;
    int pageable_small_bytes;   /* the largest pageable copy to the device that goes at */
    double pageable_small_gbps; /* this rate */
    int pageable_chunk_bytes;   /* of a copy to pageable memory the first so many bytes go at */
    double pageable_chunk_gbps; /* this rate: the host takes a chunk while the next one arrives */
    /* between devices: one of them may access the other's memory, or all goes through the host */
    double peer_gbps, peer_staged_gbps;
    double peer_overhead_us, graph_peer_overhead_us, peer_staged_us; /* engine time besides bytes */
    double h2d_overhead_us, d2h_overhead_us; /* engine time of a copy besides its bytes */
    double copy_switch_us; /* further engine time of a copy after one of another stream, other
                              engines busy */
    double inline_copy_us; /* a copy to the device so small that it travels with the command */
    int inline_copy_bytes; /* the largest such copy */
    double pageable_overhead_us;      /* host time of a pageable copy besides staging */
    double d2d_gbps, d2d_overhead_us; /* inside the device: bytes read plus bytes written */
    double memset_gbps, memset_overhead_us;
    int memset_small_bytes; /* a memset of no more travels with the command */
    double memset_small_us,
        memset_small_gbps; /* its device time: this, and its bytes at that rate */
    /* stream-ordered pools */
    double pool_grow_us;   /* an allocation for which the pool takes memory from the device */
    double pool_shrink_us; /* what gives it back: a synchronise, where the pool may not keep it */

    /* kernels */
    double kernel_overhead_us; /* device time of a kernel that does nothing */
    double kernel_memory_us;   /* more, in a stream or a graph, where it reads memory */
    double kernel_issue_us;    /* at least so long from the start of one kernel to that of the next,
                                  device-wide */
    double block_issue_us;     /* the same from block to block */
    double sm_gflops;          /* one SM, fully occupied, plain C arithmetic */
    double sm_shared_gbps;     /* shared memory traffic of one SM */
    double sm_dram_gbps;       /* what one SM alone can draw from device memory */
    double dram_gbps;          /* all SMs together, bytes read plus bytes written */
    double sm_half_threads;    /* resident threads at which an SM reaches half of its rate of
                                  arithmetic */
    double sm_shared_half_threads; /* the same for shared memory traffic */
    double block_us;  /* kernels nobody declared: a block stays so long on its SM at least */
    double atomic_us; /* the same: from one atomic operation on a line of 128 bytes to the next */
    double memory_wait_us; /* a thread waits so long for what it reads, mostly from the caches */
    /* latencies */
    double submit_us;       /* from the end of the host's call until the device may start */
    double same_stream_us;  /* from the end of an operation to the next one of its stream, same
                               engine */
    double cross_engine_us; /* the same where the next one runs on another engine */
    double event_wait_us;   /* from an event's record to another stream that waits for it */
    double device_hop_us, graph_hop_us; /* at least so long to work on another device */
    double event_record_us;             /* device time of the record of an event with timing */
    double host_func_us; /* from the end of the work before it to the start of a host function */
    double host_func_next_us; /* from the end of a host function to the start of the next in its
                                 stream */
    double host_func_idle_us; /* to the start of a host function that has nothing before it */
    double host_func_done_us; /* from its return to the work after it */
    double sync_return_us;    /* from the end of the work to the return of a synchronising call */
    /* graphs, host time: a run is kernels, copies inside the device and large memsets that follow
     * each other */
    double graph_capture_end_node_us;   /* ending a capture, a node */
    double graph_instantiate_kernel_us; /* instantiating, a node of a run */
    double graph_instantiate_node_us;   /* and any other */
    double graph_instantiate_branch_us; /* and every further branch that can run at the same time */
    double graph_upload_run_us;         /* the first launch, or an upload: a run */
    double graph_upload_kernel_us;      /* and each of its nodes */
    double graph_upload_us;             /* device time of an upload by cudaGraphUpload */
    double graph_switch_on_us,
        graph_switch_off_us;     /* the launch after a node was switched on or off */
    double graph_launch_node_us; /* any launch, a node */
    double graph_launch_run_us;  /* and a run: its kernels are launched as one */
    int graph_launch_cold_nodes; /* after so many nodes were instantiated since its last launch: */
    double graph_launch_cold_us,
        graph_launch_cold_node_us;     /* further, and a node; after fewer a part of it */
    double graph_launch_copy_us;       /* and a copy from or to the host */
    double graph_launch_memset_us;     /* and a memset of no more than memset_small_bytes */
    double graph_launch_host_us;       /* and a host function */
    double graph_launch_event_us;      /* and an event's record or wait */
    double graph_launch_device_us;     /* further: each device after the first that has nodes */
    double graph_launch_crossing_us;   /* further: a node that waits for one of another device, or a
                                          copy between devices */
    double graph_update_node_us;       /* cudaGraphExecUpdate, a node */
    double graph_destroy_node_us;      /* cudaGraphDestroy, a node */
    double graph_exec_destroy_node_us; /* cudaGraphExecDestroy, a node */
    /* graphs, device time */
    double graph_kernel_us;       /* a kernel node that does nothing, inside a run */
    double graph_first_kernel_us; /* and the first of a run */
    int graph_company_kernels; /* once so many kernels went to other streams than the one with most:
                                */
    double graph_company_us;  /* more for every kernel node, also of d2d copies and large memsets */
    double graph_disabled_us; /* a disabled node */
    double
        graph_issue_us; /* at least so long from the start of one kernel node to that of the next */
    double graph_h2d_overhead_us,
        graph_d2h_overhead_us; /* as without graph_: in a graph they cost less */
    double graph_d2d_overhead_us, graph_memset_overhead_us;
    /* programmatic dependent launch: from the trigger until the next kernel is ready to start, its
     * launch in a stream, and from the end of the first one until it goes on */
    double early_start_us, early_kernel_us, early_resume_us, graph_early_resume_us;
    double graph_edge_us;  /* from the end of a node to the next one on the same engine */
    double graph_cross_us; /* and to one on another engine */
    double
        graph_condition_us; /* from a conditional node that is reached to the start of its body */
    double graph_condition_skip_us; /* and to its end where it runs none */
    double graph_condition_end_us;  /* from the end of the last body to what follows the node */
    double graph_inner_end_us;      /* the same of a node in a body */
    double graph_while_us;    /* from the end of a WHILE node's body to the start of the next */
    double graph_body_h2d_us; /* a copy from the host in a body, beside one inside the device */
    /* graphs launched by kernels: the call is kernel time, what is launched starts while it lasts
     */
    double device_first_kernel_us; /* as graph_first_kernel_us, of a graph launched by a kernel */
    double device_fire_us;         /* from the call to the first node, fire and forget or sibling */
    double device_fire_call_us;    /* such a call */
    double device_fire_root_us;    /* and each further node that waits for nothing */
    double device_root_us;         /* from the start of one such node to that of the next */
    double device_tail_call_us;    /* the call that asks for a tail */
    double device_tail_us;         /* from the end of what a tail waits for to its first node */
    double device_join_us;         /* further, where that was launched graphs too */
    double device_host_call_us; /* further host time of launching a graph that is, or launches, such
                                   a one */
    double device_host_end_us;  /* and from the end of its work to what follows */
    /* conditional nodes, host time */
    double graph_launch_conditions_us;     /* any launch of a graph that has some */
    double graph_launch_condition_us;      /* and each, but those in bodies */
    double graph_instantiate_condition_us; /* instantiating, each */
    double graph_instantiate_body_us;      /* and each body with nodes, besides these */
    double graph_upload_condition_us;  /* the first launch, or an upload: each, besides the runs in
                                          bodies */
    double graph_exec_destroy_body_us; /* cudaGraphExecDestroy, each body with nodes */
    int stream_depth; /* kernels and copies a stream queues before a further call waits */
    ns_t host_cost[N_API_COSTS];
};

/* Loads the built-in profile, or the file SIMGPU_PROFILE names; a bad file ends the program with
 * its line. */
void profile_load(struct profile *profile);

#endif

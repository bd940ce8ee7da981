/* packets.cu: the handlers of lab 07's packets, one graph for each of the five types.
 *
 * A handler is relaunched for each packet of its type. Its kernels read the packet from the
 * handler's argument slot. */
#include "handlers.h"

/* ---- CPU reference --------------------------------------------------------------------------- */

enum { SPLIT = PACKET_TYPES - 1, SPLIT_INTO = 2 };

#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

static BOTH float step_of(float x, int type)
{
    return 0.5f * x + (float)(1 + type);
}

static BOTH struct packet child_of(const struct packet *parent, int child, unsigned number)
{
    struct packet packet = {};
    packet.number = (int)number;
    packet.type = (parent->number + child) % SPLIT;
    return packet;
}

void reference_packet(double *out, const float *in, int type)
{
    const int n_steps = type == 1 ? 3 : 1;
    for (int i = 0; i < PACKET_FLOATS; i++) {
        float x = in[i];
        for (int s = 0; s < n_steps; s++)
            x = step_of(x, type);
        out[i] = x;
    }
}

struct packet packet_child(const struct packet *parent, int child, unsigned number)
{
    return child_of(parent, child, number);
}

#ifndef REFERENCE_ONLY
#include "journal.h"
#include "kernel_node.h"

/* ---- kernels --------------------------------------------------------------------------------- */

/* One float per thread, from float `first` of the packet on. */
static __global__ void step(struct argument_slot *argument, const float *from, float *to, int first,
                            float us)
{
    unsigned long long now_ns = device_time_ns();
    if (threadIdx.x == 0)
        atomicCAS(&argument->begun_ns, 0ull, now_ns); /* the first thread only */
    const struct packet packet = argument->packet;
    const int i = packet.number * PACKET_FLOATS + first + static_cast<int>(threadIdx.x);
    work_until(now_ns, us);
    to[i] = step_of(from[i], packet.type);
}

static __global__ void split(const struct argument_slot *argument, struct ring *ring)
{
    for (int child = 0; child < SPLIT_INTO; child++) {
        unsigned number = ring->put;
        ring->slots[number % RING_SLOTS] = child_of(&argument->packet, child, number);
        ring->put = number + 1;
    }
}

static __global__ void done(struct argument_slot *argument, struct journal *journal)
{
    enter(journal, argument->packet.number, argument->packet.type, argument->begun_ns);
    argument->begun_ns = 0;
}

/* ---- graphs ---------------------------------------------------------------------------------- */

/* A handler under construction. */
struct making {
    cudaGraph_t graph;
    const struct handler_data *data;
    struct argument_slot *argument;
};

enum { MOST_PIECES = 4 };

/* Adds `pieces` concurrent steps, which cover the packet, after node `after` (NULL: as roots). */
static cudaError_t add_steps(const struct making *m, cudaGraphNode_t *nodes, int pieces,
                             const cudaGraphNode_t *after, const float *from, float us)
{
    struct argument_slot *argument = m->argument;
    float *to = m->data->out;
    for (int i = 0; i < pieces; i++) {
        int floats = PACKET_FLOATS / pieces, first = i * floats;
        void *args[] = {&argument, &from, &to, &first, &us};
        cudaError_t error = add_kernel(&nodes[i], m->graph, after, after != nullptr,
                                       (const void *)step, (unsigned)floats, args);
        if (error)
            return error;
    }
    return cudaSuccess;
}

static cudaError_t add_split(const struct making *m, cudaGraphNode_t *node)
{
    struct argument_slot *argument = m->argument;
    struct ring *ring = m->data->ring;
    void *args[] = {&argument, &ring};
    cudaGraphNode_t after = *node;
    return add_kernel(node, m->graph, &after, 1, (const void *)split, 1, args);
}

static cudaError_t fill(const struct making *m, int type)
{
    struct argument_slot *argument = m->argument;
    struct journal *journal = m->data->journal;
    void *args[] = {&argument, &journal};
    cudaGraphNode_t nodes[MOST_PIECES], last;
    const int pieces = type == 2 ? 2 : type == 3 ? MOST_PIECES : 1;
    cudaError_t error = add_steps(m, nodes, pieces, nullptr, m->data->in, m->data->us);
    for (int i = 0; i < 2 && type == 1 && !error; i++) {
        last = nodes[0];
        error = add_steps(m, nodes, 1, &last, m->data->out, 0);
    }
    if (type == SPLIT && !error)
        error = add_split(m, nodes);
    return error ? error
                 : add_kernel(&last, m->graph, nodes, (size_t)pieces, (const void *)done, 1, args);
}

cudaError_t graph_of_handler(cudaGraph_t *graph, int type, const struct handler_data *data)
{
    if (!graph || !data || type < 0 || type >= PACKET_TYPES)
        return cudaErrorInvalidValue;
    if (!data->arguments || !data->ring || !data->in || !data->out || !data->journal)
        return cudaErrorInvalidValue;
    cudaError_t error = cudaGraphCreate(graph, 0);
    struct making m = {*graph, data, data->arguments + type};
    return error ? error : fill(&m, type);
}

/* ---- declared footprints: only the device knows the packet, and so which floats are used ----- */

FOOTPRINT step_footprint(struct simgpu_work *work, const struct simgpu_launch *launch,
                         struct argument_slot *argument, const float *, float *, int, float us)
{
    simgpu_touch(work, SIMGPU_READ, &argument->packet, 1);
    work->dram_bytes = 2.0 * sizeof(float) * launch->block.x;
    work->delay_us = us;
}

FOOTPRINT split_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                          const struct argument_slot *argument, struct ring *ring)
{
    simgpu_touch(work, SIMGPU_READ, &argument->packet, 1);
    simgpu_touch(work, SIMGPU_READ_WRITE, &ring->put, 1);
    simgpu_touch(work, SIMGPU_WRITE, ring->slots, RING_SLOTS);
    work->dram_bytes = (double)SPLIT_INTO * sizeof(struct packet); /* two slots of the ring */
}

FOOTPRINT done_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                         struct argument_slot *argument, struct journal *)
{
    simgpu_touch(work, SIMGPU_READ, &argument->packet, 1);
}

DECLARE_KERNEL(step, step_footprint, 24);
DECLARE_KERNEL(split, split_footprint, 24);
DECLARE_KERNEL(done, done_footprint, 24);
#endif

/* handlers.h: the graphs that lab 07 launches from the device, and their data.
 *
 * All structs here are in device memory. Each function creates a graph that can be instantiated for
 * device launch. It returns the first error and does not wait; a NULL pointer is
 * cudaErrorInvalidValue. The kernel arguments are fixed when the graph is created. So a handler
 * that runs for many packets reads its packet from memory. */
#ifndef HANDLERS_H
#define HANDLERS_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the journal: when each piece of work ran ------------------------------------------------ */

enum { JOURNAL_ENTRIES = 512 };

/* A completed piece of work. */
struct journal_entry {
    int number;                           /* of the worker or the packet */
    int type;                             /* the packet's type; 0 for workers */
    unsigned long long begun_ns, done_ns; /* on the device's clock */
};

/* In order of completion. Entries beyond JOURNAL_ENTRIES are counted in n, but not stored. */
struct journal {
    int n;
    struct journal_entry entries[JOURNAL_ENTRIES];
};

/* ---- the length of a vector (vector.cu) ------------------------------------------------------ */

enum { WORKER_FLOATS = 64 };

/* part[worker] = the sum of the squares of the worker's WORKER_FLOATS floats of x; sum = the sum of
 * n_parts parts; length = the square root of sum. Each writes `number` into the journal. A worker
 * runs for at least `us` microseconds. */
cudaError_t graph_of_worker(cudaGraph_t *graph, float *part, const float *x, int worker, float us,
                            struct journal *journal);
cudaError_t graph_of_sum(cudaGraph_t *graph, float *sum, const float *part, int n_parts, int number,
                         struct journal *journal);
cudaError_t graph_of_root(cudaGraph_t *graph, float *length, const float *sum, int number,
                          struct journal *journal);
double reference_length(const float *x, int count);

/* ---- packets (packets.cu) -------------------------------------------------------------------- */

enum { PACKET_TYPES = 5, PACKET_FLOATS = 64, RING_SLOTS = 64 };

struct packet {
    int number;   /* its position in the order of the ring, from 0 */
    int type;     /* 0 to PACKET_TYPES - 1 */
    int in_order; /* not 0: runs after all packets before it, and before all packets after it */
};

/* The packets `taken` to `put` - 1 are waiting, at most RING_SLOTS of them. Both numbers only grow.
 * Packet i is in slots[i % RING_SLOTS]. */
struct ring {
    unsigned taken, put;
    struct packet slots[RING_SLOTS];
};

/* The argument slot of a handler. begun_ns is for the handler only. */
struct argument_slot {
    struct packet packet;
    unsigned long long begun_ns;
};

/* The data of all handlers. Packet i has PACKET_FLOATS floats at in + i * PACKET_FLOATS, and as
 * many in out. */
struct handler_data {
    struct argument_slot *arguments; /* PACKET_TYPES argument slots, one for each handler */
    struct ring *ring;
    const float *in;
    float *out;
    float us; /* the minimum time of a handler */
    struct journal *journal;
};

/* The handler of a type: computes out, as reference_packet does, for the packet in arguments[type].
 *
 *     0  step - done                      3  step - done      (four quarters, concurrently)
 *     1  step - step - step - done        4  step - split - done
 *     2  step - done  (two halves, concurrently)
 *
 * `split` puts two more packets into the ring, of types other than 4. */
cudaError_t graph_of_handler(cudaGraph_t *graph, int type, const struct handler_data *data);
void reference_packet(double *out, const float *in, int type);

/* The packets that a packet of type 4 puts into the ring: child 0 and child 1. */
struct packet packet_child(const struct packet *parent, int child, unsigned number);

#ifdef __cplusplus
}
#endif
#endif

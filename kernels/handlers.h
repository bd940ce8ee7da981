/*
 * handlers.h: the graphs that lab 07 launches from the device, and what they work on.
 *
 * All structs here lie in device memory. A function makes a graph that can be instantiated for
 * device launch, returns the first error, and waits for nothing; a pointer that is NULL is
 * cudaErrorInvalidValue. What a graph's kernels get is fixed when the graph is made: so those that
 * are launched again and again for something else read from memory what it is.
 */
#ifndef HANDLERS_H
#define HANDLERS_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- who worked when ------------------------------------------------------------------------- */

enum { JOURNAL_ENTRIES = 512 };

/* A piece of work that is done. */
struct journal_entry {
    int number;                           /* of the worker, or of the packet */
    int lane;                             /* 0; or the packet's type */
    unsigned long long begun_ns, done_ns; /* by the device's clock */
};

/* In the order in which work was done. What finds no room is left out, and counted all the same. */
struct journal {
    int n;
    struct journal_entry entries[JOURNAL_ENTRIES];
};

/* ---- the length of a vector (vector.cu) ------------------------------------------------------ */

enum { WORKER_FLOATS = 64 };

/*
 * part[worker] = the sum of the squares of the worker's WORKER_FLOATS floats of x; sum = the sum of
 * n_parts parts; length = the root of sum. They enter `number` into the journal; `us`: the worker
 * takes at least so many microseconds.
 */
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
    int number;   /* which it is, in the order in which packets were put into the ring, from 0 */
    int type;     /* 0 to PACKET_TYPES - 1 */
    int in_order; /* not 0: to be handled after all packets before it and before all behind it */
};

/*
 * Packets wait here: those from `taken` on that were `put`. Both only ever grow; packet i lies in
 * slots[i % RING_SLOTS].
 */
struct ring {
    unsigned taken, put;
    struct packet slots[RING_SLOTS];
};

/* What the handler of a type has in hand. begun_ns is its own. */
struct hand {
    struct packet packet;
    unsigned long long begun_ns;
};

/*
 * What handlers work with. Packet i has PACKET_FLOATS floats from in + i * PACKET_FLOATS on, and as
 * many in out.
 */
struct desk {
    struct hand *hands; /* PACKET_TYPES, one for each handler */
    struct ring *ring;
    const float *in;
    float *out;
    float us; /* that a handler takes at least */
    struct journal *journal;
};

/*
 * The handler of a type: out = what reference_packet says, for the packet in hands[type].
 *
 *     0  step - done                      3  step - done      (four quarters, side by side)
 *     1  step - step - step - done        4  step - split - done
 *     2  step - done  (two halves, side by side)
 *
 * `split` puts two packets more into the ring, of types other than 4.
 */
cudaError_t graph_of_handler(cudaGraph_t *graph, int type, const struct desk *desk);
void reference_packet(double *out, const float *in, int type);

/* The packets that a packet of type 4 puts into the ring: child 0 and child 1. */
struct packet packet_child(const struct packet *parent, int child, unsigned number);

#ifdef __cplusplus
}
#endif
#endif

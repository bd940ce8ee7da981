/* host_program.h: random programs of CUDA runtime calls, many of them mistaken, that answer the
 * same on every right device.
 *
 * A program follows from its seed and from the answers it gets. It prints each call with its
 * answer, and in the end a hash of the memory it used. host_model.h keeps the book of what is
 * ordered with what: nothing is printed that depends on timing. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "host_model.h"

enum {
    MAX_STREAMS =
        9, /* live at a time; the first three are the NULL, legacy and per-thread streams */
    MAX_EVENTS = 8,
    MAX_GRAPHS = 8,
    MAX_EXECS = 6,
    MAX_NOTES = 1024, /* host functions of one program */
    FIXED_STREAMS = 3,
};

/* One stream: its handle, and how the model calls it. */
struct random_stream {
    cudaStream_t handle;
    bool used;
    int id;         /* the model's number: never used again */
    bool capturing; /* a capture that the program began or forked into it is not over */
    bool origin;    /* that capture began here */
    int capture;    /* which capture, counted from 1 */
    uint64_t tips;  /* nodes of the capture's graph that its next operation depends on */
};

struct random_event {
    cudaEvent_t handle;
    bool used;
    bool recorded;      /* outside a capture */
    bool kept;          /* a graph names it: it stays until the end */
    int capture;        /* of a record inside a capture: which; 0: none */
    uint64_t tips;      /* and after which nodes */
    struct clock order; /* what a wait for it orders */
    struct clock done;  /* what must have been waited for before its state is known */
};

/* A graph or a clone, with the handles of its nodes beside the model's nodes. */
struct random_graph {
    cudaGraph_t handle;
    bool used;
    bool busy;  /* a capture adds to it */
    int family; /* the same for a graph and its clones */
    struct graph_model model;
    cudaGraphNode_t nodes[MAX_NODES]; /* NULL: destroyed, or not known */
};

struct random_exec {
    cudaGraphExec_t handle;
    bool used;
    bool broken; /* an update failed half way: not launched until one succeeds */
    int graph;   /* the graph it was instantiated from, -1 when that is gone */
    int family;  /* of that graph */
    struct graph_model model;
    struct clock last; /* its latest launch */
};

/* A capture that is going on. */
struct random_capture {
    int number;  /* 0: none */
    int into;    /* the graph it adds to; -1: a new one */
    bool memory; /* with memory nodes: no edge between them may be taken away later */
    struct graph_model model;
    cudaGraphNode_t nodes[MAX_NODES];
};

/* What a host function does: *to = *to * 31 + *from + word; and the cells these are in. */
struct note {
    volatile uint32_t *from, *to;
    uint32_t word;
};

struct program {
    FILE *out;
    uint64_t state; /* of the random numbers */
    int calls;
    struct model model;
    struct random_stream streams[MAX_STREAMS];
    struct random_event events[MAX_EVENTS];
    struct random_graph graphs[MAX_GRAPHS];
    struct random_exec execs[MAX_EXECS];
    struct note notes[MAX_NOTES];
    int n_notes;
    int stream_ids;                  /* given away so far */
    int families;                    /* of graphs, so far */
    struct random_capture open[2];   /* going on: number n is in place n % 2 */
    void *slots[MAX_SLOTS];          /* memory of cudaMallocAsync; NULL: none */
    enum cudaStreamCaptureMode mode; /* of the calling thread */
};

/* Runs the program of `seed` and prints it. Frees all that it made. */
void host_program(uint64_t seed, FILE *out);

/* A number from 0 to n - 1. */
unsigned pick(struct program *p, unsigned n);

/* True once in n. */
bool once_in(struct program *p, unsigned n);

/* Prints one call and its answer, and returns the answer. */
cudaError_t said(struct program *p, cudaError_t answer, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A stream that exists; `name` gets what it is called in print. */
struct random_stream *any_stream(struct program *p, char name[16]);

/* True while any capture is going on: then what may fail for it is left out. */
bool in_capture(const struct program *p);

/* Notes an operation that the device accepted in a stream: executed, or made a node of its capture.
 */
void accepted(struct program *p, struct random_stream *s, const struct touch *t);

/* Whether the operation may be given to the stream now without a race. */
bool may_run(struct program *p, struct random_stream *s, const struct touch *t);

/* A node was captured in the stream, after what the stream depends on. */
void captured(struct program *p, struct random_stream *s, enum node_kind kind,
              const struct touch *t, int event);

/* A node of the graph whose handle is known, or -1. */
int any_node(struct program *p, const struct random_graph *g);

/* Joins the whole device with the host, where no capture forbids it. */
void settle(struct program *p);

/* One random call each (host_memory.c, host_streams.c, host_capture.c, host_graph.c,
 * host_exec.c). */
void do_copy(struct program *p);
void do_copy_2d(struct program *p);
void do_memset(struct program *p);
void do_memset_2d(struct program *p);
void do_alloc(struct program *p);
void do_pool(struct program *p);
void do_mistaken_memory(struct program *p);
void do_host_function(struct program *p);
void do_stream(struct program *p);
void do_event(struct program *p);
void do_record(struct program *p);
void do_wait(struct program *p);
void do_synchronize(struct program *p);
void do_query(struct program *p);
void do_error(struct program *p);
void do_begin(struct program *p);
void do_end(struct program *p);
void do_capture_info(struct program *p);
void do_capture_memory(struct program *p);
void do_graph(struct program *p);
void do_node(struct program *p);
void do_node_set(struct program *p);
void do_edge(struct program *p);
void do_graph_query(struct program *p);
void do_instantiate(struct program *p);
void do_launch(struct program *p);
void do_exec_update(struct program *p);
void do_exec_set(struct program *p);
void do_exec_enable(struct program *p);

/* Ends the captures that are left, in print. */
void end_captures(struct program *p);

/* One 1-D copy or memset of cells that exist, chosen at random; what both streams and graphs do. */
struct plain_copy {
    void *to;
    const void *from;
    size_t bytes;
    enum cudaMemcpyKind kind;
    struct touch touch;
    char words[80];
};
struct plain_set {
    void *to;
    unsigned value;
    unsigned element_bytes;
    size_t width; /* in elements */
    size_t rows;
    size_t pitch;
    struct touch touch;
    char words[80];
};
void choose_copy(struct program *p, struct plain_copy *c);
void choose_set(struct program *p, struct plain_set *m);

/* A host function's note on cells of host memory; NULL when the program has no more. */
struct note *choose_note(struct program *p, struct touch *t, char words[80]);
void write_note(void *note);

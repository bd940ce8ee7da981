/* host_model.h: what a random program knows of order: which bytes are touched by what, and what
 * has happened before what.
 *
 * Memory is cells of 256 bytes. Streams and the host each count their operations; a clock says how
 * many of every other's an operation comes after. Where the device's rules leave a doubt, the model
 * assumes less order than there is. A cell whose content may depend on timing is tainted until it
 * is written again. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CELL_BYTES = 256,
    BUFFER_CELLS = 16,
    N_BUFFERS = 8, /* four on the device, two pinned, two pageable */
    MAX_SLOTS = 3, /* and of cudaMallocAsync */
    PAGEABLE = 6,  /* the first of these two */
    N_CELLS = (N_BUFFERS + MAX_SLOTS) * BUFFER_CELLS,
    CELL_WORDS = (N_CELLS + 63) / 64,
    MAX_CLOCKS = 32, /* the host is 0, the legacy stream 1, the per-thread stream 2 */
    MAX_NODES = 48,
    HOST = 0,
    LEGACY = 1,
};

struct clock {
    uint32_t of[MAX_CLOCKS];
};

struct cells {
    uint64_t bits[CELL_WORDS];
};

/* What one operation reads and writes. */
struct touch {
    struct cells reads;
    struct cells writes; /* all it writes */
    struct cells whole;  /* of these, the ones of which it writes every byte */
};

struct cell {
    int writer;                /* which clock wrote it last */
    uint32_t written;          /* as which operation of that clock; 0: never */
    uint32_t read[MAX_CLOCKS]; /* the last operation of each that read it */
    bool tainted;
};

enum node_kind {
    NODE_EMPTY,
    NODE_COPY,
    NODE_SET,
    NODE_HOST,
    NODE_RECORD,
    NODE_WAIT,
    NODE_CHILD,
    NODE_OTHER
};

struct graph_node {
    enum node_kind kind;
    struct touch touch;
    uint64_t after;    /* nodes it depends on directly */
    int event;         /* NODE_RECORD: which */
    bool shy;          /* may be disabled: writes nothing surely */
    struct cells racy; /* NODE_CHILD: what branches of the child race for */
};

struct graph_model {
    int n;
    struct graph_node nodes[MAX_NODES];
};

struct model {
    unsigned char *buffers[N_BUFFERS];
    struct cell cells[N_CELLS];
    struct clock clocks[MAX_CLOCKS]; /* what the next operation comes after */
    struct clock
        worked[MAX_CLOCKS]; /* what its last operation that is work came after, and itself */
    bool live[MAX_CLOCKS];
    bool blocking[MAX_CLOCKS];
    uint32_t count[MAX_CLOCKS];
};

static inline bool cells_have(const struct cells *c, int i)
{
    return c->bits[i / 64] >> (i % 64) & 1;
}

static inline void cells_add(struct cells *c, int i)
{
    c->bits[i / 64] |= UINT64_C(1) << (i % 64);
}

void clock_join(struct clock *a, const struct clock *b);

/* True if all that `part` counts is counted in `whole`, too. */
bool clock_covers(const struct clock *whole, const struct clock *part);

/* Adds bytes [from, from + bytes) of buffer `buffer` to what is read or written. */
void touch_read(struct touch *t, int buffer, size_t from, size_t bytes);
void touch_write(struct touch *t, int buffer, size_t from, size_t bytes);

/* What an operation given to `id` now would come after, default-stream rules included. */
void model_before(const struct model *m, int id, struct clock *c);

/* True if an operation after `c` may touch this. */
bool model_ordered(const struct model *m, const struct clock *c, const struct touch *t);

/* True if what it reads of pageable memory is there already: a copy may read that in the call. */
bool model_still(const struct model *m, const struct touch *t);

/* The operation was given to `id`: its effects; `after` is joined to what it comes after, or NULL.
 */
void model_run(struct model *m, int id, const struct touch *t, const struct clock *after);

/* The same for a launch of a graph: races between its branches taint. */
void model_launch(struct model *m, int id, const struct graph_model *g, const struct clock *after);

/* All that a graph touches. */
void graph_touch(const struct graph_model *g, struct touch *t);

/* The host has waited for everything. */
void model_settle(struct model *m);

/* Adds to `racy` the cells that two unordered nodes touch, one of them writing. */
void graph_races(const struct graph_model *g, struct cells *racy);

/* Adds a node; false when the graph is full. */
bool graph_add(struct graph_model *g, enum node_kind kind, const struct touch *t, uint64_t after,
               int event);

/* A hash of all cells that are not tainted, and how many these are. */
uint64_t model_hash(const struct model *m, int buffer, int *cells);

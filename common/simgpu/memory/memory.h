/* memory.h: the memory of the device: allocations by address, device memory, pools, and __device__
 * variables. */
#pragma once

#include <bsd/sys/queue.h>
#include <bsd/sys/tree.h>

#include "time/sim.h"

struct graph_memory;

/* ---- memory.c: allocations by address -------------------------------------------------------- */

enum memory_kind {
    MEMORY_DEVICE,
    MEMORY_PINNED,
    MEMORY_REGISTERED,
    MEMORY_POOL,
    MEMORY_GRAPH,
    MEMORY_MANAGED,
    MEMORY_VARIABLE,
    MEMORY_SHARED /* of another process */
};

enum { NO_DEVICE = -1 }; /* a variable is on each device */

struct allocation {
    RB_ENTRY(allocation) by_address;
    uint64_t lo, hi; /* addresses as the program sees them, hi exclusive */
    enum memory_kind kind;
    int device;
    unsigned flags;                    /* of cudaHostAlloc or cudaHostRegister */
    uint64_t serial;                   /* counts allocations, for reports; of a variable: 0 */
    const char *call;                  /* that made it; of a variable: its name */
    uint32_t caller;                   /* where the program made that call */
    struct history *history;           /* NULL when checks are off */
    struct mempool *pool;              /* MEMORY_POOL, or imported from a pool: counted */
    struct graph_memory *graph_memory; /* MEMORY_GRAPH */
    struct advice {
        bool read_mostly;
        int location;         /* preferred */
        uint32_t accessed_by; /* a bit for each device */
    } advice;                 /* MEMORY_MANAGED: as given */
    int export_slot;          /* other processes may open it; else 0 */
    uint32_t shared_with;     /* MEMORY_GRAPH: a bit for each device that may access it */
    bool reserved;            /* MEMORY_GRAPH: addresses, with nothing allocated at them */
    bool freed_by_node;       /* MEMORY_GRAPH: by the latest launch, in the order of its nodes */
    uint64_t made;            /* operations opened when it began */
    uint64_t freed;           /* operations opened when it ended */
    bool is_freed;
    TAILQ_ENTRY(allocation) by_end; /* among freed ones */
    uint32_t until; /* its addresses were reused: remembered until late_is_over(until) */
};

uint64_t memory_latest(void); /* serial of the latest allocation */
/* The live allocation that holds address p, or NULL. */
struct allocation *memory_find(const void *p);
/* One that holds any of these bytes, or NULL. */
struct allocation *memory_find_in(const void *p, size_t bytes);
/* [*lo, *hi): from the allocation before `at` to the next one; false: one holds `at`. */
bool memory_gap(uint64_t at, uint64_t *lo, uint64_t *hi);
/* The latest freed one that held it, or NULL. */
struct allocation *memory_find_freed(const void *p);
/* The one that held it, freed or not, when operation `id` was opened; NULL: none, or not known. */
struct allocation *memory_find_for(const void *p, uint64_t id);
/* The allocation as a finding names it; NULL: none. */
struct simgpu_memory memory_of(const struct allocation *a);
/* Does the allocation hold `bytes` bytes from p on? */
bool memory_holds(const struct allocation *a, const void *p, size_t bytes);
/* Says why these bytes are no memory that a call can use. */
void memory_note_refusal(const void *p, size_t bytes, const char *argument);
/* From the first byte to the end of the last row; false if no address space is so large. */
bool memory_extent(size_t *bytes, size_t width, size_t rows, size_t pitch, size_t depth,
                   size_t slice);

/* A new live allocation of these addresses; `call` made it. */
struct allocation *memory_add(void *p, size_t bytes, enum memory_kind kind, int device,
                              const char *call);
/* So many bytes more are in use, or less: simgpu_memory_now. memory_add and memory_remove call
 * it. */
void memory_use(int64_t bytes);
extern struct memory_used {
    int64_t now, most; /* bytes, of all devices; most since the peak was last asked for anew */
} memory_used;
/* It is no longer live; kept for a while as a freed one, with its history if that has ended. */
void memory_remove(struct allocation *a);
/* Device memory for cudaMalloc, filled with poison; NULL: the device is full. */
void *memory_allocate(struct device *d, size_t bytes, const char *call);
/* Ends a live device allocation at once. */
void memory_free_now(struct allocation *a);
/* Fresh device memory holds 16-bit words of this value. As bf16, float and double it is a NaN. As
   an integer it is none that programs use as a mark: neither 0 nor -1, and of 32 bits below
   -390,000. */
enum { MEMORY_POISON = 0xfff9 };
void memory_poison(void *p, size_t bytes);
/* The device is reset: its allocations end, the pinned ones made under it too; `forget` ends those
 * of graphs. */
void memory_forget(int device, void (*forget)(struct graph_memory *m));

/* A kernel has run of which nothing is known: it may have written to anything. */
void memory_assume_written(void);

/* ---- peer.c: which device may access whose memory -------------------------------------------- */

/* Peer access, which is for memory of cudaMalloc. */
bool peer_is_possible(int device, int peer);
bool peer_enabled(int device, int peer);
void peer_enable(int device, int peer, bool on);
void peer_forget(int device); /* of it and to it */
/* May the device access it? Memory of pools and graphs has lists of its own. */
bool memory_reaches(const struct allocation *a, int device);
bool memory_is_shared_by_pool(const struct allocation *a);

/* ---- memory.c, again ------------------------------------------------------------------------- */

/* The live allocations of the program. */
struct memory_leaks {
    size_t n;
    uint64_t bytes;
    const struct allocation *first;
};
void memory_leaks(struct memory_leaks *out);

/* Pinned or managed memory, for memory_add; NULL: there is none. And its end. */
void *memory_take_of_host(size_t bytes);
void memory_give_of_host(struct allocation *a);
/* May host code access it? Any variable may be a managed one. */
bool memory_is_of_host(const struct allocation *a);
/* Above all such memory, and all pageable memory that an operation was declared to access. */
uint64_t memory_shared_top(void);
/* The history of pageable memory, of all addresses; NULL: no operation was declared to access any.
 */
struct history *memory_pageable(void);
/* The same, for an operation that accesses some below `hi`. */
struct history *memory_pageable_for(uint64_t hi);

/* ---- array.c: CUDA arrays -------------------------------------------------------------------- */

/* One to four channels of 8, 16 or 32 bits each. */
struct texel_format {
    struct cudaChannelFormatDesc description;
    size_t bytes;
    int n_channels;
};
/* False: no texture has such elements. */
bool texel_format_fill(struct texel_format *out, const struct cudaChannelFormatDesc *f);

struct array {
    struct texel_format format;
    struct cudaExtent extent; /* in elements; height and depth are 0 where it has none */
    unsigned flags;
    unsigned char *base;
    size_t row_bytes, slice_bytes;
};
cudaError_t array_make(struct array **out, const struct cudaChannelFormatDesc *format,
                       struct cudaExtent extent, unsigned flags, int device, const char *call);
struct array *array_find(const void *handle); /* NULL: it is none */
void array_free(struct array *a);

/* ---- arena.c: the addresses of device memory, in blocks of 512 bytes ------------------------- */

/* NULL: the device is full. */
void *arena_take(struct device *d, size_t bytes);
void arena_give(struct device *d, void *p, size_t bytes);
size_t arena_round(size_t bytes);
/* Is p inside the address range that device memory comes from? */
bool memory_is_device_address(const void *p);
/* And is there memory, of an allocation or near one? Elsewhere a kernel faults. */
bool memory_is_backed(const void *p);
/* Once, before anything else handles faults: host code cannot touch device memory, except between
 * these two. */
void memory_protect(void);
void memory_open(void);
void memory_close(void);
/* The host has waited for work, or knows that it is done: it may read memory now. */
void memory_host_waited(void);

/* For shared.c. The file that holds the device's memory, made at the first call; -1: it cannot be
 * made. Its last bytes, of this number, hold no memory of the device. */
enum { ARENA_FILE_TAIL = 4096 };
int arena_file(struct device *d);
uint64_t arena_offset(const struct device *d, const void *p); /* in the file */
uint64_t arena_tail(const struct device *d);
/* Whole pages of device memory become those of a file. */
bool arena_map(void *at, size_t bytes, int file, uint64_t offset);

/* ---- shared.c: memory of several processes --------------------------------------------------- */

/* By which another process finds memory, a pool, or an event, of this one. */
struct shared_handle {
    uint64_t magic;
    int32_t pid, file, device, slot;
    uint64_t inode, tail; /* of the file; the offset of its tail */
    uint64_t offset, bytes;
    uint64_t pool; /* the pool, or that of the memory; 0: none */
};
struct import;

struct shared_handle shared_handle_of_event(void);
/* Was it made by shared_handle_of_event in another process? */
cudaError_t shared_check_event(const struct shared_handle *h);
cudaError_t shared_export(struct allocation *a, struct shared_handle *out);
/* `from`: the imported pool of the memory, or NULL. */
cudaError_t shared_open(const struct shared_handle *h, struct mempool *from, void **out);
/* It is closed as often as it was opened. True: this was the last time, and it is to end. */
bool shared_release(const struct allocation *a);
/* The same, and ends it. */
void shared_close(struct allocation *a);
/* An exported allocation is freed. */
void shared_forget(const struct allocation *a);
/* Ends an opened allocation. Its pages stay until shared_unmap. */
struct import *shared_end(struct allocation *a);
void shared_unmap(struct import *i);

/* A file that says which pool it is, for the program to pass on; -1: there can be none. */
int shared_pool_export(const struct mempool *pool);
/* NULL: the file is none of those. */
struct mempool *shared_pool_import(int file);

/* ---- pool.c: stream-ordered memory ----------------------------------------------------------- */

struct mempool {
    struct device *device;
    uint64_t release_threshold;       /* bytes kept over a synchronize */
    uint64_t used, used_high;         /* bytes allocated and not freed */
    uint64_t reserved, reserved_high; /* taken from the device, in chunks */
    uint64_t in_blocks;               /* bytes of all blocks, in use or free */
    uint64_t max_bytes;               /* the pool may reserve no more; 0: no limit */
    uint64_t serial;                  /* counts pools, from 1 */
    bool is_shareable;                /* it may be exported as a file descriptor */
    int exporter;                     /* imported, from this process: allocates nothing; else 0 */
    uint64_t exporter_serial;         /* its number there */
    int reuse[3]; /* the three reuse attributes, in the order of enum cudaMemPoolAttr */
    struct pool_block *blocks;         /* free ones, oldest first */
    unsigned char access[MAX_DEVICES]; /* of each device: enum cudaMemAccessFlags */
    int refs;                          /* the handle, its allocations */
    struct mempool *next;              /* all pools */
};

/* A freed block, which stays in its pool. */
struct pool_block {
    void *p;
    size_t bytes;                /* rounded */
    const struct stream *stream; /* of the free; compared only */
    struct device *orphan_of;    /* its pool is gone: back to this device at the free */
    struct import *import;       /* memory of another process, unmapped at the free; or NULL */
    struct epoch freed;
    bool done;    /* the stream has reached the free */
    int64_t used; /* bytes that count until then, or until it is used again */
    int refs;     /* the pool's list, the free operation */
    struct pool_block *next;
};

struct mempool *pool_of(cudaMemPool_t handle); /* NULL: it is none */
struct mempool *pool_new(struct device *d);
struct mempool *pool_default(struct device *d);
struct mempool *pool_current(struct device *d); /* of cudaMallocAsync */
void pool_put(struct mempool *pool);
/* A block of so many (rounded) bytes for work in stream s, after `after`; NULL: the pool or the
 * device is full. *idle: no pending work may still use it. */
void *pool_take(struct mempool *pool, size_t bytes, const struct stream *s,
                const struct epoch *after, bool *idle);
/* The block of a, freed by an operation of kind OP_FREE in stream s. */
struct pool_block *pool_block_of(const struct allocation *a, const struct stream *s);
/* The allocation is over; its block is the pool's. */
void pool_give(struct allocation *a, struct pool_block *b);
/* cudaFree of stream-ordered memory, which no pending work may use any more. */
void pool_free_unordered(struct allocation *a);
/* Returns finished free blocks to the device, oldest first, until at most `keep` bytes are
 * reserved. */
void pool_trim(struct mempool *pool, uint64_t keep);
/* The host has synchronized: pools release memory above their threshold. */
void pool_trim_at_sync(void);
/* The type of OP_FREE. */
extern const struct op_type pool_free_type;

/* ---- variable.c: __device__ variables -------------------------------------------------------- */

/* Device memory is host memory here: the variable is at `address`. All devices share it, or each
 * has its own. */
void variable_add(const void *symbol, void *address, size_t bytes, bool is_shared,
                  const char *name);
/* Makes allocations of those that are new. */
void variables_allocate(void);
/* The address on the device. False: no such symbol. */
bool variable_find(const void *symbol, int device, void **address, size_t *bytes);
/* Before code of a device from 1 on runs, and after: its variables take the place of device 0's. */
void variables_exchange(int device);
/* The address on the device of the memory that its code accesses at p. */
const void *variable_place(const void *p, int device);

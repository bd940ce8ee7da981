/* segment.h: the parts of a history. Bytes that are remembered for the same accesses make one
 * segment; the segments of an allocation lie side by side without gaps. */
#pragma once

#include <bsd/sys/tree.h>

#include "core/core.h"
#include "race.h"

/* ---- memory ---------------------------------------------------------------------------------- */

/* Many small things of one size; memory stays with them once taken. */
struct cells {
    size_t bytes;         /* of one, a multiple of the alignment of its fields */
    void *free;           /* each holds the address of the next */
    unsigned char *chunk; /* new ones come from its end */
    size_t left;          /* cells in it not yet given */
};

void *cell_get(struct cells *c);
void cell_put(struct cells *c, void *cell);
/* malloc; the program ends if it fails. */
void *checks_alloc(size_t bytes);

/* ---- touch.c --------------------------------------------------------------------------------- */

/* One operation, as long as a byte remembers it. */
struct touch {
    uint32_t refs;
    bool begins;   /* it made the memory, and wrote nothing */
    bool ends;     /* it freed the memory, and wrote nothing */
    bool atomic;   /* by atomic operations: no race with others like it */
    bool of_host;  /* by host code */
    bool alone;    /* as in struct access */
    bool is_early; /* of its site, as of_setup and pageable are */
    bool of_setup;
    uint8_t pageable;
    struct epoch epoch;
    const char *name;        /* of its site; one copy serves all */
    int stream, node, graph; /* of its site, as index and caller are */
    struct simgpu_caller caller;
    uint32_t index, nth;
    uint16_t waits; /* of its site */
    uint32_t run;   /* lineage_run at its declaration */
    uint64_t *mask; /* as in struct access */
    struct origin origin;
};

/* Lasts until the next call, unless the caller counts a reference. */
struct touch *touch_of(const struct epoch *epoch, const struct simgpu_site *site, bool atomic,
                       const uint64_t *mask);
/* One of its own, with one reference. */
struct touch *touch_new(const struct epoch *epoch, const struct simgpu_site *site);
void touch_put(struct touch *t);
/* Releases the latest one of touch_of. */
void touch_forget(void);
struct simgpu_site touch_site(const struct touch *t);

/* Superseded by an atomic access alone: a later atomic one does not race with that, or an earlier
 * one has no order with it. */
#define UNDER_ATOMIC UINT32_MAX

/* One more access that bytes are remembered for, beside the last write. A list has first the reads
 * since that write, and the free, by clock id; then those that only a late access may race with. */
struct kept {
    struct touch *touch;
    struct kept *next;
    uint32_t until; /* superseded, but kept until late_is_over(until), or UNDER_ATOMIC; 0: not
                       superseded */
    bool wrote;     /* of those that are not superseded, host code */
};

/* t has read, or freed, the bytes, or it is host code (that `wrote`): it supersedes those that it
 * comes after. A read supersedes no free, and no write of host code, because these race with reads,
 * too. */
void kept_read(struct kept **list, struct touch *t, bool wrote);
/* `by` has written them, and supersedes `writer` (or NULL) and all that do not come after it. */
void kept_write(struct kept **list, struct touch *writer, struct touch *by);
/* Adds t, which `by` has superseded before it was declared. */
void kept_superseded(struct kept **list, struct touch *t, bool wrote, const struct touch *by);
/* Without those that are superseded and not needed any more. */
void kept_trim(struct kept **list);
void kept_copy(struct kept **list, const struct kept *from); /* into an empty list */
bool kept_equal(const struct kept *a, const struct kept *b);
void kept_free(struct kept **list);

/* ---- segment.c ------------------------------------------------------------------------------- */

struct segment {
    RB_ENTRY(segment) by_address;
    uint64_t lo, hi;      /* lo stays as it is made, hi moves */
    struct touch *writer; /* NULL: none yet */
    struct kept *kept;
};

RB_HEAD(segment_tree, segment);

/* All segments of [lo, hi). */
struct segment_map {
    struct segment_tree tree;
    uint64_t lo, hi;
    size_t n;
    /* Accesses often repeat addresses: by slot of addresses, a segment that begins there. */
    struct segment **near;
    size_t n_slots;
    unsigned slot_shift; /* a slot is 1 << slot_shift bytes */
    size_t n_walks;      /* that began at the root, since the slots were made */
};

void map_init(struct segment_map *m, uint64_t lo, uint64_t hi); /* one segment, of no story */
void map_clear(struct segment_map *m);

struct segment *segment_first(struct segment_map *m);
struct segment *segment_next(struct segment *s);
struct segment *segment_previous(struct segment *s);
/* The one that holds the address, inside the map. */
struct segment *segment_at(struct segment_map *m, uint64_t address);
/* The first segment of [lo, hi), inside the map, after cutting others at lo and hi. */
struct segment *segment_cut(struct segment_map *m, uint64_t lo, uint64_t hi);
/* Merges two neighbors with the same story; returns the segment with the end of `upper`. */
struct segment *segment_merge(struct segment_map *m, struct segment *lower, struct segment *upper);
/* `lower` takes the place of its neighbour too. */
void segment_swallow(struct segment_map *m, struct segment *lower, struct segment *upper);
/* The next access is likely to be here. */
void segment_mark(struct segment_map *m, struct segment *s);

/* ---- history.c, questions.c ------------------------------------------------------------------ */

struct history {
    struct segment_map segments;
    struct simgpu_memory memory; /* for findings */
    bool initialised;            /* reading what nobody wrote is no mistake */
    bool ended;                  /* it has been freed at least once */
    bool has_atomic;             /* an atomic access */
    bool has_host;               /* a write by host code */
};

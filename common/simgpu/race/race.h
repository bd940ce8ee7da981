/*
 * race.h: race detection: which operation is ordered before which, which bytes were accessed when,
 * and the findings that follow.
 */
#ifndef RACE_H
#define RACE_H

#include <stdbool.h>
#include <stdint.h>

#include "simgpu.h"

/* ---- order.c: who is ordered before whom ----------------------------------------------------- */

/* A vector clock: what is known to be done before. Immutable once shared, counted. */
struct vclock;

/* The place of one operation in the order: the seq-th of its clock id, after all that `seen` names.
 */
struct epoch {
    uint32_t clock_id;       /* a stream, a host thread, a branch of a graph launch */
    uint32_t seq;            /* counts from 1; 0: no operation */
    uint32_t until_clock_id; /* whoever comes after this one comes after the operation too;
                            until_seq 0: none */
    uint32_t until_seq;
    struct vclock *seen; /* counted reference; NULL: nothing of other clock ids */
};

/*
 * A clock id for a new stream, host thread or graph branch. clock_id_after takes over a freed one
 * whose operations `origin` knows to be before it, so that nothing is lost when everything in the
 * new clock id is after origin too. Beyond some thousand clock ids any freed one is taken: races
 * with its former operations may then be missed, and none is ever made up.
 */
uint32_t clock_id_new(void);
uint32_t clock_id_after(const struct epoch *origin);
void clock_id_free(uint32_t clock_id); /* its number may be used again, its count goes on */

/*
 * A new epoch on `clock_id`, after every given one and all that clock id had before. A host thread
 * that touches memory needs a new one for each call: operations are told apart by (clock id, seq).
 * Its owner calls epoch_drop.
 */
struct epoch epoch_new(uint32_t clock_id, const struct epoch *const *after, int n_after);
struct epoch epoch_copy(const struct epoch *s);
/*
 * Work that a graph launch begets later: *s, the newest epoch of its clock id, comes before `end`,
 * the launch's end, whose epoch was made before it.
 */
void epoch_until(struct epoch *s, const struct epoch *end);
void epoch_drop(struct epoch *s); /* leaves seq 0 */
/*
 * In place: *into is from now on also after *s (a host thread has waited for s). *into must be the
 * newest epoch of its clock id: where s is news to it, it moves on to the next seq.
 */
void epoch_join(struct epoch *into, const struct epoch *s);
/* The same for all that comes before *s, but not for *s itself: both may run at once. */
void epoch_join_beside(struct epoch *into, const struct epoch *s);
/* a comes before b, or is the same operation. No operation (seq 0) comes before every other. */
bool epoch_before(const struct epoch *a, const struct epoch *b);

/* The host: after everything that any of its threads has waited for. */
extern struct epoch host_epoch;

/* ---- lineage.c: where bytes come from -------------------------------------------------------- */

/* Beside a bit for each kernel that computed them. */
#define ORIGIN_INPUT (UINT64_C(1) << 63) /* copied from what the judge named as inputs */
#define ORIGIN_HOST (UINT64_C(1) << 62)  /* from other memory of the host */
#define ORIGIN_OLD (UINT64_C(1) << 61)   /* written before this run, or never */

/* What bytes were made by, and what that had read. */
struct origin {
    uint64_t by, from;
    uint64_t
        through; /* what had made all bytes that it had read: kernels that none of them missed */
    uint64_t serial,
        bytes; /* of the one launch that made them, and all that it wrote; 0: several */
};

uint32_t lineage_run(void); /* counts runs; 0: nobody has asked for a lineage */
uint64_t lineage_kernel(const char *name);
/* "consume or saxpy", "consume of produce": consume, which read what produce had written, *through
 */
uint64_t lineage_kernels(const char *names, uint64_t *through);
bool lineage_is_input(uint64_t lo, uint64_t hi);
void lineage_written(const void *base, size_t width, size_t rows, size_t pitch);
void lineage_begin(void);
void lineage_input(const void *base, size_t bytes);
/* `compares`: does lineage_changed compare it with what operations wrote there? */
void lineage_result(const void *base, size_t bytes, bool compares);
size_t lineage_changed(const void *base, size_t bytes);
/* what operations wrote there; NULL: nobody compares */
const void *lineage_copy(const void *base, size_t bytes);

/* One operation's touch of memory, for the checks and their sentences. */
struct access {
    uint64_t lo, hi;      /* addresses, hi exclusive */
    uint64_t rows, pitch; /* a pitched range: [lo, hi) is its first row; 0 or 1 row: no pitch */
    enum simgpu_access mode;
    const struct epoch *epoch;
    const struct simgpu_site *site; /* copied where kept */
    struct origin origin;           /* of what it writes */
    bool expected; /* it may happen, and others before it that are not told yet: no uninitialized
                      read */
    bool late;     /* others after it may have been told already */
};

/*
 * The history of one allocation: for each byte who wrote it last and who has read it since.
 * history_access checks the touch against it (race, uninitialized read), reports, and records it.
 * Operations are told in the order the host issued them, and an operation's reads before its
 * writes. A NULL history checks nothing.
 */
struct history;
/* `call` (static storage) made the allocation, the serial-th of the program: reports name it so.
 * 0: reports name it `call`. */
struct history *history_new(uint64_t lo, uint64_t hi, bool initialised, const char *call,
                            uint64_t serial);
void history_free(struct history *h);
void history_access(struct history *h, const struct access *a);
/*
 * Of all bytes of the access: what made them, together; *every: what made each of them. *gap: the
 * first byte made by none of `by`; UINT64_MAX: there is none.
 */
struct origin history_origin(struct history *h, const struct access *a, uint64_t by,
                             uint64_t *every, uint64_t *gap);
/* The first byte of [lo, hi) that nobody has read in this run; hi: there is none. */
uint64_t history_unread(struct history *h, uint64_t lo, uint64_t hi);
/* Do several bytes of [lo, hi) have one and the same byte of a launch as their origin? */
bool history_has_duplicates(struct history *h, uint64_t lo, uint64_t hi);
/* The expected access happens now: is what it reads written? */
void history_read_now(struct history *h, const struct access *a);
/* Something may have written any of it: no uninitialized read is reported from now on. */
void history_assume_written(struct history *h);
/* Stream-ordered memory begins at operation `site`: a touch not ordered after it is a race. */
void history_begin(struct history *h, const struct epoch *epoch, const struct simgpu_site *site);
/*
 * It ends at `site`: a touch not ordered before that is a use after free, or a host race where the
 * host frees it (site->stream -1). The history is the caller's to free.
 */
void history_end(struct history *h, const struct epoch *epoch, const struct simgpu_site *site);

/* What the checks cost so far; for tests and the benchmark. */
struct check_counts {
    uint64_t clocks_made; /* vector clocks allocated */
    uint64_t clocks_alive;
    uint64_t clock_bytes_alive;
    uint64_t clock_ids;        /* clock id numbers in use or freed */
    uint64_t segments_visited; /* steps of histories from segment to segment, and of searches */
    uint64_t segments_alive;
    uint64_t touches_alive; /* operations that histories remember */
};
extern struct check_counts check_counts;

/* ---- waits.c: what streams have waited for, for findings ------------------------------------- */

/* The cudaStreamWaitEvent calls of a stream since its last work before them, the newest first.
 * Equal lists are one, and numbered; 0: no waits, outside of captures. Of many thousand different
 * ones on (a program creates streams in a loop), new ones are 0. */
enum { LISTED_WAITS = 8 };
struct wait_list {
    uint32_t capture; /* 1 + the call that began the capture that these are part of; 0: none */
    int stream;       /* in a capture: the number of the stream */
    int n;
    struct simgpu_wait at[LISTED_WAITS];
};

uint16_t waits_in_capture(uint32_t capture, int stream); /* none so far */
uint16_t waits_and(uint16_t list, const struct simgpu_wait *newest);
uint16_t waits_without(uint16_t list); /* no waits, in the same capture */
const struct wait_list *waits_of(uint16_t list);

/* ---- finding.c: the findings of the checks --------------------------------------------------- */

/* Keeps the finding (the same pair of sites only once, counted), and prints it unless
 * SIMGPU_REPORT=0. */
void finding_add(const struct simgpu_finding *f);
/* Counts f if there is no need to add it: one like it is kept, or no room is left. Kind and sites
 * decide, so the other fields can wait. */
bool finding_again(const struct simgpu_finding *f);

#endif

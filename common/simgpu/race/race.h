/* race.h: race detection: the order of operations, the accesses to each byte, and the findings. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/core.h"
#include "lineage.h"
#include "simgpu.h"

/* Memory for the checks that was asked for, which is there. */
static inline void *checks_need(void *memory)
{
    return needed(memory, "the ordering checks; run with SIMGPU_CHECKS=0 to go without");
}

/* ---- order.c: the order of operations -------------------------------------------------------- */

/* A vector clock: the operations that come before. Immutable once shared, counted. */
struct vclock;

/* The place of one operation in the order: number seq of its clock id, after all that `seen` names.
 */
struct epoch {
    uint32_t clock_id;       /* a stream, a host thread, a branch of a graph launch */
    uint32_t seq;            /* counts from 1; 0: no operation */
    uint32_t until_clock_id; /* an operation after this epoch is also after the operation;
                                until_seq 0: none */
    uint32_t until_seq;
    struct vclock *seen; /* counted reference; NULL: nothing of other clock ids */
};

/* A clock id for a new stream, host thread or chain of a graph. clock_id_after reuses a freed one
 * whose operations all come before `origin`. No order is lost if everything on the new clock id
 * comes after origin, too. Beyond some thousand clock ids any freed one is reused: then races with
 * its former operations may be missed, but a reported race is always one. */
uint32_t clock_id_new(void);
uint32_t clock_id_after(const struct epoch *origin);
void clock_id_free(uint32_t clock_id); /* the number may be reused; seq continues */

/* A new epoch on `clock_id`, after every given one and all earlier ones of the clock id. A host
 * thread that accesses memory needs a new one for each call, because (clock id, seq) identifies an
 * operation. Its owner calls epoch_drop. */
struct epoch epoch_new(uint32_t clock_id, const struct epoch *const *after, int n_after);
/* The same after the newest one of the clock id alone. */
struct epoch epoch_next(uint32_t clock_id);
struct epoch epoch_copy(const struct epoch *s);
/* For work that a graph launch creates later: *s, the newest epoch of its clock id, comes before
 * `end`, the end of the launch, although the epoch of `end` was created earlier. */
void epoch_until(struct epoch *s, const struct epoch *end);
void epoch_drop(struct epoch *s); /* leaves seq 0 */
/* In place: from now on, *into is also after *s (a host thread has waited for s). *into must be the
 * newest epoch of its clock id. If *s was not before it already, it moves on to the next seq. */
void epoch_join(struct epoch *into, const struct epoch *s);
/* The same for any *into, in place: copies of it do not learn of s. */
void epoch_learn(struct epoch *into, const struct epoch *s);
/* As epoch_join for all that comes before *s, but not for *s itself: both may run concurrently. */
void epoch_join_beside(struct epoch *into, const struct epoch *s);
/* In place: *s, the newest epoch of its clock id, becomes the next one. */
void epoch_advance(struct epoch *s);
/* Is it the same operation? */
static inline bool epoch_is(const struct epoch *a, const struct epoch *b)
{
    return a->clock_id == b->clock_id && a->seq == b->seq;
}
/* a comes before b, or is the same operation. No operation (seq 0) comes before every other. */
bool epoch_before(const struct epoch *a, const struct epoch *b);
/* An operation is complete; is it? Those of a clock id are so in order. */
extern uint32_t *epochs_ended; /* by clock id: the newest seq that is complete */
static inline void epoch_end(const struct epoch *s)
{
    if (s->seq)
        epochs_ended[s->clock_id] = s->seq;
}
bool epoch_has_ended(const struct epoch *s);

/* What the host enqueues now comes after this: everything that any of its threads has waited for,
 * or may have seen in memory. */
extern struct epoch host_epoch;
/* And what it accesses now comes after this: it has waited, or has read memory that an operation
 * writes as volatile or by an atomic operation. A thread that sleeps learns nothing. */
extern struct epoch access_epoch;
/* After everything that writes what a program can read without a call. */
extern struct epoch seen_epoch;
/* A call of the host has waited for s, or a host function after it has begun. */
void host_waited(const struct epoch *s);
/* For all that comes before s, but not for s itself. */
void host_waited_beside(const struct epoch *s);
/* For s, without a call. */
void host_learned(const struct epoch *s);
/* The place of the accesses of a host thread from now on until simgpu_host.moment changes:
 * operations that are enqueued later come after them. Its owner calls epoch_drop. */
struct epoch host_acts(void);

/* ---- late.c: operations whose accesses are declared late --------------------------------------
 */

/* Accesses are declared when the host enqueues the operation, but for three kinds of operations: a
 * kernel that is recorded, a kernel that starts early, and a graph that a kernel may launch. From
 * late_begin to late_end, accesses may be declared that come after *from, although accesses that
 * come after them have been declared before. `writes`: some of them may be writes that later
 * operations read. */
struct late;
struct late *late_begin(const struct epoch *from, bool writes);
void late_end(struct late **l); /* leaves NULL; of NULL: nothing */
bool late_any(void);
bool late_writes(void);
/* An access at *by supersedes one at *t. May an access that is still to be declared race with the
 * latter, and not with the former? */
bool late_may_miss(const struct epoch *t, const struct epoch *by);
/* The number of the latest one that has begun. Have all up to this one ended? */
uint32_t late_latest(void);
bool late_is_over(uint32_t number);

/* ---- lineage.c: the origin of bytes ---------------------------------------------------------- */

/* In addition to a bit for each kernel that computed the bytes. */
#define ORIGIN_INPUT (UINT64_C(1) << 63)    /* copied from inputs that the judge named */
#define ORIGIN_HOST (UINT64_C(1) << 62)     /* from other memory of the host */
#define ORIGIN_OLD (UINT64_C(1) << 61)      /* written before this run, or never */
#define ORIGIN_CONSTANT (UINT64_C(1) << 60) /* from constants, in this run or before */

/* The kernels that made bytes, and the origins of what these had read. */
struct origin {
    uint64_t by, from;
    uint64_t through;       /* kernels that took part in all of the bytes read */
    uint64_t serial, bytes; /* the launch that made them, and the number of all bytes that it wrote;
                               0: several launches */
};

uint32_t lineage_run(void); /* the number of the run; 0: no lineage is kept */
uint64_t lineage_kernel(const char *name);
/* All of them; *through: the one whose results they read, or 0. */
uint64_t lineage_kernels(const struct simgpu_makers *by, uint64_t *through);
/* Of bytes that no operation of this run has written: ORIGIN_INPUT, ORIGIN_CONSTANT, or `other`. */
uint64_t lineage_unwritten(uint64_t lo, uint64_t hi, uint64_t other);
void lineage_written(const void *base, size_t width, size_t rows, size_t pitch);
void lineage_begin(void);
void lineage_constant(const void *base, size_t bytes); /* until the next call */
void lineage_input(const void *base, size_t bytes);
/* `compares`: does lineage_changed compare it with the writes of operations? */
void lineage_result(const void *base, size_t bytes, bool compares);
size_t lineage_changed(const void *base, size_t bytes);
/* what operations wrote there; NULL: nobody compares */
const void *lineage_copy(const void *base, size_t bytes);

/* The bytes of a page at a multiple of MASK_BYTES: one bit for each. */
enum { MASK_BYTES = 4096, MASK_WORDS = MASK_BYTES / 64 };
/* How many bytes of [*lo, *hi) both masks have, in each page the same. Narrows it to the first run
 * of these. NULL: all bytes. */
uint64_t masks_meet(const uint64_t *a, const uint64_t *b, uint64_t *lo, uint64_t *hi);

/* One access of an operation to memory. */
struct access {
    uint64_t lo, hi;      /* addresses, hi exclusive */
    const uint64_t *mask; /* of each page of [lo, hi), the bytes that are accessed; NULL: all */
    uint64_t rows, pitch; /* a pitched range: [lo, hi) is its first row; 0 or 1 row: no pitch */
    enum simgpu_access mode;
    const struct epoch *epoch;
    const struct simgpu_site *site; /* copied where kept */
    struct origin origin;           /* of what it writes */
    bool expected; /* it may not happen, or earlier accesses are not declared yet: it is not checked
                      for uninitialized reads */
    bool late;     /* it lies between late_begin and late_end */
    bool of_host;  /* by host code: the last writer remains the last operation that wrote */
    bool alone;    /* of_host: of a host function that has not synchronized with other threads */
    bool signals;  /* it is of an operation that host code signals to through memory: the accesses
                      of both are not compared */
    const struct epoch *also; /* of_host: it also comes after this; or NULL */
};

/* The history of one allocation: for each byte its last write, the reads since, and what else a
 * late access may race with. history_access checks an access against it (race, uninitialized read),
 * reports, and records it. Accesses that are not late are declared in the order in which the host
 * enqueued the operations, and the reads of an operation before its writes. A NULL history checks
 * nothing. */
struct history;
struct history *history_new(const struct simgpu_memory *memory, bool initialised);
void history_free(struct history *h);
void history_access(struct history *h, const struct access *a);
/* The origin of all bytes of the access together. *every: the kernels that took part in each byte.
 * *gap: the first byte that none of `by` made; UINT64_MAX: there is none. */
struct origin history_origin(struct history *h, const struct access *a, uint64_t by,
                             uint64_t *every, uint64_t *gap);
/* The first byte of [lo, hi) that no operation has read in this run; hi: there is none. */
uint64_t history_unread(struct history *h, uint64_t lo, uint64_t hi);
/* Does the same byte of a launch occur several times in [lo, hi)? */
bool history_has_duplicates(struct history *h, uint64_t lo, uint64_t hi);
/* The operation that wrote this byte last, or NULL. */
const struct epoch *history_writer(struct history *h, uint64_t at);
/* The expected access happens now: checks that the bytes it reads are written. */
void history_read_now(struct history *h, const struct access *a);
/* The host reads these bytes, or writes them (`writes`), as volatile or by an atomic operation: it
 * learns of the operations that write them, or access them. `orders_calls`: not only its accesses,
 * but also what it enqueues from now on comes after them. */
void history_signal(struct history *h, uint64_t lo, uint64_t hi, bool writes, bool orders_calls);
/* Narrows [*lo, *hi) to those around `at` of which it remembers nothing; false: it does of `at`. */
bool history_gap(struct history *h, uint64_t at, uint64_t *lo, uint64_t *hi);
/* Are so many accesses remembered for the same byte of [lo, hi) that one more should have no mask?
 * What a mask leaves out supersedes nothing. */
bool history_is_crowded(struct history *h, uint64_t lo, uint64_t hi);
/* Any byte may have been written: from now on no uninitialized read is reported. */
void history_assume_written(struct history *h);
/* Stream-ordered memory begins at operation `site`: an access that is not after it is a race. */
void history_begin(struct history *h, const struct epoch *epoch, const struct simgpu_site *site);
/* It is freed at `site`: an access that is not before it is a use after free, or freed too early if
 * the host frees it (site->stream -1). Late accesses may follow. Memory of a graph may begin anew.
 */
void history_end(struct history *h, const struct epoch *epoch, const struct simgpu_site *site);
/* The operation that freed it; false: none has. */
bool history_ended_by(struct history *h, struct simgpu_site *site);
bool history_ended_before(struct history *h, const struct epoch *epoch);
/* Only late accesses may follow. False: it was never freed at an operation, and is of no use. */
bool history_close(struct history *h);

/* The cost of the checks so far; for tests and the benchmark. */
struct check_counts {
    uint64_t clocks_made; /* vector clocks allocated */
    uint64_t clocks_alive;
    uint64_t clock_bytes_alive;
    uint64_t clock_ids;        /* in use or freed */
    uint64_t segments_visited; /* by walks and searches */
    uint64_t segments_alive;
    uint64_t touches_alive; /* operations in histories */
};
extern struct check_counts check_counts;

/* ---- waits.c: the waits of streams, for findings --------------------------------------------- */

/* The cudaStreamWaitEvent calls of a stream since its last work before them, the newest first.
 * Equal lists have one number; 0: no waits, outside of captures. After many thousand different
 * lists (of a program that creates streams in a loop), new lists are 0. */
enum { LISTED_WAITS = 8 };
struct wait_list {
    uint32_t capture; /* 1 + the call that began their capture; 0: none */
    int stream;       /* in a capture: the number of the stream */
    int n;
    struct simgpu_wait at[LISTED_WAITS];
};

uint16_t waits_in_capture(uint32_t capture, int stream); /* no waits so far */
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
/* Of one stream, node, graph and name? */
bool same_site(const struct simgpu_site *a, const struct simgpu_site *b);

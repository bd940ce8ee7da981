/* host_record.h: the accesses of host code while work is pending, byte by byte. Host code that
 * g++ -fsanitize=thread has compiled reports each load and store (instrument.c). An access below
 * simgpu_host.watched counts; that is 0 unless work is pending that the host has not waited for.
 *
 * A thread records what it does between two moments, while nothing is enqueued and no
 * call waits. When it gets the lock of the device next, stream/host_access.c declares the record to
 * race detection, as that of one operation. */
#ifndef HOST_RECORD_H
#define HOST_RECORD_H

#include "record.h"
#include "time/sim.h"

enum { LATEST_SIGNALS = 4, QUIET_SPANS = 4 };
/* A slot has as many bytes more as an access that begins in its window may need. */
enum {
    HOST_SLOTS = 64,
    HOST_NO_SITE = INT32_MAX,
    HOST_SMALL_WINDOW = 4 * RECORD_PAGE_BYTES,
    HOST_WINDOW = 1 << 20,
    HOST_SLOT_BYTES = HOST_WINDOW + 64,
    HOST_RUNS = 256
};

struct host_page {
    uintptr_t number; /* address / RECORD_PAGE_BYTES */
    struct host_word {
        uint64_t bits[2]; /* read, written: one for each byte */
        uint32_t by[2];   /* the place in the program of the latest such access */
    } words[RECORD_WORDS];
    struct host_place *place; /* while the record is cleared */
};

struct host_place {
    uint64_t key; /* number + 1 */
    struct host_page *page;
};

/* Of one thread. Each load and store of the program is a site with a slot, which others have, too.
 * It marks bytes of the window that it has opened there by itself (common/simcc/inline_checks.awk,
 * which knows where slots and marks are). */
struct host_record {
    struct {
        uint64_t from; /* the window's address + the moment + the site << 32; 0: none */
        uint64_t last; /* its bytes - 1 */
    } slots[HOST_SLOTS];
    uint8_t marks[HOST_SLOTS][HOST_SLOT_BYTES];
    struct host_opened {
        uintptr_t at;      /* of the window */
        size_t room;       /* the largest window that its marks have memory for */
        size_t bytes;      /* of the next window; 0: a page */
        uintptr_t number;  /* of the latest page */
        uint32_t by, site; /* that opened a window */
        bool writes, is_quiet;
        uint8_t run;                 /* where its latest page is, if it is in one */
        uint16_t skips, all_skips;   /* on so many other pages it opens none; so many at first */
        uint64_t bits[RECORD_WORDS]; /* of its latest page */
    } opened[HOST_SLOTS + 1];        /* and what has no slot, which always skips */
    bool has_open;
    struct host_run {
        uintptr_t lo, hi;
        uint64_t mask[RECORD_WORDS];
        uint32_t by;
        bool writes;
    } runs[HOST_RUNS]; /* pages of which one place accessed the same bytes; n_runs of them */
    unsigned n_runs;
    uint64_t moment;
    struct epoch epoch;       /* its place in the order */
    struct simgpu_site site;  /* host code, or the host function that the thread runs */
    uint64_t latest;          /* serial of the latest allocation */
    struct host_page **pages; /* n of them in use, all of them allocated */
    size_t n, cap;
    struct table places; /* host_place */
    struct {
        const void *p;
        size_t bytes;
        bool writes;
    } signals[LATEST_SIGNALS]; /* before its latest moment */
    unsigned n_signals;
    uint64_t signaled; /* the moment of the latest signal */
    struct host_span {
        uintptr_t lo, hi;
    } quiet[QUIET_SPANS]; /* memory that no device accesses, the latest first */
};

/* The device is locked; stream/ registers them. */
struct host_runtime {
    bool (*begins)(
        struct host_record *r); /* sets epoch, site and latest; false: nothing is pending */
    /* The span around `at` that the device does not access; false: it may access `at`. */
    bool (*quiet)(uintptr_t at, struct host_span *span);
    void (*declare)(struct host_record *r); /* and drops its epoch */
    void (*signals)(const void *p, size_t bytes, bool writes);
};
void host_runtime_set(const struct host_runtime *r);

void host_watch(uintptr_t below);
/* A grid runs, or has ended. */
void host_grid(bool runs);

/* Host code accesses these bytes, and returns there. HOST_NO_SITE: it has no slot. */
void host_access(const void *p, size_t bytes, bool writes, const void *returns_to, uint32_t site);
/* The same as volatile, or by an atomic operation. */
__attribute__((cold)) void host_signal(const void *p, size_t bytes, bool writes);
/* The thread has the lock: declares its record. */
void host_record_declare(void);
/* The same, and the thread ends. */
void host_record_end(void);

#endif

/*
 * hazard.h: between history.c, which finds that an order is missing, and hazard.c, which says so.
 */
#ifndef SIMGPU_HAZARD_H
#define SIMGPU_HAZARD_H

#include "race.h"

enum hazard_kind {
    HAZARD_READ_AFTER_WRITE,  /* the later one may read too early */
    HAZARD_WRITE_AFTER_READ,  /* the later one may overwrite too early */
    HAZARD_WRITE_AFTER_WRITE, /* either result may remain */
    HAZARD_USE_AFTER_ALLOC,   /* the memory may not exist yet */
    HAZARD_FREE_AFTER_USE,    /* the memory may be gone already */
    HAZARD_NEVER_WRITTEN      /* nothing to read: no first operation */
};

/* The allocation that a sentence speaks of. */
struct hazard_memory {
    uint64_t lo, hi;  /* addresses, hi exclusive */
    const char *call; /* that made it */
    uint64_t serial;
};

struct hazard {
    enum hazard_kind kind;
    struct simgpu_site first;  /* the one that the host issued first */
    struct simgpu_site second; /* HAZARD_NEVER_WRITTEN has none: first is the reader */
    uint64_t lo, hi;           /* the first run of bytes concerned */
    uint64_t bytes;            /* all bytes concerned */
};

/* Makes it a finding, with a sentence that names the missing edge; counts it if that was said. */
void hazard_report(const struct hazard *z, const struct hazard_memory *m);

#endif

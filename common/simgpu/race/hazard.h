/* hazard.h: between history.c, which finds that an order is missing, and hazard.c, which makes it a
 * finding. */
#pragma once

#include "race.h"

struct hazard {
    enum simgpu_what what;
    struct simgpu_site first;  /* the one that the host issued first */
    struct simgpu_site second; /* SIMGPU_WHAT_READS_UNWRITTEN has none: first is the reader, also
                                  of SIMGPU_WHAT_READS_BEYOND */
    bool by_host;              /* second is host code */
    uint64_t lo, hi;           /* the first run of bytes concerned */
    uint64_t bytes;            /* all bytes concerned */
};

/* Makes it a finding about memory of this allocation; counts it if there is one like it. */
void hazard_report(const struct hazard *z, const struct simgpu_memory *m);

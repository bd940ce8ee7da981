/*
 * nvml.h: what the driver's management library says of a GPU. It is loaded at run time, and its
 * absence is fine.
 */
#ifndef NVML_H
#define NVML_H

#include <stdbool.h>

enum { NVML_PROCESSES = 64 };

struct nvml_reading {
    bool has_utilization;
    unsigned utilization_percent; /* of the last sample period (at most a second) in which a kernel
                                     ran, of any process */
    unsigned sm_clock_mhz;        /* 0: not known */
    bool is_slowed_down;          /* by heat or for lack of power */
    unsigned n_processes;         /* with a context for computing; at most NVML_PROCESSES */
    unsigned processes[NVML_PROCESSES]; /* in a container these may be another one's numbers */
};

/* False: there is no such library, or it does not know the GPU. Once per process. */
bool nvml_open(const char *uuid);

/* The GPU at this moment. All zeros before nvml_open has succeeded. */
struct nvml_reading nvml_read(void);

#endif

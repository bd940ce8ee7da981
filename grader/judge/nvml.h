/*
 * nvml.h: what the driver's management library says of the GPUs of a grading. It is loaded at run
 * time, and its absence is fine.
 */
#ifndef NVML_H
#define NVML_H

#include <stdbool.h>

/* Of several GPUs: the busiest one, the slowest one, all processes. */
struct nvml_reading {
    bool has_utilization;
    unsigned utilization_percent; /* of the last sample period (at most a second) in which a kernel
                                     ran, of any process */
    unsigned sm_clock_mhz;        /* 0: not known */
    bool is_slowed_down;          /* by heat or for lack of power */
    unsigned n_processes;         /* with a context for computing */
};

/* False: there is no such library, or it does not know one of the GPUs (SESSION_GPUS at
   most). Once per process. */
bool nvml_open(const char *const uuids[], int n);

/* The GPUs at this moment. All zeros before nvml_open has succeeded. */
struct nvml_reading nvml_read(void);

#endif

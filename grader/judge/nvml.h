/* nvml.h: the state of the GPUs of a grading, from the driver's management library. It is loaded at
 * run time; the judge works without it. */
#pragma once

#include <stdbool.h>

/* Of several GPUs: the slowest one, all processes. */
struct nvml_reading {
    unsigned sm_clock_mhz; /* 0: not known */
    bool is_slowed_down;   /* by heat or for lack of power */
    unsigned n_processes;  /* with a context for computing */
};

/* How much of the time kernels of any process ran on the busiest GPU. */
struct nvml_utilization {
    bool is_known;
    unsigned percent;
    int periods; /* so many sample periods were read */
};

/* False: there is no such library, or it does not know one of the GPUs (SESSION_GPUS at
   most). Once per process. */
bool nvml_open(const char *const uuids[], int n);

/* The GPUs at this moment. All zeros before nvml_open has succeeded. */
struct nvml_reading nvml_read(void);

/* Utilization is sampled from now on: of the whole sample periods (0.2 s each on an H200) since the
   latest call of nvml_mark. Not known: none has ended yet, or this GPU has no samples. */
void nvml_mark(void);
struct nvml_utilization nvml_sampled(void);

/* Of the last period that the driver averages over, at most a second. */
struct nvml_utilization nvml_averaged(void);

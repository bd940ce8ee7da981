/*
 * nvml.c: NVML by its documented binary interface (NVML API Reference Guide), as no header of it
 * comes with the driver.
 */
#include "nvml.h"

#include <dlfcn.h>
#include <stddef.h>

enum { SUCCESS = 0, CLOCK_SM = 1 };

/* nvmlClocksThrottleReason…: HwSlowdown, SwThermalSlowdown, HwThermalSlowdown, HwPowerBrake */
static const unsigned long long slowed_down = 0x08 | 0x20 | 0x40 | 0x80;

struct process {
    unsigned pid;
    unsigned long long used_bytes;
    unsigned gpu_instance, compute_instance;
};

struct utilization {
    unsigned gpu, memory;
};

static struct {
    void *device; /* NULL: not open */
    int (*utilization)(void *device, struct utilization *rates);
    int (*clock)(void *device, int type, unsigned *mhz);
    int (*throttle)(void *device, unsigned long long *reasons);
    int (*processes)(void *device, unsigned *n, struct process *all);
} nvml;

bool nvml_open(const char *uuid)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    int (*init)(void) = NULL;
    int (*find)(const char *, void **) = NULL;
    if (!library)
        return false;
    *(void **)&init = dlsym(library, "nvmlInit_v2");
    *(void **)&find = dlsym(library, "nvmlDeviceGetHandleByUUID");
    *(void **)&nvml.utilization = dlsym(library, "nvmlDeviceGetUtilizationRates");
    *(void **)&nvml.clock = dlsym(library, "nvmlDeviceGetClockInfo");
    *(void **)&nvml.throttle = dlsym(library, "nvmlDeviceGetCurrentClocksThrottleReasons");
    *(void **)&nvml.processes = dlsym(library, "nvmlDeviceGetComputeRunningProcesses_v3");
    return init && find && init() == SUCCESS && find(uuid, &nvml.device) == SUCCESS;
}

struct nvml_reading nvml_read(void)
{
    struct nvml_reading r = {0};
    struct utilization rates;
    struct process all[NVML_PROCESSES];
    unsigned long long reasons;
    unsigned n = NVML_PROCESSES;
    if (!nvml.device)
        return r;
    if (nvml.utilization && nvml.utilization(nvml.device, &rates) == SUCCESS) {
        r.has_utilization = true;
        r.utilization_percent = rates.gpu;
    }
    if (!nvml.clock || nvml.clock(nvml.device, CLOCK_SM, &r.sm_clock_mhz) != SUCCESS)
        r.sm_clock_mhz = 0;
    if (nvml.throttle && nvml.throttle(nvml.device, &reasons) == SUCCESS)
        r.is_slowed_down = (reasons & slowed_down) != 0;
    if (nvml.processes && nvml.processes(nvml.device, &n, all) == SUCCESS)
        for (; r.n_processes < n; r.n_processes++)
            r.processes[r.n_processes] = all[r.n_processes].pid;
    return r;
}

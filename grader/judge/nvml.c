/*
 * nvml.c: NVML by its documented binary interface (NVML API Reference Guide), as no header of it
 * comes with the driver.
 */
#include "nvml.h"

#include <dlfcn.h>
#include <stddef.h>

#include "session/session.h"

enum { SUCCESS = 0, CLOCK_SM = 1, MOST_PROCESSES = 64 };

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
    void *devices[SESSION_GPUS];
    int n_devices; /* 0: not open */
    int (*utilization)(void *device, struct utilization *rates);
    int (*clock)(void *device, int type, unsigned *mhz);
    int (*throttle)(void *device, unsigned long long *reasons);
    int (*processes)(void *device, unsigned *n, struct process *all);
} nvml;

bool nvml_open(const char *const uuids[], int n)
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
    if (!init || !find || init() != SUCCESS || n > SESSION_GPUS)
        return false;
    for (int i = 0; i < n; i++)
        if (find(uuids[i], &nvml.devices[i]) != SUCCESS)
            return false;
    nvml.n_devices = n;
    return true;
}

static void read_one(void *device, struct nvml_reading *r)
{
    struct utilization rates;
    struct process all[MOST_PROCESSES];
    unsigned long long reasons;
    unsigned mhz, n = MOST_PROCESSES;
    if (nvml.utilization && nvml.utilization(device, &rates) == SUCCESS) {
        r->has_utilization = true;
        if (rates.gpu > r->utilization_percent)
            r->utilization_percent = rates.gpu;
    }
    if (nvml.clock && nvml.clock(device, CLOCK_SM, &mhz) == SUCCESS &&
        (r->sm_clock_mhz == 0 || mhz < r->sm_clock_mhz))
        r->sm_clock_mhz = mhz;
    if (nvml.throttle && nvml.throttle(device, &reasons) == SUCCESS && (reasons & slowed_down))
        r->is_slowed_down = true;
    if (nvml.processes && nvml.processes(device, &n, all) == SUCCESS)
        r->n_processes += n;
}

struct nvml_reading nvml_read(void)
{
    struct nvml_reading r = {0};
    for (int i = 0; i < nvml.n_devices; i++)
        read_one(nvml.devices[i], &r);
    return r;
}

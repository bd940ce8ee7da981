/*
 * nvml.c: NVML by its documented binary interface (NVML API Reference Guide), as no header of it
 * comes with the driver.
 */
#include "nvml.h"

#include <dlfcn.h>
#include <stddef.h>

#include "session/session.h"

enum {
    SUCCESS = 0,
    CLOCK_SM = 1,
    GPU_UTILIZATION_SAMPLES = 1,
    UNSIGNED_INT = 1, /* the type of a sample's value */
    MOST_PROCESSES = 64,
    MOST_SAMPLES = 64
};

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

struct sample {
    unsigned long long end_us; /* of its period */
    union {
        unsigned number;
        unsigned long long widest;
    } value;
};

static struct {
    void *devices[SESSION_GPUS];
    int n_devices; /* 0: not open */
    int (*utilization)(void *device, struct utilization *rates);
    int (*samples)(void *device, int kind, unsigned long long after_us, int *type, unsigned *n,
                   struct sample *all);
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
    *(void **)&nvml.samples = dlsym(library, "nvmlDeviceGetSamples");
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
    struct process all[MOST_PROCESSES];
    unsigned long long reasons;
    unsigned mhz, n = MOST_PROCESSES;
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

/* The first sample after a time has a period that began before it. */
static struct nvml_utilization sampled(void *device, unsigned long long from_us)
{
    struct nvml_utilization u = {.is_known = false};
    struct sample all[MOST_SAMPLES];
    unsigned n = MOST_SAMPLES, sum = 0;
    int type = -1;
    if (!nvml.samples ||
        nvml.samples(device, GPU_UTILIZATION_SAMPLES, from_us, &type, &n, all) != SUCCESS ||
        type != UNSIGNED_INT || n < 2)
        return u;
    for (unsigned i = 1; i < n; i++)
        sum += all[i].value.number;
    return (struct nvml_utilization){
        .is_known = true, .percent = sum / (n - 1), .periods = (int)n - 1};
}

static struct nvml_utilization averaged(void *device, unsigned long long unused)
{
    struct utilization rates;
    (void)unused;
    if (!nvml.utilization || nvml.utilization(device, &rates) != SUCCESS)
        return (struct nvml_utilization){.is_known = false};
    return (struct nvml_utilization){.is_known = true, .percent = rates.gpu, .periods = 1};
}

static struct nvml_utilization of_busiest(struct nvml_utilization (*of)(void *device,
                                                                        unsigned long long from_us),
                                          unsigned long long from_us)
{
    struct nvml_utilization all = {.is_known = nvml.n_devices > 0};
    for (int i = 0; i < nvml.n_devices; i++) {
        const struct nvml_utilization u = of(nvml.devices[i], from_us);
        all.is_known = all.is_known && u.is_known;
        all.periods = i == 0 || u.periods < all.periods ? u.periods : all.periods;
        all.percent = u.percent > all.percent ? u.percent : all.percent;
    }
    return all;
}

struct nvml_utilization nvml_utilization_since(unsigned long long from_us)
{
    return of_busiest(sampled, from_us);
}

struct nvml_utilization nvml_utilization_now(void)
{
    return of_busiest(averaged, 0);
}

/* nvml.c: NVML by its documented binary interface (NVML API Reference Guide), because the driver
 * comes without its header. */
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
    MOST_SAMPLES = 1024 /* a driver keeps about a hundred */
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
    unsigned long long mark_us[SESSION_GPUS]; /* end of the last sample then; 0: there was none */
    int n_devices;                            /* 0: not open */
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

/* Those after a time, by the driver's own clock. Until the next call; *n: how many. */
static const struct sample *samples_after(void *device, unsigned long long after_us, unsigned *n)
{
    static struct sample all[MOST_SAMPLES];
    int type = -1;
    *n = MOST_SAMPLES;
    if (!nvml.samples ||
        nvml.samples(device, GPU_UTILIZATION_SAMPLES, after_us, &type, n, all) != SUCCESS ||
        type != UNSIGNED_INT)
        *n = 0;
    return all;
}

void nvml_mark(void)
{
    for (int i = 0; i < nvml.n_devices; i++) {
        unsigned n;
        const struct sample *all = samples_after(nvml.devices[i], 0, &n);
        nvml.mark_us[i] = n > 0 ? all[n - 1].end_us : 0;
    }
}

/* The first sample after the mark has a period that began before it. */
static struct nvml_utilization sampled(int device)
{
    unsigned n, sum = 0;
    const struct sample *all = samples_after(nvml.devices[device], nvml.mark_us[device], &n);
    for (unsigned i = 1; i < n; i++)
        sum += all[i].value.number;
    if (n < 2)
        return (struct nvml_utilization){.is_known = false};
    return (struct nvml_utilization){
        .is_known = true, .percent = sum / (n - 1), .periods = (int)n - 1};
}

static struct nvml_utilization averaged(int device)
{
    struct utilization rates;
    if (!nvml.utilization || nvml.utilization(nvml.devices[device], &rates) != SUCCESS)
        return (struct nvml_utilization){.is_known = false};
    return (struct nvml_utilization){.is_known = true, .percent = rates.gpu, .periods = 1};
}

static struct nvml_utilization of_busiest(struct nvml_utilization (*of)(int device))
{
    struct nvml_utilization all = {.is_known = nvml.n_devices > 0};
    for (int i = 0; i < nvml.n_devices; i++) {
        const struct nvml_utilization u = of(i);
        all.is_known = all.is_known && u.is_known;
        all.periods = i == 0 || u.periods < all.periods ? u.periods : all.periods;
        all.percent = u.percent > all.percent ? u.percent : all.percent;
    }
    return all;
}

struct nvml_utilization nvml_sampled(void)
{
    return of_busiest(sampled);
}

struct nvml_utilization nvml_averaged(void)
{
    return of_busiest(averaged);
}

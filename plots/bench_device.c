/* bench_device.c: what a CSV says of the machine it comes from. Driver version and clocks are asked
 * of NVML, the library behind nvidia-smi, where there is one. */
#include "bench.h"

#include <dlfcn.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The part of nvml.h that is used here; its version 1 names are kept by every driver. */
enum { NVML_SUCCESS = 0, NVML_CLOCK_SM = 1 };
typedef struct nvml_device *nvml_device;
static struct {
    int (*init)(void);
    int (*driver)(char *version, unsigned room);
    int (*device)(const char *pci_bus_id, nvml_device *);
    int (*clock)(nvml_device, int kind, unsigned *mhz);
    nvml_device self;
} nvml;

static int nvml_begin(void)
{
    static int state; /* 0: not tried yet; 1: there; -1: not there */
    if (state)
        return state > 0;
    state = -1;
    void *library = clock_is_virtual() ? NULL : dlopen("libnvidia-ml.so.1", RTLD_NOW);
    char bus[32];
    if (!library)
        return 0;
    *(void **)&nvml.init = dlsym(library, "nvmlInit_v2");
    *(void **)&nvml.driver = dlsym(library, "nvmlSystemGetDriverVersion");
    *(void **)&nvml.device = dlsym(library, "nvmlDeviceGetHandleByPciBusId_v2");
    *(void **)&nvml.clock = dlsym(library, "nvmlDeviceGetClockInfo");
    if (!nvml.init || !nvml.driver || !nvml.device || !nvml.clock)
        return 0;
    if (cudaDeviceGetPCIBusId(bus, sizeof bus, 0) != cudaSuccess || nvml.init() != NVML_SUCCESS ||
        nvml.device(bus, &nvml.self) != NVML_SUCCESS)
        return 0;
    state = 1;
    return 1;
}

unsigned bench_sm_mhz(void)
{
    unsigned mhz = 0;
    if (!nvml_begin() || nvml.clock(nvml.self, NVML_CLOCK_SM, &mhz) != NVML_SUCCESS)
        return 0;
    return mhz;
}

/* The processor as /proc/cpuinfo calls it. */
static void processor(char *name, size_t room)
{
    char line[256];
    FILE *from = fopen("/proc/cpuinfo", "r");
    snprintf(name, room, "processor");
    while (from && fgets(line, sizeof line, from)) {
        char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !value)
            continue;
        value[strcspn(value, "\n")] = 0;
        snprintf(name, room, "%s", value + 2);
        break;
    }
    if (from)
        fclose(from);
}

void bench_describe(FILE *to)
{
    struct cudaDeviceProp p;
    int cuda = 0, runtime = 0;
    char driver[80] = "not known", host[128], day[32];
    const char *commit = getenv("BENCH_COMMIT");
    time_t now = time(NULL);
    CHECK(cudaGetDeviceProperties(&p, 0));
    CHECK(cudaDriverGetVersion(&cuda));
    CHECK(cudaRuntimeGetVersion(&runtime));
    strftime(day, sizeof day, "%Y-%m-%d", gmtime(&now));
    if (clock_is_virtual())
        snprintf(driver, sizeof driver, "none");
    else if (nvml_begin())
        nvml.driver(driver, sizeof driver);
    processor(host, sizeof host);

    fprintf(to, "# kind: %s\n", clock_is_virtual() ? "simulated" : "measured");
    fprintf(to, "# device: %s\n", p.name);
    fprintf(to, "# driver: %s\n", driver);
    fprintf(to, "# cuda: %d.%d, runtime %d.%d\n", cuda / 1000, cuda % 1000 / 10, runtime / 1000,
            runtime % 1000 / 10);
    fprintf(to, "# date: %s\n", day);
    fprintf(to, "# commit: %s\n", commit && *commit ? commit : "not known");
    if (!clock_is_virtual())
        fprintf(to, "# host: %ld x %s\n", sysconf(_SC_NPROCESSORS_ONLN), host);
}

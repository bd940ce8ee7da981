/* grade_device.c: asks the device for its name, in a process of its own: a driver's threads and a
 * device that does not answer stay out of ./grade. It also wakes a GPU's driver up, which a jailed
 * subject could not (jail.h), and then stays until ./grade ends: on an H200 a process beside
 * another one that uses the driver had its context after 165 ms, and 267 ms alone. */
#include <ctype.h>
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grade.h"

enum { UUID_BYTES = 16, NAME_BYTES = 160, PROPERTIES_BYTES = 64 * 1024, WAIT_MS = 30000 };

/* What the device answered: an answer of fixed size, so that one read gets all of it. */
struct answer {
    bool answered;
    char name[NAME_BYTES]; /* or why it cannot be used */
    int n_gpus, capability, cuda;
    double bus_gbps;
    bool lacks_peers;
    char gpu_uuids[SESSION_GPUS][sizeof((struct grade *)0)->gpu_uuids[0]];
};

/* GPU-00112233-4455-6677-8899-aabbccddeeff, as NVML writes it. */
static void write_uuid(const unsigned char uuid[UUID_BYTES], char *to)
{
    to += sprintf(to, "GPU");
    for (int i = 0; i < UUID_BYTES; i++)
        to += sprintf(to, i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x",
                      uuid[i]);
}

/* The driver's own library: there where a GPU is, without any toolkit. */
struct driver {
    int (*init)(unsigned);
    int (*version)(int *);
    int (*count)(int *);
    int (*device_name)(char *, int, int);
    int (*uuid)(unsigned char *, int);
    int (*attribute)(int *, int, int);
    int (*peer)(int *, int, int);
    int (*bus_id)(char *, int, int);
};

/* CU_DEVICE_ATTRIBUTE_…, and cudaDevAttr… */
enum { COMPUTE_MODE = 20, MAJOR = 75, MINOR = 76 };
enum { COMPUTE_DEFAULT, COMPUTE_PROHIBITED = 2, COMPUTE_EXCLUSIVE = 3 };
enum { OLDEST_CAPABILITY = 75 };

static bool open_driver(struct driver *d)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library)
        return false;
    *(void **)&d->init = dlsym(library, "cuInit");
    *(void **)&d->version = dlsym(library, "cuDriverGetVersion");
    *(void **)&d->count = dlsym(library, "cuDeviceGetCount");
    *(void **)&d->device_name = dlsym(library, "cuDeviceGetName");
    *(void **)&d->uuid = dlsym(library, "cuDeviceGetUuid");
    *(void **)&d->attribute = dlsym(library, "cuDeviceGetAttribute");
    *(void **)&d->peer = dlsym(library, "cuDeviceCanAccessPeer");
    *(void **)&d->bus_id = dlsym(library, "cuDeviceGetPCIBusId");
    return true;
}

/* Of the first GPU, which grades the labs for one; 0: not known. */
static int capability_of(int (*attribute)(int *, int, int))
{
    int major = 0, minor = 0;
    if (!attribute || attribute(&major, MAJOR, 0) != 0 || attribute(&minor, MINOR, 0) != 0)
        return 0;
    return 10 * major + minor;
}

/* The version of the toolkit that the programs for a GPU were built with; 0: not known. */
static int built_with(const struct grade *g)
{
    char path[SESSION_PATH];
    int version = 0;
    grade_join(path, g->build, "gpu", "cuda_version", NULL);
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "%d", &version) != 1)
        version = 0;
    if (f)
        fclose(f);
    return version;
}

/* Any driver runs programs of its own and of older major versions. */
static bool is_served(struct answer *a, int driver, int built)
{
    a->cuda = built && built < driver ? built : driver;
    if (driver / 1000 >= built / 1000)
        return true;
    snprintf(a->name, sizeof a->name, "its driver runs CUDA %d.%d and older, this is CUDA %d.%d",
             driver / 1000, driver % 1000 / 10, built / 1000, built % 1000 / 10);
    return false;
}

/* Why cuInit failed; the numbers are those of CUresult. */
static const char *why_no_start(struct answer *a, int error)
{
    static const struct {
        int error;
        const char *why;
    } known[] = {
        {100, "the driver sees no GPU: a container needs the GPUs of its host (docker run --gpus "
              "all); a GPU in MIG mode needs an instance"},
        {802, "the driver is not ready: on a machine with NVSwitch, nvidia-fabricmanager must run"},
        {803, "libcuda.so.1 and the driver in the kernel have different versions: restart the "
              "machine after the update"},
        {804, "cuda-compat does not serve this GPU: remove its folder from LD_LIBRARY_PATH"},
    };
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    if (error == 100 && visible) {
        snprintf(a->name, sizeof a->name, "CUDA_VISIBLE_DEVICES=%s selects no GPU of this machine",
                 visible);
        return a->name;
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].error == error)
            return known[i].why;
    snprintf(a->name, sizeof a->name, "the driver does not start: cuInit returned %d", error);
    return a->name;
}

/* Grading takes two processes at once: the submission's and the reference's. With MPS they share
 * one. */
static bool is_shared(void)
{
    const char *pipes = getenv("CUDA_MPS_PIPE_DIRECTORY");
    char control[SESSION_PATH];
    grade_join(control, pipes ? pipes : "/tmp/nvidia-mps", "control", NULL, NULL);
    return access(control, F_OK) == 0;
}

/* Of several GPUs, can none access the memory of another one? */
static bool lacks_peers(const struct driver *d, int n_gpus)
{
    int can = 0;
    for (int i = 0; i < n_gpus; i++)
        for (int k = 0; k < n_gpus; k++)
            if (k != i && (!d->peer || d->peer(&can, i, k) != 0 || can))
                return false;
    return n_gpus > 1;
}

/* The number at the beginning of a file of the GPU in the kernel's list of devices; else 0. */
static double read_number(const char *bus_id, const char *name)
{
    char path[128];
    double number = 0;
    snprintf(path, sizeof path, "/sys/bus/pci/devices/%.32s/%s", bus_id, name);
    FILE *from = fopen(path, "r");
    if (from && fscanf(from, "%lf", &number) != 1)
        number = 0;
    if (from)
        fclose(from);
    return number;
}

/* Four fifths of the nominal rate, as in the profiles of the simulated device. */
static double bus_gbps(const struct driver *d)
{
    char bus_id[32] = "";
    if (!d->bus_id || d->bus_id(bus_id, sizeof bus_id, 0) != 0)
        return 0;
    for (char *c = bus_id; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return 0.8 / 8 * read_number(bus_id, "max_link_speed") * read_number(bus_id, "max_link_width");
}

static const char *ask_first_gpu(struct answer *a, const struct driver *d)
{
    int mode = COMPUTE_DEFAULT;
    if (d->attribute && d->attribute(&mode, COMPUTE_MODE, 0) == 0) {
        if (mode == COMPUTE_PROHIBITED)
            return "its compute mode is PROHIBITED: an administrator can set nvidia-smi -c DEFAULT";
        if (mode == COMPUTE_EXCLUSIVE && !is_shared())
            return "its compute mode is EXCLUSIVE_PROCESS, and a grading needs two processes: an "
                   "administrator can set nvidia-smi -c DEFAULT, or start MPS";
    }
    a->bus_gbps = bus_gbps(d);
    a->capability = capability_of(d->attribute);
    if (a->capability > 0 && a->capability < OLDEST_CAPABILITY) {
        snprintf(a->name, sizeof a->name, "it has compute capability %d.%d, and the labs need 7.5",
                 a->capability / 10, a->capability % 10);
        return a->name;
    }
    return d->device_name(a->name, NAME_BYTES, 0) == 0 ? NULL : "the GPU does not say its name";
}

static const char *ask_gpu(struct answer *a, int built)
{
    struct driver d = {0};
    unsigned char bytes[UUID_BYTES];
    int version = 0;
    if (!open_driver(&d))
        return "there is no NVIDIA driver: libcuda.so.1 is not found";
    if (!d.init || !d.count || !d.device_name)
        return "libcuda.so.1 is not NVIDIA's driver";
    if (d.version && d.version(&version) == 0 && !is_served(a, version, built))
        return a->name;
    const int error = d.init(0);
    if (error != 0)
        return why_no_start(a, error);
    if (d.count(&a->n_gpus) != 0 || a->n_gpus == 0)
        return why_no_start(a, 100);
    for (int i = 0; i < a->n_gpus && i < SESSION_GPUS; i++)
        if (d.uuid && d.uuid(bytes, i) == 0)
            write_uuid(bytes, a->gpu_uuids[i]);
    a->lacks_peers = lacks_peers(&d, a->n_gpus);
    return ask_first_gpu(a, &d);
}

/* The name is the first field of cudaDeviceProp, in every version of it. */
static const char *ask_simulated(const char *library, struct answer *a)
{
    void *runtime = dlopen(library, RTLD_NOW);
    int (*properties)(void *, int) = NULL;
    int (*attribute)(int *, int, int) = NULL;
    if (runtime) {
        *(void **)&properties = dlsym(runtime, "cudaGetDeviceProperties");
        *(void **)&attribute = dlsym(runtime, "cudaDeviceGetAttribute");
    }
    char *answer = calloc(1, PROPERTIES_BYTES);
    if (!properties || !answer || properties(answer, 0) != 0)
        return "the simulated device does not say its name";
    snprintf(a->name, NAME_BYTES, "%.*s", NAME_BYTES - 1, answer);
    a->capability = capability_of(attribute);
    return NULL;
}

/* In the child. */
static _Noreturn void answer(const struct grade *g, int to)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct answer a = {0};
    char library[SESSION_PATH + 32];
    snprintf(library, sizeof library, "%s/sim/lib/libcudart.so", g->build);
    const char *why =
        g->device == DEVICE_GPU ? ask_gpu(&a, built_with(g)) : ask_simulated(library, &a);
    a.answered = !why;
    if (why && why != a.name)
        snprintf(a.name, sizeof a.name, "%s", why);
    if (write(to, &a, sizeof a) == (ssize_t)sizeof a && a.answered && g->device == DEVICE_GPU)
        pause();
    _exit(0);
}

static void stop(pid_t pid)
{
    if (pid > 0) {
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
    }
}

static struct answer ask(const struct grade *g)
{
    static pid_t awake; /* the process that stays; 0: none */
    struct answer a = {.name = "it took longer than 30 s to answer"}, got;
    int pipe_fd[2];
    if (pipe(pipe_fd) != 0)
        return a;
    if (g->device == DEVICE_GPU)
        stop(awake);
    pid_t pid = fork();
    if (pid == 0)
        answer(g, pipe_fd[1]);
    close(pipe_fd[1]);
    struct pollfd p = {.fd = pipe_fd[0], .events = POLLIN};
    if (pid > 0 && poll(&p, 1, WAIT_MS) == 1 &&
        read(pipe_fd[0], &got, sizeof got) == (ssize_t)sizeof got)
        a = got;
    close(pipe_fd[0]);
    if (!a.answered || g->device != DEVICE_GPU) {
        stop(pid);
        pid = 0;
    }
    if (g->device == DEVICE_GPU)
        awake = pid;
    return a;
}

bool grade_device_name(struct grade *g, char *why, size_t why_bytes)
{
    const struct answer a = ask(g);
    g->capability = a.capability;
    g->cuda = a.cuda;
    g->lacks_peers = a.lacks_peers;
    g->bus_gbps = a.bus_gbps;
    if (g->device == DEVICE_GPU) {
        snprintf(why, why_bytes, "%s", a.name);
        snprintf(g->device_name, sizeof g->device_name, "%s", a.answered ? a.name : "");
        g->n_gpus = a.n_gpus;
        memcpy(g->gpu_uuids, a.gpu_uuids, sizeof g->gpu_uuids);
        return a.answered;
    }
    /* the simulated device says that it is one; where it is not built, subjects do without */
    const char *name = a.answered ? a.name : "simulated device";
    bool says_so = strncasecmp(name, "simulated", 9) == 0;
    snprintf(g->device_name, sizeof g->device_name, "%s%s, virtual time",
             says_so ? "" : "simulated ", name);
    return true;
}

/*
 * grade_device.c: asks the device for its name, in a process of its own: a driver's threads and a
 * device that does not answer stay out of ./grade. It also wakes a GPU's driver up, which a jailed
 * subject could not (jail.h), and then stays until ./grade ends: on an H200 a process beside
 * another one that uses the driver had its context after 165 ms, and 267 ms alone.
 */
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grade.h"

enum { UUID_BYTES = 16, NAME_BYTES = 128, PROPERTIES_BYTES = 64 * 1024, WAIT_MS = 30000 };

/* What the device answered: an answer of fixed size, so that one read gets all of it. */
struct answer {
    bool answered;
    char name[NAME_BYTES]; /* or why it cannot be used */
    int n_gpus, capability, cuda;
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
};

/* CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR, and cudaDevAttrComputeCapability… */
enum { MAJOR = 75, MINOR = 76 };

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
    return true;
}

/* The least of all GPUs; 0: not known. */
static int capability_of(int (*attribute)(int *, int, int), int n)
{
    int least = 0;
    for (int i = 0; attribute && i < n; i++) {
        int major = 0, minor = 0;
        if (attribute(&major, MAJOR, i) != 0 || attribute(&minor, MINOR, i) != 0)
            return 0;
        if (least == 0 || 10 * major + minor < least)
            least = 10 * major + minor;
    }
    return least;
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

static const char *ask_gpu(struct answer *a, int built)
{
    struct driver d = {0};
    unsigned char bytes[UUID_BYTES];
    int version = 0;
    if (!open_driver(&d))
        return "there is no libcuda.so.1: no NVIDIA driver";
    if (!d.init || !d.count || !d.device_name)
        return "libcuda.so.1 is not NVIDIA's driver";
    if (d.version && d.version(&version) == 0 && !is_served(a, version, built))
        return a->name;
    if (d.init(0) != 0)
        return "the driver does not start: cuInit failed";
    if (d.count(&a->n_gpus) != 0 || a->n_gpus == 0)
        return "the driver sees no GPU";
    a->capability = capability_of(d.attribute, a->n_gpus);
    for (int i = 0; i < a->n_gpus && i < SESSION_GPUS; i++)
        if (d.uuid && d.uuid(bytes, i) == 0)
            write_uuid(bytes, a->gpu_uuids[i]);
    return d.device_name(a->name, NAME_BYTES, 0) == 0 ? NULL : "the GPU does not say its name";
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
    a->capability = capability_of(attribute, 1);
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
    awake = pid;
    return a;
}

bool grade_device_name(struct grade *g, char *why, size_t why_bytes)
{
    const struct answer a = ask(g);
    g->capability = a.capability;
    g->cuda = a.cuda;
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

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
    char name[NAME_BYTES]; /* or why there is none */
    int n_gpus;
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
static const char *ask_gpu(struct answer *a)
{
    unsigned char bytes[UUID_BYTES];
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (!driver)
        return "there is no libcuda.so.1: no NVIDIA driver";
    int (*init)(unsigned);
    int (*count)(int *);
    int (*device_name)(char *, int, int);
    int (*uuid)(unsigned char *, int);
    *(void **)&init = dlsym(driver, "cuInit");
    *(void **)&count = dlsym(driver, "cuDeviceGetCount");
    *(void **)&device_name = dlsym(driver, "cuDeviceGetName");
    *(void **)&uuid = dlsym(driver, "cuDeviceGetUuid");
    if (!init || !count || !device_name)
        return "libcuda.so.1 is not NVIDIA's driver";
    if (init(0) != 0)
        return "the driver does not start: cuInit failed";
    if (count(&a->n_gpus) != 0 || a->n_gpus == 0)
        return "the driver sees no GPU";
    for (int i = 0; i < a->n_gpus && i < SESSION_GPUS; i++)
        if (uuid && uuid(bytes, i) == 0)
            write_uuid(bytes, a->gpu_uuids[i]);
    return device_name(a->name, NAME_BYTES, 0) == 0 ? NULL : "the GPU does not say its name";
}

/* The name is the first field of cudaDeviceProp, in every version of it. */
static const char *ask_simulated(const char *library, char name[NAME_BYTES])
{
    void *runtime = dlopen(library, RTLD_NOW);
    int (*properties)(void *, int) = NULL;
    if (runtime)
        *(void **)&properties = dlsym(runtime, "cudaGetDeviceProperties");
    char *answer = calloc(1, PROPERTIES_BYTES);
    if (!properties || !answer || properties(answer, 0) != 0)
        return "the simulated device does not say its name";
    snprintf(name, NAME_BYTES, "%.*s", NAME_BYTES - 1, answer);
    return NULL;
}

/* In the child. */
static _Noreturn void answer(const struct grade *g, int to)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct answer a = {0};
    char library[SESSION_PATH + 32];
    snprintf(library, sizeof library, "%s/sim/lib/libcudart.so", g->build);
    const char *why = g->device == DEVICE_GPU ? ask_gpu(&a) : ask_simulated(library, a.name);
    a.answered = !why;
    if (why)
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

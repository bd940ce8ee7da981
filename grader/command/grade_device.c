/*
 * grade_device.c: asks the device for its name, in a process of its own: a driver's threads and a
 * device that does not answer stay out of ./grade. It also wakes a GPU's driver up, which a jailed
 * subject could not (jail.h).
 */
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grade.h"

enum { NAME_BYTES = 128, PROPERTIES_BYTES = 64 * 1024, WAIT_MS = 30000 };

/* The driver's own library: there where a GPU is, without any toolkit. */
static const char *ask_gpu(char name[NAME_BYTES])
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (!driver)
        return "there is no libcuda.so.1: no NVIDIA driver";
    int (*init)(unsigned);
    int (*count)(int *);
    int (*device_name)(char *, int, int);
    *(void **)&init = dlsym(driver, "cuInit");
    *(void **)&count = dlsym(driver, "cuDeviceGetCount");
    *(void **)&device_name = dlsym(driver, "cuDeviceGetName");
    int n = 0;
    if (!init || !count || !device_name)
        return "libcuda.so.1 is not NVIDIA's driver";
    if (init(0) != 0)
        return "the driver does not start: cuInit failed";
    if (count(&n) != 0 || n == 0)
        return "the driver sees no GPU";
    return device_name(name, NAME_BYTES, 0) == 0 ? NULL : "the GPU does not say its name";
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

/* In the child: the first byte says whether a name follows or a reason. */
static _Noreturn void answer(const struct grade *g, int to)
{
    char name[NAME_BYTES] = "", library[SESSION_PATH + 32], out[NAME_BYTES + 1];
    snprintf(library, sizeof library, "%s/sim/lib/libcudart.so", g->build);
    const char *why = g->device == DEVICE_GPU ? ask_gpu(name) : ask_simulated(library, name);
    int n = snprintf(out, sizeof out, "%c%s", why ? '-' : '+', why ? why : name);
    _exit(write(to, out, (size_t)n) == n ? 0 : 1);
}

static bool ask(const struct grade *g, char *text, size_t text_bytes)
{
    int pipe_fd[2];
    if (pipe(pipe_fd) != 0)
        return false;
    pid_t pid = fork();
    if (pid == 0)
        answer(g, pipe_fd[1]);
    close(pipe_fd[1]);
    struct pollfd p = {.fd = pipe_fd[0], .events = POLLIN};
    ssize_t n = 0;
    if (pid > 0 && poll(&p, 1, WAIT_MS) == 1)
        n = read(pipe_fd[0], text, text_bytes - 1);
    close(pipe_fd[0]);
    if (pid > 0) {
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
    }
    text[n > 0 ? n : 0] = 0;
    return n > 0 && text[0] == '+';
}

bool grade_device_name(struct grade *g, char *why, size_t why_bytes)
{
    char text[NAME_BYTES + 2];
    bool answered = ask(g, text, sizeof text);
    if (g->device == DEVICE_GPU) {
        snprintf(why, why_bytes, "%s", text[0] ? text + 1 : "it took longer than 30 s to answer");
        snprintf(g->device_name, sizeof g->device_name, "%s", answered ? text + 1 : "");
        return answered;
    }
    /* the simulated device says that it is one; where it is not built, subjects do without */
    const char *name = answered ? text + 1 : "simulated device";
    bool says_so = strncasecmp(name, "simulated", 9) == 0;
    snprintf(g->device_name, sizeof g->device_name, "%s%s, virtual time",
             says_so ? "" : "simulated ", name);
    return true;
}

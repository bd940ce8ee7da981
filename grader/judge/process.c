/* process.c: the process of a subject, from its start to its end. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail/jail.h"
#include "inside.h"

enum { MOST_VARIABLES = 64, MOST_VARIABLE = 4096 };

/* The only variables of ours that a subject gets: a name, or a beginning with '*'. */
static const char *const passed_on[] = {"PATH",           "LD_LIBRARY_PATH", "CUDA_*", "NVIDIA_*",
                                        "SIMGPU_PROFILE", "SIMGPU_PROTECT",  "LANG"};

static bool is_passed_on(const char *variable)
{
    size_t length = strcspn(variable, "=");
    for (size_t i = 0; i < sizeof passed_on / sizeof passed_on[0]; i++) {
        size_t n = strlen(passed_on[i]);
        bool any_end = passed_on[i][n - 1] == '*';
        if (any_end ? strncmp(variable, passed_on[i], n - 1) == 0
                    : n == length && strncmp(variable, passed_on[i], n) == 0)
            return true;
    }
    return false;
}

int judge_simulated_devices(int usual)
{
    const char *asked = getenv("SIMGPU_DEVICES");
    return asked ? atoi(asked) : usual > 0 ? usual : 1;
}

static void build_environment(const struct judged *j, char *env[MOST_VARIABLES], char *home,
                              size_t home_bytes)
{
    static char devices[32];
    int n = 0;
    snprintf(devices, sizeof devices, "SIMGPU_DEVICES=%d",
             judge_simulated_devices(j->devices ? j->devices : judge_session->devices));
    env[n++] = devices;
    for (char **v = environ; *v && n < MOST_VARIABLES - 8; v++)
        if (is_passed_on(*v))
            env[n++] = *v;
    snprintf(home, home_bytes, "HOME=%s", judge_session->directory);
    env[n++] = home;
    env[n++] = "CUDA_CACHE_DISABLE=1"; /* it could not write there */
    env[n++] = "SIMGPU_SEALED=1";      /* a submission neither reads nor changes these */
    env[n++] = "SIMGPU_REPORT=0";      /* findings are requested, not read from its output */
    /* always of one length: what is wiped leaves its length in /proc/self/environ */
    env[n++] = j->model_only ? "SIMGPU_COMPUTE=0" : "SIMGPU_COMPUTE=1";
    env[n++] = j->peers == 2 ? "SIMGPU_PEERS=02" : "SIMGPU_PEERS=16";
    if (j->is_early)
        env[n++] = judge_session->devices > 1 ? WIRE_EARLY "=all" : WIRE_EARLY "=1";
    env[n] = NULL;
}

enum { MOST_READABLE = 32 };

/* Where a subject's libraries are: lib/ and deps/ in the folders around it, and where the judge's
 * own environment says; and the profile of the simulated device. `text` holds the paths. */
static void list_readable(const char *program, char text[static 4 * SESSION_PATH],
                          const char *readable[MOST_READABLE])
{
    static const char *const folders[] = {"lib", "deps"};
    char around[SESSION_PATH], *end = text + 4 * SESSION_PATH;
    const char *libraries = getenv("LD_LIBRARY_PATH"), *profile = getenv("SIMGPU_PROFILE");
    int n = 0;
    snprintf(around, sizeof around, "%s", program);
    for (char *slash; n < 8 && (slash = strrchr(around, '/')) != NULL && slash > around;) {
        *slash = 0;
        for (int i = 0; i < 2; i++) {
            size_t room = (size_t)(end - text);
            int used = snprintf(text, room, "%s/%s", around, folders[i]);
            if (used < 0 || (size_t)used >= room)
                break;
            readable[n++] = text;
            text += used + 1;
        }
    }
    if (profile)
        readable[n++] = profile;
    if (libraries && (size_t)(end - text) > strlen(libraries)) {
        strcpy(text, libraries);
        for (char *next, *p = strtok_r(text, ":", &next); p && n < MOST_READABLE - 1;
             p = strtok_r(NULL, ":", &next))
            readable[n++] = p;
    }
    readable[n] = NULL;
}

void judge_process_start(struct judged *j, bool outlives_test)
{
    const char *program =
        j->who == JUDGE_SUBMISSION ? judge_session->subject : judge_session->reference;
    int channel[2], output[2];
    char *env[MOST_VARIABLES], home[MOST_VARIABLE + 8], why[512];
    build_environment(j, env, home, sizeof home);
    j->was_probed = j->came_probed = false;
    j->found_in[0] = '\0';
    if (judge_is_debugged(j)) {
        judge_debug_connect(j, env);
        return;
    }
    judge_use_all_cpus(0);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel) != 0 ||
        pipe2(output, O_CLOEXEC) != 0)
        judge_internal_error("no channel to a subject: %s", strerror(errno));
    j->channel = channel[0];
    j->output = output[0];
    fcntl(j->output, F_SETFL, O_NONBLOCK);

    const char *readable[MOST_READABLE];
    static char paths[4 * SESSION_PATH];
    list_readable(program, paths, readable);
    struct jail jail = {.program = program,
                        .directory = judge_session->directory,
                        .channel_fd = channel[1],
                        .output_fd = output[1],
                        .file_bytes = 1 << 20,
                        .readable = readable,
                        .memory_bytes = judge_session->memory_bytes,
                        .gpu = judge_session->device == DEVICE_GPU,
                        .outlives = outlives_test,
                        .env = env};
    pid_t pid = jail_start(&jail, why, sizeof why);
    close(channel[1]);
    close(output[1]);
    if (pid < 0)
        judge_internal_error("%s", why);
    j->pid = pid;
}

void judge_process_forget(struct judged *j)
{
    j->pid = 0;
    j->channel = j->output = j->pidfd = -1;
    j->blob = NULL;
    j->was_probed = j->came_probed = j->up = false;
}

void judge_process_close(struct judged *j)
{
    if (j->channel >= 0)
        close(j->channel);
    if (j->output >= 0)
        close(j->output);
    if (j->pidfd >= 0)
        close(j->pidfd);
    if (j->blob)
        munmap(j->blob, JUDGE_BLOB_BYTES);
    j->channel = j->output = j->pidfd = -1;
    j->blob = NULL;
}

/* How a process from the pool ended is not known. */
static bool has_ended(struct judged *j, int *wait_status, bool wait)
{
    *wait_status = 0;
    if (j->pid == 0) /* it is in a debugger */
        return true;
    if (j->pidfd >= 0)
        return poll(&(struct pollfd){.fd = j->pidfd, .events = POLLIN}, 1, wait ? -1 : 0) > 0;
    pid_t ended;
    while ((ended = waitpid(j->pid, wait_status, wait ? 0 : WNOHANG)) < 0 && errno == EINTR)
        ;
    return ended != 0;
}

bool judge_process_has_ended(struct judged *j)
{
    int wait_status;
    return has_ended(j, &wait_status, false);
}

bool judge_process_end(struct judged *j, double wait_s, int *wait_status)
{
    int64_t until = session_now_ns() + (int64_t)(wait_s * 1e9);
    bool ended;
    while (!(ended = has_ended(j, wait_status, false)) && session_now_ns() < until) {
        judge_drain(j);
        usleep(1000);
    }
    if (!ended) {
        if (j->pidfd >= 0)
            syscall(SYS_pidfd_send_signal, j->pidfd, SIGKILL, NULL, 0);
        else
            kill(j->pid, SIGKILL);
        has_ended(j, wait_status, true);
    }
    judge_drain(j);
    j->pid = 0;
    return ended;
}

void judge_process_kill(struct judged *j)
{
    int wait_status;
    if (j->pid > 0)
        judge_process_end(j, 0, &wait_status);
    judge_process_close(j);
}

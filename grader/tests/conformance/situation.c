/* situation.c: asks each situation in a process of its own. */
#include "situation.h"

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
/* An allocation of 1 PiB is to fail, not to end the process. */
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}
#endif

bool situation_crashes_on_gpu(const struct situation *s)
{
    return s->text[1] && strcmp(s->text[1], CRASHES_ON_GPU) == 0;
}

void situation_expected(const struct situation *s, char text[ANSWER_BYTES])
{
    size_t n = 0;
    text[0] = '\0';
    for (const char *const *a = s->text + 1 + situation_crashes_on_gpu(s); *a && n < ANSWER_BYTES;
         a++)
        n += (size_t)snprintf(text + n, ANSWER_BYTES - n, "%s%s", n ? "\n" : "", *a);
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* A question that is being asked. */
struct question {
    pid_t child;
    int answers; /* the pipe that the answer comes from */
    int64_t until_ms;
};

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void ask_in_child(const struct situation *s, int fd)
{
    char devices[16];
    int n = 0;
    sprintf(devices, "%d", s->n_devices);
    setenv("SIMGPU_DEVICES", devices, 1);
    setenv("SIMGPU_REPORT", "0", 1);
    if (s->n_devices > 1 && (cudaGetDeviceCount(&n) != cudaSuccess || n < s->n_devices)) {
        ssize_t written = write(fd, NOT_ASKED, strlen(NOT_ASKED));
        _exit(written < 0);
    }
    answer_begin(fd);
    s->ask();
    answer_end_process();
}

static void begin(struct question *q, const struct situation *s)
{
    enum { LIMIT_MS = 20000 };
    int fds[2];
    *q = (struct question){.child = -1, .until_ms = now_ms() + LIMIT_MS};
    if (pipe(fds) != 0)
        return;
    fflush(NULL);
    q->child = fork();
    if (q->child == 0) {
        close(fds[0]);
        ask_in_child(s, fds[1]);
    }
    close(fds[1]);
    q->answers = fds[0];
}

/* The answer, or how the process ended without one. */
static void finish(struct question *q, char text[ANSWER_BYTES])
{
    size_t n = 0;
    int status = 0;
    bool late = false;
    strcpy(text, "no process");
    if (q->child < 0)
        return;
    while (n < ANSWER_BYTES - 1) {
        struct pollfd p = {.fd = q->answers, .events = POLLIN};
        int64_t left = q->until_ms - now_ms();
        late = left <= 0 || poll(&p, 1, (int)left) <= 0;
        ssize_t got = late ? 0 : read(q->answers, text + n, ANSWER_BYTES - 1 - n);
        if (got <= 0)
            break;
        n += (size_t)got;
    }
    text[n] = '\0';
    if (late)
        kill(q->child, SIGKILL);
    waitpid(q->child, &status, 0);
    close(q->answers);
    if (late)
        strcpy(text, "never returns");
    else if (WIFSIGNALED(status))
        strcpy(text, "crashes");
    else if (WEXITSTATUS(status) != 0)
        strcpy(text, "ends the program");
}

void situations_ask(struct answered *list, int n, int at_once)
{
    struct question *q = calloc((size_t)n, sizeof *q);
    int begun = 0;
    answer_places_watch();
    for (int done = 0; q && done < n; done++) {
        for (; begun < n && begun < done + at_once; begun++)
            begin(&q[begun], list[begun].situation);
        finish(&q[done], list[done].text);
    }
    free(q);
}

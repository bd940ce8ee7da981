/*
 * situations.c: registers situations, asks one in a process of its own, and reads the table of
 * answers.
 */
#include "situations.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
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

struct situation *situations;
static struct situation **last = &situations;

/* The answer so far, and where it goes; in the asking process only. */
static char said[ANSWER_BYTES];
static int said_to = -1;

void situation_add(struct situation *s)
{
    *last = s;
    last = &s->next;
}

/* ---- the asking process ---------------------------------------------------------------------- */

static void say_and_leave(void)
{
    if (write(said_to, said, strlen(said)) < 0)
        _exit(1);
    _exit(0);
}

void answer_text(const char *format, ...)
{
    size_t n = strlen(said);
    if (n > 0 && n + 2 < sizeof said)
        n += (size_t)sprintf(said + n, ", ");
    va_list args;
    va_start(args, format);
    vsnprintf(said + n, sizeof said - n, format, args);
    va_end(args);
}

const char *error_text(cudaError_t e)
{
    const char *name = cudaGetErrorName(e);
    if (strncmp(name, "cudaError", 9) == 0)
        return name + 9;
    return strncmp(name, "cuda", 4) == 0 ? name + 4 : name;
}

void answer(cudaError_t e)
{
    answer_text("%s", error_text(e));
}

void must(cudaError_t e, const char *call)
{
    if (e == cudaSuccess)
        return;
    answer_text("could not be asked: %s gave %s", call, error_text(e));
    say_and_leave();
}

static void ask_in_child(const struct situation *s, int fd)
{
    said_to = fd;
    setenv("SIMGPU_REPORT", "0", 1);
    s->ask();
    say_and_leave();
}

/* A question that is on its way. */
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
    strcpy(text, "could not be asked: no process");
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
    for (int done = 0; q && done < n; done++) {
        for (; begun < n && begun < done + at_once; begun++)
            begin(&q[begun], list[begun].situation);
        finish(&q[done], list[done].text);
    }
    free(q);
}

/* ---- the table ------------------------------------------------------------------------------- */

bool situation_expected(const char *table, const char *words, char text[ANSWER_BYTES])
{
    FILE *f = fopen(table, "r");
    char line[2 * ANSWER_BYTES];
    bool found = false;
    if (!f)
        return false;
    while (!found && fgets(line, sizeof line, f)) {
        char *tab = strchr(line, '\t');
        if (line[0] == '#' || !tab)
            continue;
        *tab = '\0';
        if (strcmp(line, words) != 0)
            continue;
        snprintf(text, ANSWER_BYTES, "%.*s", (int)strcspn(tab + 1, "\n"), tab + 1);
        found = true;
    }
    fclose(f);
    return found;
}

bool situation_fits(const char *got, const char *want)
{
    static const char *const no_answers[] = {"crashes", "ends the program", "never returns",
                                             "Success"};
    if (strcmp(want, "crashes") != 0)
        return strcmp(got, want) == 0;
    for (size_t i = 0; i < sizeof no_answers / sizeof *no_answers; i++)
        if (strcmp(got, no_answers[i]) == 0)
            return false;
    return true;
}

/* ---- what situations are made of ------------------------------------------------------------- */

void *device_bytes(size_t n)
{
    void *p = NULL;
    MUST(cudaMalloc(&p, n));
    MUST(cudaMemset(p, 0, n));
    MUST(cudaDeviceSynchronize());
    return p;
}

void *pinned_bytes(size_t n)
{
    void *p = NULL;
    MUST(cudaMallocHost(&p, n));
    memset(p, 0, n);
    return p;
}

void *pageable_bytes(size_t n)
{
    void *p = calloc(1, n);
    must(p ? cudaSuccess : cudaErrorMemoryAllocation, "calloc");
    return p;
}

cudaStream_t new_stream(unsigned flags)
{
    cudaStream_t s = NULL;
    MUST(cudaStreamCreateWithFlags(&s, flags));
    return s;
}

cudaEvent_t new_event(unsigned flags)
{
    cudaEvent_t e = NULL;
    MUST(cudaEventCreateWithFlags(&e, flags));
    return e;
}

cudaStream_t destroyed_stream(void)
{
    cudaStream_t s = new_stream(0);
    MUST(cudaStreamDestroy(s));
    return s;
}

cudaEvent_t destroyed_event(void)
{
    cudaEvent_t e = new_event(0);
    MUST(cudaEventDestroy(e));
    return e;
}

static atomic_bool is_open, is_passed;

void CUDART_CB stand_at_gate(void *unused)
{
    (void)unused;
    for (int ms = 0; ms < 2000 && !atomic_load(&is_open); ms++)
        usleep(1000);
    atomic_store(&is_passed, true);
}

static void *work_bytes;

void prepare_work(void)
{
    if (!work_bytes)
        work_bytes = device_bytes(64);
}

void gate_reset(void)
{
    prepare_work();
    atomic_store(&is_open, false);
    atomic_store(&is_passed, false);
}

void gate_shut(cudaStream_t s)
{
    gate_reset();
    MUST(cudaLaunchHostFunc(s, stand_at_gate, NULL));
}

void gate_open(void)
{
    atomic_store(&is_open, true);
}

static void *open_after(void *ms)
{
    usleep((useconds_t)(*(int *)ms * 1000));
    free(ms);
    gate_open();
    return NULL;
}

void gate_open_later(int ms)
{
    pthread_t opener;
    int *arg = malloc(sizeof *arg);
    *arg = ms;
    pthread_create(&opener, NULL, open_after, arg);
    pthread_detach(opener);
}

bool gate_passed(void)
{
    return atomic_load(&is_passed);
}

const char *gate_waited(void)
{
    return gate_passed() ? "waits" : "returns";
}

void some_work(cudaStream_t s)
{
    prepare_work();
    MUST(cudaMemsetAsync(work_bytes, 1, 64, s));
}

const char *done_soon(cudaStream_t s)
{
    static cudaEvent_t mark;
    if (!mark)
        mark = new_event(cudaEventDisableTiming);
    MUST(cudaEventRecord(mark, s));
    for (int i = 0; i < 200; i++) {
        cudaError_t e = cudaEventQuery(mark);
        if (e != cudaErrorNotReady) {
            must(e, "cudaEventQuery");
            return "done";
        }
        usleep(500);
    }
    return "waits";
}

static char letters[64];
static atomic_int n_letters;

void CUDART_CB write_letter(void *letter)
{
    int i = atomic_fetch_add(&n_letters, 1);
    if (i < (int)sizeof letters - 1)
        letters[i] = (char)(intptr_t)letter;
}

void log_letter(cudaStream_t s, char letter)
{
    MUST(cudaLaunchHostFunc(s, write_letter, (void *)(intptr_t)letter));
}

const char *log_text(void)
{
    return letters;
}

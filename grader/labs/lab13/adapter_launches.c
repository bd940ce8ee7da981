/* adapter_launches.c: looks at the calls of a submission, see launches.h. */
#include "launches.h"

#include <string.h>

#include "kernels/serve.h"
#include "labs/decoders.h"

/* An executable graph. */
struct exec {
    cudaGraphExec_t exec;
    int rows; /* of its kernels */
    bool begins, is_uploaded;
};

/* An array of struct serve_step that the host fills. */
struct array {
    const char *name;
    const char *begin;
    size_t element, bytes, covered; /* covered: bytes from copies, from the beginning on */
};

enum { MOST_EXECS = 4096, ARRAYS = 5 };
static struct {
    struct launches seen;
    struct exec captured; /* the kernels since the last beginning of a capture */
    bool is_capturing, is_serving;
    int rows; /* of the present step */
    struct exec execs[MOST_EXECS];
    int n_execs;
    struct array arrays[ARRAYS]; /* of the last `embed`: those of the rows, then one of the slots */
} state;

void launches_forget(void)
{
    memset(&state, 0, sizeof state);
}

void launches_serving(bool is_serving)
{
    state.is_serving = is_serving;
    state.rows = 0;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static bool has_programmatic_edges(void)
{
    int major = 0;
    return cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0) == cudaSuccess &&
           major >= 9;
}

static void note_start(const char *name, enum decode_start start)
{
    const bool is_attention = strstr(name, "serve_attend") != NULL;
    if (!has_programmatic_edges())
        return; /* it starts after all of the kernel before it in any case */
    state.seen.n++;
    state.seen.n_prefetching += start == DECODE_WEIGHTS_FIRST;
    /* attention always reads what the kernel before it writes, whether that one lets it start */
    state.seen.attends_early |= is_attention && start == DECODE_NEVER_WAITS;
}

/* Work of a step has so many rows; begins: it is the first one of the step. */
static void note_rows(int rows, bool begins)
{
    if (begins)
        state.rows = rows;
    if (!state.is_serving || state.rows == 0 || rows == state.rows || state.seen.other_rows)
        return;
    state.seen.rows = state.rows;
    state.seen.other_rows = rows;
}

static void note_arrays(const struct serve_step *s)
{
    const struct decode_rows *r = &s->decode.rows;
    const size_t rows = (size_t)s->decode.n_rows * sizeof(int), seed = sizeof *s->samplers.seed;
    if (rows <= state.arrays[0].bytes)
        return;
    const struct array arrays[ARRAYS] = {
        {"token", (const char *)r->token, sizeof(int), rows, 0},
        {"position", (const char *)r->position, sizeof(int), rows, 0},
        {"slot", (const char *)r->slot, sizeof(int), rows, 0},
        {"samples", (const char *)s->samples, sizeof(int), rows, 0},
        {"seed", (const char *)s->samplers.seed, seed, s->decode.cache.n_slots * seed, 0}};
    memcpy(state.arrays, arrays, sizeof arrays);
}

static void note_kernel(const struct subject_call *call)
{
    const char *name;
    if (cudaFuncGetName(&name, call->kernel) != cudaSuccess || strstr(name, "decode_random") ||
        !(strstr(name, "serve_") || strstr(name, "decode_")))
        return;
    const struct decode_step *step = call->arguments[0];
    const bool begins = strstr(name, "serve_embed") != NULL;
    state.seen.is_scratch_small |= is_scratch_small(step);
    state.seen.n_slots = step->cache.n_slots;
    if (begins && !state.is_serving)
        note_arrays(call->arguments[0]);
    if (!begins && !strstr(name, "serve_attend_"))
        note_start(name, *(const enum decode_start *)call->arguments[2]);
    if (!state.is_capturing) {
        note_rows(step->n_rows, begins);
        return;
    }
    state.captured.rows = step->n_rows;
    state.captured.begins |= begins;
}

/* ---- copies ---------------------------------------------------------------------------------- */

static void note_copy(const struct subject_call *call)
{
    const char *to = call->to, *end = to + call->bytes;
    for (int i = 0; i < ARRAYS && state.is_serving; i++) {
        struct array *a = &state.arrays[i];
        const size_t covers = end > a->begin ? (size_t)(end - a->begin) : 0;
        if (a->begin && to <= a->begin + a->covered && covers > a->covered)
            a->covered = covers < a->bytes ? covers : a->bytes;
    }
}

/* Has an array fewer rows from copies than another one? Of the seeds, any are enough. */
static void compare_arrays(struct launches *seen)
{
    const struct array *most = &state.arrays[0], *least = most;
    for (int i = 1; i < ARRAYS - 1; i++) {
        const struct array *a = &state.arrays[i];
        most = a->covered > most->covered ? a : most;
        least = a->covered < least->covered ? a : least;
    }
    if (most->covered == 0)
        most = &state.arrays[ARRAYS - 1];
    seen->whole = most->name;
    seen->part = least->name;
    seen->rows_of_whole = most->element ? most->covered / most->element : 0;
    seen->rows_of_part = least->element ? least->covered / least->element : 0;
}

/* ---- graphs ---------------------------------------------------------------------------------- */

static struct exec *find(cudaGraphExec_t exec)
{
    for (int i = 0; i < state.n_execs; i++)
        if (state.execs[i].exec == exec)
            return &state.execs[i];
    return NULL;
}

void launches_before_call(const struct subject_call *call)
{
    struct exec *exec;
    switch (call->function) {
    case CALL_cudaLaunchKernelExC:
        note_kernel(call);
        break;
    case CALL_cudaMemcpy:
    case CALL_cudaMemcpyAsync:
        note_copy(call);
        break;
    case CALL_cudaStreamBeginCapture:
        state.captured = (struct exec){0};
        state.is_capturing = true;
        break;
    case CALL_cudaGraphLaunch:
        if ((exec = find(call->exec)) && exec->rows > 0)
            note_rows(exec->rows, exec->begins);
        break;
    default:
        break;
    }
}

void launches_after_call(const struct subject_call *call)
{
    if (call->function == CALL_cudaStreamEndCapture)
        state.is_capturing = false;
    if (call->error)
        return;
    struct exec *exec = call->exec ? find(call->exec) : NULL;
    if (call->made) {
        exec = find(*call->made);
        if (!exec && state.n_execs < MOST_EXECS)
            exec = &state.execs[state.n_execs++];
        if (exec)
            *exec = (struct exec){*call->made, state.captured.rows, state.captured.begins,
                                  (call->flags & cudaGraphInstantiateFlagUpload) != 0};
    } else if (exec && call->function == CALL_cudaGraphExecDestroy) {
        exec->exec = NULL;
    } else if (exec) {
        state.seen.is_uploaded_late |=
            !exec->is_uploaded && state.is_serving && call->function == CALL_cudaGraphLaunch;
        exec->is_uploaded = true;
    }
}

struct launches launches_seen(void)
{
    struct launches seen = state.seen;
    compare_arrays(&seen);
    return seen;
}

/* error.c: the names and texts of errors, the last error of each host thread, and the error that
 * ended the context.
 *
 * As on a GPU, cudaErrorNotReady is not kept as the last error. Once a kernel's fault has ended the
 * context, every call returns its error; cudaGetLastError still resets the last error. */
#include <stdio.h>
#include <stdlib.h>

#include "api.h"

struct error_name {
    int code;
    const char *name;
    const char *text;
};

/* By number, so that codes newer than the installed headers have their names too. */
static const struct error_name errors[] = {
    {0, "cudaSuccess", "no error"},
#define ERROR(code, name, text) {code, "cudaError" #name, text},
#define ERROR_13 ERROR
#define ERROR_LATER ERROR
#include "errors.def"
#undef ERROR
};

enum { N_ERRORS = sizeof errors / sizeof errors[0] };

static int compare(const void *code, const void *entry)
{
    int a = *(const int *)code, b = ((const struct error_name *)entry)->code;
    return (a > b) - (a < b);
}

static const struct error_name *find(int code)
{
    static const struct error_name unknown = {-1, "unrecognized error code",
                                              "unrecognized error code"};
    const struct error_name *e = bsearch(&code, errors, N_ERRORS, sizeof errors[0], compare);
    return e ? e : &unknown;
}

EXPORT const char *cudaGetErrorName(cudaError_t error)
{
    return find(error)->name;
}

EXPORT const char *cudaGetErrorString(cudaError_t error)
{
    return find(error)->text;
}

/* The program's own code asks for the last error, so it ignores none. */
static void note_question(struct thread_state *t, const void *frame)
{
    t->unasked.what = SIMGPU_WHAT_NOTHING;
    if (t->ignored.name && caller_of(frame, t->stack_end).at)
        t->ignored.name = NULL;
}

EXPORT cudaError_t cudaGetLastError(void)
{
    struct thread_state *t = thread_self();
    cudaError_t e = t->last_error;
    t->last_error = cudaSuccess;
    note_question(t, __builtin_frame_address(0));
    return e;
}

EXPORT cudaError_t cudaPeekAtLastError(void)
{
    struct thread_state *t = thread_self();
    note_question(t, __builtin_frame_address(0));
    return t->last_error;
}

enum { GIVEN = sizeof((struct thread_state *)NULL)->returned / sizeof(uint64_t) };

/* The latest call that failed, if it returned this error; else NULL. */
static const struct failed_call *latest_with(const struct thread_state *t, int error)
{
    const struct failed_call *f = &t->latest_failed;
    return f->name && (int)f->error == error ? f : NULL;
}

EXPORT const char *simgpu_failed_call(int error, struct simgpu_caller *caller)
{
    const struct thread_state *t = thread_self();
    const struct failed_call *f = latest_with(t, error);
    if (caller)
        *caller = f ? f->caller : (struct simgpu_caller){0};
    if (f)
        return f->name;
    return error >= 0 && error < 64 * GIVEN && t->returned[error / 64] >> error % 64 & 1 ? ""
                                                                                         : NULL;
}

EXPORT struct simgpu_refusal simgpu_failed_refusal(int error)
{
    const struct failed_call *f = latest_with(thread_self(), error);
    return f ? f->refusal : (struct simgpu_refusal){SIMGPU_REFUSED_NOTHING, "", {0}};
}

EXPORT const char *simgpu_ignored_call(int *error, struct simgpu_caller *caller,
                                       struct simgpu_refusal *refusal)
{
    if (!thread_now || !thread_now->ignored.name)
        return NULL;
    const struct failed_call *f = &thread_now->ignored;
    *error = (int)f->error;
    *caller = f->caller;
    *refusal = f->refusal;
    return f->name;
}

EXPORT void simgpu_forget_ignored_call(void)
{
    thread_self()->ignored.name = NULL;
}

cudaError_t error_set(cudaError_t e)
{
    struct thread_state *t = thread_self();
    if (e != cudaSuccess && e != cudaErrorNotReady)
        t->last_error = e;
    if ((int)e > 0 && (int)e < 64 * GIVEN)
        t->returned[(int)e / 64] |= UINT64_C(1) << (int)e % 64;
    return e;
}

cudaError_t error_not_modelled(const char *name, bool *said)
{
    if (!__atomic_exchange_n(said, true, __ATOMIC_RELAXED))
        fprintf(stderr,
                "simgpu: %s is not modeled by the simulated device; it returns "
                "cudaErrorNotSupported\n",
                name);
    return error_set(cudaErrorNotSupported);
}

/* running.c: what every part of a running kernel may ask and do: which thread it is, and how its
 * block fails. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worker.h"

EXPORT __thread uint3 threadIdx;
EXPORT __thread uint3 blockIdx;
EXPORT __thread uint3 blockDim;
EXPORT __thread uint3 gridDim;
EXPORT __thread struct simgpu_thread simgpu_thread;

__thread struct worker *worker_running;

/* From a device thread that will not go on. */
_Noreturn static void leave_for_good(struct worker *w)
{
    struct fiber left;
    memset(&left, 0, sizeof left);
    fiber_switch(&left, &w->native, 0);
    abort(); /* nothing switches back */
}

/* ---- failures -------------------------------------------------------------------------------- */

_Noreturn void worker_fail(struct worker *w, cudaError_t code, const char *format, ...)
{
    const uint3 b = blockIdx;
    struct failure *f = &w->failure;
    f->happened = true;
    f->block = w->block;
    f->code = code;
    int n = snprintf(f->text, sizeof f->text, "block (%u,%u,%u): ", b.x, b.y, b.z);
    va_list args;
    va_start(args, format);
    if (n >= 0 && (size_t)n < sizeof f->text)
        vsnprintf(f->text + n, sizeof f->text - (size_t)n, format, args);
    va_end(args);
    leave_for_good(w);
}

_Noreturn void worker_leave_block(struct worker *w)
{
    w->left_block = true;
    leave_for_good(w);
}

static const char body_prefix[] = "simgpu_body_";

EXPORT void simgpu_assert_failed(const char *expression, const char *file, unsigned line,
                                 const char *function)
{
    struct worker *w = worker_running;
    if (!w) /* host code: as without a device */
        __assert_fail(expression, file, line, function);
    const uint3 t = threadIdx;
    const char *body = strstr(function, body_prefix); /* simcc has renamed the kernel */
    int before = body ? (int)(body - function) : 0;
    worker_fail(w, cudaErrorAssert, "thread (%u,%u,%u): %s:%u: %.*s%s: assertion `%s' failed", t.x,
                t.y, t.z, file, line, before, function,
                body ? body + strlen(body_prefix) : function, expression);
}

EXPORT void simgpu_trap(void)
{
    struct worker *w = worker_running;
    if (!w)
        fatal("__trap() outside of a kernel");
    const uint3 t = threadIdx;
    worker_fail(w, cudaErrorLaunchFailure, "thread (%u,%u,%u) called __trap()", t.x, t.y, t.z);
}

/* device.c: what a subject asks of the device and of common/trace, where they are linked.
 *
 * Weak references: the judge's own tests build subjects without any device, and only the simulated
 * one has findings. */
#include <cuda_runtime_api.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/simgpu/simgpu.h"
#include "common/trace.h"
#include "inside.h"
#include "objects.h"

#pragma weak cudaFree
#pragma weak cudaGetDeviceCount
#pragma weak cudaGetErrorName
#pragma weak cudaGetErrorString
#pragma weak cudaHostRegister
#pragma weak cudaHostUnregister
#pragma weak cudaSetDevice
#pragma weak simgpu_failed_call
#pragma weak simgpu_failed_refusal
#pragma weak simgpu_forget_ignored_call
#pragma weak simgpu_ignored_call
#pragma weak simgpu_findings
#pragma weak simgpu_findings_end
#pragma weak simgpu_by_guide
#pragma weak simgpu_own_code
#pragma weak simgpu_set_freedom
#pragma weak trace_whole_graphs
#pragma weak trace_begin
#pragma weak trace_restart
#pragma weak trace_end
#pragma weak trace_write
#pragma weak trace_free

/* The submission's code: the linker makes these of the section that labs/fence.sh puts it into. */
extern const char __start_submission[] __attribute__((weak));
extern const char __stop_submission[] __attribute__((weak));

void subject_name_own_code(void)
{
    if (simgpu_by_guide)
        simgpu_by_guide(1);
    if (simgpu_own_code)
        simgpu_own_code(__start_submission, __stop_submission);
}

void subject_set_freedom(uint32_t seed)
{
    static uint32_t now;
    if (seed != now && simgpu_set_freedom)
        simgpu_set_freedom(seed);
    now = seed;
}

bool subject_is_own_code(const void *address)
{
    const char *at = address;
    return __start_submission && at > __start_submission && at <= __stop_submission;
}

int subject_pin(void *p, size_t bytes)
{
    return cudaHostRegister ? (int)cudaHostRegister(p, bytes, cudaHostRegisterDefault) : 0;
}

void subject_unpin(void *p)
{
    if (cudaHostUnregister)
        cudaHostUnregister(p);
}

/* As snprintf does with "%s"; a signal handler may call it. */
static void put(char *to, size_t bytes, const char *text)
{
    if (!memccpy(to, text, '\0', bytes))
        to[bytes - 1] = '\0';
}

static void name_error(struct wire_error *e, const char *call)
{
    put(e->call, sizeof e->call, call);
    if (!cudaGetErrorName || !cudaGetErrorString)
        return;
    const char *name = cudaGetErrorName((cudaError_t)e->code);
    if (strchr(name, ' '))
        return; /* "unrecognized error code" */
    put(e->name, sizeof e->name, name);
    put(e->description, sizeof e->description, cudaGetErrorString((cudaError_t)e->code));
}

static void describe_error(struct wire_error *e, int cuda_error)
{
    const char *call = simgpu_failed_call ? simgpu_failed_call(cuda_error, &e->caller) : "";
    e->code = cuda_error;
    e->origin = !call ? WIRE_ORIGIN_NONE : *call ? WIRE_ORIGIN_CALL : WIRE_ORIGIN_UNKNOWN;
    if (simgpu_failed_refusal)
        e->refusal = simgpu_failed_refusal(cuda_error);
    name_error(e, call ? call : "");
}

/* The function of the submission returned that error: it did not ignore it. Another call that came
   between, such as the end of a capture, may have failed since. */
static bool is_returned(const struct wire_failure *f, const struct wire_error *e)
{
    return f->reason == WIRE_RETURNED && f->error.code == e->code &&
           (f->error.origin != WIRE_ORIGIN_CALL || f->error.caller.at == e->caller.at);
}

void subject_note_ignored(struct subject *s)
{
    struct wire_error *e = &s->reply.ignored;
    const char *call =
        simgpu_ignored_call ? simgpu_ignored_call(&e->code, &e->caller, &e->refusal) : NULL;
    if (!call)
        return;
    e->origin = WIRE_ORIGIN_CALL;
    name_error(e, call);
    if (is_returned(&s->reply.failure, e))
        memset(e, 0, sizeof *e);
}

void subject_forget_errors(void)
{
    if (simgpu_forget_ignored_call)
        simgpu_forget_ignored_call();
}

bool subject_call_is_known(int cuda_error)
{
    const char *call = simgpu_failed_call ? simgpu_failed_call(cuda_error, NULL) : NULL;
    return call && *call;
}

int subject_fail_cuda(struct subject *s, enum wire_reason reason, const char *what, int cuda_error)
{
    if (cuda_error == 0)
        return 0;
    describe_error(&s->reply.failure.error, cuda_error);
    return subject_fail(s, reason, what);
}

int subject_returned(struct subject *s, const char *function, int cuda_error)
{
    return subject_fail_cuda(s, WIRE_RETURNED, function, cuda_error);
}

int subject_explained(struct subject *s, const char *function, int cuda_error, const char *meaning)
{
    snprintf(s->reply.failure.text, sizeof s->reply.failure.text, "%s", meaning);
    return subject_returned(s, function, cuda_error);
}

int subject_own_call(struct subject *s, const char *what, int cuda_error)
{
    return subject_fail_cuda(s, WIRE_OWN_CALL_FAILED, what, cuda_error);
}

static int no_trace(struct subject *s, const char *why)
{
    snprintf(s->reply.failure.text, sizeof s->reply.failure.text, "%s", why);
    subject_unsupported(s, WIRE_NO_TRACE, "");
    return -1;
}

void subject_make_contexts(bool of_one)
{
    int n = 1;
    if (!cudaFree || !cudaSetDevice || (!of_one && cudaGetDeviceCount(&n) != cudaSuccess))
        return;
    while (n-- > 0) {
        cudaSetDevice(n);
        cudaFree(NULL);
    }
}

void subject_trace_prepare(void)
{
    const char *why; /* where it cannot be, traces come without */
    if (trace_whole_graphs)
        trace_whole_graphs(&why);
}

int subject_trace_begin(struct subject *s)
{
    const char *why = "this device cannot be traced";
    if (!trace_begin || !trace_end || !trace_write || !trace_free || trace_begin(&why) != 0)
        return no_trace(s, why);
    return 0;
}

int subject_trace_restart(struct subject *s)
{
    const char *why = "this device cannot be traced";
    return trace_restart && trace_restart(&why) == 0 ? 0 : no_trace(s, why);
}

int subject_trace_end(struct subject *s)
{
    const char *why = "this device cannot be traced";
    struct trace t;
    if (trace_end(&t, &why) != 0) {
        no_trace(s, why);
        return 0;
    }
    int failed = -1;
    FILE *to = fmemopen(s->blob, s->blob_bytes, "w");
    if (to) {
        failed = trace_write(&t, to);
        long end = ftell(to);
        failed |= fclose(to);
        if (end > 0)
            s->reply.blob_bytes = (uint64_t)end;
    }
    trace_free(&t);
    return failed ? subject_fail(s, WIRE_TRACE_TOO_LARGE, "") : 0;
}

/* What the submission has left behind, as the simulated device would find it. */
static bool find_leak(struct simgpu_finding *f)
{
    for (enum simgpu_object kind = 0; kind < SIMGPU_OBJECTS; kind++) {
        const struct objects_left left = objects_left(kind);
        if (left.n == 0)
            continue;
        *f = (struct simgpu_finding){.kind = SIMGPU_LEAK,
                                     .what = SIMGPU_WHAT_NEVER_DESTROYED,
                                     .first = {.stream = -1, .node = -1},
                                     .bytes = left.bytes,
                                     .n = left.n,
                                     .object = kind,
                                     .count = 1};
        f->first.caller.at = (uint32_t)subject_code_offset(left.caller);
        return true;
    }
    return false;
}

/* A GPU has no findings, but leaks are known there, too. */
void subject_findings(struct subject *s, bool at_end)
{
    struct wire_reply *r = &s->reply;
    if (simgpu_findings && at_end)
        simgpu_findings_end();
    r->n_findings = simgpu_findings ? simgpu_findings(&r->finding, 1) : 0;
    if (r->n_findings == 0 && at_end)
        r->n_findings = find_leak(&r->finding);
    if (r->n_findings == 0 && !simgpu_findings)
        subject_unsupported(s, WIRE_NO_FINDINGS, "");
}

void subject_end(struct subject *s, const char *format, ...)
{
    struct wire_reply *r = &s->reply;
    va_list args;
    va_start(args, format);
    vsnprintf(r->failure.text, sizeof r->failure.text, format, args);
    va_end(args);
    subject_fail(s, WIRE_IN_WORDS, "");
    r->outcome = WIRE_FAILED;
    subject_note_ignored(s);
    fflush(NULL);
    wire_send(WIRE_CHANNEL_FD, r, sizeof *r, -1);
    _exit(WIRE_EXIT_CHANNEL);
}

/*
 * subject_device.c: what a subject asks of the device and of common/trace, where they are linked.
 *
 * Weak references: the judge's own tests build subjects without any device, and only the simulated
 * one has findings.
 */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/simgpu/simgpu.h"
#include "common/trace.h"
#include "inside.h"

#pragma weak cudaGetErrorName
#pragma weak cudaGetErrorString
#pragma weak cudaHostRegister
#pragma weak cudaHostUnregister
#pragma weak simgpu_failed_call
#pragma weak simgpu_findings
#pragma weak simgpu_findings_end
#pragma weak trace_whole_graphs
#pragma weak trace_begin
#pragma weak trace_restart
#pragma weak trace_end
#pragma weak trace_write
#pragma weak trace_free

int subject_pin(void *p, size_t bytes)
{
    return cudaHostRegister ? (int)cudaHostRegister(p, bytes, cudaHostRegisterDefault) : 0;
}

void subject_unpin(void *p)
{
    if (cudaHostUnregister)
        cudaHostUnregister(p);
}

const char *subject_from(int cuda_error)
{
    static char text[80];
    if (!simgpu_failed_call)
        return "";
    const char *call = simgpu_failed_call(cuda_error);
    if (!call)
        return ", which no CUDA call of the host gave";
    snprintf(text, sizeof text, *call ? ", from %s" : "", call);
    return text;
}

int subject_returned(struct subject *s, const char *call, int cuda_error)
{
    if (cuda_error == 0)
        return 0;
    if (cuda_error == cudaErrorNotYetImplemented) /* a starter's; never CUDA's own */
        return subject_failed(
            s,
            "%s is not written yet (it returned cudaErrorNotYetImplemented): look for YOUR STEP in "
            "the lab's source and begin with the lowest number",
            call);
    if (!cudaGetErrorName || !cudaGetErrorString)
        return subject_failed(s, "%s returned %d", call, cuda_error);
    if (cuda_error == cudaErrorIllegalAddress)
        return subject_failed(
            s,
            "%s returned %s%s: a kernel or a copy, maybe of an earlier call, used "
            "memory that is not there: too small (bytes or elements?), freed, or "
            "not what was meant (arguments in another order?)",
            call, cudaGetErrorName((cudaError_t)cuda_error), subject_from(cuda_error));
    return subject_failed(s, "%s returned %s (%s)%s", call,
                          cudaGetErrorName((cudaError_t)cuda_error),
                          cudaGetErrorString((cudaError_t)cuda_error), subject_from(cuda_error));
}

static int no_trace(struct subject *s, const char *why)
{
    subject_failed(s, "no trace: %s", why);
    return -1;
}

void subject_trace_prepare(void)
{
    const char *why; /* where it cannot be, traces come without */
    if (getenv(WIRE_WHOLE_GRAPHS) && trace_whole_graphs)
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
    if (trace_end(&t, &why) != 0)
        return no_trace(s, why);
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
    return failed ? no_trace(s, "it is longer than the grader takes") : 0;
}

int subject_findings(struct subject *s)
{
    static const char *const kinds[] = {"race",          "stale read",      "use after free",
                                        "out of bounds", "freed too early", "leak",
                                        "unfinished"};
    enum { MOST = 32 };
    if (!simgpu_findings) {
        subject_failed(s, "only the simulated device checks the order of operations");
        return -1;
    }
    if (simgpu_findings_end)
        simgpu_findings_end();
    struct simgpu_finding *found = calloc(MOST, sizeof *found);
    size_t n = found ? simgpu_findings(found, MOST) : 0, used = 0;
    for (size_t i = 0; i < n && i < MOST; i++) {
        unsigned kind = (unsigned)found[i].kind;
        for (char *c = found[i].text; *c; c++)
            if (*c == '\n' || *c == '\t')
                *c = ' ';
        used += (size_t)snprintf(s->blob + used, s->blob_bytes - used, "%s\t%llu\t%s\n",
                                 kind < sizeof kinds / sizeof kinds[0] ? kinds[kind] : "finding",
                                 (unsigned long long)found[i].count, found[i].text);
    }
    free(found);
    s->reply.blob_bytes = used;
    subject_value(s, "findings", (double)n);
    return 0;
}

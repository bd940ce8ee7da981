/* copies.c: the copies that a submission enqueues, see copies.h. */
#include "copies.h"

#include <string.h>

/* a test's lab has no runtime, and no copies */
#pragma weak cudaPointerGetAttributes
#pragma weak cudaStreamIsCapturing

enum { MOST_COPIES = 64, MOST_BYTES = 8192 };

static struct {
    bool is_watching;
    int n;
    struct copy {
        const char *to, *from;
        size_t bytes;
        bool is_asynchronous;
        char was[MOST_BYTES]; /* at `from`, as far as there is room */
    } copies[MOST_COPIES];
} journal;

static size_t kept(const struct copy *copy)
{
    return copy->bytes < MOST_BYTES ? copy->bytes : MOST_BYTES;
}

static bool is_pinned(const void *memory)
{
    struct cudaPointerAttributes of;
    return cudaPointerGetAttributes(&of, memory) == cudaSuccess && of.type == cudaMemoryTypeHost;
}

/* A captured copy has not been enqueued. */
static bool is_captured(cudaStream_t stream)
{
    enum cudaStreamCaptureStatus status;
    return stream && cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
           status != cudaStreamCaptureStatusNone;
}

void copies_watch(bool on)
{
    journal.is_watching = on;
}

void copies_forget(void)
{
    journal.n = 0;
}

void copies_after_call(const struct subject_call *call)
{
    const bool is_asynchronous = call->function == CALL_cudaMemcpyAsync;
    if (!journal.is_watching || journal.n == MOST_COPIES || call->error ||
        (!is_asynchronous && call->function != CALL_cudaMemcpy) || !is_pinned(call->from) ||
        is_captured(call->stream))
        return;
    struct copy *copy = &journal.copies[journal.n++];
    copy->to = call->to;
    copy->from = call->from;
    copy->bytes = call->bytes;
    copy->is_asynchronous = is_asynchronous;
    memcpy(copy->was, copy->from, kept(copy));
}

bool copies_cover(const void *to, size_t bytes)
{
    const char *at = to;
    for (const struct copy *c = journal.copies; c < journal.copies + journal.n; c++)
        if (at >= c->to && at + bytes <= c->to + c->bytes)
            return true;
    return false;
}

bool copies_source_changed(void)
{
    for (const struct copy *c = journal.copies; c < journal.copies + journal.n; c++)
        if (c->is_asynchronous && is_pinned(c->from) && memcmp(c->was, c->from, kept(c)) != 0)
            return true;
    return false;
}

/* capture_rules.c: the calls that captures forbid, and the state of a capture after such a call.
 *
 * A call makes its checks in this order:
 *
 *   1. its plain arguments: 0 bytes, no direction of the copy, a pitch that is too small, no
 *      function, no place for the result;
 *   2. its stream: an invalid handle, the legacy stream while a blocking stream captures, a stream
 *      whose capture is invalidated;
 *   3. whether a capture forbids the call to this thread, unless the call itself is captured;
 *   4. its other arguments: events, executable graphs, memory. */
#include <stdlib.h>

#include "graph.h"

struct capture *captures;

void capture_put(struct capture *c)
{
    if (--c->refs > 0)
        return;
    free(c->again);
    free(c);
}

void capture_invalidate(struct capture *c)
{
    c->invalidated = true;
}

/* ---- the stream ------------------------------------------------------------------------------ */

/* Does the capture have a stream of the device: a blocking one, any one? */
static bool is_on(const struct capture *c, const struct device *d, bool blocking)
{
    for (const struct stream *s = d->streams; s; s = s->next)
        if (s->capture == c && (!blocking || stream_is_blocking(s)))
            return true;
    return false;
}

bool capture_of_blocking_stream(const struct device *d)
{
    for (const struct capture *c = captures; c; c = c->next)
        if (is_on(c, d, true))
            return true;
    return false;
}

/* Ends the captures that have a stream of the device. */
static bool end_captures_on(const struct device *d, bool blocking)
{
    bool any = false;
    for (struct capture *c = captures; c; c = c->next)
        if (is_on(c, d, blocking)) {
            capture_invalidate(c);
            any = true;
        }
    return any;
}

cudaError_t capture_refuses_legacy(const struct device *d)
{
    return end_captures_on(d, true) ? cudaErrorStreamCaptureImplicit : cudaSuccess;
}

cudaError_t stream_for_call(cudaStream_t handle, struct stream **out)
{
    struct stream *s = *out = stream_of(handle);
    if (!s) {
        refusal_note_handle(handle, "stream");
        return cudaErrorInvalidResourceHandle;
    }
    return s->legacy ? capture_refuses_legacy(s->device) : cudaSuccess;
}

cudaError_t stream_for_work(cudaStream_t handle, struct stream **out)
{
    TRY(stream_for_call(handle, out));
    return (*out)->capture && (*out)->capture->invalidated ? cudaErrorStreamCaptureInvalidated
                                                           : cudaSuccess;
}

cudaError_t capture_cannot_take(struct stream *s)
{
    if (!s->capture)
        return cudaSuccess;
    capture_invalidate(s->capture);
    return cudaErrorStreamCaptureUnsupported;
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* Does this capture keep the calling thread from unsafe calls? */
static bool forbids(const struct capture *c, const struct thread_state *t)
{
    if (c->mode == cudaStreamCaptureModeRelaxed || t->capture_mode == cudaStreamCaptureModeRelaxed)
        return false;
    if (c->thread == t->id)
        return true;
    return c->mode == cudaStreamCaptureModeGlobal && t->capture_mode == cudaStreamCaptureModeGlobal;
}

cudaError_t capture_unsafe_call(void)
{
    const struct thread_state *t = thread_self();
    cudaError_t e = cudaSuccess;
    for (struct capture *c = captures; c; c = c->next)
        if (forbids(c, t)) {
            capture_invalidate(c);
            e = cudaErrorStreamCaptureUnsupported;
        }
    return e;
}

cudaError_t capture_refuses_sync(struct stream *s)
{
    cudaError_t e = capture_cannot_take(s);
    if (e != cudaSuccess)
        return e;
    if (s->legacy && (e = capture_refuses_legacy(s->device)) != cudaSuccess)
        return e;
    return capture_unsafe_call();
}

cudaError_t capture_refuses_device_sync(const struct device *d)
{
    return end_captures_on(d, false) ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

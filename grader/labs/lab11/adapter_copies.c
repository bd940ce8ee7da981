/* adapter_copies.c: watches the copies of lab11_begin, see watched.h. */
#include <string.h>

#include "watched.h"

enum { MOST_COPIES = 64, MOST_BYTES = 1024 };

static struct {
    bool is_watching;
    int n;
    struct copy {
        const char *to, *from;
        size_t bytes;
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

static void remember(const void *to, const void *from, size_t bytes)
{
    if (!journal.is_watching || journal.n == MOST_COPIES || !is_pinned(from))
        return;
    struct copy *copy = &journal.copies[journal.n++];
    *copy = (struct copy){.to = to, .from = from, .bytes = bytes};
    memcpy(copy->was, from, kept(copy));
}

void copies_after_call(const struct subject_call *call)
{
    if (!call->error &&
        (call->function == CALL_cudaMemcpy || call->function == CALL_cudaMemcpyAsync))
        remember(call->to, call->from, call->bytes);
}

/* ---- a batch --------------------------------------------------------------------------------- */

cudaError_t watch_begin(struct lab11 *lab, const struct lab11_batch *batch)
{
    journal.n = 0;
    journal.is_watching = true;
    const cudaError_t e = lab11_begin(lab, batch);
    journal.is_watching = false;
    return e;
}

bool watched_copy_of(const int *device)
{
    const char *at = (const char *)device;
    for (const struct copy *c = journal.copies; c < journal.copies + journal.n; c++)
        if (at >= c->to && at + sizeof *device <= c->to + c->bytes)
            return true;
    return false;
}

bool watched_copy_was_early(void)
{
    for (const struct copy *c = journal.copies; c < journal.copies + journal.n; c++)
        if (memcmp(c->was, c->from, kept(c)) != 0)
            return true;
    return false;
}

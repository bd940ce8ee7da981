/* memory.c: the judge's buffers in this process.
 *
 *     | guard: nothing | slack | data            | guard: nothing |
 *                      ^ whole pages, shared with the judge
 *
 * Data ends where its pages end (to 16 bytes), so that one element too many dies at once. */
#include "inside.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static int refused(struct subject *s, const char *what, const struct wire_buffer *b)
{
    char text[WIRE_WHAT];
    s->reply.failure.error.code = errno;
    snprintf(text, sizeof text, "%s the buffer %s", what, b->name);
    return subject_fail(s, WIRE_SYSTEM_FAILED, text);
}

static int map_one(struct subject *s, int fd, const struct wire_buffer *b, struct subject_map *m)
{
    m->reserved_bytes = b->map_bytes + 2 * (size_t)WIRE_GUARD_BYTES;
    void *p = mmap(NULL, m->reserved_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    if (p == MAP_FAILED)
        return refused(s, "no room for", b);
    m->reserved = p;
    m->pages = m->reserved + WIRE_GUARD_BYTES;
    m->data = (float *)(void *)(m->pages + b->data_offset);
    /* all pages at once, which costs less than a fault for each, if they will be read and written
     */
    const int flags = MAP_SHARED | MAP_FIXED | (s->scenario.computes ? MAP_POPULATE : 0);
    if (mmap(m->pages, b->map_bytes, PROT_READ | PROT_WRITE, flags, fd, (off_t)b->map_offset) ==
        MAP_FAILED)
        return refused(s, "mapping", b);
    if (b->pinned) {
        int error = subject_pin(m->pages, b->map_bytes);
        if (error)
            return subject_own_call(s, "pinning the lab's buffers (cudaHostRegister)", error);
        m->pinned = true;
    }
    /* pinned first: the device's mapping is made of writable pages, then the CPU's is closed */
    if (!b->output && mprotect(m->pages, b->map_bytes, PROT_READ) != 0)
        return refused(s, "protecting", b);
    return 0;
}

int subject_memory_map(struct subject *s, int fd)
{
    s->n_maps = 0;
    memset(s->maps, 0, sizeof s->maps);
    for (uint32_t i = 0; i < s->scenario.n_buffers; i++) {
        s->n_maps++;
        int failed = map_one(s, fd, &s->scenario.buffers[i], &s->maps[i]);
        if (failed)
            return failed;
    }
    return 0;
}

void subject_memory_unmap(struct subject *s)
{
    for (int i = 0; i < s->n_maps; i++) {
        struct subject_map *m = &s->maps[i];
        if (m->pinned)
            subject_unpin(m->pages);
        if (m->reserved)
            munmap(m->reserved, m->reserved_bytes);
    }
    s->n_maps = 0;
}

/*
 * memory.c: inputs and outputs of a scenario, in memory that the judge owns and a subject
 * maps.
 *
 * Each buffer has whole pages of its own; its data ends where they end. What is left before it
 * (slack) holds a pattern that must still be there afterwards.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inside.h"

enum { PAGE = 4096, ALIGNMENT = 16, SLACK = 0xa5 };

static uint64_t round_up(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

/* Four multiply-and-shift lanes over whole pages. The sum is in our own memory: nobody can adjust
 * it. */
static uint64_t sum_of(const char *bytes, size_t n)
{
    uint64_t lane[4] = {1, 2, 3, 4};
    for (size_t i = 0; i < n; i += sizeof lane) {
        uint64_t w[4];
        memcpy(w, bytes + i, sizeof w);
        for (int k = 0; k < 4; k++)
            lane[k] = (lane[k] ^ w[k]) * 0x9e3779b97f4a7c15u + (lane[k] >> 29);
    }
    return lane[0] ^ lane[1] << 1 ^ lane[2] << 2 ^ lane[3] << 3;
}

static void lay_out(struct judge *j)
{
    uint64_t at = 0;
    for (int i = 0; i < JUDGE_MAX_BUFFERS && j->scenario->buffers[i].name; i++) {
        const struct judge_buffer *b = &j->scenario->buffers[i];
        struct wire_buffer *w = &j->buffers[i].wire;
        w->output = b->direction == JUDGE_OUTPUT;
        w->pinned = b->pinned;
        w->data_bytes = b->count * sizeof(float);
        w->map_offset = at;
        w->map_bytes = round_up(w->data_bytes, PAGE);
        w->data_offset = w->map_bytes - round_up(w->data_bytes, ALIGNMENT);
        snprintf(w->name, sizeof w->name, "%s", b->name);
        snprintf(w->made_by, sizeof w->made_by, "%s", b->made_by ? b->made_by : "");
        at += w->map_bytes;
        j->n_buffers = i + 1;
    }
    j->mapping_bytes = at;
}

int judge_memory_make(struct judge *j)
{
    judge_memory_free(j);
    lay_out(j);
    if (j->n_buffers == 0)
        return -1;
    int fd = memfd_create("grade-buffers", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0 || ftruncate(fd, (off_t)j->mapping_bytes) != 0 ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        judge_internal_error("no memory for the buffers of %s: %s", j->scenario->name,
                             strerror(errno));
    void *p = mmap(NULL, j->mapping_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
        judge_internal_error("mapping the buffers of %s: %s", j->scenario->name, strerror(errno));
    j->mapping = p;
    for (int i = 0; i < j->n_buffers; i++) {
        struct judge_memory *m = &j->buffers[i];
        m->pages = j->mapping + m->wire.map_offset;
        m->data = (float *)(void *)(m->pages + m->wire.data_offset);
    }
    return fd;
}

void judge_memory_free(struct judge *j)
{
    for (int i = 0; i < j->n_buffers; i++)
        free(j->buffers[i].previous);
    if (j->mapping)
        munmap(j->mapping, j->mapping_bytes);
    memset(j->buffers, 0, sizeof j->buffers);
    j->mapping = NULL;
    j->mapping_bytes = 0;
    j->n_buffers = 0;
}

struct judge_memory *judge_memory_find(const struct judge *j, const char *name)
{
    for (int i = 0; i < j->n_buffers; i++)
        if (strcmp(j->buffers[i].wire.name, name) == 0)
            return (struct judge_memory *)&j->buffers[i];
    judge_internal_error("the scenario has no buffer named %s", name);
}

static void keep_previous(struct judge_memory *m)
{
    if (!m->previous)
        m->previous = malloc(m->wire.data_bytes);
    if (m->previous)
        memcpy(m->previous, m->data, m->wire.data_bytes);
}

static void poison(struct judge_memory *m)
{
    const uint32_t pattern = JUDGE_POISON;
    size_t count = m->wire.data_bytes / sizeof(float);
    for (size_t i = 0; i < count; i++)
        memcpy(&m->data[i], &pattern, sizeof pattern);
}

void judge_memory_refresh(struct judge *j)
{
    for (int i = 0; i < j->n_buffers; i++) {
        const struct judge_buffer *b = &j->scenario->buffers[i];
        struct judge_memory *m = &j->buffers[i];
        bool plain = b->low == 0 && b->high == 0;
        size_t tail = m->wire.map_bytes - m->wire.data_offset - m->wire.data_bytes;
        memset(m->pages, SLACK, m->wire.data_offset);
        memset((char *)m->data + m->wire.data_bytes, SLACK, tail);
        if (!m->wire.output) {
            judge_random_fill(j, m->data, b->count, plain ? -1 : b->low, plain ? 1 : b->high);
            continue;
        }
        if (j->up)
            keep_previous(m);
        poison(m);
    }
    if (j->scenario->fill)
        j->scenario->fill(j);
    for (int i = 0; i < j->n_buffers; i++)
        if (!j->buffers[i].wire.output)
            j->buffers[i].sum = sum_of(j->buffers[i].pages, j->buffers[i].wire.map_bytes);
}

static bool is_slack(const char *from, const char *to)
{
    while (from < to)
        if ((unsigned char)*from++ != SLACK)
            return false;
    return true;
}

void judge_memory_check(struct judge *j)
{
    for (int i = 0; i < j->n_buffers; i++) {
        const struct judge_memory *m = &j->buffers[i];
        const char *data = (const char *)m->data, *end = data + m->wire.data_bytes;
        if (!is_slack(m->pages, data) || !is_slack(end, m->pages + m->wire.map_bytes)) {
            judge_next("look at the loop bounds and the byte counts");
            judge_fail("memory beside the buffer %s was written", m->wire.name);
        }
        if (!m->wire.output && sum_of(m->pages, m->wire.map_bytes) != m->sum) {
            judge_next("write to memory of your own; %s belongs to the caller", m->wire.name);
            judge_fail("the input %s was changed: inputs are read-only", m->wire.name);
        }
    }
}

/* memory.c: inputs and outputs of a scenario, in memory that the judge owns and a subject maps.
 *
 * Each buffer has whole pages of its own, and its data ends at the end of its last page. The bytes
 * before the data (slack) hold a pattern, which must be unchanged after a run. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

#include "common/memory_page.h"
#include "inside.h"

enum { ALIGNMENT = 16, SLACK = 0xa5 };

/* Four multiply-and-shift lanes over whole pages. The sum is in the judge's own memory: a
 * submission cannot adjust it. */
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

static void lay_out(struct judged *j)
{
    uint64_t at = 0;
    for (int i = 0; i < JUDGE_MAX_BUFFERS && j->scenario->buffers[i].name; i++) {
        const struct judge_buffer *b = &j->scenario->buffers[i];
        struct wire_buffer *w = &j->buffers[i].wire;
        w->output = b->direction == JUDGE_OUTPUT;
        w->pinned = b->pinned;
        w->data_bytes = b->count * sizeof(float);
        w->map_offset = at;
        w->map_bytes = memory_pages(w->data_bytes);
        w->data_offset = w->map_bytes - (w->data_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        snprintf(w->name, sizeof w->name, "%s", b->name);
        snprintf(w->made_by, sizeof w->made_by, "%s", b->made_by ? b->made_by : "");
        w->of_any_data = b->of_any_data;
        j->buffers[i].parts = b->parts;
        j->buffers[i].part = b->part;
        at += w->map_bytes;
        j->n_buffers = i + 1;
    }
    j->buffers_bytes = at;
}

static void forget_buffers(struct judged *j)
{
    judge_memory_leave(j);
    for (int i = 0; i < j->n_buffers; i++)
        free(j->buffers[i].previous);
    memset(j->buffers, 0, sizeof j->buffers);
    j->n_buffers = 0;
    j->is_filled = false;
}

static void unmap(struct judged *j)
{
    if (!j->mapping)
        return;
    munmap(j->mapping, j->mapping_bytes);
    close(j->memory);
    j->mapping = NULL;
    j->mapping_bytes = 0;
}

static void map(struct judged *j)
{
    const size_t bytes = j->buffers_bytes;
    j->memory = memfd_create("grade-buffers", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (j->memory < 0 || ftruncate(j->memory, (off_t)bytes) != 0 ||
        fcntl(j->memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        judge_internal_error("no memory for the buffers of %s: %s", j->scenario->name,
                             strerror(errno));
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, j->memory, 0);
    if (p == MAP_FAILED)
        judge_internal_error("mapping the buffers of %s: %s", j->scenario->name, strerror(errno));
    j->mapping = p;
    j->mapping_bytes = bytes;
}

int judge_memory_make(struct judged *j)
{
    forget_buffers(j);
    lay_out(j);
    if (j->n_buffers == 0)
        return -1;
    if (j->mapping_bytes < j->buffers_bytes) {
        unmap(j);
        map(j);
    }
    for (int i = 0; i < j->n_buffers; i++) {
        struct judge_memory *m = &j->buffers[i];
        m->pages = j->mapping + m->wire.map_offset;
        m->data = (float *)(void *)(m->pages + m->wire.data_offset);
    }
    return j->memory;
}

void judge_memory_touch(struct judged *j)
{
    char *to = j->mapping;
    const size_t n = j->buffers_bytes;
#pragma omp parallel for if (n > JUDGE_AT_ONCE)
    for (size_t i = 0; i < n; i += JUDGE_AT_ONCE)
        memset(to + i, SLACK, n - i < JUDGE_AT_ONCE ? n - i : JUDGE_AT_ONCE);
}

void judge_memory_free(struct judged *j)
{
    forget_buffers(j);
    unmap(j);
}

struct judge_memory *judge_memory_find(const struct judged *j, const char *name)
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
    const char *from = (const char *)m->data;
    char *to = (char *)m->previous;
    const size_t n = to ? m->wire.data_bytes : 0;
#pragma omp parallel for if (n > JUDGE_AT_ONCE)
    for (size_t i = 0; i < n; i += JUDGE_AT_ONCE)
        memcpy(to + i, from + i, n - i < JUDGE_AT_ONCE ? n - i : JUDGE_AT_ONCE);
}

_Static_assert(sizeof(wchar_t) == sizeof(float), "wmemset poisons floats");

static void poison(struct judge_memory *m)
{
    wchar_t *to = (wchar_t *)(void *)m->data;
    const size_t n = m->wire.data_bytes / sizeof *to;
#pragma omp parallel for if (n > JUDGE_AT_ONCE)
    for (size_t i = 0; i < n; i += JUDGE_AT_ONCE)
        wmemset(to + i, (wchar_t)JUDGE_POISON, n - i < JUDGE_AT_ONCE ? n - i : JUDGE_AT_ONCE);
}

static size_t part_begin(const struct judge_memory *m, int part)
{
    return m->wire.map_bytes / memory_page() * (size_t)part / JUDGE_PARTS * memory_page();
}

static bool is_in(int part, int parts)
{
    return parts == JUDGE_ALL_PARTS || part == parts || part == 0;
}

/* Of these parts of an input; the sums of the others stay. */
static void sum_parts(const struct judge_memory *m, int parts, uint64_t sums[JUDGE_PARTS])
{
#pragma omp parallel for if (m->wire.map_bytes > JUDGE_AT_ONCE)
    for (int k = 0; k < JUDGE_PARTS; k++)
        if (is_in(k, parts))
            sums[k] = sum_of(m->pages + part_begin(m, k), part_begin(m, k + 1) - part_begin(m, k));
}

/* New numbers in a part, or in the first page, as far as the data go. */
static void draw(struct judged *j, struct judge_memory *m, const struct judge_buffer *b,
                 size_t begin, size_t end)
{
    const bool plain = b->low == 0 && b->high == 0;
    const size_t from = begin > m->wire.data_offset ? begin - m->wire.data_offset : 0,
                 to = end > m->wire.data_offset ? end - m->wire.data_offset : 0;
    const size_t first = from / sizeof(float),
                 last = to / sizeof(float) < b->count ? to / sizeof(float) : b->count;
    if (first < last)
        judge_random_fill(j, m->data + first, last - first, plain ? -1 : b->low,
                          plain ? 1 : b->high);
}

static void draw_input(struct judged *j, struct judge_memory *m, const struct judge_buffer *b,
                       int part)
{
    if (part == JUDGE_ALL_PARTS) {
        draw(j, m, b, 0, m->wire.map_bytes);
        return;
    }
    draw(j, m, b, 0, 2 * memory_page());
    draw(j, m, b, part_begin(m, part), part_begin(m, part + 1));
}

void judge_memory_refresh(struct judged *j, int part)
{
    if (j->scenario->fill || !j->is_filled)
        part = JUDGE_ALL_PARTS;
    for (int i = 0; i < j->n_buffers; i++) {
        struct judge_memory *m = &j->buffers[i];
        size_t tail = m->wire.map_bytes - m->wire.data_offset - m->wire.data_bytes;
        memset(m->pages, SLACK, m->wire.data_offset);
        memset((char *)m->data + m->wire.data_bytes, SLACK, tail);
        if (!m->wire.output) {
            draw_input(j, m, &j->scenario->buffers[i], part);
            continue;
        }
        if (j->is_filled && part == JUDGE_ALL_PARTS) /* not where it would take longer than a run */
            keep_previous(m);
        poison(m);
    }
    if (j->scenario->fill)
        j->scenario->fill(j);
    for (int i = 0; i < j->n_buffers; i++)
        if (!j->buffers[i].wire.output)
            sum_parts(&j->buffers[i], part, j->buffers[i].sums);
    j->is_filled = true;
}

void judge_memory_take(struct judged *j)
{
    struct wire_lineage *l = &j->lineage;
    for (int i = 0; i < j->n_buffers; i++) {
        struct judge_memory *m = &j->buffers[i];
        const size_t bytes = m->wire.data_bytes;
        if (l->summed_bytes[i] < bytes || m->shared) /* of the other bytes nobody asks */
            continue;
        m->shared = m->data;
        m->data = malloc(bytes);
        if (!m->data)
            judge_internal_error("no memory for a copy of %s", m->wire.name);
        memcpy(m->data, m->shared, bytes);
        if (l->found == SIMGPU_LINEAGE_GOOD && wire_sum(m->data, 0, bytes) != l->sum[i]) {
            l->found = SIMGPU_LINEAGE_CHANGED;
            l->buffer = (uint32_t)i;
            l->offset = 0;
        }
    }
}

void judge_memory_leave(struct judged *j)
{
    for (int i = 0; i < j->n_buffers; i++) {
        struct judge_memory *m = &j->buffers[i];
        if (!m->shared)
            continue;
        free(m->data);
        m->data = m->shared;
        m->shared = NULL;
    }
}

static bool is_slack(const char *from, const char *to)
{
    while (from < to)
        if ((unsigned char)*from++ != SLACK)
            return false;
    return true;
}

static bool is_changed(const struct judge_memory *m, int part)
{
    uint64_t sums[JUDGE_PARTS];
    memcpy(sums, m->sums, sizeof sums);
    sum_parts(m, part, sums);
    return memcmp(sums, m->sums, sizeof sums) != 0;
}

void judge_memory_check(struct judged *j, int part)
{
    for (int i = 0; i < j->n_buffers; i++) {
        const struct judge_memory *m = &j->buffers[i];
        const char *data = (const char *)m->data, *end = data + m->wire.data_bytes;
        if (!is_slack(m->pages, data) || !is_slack(end, m->pages + m->wire.map_bytes)) {
            judge_next("look at the loop bounds and the byte counts");
            judge_fail("memory beside the buffer %s was written", m->wire.name);
        }
        if (!m->wire.output && is_changed(m, part)) {
            judge_next("write to memory of your own; %s belongs to the caller", m->wire.name);
            judge_fail("the input %s was changed: inputs are read-only", m->wire.name);
        }
    }
}

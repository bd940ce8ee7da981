/* recorded.c: the accesses of a grid, from its recording.
 *
 * Each byte gets one access. Several blocks may have accessed it in an unknown order. If some read
 * it and others wrote it, it counts as written first: an uninitialized read is reported only if it
 * is certain. */
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "record.h"

enum { MAX_RANGES = 1 << 16 };

/* Ranges under construction. */
struct ranges {
    struct simgpu_range *at;
    int n;
    size_t cap;
    bool too_many;
};

static int by_address(const void *a, const void *b)
{
    const struct recorded_page *x = *(struct recorded_page *const *)a,
                               *y = *(struct recorded_page *const *)b;
    return x->at < y->at ? -1 : x->at > y->at;
}

void recording_merge(struct recording *r)
{
    if (r->n_pages == 0)
        return;
    qsort(r->pages, r->n_pages, sizeof(struct recorded_page *), by_address);
    size_t n = 0;
    for (size_t i = 1; i < r->n_pages; i++) {
        struct recorded_page *to = r->pages[n], *from = r->pages[i];
        if (to->at != from->at) {
            r->pages[++n] = from;
            continue;
        }
        for (int w = 0; w < RECORD_WORDS; w++) {
            uint64_t *a = &to->bits[RECORDED_READ][w], read = from->bits[RECORDED_READ][w];
            uint64_t mine = to->bits[RECORDED_WRITE][w], its = from->bits[RECORDED_WRITE][w];
            *a = (*a & ~its) | (read & ~mine);
            to->bits[RECORDED_WRITE][w] = mine | its;
            to->bits[RECORDED_ATOMIC][w] |= from->bits[RECORDED_ATOMIC][w];
        }
        recorded_page_free(from);
    }
    r->n_pages = n + 1;
}

/* ---- ranges ---------------------------------------------------------------------------------- */

static void add_part(struct ranges *to, uintptr_t at, size_t bytes, enum simgpu_access access)
{
    if (to->n == MAX_RANGES) {
        to->too_many = true;
        return;
    }
    to->at = room_for_one(to->at, (size_t)to->n, &to->cap, sizeof *to->at, "ranges of a kernel");
    to->at[to->n++] = (struct simgpu_range){.base = (const void *)at,
                                            .width_bytes = bytes,
                                            .pitch_bytes = bytes,
                                            .rows = 1,
                                            .access = access};
}

/* The live allocation with the lowest address that holds any of these bytes, or NULL. */
static const struct allocation *first_allocation(uintptr_t at, size_t bytes)
{
    const struct allocation *a = memory_find((const void *)at);
    if (a)
        return a;
    for (const struct allocation *lower = memory_find_in((const void *)at, bytes); lower;
         lower = a->lo > at ? memory_find_in((const void *)at, a->lo - at) : NULL)
        a = lower;
    return a;
}

/* [at, at + bytes) cut at the ends of allocations. */
static void add_range(const struct recording *r, struct ranges *to, uintptr_t at, size_t bytes,
                      enum simgpu_access access)
{
    while (bytes) {
        const struct allocation *a = first_allocation(at, bytes);
        size_t gap = !a ? bytes : a->lo > at ? a->lo - at : 0;
        if (gap && (memory_is_device_address((const void *)at) || recording_was_passed(r, at)))
            add_part(to, at, gap, access);
        at += gap;
        bytes -= gap;
        if (!a)
            return;
        size_t part = a->hi - at < bytes ? a->hi - at : bytes;
        add_part(to, at, part, access);
        at += part;
        bytes -= part;
    }
}

/* The access to byte `bit` of a word of the page; *end: the end of the bytes accessed alike. */
static enum simgpu_access access_at(const struct recorded_page *page, int word, int bit, int *end)
{
    uint64_t write = page->bits[RECORDED_WRITE][word], read = page->bits[RECORDED_READ][word];
    uint64_t atomic = page->bits[RECORDED_ATOMIC][word] & ~write;
    if (write + 1 <= 1 && read + 1 <= 1 && atomic == 0) { /* the same for all bytes */
        *end = 64;
        return (enum simgpu_access)((read ? SIMGPU_READ : 0) | (write ? SIMGPU_WRITE : 0));
    }
    read &= ~atomic;
    uint64_t of[] = {[0] = ~(write | read | atomic),
                     [SIMGPU_READ] = read & ~write,
                     [SIMGPU_WRITE] = write & ~read,
                     [SIMGPU_READ_WRITE] = write & read,
                     [SIMGPU_ATOMIC] = atomic};
    for (size_t mode = 0; mode < sizeof of / sizeof *of; mode++) {
        if (!(of[mode] >> bit & 1))
            continue;
        uint64_t others = ~(of[mode] >> bit);
        int length = others ? __builtin_ctzll(others) : 64;
        *end = bit + length < 64 ? bit + length : 64;
        return (enum simgpu_access)mode;
    }
    *end = 64;
    return (enum simgpu_access)0;
}

/* Reads of words for which threads waited are no races, whatever else writes there. */
static void forget_waits(const struct recording *r)
{
    for (int i = 0; i < r->n_looked && i < LOOKED_WORDS; i++) {
        const struct looked_word *l = &r->looked[i];
        const size_t offset = l->at % RECORD_PAGE_BYTES;
        struct recorded_page key = {.at = l->at - offset}, *wanted = &key, **page;
        if (!l->waited || offset % 64 + l->bytes > 64 || !r->n_pages)
            continue;
        page = bsearch(&wanted, r->pages, r->n_pages, sizeof(struct recorded_page *), by_address);
        if (page)
            (*page)->bits[RECORDED_READ][offset / 64] &=
                ~(((UINT64_C(1) << l->bytes) - 1) << offset % 64);
    }
}

struct simgpu_range *recording_ranges(const struct recording *r, int *n)
{
    struct ranges ranges = {.n = 0};
    uintptr_t from = 0, to = 0;
    forget_waits(r);
    enum simgpu_access access = (enum simgpu_access)0;
    for (size_t i = 0; i < r->n_pages; i++)
        for (int word = 0; word < RECORD_WORDS; word++)
            for (int bit = 0, end; bit < 64; bit = end) {
                enum simgpu_access its = access_at(r->pages[i], word, bit, &end);
                uintptr_t at = r->pages[i]->at + 64 * (uintptr_t)word + (uintptr_t)bit;
                if (its != access || at != to) {
                    if (access)
                        add_range(r, &ranges, from, to - from, access);
                    from = at;
                    access = its;
                }
                to = at + (uintptr_t)(end - bit);
            }
    if (access)
        add_range(r, &ranges, from, to - from, access);
    *n = ranges.too_many ? -1 : ranges.n;
    return ranges.at;
}

/* Memory moves in units of 64 bytes; a sector that is not written as a whole is read before. */
static void count_word(struct recorded_counts *c, uint64_t read, uint64_t write, uint64_t atomic)
{
    enum { UNIT_BYTES = 64 };
    const uint64_t low = UINT32_MAX, high = ~low;
    bool fills = atomic || ((write & low) && (write & low) != low) ||
                 ((write & high) && (write & high) != high);
    c->touched_bytes += read | write | atomic ? UNIT_BYTES : 0;
    c->dram_bytes += read || fills ? UNIT_BYTES : 0;
    c->dram_bytes += write | atomic ? UNIT_BYTES : 0;
}

static void count_page(struct recorded_counts *c, const struct recorded_page *p)
{
    const uint64_t *atomic = p->bits[RECORDED_ATOMIC];
    for (int word = 0; word < RECORD_WORDS; word++)
        count_word(c, p->bits[RECORDED_READ][word], p->bits[RECORDED_WRITE][word], atomic[word]);
    for (int word = 0; word < RECORD_WORDS; word += 2) /* a line is two of them */
        c->atomic_lines += (atomic[word] | atomic[word + 1]) != 0;
}

/* The counts of the sampled accesses, scaled to all accesses. */
static void scale_up(struct sample_counts *s, uint64_t words)
{
    double by = s->words ? (double)words / (double)s->words : 0;
    uint64_t *all[] = {&s->lines,
                       &s->hops,
                       &s->scattered,
                       &s->travels[RECORDED_READ],
                       &s->travels[RECORDED_WRITE],
                       &s->travels[RECORDED_ATOMIC]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = (uint64_t)(by * (double)*all[i]);
    s->words = words;
}

/* Of the recorded blocks' memory, for all blocks: each touches other memory of the same
 * allocations, until these have no more. */
static void add_scaled(struct recorded_counts *to, const struct recorded_counts *c, double by,
                       size_t room)
{
    double most = c->touched_bytes ? (double)room / (double)c->touched_bytes : 1;
    by = by < most ? by : most > 1 ? most : 1;
    to->touched_bytes += (uint64_t)(by * (double)c->touched_bytes);
    to->dram_bytes += (uint64_t)(by * (double)c->dram_bytes);
    to->atomic_lines += c->atomic_lines;
}

static void count_scaled(struct recorded_counts *c, const struct recording *r, double by)
{
    for (size_t i = 0; i < r->n_pages;) {
        struct recorded_counts part = {.words = 0};
        const struct allocation *a = first_allocation(r->pages[i]->at, RECORD_PAGE_BYTES);
        const size_t room = a ? a->hi - a->lo : RECORD_PAGE_BYTES;
        const uintptr_t end = a ? a->hi : 0;
        do
            count_page(&part, r->pages[i++]);
        while (i < r->n_pages && r->pages[i]->at < end);
        add_scaled(c, &part, by, room);
    }
    /* the other blocks' atomic operations: on the same lines, unless each was on one of its own */
    if (r->sample.travels[RECORDED_ATOMIC] < 2 * c->atomic_lines)
        c->atomic_lines = (uint64_t)(by * (double)c->atomic_lines);
}

struct recorded_counts recording_counts(const struct recording *r)
{
    const double by = r->n_recorded ? (double)r->n_blocks / (double)r->n_recorded : 1;
    struct recorded_counts c = {.words = r->words,
                                .recorded_words = r->words,
                                .operations = r->operations,
                                .longest_ns = r->longest_ns,
                                .sampled = r->sample};
    if (r->samples_only) {
        c.words = (uint64_t)(by * (double)r->words);
        c.operations = (uint64_t)(by * (double)r->operations);
        count_scaled(&c, r, by);
    }
    scale_up(&c.sampled, c.words);
    for (size_t i = 0; i < r->n_pages && !r->samples_only; i++)
        count_page(&c, r->pages[i]);
    return c;
}

/* ---- images ---------------------------------------------------------------------------------- */

enum which { BEFORE, SHOWN };

/* The range as it was; a page without an image is as it was. */
static bool unpack(const struct recording *r, const struct simgpu_range *range, unsigned char *out,
                   enum which which)
{
    bool any = false;
    uintptr_t at = (uintptr_t)range->base;
    for (size_t left = range->width_bytes; left;) {
        size_t offset = at % RECORD_PAGE_BYTES, part = RECORD_PAGE_BYTES - offset;
        if (part > left)
            part = left;
        const struct page_image *image = recording_image(r, at - offset);
        const unsigned char *from = !image                           ? (const unsigned char *)at
                                    : which == SHOWN && image->shown ? image->shown + offset
                                                                     : image->before + offset;
        any = any || (image && image->shown);
        memcpy(out, from, part);
        out += part;
        at += part;
        left -= part;
    }
    return any;
}

void recording_before(const struct recording *r, const struct simgpu_range *range,
                      unsigned char *out)
{
    unpack(r, range, out, BEFORE);
}

bool recording_shown(const struct recording *r, const struct simgpu_range *range,
                     unsigned char *out)
{
    return unpack(r, range, out, SHOWN);
}

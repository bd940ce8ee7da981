/* lent.c: host memory beside the judge's buffers that an adapter lends to the submission.
 *
 *     | guard: nothing | pages            data | guard: nothing |
 *
 * It ends where its pages end (to 16 bytes), as the buffers do. When it is taken back, its
 * addresses stay without memory until other memory is taken back: a pointer that was kept meets
 * nothing else. Results may come from what was copied from it before the run, and adapters read it.
 * So from labNN_setup, or the first run, on nobody can write there. */
#include <stdalign.h>
#include <stdio.h>
#include <sys/mman.h>

#include "common/memory_page.h"
#include "inside.h"

static struct lent {
    char name[WIRE_NAME];
    char *reserved; /* guard, pages, guard; NULL: nothing is lent */
    size_t reserved_bytes, data_bytes;
    const char *data;
} lent, expired;

void *subject_lend(struct subject *s, const char *name, size_t bytes)
{
    const size_t whole = memory_pages(bytes), guard = WIRE_GUARD_BYTES, all = whole + 2 * guard;
    char *p = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED || mprotect(p + guard, whole, PROT_READ | PROT_WRITE) != 0)
        subject_end(s, "the grader has no memory for %s", name);
    const size_t slack = (whole - bytes) / alignof(max_align_t) * alignof(max_align_t);
    lent = (struct lent){
        .reserved = p, .reserved_bytes = all, .data_bytes = bytes, .data = p + guard + slack};
    snprintf(lent.name, sizeof lent.name, "%s", name);
    subject_constants(lent.data, bytes);
    return p + guard + slack;
}

void subject_lent_is_filled(void)
{
    if (lent.reserved)
        mprotect(lent.reserved + WIRE_GUARD_BYTES, lent.reserved_bytes - 2 * WIRE_GUARD_BYTES,
                 PROT_READ);
}

void subject_take_back(void)
{
    if (!lent.reserved)
        return;
    if (expired.reserved)
        munmap(expired.reserved, expired.reserved_bytes);
    mprotect(lent.reserved, lent.reserved_bytes, PROT_NONE);
    subject_constants(NULL, 0);
    expired = lent;
    lent = (struct lent){.reserved = NULL};
}

static bool holds(const struct lent *memory, const void *address, int64_t *at)
{
    *at = (const char *)address - memory->data;
    return memory->reserved && is_beside(*at, memory->data_bytes);
}

void subject_lent_at_death(struct wire_fault *f)
{
    const void *address = (const void *)(uintptr_t)f->address;
    int64_t at;
    f->expired = holds(&expired, address, &at);
    if (!f->expired && !holds(&lent, address, &at))
        return;
    const struct lent *memory = f->expired ? &expired : &lent;
    f->offset = at;
    f->lent_bytes = memory->data_bytes;
    snprintf(f->lent, sizeof f->lent, "%s", memory->name);
}

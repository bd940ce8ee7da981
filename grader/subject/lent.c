/*
 * lent.c: host memory beside the judge's buffers that an adapter lends to the submission.
 *
 *     | guard: nothing | pages            data | guard: nothing |
 *
 * It ends where its pages end (to 16 bytes), as the buffers do.
 */
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
} lent;

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
    return p + guard + slack;
}

void subject_take_back(void)
{
    if (lent.reserved)
        munmap(lent.reserved, lent.reserved_bytes);
    lent = (struct lent){.reserved = NULL};
}

void subject_lent_at_death(struct wire_fault *f)
{
    const int64_t at = (int64_t)(f->address - (uintptr_t)lent.data);
    if (!lent.reserved || !is_beside(at, lent.data_bytes))
        return;
    f->offset = at;
    f->lent_bytes = lent.data_bytes;
    snprintf(f->lent, sizeof f->lent, "%s", lent.name);
}

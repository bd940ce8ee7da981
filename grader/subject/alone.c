/* alone.c: the lab's struct, which the submission gets, alone in memory.
 *
 *     | guard: nothing | slack | struct | guard: nothing |
 *                      ^ whole pages of a pattern
 *
 * A write behind the struct, and one far before it, ends the process at once. One just before it
 * changes the slack, which is looked at after each request, as are the members that are given. */
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "common/memory_page.h"
#include "inside.h"

enum { SLACK = 0xa5, MOST_GIVEN = 512 };

static struct alone {
    char *reserved; /* guard, pages, guard */
    size_t reserved_bytes;
    unsigned char *pages, *data;
    size_t page_bytes, data_bytes;
    unsigned char given[MOST_GIVEN]; /* a copy of the first given_bytes of the struct */
    size_t given_bytes;
} alone;

/* The room for so many bytes; false: there is none. */
static bool reserve(size_t bytes)
{
    const size_t whole = memory_pages(bytes), guard = WIRE_GUARD_BYTES;
    if (alone.reserved && alone.page_bytes == whole)
        return true;
    if (alone.reserved)
        munmap(alone.reserved, alone.reserved_bytes);
    void *p = mmap(NULL, whole + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    alone = (struct alone){0};
    if (p == MAP_FAILED || mprotect((char *)p + guard, whole, PROT_READ | PROT_WRITE) != 0)
        return false;
    alone = (struct alone){.reserved = p,
                           .reserved_bytes = whole + 2 * guard,
                           .pages = (unsigned char *)p + guard,
                           .page_bytes = whole};
    return true;
}

void *subject_alone(struct subject *s, size_t bytes)
{
    if (!reserve(bytes))
        subject_end(s, "the grader has no memory for the lab's struct");
    alone.data_bytes = bytes;
    alone.given_bytes = 0;
    alone.data =
        alone.pages + (alone.page_bytes - bytes) / alignof(max_align_t) * alignof(max_align_t);
    memset(alone.pages, SLACK, alone.page_bytes);
    memset(alone.data, 0, bytes);
    return alone.data;
}

void subject_keep_given(struct subject *s, size_t bytes)
{
    if (bytes > MOST_GIVEN)
        subject_end(s, "the lab's struct has %zu bytes of given members", bytes);
    alone.given_bytes = bytes;
    memcpy(alone.given, alone.data, bytes);
    subject_lent_is_filled();
}

bool subject_alone_holds(const void *address, uint64_t *bytes, int64_t *offset)
{
    const int64_t at = (int64_t)((uintptr_t)address - (uintptr_t)alone.data);
    if (!alone.data || !is_beside(at, alone.data_bytes))
        return false;
    *bytes = alone.data_bytes;
    *offset = at;
    return true;
}

/* The byte of the slack nearest to the struct that has changed; 0: none. */
static long long changed(void)
{
    for (const unsigned char *p = alone.data; p-- > alone.pages;)
        if (*p != SLACK)
            return p - alone.data;
    for (const unsigned char *p = alone.data + alone.data_bytes; p < alone.pages + alone.page_bytes;
         p++)
        if (*p != SLACK)
            return p - alone.data;
    return 0;
}

/* The adapter reads these members, and reports some of them. */
static int check_given(struct subject *s)
{
    size_t at = 0;
    while (at < alone.given_bytes && alone.data[at] == alone.given[at])
        at++;
    if (at == alone.given_bytes)
        return 0;
    memcpy(alone.data, alone.given, alone.given_bytes);
    char name[WIRE_WHAT];
    snprintf(name, sizeof name, "struct %s", s->lab->name);
    snprintf(s->reply.failure.text, sizeof s->reply.failure.text,
             "byte %zu of %s has changed; its first %zu bytes are given", at, name,
             alone.given_bytes);
    return subject_fail(s, WIRE_GIVEN_CHANGED, name);
}

int subject_alone_check(struct subject *s)
{
    const long long at = alone.data ? changed() : 0;
    if (at == 0)
        return check_given(s);
    memset(alone.pages, SLACK, (size_t)(alone.data - alone.pages));
    memset(alone.data + alone.data_bytes, SLACK,
           (size_t)(alone.pages + alone.page_bytes - alone.data) - alone.data_bytes);
    char name[WIRE_WHAT];
    snprintf(name, sizeof name, "struct %s", s->lab->name);
    snprintf(s->reply.failure.text, sizeof s->reply.failure.text,
             "a write to byte %lld of %s, which has %zu bytes", at, name, alone.data_bytes);
    return subject_fail(s, WIRE_BESIDE_STRUCT, name);
}

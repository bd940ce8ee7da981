/* waits.c: the events that streams have waited for. A list consists of calls and numbers of
 * streams, so a loop makes few different lists. */
#include <stddef.h>
#include <string.h>

#include "segment.h"

enum { MOST = 1 << 15, BUCKETS = 2 * MOST };

static struct {
    struct wait_list *lists; /* from number 1 on */
    int n;
    uint16_t *buckets; /* by hash: the first of those with it, or the next free one */
} waits;

static const struct wait_list none;

const struct wait_list *waits_of(uint16_t list)
{
    return list ? &waits.lists[list - 1] : &none;
}

static uint32_t hash_of(const struct wait_list *l)
{
    const size_t used = offsetof(struct wait_list, at) + (size_t)l->n * sizeof l->at[0];
    uint32_t hash = 2166136261u, word; /* FNV-1a, by words */
    for (size_t i = 0; i < used; i += sizeof word) {
        memcpy(&word, (const char *)l + i, sizeof word);
        hash = (hash ^ word) * 16777619u;
    }
    return hash ^ hash >> 16;
}

/* Its number. All of it is compared: what is not used is 0. */
static uint16_t keep(const struct wait_list *l)
{
    if (!waits.lists) {
        waits.lists = checks_alloc(MOST * sizeof *waits.lists);
        waits.buckets = checks_alloc(BUCKETS * sizeof *waits.buckets);
        memset(waits.buckets, 0, BUCKETS * sizeof *waits.buckets);
    }
    uint32_t at = hash_of(l) % BUCKETS;
    for (; waits.buckets[at]; at = (at + 1) % BUCKETS)
        if (memcmp(waits_of(waits.buckets[at]), l, sizeof *l) == 0)
            return waits.buckets[at];
    if (waits.n == MOST)
        return 0;
    waits.lists[waits.n++] = *l;
    return waits.buckets[at] = (uint16_t)waits.n;
}

uint16_t waits_in_capture(uint32_t capture, int stream)
{
    struct wait_list l;
    memset(&l, 0, sizeof l);
    l.capture = capture;
    l.stream = stream;
    return keep(&l);
}

uint16_t waits_without(uint16_t list)
{
    const struct wait_list *l = waits_of(list);
    return l->capture ? waits_in_capture(l->capture, l->stream) : 0;
}

uint16_t waits_and(uint16_t list, const struct simgpu_wait *newest)
{
    struct wait_list l = *waits_of(list);
    l.n += l.n < LISTED_WAITS;
    memmove(l.at + 1, l.at, (LISTED_WAITS - 1) * sizeof l.at[0]);
    l.at[0] = *newest;
    return keep(&l);
}

/* table.c: a hash table, see table.h. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "core.h"

static uint64_t key_of(const void *item)
{
    uint64_t key;
    memcpy(&key, item, sizeof key);
    return key;
}

/* The slot that holds the key, or the free one where it belongs. */
static void *slot_of(const struct table *t, size_t item_bytes, uint64_t key)
{
    size_t i = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    for (;; i++) {
        char *slot = t->slots + (i & (t->n_slots - 1)) * item_bytes;
        if (key_of(slot) == key || key_of(slot) == 0)
            return slot;
    }
}

static void grow(struct table *t, size_t item_bytes, const char *what)
{
    struct table more = {.n = t->n, .n_slots = t->n_slots ? 2 * t->n_slots : 64};
    more.slots = needed(calloc(more.n_slots, item_bytes), "%s", what);
    for (void *item = NULL; (item = table_next(t, item_bytes, item));)
        memcpy(slot_of(&more, item_bytes, key_of(item)), item, item_bytes);
    free(t->slots);
    *t = more;
}

void *table_find(const struct table *t, size_t item_bytes, uint64_t key)
{
    void *slot = t->n ? slot_of(t, item_bytes, key) : NULL;
    return slot && key_of(slot) ? slot : NULL;
}

void *table_add(struct table *t, size_t item_bytes, uint64_t key, const char *what)
{
    if (2 * (t->n + 1) > t->n_slots)
        grow(t, item_bytes, what);
    void *slot = slot_of(t, item_bytes, key);
    if (!key_of(slot)) {
        memcpy(slot, &key, sizeof key);
        t->n++;
    }
    return slot;
}

void *table_next(const struct table *t, size_t item_bytes, const void *item)
{
    char *end = t->slots + t->n_slots * item_bytes;
    char *at = item ? t->slots + ((const char *)item - t->slots) + item_bytes : t->slots;
    while (at < end && !key_of(at))
        at += item_bytes;
    return at < end ? at : NULL;
}

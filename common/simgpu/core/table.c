/* table.c: a hash table, see table.h. */
#include "table.h"

#include <stdlib.h>

#include "core.h"

static void grow(struct table *t, size_t item_bytes, const char *what)
{
    struct table more = {.n = t->n, .n_slots = t->n_slots ? 2 * t->n_slots : 64};
    more.slots = needed(calloc(more.n_slots, item_bytes), "%s", what);
    for (void *item = NULL; (item = table_next(t, item_bytes, item));)
        memcpy(table_slot(&more, item_bytes, table_key(item)), item, item_bytes);
    free(t->slots);
    *t = more;
}

void *table_add(struct table *t, size_t item_bytes, uint64_t key, const char *what)
{
    if (2 * (t->n + 1) > t->n_slots)
        grow(t, item_bytes, what);
    void *slot = table_slot(t, item_bytes, key);
    if (!table_key(slot)) {
        memcpy(slot, &key, sizeof key);
        t->n++;
    }
    return slot;
}

void *table_next(const struct table *t, size_t item_bytes, const void *item)
{
    char *end = t->slots + t->n_slots * item_bytes;
    char *at = item ? t->slots + ((const char *)item - t->slots) + item_bytes : t->slots;
    while (at < end && !table_key(at))
        at += item_bytes;
    return at < end ? at : NULL;
}

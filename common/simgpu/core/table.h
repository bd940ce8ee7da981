/* table.h: a hash table of items of one size. Each begins with its key of 64 bits: a number or an
 * address, not 0. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct table {
    char *slots; /* open addressing; a power of two of them, at most half of them used */
    size_t n, n_slots;
};

static inline uint64_t table_key(const void *item)
{
    uint64_t key;
    memcpy(&key, item, sizeof key);
    return key;
}

/* The slot that holds the key, or the free one where it belongs; there are slots. */
static inline char *table_slot(const struct table *t, size_t item_bytes, uint64_t key)
{
    size_t i = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    for (;; i++) {
        char *slot = t->slots + (i & (t->n_slots - 1)) * item_bytes;
        if (table_key(slot) == key || table_key(slot) == 0)
            return slot;
    }
}

/* The item with the key; NULL: there is none. */
static inline void *table_find(const struct table *t, size_t item_bytes, uint64_t key)
{
    char *slot = t->n ? table_slot(t, item_bytes, key) : NULL;
    return slot && table_key(slot) ? slot : NULL;
}

/* The same; where there is none, a new item that is otherwise zero. Then the others may move. */
void *table_add(struct table *t, size_t item_bytes, uint64_t key, const char *what);
/* The item after this one, or the first one (NULL), in no order; NULL: that was the last. */
void *table_next(const struct table *t, size_t item_bytes, const void *item);

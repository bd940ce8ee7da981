/* table.h: a hash table of items of one size. Each begins with its key of 64 bits: a number or an
 * address, not 0. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct table {
    char *slots; /* open addressing; a power of two of them, at most half of them used */
    size_t n, n_slots;
};

/* The item with the key; NULL: there is none. */
void *table_find(const struct table *t, size_t item_bytes, uint64_t key);
/* The same; where there is none, a new one that is otherwise zero. Then the others may move. */
void *table_add(struct table *t, size_t item_bytes, uint64_t key, const char *what);
/* The item after this one, or the first one (NULL), in no order; NULL: that was the last. */
void *table_next(const struct table *t, size_t item_bytes, const void *item);

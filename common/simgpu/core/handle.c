/* handle.c: the handles that are alive. A program can pass any pointer as a handle. A destroyed or
 * invented one must be recognized without reading the memory at the pointer. */
#include <stdlib.h>

#include "core.h"

/* Open addressing with linear probing; a removed entry keeps its place with type HANDLE_NONE until
 * the next growth. */
struct slot {
    const void *p; /* NULL: never used */
    enum handle_type type;
    uint32_t caller;
};

static struct {
    struct slot *slots;
    size_t cap, used; /* used counts removed entries too */
} table;

static size_t place(const void *p)
{
    return (size_t)(((uintptr_t)p >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (table.cap - 1);
}

static struct slot *find(const void *p)
{
    if (!table.cap)
        return NULL;
    for (size_t i = place(p); table.slots[i].p; i = (i + 1) & (table.cap - 1))
        if (table.slots[i].p == p)
            return &table.slots[i];
    return NULL;
}

static void put(struct slot new)
{
    size_t i = place(new.p);
    while (table.slots[i].p)
        i = (i + 1) & (table.cap - 1);
    table.slots[i] = new;
    table.used++;
}

static void grow(void)
{
    struct slot *old = table.slots;
    size_t old_cap = table.cap, live = 0;
    for (size_t i = 0; i < old_cap; i++)
        live += old[i].type != HANDLE_NONE;
    table.cap = 64;
    while (table.cap < 4 * (live + 1))
        table.cap *= 2;
    table.slots = needed(calloc(table.cap, sizeof *table.slots), "%zu handles", live);
    table.used = 0;
    for (size_t i = 0; i < old_cap; i++)
        if (old[i].type != HANDLE_NONE)
            put(old[i]);
    free(old);
}

void handle_add(const void *p, enum handle_type type)
{
    const struct slot new = {p, type, call_place().at};
    struct slot *known = find(p);
    if (known) {
        *known = new;
        return;
    }
    if (2 * (table.used + 1) > table.cap)
        grow();
    put(new);
}

void handle_remove(const void *p)
{
    struct slot *known = find(p);
    if (known)
        known->type = HANDLE_NONE;
}

enum handle_type handle_type_of(const void *p)
{
    struct slot *known = p ? find(p) : NULL;
    return known ? known->type : HANDLE_NONE;
}

bool handle_was_alive(const void *p)
{
    const struct slot *known = find(p);
    return known && known->type == HANDLE_NONE;
}

uint32_t handle_caller(const void *p)
{
    const struct slot *known = find(p);
    return known ? known->caller : 0;
}

void handle_each(enum handle_type type, void (*fn)(void *p, void *arg), void *arg)
{
    for (size_t i = 0; i < table.cap; i++)
        if (table.slots[i].type == type)
            fn((void *)(uintptr_t)table.slots[i].p, arg);
}

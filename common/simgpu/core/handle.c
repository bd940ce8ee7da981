/* handle.c: the handles that are alive. A program can pass any pointer as a handle. A destroyed or
 * invented one must be recognized without reading the memory at the pointer. */
#include <stdlib.h>

#include "core.h"
#include "table.h"

/* A removed one keeps its place with type HANDLE_NONE until there is no room. */
struct slot {
    const void *p;
    enum handle_type type;
    uint32_t caller;
};

static struct table table;

static struct slot *find(const void *p)
{
    return table_find(&table, sizeof(struct slot), (uintptr_t)p);
}

static void put(struct slot new)
{
    struct slot *slot = table_add(&table, sizeof new, (uintptr_t) new.p, "handles");
    *slot = new;
}

/* Not if most are alive: the table would be full again soon, so it grows. */
static void drop_removed(void)
{
    size_t n_alive = 0;
    for (const struct slot *s = NULL; (s = table_next(&table, sizeof *s, s));)
        n_alive += s->type != HANDLE_NONE;
    if (4 * n_alive > table.n_slots)
        return;
    const struct table old = table;
    table = (struct table){0};
    for (const struct slot *s = NULL; (s = table_next(&old, sizeof *s, s));)
        if (s->type != HANDLE_NONE)
            put(*s);
    free(old.slots);
}

void handle_add(const void *p, enum handle_type type)
{
    if (2 * (table.n + 1) > table.n_slots && !find(p))
        drop_removed();
    put((struct slot){p, type, call_place().at});
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
    for (const struct slot *s = NULL; (s = table_next(&table, sizeof *s, s));)
        if (s->type == type)
            fn((void *)(uintptr_t)s->p, arg);
}

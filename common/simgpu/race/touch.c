/*
 * touch.c: the operations that histories remember, and the lists of those that only read.
 */
#include <stdio.h>
#include <string.h>

#include "segment.h"

struct name {
    struct name *next;
    char text[sizeof((struct simgpu_site *)0)->name];
};

/* The one copy of a name. There are as many as a program has kernels and kinds of calls. */
static const char *name_keep(const char *text)
{
    enum { BUCKETS = 1024 };
    static struct name *names[BUCKETS];
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (const char *c = text; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    struct name **bucket = &names[(hash ^ hash >> 16) % BUCKETS];
    for (struct name *n = *bucket; n; n = n->next) {
        if (strcmp(n->text, text) == 0)
            return n->text;
    }
    struct name *n = checks_alloc(sizeof *n);
    snprintf(n->text, sizeof n->text, "%s", text);
    n->next = *bucket;
    *bucket = n;
    return n->text;
}

/* ---- touches --------------------------------------------------------------------------------- */

static struct cells touch_cells = {.bytes = sizeof(struct touch)};

/* The newest: an operation with several ranges is one touch, so that its segments can be equal. */
static struct touch *recent;

struct touch *touch_new(const struct epoch *epoch, const struct simgpu_site *site)
{
    struct touch *t = cell_get(&touch_cells);
    *t = (struct touch){.refs = 1,
                        .epoch = epoch_copy(epoch),
                        .name = name_keep(site->name),
                        .stream = site->stream,
                        .node = site->node,
                        .graph = site->graph,
                        .index = site->index,
                        .is_early = site->is_early,
                        .is_staged = site->is_staged,
                        .waits = site->waits,
                        .caller = site->caller,
                        .run = lineage_run()};
    check_counts.touches_alive++;
    return t;
}

void touch_put(struct touch *t)
{
    if (!t || --t->refs)
        return;
    epoch_drop(&t->epoch);
    cell_put(&touch_cells, t);
    check_counts.touches_alive--;
}

static bool is_recent(const struct epoch *epoch, const struct simgpu_site *site, bool atomic)
{
    return recent && recent->atomic == atomic && recent->epoch.clock_id == epoch->clock_id &&
           recent->epoch.seq == epoch->seq && recent->stream == site->stream &&
           recent->node == site->node && recent->graph == site->graph &&
           recent->index == site->index && strcmp(recent->name, site->name) == 0;
}

struct touch *touch_of(const struct epoch *epoch, const struct simgpu_site *site, bool atomic)
{
    if (!is_recent(epoch, site, atomic)) {
        touch_put(recent);
        recent = touch_new(epoch, site);
        recent->atomic = atomic;
    }
    return recent;
}

void touch_forget(void)
{
    touch_put(recent);
    recent = NULL;
}

struct simgpu_site touch_site(const struct touch *t)
{
    struct simgpu_site site = {.stream = t->stream,
                               .node = t->node,
                               .index = t->index,
                               .graph = t->graph,
                               .is_early = t->is_early,
                               .is_staged = t->is_staged,
                               .waits = t->waits,
                               .caller = t->caller};
    snprintf(site.name, sizeof site.name, "%s", t->name);
    return site;
}

/* ---- readers --------------------------------------------------------------------------------- */

static struct cells reader_cells = {.bytes = sizeof(struct reader)};

static struct reader *reader_remove(struct reader **place)
{
    struct reader *r = *place;
    *place = r->next;
    touch_put(r->touch);
    return r;
}

static void reader_insert(struct reader **place, struct touch *t)
{
    struct reader *r = cell_get(&reader_cells);
    *r = (struct reader){.touch = t, .next = *place};
    t->refs++;
    *place = r;
}

void readers_free(struct reader **list)
{
    while (*list)
        cell_put(&reader_cells, reader_remove(list));
}

void readers_after(struct reader **list, const struct epoch *s)
{
    while (*list) {
        if (epoch_before(s, &(*list)->touch->epoch))
            list = &(*list)->next;
        else
            cell_put(&reader_cells, reader_remove(list));
    }
}

void readers_copy(struct reader **list, const struct reader *from)
{
    for (; from; from = from->next) {
        reader_insert(list, from->touch);
        list = &(*list)->next;
    }
}

bool readers_equal(const struct reader *a, const struct reader *b)
{
    while (a && b && a->touch == b->touch) {
        a = a->next;
        b = b->next;
    }
    return !a && !b;
}

void readers_add(struct reader **list, struct touch *t)
{
    struct reader **place = NULL;
    while (*list) {
        if (!place && (*list)->touch->epoch.clock_id >= t->epoch.clock_id)
            place = list;
        if (epoch_before(&(*list)->touch->epoch, &t->epoch))
            cell_put(&reader_cells, reader_remove(list));
        else
            list = &(*list)->next;
    }
    reader_insert(place ? place : list, t);
}

/* frontier.c: the nodes that the next node of a captured stream will wait for, each with the data
 * of its edge. An event recorded in a capture keeps a copy; a fork takes it over, a join unites
 * two. */
#include <stdlib.h>

#include "graph.h"

static struct frontier frontier_of(int room)
{
    struct frontier f = {malloc(((size_t)room + 1) * sizeof *f.nodes),
                         calloc((size_t)room + 1, sizeof *f.data), 0};
    if (!f.nodes || !f.data)
        fatal("out of memory for the %d dependencies of a captured stream", room);
    return f;
}

void frontier_clear(struct frontier *f)
{
    free(f->nodes);
    free(f->data);
    *f = (struct frontier){NULL, NULL, 0};
}

static void append(struct frontier *f, const struct frontier *from, int i)
{
    f->nodes[f->n] = from->nodes[i];
    if (from->data)
        f->data[f->n] = from->data[i];
    f->n++;
}

static bool holds(const struct frontier *f, const struct node *n)
{
    for (int i = 0; i < f->n; i++)
        if (f->nodes[i] == n)
            return true;
    return false;
}

void frontier_unite(struct frontier *f, const struct frontier *more)
{
    struct frontier all = frontier_of(f->n + more->n);
    for (int i = 0; i < f->n; i++)
        append(&all, f, i);
    for (int i = 0; i < more->n; i++)
        if (!holds(&all, more->nodes[i]))
            append(&all, more, i);
    frontier_clear(f);
    *f = all;
}

void frontier_set(struct frontier *f, const struct frontier *to)
{
    struct frontier fresh = {NULL, NULL, 0};
    frontier_unite(&fresh, to);
    frontier_clear(f);
    *f = fresh;
}

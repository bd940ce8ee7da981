/* model.c: a cache with a budget, least recently used first out. */
#include "expected.h"

#include <string.h>

static void take_out(struct model *m, int at)
{
    m->floats -= 2 * m->shapes[at].n;
    m->n--;
    memmove(&m->shapes[at], &m->shapes[at + 1], (size_t)(m->n - at) * sizeof *m->shapes);
}

struct model_step model_serve(struct model *m, struct lab09_shape shape)
{
    struct model_step step = {0};
    for (int i = 0; i < m->n && !step.hit; i++)
        if (m->shapes[i].n == shape.n && m->shapes[i].n_steps == shape.n_steps) {
            step.hit = true;
            take_out(m, i);
        }
    while (!step.hit && (m->n == m->max_execs || m->floats + 2 * shape.n > m->max_floats)) {
        step.updated = step.updated || m->shapes[0].n_steps == shape.n_steps;
        step.evicted++;
        take_out(m, 0);
    }
    m->shapes[m->n++] = shape;
    m->floats += 2 * shape.n;
    return step;
}

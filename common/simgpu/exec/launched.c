/* launched.c: the graphs that the launches of this run were instantiated from. A graded program
 * shows a graph; the graph that runs must be that graph. */
#include "exec.h"

enum { MOST_LAUNCHED = 256 };

/* Launches of executable graphs that were instantiated from, or updated to, one graph. */
struct launched {
    uint64_t graph; /* its uid */
    int n_nodes;    /* that it had then */
    size_t n_edges;
    size_t launches;
};

static struct launched launched[MOST_LAUNCHED];
static int n_launched;
static size_t n_launches; /* of these graphs, and of those that there is no room for */
static uint32_t of_run;

static void begin_run(void)
{
    if (of_run == lineage_run())
        return;
    of_run = lineage_run();
    n_launched = 0;
    n_launches = 0;
}

static struct launched *find(const struct launched *wanted)
{
    for (int i = 0; i < n_launched; i++) {
        struct launched *l = &launched[i];
        if (l->graph == wanted->graph && l->n_nodes == wanted->n_nodes &&
            l->n_edges == wanted->n_edges)
            return l;
    }
    return NULL;
}

void launched_note(const struct exec *x)
{
    const struct graph *g = x->shape;
    const struct launched one = {g->origin, g->n_nodes, g->n_edges, 0};
    begin_run();
    n_launches++;
    struct launched *l = find(&one);
    if (!l && n_launched < MOST_LAUNCHED) {
        l = &launched[n_launched++];
        *l = one;
    }
    if (l)
        l->launches++;
}

EXPORT size_t simgpu_graph_launches(const void *handle)
{
    const struct graph *g = handle;
    struct thread_state *t = thread_self();
    size_t n = 0;
    device_lock(t);
    begin_run();
    if (!g) {
        n = n_launches;
    } else if (handle_type_of(handle) == HANDLE_GRAPH) {
        const struct launched *l = find(&(struct launched){g->uid, g->n_nodes, g->n_edges, 0});
        n = l ? l->launches : 0;
    }
    device_unlock(t);
    return n;
}

EXPORT uint64_t simgpu_graph_number(const void *handle)
{
    struct thread_state *t = thread_self();
    device_lock(t);
    const uint64_t number =
        handle_type_of(handle) == HANDLE_GRAPH ? ((const struct graph *)handle)->uid : 0;
    device_unlock(t);
    return number;
}

EXPORT size_t simgpu_number_launches(uint64_t number)
{
    struct thread_state *t = thread_self();
    size_t n = 0;
    device_lock(t);
    begin_run();
    for (int i = 0; i < n_launched; i++)
        n += launched[i].graph == number ? launched[i].launches : 0;
    device_unlock(t);
    return n;
}

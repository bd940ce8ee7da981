/* timeline.c: arranges a trace: the row and the batch of each bar. */
#include "timeline.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 4, MOST_NAMES = 64, MOST_GRAPHS = 12 };

static const struct {
    const char *engine, *label;
} order[] = {{"h2d", "H2D"}, {"sm", "compute"},   {"p2p", "P2P"},  {"d2h", "D2H"},
             {"d2d", "D2D"}, {"host", "host fn"}, {"api", "calls"}};
enum { N_ENGINES = sizeof order / sizeof order[0] };

static int is_call(const struct trace_row *r)
{
    return strcmp(r->engine, "api") == 0;
}

static int is_graph(const struct trace_row *r)
{
    return strcmp(r->engine, "graph") == 0;
}

int timeline_host_computes(const char *name)
{
    return strcmp(name, "computing") == 0;
}

int timeline_call_waits(const char *name)
{
    size_t length = strlen(name);
    int async = length >= 5 && strcmp(name + length - 5, "Async") == 0;
    return strstr(name, "Synchronize") || (!async && strncmp(name, "cudaMemcpy", 10) == 0);
}

void timeline_source(const struct trace *t, char *text, size_t room)
{
    int simulated = strncmp(t->device, "Simulated", 9) == 0;
    snprintf(text, room, "%s%s", t->device[0] ? t->device : "device not stated",
             simulated      ? ", virtual time"
             : t->device[0] ? ", traced by CUPTI"
                            : "");
}

/* ---- batches --------------------------------------------------------------------------------- */

/* How often each kind of operation (device, engine and name) occurs; the least of them is the
 * number of batches. */
struct kind {
    int device;
    const char *engine, *name;
    int n, given;
};

static struct kind *kind_of(struct kind *kinds, int *n, const struct trace_row *r)
{
    for (int i = 0; i < *n; i++)
        if (kinds[i].device == r->device && strcmp(kinds[i].engine, r->engine) == 0 &&
            strcmp(kinds[i].name, r->name) == 0)
            return &kinds[i];
    if (*n == MOST_NAMES)
        return NULL;
    kinds[*n] = (struct kind){r->device, r->engine, r->name, 0, 0};
    return &kinds[(*n)++];
}

/* Batches are known where every kind of work occurs a whole number of times a batch: the k-th
 * occurrence of a kind with m a batch belongs to batch k / m. Memsets, graphs as a whole and
 * runtime calls do not count. */
static void number_batches(struct timeline *l)
{
    struct kind kinds[MOST_NAMES];
    int n = 0, least = 0;

    for (size_t i = 0; i < l->n_bars; i++) {
        const struct trace_row *r = l->bars[i].operation;
        l->bars[i].batch = -1;
        if (is_call(r) || is_graph(r) || strcmp(r->name, "memset") == 0)
            continue;
        struct kind *k = kind_of(kinds, &n, r);
        if (!k)
            return;
        k->n++;
    }
    for (int i = 0; i < n; i++)
        least = least == 0 || kinds[i].n < least ? kinds[i].n : least;
    if (least < 2)
        return;
    for (int i = 0; i < n; i++)
        if (kinds[i].n % least != 0)
            return;
    l->n_batches = least;
    for (size_t i = 0; i < l->n_bars; i++) {
        const struct trace_row *r = l->bars[i].operation;
        struct kind *k = is_call(r) || is_graph(r) ? NULL : kind_of(kinds, &n, r);
        if (k && k->n)
            l->bars[i].batch = k->given++ / (k->n / least);
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static struct timeline_row *row_new(struct timeline *l)
{
    struct timeline_row *more = realloc(l->rows, (size_t)(l->n_rows + 1) * sizeof *more);
    if (!more)
        return NULL;
    l->rows = more;
    return memset(&more[l->n_rows++], 0, sizeof *more);
}

static int devices_of(const struct trace *t)
{
    int most = 0;
    for (size_t i = 0; i < t->n_rows; i++)
        most = t->rows[i].device > most ? t->rows[i].device : most;
    return most + 1;
}

/* The operations of one row and of the rows below it that have its concurrent work. */
struct choice {
    const struct trace *trace;
    int device;
    const char *engine; /* NULL: any but calls */
    int stream;         /* -1: any */
    const char *label;
    int64_t graph; /* of graphs only this one; 0: any */
};

static int chosen(const struct choice *c, const struct trace_row *r)
{
    if (r->device != c->device)
        return 0;
    if (c->engine)
        return strcmp(r->engine, c->engine) == 0 && (c->graph == 0 || r->node == c->graph);
    return !is_call(r) && !is_graph(r) && r->stream == c->stream;
}

/* Gives each row the first depth that is free when it starts; the last depth takes what is left. */
static int fill_rows(struct timeline *l, const struct choice *c, int many_devices)
{
    double free_at[MOST_DEPTH], busy_until = 0, busy_us = 0;
    int first = -1, n_depths = 0, spread = c->engine && strcmp(c->engine, "api") != 0;

    for (size_t i = 0; i < c->trace->n_rows; i++) {
        const struct trace_row *r = &c->trace->rows[i];
        int depth = 0;
        if (!chosen(c, r))
            continue;
        while (spread && depth < n_depths && depth < MOST_DEPTH - 1 &&
               free_at[depth] > r->start_us + 1e-6)
            depth++;
        if (depth == n_depths) {
            struct timeline_row *row = row_new(l);
            if (!row)
                return -1;
            if (depth == 0)
                first = l->n_rows - 1;
            if (many_devices)
                snprintf(row->label, sizeof row->label, "%d %s", c->device, depth ? "" : c->label);
            else
                snprintf(row->label, sizeof row->label, "%s", depth ? "" : c->label);
            snprintf(row->engine, sizeof row->engine, "%s", c->engine ? c->engine : "");
            row->device = c->device;
            row->stream = c->stream;
            row->depth = depth;
            free_at[n_depths++] = 0;
        }
        free_at[depth] = r->end_us > free_at[depth] ? r->end_us : free_at[depth];
        double from = r->start_us > busy_until ? r->start_us : busy_until;
        busy_us += r->end_us > from ? r->end_us - from : 0;
        busy_until = r->end_us > busy_until ? r->end_us : busy_until;
        l->bars[l->n_bars++] = (struct bar){r, first + depth, -1};
    }
    if (first >= 0)
        l->rows[first].busy_us = busy_us;
    return 0;
}

static int by_start(const void *a, const void *b)
{
    const struct trace_row *x = ((const struct bar *)a)->operation,
                           *y = ((const struct bar *)b)->operation;
    return (x > y) - (x < y); /* rows of a trace lie in order of start */
}

static void measure(struct timeline *l, const struct trace *t)
{
    double first = 0, last = 0;
    int any = 0;
    for (size_t i = 0; i < t->n_rows; i++) {
        const struct trace_row *r = &t->rows[i];
        l->from_us = i == 0 || r->start_us < l->from_us ? r->start_us : l->from_us;
        l->to_us = i == 0 || r->end_us > l->to_us ? r->end_us : l->to_us;
        if (is_call(r))
            continue;
        first = !any || r->start_us < first ? r->start_us : first;
        last = !any || r->end_us > last ? r->end_us : last;
        any = 1;
    }
    l->work_us = last - first;
}

/* A row for each graph, the lowest number first, up to MOST_GRAPHS. */
static int fill_graphs(struct timeline *l, const struct trace *t, int device, int many_devices)
{
    int64_t last = 0;
    for (int n = 0; n < MOST_GRAPHS; n++) {
        int64_t next = INT64_MAX;
        for (size_t i = 0; i < t->n_rows; i++) {
            const struct trace_row *r = &t->rows[i];
            if (is_graph(r) && r->device == device && r->node > last && r->node < next)
                next = r->node;
        }
        if (next == INT64_MAX)
            return 0;
        char label[24];
        snprintf(label, sizeof label, "graph %lld", (long long)next);
        if (fill_rows(l, &(struct choice){t, device, "graph", -1, label, next}, many_devices) != 0)
            return -1;
        last = next;
    }
    return 0;
}

static int fill_all(struct timeline *l, const struct trace *t, enum timeline_by by)
{
    int devices = devices_of(t), most_stream = 0;
    for (size_t i = 0; i < t->n_rows; i++)
        most_stream = t->rows[i].stream > most_stream ? t->rows[i].stream : most_stream;
    for (int d = 0; d < devices; d++) {
        for (int s = 0; by == TIMELINE_BY_STREAM && s <= most_stream; s++) {
            char label[24];
            snprintf(label, sizeof label, s ? "stream %d" : "legacy", s);
            if (fill_rows(l, &(struct choice){t, d, NULL, s, label, 0}, devices > 1) != 0)
                return -1;
        }
        for (int e = by == TIMELINE_BY_STREAM ? N_ENGINES - 1 : 0; e < N_ENGINES; e++) {
            if (e == N_ENGINES - 1 && by == TIMELINE_BY_ENGINE && fill_graphs(l, t, d, devices > 1))
                return -1;
            if (fill_rows(l, &(struct choice){t, d, order[e].engine, -1, order[e].label, 0},
                          devices > 1) != 0)
                return -1;
        }
    }
    return 0;
}

double timeline_span_us(const struct trace *t)
{
    struct timeline l = {0};
    measure(&l, t);
    return l.to_us - l.from_us;
}

int timeline_arrange(struct timeline *out, const struct trace *t, enum timeline_by by)
{
    memset(out, 0, sizeof *out);
    measure(out, t);
    out->bars = calloc(t->n_rows ? t->n_rows : 1, sizeof *out->bars);
    if (!out->bars || fill_all(out, t, by) != 0) {
        timeline_free(out);
        return -1;
    }
    qsort(out->bars, out->n_bars, sizeof *out->bars, by_start);
    number_batches(out);
    return 0;
}

void timeline_free(struct timeline *l)
{
    free(l->rows);
    free(l->bars);
    memset(l, 0, sizeof *l);
}

unsigned timeline_color(const struct trace_row *operation, bool second)
{
    static const struct {
        const char *engine;
        unsigned first, second;
    } all[] = {{"h2d", 0x56b4e9, 0xa3d6f3}, {"sm", 0xe69f00, 0xf2c14e},
               {"d2h", 0x33b48f, 0x8ad8c0}, {"d2d", 0xcc79a7, 0xdda3c4},
               {"p2p", 0xcc79a7, 0xdda3c4}, {"host", 0xd55e00, 0xe58a45},
               {"api", 0xc8c8c8, 0xc8c8c8}};
    const char *engine = operation->engine;
    if (strcmp(engine, "api") == 0 && timeline_host_computes(operation->name))
        return 0xd55e00;
    if (strcmp(engine, "api") == 0 && timeline_call_waits(operation->name))
        return 0x777777;
    if (strcmp(engine, "graph") == 0) /* launched by the host, as a tail, or fire-and-forget */
        return operation->name[0] == 'h'   ? 0x332288
               : operation->name[0] == 't' ? 0x0072b2
                                           : 0x999933;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(engine, all[i].engine) == 0)
            return second ? all[i].second : all[i].first;
    return 0x777777;
}

/* trace.c: counts, sums and overlaps of the rows of a trace. */
#include "trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool name_matches(const char *name, const char *expected)
{
    if (!expected)
        return true;
    size_t n = strlen(expected);
    if (n && expected[n - 1] == '*')
        return strncmp(name, expected, n - 1) == 0;
    return strcmp(name, expected) == 0;
}

bool trace_is(const struct trace_row *row, const char *engine, const char *name)
{
    return (!engine || strcmp(row->engine, engine) == 0) && name_matches(row->name, name);
}

static bool is_device_work(const struct trace_row *row)
{
    return strcmp(row->engine, "api") != 0;
}

size_t trace_count(const struct trace *t, const char *engine, const char *name)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_rows; i++)
        n += trace_is(&t->rows[i], engine, name);
    return n;
}

double trace_bytes(const struct trace *t, const char *engine, const char *name)
{
    double bytes = 0;
    for (size_t i = 0; i < t->n_rows; i++)
        if (trace_is(&t->rows[i], engine, name))
            bytes += (double)t->rows[i].bytes;
    return bytes;
}

const struct trace_row *trace_first(const struct trace *t, const char *engine, const char *name)
{
    const struct trace_row *first = NULL;
    for (size_t i = 0; i < t->n_rows; i++)
        if (trace_is(&t->rows[i], engine, name) &&
            (!first || t->rows[i].start_us < first->start_us))
            first = &t->rows[i];
    return first;
}

const struct trace_row *trace_last(const struct trace *t, const char *engine, const char *name)
{
    const struct trace_row *last = NULL;
    for (size_t i = 0; i < t->n_rows; i++)
        if (trace_is(&t->rows[i], engine, name) && (!last || t->rows[i].end_us > last->end_us))
            last = &t->rows[i];
    return last;
}

double trace_sum_us(const struct trace *t, const char *engine, const char *name)
{
    double sum = 0;
    for (size_t i = 0; i < t->n_rows; i++)
        if (trace_is(&t->rows[i], engine, name))
            sum += t->rows[i].end_us - t->rows[i].start_us;
    return sum;
}

/* ---- sweeps: starts and ends in order of time ------------------------------------------------ */

struct edge {
    double at_us;
    int set;  /* 0 or 1 */
    int step; /* +1: a row starts, -1: it ends */
};

/* At the same instant ends come first: rows that only touch do not overlap. */
static int by_time(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    if (x->at_us != y->at_us)
        return x->at_us < y->at_us ? -1 : 1;
    return x->step - y->step;
}

static size_t add_edges(const struct trace *t, const char *engine, const char *name, int set,
                        struct edge *edges, size_t n)
{
    for (size_t i = 0; i < t->n_rows; i++) {
        if (!trace_is(&t->rows[i], engine, name))
            continue;
        edges[n++] = (struct edge){t->rows[i].start_us, set, 1};
        edges[n++] = (struct edge){t->rows[i].end_us, set, -1};
    }
    return n;
}

/* What one sweep over up to two sets of rows finds. */
struct sweep {
    double busy_us[2]; /* each set had something running */
    double both_us;    /* both had */
};

static struct sweep sweep(struct edge *edges, size_t n)
{
    struct sweep s = {{0, 0}, 0};
    int running[2] = {0, 0};
    qsort(edges, n, sizeof *edges, by_time);
    for (size_t i = 0; i < n; i++) {
        double passed = i ? edges[i].at_us - edges[i - 1].at_us : 0;
        for (int set = 0; set < 2; set++)
            s.busy_us[set] += running[set] ? passed : 0;
        s.both_us += running[0] && running[1] ? passed : 0;
        running[edges[i].set] += edges[i].step;
    }
    return s;
}

static struct sweep sweep_sets(const struct trace *t, const char *engine, const char *name,
                               const char *other)
{
    struct sweep nothing = {{0, 0}, 0};
    struct edge *edges = malloc((4 * t->n_rows + 1) * sizeof *edges);
    if (!edges)
        return nothing;
    size_t n = add_edges(t, engine, name, 0, edges, 0);
    if (other)
        n = add_edges(t, other, NULL, 1, edges, n);
    struct sweep s = sweep(edges, n);
    free(edges);
    return s;
}

double trace_busy_us(const struct trace *t, const char *engine, const char *name)
{
    return sweep_sets(t, engine, name, NULL).busy_us[0];
}

double trace_overlap_us(const struct trace *t, const char *engine, const char *other)
{
    return sweep_sets(t, engine, NULL, other).both_us;
}

double trace_overlap_fraction(const struct trace *t, const char *engine, const char *other)
{
    struct sweep s = sweep_sets(t, engine, NULL, other);
    double less = s.busy_us[0] < s.busy_us[1] ? s.busy_us[0] : s.busy_us[1];
    return less > 0 ? s.both_us / less : 0;
}

/* ---- streams and calls ----------------------------------------------------------------------- */

size_t trace_streams(const struct trace *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_rows; i++) {
        bool known = !is_device_work(&t->rows[i]);
        for (size_t k = 0; k < i && !known; k++)
            known = is_device_work(&t->rows[k]) && t->rows[k].stream == t->rows[i].stream;
        n += !known;
    }
    return n;
}

bool trace_uses_legacy_stream(const struct trace *t)
{
    for (size_t i = 0; i < t->n_rows; i++)
        if (is_device_work(&t->rows[i]) && t->rows[i].stream == 0)
            return true;
    return false;
}

static bool began_between(const struct trace_row *row, double from_us, double to_us)
{
    return row->start_us > from_us && row->start_us < to_us;
}

size_t trace_calls_between(const struct trace *t, const char *name, double from_us, double to_us)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_rows; i++)
        n += trace_is(&t->rows[i], "api", name) && began_between(&t->rows[i], from_us, to_us);
    return n;
}

size_t trace_calls(const struct trace *t, const char *name)
{
    return trace_count(t, "api", name);
}

static bool makes_host_wait(const char *call)
{
    static const char *const waits[] = {"cudaDeviceSynchronize", "cudaStreamSynchronize",
                                        "cudaEventSynchronize",  "cudaMemcpy",
                                        "cudaMemcpy2D",          "cudaMemcpy3D",
                                        "cudaMemcpyPeer",        "cudaStreamQuery",
                                        "cudaEventQuery",        "cudaFree",
                                        "cudaFreeHost",          "cudaMemcpyToSymbol",
                                        "cudaMemcpyFromSymbol",  "cudaHostUnregister"};
    for (size_t i = 0; i < sizeof waits / sizeof waits[0]; i++)
        if (strcmp(call, waits[i]) == 0)
            return true;
    return false;
}

size_t trace_creations(const struct trace *t, double to_us)
{
    static const char *const names[] = {"cudaMalloc*", "cudaHostAlloc*", "cudaStreamCreate*",
                                        "cudaEventCreate*"};
    size_t n = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        n += trace_calls_between(t, names[i], -1, to_us);
    return n;
}

size_t trace_setup_calls(const struct trace *t)
{
    return trace_creations(t, INFINITY) - trace_calls(t, "cudaMallocAsync*") -
           trace_calls(t, "cudaMallocFromPoolAsync*");
}

const struct trace_row *trace_host_wait(const struct trace *t, double from_us, double to_us)
{
    for (size_t i = 0; i < t->n_rows; i++)
        if (trace_is(&t->rows[i], "api", NULL) && makes_host_wait(t->rows[i].name) &&
            began_between(&t->rows[i], from_us, to_us))
            return &t->rows[i];
    return NULL;
}

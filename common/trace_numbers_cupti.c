/* trace_numbers_cupti.c: streams and graphs of a GPU's trace get the numbers that traces have. */
#include <stdbool.h>
#include <string.h>

#include "trace_cupti.h"

enum { MAX_STREAMS = 4096 };

/* A stream as CUPTI has it: its numbers begin at 0 on each device. */
struct stream {
    int device, id;
};

static int before(struct stream a, struct stream b)
{
    return a.device != b.device ? a.device < b.device : a.id < b.id;
}

/* CUPTI's stream numbers grow with creation. The numbers of the trace: 0 for the legacy stream, 1,
 * 2, … for the other streams of the trace, device by device. */
static void number_streams(struct trace *t, int legacy)
{
    static struct stream seen[MAX_STREAMS];
    int n = 0;
    for (size_t i = 0; i < t->n_rows; i++) {
        struct stream s = {t->rows[i].device, t->rows[i].stream};
        int at = n;
        while (at > 0 && before(s, seen[at - 1]))
            at--;
        bool known = at > 0 && !before(seen[at - 1], s);
        if (s.id == -1 || s.id == legacy || known || n == MAX_STREAMS)
            continue;
        memmove(&seen[at + 1], &seen[at], (size_t)(n - at) * sizeof seen[0]);
        seen[at] = s;
        n++;
    }
    for (size_t i = 0; i < t->n_rows; i++) {
        struct stream s = {t->rows[i].device, t->rows[i].stream};
        int number = 0;
        if (s.id == -1)
            continue;
        while (s.id != legacy && number < n && before(seen[number], s))
            number++;
        t->rows[i].stream = s.id == legacy ? 0 : number + 1;
    }
}

static int is_graph(const struct trace_row *r)
{
    return strcmp(r->engine, "graph") == 0;
}

/* How many different graphs of the trace have a CUPTI number up to `id`. */
static int graph_number(const struct trace *t, int64_t id)
{
    int n = 0;
    for (size_t i = 0; i < t->n_rows; i++) {
        size_t k = 0;
        if (!is_graph(&t->rows[i]) || t->rows[i].node > id)
            continue;
        while (k < i && !(is_graph(&t->rows[k]) && t->rows[k].node == t->rows[i].node))
            k++;
        n += k == i;
    }
    return n;
}

/* Rows of graphs that kernels launched, in order of start: the launcher's CUPTI number, kept in
 * bytes so far, goes into the name, and the stream is the launcher's. */
static void name_graphs(struct trace *t)
{
    enum { MOST = 1024 };
    int numbers[MOST] = {0};
    for (size_t i = 0; i < t->n_rows; i++) {
        struct trace_row *r = &t->rows[i];
        if (!is_graph(r) || r->stream != UNKNOWN_STREAM)
            continue;
        for (size_t k = i; k-- > 0 && r->stream == UNKNOWN_STREAM;)
            if (is_graph(&t->rows[k]) && t->rows[k].node == (int64_t)r->bytes)
                r->stream = t->rows[k].stream;
    }
    for (size_t i = 0; i < t->n_rows; i++) {
        struct trace_row *r = &t->rows[i];
        size_t n = strlen(r->name);
        if (is_graph(r) && strcmp(r->name, "host") != 0 && r->bytes < MOST) {
            if (!numbers[r->bytes])
                numbers[r->bytes] = graph_number(t, (int64_t)r->bytes);
            snprintf(r->name + n, sizeof r->name - n, " %d", numbers[r->bytes]);
        }
    }
}

/* Graphs are numbered in order of CUPTI's numbers, which grow with instantiation. */
static void number_graphs(struct trace *t)
{
    enum { MOST = 1024 };
    int numbers[MOST] = {0};
    for (size_t i = 0; i < t->n_rows; i++) {
        int64_t id = t->rows[i].node;
        if (is_graph(&t->rows[i]) && id < MOST && !numbers[id])
            numbers[id] = graph_number(t, id);
    }
    for (size_t i = 0; i < t->n_rows; i++) {
        struct trace_row *r = &t->rows[i];
        if (!is_graph(r))
            continue;
        r->node = r->node < MOST ? numbers[r->node] : r->node;
        r->bytes = 0;
    }
}

void trace_renumber(struct trace *t, int legacy)
{
    name_graphs(t);
    number_graphs(t);
    number_streams(t, legacy);
}

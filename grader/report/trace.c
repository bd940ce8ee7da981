/* trace.c: a trace in Chrome's trace event format: JSON that Perfetto and chrome://tracing open.
 *
 * A process for each device, threads for each engine, a complete event ("X") for each operation.
 * Operations of one thread must not overlap in this format, so concurrent operations of an engine
 * have threads of their own. Times are microseconds, as in the trace. */
#include <stdlib.h>
#include <string.h>

#include "common/plain_text.h"
#include "report.h"

/* A thread of the file. */
struct track {
    const struct trace_row *first; /* its device and engine, and its graph */
    int number;                    /* among the tracks of that engine, from 1 */
    double end_us;                 /* of its last operation */
};

/* What is written: the trace, and the track of each row. */
struct tracks {
    const struct trace *trace;
    struct track *all;
    size_t n;
    size_t *of_row;
};

static bool same_engine(const struct trace_row *a, const struct trace_row *b)
{
    bool graphs = strcmp(a->engine, "graph") == 0;
    return a->device == b->device && strcmp(a->engine, b->engine) == 0 &&
           (!graphs || a->node == b->node);
}

static void assign(struct tracks *t, const struct trace_row *r, size_t row)
{
    int number = 1;
    size_t i = 0;
    for (; i < t->n; i++) {
        if (!same_engine(t->all[i].first, r))
            continue;
        if (t->all[i].end_us <= r->start_us)
            break;
        number++;
    }
    if (i == t->n)
        t->all[t->n++] = (struct track){r, number, 0};
    t->all[i].end_us = r->end_us;
    t->of_row[row] = i;
}

static void write_track(FILE *to, const struct track *t, size_t tid)
{
    static const struct {
        const char *engine, *words;
    } all[] = {{"h2d", "H2D copies"}, {"d2h", "D2H copies"},      {"d2d", "D2D copies and memsets"},
               {"sm", "kernels"},     {"host", "host functions"}, {"api", "runtime calls"}};
    char name[64];
    const struct trace_row *r = t->first;
    snprintf(name, sizeof name, "graph %lld", (long long)r->node);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i].engine, r->engine) == 0)
            snprintf(name, sizeof name, "%s", all[i].words);
    if (t->number > 1)
        snprintf(name + strlen(name), sizeof name - strlen(name), " (%d)", t->number);
    fprintf(to,
            "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": %d, \"tid\": %zu, "
            "\"args\": {\"name\": \"%s\"}},\n",
            r->device, tid, name);
}

static void write_row(FILE *to, const struct trace_row *r, size_t tid)
{
    fputs("{\"ph\": \"X\", \"name\": ", to);
    plain_write(to, PLAIN_JSON, r->name, sizeof r->name);
    fprintf(to,
            ", \"cat\": \"%s\", \"pid\": %d, \"tid\": %zu, \"ts\": %.3f, \"dur\": %.3f, \"args\": "
            "{\"stream\": %d, \"node\": %lld, \"bytes\": %llu}}",
            r->engine, r->device, tid, r->start_us, r->end_us - r->start_us, r->stream,
            (long long)r->node, (unsigned long long)r->bytes);
}

static void write_events(FILE *to, const void *what)
{
    const struct tracks *t = what;
    fputs("{\"displayTimeUnit\": \"ns\", \"otherData\": {\"device\": ", to);
    plain_write(to, PLAIN_JSON, t->trace->device, sizeof t->trace->device);
    fputs("}, \"traceEvents\": [\n", to);
    for (size_t i = 0; i < t->n; i++)
        write_track(to, &t->all[i], i + 1);
    for (size_t i = 0; i < t->trace->n_rows; i++) {
        write_row(to, &t->trace->rows[i], t->of_row[i] + 1);
        fputs(i + 1 < t->trace->n_rows ? ",\n" : "\n", to);
    }
    fputs("]}\n", to);
}

int report_trace_write(const struct trace *trace, const char *path)
{
    int result = -1;
    struct tracks t = {trace, calloc(trace->n_rows + 1, sizeof *t.all), 0,
                       calloc(trace->n_rows + 1, sizeof *t.of_row)};
    if (t.all && t.of_row) {
        for (size_t i = 0; i < trace->n_rows; i++)
            assign(&t, &trace->rows[i], i);
        result = report_file_write(path, "--trace", write_events, &t);
    } else {
        fprintf(stderr, "no memory to write %s\n", path);
    }
    free(t.all);
    free(t.of_row);
    return result;
}

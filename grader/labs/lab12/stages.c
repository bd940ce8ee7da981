/* stages.c: one device of a pipeline in a trace, see expected.h. */
#include "expected.h"

#include "judge/judge.h"
#include "query/trace.h"

/* The rows of one device; the rows stay t's format, to be freed with trace_free. */
static struct trace of_device(const struct trace *t, int device)
{
    struct trace only = {0};
    for (size_t i = 0; i < t->n_rows; i++)
        if (t->rows[i].device == device)
            cr_assert(trace_add(&only, &t->rows[i]) == 0, "no memory for a trace");
    return only;
}

size_t stage_layers(const struct trace *t, int device)
{
    struct trace only = of_device(t, device);
    const size_t n = trace_count(&only, "sm", "dense*");
    trace_free(&only);
    return n;
}

int stage_of_input(const struct trace *t)
{
    int device = 0;
    for (size_t i = 0; i < t->n_rows; i++)
        if (trace_is(&t->rows[i], "h2d", NULL) && t->rows[i].device != 0)
            device = t->rows[i].device;
    return device;
}

double stage_overlap(const struct trace *t, int device)
{
    struct trace only = of_device(t, device);
    const char *out = trace_count(&only, "p2p", NULL) ? "p2p" : "d2h";
    const double busy_us = trace_busy_us(&only, out, NULL);
    const double share = busy_us > 0 ? trace_overlap_us(&only, out, "sm") / busy_us : 0;
    trace_free(&only);
    return share;
}

double pipeline_bubble(const struct trace *t, int n_devices)
{
    const struct trace_row *first = trace_first(t, "sm", "dense*"),
                           *last = trace_last(t, "sm", "dense*");
    double busy_us = 0;
    for (int i = 0; i < n_devices; i++) {
        struct trace only = of_device(t, i);
        busy_us += trace_busy_us(&only, "sm", "dense*");
        trace_free(&only);
    }
    return first ? 1 - busy_us / (n_devices * (last->end_us - first->start_us)) : 1;
}

/* calls.c: the calls of a traced run of the service. */
#include "expected.h"

size_t lab09_most_execs(const struct trace *t)
{
    size_t now = 0, most = 0;
    for (size_t i = 0; i < t->n_rows; i++) {
        now += trace_is(&t->rows[i], "api", "cudaGraphInstantiate*");
        now -= now > 0 && trace_is(&t->rows[i], "api", "cudaGraphExecDestroy");
        most = now > most ? now : most;
    }
    return most;
}

bool lab09_creates(const struct trace *t)
{
    const struct trace_row *last = trace_last(t, "api", "cudaGraphLaunch");
    return last && trace_creations(t, last->start_us) > 0;
}

bool lab09_is_done_early(const struct trace *t)
{
    const struct trace_row *copy = trace_last(t, "api", "cudaMemcpyAsync"),
                           *record = trace_last(t, "api", "cudaEventRecord*");
    return copy && (!record || record->start_us < copy->start_us);
}

/* trace_sim.c: the trace of the simulated device, which keeps it itself. */
#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#include "simgpu.h"
#include "trace.h"

int trace_whole_graphs(const char **why)
{
    *why = "";
    return 0;
}

int trace_begin(const char **why)
{
    *why = "";
    simgpu_trace_begin();
    return 0;
}

int trace_restart(const char **why)
{
    *why = cudaDeviceSynchronize() == cudaSuccess ? "" : "the traced work failed";
    simgpu_trace_begin();
    return **why ? -1 : 0;
}

static struct trace_row convert(const struct simgpu_trace_row *from)
{
    struct trace_row row = {.device = from->device,
                            .stream = from->stream,
                            .node = from->node,
                            .start_us = (double)from->start_ns / 1000,
                            .end_us = (double)from->end_ns / 1000,
                            .bytes = from->bytes};
    memcpy(row.engine, from->engine, sizeof row.engine);
    memcpy(row.name, from->name, sizeof row.name);
    return row;
}

int trace_end(struct trace *out, const char **why)
{
    struct simgpu_trace_row *rows = NULL;
    struct cudaDeviceProp device;
    size_t n = simgpu_trace_end(&rows);

    memset(out, 0, sizeof *out);
    *why = "no memory for the rows of the trace";
    for (size_t i = 0; i < n; i++) {
        struct trace_row row = convert(&rows[i]);
        if (trace_add(out, &row) != 0) {
            free(rows);
            trace_free(out);
            return -1;
        }
    }
    free(rows);
    if (cudaGetDeviceProperties(&device, 0) == cudaSuccess)
        snprintf(out->device, sizeof out->device, "%.95s", device.name);
    trace_arrange(out);
    *why = "";
    return 0;
}

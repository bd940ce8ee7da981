/* vector.cu: the length of a vector, with graphs of one kernel each: a worker for each piece, the
 * sum of their results, and the square root of the sum. Lab 07 launches them from the device.
 *
 * Each kernel has one thread: this example is about order, not about speed. */
#include "handlers.h"

#include <math.h>

/* ---- CPU reference --------------------------------------------------------------------------- */

double reference_length(const float *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)x[i] * x[i];
    return sqrt(sum);
}

#ifndef REFERENCE_ONLY
#include "journal.h"
#include "kernel_node.h"

/* ---- kernels --------------------------------------------------------------------------------- */

static __global__ void worker(float *part, const float *x, int number, float us,
                              struct journal *journal)
{
    unsigned long long begun_ns = device_time_ns();
    float squares = 0;
    for (int i = 0; i < WORKER_FLOATS; i++)
        squares += x[number * WORKER_FLOATS + i] * x[number * WORKER_FLOATS + i];
    work_until(begun_ns, us);
    part[number] = squares;
    enter(journal, number, 0, begun_ns);
}

static __global__ void sum(float *result, const float *part, int n_parts, int number,
                           struct journal *journal)
{
    unsigned long long begun_ns = device_time_ns();
    float all = 0;
    for (int i = 0; i < n_parts; i++)
        all += part[i];
    *result = all;
    enter(journal, number, 0, begun_ns);
}

static __global__ void root(float *length, const float *sum, int number, struct journal *journal)
{
    unsigned long long begun_ns = device_time_ns();
    *length = sqrtf(*sum);
    enter(journal, number, 0, begun_ns);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

cudaError_t graph_of_worker(cudaGraph_t *graph, float *part, const float *x, int number, float us,
                            struct journal *journal)
{
    if (!graph || !part || !x || !journal || number < 0)
        return cudaErrorInvalidValue;
    void *args[] = {&part, &x, &number, &us, &journal};
    return graph_of_kernel(graph, (const void *)worker, args);
}

cudaError_t graph_of_sum(cudaGraph_t *graph, float *result, const float *part, int n_parts,
                         int number, struct journal *journal)
{
    if (!graph || !result || !part || !journal || n_parts <= 0)
        return cudaErrorInvalidValue;
    void *args[] = {&result, &part, &n_parts, &number, &journal};
    return graph_of_kernel(graph, (const void *)sum, args);
}

cudaError_t graph_of_root(cudaGraph_t *graph, float *length, const float *result, int number,
                          struct journal *journal)
{
    if (!graph || !length || !result || !journal)
        return cudaErrorInvalidValue;
    void *args[] = {&length, &result, &number, &journal};
    return graph_of_kernel(graph, (const void *)root, args);
}

/* ---- declared footprints: without the journal, in which each kernel has its own entry -------- */

FOOTPRINT worker_footprint(struct simgpu_work *work, const struct simgpu_launch *, float *part,
                           const float *x, int number, float us, struct journal *)
{
    simgpu_touch(work, SIMGPU_READ, x + (size_t)number * WORKER_FLOATS, WORKER_FLOATS);
    simgpu_touch(work, SIMGPU_WRITE, part + number, 1);
    work->delay_us = us;
}

FOOTPRINT sum_footprint(struct simgpu_work *work, const struct simgpu_launch *, float *result,
                        const float *part, int n_parts, int, struct journal *)
{
    simgpu_touch(work, SIMGPU_READ, part, (size_t)n_parts);
    simgpu_touch(work, SIMGPU_WRITE, result, 1);
}

FOOTPRINT root_footprint(struct simgpu_work *work, const struct simgpu_launch *, float *length,
                         const float *result, int, struct journal *)
{
    simgpu_touch(work, SIMGPU_READ, result, 1);
    simgpu_touch(work, SIMGPU_WRITE, length, 1);
}

DECLARE_KERNEL(worker, worker_footprint, 32);
DECLARE_KERNEL(sum, sum_footprint, 24);
DECLARE_KERNEL(root, root_footprint, 16);
#endif

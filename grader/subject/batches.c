/* batches.c: batches stage by stage, over streams, and through a graph of one batch. */
#include "batches.h"

#include "common/check.h"
#include "kernels/kernels.h"
#include "subject/bench.h"

static cudaError_t copy_in(const struct batches *b, int i, const struct batch_set *set,
                           cudaStream_t stream)
{
    size_t first = (size_t)i * b->stride;
    TRY(cudaMemcpyAsync(set->a, b->a + first, b->matrix_bytes, cudaMemcpyHostToDevice, stream));
    return cudaMemcpyAsync(set->b, b->b + first, b->matrix_bytes, cudaMemcpyHostToDevice, stream);
}

static cudaError_t copy_back(const struct batches *b, int i, const struct batch_set *set,
                             cudaStream_t stream)
{
    return cudaMemcpyAsync(b->c + (size_t)i * b->stride, set->c, b->matrix_bytes,
                           cudaMemcpyDeviceToHost, stream);
}

static cudaError_t enqueue(const struct batches *b, int i)
{
    const struct batch_set *set = &b->sets[i % b->n_sets];
    TRY(copy_in(b, i, set, set->stream));
    TRY(launch_matmul(set->c, set->a, set->b, b->n, set->stream));
    return copy_back(b, i, set, set->stream);
}

static cudaError_t make_graph(struct batches *b)
{
    TRY(cudaStreamBeginCapture(b->sets[0].stream, cudaStreamCaptureModeThreadLocal));
    TRY(enqueue(b, 0));
    return bench_end_capture(b->sets[0].stream, &b->one);
}

cudaError_t batches_create(struct batches *b)
{
    b->matrix_bytes = (size_t)b->n * (size_t)b->n * sizeof(float);
    for (int i = 0; i < b->n_sets; i++) {
        struct batch_set *set = &b->sets[i];
        TRY(cudaMalloc((void **)&set->a, b->matrix_bytes));
        TRY(cudaMalloc((void **)&set->b, b->matrix_bytes));
        TRY(cudaMalloc((void **)&set->c, b->matrix_bytes));
        TRY(cudaStreamCreateWithFlags(&set->stream, cudaStreamNonBlocking));
    }
    TRY(make_graph(b));
    return batches_replay(b); /* the first launch of a graph is not like the others */
}

cudaError_t batches_destroy(struct batches *b)
{
    TRY(cudaGraphExecDestroy(b->one));
    for (int i = 0; i < b->n_sets; i++) {
        struct batch_set *set = &b->sets[i];
        TRY(cudaStreamDestroy(set->stream));
        TRY(cudaFree(set->c));
        TRY(cudaFree(set->b));
        TRY(cudaFree(set->a));
    }
    return cudaSuccess;
}

/* ---- one stage alone ------------------------------------------------------------------------- */

static cudaError_t all_copied_in(void *batches)
{
    const struct batches *b = batches;
    for (int i = 0; i < b->n_batches; i++)
        TRY(copy_in(b, i, &b->sets[0], b->sets[0].stream));
    return cudaStreamSynchronize(b->sets[0].stream);
}

static cudaError_t all_multiplied(void *batches)
{
    const struct batches *b = batches;
    const struct batch_set *set = &b->sets[0];
    for (int i = 0; i < b->n_batches; i++)
        TRY(launch_matmul(set->c, set->a, set->b, b->n, set->stream));
    return cudaStreamSynchronize(set->stream);
}

static cudaError_t all_copied_back(void *batches)
{
    const struct batches *b = batches;
    for (int i = 0; i < b->n_batches; i++)
        TRY(copy_back(b, i, &b->sets[0], b->sets[0].stream));
    return cudaStreamSynchronize(b->sets[0].stream);
}

cudaError_t batches_time_stages(struct batches *b, double *h2d_us, double *kernel_us,
                                double *d2h_us)
{
    TRY(bench_time_us(all_copied_in, b, h2d_us));
    TRY(bench_time_us(all_multiplied, b, kernel_us));
    return bench_time_us(all_copied_back, b, d2h_us);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Batch i uses set and stream i modulo their number, so stream order alone protects each set. */
cudaError_t batches_overlap(void *batches)
{
    const struct batches *b = batches;
    for (int i = 0; i < b->n_batches; i++)
        TRY(enqueue(b, i));
    for (int i = 0; i < b->n_sets; i++)
        TRY(cudaStreamSynchronize(b->sets[i].stream));
    return cudaSuccess;
}

cudaError_t batches_replay(void *batches)
{
    const struct batches *b = batches;
    for (int i = 0; i < b->n_batches; i++) {
        TRY(cudaGraphLaunch(b->one, b->sets[0].stream));
        TRY(cudaStreamSynchronize(b->sets[0].stream));
    }
    return cudaSuccess;
}

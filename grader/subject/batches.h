/* batches.h: the batches of the labs, C[i] = A[i] x B[i], as the grader itself does them:
 * for what a submission is compared with, or is to predict. */
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>

enum { BATCHES_MOST_SETS = 16 };

struct batches {
    /* given */
    int n; /* matrices are n x n floats */
    int n_batches;
    int n_sets;         /* streams, and sets of device buffers; at most BATCHES_MOST_SETS */
    const float *a, *b; /* pinned host memory */
    float *c;
    size_t
        stride; /* floats from one batch to the next in them; 0: the same batch again and again */

    /* made by batches_create */
    size_t matrix_bytes;
    struct batch_set {
        float *a, *b, *c;
        cudaStream_t stream;
    } sets[BATCHES_MOST_SETS];
    cudaGraphExec_t one; /* the first batch as a graph */
};

cudaError_t batches_create(struct batches *b);
cudaError_t batches_destroy(struct batches *b);

/* The time of each stage alone, in one stream, with two copies in for each batch. */
cudaError_t batches_time_stages(struct batches *b, double *h2d_us, double *kernel_us,
                                double *d2h_us);

/* For bench_time_us, with a struct batches: all of them over streams (lab 03), and a wait; and the
   first one's graph once a batch, each waited for (lab 04). */
cudaError_t batches_overlap(void *batches);
cudaError_t batches_replay(void *batches);

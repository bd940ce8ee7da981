/*
 * Lab 01: one batch at a time.
 *
 *     H2D      [a][b]                 [a][b]
 *     compute        [kernel]               [kernel]                 -> time
 *     D2H                    [c]                    [c]
 *
 * For each batch i: copy A[i] and B[i] to the device, launch C[i] = A[i] x B[i], copy C[i] back.
 * You allocate the host buffers; the kind of memory decides how fast the copies are.
 *
 * Each function returns the first error it gets. The grader then stops and does not clean up.
 */
#ifndef LAB01_H
#define LAB01_H

#include <cuda_runtime_api.h>

/* Device time of each stage, in microseconds, summed over all batches of one run. */
struct lab01_times {
    float h2d_us;
    float kernel_us;
    float d2h_us;
};

struct lab01 {
    /* given */
    int n; /* matrices are n x n floats, row major; a multiple of 32 */
    int n_batches;

    /* yours, set by lab01_setup: host buffers of n_batches matrices each, one after another,
       A[i] at a + i * n * n; the caller fills a and b before each run and reads c after it */
    float *a, *b, *c;

    /* yours: whatever else you keep from setup to teardown */
    struct lab01_state *state;
};

/* Not timed. Allocates host and device memory and events. */
cudaError_t lab01_setup(struct lab01 *lab);

/* Timed, and called more than once. When it returns, c holds every product, and *times holds the
   time of each stage, measured with events. */
cudaError_t lab01_run(struct lab01 *lab, struct lab01_times *times);

/* Not timed. Frees everything that lab01_setup allocated or created. */
cudaError_t lab01_teardown(struct lab01 *lab);

#endif

/*
 * Lab 12: a pipeline over several GPUs, as one graph.
 *
 *     y = x w[0] w[1] ... w[n_layers - 1]
 *
 * The layers are split into n_devices stages. Stage s runs on device s. The rows of x are split
 * into micro-batches, which go through all stages. The stages work concurrently:
 *
 *     device 0   [0][1][2][3]            [i]: the layers of the stage for micro-batch i
 *     device 1      [0][1][2][3]
 *
 * The way of micro-batch i:
 *
 *     x -> [H2D] -> [layers of stage 0] -> [copy to device 1] -> [layers of stage 1] -> [D2H] -> y
 *
 * Stage s has the layers first_layer(s) to first_layer(s + 1) - 1, and micro-batch i the rows
 * first_row(i) to first_row(i + 1) - 1, where
 *
 *     first_layer(s) = s * n_layers / n_devices      first_row(i) = i * rows / n_micro
 *
 * Each function returns the first error it gets. The grader then stops and does not clean up.
 */
#ifndef LAB12_H
#define LAB12_H

#include <cuda_runtime_api.h>

struct lab12 {
    /* given */
    int n_devices;      /* number of stages, 1 or more; uses devices 0 to n_devices - 1 */
    int n_layers;       /* n_devices or more */
    int n;              /* weights are n x n floats, row major; n is a multiple of 32 */
    int rows;           /* x and y are rows x n floats, row major */
    int n_buffers;      /* slots for micro-batches on each device; allocate no more */
    double most_bubble; /* the largest share of its time for which a device may be idle */
    const float *w;     /* n_layers weights, pageable; they do not change until teardown */
    const float *x;     /* input, pinned host memory */
    float *y;           /* result, pinned host memory */

    /* yours, set by lab12_setup and valid until lab12_teardown: the number of micro-batches, and
       the captured graph. The grader inspects its nodes and edges */
    int n_micro;
    cudaGraph_t graph;

    /* yours: whatever else you keep from setup to teardown */
    struct lab12_state *state;
};

/*
 * Returns the smallest number of micro-batches M, 1 or more, for which each device is idle for at
 * most the share `most_bubble` of the time, 0 < most_bubble < 1. That share is
 * (n_stages - 1) / (M + n_stages - 1). With one stage it is 0, and M is 1.
 */
int lab12_micro_batches(int n_stages, double most_bubble);

/* Not timed. Device 0 is current. Enables peer access from each device to the next one, if that is
   possible. Copies each stage's weights to its device, captures the pipeline and instantiates it.
 */
cudaError_t lab12_setup(struct lab12 *lab);

/* Timed, and called more than once. Device 0 is current. One launch of the graph, and no other
   work; when it returns, y is complete. */
cudaError_t lab12_run(struct lab12 *lab);

/* Not timed. Frees everything that lab12_setup allocated or created, and disables the peer access
   that it enabled. */
cudaError_t lab12_teardown(struct lab12 *lab);

#endif

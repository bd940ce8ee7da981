/*
 * Lab 04: capture, instantiate, replay; and what a serial capture costs.
 *
 *     captured once      [H2D a] -> [H2D b] -> [matmul] -> [D2H c]
 *
 *     replayed           [a][b][matmul][c]     [a][b][matmul][c]     [a][b][matmul][c]
 *     host           launch, wait .........launch, wait .........launch, wait .........     -> time
 *
 * The batches of lab 01 again, now through a graph that holds one batch. A graph keeps the
 * addresses it was captured with, not what is found there. So the host buffers are those of one
 * batch, and the caller changes what is in them between two replays.
 *
 * Three parts: the replay, eight captures that do not work yet, and a prediction.
 *
 * Every function that returns a cudaError_t returns the first error it meets; the grader ends there
 * and cleans up nothing.
 */
#ifndef LAB04_H
#define LAB04_H

#include <cuda_runtime_api.h>

/* ---- part one: capture one batch, replay it -------------------------------------------------- */

struct lab04 {
    /* given */
    int n;              /* matrices are n x n floats, row major */
    const float *a, *b; /* one matrix each, pinned host memory. Between two replays the caller puts
                           the next batch there: the same addresses, other numbers */
    float *c;           /* their product, pinned host memory */

    /* yours, set by lab04_setup and alive until lab04_teardown: what was captured. The grader looks
       at its nodes */
    cudaGraph_t graph;

    /* yours: whatever else you keep from setup to teardown */
    struct lab04_state *state;
};

/* Not timed. Allocates, captures one batch and instantiates the graph. */
cudaError_t lab04_setup(struct lab04 *lab);

/* Timed, and called once a batch. When it returns, c holds the product of what is in a and b. One
   launch of the graph, and no other work. */
cudaError_t lab04_replay(struct lab04 *lab);

/* Not timed. Gives back everything that lab04_setup took. */
cudaError_t lab04_teardown(struct lab04 *lab);

/* ---- part two: eight captures to be mended --------------------------------------------------- */

/* What they work with; all of it is the caller's, and stays where it is. */
struct lab04_parts {
    size_t n;                   /* floats in each of the four buffers */
    const float *in;            /* pinned host memory; other numbers at every replay */
    float *out;                 /* pinned host memory; 2 x in, after every replay */
    float *x, *y;               /* device memory */
    cudaStream_t origin, other; /* streams as cudaStreamCreate makes them */
    cudaEvent_t fork, join;     /* never recorded */
    int *replays;               /* host memory; capture 8 counts its replays here */
};

/*
 * Each captures four nodes (and what it needs besides), in this order or beside each other where
 * that is right:
 *
 *     [in -> x] -> [y = 0] -> [y += 2 x] -> [y -> out]
 *
 * and hands the graph over. Mended, it is still what it was meant to be: with memory of its own
 * where it takes some, with a second stream where it has one, side by side what its comment says
 * is.
 *
 * The caller instantiates it, replays it in `origin` and destroys it.
 */
cudaError_t lab04_capture_1(struct lab04_parts *p, cudaGraph_t *graph);
cudaError_t lab04_capture_2(struct lab04_parts *p, cudaGraph_t *graph);
cudaError_t lab04_capture_3(struct lab04_parts *p, cudaGraph_t *graph);
cudaError_t lab04_capture_4(struct lab04_parts *p, cudaGraph_t *graph);
cudaError_t lab04_capture_5(struct lab04_parts *p, cudaGraph_t *graph);
cudaError_t lab04_capture_6(struct lab04_parts *p, cudaGraph_t *graph);
cudaError_t lab04_capture_7(struct lab04_parts *p, cudaGraph_t *graph);
cudaError_t lab04_capture_8(struct lab04_parts *p, cudaGraph_t *graph);

/* ---- part three: how long will the replays take? --------------------------------------------- */

/* Batches of one size, as the grader measured them on this device. Times are microseconds, of all
   n_batches together. */
struct lab04_batches {
    int n_batches;
    double h2d_us;     /* their copies in and nothing else, two a batch */
    double kernel_us;  /* their kernels and nothing else */
    double d2h_us;     /* their copies back and nothing else */
    double overlap_us; /* all of it as in lab 03 */
    double
        replays_us; /* n_batches calls of lab04_replay, one after the other; 0: to be predicted */
};

struct lab04_prediction {
    double replays_us; /* of the batches that are asked for */
    double slowdown;   /* that time as a multiple of lab 03's */
};

/* From the replays of `known`, those of `asked`: batches of another size, and another number of
   them. */
struct lab04_prediction lab04_predict(const struct lab04_batches *known,
                                      const struct lab04_batches *asked);

#endif

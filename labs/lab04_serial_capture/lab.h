/*
 * Lab 04: capture, instantiate, replay; and what a serial capture costs.
 *
 *     captured once      [H2D a] -> [H2D b] -> [matmul] -> [D2H c]
 *
 *     replayed           [a][b][matmul][c]     [a][b][matmul][c]     [a][b][matmul][c]
 *     host           launch, wait .........launch, wait .........launch, wait .........     -> time
 *
 * The batches of lab 01, with a graph that holds one batch. A graph stores addresses, not the data
 * at these addresses. So the host buffers hold one batch, and the caller changes their contents
 * between two replays.
 *
 * Three parts, each of which can be done alone: the replay, eight broken captures, a prediction.
 *
 * Each function that returns a cudaError_t returns the first error it gets. The grader then stops
 * and does not clean up.
 */
#ifndef LAB04_H
#define LAB04_H

#include <cuda_runtime_api.h>

/* ---- part one: capture one batch, replay it -------------------------------------------------- */

struct lab04 {
    /* given */
    int n;              /* matrices are n x n floats, row major */
    const float *a, *b; /* one matrix each, pinned host memory. Between two replays the caller
                           writes the next batch there: same addresses, other numbers */
    float *c;           /* their product, pinned host memory */

    /* yours, set by lab04_setup and alive until lab04_teardown: the captured graph. The grader
       inspects its nodes */
    cudaGraph_t graph;

    /* yours: whatever else you keep from setup to teardown */
    struct lab04_state *state;
};

/* Not timed. Allocates, captures one batch and instantiates the graph. */
cudaError_t lab04_setup(struct lab04 *lab);

/* Timed, and called once for each batch. One launch of the graph, and no other work: it creates
   and allocates nothing. When it returns, c holds the product of the current contents of a and
   b. */
cudaError_t lab04_replay(struct lab04 *lab);

/* Not timed. Frees everything that lab04_setup allocated or created. */
cudaError_t lab04_teardown(struct lab04 *lab);

/* ---- part two: eight broken captures --------------------------------------------------------- */

/* Their buffers, streams and events. The caller owns them; the addresses do not change. */
struct lab04_parts {
    size_t n;                   /* floats in each of the four buffers */
    const float *in;            /* pinned host memory; other numbers in each replay */
    float *out;                 /* pinned host memory; 2 x in, after each replay */
    float *x, *y;               /* device memory */
    cudaStream_t origin, other; /* streams as cudaStreamCreate makes them */
    cudaEvent_t fork, join;     /* never recorded */
    int *replays;               /* host memory; capture 8 counts its replays here */
};

/*
 * Each captures these four operations, in this order or with concurrent branches if that is right,
 * and returns the graph:
 *
 *     [in -> x] -> [y = 0] -> [y += 2 x] -> [y -> out]
 *
 * A fixed capture keeps its design: its own memory, its second stream, the concurrency that its
 * comment describes.
 *
 * The caller instantiates the graph, replays it in `origin` and destroys it.
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

/* Batches of one size, measured by the grader on this device. Times are in microseconds, of all
   n_batches together. */
struct lab04_batches {
    int n_batches;
    double h2d_us;     /* the copies in alone, two for each batch */
    double kernel_us;  /* the kernels alone */
    double d2h_us;     /* the copies back alone */
    double overlap_us; /* all stages, overlapped as in lab 03 */
    double replays_us; /* n_batches serial calls of lab04_replay; 0 if it is to be predicted */
};

struct lab04_prediction {
    double replays_us; /* of the `asked` batches */
    double slowdown;   /* that time divided by the time of lab 03 */
};

/* Predicts the replays of `asked` from those of `known`. The two sets differ in the size and in the
   number of their batches. */
struct lab04_prediction lab04_predict(const struct lab04_batches *known,
                                      const struct lab04_batches *asked);

#endif

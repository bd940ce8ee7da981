/*
 * Lab 06: updating a graph between launches.
 *
 *     all      H2D - saxpy - saxpy - ... - saxpy - D2H        everything changes, sometimes
 *                                                             the number of kernels, too
 *     one      H2D - smooth - ... - smooth - blend - D2H      one number of one kernel changes
 *
 *     branch   H2D - smooth - ... - smooth - apply - D2H      two kernels run or do not run
 *                \-------- correct --------/
 *
 * Each is called once per piece of work, and the host needs the result before it continues. The
 * three may be called in turns.
 * Instantiating a graph costs more than launching its kernels one by one. So instantiate each of
 * the three once (`all`: once for each new number of kernels), and then update the executable
 * graph.
 *
 * Each function returns the first error it gets. The grader then stops and does not clean up.
 */
#ifndef LAB06_H
#define LAB06_H

#include <cuda_runtime_api.h>

/* One piece of work for lab06_all: new buffers, new weights, and sometimes a new length. The graph
   copies from `in` and to `out` directly, without buffers of yours between. */
struct lab06_item {
    const float *in;      /* pinned host memory, 2 n floats: p, directly followed by q */
    float *out;           /* the same for the results */
    const float *weights; /* host memory, n_steps of them; no longer valid when lab06_all returns */
    int n_steps; /* p += weights[0] q, then q += weights[1] p, then p += weights[2] q, … */
};

struct lab06 {
    /* given */
    int n;             /* floats in `in` and `result`; an item has twice as many */
    int n_smooth;      /* smoothing kernels in `one` and `branch`, at least 1 */
    int correct_steps; /* work of the correction, an argument of launch_produce */
    float strength;    /* factor of the correction */
    const float *in;   /* pinned host memory; its contents change between calls */
    float *result;     /* pinned host memory */

    /* yours: the graph of lab06_branch, from its first call to teardown; the grader inspects it */
    cudaGraph_t branch_graph;

    /* yours: whatever you keep from setup to teardown */
    struct lab06_state *state;
};

/* Not timed. Creates streams, events and device memory. You may create graphs in the first call. */
cudaError_t lab06_setup(struct lab06 *lab);

/* item->out = item->in after n_steps steps, by one graph launch. */
cudaError_t lab06_all(struct lab06 *lab, const struct lab06_item *item);

/* result = in, smoothed n_smooth times, + weight * in; by one graph launch. */
cudaError_t lab06_one(struct lab06 *lab, float weight);

/* result = in, smoothed n_smooth times, and if `corrected` + strength * produce(in), which is
   computed concurrently with the smoothing; by one graph launch, always of the same executable
   graph. */
cudaError_t lab06_branch(struct lab06 *lab, int corrected);

/* Not timed. Frees everything that was allocated or created. */
cudaError_t lab06_teardown(struct lab06 *lab);

#endif

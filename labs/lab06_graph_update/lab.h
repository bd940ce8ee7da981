/*
 * Lab 06: a graph that is launched again and again, and each time something is different.
 *
 *     all      H2D - saxpy - saxpy - ... - saxpy - D2H        everything changes, now and then
 *                                                             the number of kernels, too
 *     one      H2D - smooth - ... - smooth - blend - D2H      one number of one kernel changes
 *
 *     branch   H2D - smooth - ... - smooth - apply - D2H      two kernels are there or not
 *                \-------- correct --------/
 *
 * Each is called once for each piece of work, and the host wants the result before it goes on.
 * Instantiating a graph costs more than launching its kernels one by one, so each of the three is
 * instantiated once (`all`: once for each new number of kernels) and its executable graph is
 * changed from then on.
 *
 * Every function returns the first error it meets; the grader ends there and cleans up nothing.
 */
#ifndef LAB06_H
#define LAB06_H

#include <cuda_runtime_api.h>

/* One piece of work for lab06_all: other buffers, other weights, and maybe another length. */
struct lab06_item {
    const float *in;      /* pinned host memory, 2 n floats: p, and q right behind it */
    float *out;           /* the same for the results */
    const float *weights; /* host memory, n_steps of them; gone when lab06_all returns */
    int n_steps; /* p += weights[0] q, then q += weights[1] p, then p += weights[2] q, … */
};

struct lab06 {
    /* given */
    int n;             /* floats in `in` and `result`; an item has twice as many */
    int n_smooth;      /* smoothing kernels in `one` and `branch`, at least 1 */
    int correct_steps; /* work of the correction, handed to launch_produce */
    float strength;    /* factor of the correction */
    const float *in;   /* pinned host memory; what it holds is different at each call */
    float *result;     /* pinned host memory */

    /* yours: the graph of lab06_branch, from its first call to teardown; the grader looks at it */
    cudaGraph_t branch_graph;

    /* yours: whatever you keep from setup to teardown */
    struct lab06_state *state;
};

/* Not timed. Creates streams, events and device memory. Graphs may wait for the first call. */
cudaError_t lab06_setup(struct lab06 *lab);

/* item->out = item->in after n_steps steps, by one graph launch. */
cudaError_t lab06_all(struct lab06 *lab, const struct lab06_item *item);

/* result = in, smoothed n_smooth times, + weight * in; by one graph launch. */
cudaError_t lab06_one(struct lab06 *lab, float weight);

/* result = in, smoothed n_smooth times, and if `corrected` + strength * produce(in), which is
   computed beside the smoothing; by one graph launch, always of the same executable graph. */
cudaError_t lab06_branch(struct lab06 *lab, int corrected);

/* Not timed. Gives back everything that was taken. */
cudaError_t lab06_teardown(struct lab06 *lab);

#endif

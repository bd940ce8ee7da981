/*
 * Lab 10: iterate until the result is good enough; the device decides.
 *
 *     clear - H2D b - largest - plan - SWITCH - D2H x - D2H report
 *                                      | 0: in float
 *                                      | 1: in double
 *
 *     0: clear x - WHILE - widen x         1: clear x - WHILE
 *                    |                                    |
 *                  sweep - ... - sweep - probe - step - IF
 *                                                       |
 *                                               clear - change - decide
 *
 * A | leads from a conditional node to its body: a graph that the node runs once (IF), repeatedly
 * (WHILE) or by index (SWITCH), depending on a value that a kernel sets. You write the three
 * kernels that set values, plan, step and decide, in lab.cu. You build the graph in lab.c.
 *
 * launch_jacobi and launch_jacobi_double (kernels.h) define the equation; x begins with 0. An
 * iteration has `sweeps` sweeps between two buffers. The loop ends when the last sweep of an
 * iteration changes no x by more than `tolerance`, and at the latest after max_iterations.
 *
 * Comparing every x in each iteration takes time, and more for a larger grid. So an iteration ends
 * with a probe: the largest change in the middle row (row n / 2). Only if the probe is at most
 * `tolerance`, a check computes the largest change of all x.
 *
 * A float has about seven digits. So if tolerance < LAB10_FLOAT_LIMIT x the largest |b|, the device
 * computes in double, otherwise in float. It must decide by itself: b differs from call to call.
 *
 * Each function returns the first error it gets. The grader then stops and does not clean up.
 */
#ifndef LAB10_H
#define LAB10_H

#include <cuda_runtime_api.h>

#define LAB10_FLOAT_LIMIT 1e-5f

enum lab10_precision { LAB10_FLOAT, LAB10_DOUBLE };

/* The control block: the state of a call, in device memory. All 0 when a call begins. */
struct lab10_control {
    float largest;  /* the largest |b|: written by launch_largest */
    float probe;    /* of this iteration: written by launch_change, reset to 0 by step */
    float change;   /* of the last check: written by launch_change */
    int precision;  /* enum lab10_precision: chosen by plan */
    int iterations; /* completed iterations: counted by step */
    int checks;     /* completed checks: counted by decide */
};

struct lab10 {
    /* given */
    int n;              /* the grid is n x n */
    int sweeps;         /* in an iteration; even, so that it ends in the buffer in which it began */
    int max_iterations; /* the largest number of iterations */
    float shift;        /* of the equation */
    float tolerance;    /* absolute */
    const float *b;     /* pinned host memory, n x n; new in each call */
    double *x;          /* pinned host memory, n x n: the result */
    struct lab10_control *report; /* pinned host memory: the control block at the end */

    /* yours: the graph, from setup to teardown; the grader inspects it */
    cudaGraph_t graph;

    /* yours: whatever you keep from setup to teardown */
    struct lab10_state *state;
};

/* Not timed. Creates memory and stream, builds and instantiates the graph. */
cudaError_t lab10_setup(struct lab10 *lab);

/* Solves for b with one launch of the graph; returns when x and *report are complete. */
cudaError_t lab10_solve(struct lab10 *lab);

/* Not timed. Frees everything that you allocated or created. */
cudaError_t lab10_teardown(struct lab10 *lab);

/* ---- lab.cu ---------------------------------------------------------------------------------- */

#ifdef __cplusplus
extern "C" {
#endif

/* Each enqueues a kernel of one thread; `control` is in device memory. */

/* Chooses the precision: sets it in the control block and as the value of `variant`. */
cudaError_t lab10_launch_plan(struct lab10_control *control, float tolerance,
                              cudaGraphConditionalHandle variant, cudaStream_t stream);

/* After the probe: counts the iteration, sets `check` to 1 if the probe requires a check and to 0
   otherwise, and `loop` to 0 if this was the last allowed iteration. Resets the probe to 0. */
cudaError_t lab10_launch_step(struct lab10_control *control, float tolerance, int max_iterations,
                              cudaGraphConditionalHandle check, cudaGraphConditionalHandle loop,
                              cudaStream_t stream);

/* After a check: counts it, and sets `loop` to 0 if the change is small enough. */
cudaError_t lab10_launch_decide(struct lab10_control *control, float tolerance,
                                cudaGraphConditionalHandle loop, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif

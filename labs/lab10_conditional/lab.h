/*
 * Lab 10: iterate until it is good enough, with nobody on the host to look.
 *
 *     clear - H2D b - largest - plan - SWITCH - D2H x - D2H report
 *                                      | 0: in float
 *                                      | 1: in double
 *
 *     either:   clear x - WHILE                                       (- widen x, in float)
 *                         | sweep - ... - sweep - probe - step - IF
 *                         |                                      | clear - change - decide
 *
 * What is drawn below a node with a | is its body: a graph that the device runs if, as long as, or
 * as which a value says that a kernel has set. The three kernels that set values are plan, step and
 * decide; they are yours, in lab.cu. The graph is yours, in lab.c.
 *
 * The equation is that of launch_jacobi and launch_jacobi_double (kernels.h), and x begins with 0.
 * A round is `sweeps` sweeps between two buffers. It was the last one if its last sweep changed no
 * x by more than `tolerance`; or if it was round number max_rounds.
 *
 * To look at every x in every round takes its time, the more the larger the grid is. So a round
 * ends with a probe: the largest change in one row, the middle one (row n / 2). Only if that is at
 * most `tolerance`, there is a check: the largest change of all.
 *
 * Float knows about seven digits. So if tolerance < LAB10_FLOAT_LIMIT x the largest |b|, all is
 * done in double, else in float. What b is, only the device knows: it is other in each call.
 *
 * Every function returns the first error it meets; the grader ends there and cleans up nothing.
 */
#ifndef LAB10_H
#define LAB10_H

#include <cuda_runtime_api.h>

#define LAB10_FLOAT_LIMIT 1e-5f

enum lab10_precision { LAB10_FLOAT, LAB10_DOUBLE };

/* What the device knows of a call: one of them in device memory, all 0 when a call begins. */
struct lab10_control {
    float largest; /* |b|: launch_largest puts it here */
    float probe;   /* of this round: launch_change puts it here, and step 0 when it has seen it */
    float change;  /* of the last check: launch_change puts it here */
    int precision; /* enum lab10_precision: what plan chose */
    int rounds;    /* done; step counts them */
    int checks;    /* done; decide counts them */
};

struct lab10 {
    /* given */
    int n;      /* the grid is n x n */
    int sweeps; /* in a round; even, so that a round ends in the buffer in which it began */
    int max_rounds;
    float shift;                  /* of the equation */
    float tolerance;              /* not relative to anything */
    const float *b;               /* pinned host memory, n x n; new at each call */
    double *x;                    /* pinned host memory, n x n: the result */
    struct lab10_control *report; /* pinned host memory: what the device knew at the end */

    /* yours: the graph, from setup to teardown; the grader looks at it */
    cudaGraph_t graph;

    /* yours: whatever you keep from setup to teardown */
    struct lab10_state *state;
};

/* Not timed. Creates memory and stream, builds and instantiates the graph. */
cudaError_t lab10_setup(struct lab10 *lab);

/* Solves for b, by one launch of the graph, and returns when x and *report are there. */
cudaError_t lab10_solve(struct lab10 *lab);

/* Not timed. Gives back everything that was taken. */
cudaError_t lab10_teardown(struct lab10 *lab);

/* ---- lab.cu ---------------------------------------------------------------------------------- */

#ifdef __cplusplus
extern "C" {
#endif

/* Puts a kernel of one thread into the stream; `control` is in device memory. */

/* Chooses the precision: in the control block, and as the value of `variant`. */
cudaError_t lab10_launch_plan(struct lab10_control *control, float tolerance,
                              cudaGraphConditionalHandle variant, cudaStream_t stream);

/* Behind the probe: counts the round, sets `check` to 1 if the probe asks for a check and to 0 if
   not, and `loop` to 0 if the round was the last that is allowed. Makes the probe 0 again. */
cudaError_t lab10_launch_step(struct lab10_control *control, float tolerance, int max_rounds,
                              cudaGraphConditionalHandle check, cudaGraphConditionalHandle loop,
                              cudaStream_t stream);

/* Behind the change of a check: counts it, and sets `loop` to 0 if the change is small enough. */
cudaError_t lab10_launch_decide(struct lab10_control *control, float tolerance,
                                cudaGraphConditionalHandle loop, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif

/*
 * Lab 08: graphs built node by node, with cudaGraphAddNode.
 *
 *     branches
 *     [wait ready] - [H2D x] -+- [produce u] --------+- [saxpy: sum += u] - [D2H] - [record done]
 *                             +- [saxpy: sum += s x] +
 *          [memset sum = 0] --/
 *
 *     temporary   [alloc a] - [H2D a] -+- [consume b] -+- [D2H b] - [free b]
 *                           [alloc b] -/               \- [free a]
 *
 *     library     [H2D x] - [child: library, weight 0] - [child: library, weight 1] - [D2H x]
 *
 *     summary     [H2D x] - [consume y] - [D2H values] - [host: the mean of values]
 *
 *     early       [produce u] = = = [weigh out]
 *
 * Each function builds one of these graphs, with exactly these nodes and edges, and returns. The
 * grader instantiates the graph with your lab08_instantiate, launches it and destroys it.
 *
 * Arrays have n floats. A copy moves n floats. Every edge is an ordinary one: its data is NULL. The
 * one exception is the edge of `early`, a programmatic one from the launch of produce.
 * Every function returns the first error it meets; the grader ends there and cleans up nothing.
 */
#ifndef LAB08_H
#define LAB08_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900 /* there, no kernel starts early */
#define cudaGridDependencySynchronize() static_cast<void>(0)
#endif

/* out = produce(in) + strength * in */
struct lab08_branches {
    int n;
    int steps; /* of produce */
    float strength;
    const float *in;    /* pinned host memory; complete when `ready` is */
    float *out;         /* pinned host memory; others read it after `done` */
    float *x, *u, *sum; /* device memory; you may not assume that any of it is 0 */
    cudaEvent_t ready;  /* another stream records it before each launch of the graph */
    cudaEvent_t done;   /* another stream waits for it after each launch of the graph */
    int priority;       /* of the produce node, on which everything waits longest */
};

/* out = consume(in), with two arrays that exist only while the graph runs */
struct lab08_temporary {
    int n;
    int device;
    const float *in; /* pinned host memory */
    float *out;      /* pinned host memory */
};

/* out = in after library(weight[0]) and then library(weight[1]) */
struct lab08_library {
    int n;
    const float *in; /* pinned host memory */
    float *out;      /* pinned host memory */
    float *x;        /* device memory: the library changes it in place */
    float weight[2];
    cudaStream_t stream; /* to capture in; launch nothing in it */

    /* Enqueues work on x into the stream: kernels that you do not see. It works in a capture. */
    cudaError_t (*library)(float *x, float weight, int n, cudaStream_t stream);
};

/* values = consume(in); *mean = the mean of values, computed on the host in double precision */
struct lab08_summary {
    int n;
    const float *in; /* pinned host memory */
    float *x, *y;    /* device memory */
    float *values;   /* pinned host memory */
    double *mean;    /* host memory */

    /* The data of the host node must come from `take`. The graph and its executable graphs own it:
       the last one that goes must cause exactly one call of `give`, and nothing before that. */
    void *(*take)(size_t bytes); /* NULL: no memory */
    void (*give)(void *data);
};

/* u = produce(x); out[i] = u[i] * (the sum of weights[k * n + i] for all k < rows) */
struct lab08_early {
    int n;
    int steps;            /* of produce */
    int rows;             /* of weights */
    const float *x;       /* device memory, as all of these; complete when the graph is launched */
    const float *weights; /* rows x n floats; complete, too */
    float *u, *out;
};

/* Each builds the graph drawn above. What the struct holds is gone when the function returns; what
   its pointers point at stays. */
cudaError_t lab08_branches(const struct lab08_branches *b, cudaGraph_t *graph);
cudaError_t lab08_temporary(const struct lab08_temporary *t, cudaGraph_t *graph);
cudaError_t lab08_library(const struct lab08_library *l, cudaGraph_t *graph);
cudaError_t lab08_summary(const struct lab08_summary *s, cudaGraph_t *graph);
cudaError_t lab08_early(const struct lab08_early *e, cudaGraph_t *graph);

/* In lab.cu: the kernel weigh(out, u, weights, rows, n), a thread for each element. */
const void *lab08_weigh(void);

/*
 * Instantiates any graph once, so that its nodes keep their own priorities. If that cannot be done:
 * returns the error, *exec is NULL, *node is the node to blame (NULL: the runtime names none), and
 * cudaGetLastError returns cudaSuccess afterwards.
 */
cudaError_t lab08_instantiate(cudaGraph_t graph, cudaGraphExec_t *exec, cudaGraphNode_t *node);

/* Writes the graph to the file in the DOT language (cudaGraphDebugDotPrint). */
cudaError_t lab08_draw(cudaGraph_t graph, const char *path);

#ifdef __cplusplus
}
#endif
#endif

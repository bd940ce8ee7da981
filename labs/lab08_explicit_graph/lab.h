/*
 * Lab 08: graphs built node by node, with cudaGraphAddNode.
 *
 *     branches
 *     [wait ready] - [H2D x] -+------ [produce u] -----+- [saxpy: sum += u] - [D2H] - [record done]
 *                              \                      /
 *             [memset sum = 0] -+- [saxpy: sum += strength x]
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
 * grader instantiates the graph with your lab08_instantiate, destroys it, and launches the
 * executable graph.
 *
 * Arrays have n floats, and a copy copies n floats. All edges are ordinary edges (-), without edge
 * data. The exception is the edge of `early` (= = =): a programmatic edge, whose port is the launch
 * completion of produce.
 *
 * Each function returns the first error it gets. The grader then stops and does not clean up.
 */
#ifndef LAB08_H
#define LAB08_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900 /* an older GPU starts no kernel early */
#define cudaGridDependencySynchronize() static_cast<void>(0)
#endif

/* out = produce(in) + strength * in */
struct lab08_branches {
    int n;
    int steps; /* of produce */
    float strength;
    const float *in;    /* pinned host memory; complete when `ready` is complete */
    float *out;         /* pinned host memory; another stream reads it after `done` */
    float *x, *u, *sum; /* device memory with any contents */
    cudaEvent_t ready;  /* another stream records it before each launch of the graph */
    cudaEvent_t done;   /* another stream waits for it after each launch of the graph */
    int priority;       /* of the produce node, the first kernel of the critical path */
};

/* out = consume(in), with two device arrays that exist only while the graph runs */
struct lab08_temporary {
    int n;
    int device;      /* allocates the arrays */
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
    cudaStream_t stream; /* for the captures only: launch nothing in it */

    /* Enqueues kernels that change x in the stream. The stream may be capturing. The order of two
       calls matters. */
    cudaError_t (*library)(float *x, float weight, int n, cudaStream_t stream);
};

/* values = consume(in); *mean = the mean of values, computed on the host in double precision */
struct lab08_summary {
    int n;
    const float *in; /* pinned host memory */
    float *x, *y;    /* device memory */
    float *values;   /* pinned host memory */
    double *mean;    /* host memory */

    /* The data of the host node must come from `allocate`. The graph and its executable graphs own
       the data. When the last of them is destroyed, `destructor` must be called once, and never
       before. */
    void *(*allocate)(size_t bytes); /* returns NULL if there is no memory */
    void (*destructor)(void *data);
};

/* u = produce(x); out[i] = u[i] * (the sum of weights[k * n + i] for all k < rows) */
struct lab08_early {
    int n;
    int steps;            /* of produce */
    int rows;             /* of weights */
    const float *x;       /* device memory; complete when the graph is launched */
    const float *weights; /* device memory, rows x n floats; complete when the graph is launched */
    float *u, *out;       /* device memory */
};

/* Each builds the graph drawn above. The struct itself becomes invalid when the function returns.
   The memory that its pointers point to stays valid. */
cudaError_t lab08_branches(const struct lab08_branches *b, cudaGraph_t *graph);
cudaError_t lab08_temporary(const struct lab08_temporary *t, cudaGraph_t *graph);
cudaError_t lab08_library(const struct lab08_library *l, cudaGraph_t *graph);
cudaError_t lab08_summary(const struct lab08_summary *s, cudaGraph_t *graph);
cudaError_t lab08_early(const struct lab08_early *e, cudaGraph_t *graph);

/* In lab.cu: the kernel weigh(out, u, weights, rows, n), a thread for each element. */
const void *lab08_weigh(void);

/*
 * Instantiates any graph once, and does not destroy it. The executable graph uses the priorities of
 * its nodes. If the graph cannot be instantiated: returns the error, sets *exec to NULL and *node
 * to the node that is to blame (NULL if the runtime names none). Then cudaGetLastError returns
 * cudaSuccess.
 */
cudaError_t lab08_instantiate(cudaGraph_t graph, cudaGraphExec_t *exec, cudaGraphNode_t *node);

/* Writes the graph to the file in the DOT language (cudaGraphDebugDotPrint). */
cudaError_t lab08_draw(cudaGraph_t graph, const char *path);

#ifdef __cplusplus
}
#endif
#endif

/*
 * refused.h: why the runtime refused to add a node or to instantiate a graph, as the adapter sees
 * it and the suite explains it.
 */
#ifndef LAB08_REFUSED_H
#define LAB08_REFUSED_H

#include <cuda_runtime_api.h>
#include <stddef.h>

struct judge_mistake;

enum lab08_refused {
    LAB08_NOT_REFUSED, /* or nobody knows why */
    LAB08_GRID_IS_ZERO,
    LAB08_DIMENSION_IS_ZERO,
    LAB08_BLOCK_TOO_LARGE,
    LAB08_NO_KERNEL,
    LAB08_NO_ARGUMENTS,
    LAB08_MEMSET_OF_NO_MEMORY,
    LAB08_MEMSET_ELEMENT_SIZE,
    LAB08_MEMSET_WITHOUT_ROWS,
    LAB08_MEMSET_OUTSIDE,
    LAB08_COPY_OF_NULL,
    LAB08_COPY_TOO_LARGE,
    LAB08_COPY_OUTSIDE,
    LAB08_ALLOC_NOT_SET,
    LAB08_FREE_OF_OTHER_ADDRESS,
    LAB08_NO_HOST_FUNCTION,
    LAB08_NO_EVENT,
    LAB08_NO_CHILD_GRAPH,
    LAB08_NO_SUCH_PREDECESSOR,
    LAB08_WRONG_FLAGS, /* of an instantiation */
    LAB08_REFUSALS
};

/* The latest cudaGraphAddNode that failed with this error; n floats are `bytes`. */
enum lab08_refused lab08_refused(cudaError_t error, size_t bytes);

/* NULL: it was not refused. */
const struct judge_mistake *lab08_refusal(int why);

#endif

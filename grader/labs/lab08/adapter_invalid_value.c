/*
 * adapter_invalid_value.c: what cudaErrorInvalidValue means in a function that builds a graph.
 */
#include "invalid_value.h"

const char *lab08_invalid_value(enum lab08_task task)
{
    switch (task) {
    case LAB08_EARLY:
        return "a programmatic edge needs both type and from_port, else its data is not valid. For "
               "a node, each dimension of gridDim and blockDim is at least 1";
    case LAB08_TEMPORARY:
        return "the parameters of a node do not fit its type. An alloc node needs "
               "poolProps.allocType, a location and bytesize; each dimension of gridDim and "
               "blockDim is at least 1. An address is not NULL: the call of cudaGraphAddNode sets "
               "params.alloc.dptr";
    default:
        return "the parameters of a node do not fit its type. Each dimension of gridDim and "
               "blockDim is at least 1; a memset's width counts elements; an address is not NULL; "
               "the nodes to wait for are of the same graph; all other fields are 0";
    }
}

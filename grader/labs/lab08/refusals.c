/* refusals.c: the mistakes of lab 08 that make the runtime refuse a node or a graph. */
#include "mistakes.h"
#include "refused.h"

static const struct judge_mistake
    no_kernel =
        {"no_kernel",
         "A kernel node has no kernel in params.kernel.func. (A type of 0 is the type of "
         "kernel nodes.)",
         "pass the value that kernel_saxpy(), kernel_produce() or kernel_consume() returns. "
         "If it is no kernel node, set params.type",
         NULL},
    dimension_is_zero = {"dimension_is_zero",
                         "A dimension of gridDim or blockDim is 0: dim3 has no default values in "
                         "C.",
                         "set all three fields, y and z to 1: (dim3){256, 1, 1}", NULL},
    block_too_large = {"block_too_large", "A block of a kernel node has more than 1024 threads.",
                       "set blockDim to 256 threads, and gridDim to the number of such blocks: "
                       "(n + 255) / 256",
                       "early_time"},
    no_arguments = {"no_arguments",
                    "params.kernel.kernelParams is NULL: the kernel has no "
                    "arguments.",
                    "set params.kernel.kernelParams to args", NULL},
    memset_of_no_memory = {"memset_of_no_memory",
                           "params.memset.dst of the memset node is no memory of the device.",
                           "set params.memset.dst to p, the address of the array", NULL},
    memset_element_size = {"memset_element_size",
                           "params.memset.elementSize is not 1, 2 or 4 bytes.",
                           "set elementSize to sizeof(float), and width to n", NULL},
    memset_without_rows = {"memset_without_rows",
                           "params.memset.height or width is 0: the memset node sets nothing.",
                           "set height to 1 (one row), and width to n", NULL},
    memset_outside = {"memset_outside",
                      "The memset node ends outside of its array. Its width counts elements of "
                      "elementSize bytes.",
                      "set elementSize to sizeof(float), and width to n, not to bytes", NULL},
    copy_of_null = {"copy_of_null",
                    "A copy node has the address NULL. cudaGraphAddNode stores the address of an "
                    "array in params.alloc.dptr, where it is NULL before.",
                    "read params.alloc.dptr after cudaGraphAddNode", NULL},
    copy_too_large = {"copy_too_large", "A copy node copies more than n floats.",
                      "pass n to add_copy: it multiplies n by sizeof(float)", NULL},
    alloc_not_set = {"alloc_not_set",
                     "A field of params.alloc is not set: allocType, location.type, location.id or "
                     "bytesize.",
                     "set poolProps.allocType to cudaMemAllocationTypePinned, "
                     "poolProps.location.type to cudaMemLocationTypeDevice, .id to the device, and "
                     "bytesize",
                     NULL},
    free_of_other_address = {"free_of_other_address",
                             "A free node has an address that no alloc node of this graph "
                             "returned, or that another free node has, too.",
                             "set params.free.dptr to the address of the array, and add one free "
                             "node for each array",
                             NULL},
    no_host_function = {"no_host_function", "params.host.fn of the host node is NULL.",
                        "set params.host.fn to compute_mean, and params.host.userData to data",
                        NULL},
    no_event = {"no_event", "An event node has no event.",
                "set params.eventWait.event in add_wait, and params.eventRecord.event in "
                "add_record",
                NULL},
    no_child_graph = {"no_child_graph",
                      "params.graph.graph of the child graph node is no graph, or the graph that "
                      "gets the node is destroyed.",
                      "set it to the graph that cudaStreamEndCapture stored, and destroy that "
                      "graph after cudaGraphAddNode",
                      NULL},
    no_such_predecessor = {"no_such_predecessor",
                           "A node waits for a node that is not in the graph, or not yet.",
                           "add each node before you pass it to AFTER(...)", NULL},
    wrong_flags = {"wrong_flags",
                   "cudaGraphInstantiateWithParams refused the graph with these flags.",
                   "set params.flags to cudaGraphInstantiateFlagUseNodePriority alone, and all "
                   "other fields to 0",
                   "instantiate early_time names_no_node"};

const struct judge_mistake *lab08_refusal(int why)
{
    static const struct judge_mistake *const refusals[LAB08_REFUSALS] = {
        [LAB08_GRID_IS_ZERO] = &lab08_grid_rounded_down,
        [LAB08_DIMENSION_IS_ZERO] = &dimension_is_zero,
        [LAB08_BLOCK_TOO_LARGE] = &block_too_large,
        [LAB08_NO_KERNEL] = &no_kernel,
        [LAB08_NO_ARGUMENTS] = &no_arguments,
        [LAB08_MEMSET_OF_NO_MEMORY] = &memset_of_no_memory,
        [LAB08_MEMSET_ELEMENT_SIZE] = &memset_element_size,
        [LAB08_MEMSET_WITHOUT_ROWS] = &memset_without_rows,
        [LAB08_MEMSET_OUTSIDE] = &memset_outside,
        [LAB08_COPY_OF_NULL] = &copy_of_null,
        [LAB08_COPY_TOO_LARGE] = &copy_too_large,
        [LAB08_COPY_OUTSIDE] = &lab08_alloc_size,
        [LAB08_ALLOC_NOT_SET] = &alloc_not_set,
        [LAB08_FREE_OF_OTHER_ADDRESS] = &free_of_other_address,
        [LAB08_NO_HOST_FUNCTION] = &no_host_function,
        [LAB08_NO_EVENT] = &no_event,
        [LAB08_NO_CHILD_GRAPH] = &no_child_graph,
        [LAB08_NO_SUCH_PREDECESSOR] = &no_such_predecessor,
        [LAB08_WRONG_FLAGS] = &wrong_flags};
    return why > 0 && why < LAB08_REFUSALS ? refusals[why] : NULL;
}

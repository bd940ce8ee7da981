/*
 * lost.c: the calls that answer as ever where others are refused, as on an H200: those that touch
 * only the host's own records go on after a kernel's fault has ended the context, and a few may be
 * called in a host function.
 *
 * What the runtime checks before it looks at context and thread comes first in the calls
 * themselves: a NULL event or stream, and work of no bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "sim.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Both in order of the letters. */
static const char *const without_context[] = {
    "cudaDeviceGetDefaultMemPool",
    "cudaDeviceGetGraphMemAttribute",
    "cudaDeviceGetMemPool",
    "cudaDeviceGraphMemTrim",
    "cudaGraphAddChildGraphNode",
    "cudaGraphAddDependencies",
    "cudaGraphAddEmptyNode",
    "cudaGraphAddEventRecordNode",
    "cudaGraphAddEventWaitNode",
    "cudaGraphAddHostNode",
    "cudaGraphAddMemAllocNode",
    "cudaGraphAddMemFreeNode",
    "cudaGraphAddNode",
    "cudaGraphChildGraphNodeGetGraph",
    "cudaGraphClone",
    "cudaGraphCreate",
    "cudaGraphDebugDotPrint",
    "cudaGraphDestroy",
    "cudaGraphDestroyNode",
    "cudaGraphEventRecordNodeGetEvent",
    "cudaGraphEventRecordNodeSetEvent",
    "cudaGraphEventWaitNodeGetEvent",
    "cudaGraphEventWaitNodeSetEvent",
    "cudaGraphExecDestroy",
    "cudaGraphExecGetFlags",
    "cudaGraphExecHostNodeSetParams",
    "cudaGraphExecUpdate",
    "cudaGraphGetEdges",
    "cudaGraphGetNodes",
    "cudaGraphGetRootNodes",
    "cudaGraphHostNodeGetParams",
    "cudaGraphHostNodeSetParams",
    "cudaGraphKernelNodeGetAttribute",
    "cudaGraphKernelNodeGetParams",
    "cudaGraphMemAllocNodeGetParams",
    "cudaGraphMemFreeNodeGetParams",
    "cudaGraphMemcpyNodeGetParams",
    "cudaGraphMemsetNodeGetParams",
    "cudaGraphNodeFindInClone",
    "cudaGraphNodeGetDependencies",
    "cudaGraphNodeGetDependentNodes",
    "cudaGraphNodeGetEnabled",
    "cudaGraphNodeGetType",
    "cudaGraphNodeSetEnabled",
    "cudaGraphReleaseUserObject",
    "cudaGraphRemoveDependencies",
    "cudaGraphRetainUserObject",
    "cudaPointerGetAttributes",
    "cudaThreadExchangeStreamCaptureMode",
    "cudaUserObjectCreate",
    "cudaUserObjectRelease",
    "cudaUserObjectRetain",
};

static const char *const in_host_function[] = {
    "cudaDriverGetVersion",       "cudaEventElapsedTime",      "cudaEventQuery",
    "cudaEventSynchronize",       "cudaGetDeviceCount",        "cudaGetDeviceProperties",
    "cudaGraphReleaseUserObject", "cudaGraphRetainUserObject", "cudaRuntimeGetVersion",
    "cudaStreamGetDevice",        "cudaUserObjectCreate",      "cudaUserObjectRelease",
    "cudaUserObjectRetain",
};

static int compare(const void *name, const void *entry)
{
    return strcmp(name, *(const char *const *)entry);
}

static bool is_in(const char *name, const char *const *list, size_t n)
{
    return bsearch(name, list, n, sizeof *list, compare) != NULL;
}

bool call_needs_context(const char *name)
{
    return !is_in(name, without_context, COUNT(without_context));
}

bool call_fits_host_function(const char *name)
{
    return is_in(name, in_host_function, COUNT(in_host_function));
}

bool call_is_for_nothing(bool nothing)
{
    return nothing && !thread_self()->in_host_func && error_sticky() != cudaSuccess;
}

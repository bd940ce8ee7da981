/* cuda12.h: the course is written for CUDA 13. With a toolkit of CUDA 12.4 to 12.9, programs for a
 * GPU are compiled with this header before their first line. It includes NVIDIA's own, so a program
 * cannot ask for the per-thread default stream there by a macro before its first #include.
 *
 * CUDA 13 removed functions whose parameters had become too few, and gave their names to the
 * functions that CUDA 12 calls _v2 and _v3. */
#ifndef CUDA12_H
#define CUDA12_H

#ifdef __cplusplus
#include <cuda_runtime.h>
#else
#include <cuda_runtime_api.h>
#endif

#define cudaGraphAddNode cudaGraphAddNode_v2
#define cudaGraphAddDependencies cudaGraphAddDependencies_v2
#define cudaGraphRemoveDependencies cudaGraphRemoveDependencies_v2
#define cudaGraphGetEdges cudaGraphGetEdges_v2
#define cudaGraphNodeGetDependencies cudaGraphNodeGetDependencies_v2
#define cudaGraphNodeGetDependentNodes cudaGraphNodeGetDependentNodes_v2
#define cudaStreamUpdateCaptureDependencies cudaStreamUpdateCaptureDependencies_v2
#undef cudaStreamGetCaptureInfo /* CUDA 12 makes it _v2 */
#define cudaStreamGetCaptureInfo cudaStreamGetCaptureInfo_v3
#define cudaMemPrefetchAsync cudaMemPrefetchAsync_v2
#define cudaMemAdvise cudaMemAdvise_v2

/* common/trace_cupti.c: the newest records that this CUPTI has; the fields that are read are alike
 */
#define CUpti_ActivityKernel10 CUpti_ActivityKernel9

#if CUDART_VERSION < 12080

/* since 12.8: a graph with such a node is refused by the older runtime (lab 10) */
#define cudaGraphCondTypeSwitch ((enum cudaGraphConditionalNodeType)2)

#define CUpti_ActivityMemcpy6 CUpti_ActivityMemcpy5

/* since 12.8: no such record ever comes, so lab 07's timeline has no rows of graphs */
#define CUPTI_ACTIVITY_KIND_DEVICE_GRAPH_TRACE CUPTI_ACTIVITY_KIND_FORCE_INT
#define CUPTI_DEVICE_GRAPH_LAUNCH_MODE_FIRE_AND_FORGET 2
#define CUPTI_DEVICE_GRAPH_LAUNCH_MODE_TAIL 1
typedef struct {
    unsigned deviceId, launcherGraphId, graphId, deviceLaunchMode;
    unsigned long long start, end;
} CUpti_ActivityDeviceGraphTrace;

#endif
#endif

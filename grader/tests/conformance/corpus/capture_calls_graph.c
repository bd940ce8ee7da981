/*
 * capture_calls_graph.c: which calls a capture refuses: graphs.
 */
#include "../capture_call.h"

CALL(instantiate, "cudaGraphInstantiate of another graph",
     cudaGraphInstantiate((cudaGraphExec_t *)&scene.made, scene.graph, 0),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
ELSEWHERE(instantiate, "cudaGraphInstantiate of another graph",
          "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(graph_launch_other, "cudaGraphLaunch in another stream",
     cudaGraphLaunch(scene.exec, scene.other), SUCCEEDS)
CALL(graph_launch_0, "cudaGraphLaunch in 0", cudaGraphLaunch(scene.exec, 0), SUCCEEDS)
BLOCKING(graph_launch_0, "cudaGraphLaunch in 0",
         "every mode: StreamCaptureImplicit invalidated StreamCaptureInvalidated")
CALL(graph_launch_captured, "cudaGraphLaunch in the captured stream",
     cudaGraphLaunch(scene.exec, scene.captured),
     "every mode: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(graph_upload_other, "cudaGraphUpload in another stream",
     cudaGraphUpload(scene.exec, scene.other), SUCCEEDS)
CALL(graph_upload_captured, "cudaGraphUpload in the captured stream",
     cudaGraphUpload(scene.exec, scene.captured),
     "every mode: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(graph_upload_0, "cudaGraphUpload in 0", cudaGraphUpload(scene.exec, 0), SUCCEEDS)
BLOCKING(graph_upload_0, "cudaGraphUpload in 0",
         "every mode: StreamCaptureImplicit invalidated StreamCaptureInvalidated")
CALL(instantiate_null, "cudaGraphInstantiate of NULL",
     cudaGraphInstantiate((cudaGraphExec_t *)&scene.made, NULL, 0),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "Relaxed: InvalidValue")
CALL(exec_destroy_null, "cudaGraphExecDestroy of NULL", cudaGraphExecDestroy(NULL),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "Relaxed: InvalidValue")
CALL(exec_destroy_there, "cudaGraphExecDestroy, called by two threads,",
     cudaGraphExecDestroy(scene.exec),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
ELSEWHERE(exec_destroy_there, "cudaGraphExecDestroy, called by two threads,",
          "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(instantiate_params, "cudaGraphInstantiateWithParams",
     cudaGraphInstantiateWithParams((cudaGraphExec_t *)&scene.made, scene.graph,
                                    &(cudaGraphInstantiateParams){0}),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(exec_flags, "cudaGraphExecGetFlags",
     cudaGraphExecGetFlags(scene.exec, &(unsigned long long){0}), SUCCEEDS)
CALL(add_memset_node, "cudaGraphAddMemsetNode to another graph",
     cudaGraphAddMemsetNode((cudaGraphNode_t *)&scene.made, scene.graph, NULL, 0,
                            &(struct cudaMemsetParams){
                                .dst = scene.device, .elementSize = 1, .width = 64, .height = 1}),
     SUCCEEDS)
CALL(add_copy_node, "cudaGraphAddMemcpyNode1D to another graph",
     cudaGraphAddMemcpyNode1D((cudaGraphNode_t *)&scene.made, scene.graph, NULL, 0, scene.device,
                              scene.pinned, 64, cudaMemcpyHostToDevice),
     SUCCEEDS)

static cudaError_t add_alloc_node(void)
{
    struct cudaMemAllocNodeParams a = alloc_params(64);
    return cudaGraphAddMemAllocNode((cudaGraphNode_t *)&scene.made, scene.graph, NULL, 0, &a);
}

CALL(add_alloc_node, "cudaGraphAddMemAllocNode to another graph", add_alloc_node(), SUCCEEDS)
CALL(graph_create, "cudaGraphCreate", cudaGraphCreate((cudaGraph_t *)&scene.made, 0), SUCCEEDS)
CALL(graph_destroy, "cudaGraphDestroy of another graph", cudaGraphDestroy(scene.graph), SUCCEEDS)
CALL(exec_destroy, "cudaGraphExecDestroy of another exec", cudaGraphExecDestroy(scene.exec),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(exec_update, "cudaGraphExecUpdate of another exec",
     cudaGraphExecUpdate(scene.exec, scene.graph, &(cudaGraphExecUpdateResultInfo){0}), SUCCEEDS)
CALL(graph_clone, "cudaGraphClone of another graph",
     cudaGraphClone((cudaGraph_t *)&scene.made, scene.graph), SUCCEEDS)

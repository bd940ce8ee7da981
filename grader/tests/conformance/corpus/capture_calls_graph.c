/* capture_calls_graph.c: which calls a capture refuses: graphs. */
#include "../capture_call.h"

CALL_ALSO_ELSEWHERE(instantiate, "cudaGraphInstantiate of another graph",
                    cudaGraphInstantiate((cudaGraphExec_t *)&scene.made, scene.graph, 0), UNSAFE,
                    UNSAFE_IN_GLOBAL)
CALL(graph_launch_other, "cudaGraphLaunch in another stream",
     cudaGraphLaunch(scene.exec, scene.other), ALLOWED)
CALL_ALSO_BLOCKING(graph_launch_0, "cudaGraphLaunch in 0", cudaGraphLaunch(scene.exec, 0), ALLOWED,
                   IMPLICIT)
CALL(graph_launch_captured, "cudaGraphLaunch in the captured stream",
     cudaGraphLaunch(scene.exec, scene.captured), UNSUPPORTED)
CALL(graph_upload_other, "cudaGraphUpload in another stream",
     cudaGraphUpload(scene.exec, scene.other), ALLOWED)
CALL(graph_upload_captured, "cudaGraphUpload in the captured stream",
     cudaGraphUpload(scene.exec, scene.captured), UNSUPPORTED)
CALL_ALSO_BLOCKING(graph_upload_0, "cudaGraphUpload in 0", cudaGraphUpload(scene.exec, 0), ALLOWED,
                   IMPLICIT)
CALL(instantiate_null, "cudaGraphInstantiate of NULL",
     cudaGraphInstantiate((cudaGraphExec_t *)&scene.made, NULL, 0), UNSAFE, "Relaxed: InvalidValue")
CALL(exec_destroy_null, "cudaGraphExecDestroy of NULL", cudaGraphExecDestroy(NULL), UNSAFE,
     "Relaxed: InvalidValue")
CALL_ALSO_ELSEWHERE(exec_destroy_there, "cudaGraphExecDestroy, called by two threads,",
                    cudaGraphExecDestroy(scene.exec), UNSAFE, UNSAFE_IN_GLOBAL)
CALL(instantiate_params, "cudaGraphInstantiateWithParams",
     cudaGraphInstantiateWithParams((cudaGraphExec_t *)&scene.made, scene.graph,
                                    &(cudaGraphInstantiateParams){0}),
     UNSAFE)
CALL(exec_flags, "cudaGraphExecGetFlags",
     cudaGraphExecGetFlags(scene.exec, &(unsigned long long){0}), ALLOWED)
CALL(add_memset_node, "cudaGraphAddMemsetNode to another graph",
     cudaGraphAddMemsetNode((cudaGraphNode_t *)&scene.made, scene.graph, NULL, 0,
                            &(struct cudaMemsetParams){
                                .dst = scene.device, .elementSize = 1, .width = 64, .height = 1}),
     ALLOWED)
CALL(add_copy_node, "cudaGraphAddMemcpyNode1D to another graph",
     cudaGraphAddMemcpyNode1D((cudaGraphNode_t *)&scene.made, scene.graph, NULL, 0, scene.device,
                              scene.pinned, 64, cudaMemcpyHostToDevice),
     ALLOWED)

static cudaError_t add_alloc_node(void)
{
    struct cudaMemAllocNodeParams a = alloc_params(64);
    return cudaGraphAddMemAllocNode((cudaGraphNode_t *)&scene.made, scene.graph, NULL, 0, &a);
}

CALL(add_alloc_node, "cudaGraphAddMemAllocNode to another graph", add_alloc_node(), ALLOWED)
CALL(graph_create, "cudaGraphCreate", cudaGraphCreate((cudaGraph_t *)&scene.made, 0), ALLOWED)
CALL(graph_destroy, "cudaGraphDestroy of another graph", cudaGraphDestroy(scene.graph), ALLOWED)
CALL(exec_destroy, "cudaGraphExecDestroy of another exec", cudaGraphExecDestroy(scene.exec), UNSAFE)
CALL(exec_update, "cudaGraphExecUpdate of another exec",
     cudaGraphExecUpdate(scene.exec, scene.graph, &(cudaGraphExecUpdateResultInfo){0}), ALLOWED)
CALL(graph_clone, "cudaGraphClone of another graph",
     cudaGraphClone((cudaGraph_t *)&scene.made, scene.graph), ALLOWED)

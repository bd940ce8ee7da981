/* device_launch.c: graphs that kernels launch: what may be launched, and by which kernel. */
#include "../graphs.h"
#include "../scripted.h"

static const cudaStream_t modes[] = {LAUNCH_FIRE_AND_FORGET, LAUNCH_TAIL, LAUNCH_SIBLING};

SITUATION("a kernel launches a graph into stream 0; cudaStreamLegacy; cudaStreamPerThread; a "
          "stream of the host's; a mode that is none")
{
    struct scripted *root = scripted_new(0), *child = scripted_letter('c', 0);
    then_launch(root, child, NULL);
    then_launch(root, child, cudaStreamLegacy);
    then_launch(root, child, cudaStreamPerThread);
    then_launch(root, child, new_stream(0));
    then_launch(root, child, (cudaStream_t)(uintptr_t)0x0400000000000000);
    script_gives("", "InvalidValue x5", root);
}

static void launch_of(cudaGraphExec_t x)
{
    for (int i = 0; i < 3; i++) {
        struct scripted *root = scripted_new(0);
        then_launch_exec(root, x, modes[i]);
        scripted_run(root);
    }
}

ROW(launch_of(NULL), "a kernel launches NULL in each mode", "log: ; ; ",
    "launches: InvalidValue; InvalidValue; InvalidValue")

SITUATION("a kernel launches an exec that was not instantiated for it, uploaded",
          "run: Success then IllegalAddress")
{
    struct scripted *root = scripted_new(0), *child = scripted_new(0);
    then_log(child, 'c');
    scripted_instantiate(child, 0);
    MUST(cudaGraphUpload(child->exec, NULL));
    then_launch(root, child, LAUNCH_FIRE_AND_FORGET);
    scripted_run(root);
}

SITUATION("a kernel launches an exec that was not uploaded, in each mode", "log: ; ; ",
          "launches: InvalidValue; InvalidValue; InvalidValue")
{
    struct scripted *child = scripted_new(0);
    then_log(child, 'c');
    scripted_instantiate(child, cudaGraphInstantiateFlagDeviceLaunch);
    launch_of(child->exec);
}

SITUATION("a kernel launches an exec that was launched by the host, not uploaded", "log: c; c; c")
{
    struct scripted *child = scripted_new(0);
    then_log(child, 'c');
    scripted_instantiate(child, cudaGraphInstantiateFlagDeviceLaunch);
    scripts_copy();
    MUST(cudaGraphLaunch(child->exec, NULL));
    MUST(cudaDeviceSynchronize());
    launch_of(child->exec);
}

SITUATION("a kernel launches an exec that was instantiated with the upload flag", "log: c; c; c")
{
    struct scripted *child = scripted_new(0);
    then_log(child, 'c');
    cudaGraphInstantiateParams p = {.flags = cudaGraphInstantiateFlagDeviceLaunch |
                                             cudaGraphInstantiateFlagUpload};
    MUST(cudaGraphInstantiateWithParams(&child->exec, child->graph, &p));
    MUST(cudaDeviceSynchronize());
    launch_of(child->exec);
}

SITUATION("an upload after a busy stream is not done when a kernel launches the exec: the code")
{
    struct scripted *child = scripted_new(0), *root = scripted_new(0);
    then_log(child, 'c');
    scripted_instantiate(child, cudaGraphInstantiateFlagDeviceLaunch);
    then_launch(root, child, LAUNCH_FIRE_AND_FORGET);
    scripted_upload(root);
    scripts_copy();
    cudaStream_t s = nonblocking_stream();
    gate_shut(s);
    answer(cudaGraphUpload(child->exec, s));
    script_gives("c", "Success", root);
    gate_open();
    answer(cudaStreamSynchronize(s));
    script_gives("c", "Success", root);
}

SITUATION("a kernel that is in no graph launches in each mode; what it runs in")
{
    struct scripted *child = scripted_letter('c', 0), *root = scripted_new(0);
    struct script_log *log = script_log_place();
    int delay_us = 0;
    for (int i = 0; i < 3; i++)
        then_launch(root, child, modes[i]);
    then_note_current(root);
    scripts_copy();
    void *args[] = {&root->parts[0], &log, &delay_us};
    dim3 one = {1, 1, 1};
    gives(NotSupported, cudaLaunchKernel(script_kernel(), one, one, args, 0, NULL));
    answer(cudaDeviceSynchronize());
    log_is("");
    launches_are("");
    shows("no graph", script_log_now()->me ? "a graph" : "no graph");
}

SITUATION("a kernel of a graph that is not for device launch launches in each mode; what it runs "
          "in; itself as a tail")
{
    struct scripted *root = scripted_new(0);
    then_note_current(root);
    for (int i = 0; i < 3; i++)
        then_launch(root, scripted_letter((char)('a' + i), 0), modes[i]);
    then_launch_exec(root, NULL, LAUNCH_TAIL);
    scripted_instantiate(root, 0);
    script_gives("acb", "Success x3 InvalidValue", root);
    shows("no graph", script_log_now()->me ? "a graph" : "no graph");
}

SITUATION("cudaGetCurrentGraphExec: of the graph that the host launched; of one that it launched; "
          "in a child graph node")
{
    struct scripted *root = scripted_new(0), *child = scripted_new(0);
    then_note_current(root);
    script_gives("", "", root);
    shows("itself", script_log_now()->me == root->exec ? "itself" : "other");

    struct scripted *outer = scripted_new(0);
    then_note_current(child);
    then_launch(outer, child, LAUNCH_FIRE_AND_FORGET);
    script_gives("", "Success", outer);
    shows("the launched", script_log_now()->me == child->exec ? "the launched" : "other");

    cudaGraph_t g = new_graph();
    cudaGraphExec_t x = NULL;
    add_child(g, NULL, child->graph);
    MUST(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagDeviceLaunch));
    scripts_copy();
    answer_run(x);
    shows("the outer", script_log_now()->me == x ? "the outer" : "other");
}

SITUATION("32 threads of a kernel launch a graph each, fire-and-forget")
{
    struct scripted *root = scripted_new(0);
    struct cudaKernelNodeParams k;
    for (int i = 0; i < 32; i++)
        then_launch(root, scripted_letter('c', 0), LAUNCH_FIRE_AND_FORGET);
    MUST(cudaGraphKernelNodeGetParams(root->nodes[0], &k));
    k.blockDim.x = 32;
    MUST(cudaGraphKernelNodeSetParams(root->nodes[0], &k));
    script_gives("cccccccccccccccccccccccccccccccc", "Success x32", root);
}

SITUATION("a kernel in a child graph node launches: fire-and-forget, tail")
{
    struct scripted *inner = scripted_new(0);
    cudaGraph_t g = new_graph();
    struct scripted outer = {.graph = g};
    then_launch(inner, scripted_letter('f', 0), LAUNCH_FIRE_AND_FORGET);
    then_launch(inner, scripted_letter('t', 0), LAUNCH_TAIL);
    add_child(g, NULL, inner->graph);
    script_gives("ft", "Success x2", &outer);
}

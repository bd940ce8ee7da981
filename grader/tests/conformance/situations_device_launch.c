/*
 * situations_device_launch.c: graphs launched by kernels: what may be launched, in which order it
 * runs, what waits for it.
 */
#include <stdint.h>

#include "../random/play_toy.h"
#include "situations_graphs.h"

/* ---- one launch ------------------------------------------------------------------------------ */

static const cudaStream_t modes[] = {PLAY_FIRE, PLAY_TAIL, PLAY_SIBLING};

SITUATION(launch_modes, "a kernel launches a graph to fire and forget; as a tail; as a sibling")
{
    for (int i = 0; i < 3; i++) {
        struct toy *root = toy_new(0), *child = toy_letter('c', 0);
        does_log(root, 'r');
        does_launch(root, child, modes[i]);
        toy_ready(root);
        toy_play(root);
    }
}

SITUATION(launch_streams, "a kernel launches a graph into stream 0; cudaStreamLegacy; "
                          "cudaStreamPerThread; a stream of the host's; a mode that is none")
{
    struct toy *root = toy_new(0), *child = toy_letter('c', 0);
    does_launch(root, child, NULL);
    does_launch(root, child, cudaStreamLegacy);
    does_launch(root, child, cudaStreamPerThread);
    does_launch(root, child, new_stream(0));
    does_launch(root, child, (cudaStream_t)(uintptr_t)0x0400000000000000);
    toy_ready(root);
    toy_play(root);
}

static void launch_of(cudaGraphExec_t x)
{
    for (int i = 0; i < 3; i++) {
        struct toy *root = toy_new(0);
        does_launch_exec(root, x, modes[i]);
        toy_ready(root);
        toy_play(root);
    }
}

SITUATION(launch_null, "a kernel launches NULL in each mode")
{
    launch_of(NULL);
}

SITUATION(launch_plain, "a kernel launches an exec that was not instantiated for it, uploaded")
{
    struct toy *root = toy_new(0), *child = toy_new(0);
    does_log(child, 'c');
    toy_instantiate(child, 0);
    MUST(cudaGraphUpload(child->exec, NULL));
    does_launch(root, child, PLAY_FIRE);
    toy_ready(root);
    toy_play(root);
}

SITUATION(launch_not_uploaded, "a kernel launches an exec that was not uploaded, in each mode")
{
    struct toy *child = toy_new(0);
    does_log(child, 'c');
    toy_instantiate(child, cudaGraphInstantiateFlagDeviceLaunch);
    launch_of(child->exec);
}

SITUATION(launch_after_host,
          "a kernel launches an exec that was launched by the host, not uploaded")
{
    struct toy *child = toy_new(0);
    does_log(child, 'c');
    toy_instantiate(child, cudaGraphInstantiateFlagDeviceLaunch);
    toys_tell();
    MUST(cudaGraphLaunch(child->exec, NULL));
    MUST(cudaDeviceSynchronize());
    launch_of(child->exec);
}

SITUATION(launch_upload_flag,
          "a kernel launches an exec that was instantiated with the upload flag")
{
    struct toy *child = toy_new(0);
    does_log(child, 'c');
    cudaGraphInstantiateParams p = {.flags = cudaGraphInstantiateFlagDeviceLaunch |
                                             cudaGraphInstantiateFlagUpload};
    MUST(cudaGraphInstantiateWithParams(&child->exec, child->graph, &p));
    MUST(cudaDeviceSynchronize());
    launch_of(child->exec);
}

SITUATION(launch_upload_busy,
          "an upload behind a busy stream is not done when a kernel launches the "
          "exec: the code")
{
    struct toy *child = toy_new(0), *root = toy_new(0);
    does_log(child, 'c');
    toy_instantiate(child, cudaGraphInstantiateFlagDeviceLaunch);
    does_launch(root, child, PLAY_FIRE);
    toy_ready(root);
    toys_tell();
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    gate_shut(s);
    answer(cudaGraphUpload(child->exec, s));
    toy_play(root);
    gate_open();
    answer(cudaStreamSynchronize(s));
    toy_play(root);
}

/* ---- who launches ---------------------------------------------------------------------------- */

SITUATION(launcher_no_graph, "a kernel that is in no graph launches in each mode; what it runs in")
{
    struct toy *child = toy_letter('c', 0), *root = toy_new(0);
    struct play_log *log = toy_log_place();
    int delay_us = 0;
    for (int i = 0; i < 3; i++)
        does_launch(root, child, modes[i]);
    does_look(root);
    toys_tell();
    void *args[] = {&root->parts[0], &log, &delay_us};
    dim3 one = {1, 1, 1};
    answer(cudaLaunchKernel(play_kernel(), one, one, args, 0, NULL));
    answer(cudaDeviceSynchronize());
    answer_log();
    answer_codes();
    answer_text(toy_log()->me ? "a graph" : "no graph");
}

SITUATION(launcher_plain_graph,
          "a kernel of a graph that is not for device launch launches in each "
          "mode; what it runs in; itself as a tail")
{
    struct toy *root = toy_new(0);
    does_look(root);
    for (int i = 0; i < 3; i++)
        does_launch(root, toy_letter((char)('a' + i), 0), modes[i]);
    does_launch_exec(root, NULL, PLAY_TAIL);
    toy_instantiate(root, 0);
    toy_play(root);
    answer_text(toy_log()->me ? "a graph" : "no graph");
}

SITUATION(launcher_me, "cudaGetCurrentGraphExec: of the graph that the host launched; of one that "
                       "it launched; in a child graph node")
{
    struct toy *root = toy_new(0), *child = toy_new(0);
    does_look(root);
    toy_ready(root);
    toy_play(root);
    answer_text(toy_log()->me == root->exec ? "itself" : "other");

    struct toy *outer = toy_new(0);
    does_look(child);
    toy_ready(child);
    does_launch(outer, child, PLAY_FIRE);
    toy_ready(outer);
    toy_play(outer);
    answer_text(toy_log()->me == child->exec ? "the launched" : "other");

    cudaGraph_t g = new_graph();
    cudaGraphExec_t x = NULL;
    add_child(g, NULL, child->graph);
    MUST(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagDeviceLaunch));
    toys_tell();
    answer_run(x);
    answer_text(toy_log()->me == x ? "the outer" : "other");
}

SITUATION(launcher_threads, "32 threads of a kernel launch a graph each, to fire and forget")
{
    struct toy *root = toy_new(0);
    struct cudaKernelNodeParams k;
    for (int i = 0; i < 32; i++)
        does_launch(root, toy_letter('c', 0), PLAY_FIRE);
    MUST(cudaGraphKernelNodeGetParams(root->nodes[0], &k));
    k.blockDim.x = 32;
    MUST(cudaGraphKernelNodeSetParams(root->nodes[0], &k));
    toy_ready(root);
    toy_play(root);
}

SITUATION(launcher_child_node, "a kernel in a child graph node launches: fire and forget, tail")
{
    struct toy *inner = toy_new(0);
    cudaGraph_t g = new_graph();
    struct toy outer = {.graph = g};
    does_launch(inner, toy_letter('f', 0), PLAY_FIRE);
    does_launch(inner, toy_letter('t', 0), PLAY_TAIL);
    add_child(g, NULL, inner->graph);
    toy_ready(&outer);
    toy_play(&outer);
}

/* ---- the same exec twice --------------------------------------------------------------------- */

/* The root launches one graph of `delay_us` twice. */
static void twice(int delay_us, cudaStream_t first, cudaStream_t second)
{
    struct toy *root = toy_new(0), *child = toy_letter('c', delay_us);
    does_launch(root, child, first);
    does_launch(root, child, second);
    toy_ready(root);
    toy_play(root);
}

SITUATION(twice_fire,
          "one exec launched twice by a kernel: fire and forget, and again while it runs")
{
    twice(300, PLAY_FIRE, PLAY_FIRE);
}

SITUATION(twice_tail, "one exec launched twice by a kernel: as a tail, and again")
{
    twice(100, PLAY_TAIL, PLAY_TAIL);
}

SITUATION(twice_fire_tail, "one exec launched twice by a kernel: fire and forget, then as a tail")
{
    twice(100, PLAY_FIRE, PLAY_TAIL);
}

SITUATION(twice_tail_fire, "one exec launched twice by a kernel: as a tail, then fire and forget")
{
    twice(100, PLAY_TAIL, PLAY_FIRE);
}

SITUATION(twice_sibling, "one exec launched twice by a kernel: as a sibling, and again; fire and "
                         "forget and sibling")
{
    twice(100, PLAY_SIBLING, PLAY_SIBLING);
    twice(100, PLAY_FIRE, PLAY_SIBLING);
}

SITUATION(again_when_done,
          "one exec launched to fire and forget by the first kernel of a graph, and "
          "by the second when it is done")
{
    struct toy *root = toy_new(0), *child = toy_letter('c', 0);
    does_launch(root, child, PLAY_FIRE);
    toy_part(root, 300);
    does_log(root, 'r');
    does_launch(root, child, PLAY_FIRE);
    toy_ready(root);
    toy_play(root);
}

SITUATION(running_by_host, "a kernel launches an exec that the host has running in another stream")
{
    struct toy *root = toy_new(100), *child = toy_letter('c', 2000);
    does_launch(root, child, PLAY_FIRE);
    toy_ready(root);
    toys_tell();
    cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(cudaStreamNonBlocking);
    answer(cudaGraphLaunch(child->exec, s));
    answer(cudaGraphLaunch(root->exec, t));
    answer(cudaStreamSynchronize(t));
    answer(cudaStreamSynchronize(s));
    answer_log();
    answer_codes();
}

/* ---- self relaunch --------------------------------------------------------------------------- */

SITUATION(self_tail, "a graph launches itself as a tail, 20 times")
{
    struct toy *root = toy_new(0);
    does_log(root, 'r');
    does_self(root, PLAY_TAIL);
    only_in(root, 0, 19);
    toy_ready(root);
    toy_play(root);
}

SITUATION(self_fire, "a graph launches itself: fire and forget; sibling")
{
    struct toy *root = toy_new(0);
    does_log(root, 'r');
    does_self(root, PLAY_FIRE);
    only_in(root, 0, 2);
    toy_ready(root);
    toy_play(root);
    struct toy *other = toy_new(0);
    does_log(other, 'r');
    does_self(other, PLAY_SIBLING);
    only_in(other, 0, 2);
    toy_ready(other);
    toy_play(other);
}

SITUATION(self_twice, "a graph launches itself as a tail twice in one run")
{
    struct toy *root = toy_new(0);
    does_log(root, 'r');
    does_self(root, PLAY_TAIL);
    only_in(root, 0, 2);
    does_self(root, PLAY_TAIL);
    only_in(root, 0, 2);
    toy_ready(root);
    toy_play(root);
}

SITUATION(self_of_child, "a graph launched to fire and forget launches itself as a tail, 3 times; "
                         "the root has a tail")
{
    struct toy *root = toy_new(0), *child = toy_new(0);
    does_log(child, 'c');
    does_self(child, PLAY_TAIL);
    only_in(child, 0, 3);
    toy_ready(child);
    does_launch(root, child, PLAY_FIRE);
    does_launch(root, toy_letter('t', 0), PLAY_TAIL);
    toy_ready(root);
    toy_play(root);
}

SITUATION(ping_pong, "two graphs launch each other as tails, 5 times each")
{
    struct toy *a = toy_new(0), *b = toy_new(0);
    toy_ready(a);
    toy_ready(b);
    does_log(a, 'a');
    does_launch(a, b, PLAY_TAIL);
    does_log(b, 'b');
    does_launch(b, a, PLAY_TAIL);
    only_in(b, 0, 4);
    toy_play(a);
}

SITUATION(parent_by_child, "a child launches its running parent: as a tail; to fire and forget")
{
    for (int i = 0; i < 2; i++) {
        struct toy *root = toy_new(0), *child = toy_new(0);
        toy_ready(child);
        toy_ready(root);
        does_log(root, 'r');
        does_launch(root, child, PLAY_FIRE);
        only_in(root, 0, 1);
        does_log(child, 'c');
        does_launch(child, root, i == 0 ? PLAY_TAIL : PLAY_FIRE);
        only_in(child, 0, 1);
        toy_play(root);
    }
}

SITUATION(relaunch_with_child,
          "a graph that launches itself as a tail launches the same child each "
          "time, 5 times; 300 us long")
{
    struct toy *root = toy_new(0), *child = toy_letter('c', 300);
    does_log(root, 'r');
    does_launch(root, child, PLAY_FIRE);
    does_self(root, PLAY_TAIL);
    only_in(root, 0, 4);
    toy_ready(root);
    toy_play(root);
}

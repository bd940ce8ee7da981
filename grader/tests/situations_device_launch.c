/*
 * situations_device_launch.c: graphs launched by kernels: what may be launched, in which order it
 * runs, what waits for it.
 */
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "play_toy.h"
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

SITUATION(launch_after_host, "a kernel launches an exec that was launched by the host, not uploaded")
{
    struct toy *child = toy_new(0);
    does_log(child, 'c');
    toy_instantiate(child, cudaGraphInstantiateFlagDeviceLaunch);
    toys_tell();
    MUST(cudaGraphLaunch(child->exec, NULL));
    MUST(cudaDeviceSynchronize());
    launch_of(child->exec);
}

SITUATION(launch_upload_flag, "a kernel launches an exec that was instantiated with the upload flag")
{
    struct toy *child = toy_new(0);
    does_log(child, 'c');
    cudaGraphInstantiateParams p = {.flags = cudaGraphInstantiateFlagDeviceLaunch |
                                             cudaGraphInstantiateFlagUpload};
    MUST(cudaGraphInstantiateWithParams(&child->exec, child->graph, &p));
    MUST(cudaDeviceSynchronize());
    launch_of(child->exec);
}

SITUATION(launch_upload_busy, "an upload behind a busy stream is not done when a kernel launches the "
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

SITUATION(launcher_plain_graph, "a kernel of a graph that is not for device launch launches in each "
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

SITUATION(twice_fire, "one exec launched twice by a kernel: fire and forget, and again while it runs")
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

SITUATION(again_when_done, "one exec launched to fire and forget by the first kernel of a graph, and "
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

SITUATION(relaunch_with_child, "a graph that launches itself as a tail launches the same child each "
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

/* ---- limits ---------------------------------------------------------------------------------- */

static void many(int n, cudaStream_t how, int delay_us)
{
    struct toy *root = toy_new(0);
    for (int i = 0; i < n; i++)
        does_launch(root, toy_letter('c', delay_us), how);
    toy_ready(root);
    toy_play(root);
}

SITUATION(limit_fire, "125 graphs to fire and forget in one run")
{
    many(125, PLAY_FIRE, 0);
}

SITUATION(limit_fire_long, "125 graphs of 500 us to fire and forget in one run")
{
    many(125, PLAY_FIRE, 500);
}

SITUATION(limit_sibling, "125 siblings in one run")
{
    many(125, PLAY_SIBLING, 0);
}

SITUATION(limit_tail, "260 tails in one run")
{
    many(260, PLAY_TAIL, 0);
}

SITUATION(limit_fire_done, "one exec launched to fire and forget by three kernels of a graph, each "
                           "time when it is done")
{
    struct toy *root = toy_new(0), *child = toy_letter('c', 0);
    for (int i = 0; i < 3; i++) {
        does_launch(root, child, PLAY_FIRE);
        toy_part(root, 200);
    }
    does_log(root, 'r');
    toy_ready(root);
    toy_play(root);
}

SITUATION(limit_fire_reset, "100 graphs to fire and forget in each of three runs of a graph that "
                            "launches itself")
{
    struct toy *root = toy_new(0);
    does_log(root, 'r');
    for (int i = 0; i < 100; i++)
        does_launch(root, toy_letter('c', 0), PLAY_FIRE);
    does_self(root, PLAY_TAIL);
    only_in(root, 0, 2);
    toy_ready(root);
    toy_play(root);
}

SITUATION(limit_both, "70 graphs to fire and forget and 70 siblings in one run")
{
    struct toy *root = toy_new(0);
    for (int i = 0; i < 70; i++)
        does_launch(root, toy_letter('c', 0), PLAY_FIRE);
    for (int i = 0; i < 70; i++)
        does_launch(root, toy_letter('s', 0), PLAY_SIBLING);
    toy_ready(root);
    toy_play(root);
}

SITUATION(limit_tail_nested, "200 tails of the root, then 200 of the first of them")
{
    struct toy *root = toy_new(0), *first = toy_new(0);
    for (int i = 0; i < 200; i++)
        does_launch(first, toy_letter('n', 0), PLAY_TAIL);
    toy_ready(first);
    does_launch(root, first, PLAY_TAIL);
    for (int i = 1; i < 200; i++)
        does_launch(root, toy_letter('t', 0), PLAY_TAIL);
    toy_ready(root);
    toy_play(root);
}

SITUATION(limit_sibling_rounds, "50 siblings in each of three runs of a graph that launches itself")
{
    struct toy *root = toy_new(0);
    for (int i = 0; i < 150; i++) {
        does_launch(root, toy_letter('s', 0), PLAY_SIBLING);
        only_in(root, i / 50, i / 50 + 1);
    }
    does_self(root, PLAY_TAIL);
    only_in(root, 0, 2);
    toy_ready(root);
    toy_play(root);
}

SITUATION(limit_fire_of_child, "100 graphs to fire and forget by the root, 100 by its child")
{
    struct toy *root = toy_new(0), *child = toy_new(0);
    for (int i = 0; i < 100; i++)
        does_launch(child, toy_letter('d', 0), PLAY_FIRE);
    toy_ready(child);
    does_launch(root, child, PLAY_FIRE);
    for (int i = 1; i < 100; i++)
        does_launch(root, toy_letter('c', 0), PLAY_FIRE);
    toy_ready(root);
    toys_tell();
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    answer(cudaGraphLaunch(root->exec, s));
    answer(cudaStreamSynchronize(s));
    answer_codes();
}

SITUATION(limit_tail_of_child, "200 tails of the root, 200 of its child")
{
    struct toy *root = toy_new(0), *child = toy_new(300);
    for (int i = 0; i < 200; i++)
        does_launch(child, toy_letter('u', 0), PLAY_TAIL);
    toy_ready(child);
    does_launch(root, child, PLAY_FIRE);
    for (int i = 0; i < 200; i++)
        does_launch(root, toy_letter('t', 0), PLAY_TAIL);
    toy_ready(root);
    toy_play(root);
}

SITUATION(limit_tail_self, "255 tails of the root, then itself; itself, then 255 tails")
{
    for (int k = 0; k < 2; k++) {
        struct toy *root = toy_new(0);
        for (int i = 0; i < 256; i++) {
            if (i == 255 * (1 - k))
                does_self(root, PLAY_TAIL);
            else
                does_launch(root, toy_letter('t', 0), PLAY_TAIL);
            only_in(root, 0, 1);
        }
        toy_ready(root);
        toy_play(root);
    }
}

/* ---- order ----------------------------------------------------------------------------------- */

SITUATION(order_tails, "three tails of 200, 100 and 0 us run in the order of their launches")
{
    struct toy *root = toy_new(0);
    does_log(root, 'r');
    does_launch(root, toy_letter('1', 200), PLAY_TAIL);
    does_launch(root, toy_letter('2', 100), PLAY_TAIL);
    does_launch(root, toy_letter('3', 0), PLAY_TAIL);
    toy_ready(root);
    toy_play(root);
}

SITUATION(order_nested_tails, "a tail's own tails run before those that were launched before them")
{
    struct toy *root = toy_new(0), *first = toy_new(0), *inner = toy_new(0);
    does_log(inner, 'i');
    does_launch(inner, toy_letter('x', 0), PLAY_TAIL);
    toy_ready(inner);
    does_log(first, '1');
    does_launch(first, inner, PLAY_TAIL);
    does_launch(first, toy_letter('j', 0), PLAY_TAIL);
    toy_ready(first);
    does_launch(root, first, PLAY_TAIL);
    does_launch(root, toy_letter('2', 0), PLAY_TAIL);
    toy_ready(root);
    toy_play(root);
}

SITUATION(order_fire_tail, "a tail waits for children of 300 us, and for theirs")
{
    struct toy *root = toy_new(0), *child = toy_new(0);
    does_log(child, 'c');
    does_launch(child, toy_letter('g', 500), PLAY_FIRE);
    toy_ready(child);
    does_log(root, 'r');
    does_launch(root, toy_letter('t', 0), PLAY_TAIL);
    does_launch(root, child, PLAY_FIRE);
    does_launch(root, toy_letter('d', 200), PLAY_FIRE);
    toy_ready(root);
    toy_play(root);
}

SITUATION(order_whole_graph, "a child runs beside the rest of its parent; a tail after all of it")
{
    struct toy *root = toy_new(0);
    does_launch(root, toy_letter('c', 100), PLAY_FIRE);
    does_launch(root, toy_letter('t', 0), PLAY_TAIL);
    toy_part(root, 300);
    does_log(root, 'r');
    toy_ready(root);
    toy_play(root);
}

SITUATION(order_sibling, "a sibling of 500 us does not hold the root's tail; the stream waits for it")
{
    struct toy *root = toy_new(0), *after = toy_letter('a', 0);
    does_launch(root, toy_letter('s', 500), PLAY_SIBLING);
    does_launch(root, toy_letter('t', 0), PLAY_TAIL);
    toy_ready(root);
    toys_tell();
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    answer(cudaGraphLaunch(root->exec, s));
    answer(cudaGraphLaunch(after->exec, s));
    answer(cudaStreamSynchronize(s));
    answer_log();
    answer_codes();
}

SITUATION(order_sibling_of_child, "a sibling of 500 us of the root's child holds the root's tail, "
                                  "not the child's")
{
    struct toy *root = toy_new(0), *child = toy_new(0);
    does_launch(child, toy_letter('s', 500), PLAY_SIBLING);
    does_launch(child, toy_letter('u', 0), PLAY_TAIL);
    toy_ready(child);
    does_launch(root, child, PLAY_FIRE);
    does_launch(root, toy_letter('t', 0), PLAY_TAIL);
    toy_ready(root);
    toy_play(root);
}

SITUATION(order_sibling_of_tail, "a sibling of 500 us of the root's first tail does not hold its "
                                 "second")
{
    struct toy *root = toy_new(0), *first = toy_new(0);
    does_launch(first, toy_letter('s', 500), PLAY_SIBLING);
    does_log(first, '1');
    toy_ready(first);
    does_launch(root, first, PLAY_TAIL);
    does_launch(root, toy_letter('2', 0), PLAY_TAIL);
    toy_ready(root);
    toy_play(root);
}

SITUATION(order_tail_of_child, "a child's tail of 300 us: the child's sibling in arms goes on, the "
                               "root's tail waits")
{
    struct toy *root = toy_new(0), *child = toy_new(0);
    does_launch(child, toy_letter('u', 300), PLAY_TAIL);
    toy_ready(child);
    does_launch(root, child, PLAY_FIRE);
    does_launch(root, toy_letter('d', 100), PLAY_FIRE);
    does_launch(root, toy_letter('t', 0), PLAY_TAIL);
    toy_ready(root);
    toy_play(root);
}

SITUATION(order_stream, "work behind the launch in its stream waits for children, tails and "
                        "siblings; what the host asks meanwhile")
{
    for (int i = 0; i < 3; i++) {
        struct toy *root = toy_new(0), *after = toy_letter('a', 0);
        does_launch(root, toy_letter('c', 3000), modes[i]);
        toy_ready(root);
        toys_tell();
        cudaStream_t s = new_stream(cudaStreamNonBlocking);
        cudaEvent_t e = new_event(cudaEventDisableTiming);
        MUST(cudaGraphLaunch(root->exec, s));
        MUST(cudaEventRecord(e, s));
        MUST(cudaGraphLaunch(after->exec, s));
        usleep(1000);
        answer(cudaStreamQuery(s));
        answer(cudaEventQuery(e));
        MUST(cudaStreamSynchronize(s));
        answer_log();
    }
}

SITUATION(order_again, "the host launches the root twice: the second run waits for all of the first")
{
    struct toy *root = toy_new(0);
    does_log(root, 'r');
    does_launch(root, toy_letter('t', 300), PLAY_TAIL);
    does_launch(root, toy_letter('c', 100), PLAY_FIRE);
    toy_ready(root);
    toys_tell();
    cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(cudaStreamNonBlocking);
    answer(cudaGraphLaunch(root->exec, s));
    answer(cudaGraphLaunch(root->exec, s));
    answer(cudaStreamSynchronize(s));
    answer_log();
    toys_tell();
    answer(cudaGraphLaunch(root->exec, s));
    answer(cudaGraphLaunch(root->exec, t));
    answer(cudaDeviceSynchronize());
    answer_log();
    answer_codes();
}

SITUATION(order_other_stream, "a child of 2 ms does not hold another stream")
{
    struct toy *root = toy_new(0), *other = toy_letter('o', 0);
    does_launch(root, toy_letter('c', 2000), PLAY_FIRE);
    toy_ready(root);
    toys_tell();
    cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(cudaStreamNonBlocking);
    MUST(cudaGraphLaunch(root->exec, s));
    MUST(cudaGraphLaunch(other->exec, t));
    answer(cudaStreamSynchronize(t));
    answer(cudaStreamSynchronize(s));
    answer_log();
}

/* ---- what is in it, and changes -------------------------------------------------------------- */

SITUATION(launched_copies, "a kernel launches a graph of a memset and copies in a chain; what they "
                           "have done")
{
    char *d = device_bytes(256), *h = pinned_bytes(64);
    struct toy *root = toy_new(0), child = {.graph = new_graph()};
    cudaGraphNode_t n = add_memset(child.graph, NULL, d, 7);
    n = add_copy(child.graph, n, d + 128, d);
    add_copy(child.graph, n, h, d + 128);
    toy_ready(&child);
    does_launch(root, &child, PLAY_FIRE);
    toy_ready(root);
    toy_play(root);
    answer_text("%d %d %d %d", device_byte(d), device_byte(d + 128), h[0], h[SMALL - 1]);
}

SITUATION(launched_from_host_memory, "a kernel launches a graph that copies from pinned memory: it "
                                     "reads what is there then")
{
    char *d = device_bytes(64), *h = pinned_bytes(64);
    struct toy *root = toy_new(0), child = {.graph = new_graph()};
    add_copy(child.graph, NULL, d, h);
    toy_ready(&child);
    does_launch(root, &child, PLAY_FIRE);
    toy_ready(root);
    h[0] = 5;
    toy_play(root);
    answer_text("%d", device_byte(d));
}

SITUATION(launched_child_node, "a kernel launches a graph with a child graph node of two kernels")
{
    struct toy *root = toy_new(0), *inner = toy_new(0), outer = {.graph = new_graph()};
    does_log(inner, 'a');
    toy_part(inner, 0);
    does_log(inner, 'b');
    add_child(outer.graph, NULL, inner->graph);
    toy_ready(&outer);
    does_launch(root, &outer, PLAY_TAIL);
    toy_ready(root);
    toy_play(root);
}

SITUATION(changed_not_uploaded, "an uploaded exec whose kernel's value is changed: launched by a "
                                "kernel without, and with, a further upload")
{
    int *d = device_bytes(64);
    struct toy *root = toy_new(0), child = {.graph = new_graph()};
    cudaGraphNode_t n = add_store(child.graph, NULL, d, 1);
    struct cudaKernelNodeParams k = store_params(d, 2);
    toy_ready(&child);
    does_launch(root, &child, PLAY_FIRE);
    toy_ready(root);
    toy_play(root);
    answer_text("%d", device_int(d));
    answer(cudaGraphExecKernelNodeSetParams(child.exec, n, &k));
    toy_play(root);
    answer_text("%d", device_int(d));
    answer(cudaGraphUpload(child.exec, NULL));
    MUST(cudaDeviceSynchronize());
    toy_play(root);
    answer_text("%d", device_int(d));
}

SITUATION(changed_host_launched, "an uploaded exec whose kernel's value is changed: launched by the "
                                 "host, then by a kernel")
{
    int *d = device_bytes(64);
    struct toy *root = toy_new(0), child = {.graph = new_graph()};
    cudaGraphNode_t n = add_store(child.graph, NULL, d, 1);
    struct cudaKernelNodeParams k = store_params(d, 2);
    toy_ready(&child);
    does_launch(root, &child, PLAY_FIRE);
    toy_ready(root);
    answer(cudaGraphExecKernelNodeSetParams(child.exec, n, &k));
    answer_run(child.exec);
    set_device_int(d, 0);
    toy_play(root);
    answer_text("%d", device_int(d));
}

SITUATION(changed_update, "cudaGraphExecUpdate of an exec for device launch; launched by a kernel "
                          "before and after an upload; updated with a host node")
{
    int *d = device_bytes(64);
    struct toy *root = toy_new(0), child = {.graph = new_graph()};
    cudaGraph_t newer = new_graph(), worse = new_graph();
    cudaGraphExecUpdateResultInfo info = {0};
    add_store(child.graph, NULL, d, 1);
    add_store(newer, NULL, d, 3);
    add_letter(worse, NULL, 'x');
    toy_ready(&child);
    does_launch(root, &child, PLAY_FIRE);
    toy_ready(root);
    answer(cudaGraphExecUpdate(child.exec, newer, &info));
    toy_play(root);
    answer_text("%d", device_int(d));
    MUST(cudaGraphUpload(child.exec, NULL));
    MUST(cudaDeviceSynchronize());
    toy_play(root);
    answer_text("%d", device_int(d));
    answer(cudaGraphExecUpdate(child.exec, worse, &info));
    answer_text("result %d", (int)info.result);
}

SITUATION(changed_enabled, "a kernel node of an uploaded exec is disabled: launched by a kernel "
                           "before and after an upload")
{
    struct toy *root = toy_new(0), *child = toy_new(0);
    does_log(child, 'a');
    toy_part(child, 0);
    does_log(child, 'b');
    toy_ready(child);
    does_launch(root, child, PLAY_FIRE);
    toy_ready(root);
    answer(cudaGraphNodeSetEnabled(child->exec, child->nodes[0], 0));
    toy_play(root);
    MUST(cudaGraphUpload(child->exec, NULL));
    MUST(cudaDeviceSynchronize());
    toy_play(root);
}

/* The answers to changes of the one copy, to `to` from `from`, of a graph instantiated with `flags`. */
static void changed_copy(unsigned long long flags, char *to, char *from, char *pageable)
{
    cudaGraph_t g = new_graph();
    cudaGraphExec_t x = NULL;
    cudaGraphNode_t n = add_copy(g, NULL, to, from);
    MUST(cudaGraphInstantiate(&x, g, flags));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, to, from, 64, cudaMemcpyDefault));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, to, from, 32, cudaMemcpyDefault));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, to, from + 64, 64, cudaMemcpyDefault));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, to + 64, from, 64, cudaMemcpyDefault));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, to, from + 1, 63, cudaMemcpyDefault));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, to, pageable, 64, cudaMemcpyDefault));
    answer_run(x);
}

SITUATION(changed_copies, "the copy of an exec for device launch is changed: as it is; 32 bytes; "
                          "from elsewhere; to elsewhere; from an odd address; from pageable memory")
{
    char *d = device_bytes(256), *h = pinned_bytes(256), *p = pageable_bytes(64);
    changed_copy(cudaGraphInstantiateFlagDeviceLaunch, d, h, p);
    changed_copy(cudaGraphInstantiateFlagDeviceLaunch, d, d + 128, p);
}

SITUATION(changed_memset, "the memset of an exec for device launch is changed, launched by a kernel "
                          "before and after an upload")
{
    char *d = device_bytes(64);
    struct toy *root = toy_new(0), child = {.graph = new_graph()};
    cudaGraphNode_t n = add_memset(child.graph, NULL, d, 7);
    struct cudaMemsetParams p = memset_params(d, 9, SMALL);
    toy_ready(&child);
    does_launch(root, &child, PLAY_FIRE);
    toy_ready(root);
    answer(cudaGraphExecMemsetNodeSetParams(child.exec, n, &p));
    toy_play(root);
    answer_text("%d", device_byte(d));
    MUST(cudaGraphUpload(child.exec, NULL));
    MUST(cudaDeviceSynchronize());
    toy_play(root);
    answer_text("%d", device_byte(d));
}

SITUATION(child_sees_writes, "a kernel writes, then launches a graph that copies what it wrote: fire "
                             "and forget; tail")
{
    char *to = device_bytes(64);
    for (int i = 0; i < 2; i++) {
        struct toy *root = toy_new(0), child = {.graph = new_graph()};
        add_copy(child.graph, NULL, to, toy_log_place()->letters);
        toy_ready(&child);
        does_log(root, (char)('x' + i));
        does_launch(root, &child, modes[i]);
        toy_ready(root);
        toy_play(root);
        answer_text("%c", device_byte(to));
    }
}

SITUATION(child_of_two_roots, "two graphs, in a stream each, launch the same graph of 1 ms: while it "
                              "runs; when it is done")
{
    static const int later_us[] = {500, 2500};
    for (int i = 0; i < 2; i++) {
        struct toy *a = toy_new(100), *b = toy_new(100 + later_us[i]), *c = toy_letter('c', 1000);
        does_launch(a, c, PLAY_FIRE);
        does_launch(b, c, PLAY_FIRE);
        toy_ready(a);
        toy_ready(b);
        toys_tell();
        MUST(cudaGraphLaunch(a->exec, new_stream(cudaStreamNonBlocking)));
        MUST(cudaGraphLaunch(b->exec, new_stream(cudaStreamNonBlocking)));
        answer(cudaDeviceSynchronize());
        answer_log();
        answer_codes();
    }
}

/* ---- instantiating --------------------------------------------------------------------------- */

static void for_device(cudaGraph_t g)
{
    cudaGraphExec_t x = NULL;
    cudaGraphInstantiateParams p = {.flags = cudaGraphInstantiateFlagDeviceLaunch};
    cudaError_t e = cudaGraphInstantiateWithParams(&x, g, &p);
    if (e == cudaSuccess && p.result_out == 0)
        answer(e);
    else
        answer_text("%s result %d node %s", error_text(e), (int)p.result_out,
                    place_text(g, p.errNode_out));
}

SITUATION(device_instantiate_nested, "DeviceLaunch of an empty child graph node; of a kernel and an "
                                     "empty node after it; of a 2-D memset; a free node; of two "
                                     "kernels without an edge; cudaGraphInstantiate of a host node")
{
    cudaGraph_t g = new_graph(), h = new_graph(), k = new_graph(), m = new_graph();
    int *d = device_bytes(1024);
    cudaGraphExec_t x = NULL;
    cudaGraphNode_t n;
    add_child(g, NULL, new_graph());
    for_device(g);
    add_empty(h, add_store(h, NULL, d, 1));
    for_device(h);
    struct cudaMemsetParams p = {.dst = d, .elementSize = 4, .width = 4, .height = 4, .pitch = 64};
    MUST(cudaGraphAddMemsetNode(&n, m, NULL, 0, &p));
    for_device(m);
    add_store(k, NULL, d, 1);
    add_store(k, NULL, d + 8, 1);
    for_device(k);
    answer(cudaGraphInstantiate(&x, graph_of_one("host", &n), cudaGraphInstantiateFlagDeviceLaunch));
}

SITUATION(device_instantiate_captured, "DeviceLaunch of a capture with a fork and a join; with a "
                                       "host function; of pageable copies to and from the device")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(cudaStreamNonBlocking);
    char *d = device_bytes(256), *p = pageable_bytes(256);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    order_streams(s, t);
    some_work(t);
    order_streams(t, s);
    cudaGraph_t g = NULL;
    MUST(cudaStreamEndCapture(s, &g));
    for_device(g);
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    log_letter(s, 'x');
    MUST(cudaStreamEndCapture(s, &g));
    for_device(g);
    for (int i = 0; i < 2; i++) {
        begin_capture(s, cudaStreamCaptureModeRelaxed);
        MUST(cudaMemcpyAsync(i ? (void *)p : d, i ? (void *)d : p, 64, cudaMemcpyDefault, s));
        MUST(cudaStreamEndCapture(s, &g));
        for_device(g);
    }
}

SITUATION(device_exec_calls, "an exec for device launch: flags; node of it disabled; exec destroyed "
                             "after it ran; graph destroyed before a kernel launches it")
{
    struct toy *root = toy_new(0), *child = toy_letter('c', 0);
    unsigned long long flags = 0;
    answer(cudaGraphExecGetFlags(child->exec, &flags));
    answer_text("%llu", flags);
    does_launch(root, child, PLAY_FIRE);
    toy_ready(root);
    answer(cudaGraphDestroy(child->graph));
    toy_play(root);
    answer(cudaGraphExecDestroy(child->exec));
    answer(cudaGraphExecDestroy(root->exec));
    answer(cudaDeviceSynchronize());
}

SITUATION(failed_launch_is_quiet, "a refused launch by a kernel: what the host sees of it")
{
    struct toy *root = toy_new(0);
    does_launch_exec(root, NULL, PLAY_FIRE);
    does_log(root, 'r');
    toy_ready(root);
    toy_play(root);
    answer(cudaGetLastError());
    answer(cudaDeviceSynchronize());
}

SITUATION(second_exec, "two execs of one graph, both launched by a kernel to fire and forget")
{
    struct toy *root = toy_new(0), *child = toy_letter('c', 100);
    cudaGraphExec_t first = child->exec;
    toy_ready(child);
    does_launch_exec(root, first, PLAY_FIRE);
    does_launch(root, child, PLAY_FIRE);
    toy_ready(root);
    toy_play(root);
}

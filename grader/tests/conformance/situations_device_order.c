/*
 * situations_device_order.c: graphs launched by kernels: how many, in which order they run, and
 * what waits for them.
 */
#include <unistd.h>

#include "../random/play_toy.h"
#include "situations_graphs.h"

static const cudaStream_t modes[] = {PLAY_FIRE, PLAY_TAIL, PLAY_SIBLING};

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

SITUATION(order_sibling,
          "a sibling of 500 us does not hold the root's tail; the stream waits for it")
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

SITUATION(order_again,
          "the host launches the root twice: the second run waits for all of the first")
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

/* device_relaunch.c: graphs that kernels launch more than once, and graphs that launch themselves.
 */
#include "../scripted.h"

/* The root launches one graph of `delay_us` twice. */
static void twice(int delay_us, cudaStream_t first, cudaStream_t second)
{
    struct scripted *root = scripted_new(0), *child = scripted_letter('c', delay_us);
    then_launch(root, child, first);
    then_launch(root, child, second);
    scripted_run(root);
}

SITUATION("one exec launched twice by a kernel: fire-and-forget, and again while it runs; as a "
          "tail, and again; fire-and-forget, then as a tail; as a tail, then fire-and-forget; as a "
          "sibling, and again; fire-and-forget and sibling",
          "log: c; c; c; c; c; c",
          "launches: Success InvalidValue; Success InvalidValue; Success InvalidValue; Success "
          "InvalidValue; Success InvalidValue; Success InvalidValue")
{
    twice(300, LAUNCH_FIRE_AND_FORGET, LAUNCH_FIRE_AND_FORGET);
    twice(100, LAUNCH_TAIL, LAUNCH_TAIL);
    twice(100, LAUNCH_FIRE_AND_FORGET, LAUNCH_TAIL);
    twice(100, LAUNCH_TAIL, LAUNCH_FIRE_AND_FORGET);
    twice(100, LAUNCH_SIBLING, LAUNCH_SIBLING);
    twice(100, LAUNCH_FIRE_AND_FORGET, LAUNCH_SIBLING);
}

SITUATION("one exec launched fire-and-forget by the first kernel of a graph, and by the second "
          "when it is done")
{
    struct scripted *root = scripted_new(0), *child = scripted_letter('c', 0);
    then_launch(root, child, LAUNCH_FIRE_AND_FORGET);
    scripted_add_kernel(root, 300);
    then_log(root, 'r');
    then_launch(root, child, LAUNCH_FIRE_AND_FORGET);
    script_gives("crc", "Success x2", root);
}

SITUATION("a kernel launches an exec that the host has running in another stream")
{
    struct scripted *root = scripted_new(100), *child = scripted_letter('c', 2000);
    then_launch(root, child, LAUNCH_FIRE_AND_FORGET);
    scripted_upload(root);
    scripts_copy();
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    answer(cudaGraphLaunch(child->exec, s));
    answer(cudaGraphLaunch(root->exec, t));
    answer(cudaStreamSynchronize(t));
    answer(cudaStreamSynchronize(s));
    log_is("c");
    launches_are("InvalidValue");
}

SITUATION("a graph launches itself: fire-and-forget; sibling")
{
    for (int i = 0; i < 2; i++) {
        struct scripted *root = scripted_new(0);
        then_log(root, 'r');
        then_relaunch(root, i == 0 ? LAUNCH_FIRE_AND_FORGET : LAUNCH_SIBLING);
        only_in(root, 0, 2);
        script_gives("r", "InvalidValue", root);
    }
}

SITUATION("a graph launches itself as a tail twice in one run")
{
    struct scripted *root = scripted_new(0);
    then_log(root, 'r');
    then_relaunch(root, LAUNCH_TAIL);
    only_in(root, 0, 2);
    then_relaunch(root, LAUNCH_TAIL);
    only_in(root, 0, 2);
    script_gives("rrr", "Success InvalidValue Success InvalidValue", root);
}

SITUATION(
    "a graph launched fire-and-forget launches itself as a tail, 3 times; the root has a tail")
{
    struct scripted *root = scripted_new(0), *child = scripted_new(0);
    then_log(child, 'c');
    then_relaunch(child, LAUNCH_TAIL);
    only_in(child, 0, 3);
    then_launch(root, child, LAUNCH_FIRE_AND_FORGET);
    then_launch(root, scripted_letter('t', 0), LAUNCH_TAIL);
    script_gives("cccct", "Success x5", root);
}

SITUATION("two graphs launch each other as tails, 5 times each")
{
    struct scripted *a = scripted_new(0), *b = scripted_new(0);
    scripted_upload(a);
    then_log(a, 'a');
    then_launch(a, b, LAUNCH_TAIL);
    then_log(b, 'b');
    then_launch(b, a, LAUNCH_TAIL);
    only_in(b, 0, 4);
    script_gives("ababababab", "Success x9", a);
}

SITUATION("a child launches its running parent: as a tail; fire-and-forget", "log: rc; rc",
          "launches: Success InvalidValue; Success InvalidValue")
{
    for (int i = 0; i < 2; i++) {
        struct scripted *root = scripted_new(0), *child = scripted_new(0);
        scripted_upload(root);
        then_log(root, 'r');
        then_launch(root, child, LAUNCH_FIRE_AND_FORGET);
        only_in(root, 0, 1);
        then_log(child, 'c');
        then_launch(child, root, i == 0 ? LAUNCH_TAIL : LAUNCH_FIRE_AND_FORGET);
        only_in(child, 0, 1);
        scripted_run(root);
    }
}

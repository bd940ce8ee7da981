/* device_launch_limits.c: how many graphs one run may launch from the device. */
#include "../scripted.h"

static void many(int n, cudaStream_t how, int delay_us)
{
    struct scripted *root = scripted_new(0);
    for (int i = 0; i < n; i++)
        then_launch(root, scripted_letter('c', delay_us), how);
    scripted_run(root);
}

ROW(many(125, LAUNCH_FIRE_AND_FORGET, 0), "125 graphs fire-and-forget in one run",
    "log: "
    "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"
    "cccccccccccccccccccccccccc",
    "launches: Success x120 InvalidValue x5")
ROW(many(125, LAUNCH_FIRE_AND_FORGET, 500), "125 graphs of 500 us fire-and-forget in one run",
    "log: "
    "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"
    "cccccccccccccccccccccccccc",
    "launches: Success x120 InvalidValue x5")
ROW(many(125, LAUNCH_SIBLING, 0), "125 siblings in one run",
    "log: "
    "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"
    "cccccccccccccccccccccccccc",
    "launches: Success x120 InvalidValue x5")
ROW(many(260, LAUNCH_TAIL, 0), "260 tails in one run",
    "log: "
    "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"
    "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"
    "cccccccccccc...",
    "launches: Success x255 InvalidValue x5")

SITUATION("100 graphs fire-and-forget in each of three runs of a graph that launches itself")
{
    struct scripted *root = scripted_new(0);
    then_log(root, 'r');
    for (int i = 0; i < 100; i++)
        then_launch(root, scripted_letter('c', 0), LAUNCH_FIRE_AND_FORGET);
    then_relaunch(root, LAUNCH_TAIL);
    only_in(root, 0, 2);
    script_gives("rcccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"
                 "ccccccccccccccccccccrcccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"
                 "cccccccccccccccccccccccccccccccccccccc...",
                 "Success x302", root);
}

SITUATION("70 graphs fire-and-forget and 70 siblings in one run")
{
    struct scripted *root = scripted_new(0);
    for (int i = 0; i < 70; i++)
        then_launch(root, scripted_letter('c', 0), LAUNCH_FIRE_AND_FORGET);
    for (int i = 0; i < 70; i++)
        then_launch(root, scripted_letter('s', 0), LAUNCH_SIBLING);
    script_gives("ccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccsssssssssss"
                 "sssssssssssssssssssssssssssssssssssssssssssssssssssssssssss",
                 "Success x140", root);
}

SITUATION("200 tails of the root, then 200 of the first of them")
{
    struct scripted *root = scripted_new(0), *first = scripted_new(0);
    for (int i = 0; i < 200; i++)
        then_launch(first, scripted_letter('n', 0), LAUNCH_TAIL);
    then_launch(root, first, LAUNCH_TAIL);
    for (int i = 1; i < 200; i++)
        then_launch(root, scripted_letter('t', 0), LAUNCH_TAIL);
    script_gives("nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnttttttttttttttttttttttttt"
                 "ttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt"
                 "tttttttttttttttttttttttttttttttttttttt...",
                 "Success x256 InvalidValue x144", root);
}

SITUATION("50 siblings in each of three runs of a graph that launches itself")
{
    struct scripted *root = scripted_new(0);
    for (int i = 0; i < 150; i++) {
        then_launch(root, scripted_letter('s', 0), LAUNCH_SIBLING);
        only_in(root, i / 50, i / 50 + 1);
    }
    then_relaunch(root, LAUNCH_TAIL);
    only_in(root, 0, 2);
    script_gives("sssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssss"
                 "sssssssssssssssssssssssssssssssssssssss",
                 "Success x122 InvalidValue x30", root);
}

SITUATION("100 graphs fire-and-forget by the root, 100 by its child")
{
    struct scripted *root = scripted_new(0), *child = scripted_new(0);
    for (int i = 0; i < 100; i++)
        then_launch(child, scripted_letter('d', 0), LAUNCH_FIRE_AND_FORGET);
    then_launch(root, child, LAUNCH_FIRE_AND_FORGET);
    for (int i = 1; i < 100; i++)
        then_launch(root, scripted_letter('c', 0), LAUNCH_FIRE_AND_FORGET);
    scripted_upload(root);
    scripts_copy();
    cudaStream_t s = nonblocking_stream();
    answer(cudaGraphLaunch(root->exec, s));
    answer(cudaStreamSynchronize(s));
    launches_are("Success x200");
}

SITUATION("200 tails of the root, 200 of its child")
{
    struct scripted *root = scripted_new(0), *child = scripted_new(300);
    for (int i = 0; i < 200; i++)
        then_launch(child, scripted_letter('u', 0), LAUNCH_TAIL);
    then_launch(root, child, LAUNCH_FIRE_AND_FORGET);
    for (int i = 0; i < 200; i++)
        then_launch(root, scripted_letter('t', 0), LAUNCH_TAIL);
    script_gives("uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu"
                 "uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu"
                 "uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu...",
                 "Success x401", root);
}

SITUATION("255 tails of the root, then itself; itself, then 255 tails",
          "log: "
          "tttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt"
          "tttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt"
          "tttttttttttttttttttttttt...; "
          "tttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt"
          "tttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt"
          "tttttttttttttttttttttttt...",
          "launches: Success x255 InvalidValue; Success x255 InvalidValue")
{
    for (int k = 0; k < 2; k++) {
        struct scripted *root = scripted_new(0);
        for (int i = 0; i < 256; i++) {
            if (i == 255 * (1 - k))
                then_relaunch(root, LAUNCH_TAIL);
            else
                then_launch(root, scripted_letter('t', 0), LAUNCH_TAIL);
            only_in(root, 0, 1);
        }
        scripted_run(root);
    }
}

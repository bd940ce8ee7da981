/* device_launch_limits.c: how many graphs one run may launch from the device. */
#include "../scripted.h"

#define TEN(letters) letters letters letters letters letters letters letters letters letters letters
#define HUNDRED(letters) TEN(TEN(letters))

static void launch_many(struct scripted *by, int n, char letter, cudaStream_t how)
{
    for (int i = 0; i < n; i++)
        then_launch(by, scripted_letter(letter, 0), how);
}

static void many(int n, cudaStream_t how, int delay_us)
{
    struct scripted *root = scripted_new(0);
    for (int i = 0; i < n; i++)
        then_launch(root, scripted_letter('c', delay_us), how);
    scripted_run(root);
}

ROW(many(125, LAUNCH_FIRE_AND_FORGET, 0), "125 graphs fire-and-forget in one run",
    "log: " HUNDRED("c") TEN("cc"), "launches: Success x120 InvalidValue x5")
ROW(many(125, LAUNCH_FIRE_AND_FORGET, 500), "125 graphs of 500 us fire-and-forget in one run",
    "log: " HUNDRED("c") TEN("cc"), "launches: Success x120 InvalidValue x5")
ROW(many(125, LAUNCH_SIBLING, 0), "125 siblings in one run", "log: " HUNDRED("c") TEN("cc"),
    "launches: Success x120 InvalidValue x5")
ROW(many(260, LAUNCH_TAIL, 0), "260 tails in one run", "log: " HUNDRED("cc") "...",
    "launches: Success x255 InvalidValue x5")

SITUATION("100 graphs fire-and-forget in each of three runs of a graph that launches itself")
{
    struct scripted *root = scripted_new(0);
    then_log(root, 'r');
    launch_many(root, 100, 'c', LAUNCH_FIRE_AND_FORGET);
    then_relaunch(root, LAUNCH_TAIL);
    only_in(root, 0, 2);
    script_gives("r" HUNDRED("c") "r" TEN("ccccccccc") "cccccccc...", "Success x302", root);
}

SITUATION("70 graphs fire-and-forget and 70 siblings in one run")
{
    struct scripted *root = scripted_new(0);
    launch_many(root, 70, 'c', LAUNCH_FIRE_AND_FORGET);
    launch_many(root, 70, 's', LAUNCH_SIBLING);
    script_gives(TEN("ccccccc") TEN("sssssss"), "Success x140", root);
}

SITUATION("200 tails of the root, then 200 of the first of them")
{
    struct scripted *root = scripted_new(0), *first = scripted_new(0);
    launch_many(first, 200, 'n', LAUNCH_TAIL);
    then_launch(root, first, LAUNCH_TAIL);
    launch_many(root, 199, 't', LAUNCH_TAIL);
    script_gives(TEN("nnnnn") "nnnnnn" HUNDRED("t") TEN("tttt") "tttt...",
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
    script_gives(HUNDRED("s") TEN("ss"), "Success x122 InvalidValue x30", root);
}

SITUATION("100 graphs fire-and-forget by the root, 100 by its child")
{
    struct scripted *root = scripted_new(0), *child = scripted_new(0);
    launch_many(child, 100, 'd', LAUNCH_FIRE_AND_FORGET);
    then_launch(root, child, LAUNCH_FIRE_AND_FORGET);
    launch_many(root, 99, 'c', LAUNCH_FIRE_AND_FORGET);
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
    launch_many(child, 200, 'u', LAUNCH_TAIL);
    then_launch(root, child, LAUNCH_FIRE_AND_FORGET);
    launch_many(root, 200, 't', LAUNCH_TAIL);
    script_gives(HUNDRED("uu") "...", "Success x401", root);
}

SITUATION("255 tails of the root, then itself; itself, then 255 tails",
          "log: " HUNDRED("tt") "...; " HUNDRED("tt") "...",
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

/* scenarios.c: the scenarios of lab 06. */
#include "expected.h"

#include "exchange.h"

/* One weight, not the first, is 0. In turns the first one is that which run_other passed last. */
static void fill_weights(struct judged *j)
{
    const size_t calls = judge_numbers(j)->calls;
    judge_buffer(j, "weights")[1 + judge_random(j) % (calls - 1)] = 0;
    if (judge_numbers(j)->in_turns)
        judge_buffer(j, "weights")[0] = 0.5f;
}

static void make(struct judge_scenario *s)
{
    const struct numbers *n = s->numbers;
    const bool items = n->workload == LAB06_ALL;
    const size_t count = (size_t)n->n * n->calls * (items ? 2 : 1),
                 steps = n->n_steps > n->other_steps ? n->n_steps : n->other_steps;
    s->buffers[0] = (struct judge_buffer){"in",           JUDGE_INPUT,  count,
                                          .pinned = true, .low = 0.05f, .high = 0.95f};
    s->buffers[1] = (struct judge_buffer){"weights", JUDGE_INPUT, n->calls * (items ? steps : 1),
                                          .low = items ? 0.02f : -0.1f, .high = 0.1f};
    s->buffers[2] = (struct judge_buffer){
        "out", JUDGE_OUTPUT, count, .pinned = true,
        .made_by = n->workload == LAB06_BRANCH ? "consume or saxpy" : "saxpy"};
    s->fill = n->workload == LAB06_ONE ? fill_weights : NULL;
}

/* Checks have their say first, and have the results verified afterwards. */
#define SCENARIO(words_, ...)                                                                      \
    {                                                                                              \
        .name = words_, .numbers = JUDGE_NUMBERS(__VA_ARGS__, .strength = 0.25),                   \
        .drawn = JUDGE_DRAWN(n), .make = make                                                      \
    }
/* The lab's other functions are not called. */
#define ITEMS .workload = LAB06_ALL, .n_smooth = 1, .correct_steps = 1
#define WEIGHTS .workload = LAB06_ONE, .correct_steps = 1
#define BRANCHES .workload = LAB06_BRANCH

enum { FEW_STEPS = 6 };

const struct judge_scenario lab06_items =
    SCENARIO("10 items of 20 kernels", ITEMS, .n = 4096, .calls = 10, .n_steps = 20);
const struct judge_scenario lab06_odd_items =
    SCENARIO("5 items of 33 kernels", ITEMS, .n = 1000, .calls = 5, .n_steps = 33);
const struct judge_scenario lab06_longer =
    SCENARIO("4 items of 20 kernels, then 4 of 28", ITEMS, .n = 4096, .calls = 8, .n_steps = 20,
             .other_steps = 28, .other_from = 4);
const struct judge_scenario lab06_shorter =
    SCENARIO("3 items of 32 kernels, then 5 of 7", ITEMS, .n = 4096, .calls = 8, .n_steps = 32,
             .other_steps = 7, .other_from = 3);
const struct judge_scenario lab06_weights =
    SCENARIO("12 calls, 20 smoothing kernels", WEIGHTS, .n = 4096, .calls = 12, .n_smooth = 20);
const struct judge_scenario lab06_odd_weights =
    SCENARIO("5 calls, 7 smoothing kernels", WEIGHTS, .n = 1000, .calls = 5, .n_smooth = 7);
const struct judge_scenario lab06_branches =
    SCENARIO("15 calls, 12 smoothing kernels, 8 calls corrected", BRANCHES, .n = 4096, .calls = 15,
             .n_smooth = 12, .correct_steps = FEW_STEPS,
             .corrected = {0, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 1});
const struct judge_scenario lab06_odd_branches =
    SCENARIO("7 calls, 1 smoothing kernel, 4 calls corrected", BRANCHES, .n = 1000, .calls = 7,
             .n_smooth = 1, .correct_steps = FEW_STEPS, .corrected = {0, 1, 0, 1, 1, 1, 0});
const struct judge_scenario lab06_item_turns = SCENARIO(
    "2 items, lab06_one before each", ITEMS, .n = 512, .calls = 2, .in_turns = true, .n_steps = 5);
const struct judge_scenario lab06_weight_turns =
    SCENARIO("3 calls of lab06_one, lab06_branch before each", .workload = LAB06_ONE, .n = 512,
             .calls = 3, .in_turns = true, .n_smooth = 3, .correct_steps = FEW_STEPS);
const struct judge_scenario lab06_branch_turns =
    SCENARIO("3 calls of lab06_branch, lab06_one before each", BRANCHES, .n = 512, .calls = 3,
             .in_turns = true, .n_smooth = 3, .correct_steps = FEW_STEPS, .corrected = {0, 1, 0});
const struct judge_scenario lab06_branches_called =
    SCENARIO("6 calls, 8 smoothing kernels, 3 calls with a long correction", BRANCHES, .n = 512,
             .calls = 6, .n_smooth = 8, .correct_steps = 3000, .corrected = {0, 1, 1, 0, 1, 0});
const struct judge_scenario lab06_one_branch =
    SCENARIO("1 call, corrected, 8 smoothing kernels", BRANCHES, .n = 512, .calls = 1,
             .n_smooth = 8, .correct_steps = 3000, .corrected = {1});
const struct judge_scenario lab06_many_items =
    SCENARIO("10 items of 100 kernels", ITEMS, .n = 512, .calls = 10, .n_steps = 100);
const struct judge_scenario lab06_many_weights =
    SCENARIO("10 calls, 100 smoothing kernels", WEIGHTS, .n = 512, .calls = 10, .n_smooth = 100);
/* One block of threads, whatever is drawn: two would take half as long for the correction. */
const struct judge_scenario lab06_many_branches = SCENARIO(
    "8 calls, 100 smoothing kernels, 4 calls with a longer correction", BRANCHES, .n = 240,
    .calls = 8, .n_smooth = 100, .correct_steps = 40000, .corrected = {0, 1, 0, 1, 0, 1, 1, 0});

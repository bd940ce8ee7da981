/* products.h: what the suites of labs 01, 03, 04, 05, 23 and 25 have in common: batches of C = A B,
 * n x n each, and for labs 03 and 05 a ring of device buffers. */
#pragma once

#include "judge/judge.h"
#include "products_numbers.h"

/* A scenario's verify: the output c, n x n floats a batch, from the inputs a and b, or from the
 * input a_and_b, which has B of all batches after A of all batches. Small products are compared
 * whole; of large ones samples, and rows that Freivalds' check does not believe. */
void products_verify(struct judged *j);

/* n is a multiple of this: matmul works in tiles. */
enum { PRODUCTS_TILE = 32 };

/* n, a little less or a little more: another one in each grading. */
long products_size(long n);

/* A scenario, with its numbers and its name. */
struct products_scenario {
    struct judge_scenario judge;
    struct numbers numbers;
    char name[96];
};

/* With the input a_and_b and the output c, both pinned. Lives as long as the subject that it is
   for. */
void products_make(struct products_scenario *s, const struct numbers *numbers);

/* Right results in the first runs, with a ring that is used again, with sets to spare, few batches
 * and late copies; on a GPU also with kernels that take long. `unfinished`: judge_run_to_end. */
void products_expect_results(const char *unfinished);

/* The same of other cases, one run or two, and an unaided one. The last case, with long kernels,
   shows races on a GPU; on the simulated device a check of the order does. `unfinished`: as above;
   NULL: the adapter itself waits for the work. */
void products_run_cases(const struct numbers *cases, size_t n_all,
                        void (*run_to_end)(struct judged *j, const char *unfinished),
                        const char *unfinished);

/* The most device memory: the ring of sets, and half a set for what is needed beside it. */
double products_most_bytes(const struct judged *j);

/* Why nothing overlaps: the fact host_waits if a call of the host waits between the batches. Does
   one? */
bool products_ask_waits(const struct trace *t);

/* Does the trace hold all the work of the scenario? So leaving some out gains nothing. */
void products_expect_all_work(const struct judged *j, const struct trace *t);

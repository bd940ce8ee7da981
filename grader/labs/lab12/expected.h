/* expected.h: what is asked of lab 12. */
#pragma once

#include <stdbool.h>

#include "judge/judge.h"
#include "query/graph.h"

/* expected_results.c: is y the product of x and all weights? */

/* Every element, against the product in double precision. */
void verify_all(struct judged *j);

/* Fails if weights that are primes (weights.h) show a mistake. */
void expect_primes(const struct judged *j);

/* Every row, by a sum: y v = x (w[0] (w[1] (... v))), v a vector of random numbers (R. Freivalds,
 * "Probabilistic machines can use less running time", 1977). The product itself would take the CPU
 * too long. */
void verify_sums(struct judged *j);

/* graphs.c: what is wrong with a graph of lab 12, as facts for the rules. */

/* Records x_copied and y_copied: the floats that are copied, per float of the buffer. Is any copied
   more than once? */
bool graph_facts_of_repeats(const struct dag *g, size_t floats);

/* The same, and what else makes y wrong: output_read, no_copies, gaps_in_x, gaps_in_y (rows that no
   copy has), layers_split. `floats`: of x, and of y. Is any of it wrong? */
bool graph_facts_of_results(const struct dag *g, size_t floats, size_t n_layers);

/* The fact that keeps the stages of a pipeline from running side by side; NULL: none is known. */
const char *graph_order(const struct dag *g, int n_devices);

/* stages.c: questions about one device of a pipeline to a trace. */

/* Launches of the kernel `dense` on the device. */
size_t stage_layers(const struct trace *t, int device);

/* The device of the last copy from the host that is not in a stream of device 0; 0: there is none.
 */
int stage_of_input(const struct trace *t);

/* The share of the time of its copies out (to the next device, or to the host) during which the
   device computes. */
double stage_overlap(const struct trace *t, int device);

/* The share of the time from the first layer to the last one, of all devices, in which they do not
   compute. */
double pipeline_bubble(const struct trace *t, int n_devices);

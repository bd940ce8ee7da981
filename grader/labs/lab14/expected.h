/* expected.h: what is asked of lab 14. */
#pragma once

#include "judge/judge.h"
#include "labs/lab14_all_reduce/lab.h"
#include "query/graph.h"

/* expected_results.c: is y right on each device? */

/* That the last run has used. */
int devices_of(const struct judged *j);

/* For a scenario's verify. Every element, in double precision. */
void verify_all(struct judged *j);
/* Two rows, which are drawn, and the bits of all. */
void verify_rows(struct judged *j);
/* Has each device the bits that device 0 has? */
void verify_bits(struct judged *j);

/* For a scenario with the number `digits`: the weights then make the partial sum of device d 2 *
 * 4^d times the input of the layer, and x is 0.5. So after one layer a digit of y says how often
 * device d's part was added, and after two layers y says which inputs the second one used. */
void fill_digits(struct judged *j);
/* Fail for the mistake that y shows, after one layer and after two; return if it shows none. */
void expect_digits(const struct judged *j);
void expect_second_layer(const struct judged *j);

/* traffic.c: bytes between devices, and the time in which they move. */

/* Bytes that each device sends, and receives, in a step; `message`: bytes of a message, which all
   devices have equal parts of. */
double traffic_of(enum lab14_algorithm algorithm, int n_devices, int n_layers, double message);

/* Fails unless the copies of the graph are those of the algorithm; the run left them in "bytes". */
void expect_traffic(struct judged *j, enum lab14_algorithm algorithm);

/* Does each product wait for the products of all devices in the layer before, and a sum or a copy
   on each device for those of the last layer? */
bool traffic_is_awaited(const struct dag *g, size_t n_devices, size_t n_layers);

/* The time of a step in which no device runs a kernel. */
double traffic_us(const struct trace *t);

/* Launches of the kernel on the device. */
size_t traffic_launches(const struct trace *t, int device, const char *kernel);

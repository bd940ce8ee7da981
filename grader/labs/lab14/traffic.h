/*
 * traffic.h: bytes between devices, and the time in which they move.
 */
#ifndef LAB14_TRAFFIC_H
#define LAB14_TRAFFIC_H

#include "common/trace.h"
#include "judge/judge.h"
#include "labs/lab14_all_reduce/lab.h"

/* Bytes that each device sends, and receives, in a step; `message`: bytes of a message, which all
   devices have equal parts of. */
double traffic_of(enum lab14_algorithm algorithm, int n_devices, int n_layers, double message);

/* Fails unless the copies of the graph are those of the algorithm; the run left them in "bytes". */
void expect_traffic(struct judged *j, enum lab14_algorithm algorithm);

/* The time of a step in which no device runs a kernel. */
double traffic_us(const struct trace *t);

/* Launches of the kernel on the device. */
size_t traffic_launches(const struct trace *t, int device, const char *kernel);

#endif

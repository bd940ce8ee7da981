/*
 * stages.h: questions about one device of a pipeline to a trace.
 */
#ifndef LAB12_STAGES_H
#define LAB12_STAGES_H

#include "common/trace.h"

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

#endif

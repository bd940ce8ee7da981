/*
 * invalid_value.h: what cudaErrorInvalidValue means in lab 08.
 */
#ifndef LAB08_INVALID_VALUE_H
#define LAB08_INVALID_VALUE_H

#include "graphs.h"

/* From the function that builds the graph of this task. */
const char *lab08_invalid_value(enum lab08_task task);

#endif

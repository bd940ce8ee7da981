/* tuple.h: up to CUDA 12.3 this header of Thrust included <thrust/pair.h>. */
#ifndef SIMCC_THRUST_TUPLE_H
#define SIMCC_THRUST_TUPLE_H

#include_next <thrust/tuple.h>

#include <thrust/pair.h>

#endif

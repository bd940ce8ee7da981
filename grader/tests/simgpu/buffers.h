/* buffers.h: device memory and pinned memory for each test of a program. */
#pragma once

#include <string.h>

#include "sim_test.h"

enum { BYTES = 5000 };

static char *device, *pinned;

static inline void setup_buffers(void)
{
    setup_quiet();
    OK(cudaMalloc((void **)&device, BYTES));
    OK(cudaMallocHost((void **)&pinned, BYTES));
    memset(pinned, 0, BYTES);
}

/*
 * register.h: what fatbin.c, the way in for programs compiled by nvcc, needs of the tables of
 * kernels and variables.
 */
#ifndef REGISTER_H
#define REGISTER_H

#include "sim.h"

/* The kernel is no longer found; its description stays, since work in flight may still name it. */
void kernel_forget(const struct simgpu_kernel *kernel);

#endif

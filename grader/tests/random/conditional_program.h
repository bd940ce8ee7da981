/* conditional_program.h: random programs of conditional nodes, nested in each other, that answer
 * the same on every right device.
 *
 * A program follows from its seed: a graph of kernels that write letters into a log in device
 * memory, set the values of conditional nodes, count iterations, copy and set memory, alone or in
 * bodies of IF, WHILE and SWITCH nodes; some mistaken calls among those that build it; then
 * launches, and changes of the executable graph between them. It prints what the calls answered
 * and, after each launch, the log. */
#pragma once

#include <stdint.h>
#include <stdio.h>

/* Runs the program of `seed` and prints it. Frees all that it made. */
void conditional_program(uint64_t seed, FILE *out);

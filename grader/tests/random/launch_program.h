/* launch_program.h: random programs of device graph launch (launch_script.h), the same ones on both
 * devices.
 *
 * A program is some graphs whose kernels wait, write their letter, and launch graphs of the
 * program: fire-and-forget, as tails, as siblings. The kernels wait in steps of 200 us, so that
 * what happens at one moment stays apart from what happens at the next on any device; the log of
 * one moment is sorted. So a log says in which order things happened, where that is settled.
 *
 *     a af2         a ran, and launched graph 2 fire-and-forget
 *     b no:bt3      later b, whose tail launch of graph 3 was refused */
#pragma once

#include <stdint.h>
#include <stdio.h>

/* Runs the program of `seed` and prints its log, a line for each moment, or a sentence if
 * something failed; then `end`. */
void launch_program(uint64_t seed, FILE *out);

/* What the program does, in words, for people. */
void launch_program_describe(uint64_t seed, FILE *out);

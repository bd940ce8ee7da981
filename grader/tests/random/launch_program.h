/* launch_program.h: random programs of device graph launch (launch_script.h), the same ones on both
 * devices.
 *
 * A program is some graphs whose kernels wait, write their letter, and launch graphs of the
 * program: fire-and-forget, as tails, as siblings. The kernels wait in steps of 200 us, so that
 * what happens at one moment stays apart from what happens at the next on any device; the log of
 * one moment is sorted. So a log says in which order things happened, where that is settled.
 *
 *     a +a(2) | b -b(3)     a ran, its launch of graph 2 was accepted; later b, whose launch of
 *                           graph 3 was not */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Runs the program of `seed` and writes its log; a sentence where something failed. */
void launch_program(uint64_t seed, char *text, size_t room);

/* What the program does, in words, for people. */
void launch_program_describe(uint64_t seed, char *text, size_t room);

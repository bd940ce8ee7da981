/*
 * clock.h: the time that course code measures with, the same call on both devices.
 */
#ifndef CLOCK_H
#define CLOCK_H

/* Microseconds since some fixed moment: virtual time on the simulated device, CLOCK_MONOTONIC on a
 * GPU. */
double clock_now_us(void);

/* The calling thread computes for `us` microseconds: virtual time passes, or a real core spins. */
void clock_host_work(double us);

/* Nonzero where clock_now_us is virtual time. */
int clock_is_virtual(void);

#endif

/* clock.h: the clock for measurements, the same on both devices. */
#ifndef CLOCK_H
#define CLOCK_H

/* Microseconds since a fixed moment: virtual time on the simulated device, CLOCK_MONOTONIC on a
 * GPU. */
double clock_now_us(void);

/* The calling thread is busy for `us` microseconds, in virtual time or on a real core. */
void clock_host_work(double us);

/* Nonzero if clock_now_us is virtual time. */
int clock_is_virtual(void);

#endif

/* bench.h: what the programs behind the figures share: repetitions, statistics and the CSV.
 *
 *     int main(int argc, char **argv)
 *     {
 *         bench_begin(argc, argv, "launch", "what is measured, in a line", "what x is", 11);
 *         for (each of the 11 points)
 *             bench_point(x, "us", variants, n_variants);
 *         return bench_end();
 *     }
 *
 * A program writes FOLDER/launch.csv when it is complete, never before: a header (who measured what
 * on which device) and the columns x,variant,median,p5,p95,n,unit.
 *
 * The variants of a point are measured in turns, A B C C B A …, so that what drifts drifts for all
 * of them. A point is done when for every value the 95 % interval of the median is narrower than
 * 2 % of the median, or when its share of the program's time is used up. Virtual time has no noise:
 * on the simulated device a few repetitions do.
 *
 * Environment: BENCH_SECONDS  real time for the whole program (15)
 *              BENCH_QUICK    1: few points, few repetitions: to see that all works
 *              BENCH_COMMIT   for the header */
#pragma once

#include <cuda_runtime_api.h>

#include "check.h"
#include "clock.h"
#include "kernels.h"

/* Most values that one repetition gives; most variants of a point; most repetitions. */
enum { BENCH_VALUES = 6, BENCH_VARIANTS = 24, BENCH_REPETITIONS = 4000 };

struct bench_variant {
    const char *names[BENCH_VALUES]; /* what a repetition gives, as the CSV calls it, or NAME:UNIT
                                      * where it has a unit of its own; then NULL */
    void (*run)(void *arg, double *values); /* one repetition: a value for each name */
    void *arg;
};

/* argv[1] is the folder for the CSV. `points`: how many bench_point there will be; they share the
 * time. Brings the device's clocks up. Ends the program with 2 where the call is wrong. */
void bench_begin(int argc, char **argv, const char *figure, const char *what, const char *x,
                 int points);
void bench_point(double x, const char *unit, const struct bench_variant *variants, int n);

/* A row that the program has worked out itself, from n repetitions. */
void bench_row(double x, const char *variant, double median, double p5, double p95, int n,
               const char *unit);
/* The same from n values, which are sorted. */
void bench_values(double x, const char *variant, double *values, int n, const char *unit);

/* Writes the CSV. The program's exit status: 0, or 1 (said on stderr) where that failed. */
int bench_end(void);

/* Before bench_begin: kernels decide what happens, so the simulated device must compute them even
 * where it is told to model times only (SIMGPU_COMPUTE=0). */
void bench_needs_results(void);

/* Before bench_begin: returns the number of devices. Ends the program if there are fewer, with the
 * status by which run.sh leaves the figure out. */
int bench_needs_devices(const char *figure, int least);

/* Begins a capture of the stream; ends it, and makes an executable graph of what it has. */
void bench_capture(cudaStream_t stream);
cudaGraphExec_t bench_captured(cudaStream_t stream);
/* An executable graph of this one, which is destroyed. */
cudaGraphExec_t bench_instantiate(cudaGraph_t graph);
/* Launches it, and waits: microseconds until the host knows that it is done. */
double bench_launch_us(cudaGraphExec_t exec, cudaStream_t stream);
/* Between two events around what `enqueue` queues while a kernel of hold_us keeps the device busy:
 * microseconds without the host. */
double bench_device_us(float hold_us, void (*enqueue)(void), cudaStream_t stream);

/* Nonzero for a run that only shows that all works. */
int bench_quick(void);

/* Host time since t0 = clock_now_us(), less what reading the clock takes: microseconds. */
double bench_since(double t0);

/* Value at `part` (0 to 1) of n sorted values; between two of them, in proportion. */
double bench_quantile(const double *sorted, int n, double part);

/* bench_device.c: the header's lines on device, driver, CUDA, clocks, host, date and commit. */
void bench_describe(FILE *to);
/* The SM clock now, in MHz; 0 where it is not known. */
unsigned bench_sm_mhz(void);

/* bench.h: what adapters measure themselves, around a submission's functions. */
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>

#include "subject.h"

/* To be called as soon as the submission's last function has returned: reports how long the device
 * then was still busy (PENDING_US). A finished device answers within a microsecond or two. On the
 * simulated device also a stream that nobody has waited for, done or not (UNWAITED_STREAM, and the
 * address of the call that created it: UNWAITED_CREATED); -1: none, or a GPU, which cannot say.
 * Waits for nothing if the run is unaided. */
void bench_pending(struct subject *s);
/* After a call in the middle of a run, whose work must be complete, too: the next report has what
   it has not waited for. Takes no virtual time. */
void bench_returned(void);
/* The stream that nobody has waited for alone. */
void bench_unwaited(struct subject *s);
/* The same of devices 0 to n_devices - 1, in place of the current one; device 0 is current
   afterwards. */
void bench_pending_on(struct subject *s, int n_devices);

/* The most bytes of device memory that the submission has had since bench_before_setup: allocations
 * of all kinds, allocation nodes, variables of its device code, and what it had before. The
 * simulated device counts them; on a GPU, objects.c does. The adapter's own memory is what came
 * between the beginning of the request for a set-up and bench_before_setup, which is to be called
 * before labNN_setup. */
void bench_begin(void);
void bench_before_setup(void);
double bench_own_bytes(void);

/* The number of devices that a lab uses: all, or as many as the scenario asks for (0: all), and no
 * more than `most`. Without any it is 1. */
int bench_devices(int asked, int most);

/* The allocation that holds this address: its bytes, and where the call that made it returned to.
   A signal handler may ask. */
bool bench_allocation_of(const void *p, size_t *bytes, const void **caller);

/* Keeps the device-to-host engine busy from a stream of its own. Copies of the submission come late
 * then, and whatever relies on them having been early comes out wrong. `copies` of 4 MiB each; 0:
 * nothing is done. subject.c destroys it after the lab's teardown. */
int bench_load_create(struct subject *s, int copies);
void bench_load_start(void); /* enqueues the copies and returns */
void bench_load_destroy(void);

/* The median time of `work`, which enqueues something and waits for it. In virtual time one call is
 * enough; on a GPU 5 ms warm up, then 7 calls or as many as 20 ms take. */
cudaError_t bench_time_us(cudaError_t (*work)(void *), void *argument, double *time_us);

/* Ends the capture of the stream, instantiates what it captured, and uploads that. */
cudaError_t bench_end_capture(cudaStream_t stream, cudaGraphExec_t *exec);

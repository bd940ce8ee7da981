/* batches.h: ten matrix products c = a x b, each copied in, computed and copied back; told in the
 * four ways of labs 01, 03, 04 and 05. */
#pragma once

enum { BATCHES = 10, BATCH_STREAMS = 4 };

enum batches_method {
    BATCHES_SYNC,     /* cudaMemcpy, kernel, cudaMemcpy, one batch after the other */
    BATCHES_STREAMS,  /* asynchronous, over four streams with buffers of their own */
    BATCHES_SERIAL,   /* one batch captured, launched ten times with other host buffers copied */
    BATCHES_FORKJOIN, /* all ten captured over four forked and joined streams, launched once */
    BATCHES_METHODS
};
extern const char *const batches_names[BATCHES_METHODS];

/* Buffers, streams and graphs for matrices of n x n floats; one set at a time. */
void batches_begin(int n);
void batches_end(void);

/* All ten products, until the host knows that they are done. */
void batches_run(enum batches_method method);

/* One stage of all ten batches alone, until done: the longest of them is the limit. */
enum batches_stage { BATCHES_H2D, BATCHES_COMPUTE, BATCHES_D2H, BATCHES_STAGES };
void batches_stage(enum batches_stage stage);

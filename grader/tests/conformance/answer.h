/*
 * answer.h: what a situation answers: parts, each with a label that says which call or which fact
 * it is.
 *
 * The label comes from the source text. For a call it is the function's name; if the row calls that
 * function more than once, the arguments in which the calls differ follow in parentheses. For a
 * value it is the expression. A label that still is not unique gets a number: "cudaGraphLaunch #2".
 *
 * What a part is expected to be stands at its call. Parts that are as expected are left out of the
 * answer's text. Where a call is made in a loop, or by a function that several rows share, the
 * expected parts stand in the row's head.
 */
#ifndef ANSWER_H
#define ANSWER_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

enum { ANSWER_BYTES = 8192, LABEL_BYTES = 256 };

/* The error that the call returns, without "cudaError": gives(NotReady, cudaStreamQuery(s)) */
#define gives(error, ...) answer_error(error_text(cudaError##error), #__VA_ARGS__, __VA_ARGS__)
/* A value, or several in one part: shows("31", "%d", device_int(p)) */
#define shows(expected, ...) answer_values(expected, #__VA_ARGS__, __VA_ARGS__)
/* A value with a label of its own: fact("priority", "-3", "%d", v.priority) */
void fact(const char *label, const char *expected, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for parts that succeed, or that the row's head expects. */
#define answer(...) answer_error(NULL, #__VA_ARGS__, __VA_ARGS__)
#define answer_text(...) answer_values(NULL, #__VA_ARGS__, __VA_ARGS__)
#define answer_fact(label, ...) fact(label, NULL, __VA_ARGS__)

/* `expected`: NULL where the head says it. */
void answer_error(const char *expected, const char *source, cudaError_t e);
void answer_values(const char *expected, const char *source, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The error's name without "cudaError". */
const char *error_text(cudaError_t e);

/* A step that only prepares the situation: if it fails, that is the answer. */
#define MUST(call) must(call, #call)
void must(cudaError_t e, const char *call);

/* In the process that asks: where the answer goes; writes it and ends the process. */
void answer_begin(int fd);
_Noreturn void answer_end_process(void);

#endif

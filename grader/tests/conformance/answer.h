/*
 * answer.h: what a situation answers: parts, each with a label that says which call or which fact
 * it is.
 *
 * The label comes from the source text. For a call it is the function's name; if the row calls that
 * function more than once, the arguments in which the calls differ follow in parentheses. For a
 * value it is the expression. A label that still is not unique gets a number: "cudaGraphLaunch #2".
 *
 * Parts whose value is Success are left out; if there is no other, the answer is SUCCEEDS.
 */
#ifndef ANSWER_H
#define ANSWER_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

enum { ANSWER_BYTES = 8192, LABEL_BYTES = 256 };

#define SUCCEEDS "every part: Success"

/* The error that the call returns: answer(cudaStreamQuery(s)) */
#define answer(...) answer_error(#__VA_ARGS__, __VA_ARGS__)
/* A value, or several in one part: answer_text("%d", device_int(p)) */
#define answer_text(...) answer_values(#__VA_ARGS__, __VA_ARGS__)
/* A value with a label of its own: answer_fact("priority", "%d", v.priority) */
void answer_fact(const char *label, const char *format, ...) __attribute__((format(printf, 2, 3)));

void answer_error(const char *source, cudaError_t e);
void answer_values(const char *source, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The error's name without "cudaError". */
const char *error_text(cudaError_t e);

/* A step that only prepares the situation: if it fails, that is the answer. */
#define MUST(call) must(call, #call)
void must(cudaError_t e, const char *call);

/* In the process that asks: where the answer goes; writes it and ends the process. */
void answer_begin(int fd);
_Noreturn void answer_end_process(void);

#endif

/* answer.h: what a situation answers: parts, each with a label that says which call or which fact
 * it is.
 *
 * The label comes from the source text. For a call it is the function's name; if the row calls that
 * function in several places, the arguments in which they differ follow in parentheses. For a value
 * it is the expression.
 *
 * The expected value of a part stands at its call. If the part is as expected, the answer's text
 * leaves it out. A call in a loop, or in a function that several rows share, gives several parts of
 * one label: the row's head lists the values that they are expected to have. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>

enum { ANSWER_BYTES = 8192, LABEL_BYTES = 256 };

/* The error that the call returns, without "cudaError": gives(NotReady, cudaStreamQuery(s)) */
#define gives(error, ...)                                                                          \
    (note_reached(), (void)cudaError##error, answer_error(#error, #__VA_ARGS__, __VA_ARGS__))
/* A value, or several in one part: shows("31", "%d", device_int(p)) */
#define shows(expected, ...) (note_reached(), answer_values(expected, #__VA_ARGS__, __VA_ARGS__))
/* A value with a label of its own: fact("priority", "-3", "%d", v.priority) */
#define fact(label, ...) (note_reached(), answer_fact_as(label, __VA_ARGS__))

/* The same for parts that succeed, or that the row's head expects. */
#define answer(...) answer_error(NULL, #__VA_ARGS__, __VA_ARGS__)
#define answer_text(...) answer_values(NULL, #__VA_ARGS__, __VA_ARGS__)
#define answer_fact(label, ...) answer_fact_as(label, NULL, __VA_ARGS__)

/* `expected`: NULL where the head says it. */
void answer_error(const char *expected, const char *source, cudaError_t e);
void answer_values(const char *expected, const char *source, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void answer_fact_as(const char *label, const char *expected, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The error's name without "cudaError". */
const char *error_text(cudaError_t e);

/* A place in the source text where an expected value stands. All that are linked lie in one
 * section, so that those can be found that no row reaches: behind a branch, such a value is never
 * compared. */
struct answer_place {
    const char *file;
    int line;
};
#define note_reached()                                                                             \
    __extension__({                                                                                \
        __attribute__((section("answer_places"), used)) static const struct answer_place here = {  \
            __FILE__, __LINE__};                                                                   \
        answer_place_reached(&here);                                                               \
    })
extern const struct answer_place __start_answer_places[], __stop_answer_places[];
/* Before the processes that ask are started: what they reach is noted for this one. */
void answer_places_watch(void);
void answer_place_reached(const struct answer_place *p);
bool answer_place_was_reached(const struct answer_place *p);

/* A step that only prepares the situation: if it fails, that is the answer. */
#define MUST(call) must(call, #call)
void must(cudaError_t e, const char *call);

/* In the process that asks: where the answer goes; writes it and ends the process. */
void answer_begin(int fd);
_Noreturn void answer_end_process(void);

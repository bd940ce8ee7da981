/* situation.h: a row of the conformance corpus: a few calls of the CUDA runtime, and what a real
 * H200 answered. README.md says how to add one. */
#pragma once

#include <stdint.h>
#include <string.h>

#include "answer.h"
#include "gate.h"
#include "launches.h"
#include "objects.h"
#include "pools.h"
#include "situation_kernels.h"

struct situation {
    const char *const *text; /* the question in words, unique in the corpus; the head's answers,
                                "label: value; value"; NULL */
    const char *file;        /* where it stands */
    int line;
    int n_devices;     /* how many it needs; fewer: it is not asked */
    void (*ask)(void); /* makes the calls and gives the answer */
};

/* Defines and registers a row: the question in words, and the calls, each with the answer that it
 * is expected to give.
 *
 *     SITUATION("cudaStreamDestroy of NULL")
 *     {
 *         gives(InvalidResourceHandle, cudaStreamDestroy(NULL));
 *     }
 *
 * The answers of loops, and of functions that rows share, follow the question:
 * "label: value; value", in the order in which they are given. */
#define SITUATION(...) SITUATION_AT(__LINE__, 1, __VA_ARGS__)
/* A row that needs two devices; its words begin with "two devices: ". */
#define ON_TWO_DEVICES(...) SITUATION_AT(__LINE__, 2, "two devices: " __VA_ARGS__)
/* The place is expanded here. */
#define SITUATION_AT(place, ...) SITUATION_NAMED(place, __VA_ARGS__)
/* A row whose name is not the line: for macros that make several rows. */
#define SITUATION_NAMED(name, devices, ...)                                                        \
    static void ask_##name(void);                                                                  \
    static const struct situation row_##name = {.text = (const char *const[]){__VA_ARGS__, NULL},  \
                                                .file = __FILE__,                                  \
                                                .line = __LINE__,                                  \
                                                .n_devices = devices,                              \
                                                .ask = ask_##name};                                \
    __attribute__((section("situations"), used)) static const struct situation *const at_##name =  \
        &row_##name;                                                                               \
    static void ask_##name(void)

/* A row of one statement: ROW(gives(InvalidValue, cudaMalloc(NULL, 1)), "cudaMalloc(NULL)") */
#define ROW(statement, ...)                                                                        \
    SITUATION(__VA_ARGS__)                                                                         \
    {                                                                                              \
        statement;                                                                                 \
    }
#define ROW_ON_TWO_DEVICES(statement, ...)                                                         \
    ON_TWO_DEVICES(__VA_ARGS__)                                                                    \
    {                                                                                              \
        statement;                                                                                 \
    }

/* The first part where NVIDIA's runtime crashes: the others are what the simulated device answers.
 */
#define CRASHES_ON_GPU "crashes on a GPU"

/* The rows of the files that are linked, a file's from top to bottom. The linker counts them. */
extern const struct situation *const __start_situations[], *const __stop_situations[];

struct answered {
    const struct situation *situation;
    char text[ANSWER_BYTES]; /* its parts that are not as its calls expect, a line each */
};

/* Asks n situations, each in a process of its own that is killed after 20 seconds, `at_once` of
 * them at a time. */
void situations_ask(struct answered *list, int n, int at_once);

/* What a row answers that needs more devices than there are. */
#define NOT_ASKED "not asked: too few devices"

/* The parts that the head expects, a line each; without the mark CRASHES_ON_GPU. */
void situation_expected(const struct situation *s, char text[ANSWER_BYTES]);
bool situation_crashes_on_gpu(const struct situation *s);

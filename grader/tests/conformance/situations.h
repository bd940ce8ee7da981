/*
 * situations.h: small situations of CUDA streams, events, memory and errors, and what the runtime
 * answers.
 *
 * A situation is a few calls of the public CUDA API and an answer in words: the calls' error codes
 * without "cudaError", and whatever else is worth knowing. situations_h200.tsv holds what a real
 * H200 answered; the same source, compiled for the simulated device, must answer the same.
 */
#ifndef SITUATIONS_H
#define SITUATIONS_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

struct situation {
    const char *words; /* the situation in words, its key in the table */
    const char *file;  /* where it is defined */
    void (*ask)(void); /* makes the calls and gives the answer */
    struct situation
        *next; /* in order of the files on the link line, and in a file from top to bottom */
};

/* Defines and registers one: SITUATION(free_twice, "cudaFree of the same pointer twice") { ... } */
#define SITUATION(id, text)                                                                        \
    static void ask_##id(void);                                                                    \
    __attribute__((constructor)) static void register_##id(void)                                   \
    {                                                                                              \
        static struct situation s = {.words = text, .file = __FILE__, .ask = ask_##id};            \
        situation_add(&s);                                                                         \
    }                                                                                              \
    static void ask_##id(void)

void situation_add(struct situation *s);
extern struct situation *situations;

enum { ANSWER_BYTES = 512 };

struct answered {
    const struct situation *situation;
    char text[ANSWER_BYTES];
};

/*
 * Asks n situations, each in a process of its own that is killed after 20 seconds, `at_once` of
 * them at a time (most of them sleep most of the time).
 */
void situations_ask(struct answered *list, int n, int at_once);

/* The answer that the table has; false if it has none. */
bool situation_expected(const char *table, const char *words, char text[ANSWER_BYTES]);

/*
 * Is that the answer that was wanted? Where the wanted one is "crashes" (NVIDIA's runtime has
 * none), anything is but a crash, a call that never returns, or plain success.
 */
bool situation_fits(const char *got, const char *want);

/* ---- inside a situation ---------------------------------------------------------------------- */

/* Adds to the answer; parts are separated by ", ". */
void answer(cudaError_t e);
void answer_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The error's name without "cudaError". */
const char *error_text(cudaError_t e);

/* A step that only prepares the situation: if it fails, that is the answer. */
#define MUST(call) must(call, #call)
void must(cudaError_t e, const char *call);

static inline struct cudaExtent extent(size_t width, size_t height, size_t depth)
{
    return (struct cudaExtent){width, height, depth};
}

static inline struct cudaPitchedPtr pitched(void *p, size_t pitch, size_t width, size_t height)
{
    return (struct cudaPitchedPtr){p, pitch, width, height};
}

/* Zeroed memory of each kind. */
void *device_bytes(size_t n);
void *pinned_bytes(size_t n);
void *pageable_bytes(size_t n);
cudaStream_t new_stream(unsigned flags);
cudaEvent_t new_event(unsigned flags);
cudaStream_t destroyed_stream(void);
cudaEvent_t destroyed_event(void);

/*
 * A gate holds a stream up: what is put in the stream after gate_shut waits until gate_open, or for
 * two seconds. gate_open_later opens it from another thread after `ms` milliseconds, gate_passed
 * tells whether it was left.
 */
void gate_shut(cudaStream_t s);
void gate_open(void);
void gate_open_later(int ms);
bool gate_passed(void);
/* "waits" if the gate was passed when it is called, else "returns": did the call just made wait for
 * the gate? */
const char *gate_waited(void);

/* The gate for a host node: gate_reset shuts it, stand_at_gate waits there. */
void gate_reset(void);
void CUDART_CB stand_at_gate(void *unused);

/* Puts a small memset in the stream; prepare_work makes its memory, where that must be before. */
void some_work(cudaStream_t s);
void prepare_work(void);
/* "done" once all work in the stream is done, "waits" if that has not come after 100 ms. */
const char *done_soon(cudaStream_t s);

/* Puts a host function in the stream that adds `letter` to the log; the log as a string. */
void log_letter(cudaStream_t s, char letter);
const char *log_text(void);
/* The same for a host node, whose user data is the letter. */
void CUDART_CB write_letter(void *letter);

#endif

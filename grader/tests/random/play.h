/*
 * play.h: graphs of kernels that do what a list says: write a letter to a log in device memory,
 * launch graphs from the device, look at what they run in. Situations and random programs of
 * device graph launch are made of them.
 *
 * A toy is a chain of kernels, its parts, that becomes an executable graph. The log is in order of
 * the letters written; what device-side launches returned is kept in order of the calls.
 */
#ifndef PLAY_H
#define PLAY_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The streams that a kernel may launch into (cuda_device_runtime_api.h has them for nvcc only). */
#define PLAY_TAIL ((cudaStream_t)0x0100000000000000)
#define PLAY_FIRE ((cudaStream_t)0x0200000000000000)
#define PLAY_SIBLING ((cudaStream_t)0x0300000000000000)

enum play_verb {
    PLAY_LOG,    /* writes the letter */
    PLAY_LAUNCH, /* launches exec into the stream */
    PLAY_SELF,   /* launches the graph that it is in */
    PLAY_ME      /* notes the graph that it is in */
};

/* PLAY_REFUSED: added to the letter of a launch that was refused. */
enum { PLAY_ACTS = 300, PLAY_LETTERS = 2048, PLAY_CODES = 2048, PLAY_REFUSED = 0x80 };

struct play_act {
    int verb;
    int from, until; /* it is done in these runs of the part, until exclusive; counted from 0 */
    char letter;     /* of a launch: written after it, where it is not 0 */
    cudaGraphExec_t exec;
    cudaStream_t stream;
};

/* In device memory: what one kernel does. */
struct play_part {
    int runs; /* so far */
    int n;
    struct play_act acts[PLAY_ACTS];
};

/* In device memory. */
struct play_log {
    int n_letters, n_codes;
    char letters[PLAY_LETTERS];
    unsigned long long at_ns[PLAY_LETTERS]; /* when each was written */
    int codes[PLAY_CODES];
    cudaGraphExec_t me;
};

/* The entry of play(struct play_part *part, struct play_log *log, int delay_us): waits, then does
 * all acts in turn; with more than one thread a block, thread i does act i. */
const void *play_kernel(void);

#ifdef __cplusplus
}
#endif
#endif

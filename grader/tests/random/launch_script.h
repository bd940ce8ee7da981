/* launch_script.h: a kernel that runs a script: write a letter to a log in device memory, launch a
 * graph from the device, note the current graph. Situations and random programs of device graph
 * launch are made of it.
 *
 * The log is in order of the letters written; the errors of device-side launches are in order of
 * the calls. */
#pragma once

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The streams that a kernel may launch into (cuda_device_runtime_api.h has them for nvcc only). */
#define LAUNCH_TAIL ((cudaStream_t)0x0100000000000000)
#define LAUNCH_FIRE_AND_FORGET ((cudaStream_t)0x0200000000000000)
#define LAUNCH_SIBLING ((cudaStream_t)0x0300000000000000)

enum script_verb {
    SCRIPT_LOG,      /* writes the letter */
    SCRIPT_LAUNCH,   /* launches exec into the stream */
    SCRIPT_RELAUNCH, /* launches the graph that it is in */
    SCRIPT_CURRENT   /* notes the graph that it is in */
};

/* SCRIPT_REFUSED: added to the letter of a launch that was refused. */
enum { SCRIPT_STEPS = 300, SCRIPT_LETTERS = 2048, SCRIPT_CODES = 2048, SCRIPT_REFUSED = 0x80 };

struct script_step {
    int verb;
    int from, until; /* in these runs of the kernel, until exclusive; counted from 0 */
    char letter;     /* of a launch: written after it, where it is not 0 */
    cudaGraphExec_t exec;
    cudaStream_t stream;
};

/* In device memory: what one kernel does. */
struct script {
    int runs; /* so far */
    int n;
    struct script_step steps[SCRIPT_STEPS];
};

/* In device memory. */
struct script_log {
    int n_letters, n_codes;
    char letters[SCRIPT_LETTERS];
    unsigned long long at_ns[SCRIPT_LETTERS]; /* when each was written */
    int codes[SCRIPT_CODES];
    cudaGraphExec_t me;
};

/* The entry of run_script(struct script *script, struct script_log *log, int delay_us): waits, then
 * takes all steps in turn; with more than one thread per block, thread i takes step i. */
const void *script_kernel(void);

#ifdef __cplusplus
}
#endif

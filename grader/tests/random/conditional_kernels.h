/* conditional_kernels.h: the kernels of conditional_program.c. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* A log: a hash of all letters in order, how many there were, and the first LOG_LETTERS of them. */
enum { LOG_LETTERS = 118 };
struct conditional_log {
    unsigned hash, n;
    char letters[LOG_LETTERS + 2];
};

/* (struct conditional_log *log, int letter) */
const void *conditional_write(void);
/* (struct conditional_log *log, int letter, unsigned *runs, int most, cudaGraphConditionalHandle
 * h): writes, and sets the value to 0 every most-th time, else to 1 */
const void *conditional_round(void);
/* (struct conditional_log *log, int letter, unsigned *runs, int modulo, cudaGraphConditionalHandle
 * h): writes, and sets the value to how often it has run before, modulo `modulo` */
const void *conditional_turn(void);
/* (struct conditional_log *log, const unsigned *cell): writes the cell's lowest byte, as a letter
 */
const void *conditional_read(void);
/* (unsigned *sum, unsigned add): every block adds to *sum */
const void *conditional_sum(void);
/* Device-updatable nodes: (cudaGraphDeviceNode_t node, unsigned *runs, int what, struct
 * conditional_log *log): what 0: every second time the node is disabled, else enabled; 1: its grid
 * is 1, 2 or 3 blocks in turn; 2: its second parameter is how often this has run; the error goes to
 * the log */
const void *conditional_change(void);

#ifdef __cplusplus
}
#endif

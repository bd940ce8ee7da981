/* log_kernels.h: kernels that write a log, set the values of conditional nodes, and
 * change other nodes. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* A log: how many letters there are, then the letters. */
enum { DEVICE_LOG_INTS = 256 };

/* (int *log, int letter) */
const void *situation_log(void);
/* (int *log, int letter, cudaGraphConditionalHandle h, int *runs, int most); letter 0: writes none
 */
const void *situation_countdown(void);
/* (cudaGraphConditionalHandle h, int *runs, int modulo) */
const void *situation_turn(void);
/* (int *sum, int add): every block adds to *sum */
const void *situation_blocks(void);

/* Kernels that change other nodes, and write what the calls returned to errors[0], errors[1], …:
 * (cudaGraphDeviceNode_t node, int enable, int *errors) */
const void *situation_enable_node(void);
/* (cudaGraphDeviceNode_t node, unsigned x, unsigned y, unsigned z, int *errors) */
const void *situation_grid_node(void);
/* (cudaGraphDeviceNode_t node, size_t offset, const int *value, size_t bytes, int *errors) */
const void *situation_param_node(void);
/* (cudaGraphDeviceNode_t node, int field, unsigned x, int *errors): one update by
 * cudaGraphKernelNodeUpdatesApply: grid x, parameter at offset 8 to the int x, enabled x */
const void *situation_apply_node(void);
/* (cudaGraphDeviceNode_t a, cudaGraphDeviceNode_t b, int count, int *errors): two updates in one
 * call, the first `count` of them: a's parameter at offset 8 becomes 77, b is disabled; count -1:
 * NULL, 2 */
const void *situation_apply_two(void);

#ifdef __cplusplus
}
#endif

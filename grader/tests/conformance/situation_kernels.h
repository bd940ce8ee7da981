/* situation_kernels.h: the kernels that situations launch. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* The entry of store_value(int *to, int value): *to = value. */
const void *situation_store(void);

/* The entry of last_thread(int *to): *to = the number of the last thread; 4 KiB of static shared
 * memory. */
const void *situation_shared(void);

/* The entry of add_value(int *to, int value): *to += value; of add_two(int *to, int a, int b): *to
 * += a + b; of a kernel without parameters that does nothing. */
const void *situation_plus(void);
const void *situation_plus_two(void);
const void *situation_nothing(void);

/* set_condition(condition, value) sets the value that a conditional node asks for. */
const void *situation_set_condition(void);

/* The entry of note_times(struct situation_step, unsigned long long *times): what it does, in this
 * order; times: when it starts, goes on after the wait, and ends. */
struct situation_step {
    int triggers; /* cudaTriggerProgrammaticLaunchCompletion */
    int before_us;
    int waits; /* cudaGridDependencySynchronize */
    int after_us;
};
const void *situation_note_times(void);

/* The symbol of a __device__ variable of 16 ints. */
const void *situation_numbers(void);

#ifdef __cplusplus
}
#endif

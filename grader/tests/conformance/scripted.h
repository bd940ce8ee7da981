/*
 * play_toy.h: toys (launch_script.h) as situations use them: made on the host, played, and their
 * log told.
 */
#ifndef SCRIPTED_H
#define SCRIPTED_H

#include "../random/launch_script.h"
#include "situation.h"

enum { SCRIPTED_KERNELS = 4, ALWAYS = 1 << 30 };

struct scripted {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t nodes[SCRIPTED_KERNELS];
    struct script *parts[SCRIPTED_KERNELS]; /* in device memory */
    struct script *lists[SCRIPTED_KERNELS]; /* what is to be in them */
    int n_parts;
};

/* A scripted of one part, without an exec: each further part runs after the one before. */
struct scripted *scripted_new(int delay_us);
void scripted_add_kernel(struct scripted *t, int delay_us);
/* Instantiates it for device launch, and uploads it; or with other flags, and uploads it not. */
void scripted_upload(struct scripted *t);
void scripted_instantiate(struct scripted *t, unsigned long long flags);
/* scripted_new, one letter, scripted_upload */
struct scripted *scripted_letter(char letter, int delay_us);

/* The last part's next act. */
void then_log(struct scripted *t, char letter);
void then_launch(struct scripted *t, const struct scripted *what, cudaStream_t how);
void then_launch_exec(struct scripted *t, cudaGraphExec_t x, cudaStream_t how);
void then_relaunch(struct scripted *t, cudaStream_t how);
void then_note_current(struct scripted *t);
/* The act told last is done in runs `from` to `until` - 1 of its part only. */
void only_in(struct scripted *t, int from, int until);

/* Everything told so far goes to the device. */
void scripts_copy(void);
/* scripts_copy; launches it in a stream of its own, waits, and answers: what that gave (if not
 * success twice), the log, the codes: "log: ab, launches: Success x2". */
void scripted_run(struct scripted *t);
void answer_log(void);
void answer_codes(void);
/* The log's copy on the host, read now. */
const struct script_log *script_log_now(void);
struct script_log *script_log_place(void);

#endif

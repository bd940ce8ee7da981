/* scripted.h: graphs of scripted kernels (launch_script.h), as situations use them. */
#pragma once

#include "../random/launch_script.h"
#include "situation.h"

enum { SCRIPTED_KERNELS = 4, ALWAYS = 1 << 30 };

/* A chain of kernels that run a script each. */
struct scripted {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t nodes[SCRIPTED_KERNELS];
    struct script *parts[SCRIPTED_KERNELS]; /* in device memory */
    struct script *lists[SCRIPTED_KERNELS]; /* what scripts_copy copies there */
    int n_parts;
};

/* A graph of one kernel, without an exec; each further kernel comes after the one before. */
struct scripted *scripted_new(int delay_us);
void scripted_add_kernel(struct scripted *t, int delay_us);
/* Instantiates it for device launch, and uploads it; or with other flags, without an upload. What
 * neither was called for is uploaded when another script is to launch it, or when it is run. */
void scripted_upload(struct scripted *t);
void scripted_instantiate(struct scripted *t, unsigned long long flags);
/* scripted_new, one letter, scripted_upload */
struct scripted *scripted_letter(char letter, int delay_us);

/* The next step of the last kernel's script. */
void then_log(struct scripted *t, char letter);
void then_launch(struct scripted *t, struct scripted *what, cudaStream_t how);
void then_launch_exec(struct scripted *t, cudaGraphExec_t x, cudaStream_t how);
void then_relaunch(struct scripted *t, cudaStream_t how);
void then_note_current(struct scripted *t);
/* The last step takes place only in runs `from` to `until` - 1 of its kernel. */
void only_in(struct scripted *t, int from, int until);

/* Copies all scripts to the device, and empties the log. */
void scripts_copy(void);
/* scripts_copy; launches it in a stream of its own, waits, and answers: what that gave (if not
 * success twice), the log, the codes: "log: ab, launches: Success x2". */
#define script_gives(log, launches, t) (note_reached(), answer_script_as(log, launches, t))
#define scripted_run(t) answer_script_as(NULL, NULL, t)
void answer_script_as(const char *log, const char *launches, struct scripted *t);
#define log_is(expected) (note_reached(), answer_log_as(expected))
void answer_log_as(const char *expected);
#define launches_are(expected) (note_reached(), answer_launches_as(expected))
void answer_launches_as(const char *expected);
/* The log's copy on the host, read now. */
const struct script_log *script_log_now(void);
struct script_log *script_log_place(void);

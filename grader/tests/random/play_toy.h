/*
 * play_toy.h: toys (play.h) as situations use them: made on the host, played, and their log told.
 */
#ifndef PLAY_TOY_H
#define PLAY_TOY_H

#include "play.h"
#include "../conformance/situations.h"

enum { TOY_PARTS = 4, ALWAYS = 1 << 30 };

struct toy {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t nodes[TOY_PARTS];
    struct play_part *parts[TOY_PARTS]; /* in device memory */
    struct play_part *lists[TOY_PARTS]; /* what is to be in them */
    int n_parts;
};

/* A toy of one part, without an exec: each further part runs after the one before. */
struct toy *toy_new(int delay_us);
void toy_part(struct toy *t, int delay_us);
/* Instantiates it for device launch, and uploads it; or with other flags, and uploads it not. */
void toy_ready(struct toy *t);
void toy_instantiate(struct toy *t, unsigned long long flags);
/* toy_new, one letter, toy_ready */
struct toy *toy_letter(char letter, int delay_us);

/* The last part's next act. */
void does_log(struct toy *t, char letter);
void does_launch(struct toy *t, const struct toy *what, cudaStream_t how);
void does_launch_exec(struct toy *t, cudaGraphExec_t x, cudaStream_t how);
void does_self(struct toy *t, cudaStream_t how);
void does_look(struct toy *t);
/* The act told last is done in runs `from` to `until` - 1 of its part only. */
void only_in(struct toy *t, int from, int until);

/* Everything told so far goes to the device. */
void toys_tell(void);
/* toys_tell; launches it in a stream of its own, waits, and answers: what that gave (if not success
 * twice), the log, the codes: "log: ab, launches: Success x2". */
void toy_play(struct toy *t);
void answer_log(void);
void answer_codes(void);
/* The log's copy on the host, read now. */
const struct play_log *toy_log(void);
struct play_log *toy_log_place(void);

#endif

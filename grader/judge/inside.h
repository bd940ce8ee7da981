/*
 * judge_inside.h: what the files of the judge share. Suites include judge.h alone.
 */
#ifndef JUDGE_INSIDE_H
#define JUDGE_INSIDE_H

#include <sys/types.h>

#include "query/graph.h"
#include "judge.h"
#include "session/session.h"
#include "wire/wire.h"

/* A NaN that no computation makes: what outputs hold before a run. */
#define JUDGE_POISON 0xffc0deadu

/* One buffer of the scenario, in the judge's own memory. */
struct judge_memory {
    struct wire_buffer wire; /* where it lies, as the subject is told */
    char *pages;             /* the judge's mapping of them */
    float *data;
    float *previous; /* an output as the run before left it; NULL: nothing yet */
    uint64_t sum;    /* of all its pages, when an input was handed over */
};

struct judge {
    enum judge_who who;
    const struct judge_scenario *scenario;
    bool up; /* its setup has been called, teardown not yet */

    /* the process */
    pid_t pid;           /* 0: there is none (any more) */
    int channel, output; /* -1: closed */
    bool whole_graphs;   /* its traces have rows of whole graphs */
    bool model_only;     /* it was started with SIMGPU_COMPUTE=0 */
    uint8_t nonce[WIRE_NONCE];
    uint32_t seq;
    struct wire_request request;
    struct wire_reply reply; /* to it */
    uint64_t printed_bytes;

    /* memory shared with it */
    char *blob;
    char *mapping; /* of all buffers */
    size_t mapping_bytes;
    struct judge_memory buffers[WIRE_BUFFERS];
    int n_buffers;

    uint64_t random[4]; /* state of judge_random */
    struct trace trace;
    struct dag graph;
    struct judge *next; /* all that are alive */
};

enum { JUDGE_BLOB_BYTES = 64 << 20 };

/* This grading (hooks.c); the check that runs now, and its lab (judge.c). */
extern struct session *judge_session;
extern const struct judge_lab *judge_lab;
extern struct session_check *judge_current;

/* The grader, not the submission, is at fault: ./grade exits 4 with these words. Ends the test. */
_Noreturn void judge_trouble(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* judge_process.c */
void judge_process_start(struct judge *j);
void judge_process_kill(struct judge *j); /* at once; nothing of it is left */
/* Waits for its end, and kills it where that does not come by itself (false). */
bool judge_process_end(struct judge *j, double wait_s, int *wait_status);
/* Sends the request (with descriptor fd, or -1) and waits for the answer as long as it may take. */
void judge_ask(struct judge *j, enum wire_op op, int fd);

/* judge_watch.c: what a subject prints, uses and answers while the judge waits. */
enum judge_event {
    EVENT_REPLY,
    EVENT_END,
    EVENT_TIMEOUT,
    EVENT_FORGED,
    EVENT_OUTPUT,
    EVENT_MEMORY,
    EVENT_THREADS
};
enum judge_event judge_watch(struct judge *j, int64_t until_ns);
void judge_drain(struct judge *j);

/* judge_death.c: fails the running check with what became of the subject. */
_Noreturn void judge_died(struct judge *j, int wait_status);
_Noreturn void judge_deaf(struct judge *j); /* its end of the channel is closed */
_Noreturn void judge_gave_up(struct judge *j, enum judge_event why, double limit_s);
const char *judge_stage(const struct judge *j);

/* judge_run.c: a run that does not count (*run_up_us), then one timed part of so many runs, or as
   many as the scenario wants. All with the same inputs; judged as judge_run does. */
struct judge_run judge_run_timed(struct judge *j, int repeats, double *run_up_us);

/* judge_turns.c: the times of both, as long as it takes to tell them apart at race->at_most. */
struct judge_times judge_take_turns(const struct judge_race *race);

/* judge_memory.c */
int judge_memory_make(struct judge *j); /* the descriptor that goes to the subject */
void judge_memory_free(struct judge *j);
void judge_memory_refresh(struct judge *j); /* fresh inputs, poisoned outputs */
void judge_memory_check(struct judge *j);   /* inputs unchanged, nothing beside buffers */
struct judge_memory *judge_memory_find(const struct judge *j, const char *name);

/* judge_random.c */
void judge_random_seed(struct judge *j);
void judge_random_fill(struct judge *j, float *to, size_t count, float low, float high);

#endif

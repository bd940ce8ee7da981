/*
 * inside.h: what the files of the judge share. Suites include judge.h alone.
 */
#ifndef JUDGE_INSIDE_H
#define JUDGE_INSIDE_H

#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "decide.h"
#include "judge.h"
#include "query/graph.h"
#include "session/session.h"
#include "wire/wire.h"

/* A NaN that no computation makes: what outputs hold before a run. */
#define JUDGE_POISON 0xffc0deadu

/* Parts of a buffer: beginning at whole pages, the last one to the end. */
enum { JUDGE_PARTS = 8, JUDGE_ALL_PARTS = -1 };

/* One buffer of the scenario, in the judge's own memory. */
struct judge_memory {
    struct wire_buffer wire; /* where it lies, for the subject */
    char *pages;             /* the judge's mapping of them */
    float *data;
    float *shared;              /* where data lies while `data` is a copy; else NULL */
    float *previous;            /* an output as the run before left it; NULL: nothing yet */
    uint64_t sums[JUDGE_PARTS]; /* of the parts of its pages, when an input was handed over */
};

struct judge {
    enum judge_who who;
    const struct judge_scenario *scenario; /* this one: */
    struct judge_scenario own;             /* with what was drawn for this grading */
    bool up;                               /* its setup has been called, teardown not yet */

    /* the process */
    pid_t pid;           /* 0: there is none (any more) */
    int pidfd;           /* of one from the pool, which may be no child; -1: it is one */
    int channel, output; /* -1: closed */
    bool whole_graphs;   /* its traces have rows of whole graphs */
    bool
        was_probed; /* traced, or asked for its floor: what it does next may take longer, or less */
    bool model_only; /* it was started with SIMGPU_COMPUTE=0 */
    int devices;     /* of the scenario that it was started for */
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
    struct wire_lineage lineage; /* of the last run */
    bool unaided;                /* see judge_run_unaided */
    bool is_filled;              /* inputs have been drawn for this scenario */

    uint64_t random[4]; /* state of judge_random */
    struct trace trace;
    struct dag graph;
    bool is_partial;    /* graph is what a capture that failed had captured */
    struct judge *next; /* all that are alive */
};

enum { JUDGE_BLOB_BYTES = 64 << 20 };

/* Threads share the work on larger buffers, so many floats or bytes at a time. */
enum { JUDGE_AT_ONCE = 1 << 17 };

/* This grading (hooks.c), the check that runs now and its lab (judge.c). */
extern struct session *judge_session;
extern struct session_check *judge_current;
extern const struct judge_lab *judge_running_lab;

/* names.c: is linked into programs that call this; in place of the C library's, without
 * judge_names_.
 */
void judge_names_use(void);
int judge_names_shm_open(const char *name, int flags, mode_t mode);
int judge_names_shm_unlink(const char *name);
int judge_names_bind(int fd, __CONST_SOCKADDR_ARG address, socklen_t bytes);
int judge_names_connect(int fd, __CONST_SOCKADDR_ARG address, socklen_t bytes);
int judge_names_unlink(const char *path);

/* judge.c: a check begins, or (NULL) the diagnosis; ends all subjects of this test. */
void judge_begin(const struct judge_lab *lab, const char *check);
void judge_stop_all(void);

/* mistake.c: why the submission did what is kept of the running check; a general answer where the
   lab has none. */
void judge_blame_event(const struct session_event *e);

/* graph.c: the current check has failed. Shows the graph that it has fetched, if it has not done so
   and no other check that failed shows one. */
void judge_show_failed_graph(struct judge *j);

/* graph.c: the subject has failed; if a capture had, the reply holds what it had captured. */
void judge_take_failed_capture(struct judge *j);

/* Ends the test with this status, or, where the grader itself is at fault, with ./grade's exit
   status 4. The check has its words or its event. */
_Noreturn void judge_end_test(enum session_status status);
_Noreturn void judge_end_grading(void);

/* judge_end_grading with these words. */
_Noreturn void judge_internal_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* process.c: a new one, or one from the pool where that does as well. */
void judge_process_start(struct judge *j);
void judge_process_take(struct judge *j);
void judge_process_kill(struct judge *j);      /* at once; nothing of it is left */
void judge_process_leave(struct judge *j);     /* to the pool; or the same */
bool judge_process_has_ended(struct judge *j); /* one from the pool */
/* A copy of the text that came with the reply, which the subject cannot change any more: to be
   freed once the file is closed. NULL: it is empty. */
FILE *judge_open_blob(struct judge *j, char **text);
/* Sends the request (with descriptor fd, or -1) and waits for the answer as long as it may take. */
void judge_ask(struct judge *j, enum wire_op op, int fd);

/* pool.c: processes of the reference solution, on a GPU, between two checks. */
void judge_note_needs(struct session *s, const struct judge_lab *lab);
void judge_pool_open(void);            /* before the first check */
bool judge_pool_give(struct judge *j); /* tears down; j's process is there and, still, j's */
bool judge_pool_wants(const struct judge *j);
bool judge_pool_take(struct judge *j); /* for j, which has no process; false: there is none */
void judge_pool_empty(void);           /* ends them */

/* watch.c: what a subject prints, uses and answers while the judge waits; CAUSE_NONE: it answered.
 */
enum session_cause judge_watch(struct judge *j, int64_t until_ns);
void judge_drain(struct judge *j);
/* reply.c */
/* Are the reply's sizes and texts such as the grader's own code writes? Numbers may be any. */
bool judge_may_read(const struct wire_reply *r);

/* event.c: ends the running check by what the subject did. */
_Noreturn void judge_died(struct judge *j, int wait_status);
_Noreturn void judge_stopped(struct judge *j, enum session_cause cause, double limit_s);
_Noreturn void judge_failed(struct judge *j);
_Noreturn void judge_unsupported(struct judge *j);
_Noreturn void judge_mismatch(struct judge *j);
_Noreturn void judge_found(struct judge *j);

/* place.c: the line of the source that this instruction of the program was made of. */
void judge_place(const char *program, uint64_t code, struct session_place *place);
/* place.c: the lines of two calls. If both are the same line of a function, the lines that called
   it, where those differ. */
void judge_place_calls(const char *program, const struct simgpu_caller callers[2],
                       struct session_place calls[2]);

/* run.c: a warm-up run (*warm_up_us), then one timed part of so many runs, or as
   many as the scenario wants. All with the same inputs; judged as judge_run does. */
struct judge_run judge_run_timed(struct judge *j, int repeats, double *warm_up_us);

/* judge_run, traced: the trace is in j. */
struct judge_run judge_run_traced(struct judge *j);

/* Why a time is no record: in every pair of processes … */
enum {
    UNDONE_BY_FLOOR = 1, /* … it was below the floor */
    UNDONE_AGAIN = 2,    /* … the same inputs again took a fraction of the time */
    UNDONE_BYTES = 4     /* … kernels and copies accessed fewer bytes than the reference's */
};

struct judge_timing {
    struct judge_times times;
    struct decide_times all;
    enum decision decision;
    unsigned undone;
    double floor_us; /* the least of all processes */
    /* of the last pair: a run whose inputs are those of the run before, as its share of that one's
       time; medians */
    double again, reference_again;
    double bytes, reference_bytes; /* that kernels and copies accessed, if somebody asks */
};

/* cpus.c: both run on one CPU from here on, the fastest one now; the judge on others. */
void judge_share_cpu(struct judge *a, struct judge *b);
void judge_use_all_cpus(pid_t pid); /* the judge again, and what it starts, and this one */

/* pairs.c: the times of both, in as many pairs of processes as it takes to decide. */
struct judge_timing judge_time_pairs(const struct judge_race *race);

/* judge.c: the same subject and scenario in a new process. */
void judge_restart(struct judge *j);

/* judge.c: what a failure would rest on from here on. */
enum judge_evidence {
    EVIDENCE_CERTAIN,  /* would be found again */
    EVIDENCE_MEASURED, /* can be disturbed: it is taken again before the check fails */
    EVIDENCE_REPEATED  /* measured, and taken again already */
};
void judge_rest_on(enum judge_evidence evidence);

/* judge.c: the check has its words or its event, and fails; or, on a GPU and by what was measured,
   it is tried again, or it turns out that others disturbed it. */
_Noreturn void judge_fail_as_said(void);

/* judge.c: ends the check, inconclusive, and says why where that is known. */
_Noreturn void judge_too_noisy(void);

/*
 * gpu.c: others on the GPU. Gradings of this course share it, until one of them measures: that has
 * it alone until the end of its check.
 */
void judge_gpu_share(void);
bool judge_gpu_alone(void); /* true: others of them have had it, too, until now */
void judge_gpu_look(void);  /* while it works: is it slowed down? */
/* Has anybody else used it, or was it slowed down? After the end of all subjects; takes seconds. */
bool judge_gpu_is_disturbed(char why[SESSION_TEXT]);

/* judge.c: a request ran into its time limit. If another grading used the GPU, all of the check is
   done again; if something else did, the check is inconclusive. Returns if nobody did. */
void judge_doubt_time_limit(void);

/* memory.c */
int judge_memory_make(struct judge *j); /* the descriptor that goes to the subject */
void judge_memory_free(struct judge *j);
/* Has all of its pages made: by threads that is faster than by who pins them. */
void judge_memory_touch(struct judge *j);
/* Fresh inputs, poisoned outputs. For hundreds of megabytes that takes longer than a run: `part`
   leaves all of an input as it is but that part and its beginning, unless it is the first time. */
void judge_memory_refresh(struct judge *j, int part);
void judge_memory_check(struct judge *j, int part); /* inputs unchanged, nothing beside buffers */
/* Until judge_memory_leave, buffers whose origin the simulated device knows are copies, which
   nobody can change any more. If one is not what operations wrote there, the lineage says so. */
void judge_memory_take(struct judge *j);
void judge_memory_leave(struct judge *j);
struct judge_memory *judge_memory_find(const struct judge *j, const char *name);

/* lineage.c: what a run said of where its results came from; and, if all else in the check is
   right: fails unless they came from the kernel that is to compute them */
void judge_note_lineage(const struct judge *j, const struct wire_lineage *l);
void judge_expect_lineage(void);

/* random.c */
/* Into j->own: the scenario as it is in this check of this grading, whoever's process it is for. */
void judge_random_sizes(struct judge *j, const struct judge_scenario *scenario);
void judge_random_seed(struct judge *j);
void judge_random_fill(struct judge *j, float *to, size_t count, float low, float high);

/* How many simulated devices a process has: so many as SIMGPU_DEVICES asks for, else `usual`. */
int judge_simulated_devices(int usual);

#endif

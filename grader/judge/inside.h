/* inside.h: declarations that only the files of the judge share. Suites include judge.h alone. */
#pragma once

#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "decide.h"
#include "facts.h"
#include "judge.h"
#include "query/graph.h"
#include "session/session.h"
#include "wire/wire.h"

/* A signaling NaN, which is the result of no computation. Outputs hold it before a run. A CPU that
   computes with it sets the quiet bit: such a value was computed from what an output held. */
#define JUDGE_POISON 0xffa0deadu
#define JUDGE_POISON_COMPUTED 0xffe0deadu

/* Parts of a buffer: beginning at whole pages, the last one to the end. */
enum { JUDGE_PARTS = 8, JUDGE_ALL_PARTS = -1 };

/* One buffer of the scenario, in the judge's own memory. */
struct judge_memory {
    struct wire_buffer wire; /* its place, for the subject */
    char *pages;             /* the judge's mapping of them */
    float *data;
    float *shared;   /* the place of data while `data` is a copy; else NULL */
    float *previous; /* an output after the run before; NULL: there was none */
    size_t parts;    /* of the scenario's buffer */
    const char *part;
    uint64_t sums[JUDGE_PARTS]; /* of an input before the run, for each part of its pages */
};

/* A subject under judgment: a process with the submission or the reference solution. */
struct judged {
    enum judge_who who;
    const struct judge_scenario *scenario; /* &own */
    struct judge_scenario own;             /* with the sizes drawn for this grading, … */
    uint64_t numbers[NUMBERS_BYTES / sizeof(uint64_t)]; /* … of which these are the numbers */
    char name[160]; /* of it: the caller's text may end before the check */
    bool up;        /* between setup and teardown */

    /* the process */
    pid_t pid; /* 0: there is no process */
    int pidfd; /* of one from the pool, which may not be a child of this process; else -1 */
    int channel, output; /* -1: closed */
    bool whole_graphs;   /* its traces have rows of whole graphs */
    bool was_probed;     /* traced, or its floor was measured: that may change its later times */
    bool came_probed;    /* by another check */
    bool from_pool;      /* this process, or one before it */
    bool is_early;       /* it makes its contexts before it is asked for anything */
    char found_in[160];  /* the scenario of its first finding, if there is one (session.h) */
    bool model_only;     /* started with SIMGPU_COMPUTE=0 */
    int devices;         /* of the scenario of its start */
    int peers;           /* the same */
    uint8_t nonce[WIRE_NONCE];
    uint32_t seq;
    struct wire_request request;
    struct wire_reply reply; /* to the request */
    uint64_t printed_bytes;
    uint64_t grown_bytes; /* when it was stopped at the time limit: session_event has it */

    /* memory shared with it */
    char *blob;
    char *mapping; /* of all buffers, and of larger ones of a scenario before; NULL: of none yet */
    size_t mapping_bytes, buffers_bytes;
    int memory; /* its descriptor */
    struct judge_memory buffers[WIRE_BUFFERS];
    int n_buffers;
    struct wire_lineage lineage; /* of the last run */
    bool unaided;                /* see judge_run_unaided */
    bool is_filled;              /* inputs have been drawn for this scenario */
    bool is_right, was_right;    /* the results of this run, of the run before, are verified */

    uint64_t random[4]; /* state of judge_random */
    struct trace trace;
    struct dag graph;
    bool is_partial;     /* graph is that of a capture that failed, as far as it got */
    bool is_older;       /* graph is of the scenario before */
    struct judged *next; /* all that are alive */
};

enum { JUDGE_BLOB_BYTES = 64 << 20 };

/* Threads share the work on larger buffers, in pieces of so many floats or bytes. */
enum { JUDGE_AT_ONCE = 1 << 17 };

/* This grading, the check that runs now and its lab (verdict.c). */
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

/* judge.c: a check begins, or (NULL) the diagnosis; ends all subjects of this test. May a process
 * of the submission serve several checks? */
void judge_begin(const struct judge_lab *lab, const char *check);
void judge_stop_all(void);
bool judge_may_share_processes(void);

/* mistake.c: the running check has failed: the first rule that matches names the mistake. Tried in
 * this order: judge/mistakes, the rules `first:`; the lab's; the rest of
 * judge/mistakes. Keeps the facts and the rule for ./grade --why. */
void judge_name_mistake(void);
void judge_forget_mistake(void); /* before the check is repeated */

/* graph.c: the running check has failed. The report shows its graph, if it fetched one and no other
   failed check shows one. */
void judge_show_failed_graph(struct judged *j);

/* graph.c: the subject has failed. If a capture failed, the reply holds the nodes captured so far.
 */
void judge_take_failed_capture(struct judged *j);

/* ---- verdict.c: all of the judge may call this ----------------------------------------------- */

/* The evidence of a failure from now on; returns what it was before. */
enum judge_evidence {
    EVIDENCE_CERTAIN,  /* the same in each run */
    EVIDENCE_MEASURED, /* can be disturbed: measured again before the check fails */
    EVIDENCE_REPEATED  /* measured again already */
};
enum judge_evidence judge_rest_on(enum judge_evidence evidence);
/* On the simulated device: has virtual time CPU time of the submission in it
 * (simgpu_count_computing), which can be disturbed, too? */
void judge_count_computing(bool counts);

/* The ways in which a test ends. They concern all of its subjects, so judge.c sets them. */
struct judge_endings {
    void (*test)(enum session_status status);            /* does not return */
    void (*doubt_failure)(enum judge_evidence evidence); /* returns if the failure stands */
    void (*doubt_time_limit)(void);                      /* the same, of a time limit */
    void (*doubt_reference)(struct judged *reference);   /* the same, of the reference */
};
extern struct judge_endings judge_endings;

/* Ends the test with this status; or the grading with ./grade's exit status 4, if the grader itself
   is at fault. The words or the event of the check are set already. */
_Noreturn void judge_end_test(enum session_status status);
_Noreturn void judge_end_grading(void);

/* The check fails, with the words or the event set before. On a GPU, if a measurement is the
   evidence, the check is repeated, or is inconclusive if others disturbed it. */
_Noreturn void judge_fail_as_said(void);

/* judge_end_grading with these words. */
_Noreturn void judge_internal_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* process.c: a new process; its end. */
void judge_process_start(struct judged *j, bool outlives_test);
void judge_process_forget(struct judged *j); /* somebody else has it */
void judge_process_kill(struct judged *j);   /* at once; nothing of it is left */
void judge_process_close(struct judged *j);  /* it lives on, and belongs to somebody else */
bool judge_process_has_ended(struct judged *j);
bool judge_process_end(struct judged *j, double wait_s, int *wait_status); /* false: was killed */

/* ask.c */
/* Begins to talk to a process that was just started or taken. */
void judge_greet(struct judged *j);
bool judge_send_greeting(struct judged *j); /* outside of a check, without the reply */
/* A copy of the text that came with the reply, which the subject can no longer change. Freed after
   the file is closed. NULL: it is empty. */
FILE *judge_open_blob(struct judged *j, char **text);
/* Sends the request (with descriptor fd, or -1), and waits for the reply up to the time limit. */
void judge_ask(struct judged *j, enum wire_op op, int fd);

/* pool.c: processes on a GPU, between two checks. */
void judge_pool_open(void);                       /* before the first check */
void judge_pool_fill(void);                       /* with processes that make a context meanwhile */
void judge_pool_empty(void);                      /* ends them */
void judge_process_take(struct judged *j);        /* a process from the pool, or a new one */
void judge_process_renew(struct judged *j);       /* a new one */
void judge_process_exchange(struct judged *j);    /* for one that was not probed */
bool judge_process_take_probed(struct judged *j); /* from the pool; false: it has none */
void judge_process_leave(struct judged *j);       /* to the pool, torn down; or ends it */
bool judge_process_is_spent(const struct judged *j);

/* simulated.c: on a GPU, while the simulated device judges, too. */
/* Waits for its verdict: does it fail the check? */
bool judge_simulated_fails(const char *check);
bool judge_simulated_times_nothing(void); /* in this check; false: it does, or is not asked */
void judge_simulated_wait(void);          /* for the end of all of its checks */

/* needs.c */
void judge_note_needs(struct session *s, const struct judge_lab *lab);

/* debug.c: does the process run in a debugger? In place of a start: connects to it. */
bool judge_is_debugged(const struct judged *j);
void judge_debug_connect(struct judged *j, char *const *env);

/* watch.c: waits for a reply, so long at most (half of it if the process uses the CPU, and calls
   nothing: then *limit_s is that), and watches output, memory and threads of the subject meanwhile;
   CAUSE_NONE: it replied. After CAUSE_TIMEOUT: where is it? In the fault of j's reply. */
enum session_cause judge_watch(struct judged *j, double *limit_s);
void judge_ask_place(struct judged *j);
void judge_drain(struct judged *j);
/* reply.c */
/* Are the reply's sizes and texts such as the grader's own code writes? Numbers may be any. */
bool judge_may_read(const struct wire_reply *r);

/* event.c: ends the running check because of an event in the subject. */
_Noreturn void judge_died(struct judged *j, int wait_status);
_Noreturn void judge_stopped(struct judged *j, enum session_cause cause, double limit_s);
_Noreturn void judge_failed(struct judged *j);
_Noreturn void judge_unsupported(struct judged *j);
_Noreturn void judge_mismatch(struct judged *j);
_Noreturn void judge_found(struct judged *j);

/* place.c: the line of the source that a call of the program was compiled from. */
void judge_place(const char *program, struct simgpu_caller call, struct session_place *place);
/* place.c: the lines of two calls. If both are the same line of a function, the lines that called
   the function, if they differ. */
void judge_place_calls(const char *program, const struct simgpu_caller callers[2],
                       struct session_place calls[2]);

/* run.c: a warm-up run (*warm_up_us; NULL: none), then one timed part of so many runs, or as
   many as the scenario wants. All with the same inputs; judged as judge_run does. */
struct judge_run judge_run_timed(struct judged *j, int repeats, double *warm_up_us);

/* run.c: the same, with a warm-up; how long a run takes, about. Nobody looks at its results. */
double judge_warm_up(struct judged *j);

/* judge_run, traced: the trace is in j. */
struct judge_run judge_run_traced(struct judged *j);

/* The reason why a short time counts as omitted work. It holds in every pair of processes. */
enum {
    UNDONE_BY_FLOOR = 1, /* the time was below the floor */
    UNDONE_AGAIN = 2,    /* the same inputs again took a fraction of the time */
    UNDONE_BYTES = 4     /* kernels and copies accessed fewer bytes than the reference's */
};

enum { MOST_ALSO = 2 };

struct judge_timing {
    struct judge_times times;
    struct decide_times all, also[MOST_ALSO]; /* of value; of also */
    enum decision decision;
    int repeats;   /* runs in a timed part; 0: not chosen yet */
    double run_us; /* of the slower one, when that was chosen */
    unsigned undone;
    double floor_us; /* the least of all processes */
    /* of the last pair: a run whose inputs are those of the run before, as its share of that one's
       time; medians */
    double again, reference_again;
    double bytes, reference_bytes; /* that kernels and copies accessed, if somebody asks */
};

/* cpus.c: both run on one CPU from here on, the fastest one now; the judge on others. */
void judge_share_cpu(struct judged *a, struct judged *b);
void judge_use_all_cpus(pid_t pid); /* the judge, its later children and this process */

/* pairs.c: the times of both, in as many pairs of processes as it takes to decide. */
struct judge_timing judge_time_pairs(const struct judge_race *race);

/* pairs.c: what the pairs say together. */
struct judge_times judge_times_of(const struct decide_times *all);

/* known_times.c: for judge_share_times, the latest. */
void judge_keep_timing(const struct judge_timing *t);

/* judge.c: the same subject and scenario in a new process. */
void judge_restart(struct judged *j);
void judge_exchange(struct judged *j); /* for a process that was not probed, maybe from the pool */
/* Beside it, one that was probed, with its scenario; NULL: the pool has none. Until judge_stop. */
struct judged *judge_start_probed(const struct judged *reference);

/* judge.c: ends the check as inconclusive, with the reason if it is known. */
_Noreturn void judge_too_noisy(void);

/* gpu.c: other users of the GPU. Gradings of this course share it until one of them measures. That
 * one has the GPU alone until the end of its check. */
void judge_gpu_share(void);
bool judge_gpu_try_share(void);   /* false: it is not to be had at once. Until gpu_unlock */
void judge_gpu_share_apart(void); /* in a process that was forked, for itself */
bool judge_gpu_take(void); /* for this grading alone; true: other gradings used it until now */
void judge_gpu_look(void); /* while it works: notes whether it is slowed down */
/* Can it be disturbed at all? Then all subjects must have ended before the next question. */
bool judge_gpu_may_be_disturbed(void);
/* Has another program used it, or was it slowed down? After the end of all subjects; takes seconds.
 */
bool judge_gpu_is_disturbed(char why[SESSION_TEXT]);

/* memory.c */
/* The descriptor that goes to the subject; -1: there are no buffers. The memory of the scenario
 * before, if it is large enough: on an H200's machine new pages take 0.4 ms a MiB (2026-11-30). */
int judge_memory_make(struct judged *j);
void judge_memory_free(struct judged *j);
/* Touches all of its pages: threads do that faster than pinning does. */
void judge_memory_touch(struct judged *j);
/* Fresh inputs, poisoned outputs. For hundreds of megabytes that takes longer than a run. So, after
   the first time, only this part of an input and its beginning are drawn again. */
void judge_memory_refresh(struct judged *j, int part);
void judge_memory_check(struct judged *j, int part); /* inputs unchanged, nothing beside buffers */
/* Until judge_memory_leave, buffers whose origin the simulated device knows are copies, which the
 * submission cannot change. If one differs from what operations wrote there, the lineage says so.
 */
void judge_memory_take(struct judged *j);
void judge_memory_leave(struct judged *j);
struct judge_memory *judge_memory_find(const struct judged *j, const char *name);

/* lineage.c: notes the origin of the results of a run; at the end of the check: fails unless they
   came from the kernel that must compute them. The second one: those of the last run. */
void judge_note_lineage(const struct judged *j, const struct wire_lineage *l);
void judge_expect_lineage_of(const struct judged *j);
void judge_expect_lineage(void);

/* random.c */
/* To j->own: the scenario with the sizes of this check in this grading, the same for all processes.
 */
void judge_random_sizes(struct judged *j, const struct judge_scenario *scenario);
/* SIMGPU_FREEDOM for this check: of this grading, or as ./grade has it; 0: none, or a GPU. */
unsigned judge_random_freedom(void);
void judge_random_seed(struct judged *j);
void judge_random_fill(struct judged *j, float *to, size_t count, float low, float high);

/* The number of simulated devices of a process: SIMGPU_DEVICES, else `usual`. */
int judge_simulated_devices(int usual);

/* session.h: one grading, as ./grade and the tests of a suite share it.
 *
 * A file that both map: ./grade writes what is to be graded, the suite what came of it. Its path
 * is in the environment variable GRADE_SESSION of the suite. Subjects get neither the variable nor
 * the descriptor; the jail keeps them from looking into their parents. For kernels where that
 * leaks (jail.h) the file has a name that cannot be guessed, in a directory that cannot be listed,
 * and the processes that know the name cannot be looked into (session_hide). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "wire/wire.h"

#define SESSION_VARIABLE "GRADE_SESSION"

enum {
    SESSION_CHECKS = 64,
    SESSION_GPUS = 8, /* that a lab uses, at most */
    SESSION_PATH = 4096,
    SESSION_OUTPUT = 64 * 1024, /* bytes of a submission's output that are kept */
    SESSION_TEXT = 1024,
    SESSION_PLACE = 96,
    SESSION_NAME = 48,
    SESSION_DEBUG_S = 24 * 3600, /* that a debugger may take */
    SESSION_RULE = 384,
    SESSION_TIMES = 32,
    SESSION_PAIRS = 1280, /* bytes */
    SESSION_TIMELINE = 8 * 1024,
    SESSION_PICTURE = 128 * 1024
};

enum session_device { DEVICE_SIM, DEVICE_GPU };

enum session_status {
    CHECK_NOT_RUN,
    CHECK_RUNNING, /* begun; also: its process died before it could say more */
    CHECK_ENDED,   /* its last line was reached; Criterion has not yet agreed */
    CHECK_PASSED,
    CHECK_FAILED,
    CHECK_SKIPPED,
    CHECK_INCONCLUSIVE
};

/* What a subject did, if that decided a check. */
enum session_cause {
    CAUSE_NONE,        /* nothing: the check says in its own words how it ended */
    CAUSE_FAILED,      /* it answered a request with a failure */
    CAUSE_UNSUPPORTED, /* it answered that it cannot do what was asked: the same */
    CAUSE_ENDED,       /* its process ended: wait_status, and the fault that it reported */
    CAUSE_DEAF,        /* it closed its end of the channel, and lives */
    CAUSE_TIMEOUT,     /* no answer in limit_s */
    CAUSE_FORGED,      /* the channel brought something that is no reply */
    CAUSE_OUTPUT,      /* it printed, used or started more than it may */
    CAUSE_MEMORY,
    CAUSE_THREADS,
    CAUSE_FINDING /* the ordering checks found something */
};

/* A line of a source. */
struct session_place {
    char at[SESSION_PLACE];   /* "lab.c:57"; empty: not known */
    char text[SESSION_PLACE]; /* the line itself; empty: not known */
    char from[SESSION_PLACE]; /* "lab.c:90": the call of the function that it is in, if the source
                                 calls it in more than one place; else empty */
};

struct session_event {
    enum session_cause cause;
    bool reference;       /* the subject was the reference solution's */
    enum wire_op request; /* what it was doing */
    struct wire_failure failure;
    int wait_status;
    bool has_fault;
    struct wire_fault fault;
    char buffer[WIRE_NAME]; /* that the fault is about; empty: none */
    uint64_t buffer_bytes;
    struct session_place fault_at;     /* of the submission */
    struct session_place allocated_at; /* the device memory in question */
    struct session_place calls[2];     /* of the submission: those that a finding is about, or the
                                          one that failed */
    struct session_place waited, recorded; /* of a race: the calls of finding.wait */
    double limit_s;
    uint64_t grown_bytes; /* host memory that it took in the last second before the time limit, if
                             that is why it did not answer; else 0 */
    struct simgpu_finding finding; /* the first */
    uint64_t n_findings;
};

struct session_check {
    char name[SESSION_NAME];
    char words[256];
    int points; /* to be had */
    bool given; /* its function is given, with a mistake to find: judge_lab.given */
    int step;   /* that its mistake, or it, belongs to (report/hints.h); 0: none, or not known */
    enum session_status status;
    enum session_device device;       /* whose words these are: session_merge */
    enum session_status on_device[2]; /* what each device said; CHECK_NOT_RUN: it was not asked */
    bool is_measured;                 /* it failed, and the failure rests on a measurement */
    bool is_timed;                    /* it compares times */
    bool is_internal_error;           /* the grader itself failed in it */
    char needs[128];     /* what it needs of the device: "compute capability 9.0"; empty: nothing */
    bool lacks;          /* the device has not what it needs: the check is skipped */
    bool only_simulated; /* of both devices, the GPU lacks it, and the simulated one does not */
    unsigned freedom;    /* SIMGPU_FREEDOM of the run that decided it; 0: it had none */
    bool after_right;    /* the run before, after the same setup, was right, and this one is not */
    char scenario[160];  /* that was set up last: "3 batches of 64 x 64"; empty: none */
    char tries[SESSION_NAME];   /* what the scenario tries, for rules; empty: nothing */
    char mistake[SESSION_NAME]; /* why it failed, by name; empty: not known */
    char rule[SESSION_RULE];    /* that named the mistake, with its place; empty: none did */
    char facts[SESSION_TEXT];   /* that the rules were asked about, a line each */
    char explains[640];         /* checks, and other mistakes, that follow from it */
    char message[SESSION_TEXT];
    char actual[SESSION_TEXT];
    char expected[SESSION_TEXT];
    char next[SESSION_TEXT];
    bool is_next_of_mistake;    /* `next` is: it counts more than that of the event */
    bool has_own_words;         /* the message is the own one of the check: no rule replaces it */
    bool is_vague;              /* the words say what is wrong, and know no cause */
    struct session_event event; /* report/words.c puts it into words, in place of those above */
    struct wire_error ignored;  /* a call of the submission failed before the check did, and the
                                   program went on; code 0: none */
    struct session_place ignored_at;
    bool by_hand; /* it passes in a time that somebody should look into */
    bool has_figure;
    double measured, required;
    /* medians of a race with the reference, and what no run can beat; 0: not measured */
    double time_us, reference_us, floor_us;
    char unit[24];
};

/* Times that one check has measured, and that others judge, too (judge/known_times.c). */
struct session_times {
    char name[SESSION_NAME];
    char check[SESSION_NAME];  /* that has measured them */
    char pairs[SESSION_PAIRS]; /* struct decide_times */
};

/* What a submission printed, of the first check in which it printed anything; all of it is behind
 * the session, see session_open_output. */
struct session_output {
    char last[SESSION_NAME]; /* the check that has printed last */
    char check[SESSION_NAME];
    uint64_t total_bytes;
    size_t kept_bytes;
    char kept[SESSION_OUTPUT];
};

struct session {
    /* from ./grade */
    uint32_t version; /* SESSION_VERSION: a suite built for another layout refuses */
    char lab[32];
    enum session_device device;
    int n_gpus;                       /* that the driver shows; 0: not known */
    char gpu_uuids[SESSION_GPUS][64]; /* of the first GPUs, as NVML has them; empty: not known */
    int capability;                   /* of the first GPU: 90 for 9.0; 0: not known */
    int cuda;         /* version that the build and the driver have, 12080 for 12.8; 0: not known */
    bool lacks_peers; /* no GPU can access the memory of another one */
    char subject[SESSION_PATH];   /* program that holds the submission */
    char reference[SESSION_PATH]; /* program that holds the reference solution */
    char directory[SESSION_PATH]; /* empty; where subjects run */
    char trace[SESSION_PATH];     /* the file for the trace that the report shows; empty: none */
    char reference_trace[SESSION_PATH]; /* the file for the reference's trace; empty: none */
    uint64_t seed;
    uint64_t memory_bytes; /* that one subject may use */
    int devices;           /* that the lab is for: judge_lab.devices, at least 1 */
    int n_devices;         /* that there are; 0: not known */
    bool may_skip;         /* judge_lab.may_skip */
    uint64_t unwritten;    /* steps that are not written, bit n for step n; 0: none, or not known */
    uint64_t refusing;     /* of these: where the starter returns cudaErrorNotYetImplemented */
    int64_t started_ns;    /* CLOCK_MONOTONIC */
    int64_t deadline_ns;   /* no subject runs longer than to here */
    int64_t waits_from_ns; /* since when the grading waits for others; 0: it does not */
    bool both;             /* both devices judge: session_merge */
    char simulated[SESSION_PATH]; /* of a GPU's: the session of the simulated device, which judges
                                     at the same time (judge/simulated.c); empty: none */
    bool ended;                   /* ./grade has its verdicts: none changes any more */

    /* from the suite */
    bool through; /* all checks have ended, and their processes on a GPU are ending */
    bool listed;  /* the checks below are all there are */
    char title[128];
    char endless[SESSION_TEXT]; /* what a run without an end probably is; empty: nothing special */
    double limit_s, total_s;
    int64_t places_ns;   /* that looking up lines has taken so far (judge/place.c) */
    char jail_gap[256];  /* what the jail lacks on this kernel; empty: nothing */
    bool internal_error; /* the grader itself failed: the check that it failed in says how */
    char pool[16];       /* name of its socket (judge/pool.c) */
    size_t pool_bytes;   /* of the name; 0: it has none */
    int64_t quiet_ns;    /* when nobody else was last seen on the GPU; 0: never yet */
    int n_hangs;         /* requests that ran into their time limit so far */
    int n_times;
    struct session_times times[SESSION_TIMES];
    int n_checks;
    struct session_check checks[SESSION_CHECKS]; /* in the order of the suite's source */
    struct session_check diagnosis; /* what was found out about checks that failed; no points */
    struct session_output output;
    char debug[SESSION_NAME]; /* the submission runs in a debugger: name of its socket; or empty */
    char timeline_check[SESSION_NAME]; /* whose trace the picture shows; empty: there is none */
    char timeline[SESSION_TIMELINE];
    char reference_timeline[SESSION_TIMELINE]; /* on the same scale; empty: none */
    char timeline_legend[SESSION_TEXT];        /* of both */
    char graph_check[SESSION_NAME]; /* whose graph the words and the picture show; empty: there is
                                       none */
    char graph_words[SESSION_TEXT];
    char graph_dot[SESSION_PICTURE]; /* for graphviz; empty: too large for a picture */
};

enum { SESSION_VERSION = 30 };

/* A new, empty session in a new directory under `parent`; its path goes to `path`. NULL with errno
 * set. Afterwards session_remove takes away the file and all of the directory. */
struct session *session_create(const char *parent, char path[SESSION_PATH]);
void session_remove(const char *path);

/* The session that the environment names; NULL with a sentence in *why. */
struct session *session_open(const char **why);

/* That of a path; NULL: it cannot be opened, or is of another version. */
struct session *session_open_at(const char *path);

/* All that a submission printed: for a suite, a descriptor that adds to it, or -1; for ./grade, the
 * whole, or NULL. */
int session_open_output(void);
FILE *session_read_output(const char *path);

/* The calling process becomes one that others of the same user cannot look into. */
void session_hide(void);

/* Are there fewer devices than the lab is for? Then some mistakes cannot be seen. */
bool session_lacks_devices(const struct session *s);

/* Is the step not written? The first of such steps; 0: all are written, or it is not known. */
bool session_is_unwritten(const struct session *s, int step);
int session_first_step(uint64_t unwritten);

struct session_check *session_find(struct session *s, const char *name);
/* Is the name one of these, with spaces between? */
bool session_is_among(const char *names, const char *name);

/* Who found why the check failed: one whose mistake explains this check's own mistake or, if it
   has none, this check; else the first with the same mistake. Of two mistakes that explain each
   other, the check that comes first. NULL: it has not failed, or nobody knows why. */
const struct session_check *session_explanation(const struct session *s,
                                                const struct session_check *c);

/* It failed, and nobody knows why. */
bool session_is_unexplained(const struct session *s, const struct session_check *c);

/* The mistakes of checks that could not judge: a step is not written, a given function is as it was
   given. */
#define SESSION_UNWRITTEN "unwritten"
#define SESSION_AS_GIVEN "as_given"

/* The mistake of a check whose `ignored` says why it failed. */
#define SESSION_ERROR_IGNORED "error_ignored"

/* both.c: two devices judge one submission. A check passes if both say so. The GPU is asked for a
 * check when the simulated device has its verdict, and not if it fails it: that adds nothing. */

/* The session of the simulated device, whose checks have been run. */
void session_begin_both(struct session *sim);

/* The session of the simulated device becomes that of both. The GPU's may lack checks. */
void session_merge(struct session *sim, const struct session *gpu);

/* Is what the submission printed on the GPU shown? What it printed on the simulated device is, if
   that failed a check. */
bool session_prefers_output(const struct session *sim, const struct session *gpu);

/* Wrong on the GPU, in something that is not measured, and the simulated device has found nothing
   in any check? */
bool session_disagrees(const struct session *s, const struct session_check *c);

/* The grading waits for others: that is none of its time. The end returns how long it was. */
void session_begin_waiting(struct session *s);
int64_t session_end_waiting(struct session *s);

/* Has its deadline passed, and so much more time? While it waits, no time passes. */
bool session_is_over(const struct session *s, int64_t grace_ns);

/* Nanoseconds of CLOCK_MONOTONIC. */
int64_t session_now_ns(void);

/* grade.h: what the files of ./grade share: one grading from its command line to its exit status.
 */
#pragma once

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "common/trace.h"
#include "report/report.h"
#include "session/session.h"

/* Scripts rely on these. */
enum grade_exit {
    GRADE_PASSED = 0,       /* every check passes (or does not apply here) */
    GRADE_FAILED = 1,       /* some do not */
    GRADE_USAGE = 2,        /* wrong arguments, or the lab is not built */
    GRADE_INCONCLUSIVE = 3, /* all others pass; a timing was too noisy to tell */
    GRADE_BROKEN = 4        /* the grader itself could not run */
};

enum { GRADE_COMMAND = 5 * SESSION_PATH, GRADE_PICTURE = 160 };

struct grade {
    /* command line */
    const char *lab;               /* lab03; NULL: all of them, as a list */
    const char *check;             /* the only ones to run, "width,nodes"; NULL: all */
    bool brief, hint, watch;       /* --brief, --hint, --watch */
    bool needs;                    /* --needs */
    bool why;                      /* --why */
    bool debug;                    /* --debug */
    const char *debugged;          /* the program in a debugger that has started this one */
    const char *as;                /* --as: the name of a profile; NULL: none */
    int hint_level;                /* 1 to 3 */
    int page_hints;                /* --hints: levels in the page, 0 to 3 */
    const char *json;              /* file, "-" for stdout; NULL: none */
    const char *format;            /* --format: another tool's format, for stdout; NULL: none */
    const char *trace;             /* file; NULL: none */
    const char *html;              /* file; NULL: none */
    const char *device_option;     /* sim, gpu; NULL: what was built last */
    const char *submission_option; /* its folder or name; NULL: what was built last */
    const char *subject_option;    /* another program in place of a built one; NULL: none */
    bool has_seed;
    uint64_t seed;

    /* found (grade_lab.c, grade_find.c) */
    char root[SESSION_PATH];  /* the course: where labs/ and build/ are */
    char build[SESSION_PATH]; /* its build directory */
    char suite[SESSION_PATH];
    char subject[SESSION_PATH];
    char reference[SESSION_PATH];
    char submission[SESSION_PATH]; /* source of the subject, relative to root */
    enum session_device device;
    bool both;                          /* a GPU, and the simulated device before it */
    char device_name[160];              /* as reports show it */
    char simulated_name[160];           /* the same of the simulated one if both judge */
    int n_gpus;                         /* 0: not known */
    int capability, cuda;               /* as in the session */
    double bus_gbps;                    /* that the GPU's bus may carry; 0: not known */
    bool lacks_peers;                   /* as in the session */
    char gpu_uuids[SESSION_GPUS][64];   /* as NVML has them; empty: not known, or no GPU */
    bool own_trace;                     /* trace_path is a file of ours, to be removed */
    char trace_path[SESSION_PATH];      /* where the suite writes a trace as CSV; empty: none */
    char reference_trace[SESSION_PATH]; /* the same of the reference's run; a file of ours */

    /* the run (grade_run.c) */
    char session_path[SESSION_PATH];
    struct session *session;
    pid_t suite_pid;     /* 0: it does not run */
    int output;          /* what it prints */
    FILE *printed;       /* all that the submission printed; NULL: nothing */
    struct grade *other; /* the same submission on the other device, which is judged at the same
                            time; NULL: it is not */
};

/* grade_lab.c: all of these return 0, or the exit status after a message on stderr that says what
   to do. First the root, then the lab. */
int grade_find_root(struct grade *g);
int grade_find_lab(struct grade *g);

/* grade_lab.c: out = a/b/c/d, without what is NULL; empty, which does not exist, if it is too
   long. */
void grade_join(char out[SESSION_PATH], const char *a, const char *b, const char *c, const char *d);

/* grade_lab.c: the folders of all labs in order, to be freed, and their number; the folder of
   g->lab, or "" if there is none; does a word begin like the name of a lab? */
int grade_labs(const struct grade *g, struct dirent ***found);
void grade_lab_directory(const struct grade *g, char out[SESSION_PATH]);
bool grade_is_lab_name(const char *name);

/* grade_find.c: was the file written after that time, or moved to where it is, as old as it may be?
 */
bool grade_came_after(const char *path, struct timespec when);

/* grade_find.c: the build to judge. Builds the learner's own lab first if it changed. 0, or the
   exit status after a message. */
int grade_find(struct grade *g);

/* grade_find.c: after grade_find: the command that grades the same build with the same inputs; the
   name of its picture in build/report: labNN of the learner's own lab, labNN-NAME of another. */
void grade_again(const struct grade *g, char command[GRADE_COMMAND]);
void grade_picture(const struct grade *g, char name[GRADE_PICTURE]);

/* grade_find.c: what make is told to build the submission from; nothing for the learner's own. */
const char *grade_chosen(const struct grade *g);

/* grade_debug.c: becomes a debugger of the submission; returns only if it cannot: the exit status
   after a message. */
int grade_debug(const struct grade *g);

/* grade_debug.c: if a program in a debugger has started this process: what it did not say is as in
   the last report. */
void grade_debugged(struct grade *g);

/* grade_build.c: runs make for the learner's own lab. 0, or the exit status after make's words. */
int grade_build(const struct grade *g);

/* grade_device.c: the device's name, and a GPU's UUID; false with a sentence in `why` where none
   answers. */
bool grade_device_name(struct grade *g, char *why, size_t why_bytes);

/* grade_card.c: the simulated device gets the figures of the GPU: of its name, else of the nearest
   compute capability and bus. A profile that was chosen already stays. */
void grade_card(const struct grade *g);

/* grade_run.c: runs the suite; 0, or the exit status after a message. Where a signal stopped it,
   this process ends by that signal: so a shell's loop over submissions ends, too. */
int grade_run(struct grade *g);

/* grade_run.c: its two parts. grade_end waits for all verdicts. grade_forget, after any of them,
   stops the suite if it runs, waits for the end of all of its processes, and removes its files. */
int grade_begin(struct grade *g);
int grade_end(struct grade *g);
void grade_forget(struct grade *g);

/* grade_lab.c: the folder of a build for a GPU becomes that of the simulated device; false: it is
   no such folder. */
bool grade_twin(const struct grade *g, char path[SESSION_PATH]);

/* grade_both.c: as grade_run, on both devices if both are asked for. `told`: the report has begun
   with what the simulated device found. */
int grade_run_all(struct grade *g, bool *told);

/* grade_both.c: after the report, or in place of it: nothing of the grading is left. */
void grade_leave(struct grade *g);

/* grade_report.c: everything that is said about a finished grading: the exit status. `told` as
   above. Before that: what the simulated device found, while the GPU is asked. */
int grade_report(const struct grade *g, bool told);
bool grade_report_found(const struct grade *g);

/* grade_check.c: some checks. Before the run: the filter for Criterion. After it: only those are
   left in the session. 0, or the exit status after a message that lists the checks. */
void grade_check_filter(const struct grade *g, char out[SESSION_PATH]);
int grade_check_keep(const struct grade *g);

/* grade_why.c: --why: prints the facts of each failed check. The exit status of the grading. */
int grade_why(const struct grade *g);

/* grade_needs.c: --needs: which checks need more than any device, and has this one it? The exit
   status. */
int grade_needs(const struct grade *g);

/* grade_as.c: --as: the simulated device gets the profile of that name. 0, or the exit status after
   a message that lists the profiles. */
int grade_as(struct grade *g);

/* grade_format.c: the report in another tool's format, by grader/class/format.sh. 0, or -1 after a
   message. */
struct report;
int grade_format_check(const struct grade *g);
int grade_format(const struct grade *g, const struct report *r);

/* grade_record.c: the last grading of the learner's own lab, build/report/labNN.json. */
struct grade_record {
    bool exists, passed;
    int points, max_points;
    uint64_t seed;
    bool current;               /* the lab's files did not change since */
    char failed[SESSION_NAME];  /* the first check that did not pass; empty: none */
    char mistake[SESSION_NAME]; /* that explains it; empty: not known */
};
bool grade_is_own(const struct grade *g); /* is the learner's own lab graded? */
void grade_record_write(const struct grade *g, const struct report *r);
struct grade_record grade_record_read(const struct grade *g);

/* grade_list.c: all labs with their states; 0 or the exit status. */
int grade_list(struct grade *g);

/* grade_step.c: the steps of the sources in a folder that are not written (session.unwritten);
 *refusing: those of them whose starter returns an error. */
uint64_t grade_unwritten(const struct grade *g, const char *directory, uint64_t *refusing);

/* grade_step.c: the folder of the program that is judged, which has a copy of its sources. */
void grade_subject_directory(const struct grade *g, char out[SESSION_PATH]);

/* grade_step.c: after the run: the step of each check that failed; given functions that are as they
   were given. */
void grade_take_steps(struct grade *g);

/* grade_step.c: the lab's files for report/hints.h. */
void grade_hints(const struct grade *g, char hints[SESSION_PATH], char steps[SESSION_PATH]);

/* grade_hint.c: a hint for the step to write or the check that failed; 0 or the exit status. */
int grade_hint(struct grade *g);

/* grade_watch.c: grades each time a file of the lab is saved, until Ctrl-C; the exit status. */
int grade_watch(struct grade *g, char **argv);

/* grade_class.c: becomes the program that grades a class; argv[1] is "class". Returns only if it
   cannot be started: the exit status after a message. */
int grade_class(const struct grade *g, char **argv);

/* The exit status that the finished session's checks amount to. */
enum grade_exit grade_verdict(const struct session *s);

/* grade_trace.c: the trace for --trace and --html. Before the grading: 0, or -1 after a message if
   a file cannot be written; an older one is gone then. Afterwards: writes a .json from the CSV;
   reports that no check has written a trace; `t` gets those of a page. -1 after a message. */
int grade_trace_prepare(struct grade *g);
int grade_trace_end(const struct grade *g, struct report_traces *t);
/* Removes the files of ours. */
void grade_trace_drop(const struct grade *g);

/*
 * grade.h: what the files of ./grade share: one grading from its command line to its exit status.
 */
#ifndef GRADE_H
#define GRADE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "session/session.h"

/* Scripts rely on these. */
enum grade_exit {
    GRADE_PASSED = 0,       /* every check passes (or does not apply here) */
    GRADE_FAILED = 1,       /* some do not */
    GRADE_USAGE = 2,        /* wrong arguments, or the lab is not built */
    GRADE_INCONCLUSIVE = 3, /* all others pass; a timing was too noisy to tell */
    GRADE_BROKEN = 4        /* the grader itself could not run */
};

struct grade {
    /* command line */
    const char *lab;               /* lab03 */
    const char *json;              /* file, "-" for stdout; NULL: none */
    const char *trace;             /* file; NULL: none */
    const char *device_option;     /* sim, gpu; NULL: what was built last */
    const char *submission_option; /* its folder or name; NULL: what was built last */
    const char *subject_option;    /* another program in place of a built one; NULL: none */
    bool has_seed;
    uint64_t seed;

    /* found (grade_find.c) */
    char root[SESSION_PATH];  /* the course: where labs/ and build/ are */
    char build[SESSION_PATH]; /* its build directory */
    char suite[SESSION_PATH];
    char subject[SESSION_PATH];
    char reference[SESSION_PATH];
    char submission[SESSION_PATH]; /* source of the subject, relative to root */
    enum session_device device;
    char device_name[160];         /* as reports show it */
    int n_gpus;                    /* 0: not known */
    char gpu_uuid[64];             /* as NVML has it; empty: not known, or no GPU */
    char trace_path[SESSION_PATH]; /* of --trace, absolute; empty: none */

    /* the run (grade_run.c) */
    char session_path[SESSION_PATH];
    struct session *session;
};

/* grade_find.c: 0, or the exit status after a message on stderr that says what to do. */
int grade_find(struct grade *g);

/* grade_device.c: the device's name, and a GPU's UUID; false with a sentence in `why` where none
   answers. */
bool grade_device_name(struct grade *g, char *why, size_t why_bytes);

/* grade_run.c: runs the suite; 0, or the exit status after a message. Where a signal stopped it,
   this process ends by that signal: so a shell's loop over submissions ends, too. */
int grade_run(struct grade *g);

/* The exit status that the finished session's checks amount to. */
enum grade_exit grade_verdict(const struct session *s);

/* grade_trace.c: the file for --trace. Before the grading: 0, or -1 after a message where it cannot
   be written; an older one is gone then. Afterwards: says so where no check has written one. */
int grade_trace_prepare(struct grade *g);
void grade_trace_end(const struct grade *g);

#endif

/* inside.h: what the files of the subject program share. Adapters include subject.h alone. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "subject.h"
#include "wire/wire.h"

/* One buffer of the scenario as it is mapped here. */
struct subject_map {
    char *reserved; /* guard, pages, guard */
    size_t reserved_bytes;
    char *pages;
    float *data; /* first float, inside the pages */
    bool pinned;
};

struct subject {
    const struct subject_lab *lab;
    struct wire_request scenario; /* the WIRE_SETUP that is up now */
    bool up;                      /* lab's setup has been called, teardown not yet */
    struct subject_map maps[WIRE_BUFFERS];
    int n_maps;
    char *blob; /* shared with the judge: traces and graphs as text */
    size_t blob_bytes;
    struct wire_reply reply; /* to the current request */
};

extern struct subject subject;

/* subject.c: answers the judge's requests, one at a time, until the judge has gone. */
void subject_serve(const struct subject_lab *lab);

/* reply.c: why the current request fails: returns a nonzero value. Or why it cannot be done:
   returns 0, as that is no failure of the submission. */
int subject_fail(struct subject *s, enum wire_reason reason, const char *what);
int subject_unsupported(struct subject *s, enum wire_reason reason, const char *what);

/* device.c: findings and failed calls name lines of the submission alone. */
void subject_name_own_code(void);
void subject_set_freedom(uint32_t seed); /* of the simulated device */

/* device.c: subject_fail with a CUDA error. */
int subject_fail_cuda(struct subject *s, enum wire_reason reason, const char *what, int cuda_error);

/* device.c: a call that failed, and whose error the reply does not tell, goes into the reply. A
   signal handler may call this function. */
void subject_note_ignored(struct subject *s);

/* memory.c: maps the scenario's buffers, pins what is to be pinned. 0, or subject_fail. */
int subject_memory_map(struct subject *s, int fd);
void subject_memory_unmap(struct subject *s);

/* device.c: the trace into the blob, findings into the reply. 0, or -1: not on this device. Of
   subject_trace_end: 0, also if not on this device, or subject_fail: too long. */
int subject_trace_begin(struct subject *s);
void subject_make_contexts(bool of_one); /* on the first device, or on all, if there are any */
void subject_trace_prepare(void); /* traces with whole graphs: before anything else is done with
                                     the device */
int subject_trace_restart(struct subject *s);
int subject_trace_end(struct subject *s);
void subject_findings(struct subject *s, bool at_end); /* at its end: leaks, too */
int subject_pin(void *p, size_t bytes);
void subject_unpin(void *p);

/* lineage.c: a run begins; the results lie in the judge's buffers, copied from where operations
   wrote them: those that lie elsewhere are to be as they were then. */
void subject_lineage_run(struct subject *s);
void subject_lineage_collected(struct subject *s);

/* alone.c: fails the request if a given member of the struct, or memory beside it, changed. */
int subject_alone_check(struct subject *s);

/* An address so far from the first byte of such memory: is it in it, or in the near half of a
   guard? The far half is what something else beside the guard runs into. */
static inline bool is_beside(int64_t offset, uint64_t bytes)
{
    return offset >= -WIRE_GUARD_BYTES / 2 && offset < (int64_t)bytes + WIRE_GUARD_BYTES / 2;
}

/* lineage.c: this host memory is constant until the next call. */
void subject_constants(const void *base, size_t bytes);
/* lent.c: a run begins; nothing writes there any more. */
void subject_lent_is_filled(void);
/* lent.c: does the fault lie in what is lent, or beside it? */
void subject_lent_at_death(struct wire_fault *f);

/* device.c: is it the submission's? */
bool subject_is_own_code(const void *address);

/* red_zone.c: nonzero if the submission has written beyond the end of a block of its own; and the
   same as a fact about a process that dies. */
int subject_red_zone_check(struct subject *s);
void subject_red_zone_at_death(struct wire_fault *f);

/* alone.c: does the address lie in the lab's struct, or in the pages beside it? *bytes of the
   struct, *offset from its first one. A signal handler may call this function. */
bool subject_alone_holds(const void *address, uint64_t *bytes, int64_t *offset);

/* pace.c: how many times as long work takes here as where computes_ns was found; at least 1. */
double subject_pace(void);

/* code.c: an instruction, or the call that returned to this address, as an offset in the program;
   0: not known. */
uint64_t subject_code_at(uintptr_t address);
uint64_t subject_code_offset(const void *caller);

/* crash.c: a fatal signal tells the judge what happened, then happens. */
void subject_crash_install(void);

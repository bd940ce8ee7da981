/*
 * subject_inside.h: what the files of the subject program share. Adapters include subject.h alone.
 */
#ifndef SUBJECT_INSIDE_H
#define SUBJECT_INSIDE_H

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
    char *blob; /* shared with the judge: traces and findings as text */
    size_t blob_bytes;
    struct wire_reply reply; /* to the request in hand */
};

extern struct subject subject;

/* subject_memory.c: maps the scenario's buffers, pins what is to be pinned. 0, or subject_failed.
 */
int subject_memory_map(struct subject *s, int fd);
void subject_memory_unmap(struct subject *s);

/* subject_device.c: trace and findings into the blob. 0, or -1: not on this device. */
int subject_trace_begin(struct subject *s);
void subject_trace_prepare(void); /* before anything else is done with the device */
int subject_trace_restart(struct subject *s);
int subject_trace_end(struct subject *s);
int subject_findings(struct subject *s);
int subject_pin(void *p, size_t bytes);
void subject_unpin(void *p);

/* subject_crash.c: a fatal signal tells the judge what happened, then happens. */
void subject_crash_install(void);

/* subject.c: sends subject.reply as it is, also from a signal handler; false: no channel any more.
 */
bool subject_send(void);

#endif

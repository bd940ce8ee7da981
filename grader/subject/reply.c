/* reply.c: the reply to the present request: figures, notes, and why it failed. */
#include "inside.h"

#include <stdarg.h>
#include <stdio.h>

struct subject subject;

void subject_report(struct subject *s, struct figure figure, double value)
{
    s->reply.reported |= UINT64_C(1) << figure.at;
    s->reply.figures[figure.at] = value;
}

void subject_note(struct subject *s, int mistake, const char *expected, const char *format, ...)
{
    struct wire_reply *r = &s->reply;
    for (uint32_t i = 0; i < r->n_notes; i++)
        if (r->notes[i].mistake == mistake)
            return;
    if (r->n_notes == WIRE_NOTES)
        return;
    struct wire_note *note = &r->notes[r->n_notes++];
    va_list args;
    va_start(args, format);
    note->mistake = mistake;
    if (format)
        vsnprintf(note->actual, sizeof note->actual, format, args);
    snprintf(note->expected, sizeof note->expected, "%s", expected ? expected : "");
    va_end(args);
}

int subject_failed(struct subject *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(s->reply.failure.text, sizeof s->reply.failure.text, format, args);
    va_end(args);
    return subject_fail(s, WIRE_IN_WORDS, "");
}

int subject_fail(struct subject *s, enum wire_reason reason, const char *what)
{
    struct wire_failure *f = &s->reply.failure;
    f->reason = reason;
    snprintf(f->what, sizeof f->what, "%s", what);
    return 1;
}

int subject_unsupported(struct subject *s, enum wire_reason reason, const char *what)
{
    subject_fail(s, reason, what);
    s->reply.outcome = WIRE_UNSUPPORTED;
    return 0;
}

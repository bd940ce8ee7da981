/* reply.c: the submission may have written the reply: can it be read? */
#include <string.h>

#include "common/plain_text.h"
#include "inside.h"

/* One line, which ends within its room and has no characters that a terminal may not have. */
static bool is_line(const char *text, size_t room)
{
    const size_t n = strnlen(text, room);
    for (size_t at = 0; at < n && n < room;) {
        int shown;
        at += plain_character(text + at, n - at, &shown);
        if (!shown)
            return false;
    }
    return n < room;
}

static bool is_identifier(const char *name, size_t room)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const size_t n = strnlen(name, room);
    return n < room && strspn(name, letters) == n;
}

#define IS(kind, array) is_##kind(array, sizeof(array))

static bool is_site(const struct simgpu_site *s)
{
    return IS(line, s->name) && IS(line, s->line);
}

static bool is_finding(const struct simgpu_finding *f)
{
    return (unsigned)f->kind <= SIMGPU_NOT_LAUNCHED && (unsigned)f->what < SIMGPU_WHATS &&
           (unsigned)f->next < SIMGPU_NEXTS && (unsigned)f->object < SIMGPU_OBJECTS &&
           is_site(&f->first) && is_site(&f->second) && IS(line, f->memory.call) &&
           IS(line, f->error);
}

static bool is_error(const struct wire_error *e)
{
    return IS(identifier, e->name) && IS(identifier, e->call) && IS(line, e->description) &&
           (unsigned)e->refusal.what < SIMGPU_REFUSALS && IS(line, e->refusal.argument);
}

/* The submission may have written the reply: are its texts as the grader's own code has them? */
static bool has_plain_texts(const struct wire_reply *r)
{
    const struct wire_failure *f = &r->failure;
    return IS(line, f->what) && IS(line, r->fault.lent) && IS(line, f->text) &&
           is_error(&f->error) && is_error(&r->ignored) && is_finding(&r->finding);
}

static bool has_plain_notes(const struct wire_reply *r)
{
    for (uint32_t i = 0; i < r->n_notes && i < WIRE_NOTES; i++)
        if (!IS(line, r->notes[i].actual) || !IS(line, r->notes[i].expected))
            return false;
    return r->n_notes <= WIRE_NOTES;
}

bool judge_may_read(const struct wire_reply *r)
{
    return has_plain_notes(r) && r->blob_bytes <= JUDGE_BLOB_BYTES && has_plain_texts(r);
}

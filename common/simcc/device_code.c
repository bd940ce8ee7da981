/*
 * device_code.c: what means something else in device code than in host code: clock(), and inline
 * PTX, of which only reading special registers is known.
 */
#include "source.h"

#include <stdlib.h>
#include <string.h>

/* ---- where device code is -------------------------------------------------------------------- */

/* The brace that opens the body of the function whose declaration goes on at token i, or -1. */
static int body_of(const struct source *s, int i)
{
    bool has_parameters = false;
    for (; i < s->n_tokens; i++) {
        if (token_is(s, i, ";") || token_is(s, i, ")") || token_is(s, i, "}"))
            return -1;
        if (token_is(s, i, "=") && !token_is(s, i - 1, "operator"))
            return -1;
        if (token_is(s, i, "{"))
            return has_parameters ? i : -1;
        if (token_is(s, i, "("))
            has_parameters = true;
        if (s->tokens[i].match > i)
            i = s->tokens[i].match;
    }
    return -1;
}

void mark_device_code(struct source *s)
{
    for (int i = 0; i < s->n_tokens; i++) {
        if (!token_is(s, i, "simgpu_global") && !token_is(s, i, "simgpu_device"))
            continue;
        int body = body_of(s, i + 1);
        for (int k = body; body >= 0 && k < s->tokens[body].match; k++)
            s->tokens[k].device_code = true;
    }
}

/* ---- inline PTX ------------------------------------------------------------------------------ */

static bool string_contains(const struct token *t, const char *word)
{
    return memmem(t->at, t->length, word, strlen(word)) != NULL;
}

/* The expression that gives what the instruction in this string reads, or NULL. */
static const char *special_register(const struct token *t)
{
    static const char *const known[][2] = {
        {"globaltimer", "device_time_ns()"}, {"clock64", "clock64()"},
        {"clock", "simgpu_clock()"},         {"laneid", "simgpu_lane()"},
        {"nsmid", "simgpu_sm_count()"},      {"smid", "simgpu_sm()"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (string_contains(t, known[i][0]) && string_contains(t, "mov"))
            return known[i][1];
    return NULL;
}

/* asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)) becomes ns = device_time_ns(). */
static int rewrite_asm(struct source *s, int i)
{
    int open = i + 1;
    while (s->tokens[open].kind == TOKEN_WORD)
        open++;
    int close = s->tokens[open].match;
    if (!token_is(s, open, "(") || close < 0 || s->tokens[open + 1].kind != TOKEN_STRING)
        return i;
    const char *value = special_register(&s->tokens[open + 1]);
    int colon = open + 2, out = colon + 2; /* : "=l" ( expression ) */
    if (value && token_is(s, colon, ":") && token_is(s, out, "(")) {
        const char *from = s->tokens[out].at;
        const struct token *to = &s->tokens[s->tokens[out].match];
        replace(s, i, close, "%.*s = %s", (int)(to->at + 1 - from), from, value);
    } else if (s->tokens[open + 1].length > 2) { /* "" only keeps the compiler from moving code */
        replace(s, i, close, "simgpu_inline_ptx()");
    }
    return close;
}

/* ---- clocks ---------------------------------------------------------------------------------- */

void rewrite_device_code(struct source *s)
{
    for (int i = 1; i < s->n_tokens; i++) {
        if (token_is(s, i, "simgpu_device"))
            replace(s, i, i, "%s", "");
        if (!s->tokens[i].device_code)
            continue;
        if (token_is(s, i, "asm") || token_is(s, i, "__asm__") || token_is(s, i, "__asm"))
            i = rewrite_asm(s, i);
        else if (token_is(s, i, "clock") && token_is(s, i + 1, "(") && token_is(s, i + 2, ")") &&
                 !token_is(s, i - 1, ".") && !token_is(s, i - 1, "->"))
            replace(s, i, i, "simgpu_clock");
    }
}

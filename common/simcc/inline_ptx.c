/*
 * inline_ptx.c: inline PTX becomes an expression of C++. Known are reads of special registers, and
 * a few instructions that programs and NVIDIA's CUB write in this way. The text of an asm statement
 * is recognized by words in it; any other text is an error of the compiler.
 */
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPERANDS = 12, MAX_WORDS = 3 };

/* An asm statement: its outputs, and then its inputs, as the text between their parentheses. */
struct statement {
    int first_text, last_text; /* its string literals */
    struct operand {
        const char *at;
        int length;
    } operands[MAX_OPERANDS];
    int n_outputs, n_operands;
    int close; /* its closing bracket */
};

/* In an expression, $1 is operand 1, and $L the last one. */
static const struct {
    const char *words[MAX_WORDS]; /* all are in the text */
    const char *expression;
} known[] = {
    {{"mov", "globaltimer"}, "device_time_ns()"},
    {{"mov", "clock64"}, "clock64()"},
    {{"mov", "clock"}, "simgpu_clock()"},
    {{"mov", "laneid"}, "simgpu_lane()"},
    {{"mov", "lanemask_eq"}, "1u << simgpu_lane()"},
    {{"mov", "lanemask_lt"}, "(1u << simgpu_lane()) - 1"},
    {{"mov", "lanemask_le"}, "(2u << simgpu_lane()) - 1"},
    {{"mov", "lanemask_gt"}, "~((2u << simgpu_lane()) - 1)"},
    {{"mov", "lanemask_ge"}, "~((1u << simgpu_lane()) - 1)"},
    {{"mov", "nsmid"}, "simgpu_sm_count()"},
    {{"mov", "smid"}, "simgpu_sm()"},
    {{"shfl.sync.up.b32", "@p add"}, "simgpu_ptx_shuffle_add<true>($1, $2, $3, $L)"},
    {{"shfl.sync.down.b32", "@p add"}, "simgpu_ptx_shuffle_add<false>($1, $2, $3, $L)"},
    {{"shfl.sync.up.b32 %0, %1, %2, %3, %4"}, "simgpu_ptx_shuffle<true>($1, $2, $3, $4)"},
    {{"shfl.sync.down.b32 %0, %1, %2, %3, %4"}, "simgpu_ptx_shuffle<false>($1, $2, $3, $4)"},
    {{"bfe.u32 %0, %1, %2, %3"}, "simgpu_ptx_bits($1, $2, $3)"},
    {{"shl.b32 %0, %1, %2"}, "simgpu_ptx_shift<true>($1, $2)"},
    {{"shr.b32 %0, %1, %2"}, "simgpu_ptx_shift<false>($1, $2)"},
};

static bool text_contains(const struct source *s, const struct statement *a, const char *word)
{
    for (int i = a->first_text; i <= a->last_text; i++)
        if (memmem(s->tokens[i].at, s->tokens[i].length, word, strlen(word)))
            return true;
    return false;
}

/* The expression of the statement's text, or NULL. */
static const char *expression_of(const struct source *s, const struct statement *a)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        bool fits = true;
        for (int w = 0; w < MAX_WORDS && known[i].words[w]; w++)
            fits = fits && text_contains(s, a, known[i].words[w]);
        if (fits)
            return known[i].expression;
    }
    return NULL;
}

/* False: it is of a form that no known statement has. */
static bool read_statement(const struct source *s, int i, struct statement *a)
{
    int open = i + 1, colons = 0;
    while (s->tokens[open].kind == TOKEN_WORD) /* volatile */
        open++;
    *a = (struct statement){.first_text = open + 1, .close = s->tokens[open].match};
    if (!token_is(s, open, "(") || a->close < 0 || s->tokens[open + 1].kind != TOKEN_STRING)
        return false;
    int at = open + 1;
    while (s->tokens[at].kind == TOKEN_STRING)
        a->last_text = at++;
    for (; at < a->close; at++) {
        colons += token_is(s, at, ":") + 2 * token_is(s, at, "::");
        if (!token_is(s, at, "(") || colons > 2)
            continue;
        if (a->n_operands == MAX_OPERANDS)
            return false;
        const char *from = s->tokens[at].at;
        at = s->tokens[at].match;
        a->operands[a->n_operands++] = (struct operand){from, (int)(s->tokens[at].at + 1 - from)};
        a->n_outputs += colons == 1;
    }
    return true;
}

/* Writes the expression with its operands; false: it has not as many. */
static bool write_expression(FILE *f, const struct statement *a, const char *expression)
{
    for (const char *c = expression; *c; c++) {
        if (*c != '$') {
            fputc(*c, f);
            continue;
        }
        int n = *++c == 'L' ? a->n_operands - 1 : *c - '0';
        if (n < 0 || n >= a->n_operands)
            return false;
        fprintf(f, "%.*s", a->operands[n].length, a->operands[n].at);
    }
    return true;
}

/* ld and st: the C++ type that the instruction moves, or NULL. Only of global or generic addresses.
 */
static const char *moved_type(const struct source *s, const struct statement *a)
{
    static const char *const types[][2] = {
        {".u8 ", "uint8_t"},   {".s8 ", "int8_t"},    {".b8 ", "uint8_t"},   {".u16 ", "uint16_t"},
        {".s16 ", "int16_t"},  {".b16 ", "uint16_t"}, {".u32 ", "uint32_t"}, {".s32 ", "int32_t"},
        {".b32 ", "uint32_t"}, {".f32 ", "float"},    {".u64 ", "uint64_t"}, {".s64 ", "int64_t"},
        {".b64 ", "uint64_t"}, {".f64 ", "double"}};
    if (text_contains(s, a, ".shared") || text_contains(s, a, ".param") ||
        text_contains(s, a, ".reg"))
        return NULL;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (text_contains(s, a, types[i][0]))
            return types[i][1];
    return NULL;
}

static bool begins_with(const struct source *s, const struct statement *a, const char *word)
{
    const struct token *t = &s->tokens[a->first_text];
    return t->length > strlen(word) && strncmp(t->at + 1, word, strlen(word)) == 0;
}

/* A load or store with a choice of caches, which the simulated device has not; false: it is none.
 */
static bool write_access(FILE *f, const struct source *s, const struct statement *a)
{
    const char *type = moved_type(s, a);
    bool loads = begins_with(s, a, "ld.") && a->n_outputs > 0 && a->n_operands == a->n_outputs + 1;
    bool stores = begins_with(s, a, "st.") && a->n_outputs == 0 && a->n_operands > 1;
    if (!type || !(loads || stores))
        return false;
    const struct operand *address = &a->operands[loads ? a->n_outputs : 0];
    fprintf(f, "simgpu_ptx_%s<%s>(%.*s", loads ? "load" : "store", type, address->length,
            address->at);
    for (int i = 0; i < a->n_operands; i++)
        if (&a->operands[i] != address)
            fprintf(f, ", %.*s", a->operands[i].length, a->operands[i].at);
    fputc(')', f);
    return true;
}

/* False: the statement is not known. */
static bool write_statement(FILE *f, const struct source *s, const struct statement *a)
{
    if (write_access(f, s, a))
        return true;
    if (a->n_operands == 0 && (begins_with(s, a, "fence.") || begins_with(s, a, "membar."))) {
        fputs("__threadfence()", f);
        return true;
    }
    const char *expression = a->n_outputs == 1 ? expression_of(s, a) : NULL;
    if (!expression)
        return false;
    fprintf(f, "%.*s = ", a->operands[0].length, a->operands[0].at);
    return write_expression(f, a, expression);
}

int rewrite_inline_ptx(struct source *s, int i)
{
    struct statement a;
    if (!read_statement(s, i, &a))
        return i;
    char *text;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    if (!f)
        fatal("out of memory");
    bool is_known = write_statement(f, s, &a);
    fclose(f);
    if (is_known)
        replace(s, i, a.close, "%s", text);
    else if (a.last_text > a.first_text || s->tokens[a.first_text].length > 2)
        replace(s, i, a.close, "simgpu_inline_ptx()"); /* "" only keeps code in its place */
    free(text);
    return a.close;
}

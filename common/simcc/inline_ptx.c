/* inline_ptx.c: inline PTX in device code becomes C++. The operands of an asm statement become
 * variables with their numbers in their names; ptx.c translates the text. A text with an
 * instruction that simcc does not know is an error of the compiler. */
#include "ptx.h"
#include "source.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_OPERANDS = 40 };

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

/* False: it is of a form that simcc does not know. */
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

/* The text of the literals: without escapes and comments; %% is the % of a register. */
static char *text_of(const struct source *s, const struct statement *a)
{
    char *text;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    if (!f)
        fatal("out of memory");
    for (int i = a->first_text; i <= a->last_text; i++) {
        const char *c = strchr(s->tokens[i].at, '"') + 1;
        const char *end = s->tokens[i].at + s->tokens[i].length - 1;
        for (; c < end; c++) {
            if (*c == '\\')
                fputc(strchr("ntr", *++c) ? '\n' : *c, f);
            else if (c[0] == '%' && c[1] == '%')
                fputc(*c++, f);
            else
                fputc(*c, f);
        }
    }
    fclose(f);
    for (char *c = text; (c = strstr(c, "//"));)
        memset(c, ' ', strcspn(c, "\n"));
    for (char *c = text; (c = strstr(c, "/*"));) {
        char *end = strstr(c, "*/");
        memset(c, ' ', end ? (size_t)(end + 2 - c) : strlen(c));
    }
    return text;
}

/* do { variables; instructions } while (0): a statement, as asm is one. False: it is not known. */
static bool write_statement(FILE *f, const struct statement *a, const char *text)
{
    fputs("do { ", f);
    for (int i = 0; i < a->n_operands; i++)
        fprintf(f,
                i < a->n_outputs ? "auto &simgpu_ptx_%d = %.*s; "
                                 : "[[maybe_unused]] const auto simgpu_ptx_%d = %.*s; ",
                i, a->operands[i].length, a->operands[i].at);
    bool is_known = ptx_translate(f, text);
    fputs("} while (0)", f);
    return is_known;
}

static bool is_blank(const char *text)
{
    return text[strspn(text, " \n\t;")] == 0;
}

int rewrite_inline_ptx(struct source *s, int i)
{
    struct statement a;
    if (!read_statement(s, i, &a))
        return i;
    char *cpp, *text = text_of(s, &a);
    size_t length;
    FILE *f = open_memstream(&cpp, &length);
    if (!f)
        fatal("out of memory");
    bool is_known = write_statement(f, &a, text);
    fclose(f);
    for (char *c = cpp; (c = strchr(c, '\n'));) /* no edit adds a line */
        *c = ' ';
    if (!is_blank(text)) /* "" only keeps code in its place */
        replace(s, i, a.close, "%s", is_known ? cpp : "simgpu_inline_ptx()");
    free(text);
    free(cpp);
    return a.close;
}

/* source.c: takes the text apart into tokens, and puts it together again with the edits. */
#include "source.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fatal(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("simcc: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

void *allocate(size_t bytes)
{
    void *p = calloc(1, bytes ? bytes : 1);
    if (!p)
        fatal("out of memory");
    return p;
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static const char *quoted_end(const char *at)
{
    char quote = *at++;
    for (; *at && *at != quote; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at ? at + 1 : at;
}

/* R"delimiter( ... )delimiter": `at` is at the quote. */
static const char *raw_string_end(const char *at)
{
    char end[32];
    size_t n = strcspn(at + 1, "(");
    if (n > sizeof end - 3)
        return quoted_end(at);
    end[0] = ')';
    memcpy(end + 1, at + 1, n);
    strcpy(end + 1 + n, "\"");
    const char *found = strstr(at, end);
    return found ? found + n + 2 : at + strlen(at);
}

static const char *number_end(const char *at)
{
    for (; is_word(*at) || *at == '.' || (*at == '\'' && is_word(at[1])) ||
           ((*at == '+' || *at == '-') && strchr("eEpP", at[-1]));
         at++)
        continue;
    return at;
}

static const char *word_end(const char *at)
{
    while (is_word(*at))
        at++;
    return at;
}

/* The token that begins at `at`, which is no blank. */
static struct token token_at(const char *at)
{
    struct token t = {.kind = TOKEN_SIGN, .at = at, .match = -1};
    const char *end = at + 1;
    if (*at == '"' || *at == '\'') {
        t.kind = TOKEN_STRING;
        end = quoted_end(at);
    } else if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1]))) {
        t.kind = TOKEN_NUMBER;
        end = number_end(at + 1);
    } else if (is_word(*at)) {
        t.kind = TOKEN_WORD;
        end = word_end(at);
        if (*end == '"' && end[-1] == 'R') {
            t.kind = TOKEN_STRING;
            end = raw_string_end(end);
        }
    } else if (strncmp(at, "::", 2) == 0 || strncmp(at, "->", 2) == 0) {
        end = at + 2;
    }
    t.length = (size_t)(end - at);
    return t;
}

static void tokenize(struct source *s)
{
    int cap = 1 << 16;
    s->tokens = allocate((size_t)cap * sizeof *s->tokens);
    bool line_begins = true;
    for (const char *at = s->text;;) {
        if (*at == '#' && line_begins) {
            at += strcspn(at, "\n");
            continue;
        }
        if (isspace((unsigned char)*at)) {
            line_begins = *at == '\n' || line_begins;
            at++;
            continue;
        }
        if (s->n_tokens == cap) {
            cap *= 2;
            s->tokens = realloc(s->tokens, (size_t)cap * sizeof *s->tokens);
            if (!s->tokens)
                fatal("out of memory");
        }
        line_begins = false;
        struct token *t = &s->tokens[s->n_tokens++];
        *t = token_at(at);
        if (!*at) {
            *t = (struct token){.kind = TOKEN_END, .at = at, .match = -1};
            return;
        }
        at += t->length;
    }
}

/* Do the braces that open at token i belong to a namespace, or to extern "C"? */
static bool opens_namespace(const struct source *s, int i)
{
    if (i > 0 && s->tokens[i - 1].kind == TOKEN_STRING)
        return true;
    for (int k = i - 1; k >= 0 && k > i - 24; k--) {
        if (token_is(s, k, "namespace"))
            return true;
        if (strchr(";{})=", *s->tokens[k].at) && s->tokens[k].kind == TOKEN_SIGN)
            return token_is(s, k, ")") && s->tokens[k].match > 1 &&
                   token_is(s, s->tokens[k].match - 1, "__attribute__") &&
                   opens_namespace(s, s->tokens[k].match - 1);
    }
    return false;
}

static void match_brackets(struct source *s)
{
    int *open = allocate((size_t)s->n_tokens * sizeof *open), n = 0, n_inner = 0;
    for (int i = 0; i < s->n_tokens; i++) {
        struct token *t = &s->tokens[i];
        t->top_level = n_inner == 0;
        if (t->kind != TOKEN_SIGN)
            continue;
        if (strchr("([{", *t->at)) {
            open[n++] = i;
            n_inner += *t->at == '{' && (n_inner > 0 || !opens_namespace(s, i));
        } else if (strchr(")]}", *t->at) && n > 0) {
            t->match = open[--n];
            s->tokens[t->match].match = i;
            n_inner -= *t->at == '}' && n_inner > 0;
        }
    }
    free(open);
}

void source_read(struct source *s, const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f || fseek(f, 0, SEEK_END) != 0)
        fatal("cannot read %s", path);
    long bytes = ftell(f);
    rewind(f);
    *s = (struct source){.text = allocate((size_t)bytes + 1)};
    if (fread(s->text, 1, (size_t)bytes, f) != (size_t)bytes)
        fatal("cannot read %s", path);
    fclose(f);
    tokenize(s);
    match_brackets(s);
}

bool token_is(const struct source *s, int i, const char *text)
{
    if (i < 0 || i >= s->n_tokens)
        return false;
    const struct token *t = &s->tokens[i];
    return t->length == strlen(text) && memcmp(t->at, text, t->length) == 0;
}

bool is_one_of(const struct source *s, int i, const char *const *words)
{
    for (; *words; words++)
        if (token_is(s, i, *words))
            return true;
    return false;
}

int skip_angles(const struct source *s, int i)
{
    int depth = 0;
    for (; i < s->n_tokens; i++) {
        if (token_is(s, i, "(") || token_is(s, i, "[") || token_is(s, i, "{")) {
            if (s->tokens[i].match < 0)
                break;
            i = s->tokens[i].match;
        } else if (token_is(s, i, "<")) {
            depth++;
        } else if (token_is(s, i, ">") && --depth == 0) {
            return i + 1;
        }
    }
    return i;
}

/* ---- edits ----------------------------------------------------------------------------------- */

static void add_edit(struct source *s, const char *at, size_t removed, const char *format,
                     va_list args)
{
    if (s->n_edits == s->cap_edits) {
        s->cap_edits = s->cap_edits ? 2 * s->cap_edits : 256;
        s->edits = realloc(s->edits, (size_t)s->cap_edits * sizeof *s->edits);
        if (!s->edits)
            fatal("out of memory");
    }
    struct edit *e = &s->edits[s->n_edits];
    *e = (struct edit){.at = at, .removed = removed, .order = s->n_edits++};
    if (vasprintf(&e->text, format, args) < 0)
        fatal("out of memory");
}

void insert(struct source *s, int i, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_edit(s, s->tokens[i].at, 0, format, args);
    va_end(args);
}

void replace(struct source *s, int first, int last, const char *format, ...)
{
    const char *at = s->tokens[first].at, *end = s->tokens[last].at + s->tokens[last].length;
    va_list args;
    va_start(args, format);
    add_edit(s, at, (size_t)(end - at), format, args);
    va_end(args);
}

static int by_place(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (!x->removed != !y->removed) /* what is inserted stands before what is replaced */
        return x->removed ? 1 : -1;
    return x->order - y->order;
}

/* What has been written of the present line. */
struct writer {
    const struct source *source;
    int next;   /* token */
    int column; /* of the next character, from 1 */
    char last;  /* character written */
};

static void put(struct writer *w, const char *from, size_t n)
{
    fwrite(from, 1, n, stdout);
    for (size_t i = 0; i < n; i++)
        w->column = from[i] == '\n' ? 1 : w->column + 1;
    if (n > 0)
        w->last = from[n - 1];
}

/* The next thing written is the word: in the column where the program has it. */
static void put_in_column(struct writer *w, const struct token *t)
{
    if (!t->file || is_word(w->last) || w->last == '"' || w->last == '\'')
        return;
    if (w->column > t->column) {
        printf("\n# %d \"%s\"\n", t->line, t->file);
        w->column = 1;
    }
    for (; w->column < t->column; w->column++)
        putchar(' ');
}

/* The text from `at` to `end`. */
static void put_text(struct writer *w, const char *at, const char *end)
{
    const struct source *s = w->source;
    while (s->tokens[w->next].at < at)
        w->next++;
    for (; s->tokens[w->next].at < end; w->next++) {
        const struct token *t = &s->tokens[w->next];
        put(w, at, (size_t)(t->at - at));
        put_in_column(w, t);
        put(w, t->at, t->length);
        at = t->at + t->length;
    }
    if (at < end)
        put(w, at, (size_t)(end - at));
}

void source_write(struct source *s)
{
    if (s->n_edits > 0)
        qsort(s->edits, (size_t)s->n_edits, sizeof *s->edits, by_place);
    struct writer w = {.source = s, .column = 1};
    const char *at = s->text;
    for (int i = 0; i < s->n_edits; i++) {
        const struct edit *e = &s->edits[i];
        if (e->at < at)
            continue; /* in a part that was replaced as a whole */
        put_text(&w, at, e->at);
        put(&w, e->text, strlen(e->text));
        for (at = e->at; at < e->at + e->removed; at++)
            if (*at == '\n' || (*at == '#' && at[-1] == '\n')) {
                size_t n = *at == '#' ? strcspn(at, "\n") : 1;
                put(&w, at, n);
                at += n - 1;
            }
    }
    put_text(&w, at, s->tokens[s->n_tokens - 1].at);
}

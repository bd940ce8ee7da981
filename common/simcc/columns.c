/* columns.c: in which columns of the program's files its words stand. g++ -E expands macros and
 * leaves out blanks, so the preprocessed text has them elsewhere.
 *
 * A word of a preprocessed line is looked for in the same line of the file, from left to right.
 * What a macro has brought in is not found, or found a little further to the right. */
#include "source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A file that line markers name. */
struct file {
    char *name, *text; /* text NULL: it cannot be read */
    struct file *next;
};

/* Where in the program the preprocessed text comes from. */
struct place {
    const struct file *file; /* NULL: a header of the system */
    int line;
    const char *at; /* where that line begins, if `at_line` is it */
    int at_line;
};

static struct file *files;

/* NULL: it is no file (markers name the folder and <built-in>, too). */
static char *read_all(const char *name)
{
    struct stat is;
    FILE *f = stat(name, &is) == 0 && S_ISREG(is.st_mode) ? fopen(name, "r") : NULL;
    if (!f)
        return NULL;
    char *text = allocate((size_t)is.st_size + 1);
    text[fread(text, 1, (size_t)is.st_size, f)] = 0;
    fclose(f);
    return text;
}

static const struct file *file_of(const char *name, size_t length)
{
    struct file *f = files;
    while (f && (strlen(f->name) != length || memcmp(f->name, name, length) != 0))
        f = f->next;
    if (f)
        return f;
    f = allocate(sizeof *f);
    *f = (struct file){.name = strndup(name, length), .next = files};
    if (!f->name)
        fatal("out of memory");
    f->text = read_all(f->name);
    return files = f;
}

/* # 12 "lab.cu" 2; with a 3, it is a header of the system. False: another directive. */
static bool read_marker(struct place *p, const char *at, const char *end)
{
    char *quote;
    long line = strtol(at + 1, &quote, 10);
    const char *name = quote + 2, *close = memchr(name, '"', (size_t)(end - name));
    if (!isdigit((unsigned char)at[2]) || quote[0] != ' ' || quote[1] != '"' || !close)
        return false;
    bool of_system = memchr(close, '3', (size_t)(end - close)) != NULL;
    *p = (struct place){.line = (int)line};
    if (!of_system)
        p->file = file_of(name, (size_t)(close - name));
    return true;
}

/* The present line of the file; NULL: there is none. */
static const char *find_line(struct place *p)
{
    if (!p->file || !p->file->text)
        return NULL;
    if (!p->at) {
        p->at = p->file->text;
        p->at_line = 1;
    }
    for (; p->at_line < p->line; p->at_line++) {
        p->at += strcspn(p->at, "\n");
        if (!*p->at)
            return NULL;
        p->at++;
    }
    return p->at;
}

static bool is_word_character(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The word in a line from `at` on, or NULL. */
static const char *find_word(const char *line, const char *at, const struct token *t)
{
    const char *end = at + strcspn(at, "\n");
    for (; at + t->length <= end; at++)
        if (memcmp(at, t->at, t->length) == 0 && (at == line || !is_word_character(at[-1])) &&
            !is_word_character(at[t->length]))
            return at;
    return NULL;
}

/* Tokens from number i on, up to `end`. Returns the number after them. */
static int find_in_line(struct source *s, int i, const char *end, struct place *p)
{
    const char *line = find_line(p), *at = line;
    for (; i < s->n_tokens - 1 && s->tokens[i].at < end; i++) {
        struct token *t = &s->tokens[i];
        const char *found = line && t->kind == TOKEN_WORD ? find_word(line, at, t) : NULL;
        if (!found)
            continue;
        t->file = p->file->name;
        t->line = p->line;
        t->column = (int)(found - line) + 1;
        at = found + t->length;
    }
    return i;
}

void find_columns(struct source *s)
{
    struct place p = {0};
    int i = 0;
    for (const char *at = s->text; *at;) {
        const char *end = at + strcspn(at, "\n");
        if (*at != '#' || !read_marker(&p, at, end)) {
            i = find_in_line(s, i, end, &p);
            p.line++;
        }
        at = *end ? end + 1 : end;
    }
}

/* html_source.c: a page quotes the submission's source: each line that a failure is about, with
 * three lines before and after it, from the copy that the subject was built from. */
#include <stdlib.h>
#include <string.h>

#include "common/plain_text.h"
#include "html.h"

enum { AROUND = 3, NAME = 64 };

/* Lines of one file that are quoted together. */
struct quote {
    char name[NAME];
    long first, last;         /* those that calls are about */
    long lines[REPORT_CALLS]; /* all of them */
    int n;
};

/* "lab.c:57: text" begins with a file and a line; false if it does not. */
static bool read_place(const char *text, char name[NAME], long *line)
{
    const size_t n = strcspn(text, ": ");
    char *end;
    if (text[n] != ':' || n == 0 || n >= NAME || memchr(text, '/', n))
        return false;
    memcpy(name, text, n);
    name[n] = '\0';
    *line = strtol(text + n + 1, &end, 10);
    return *line > 0 && (*end == ':' || *end == '\0');
}

/* To the quote whose lines are near; else a new one. */
static int add(struct quote *quotes, int n, const char *name, long line)
{
    for (int i = 0; i < n; i++) {
        struct quote *q = &quotes[i];
        if (strcmp(q->name, name) != 0 || line < q->first - 2 * AROUND ||
            line > q->last + 2 * AROUND)
            continue;
        q->first = line < q->first ? line : q->first;
        q->last = line > q->last ? line : q->last;
        q->lines[q->n++] = line;
        return n;
    }
    quotes[n] = (struct quote){.first = line, .last = line, .lines = {line}, .n = 1};
    snprintf(quotes[n].name, NAME, "%s", name);
    return n + 1;
}

static bool is_marked(const struct quote *q, long line)
{
    for (int i = 0; i < q->n; i++)
        if (q->lines[i] == line)
            return true;
    return false;
}

static void put_line(FILE *to, const struct quote *q, long number, const char *text)
{
    const size_t n = strcspn(text, "\r\n");
    fprintf(to, "%s%4ld  ", is_marked(q, number) ? "<mark>" : "", number);
    plain_write(to, PLAIN_HTML, text, n);
    fputs(is_marked(q, number) ? "</mark>\n" : "\n", to);
}

static void put_quote(FILE *to, const char *subject, const struct quote *q)
{
    char path[SESSION_PATH + NAME], *text = NULL;
    size_t room = 0;
    const char *slash = strrchr(subject, '/');
    snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash + 1 - subject) : 0, subject, q->name);
    FILE *from = fopen(path, "r");
    if (!from)
        return;
    fprintf(to, "<pre class=\"source\" tabindex=\"0\" aria-label=\"%s, lines %ld to %ld\">",
            q->name, q->first > AROUND ? q->first - AROUND : 1, q->last + AROUND);
    for (long number = 1; number <= q->last + AROUND && getline(&text, &room, from) > 0; number++)
        if (number >= q->first - AROUND)
            put_line(to, q, number, text);
    fputs("</pre>\n", to);
    free(text);
    fclose(from);
}

void html_sources(FILE *to, const struct session *s, const struct report_call *calls, int n)
{
    struct quote quotes[REPORT_CALLS];
    int n_quotes = 0;
    for (int i = 0; i < n && i < REPORT_CALLS; i++) {
        char name[NAME];
        long line;
        if (read_place(calls[i].text, name, &line))
            n_quotes = add(quotes, n_quotes, name, line);
    }
    for (int i = 0; i < n_quotes; i++)
        put_quote(to, s->subject, &quotes[i]);
}

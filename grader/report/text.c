/* text.c: the report for people: every check; actual, expected, what to do next. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/plain_text.h"
#include "report.h"

enum { NARROWEST = 60, WIDEST = 96, USUAL = 88, MARGIN = 8, LABEL = 8, OUTPUT_ROWS = 16 };

/* How and how wide to print. */
struct page {
    FILE *to;
    int columns;
    bool color;
};

enum ink { PLAIN, BOLD, DIM, GREEN, RED, YELLOW };

static struct page open_page(FILE *to)
{
    struct page p = {to, USUAL, false};
    struct winsize size;
    if (!isatty(fileno(to)))
        return p;
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    p.color = !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
    if (ioctl(fileno(to), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        p.columns = size.ws_col < NARROWEST ? NARROWEST
                    : size.ws_col > WIDEST  ? WIDEST
                                            : size.ws_col;
    return p;
}

static void ink(const struct page *p, enum ink ink)
{
    static const char *const codes[] = {"\033[0m",  "\033[1m",    "\033[2m",
                                        "\033[32m", "\033[1;31m", "\033[33m"};
    if (p->color)
        fputs(codes[ink], p->to);
}

static void inked(const struct page *p, enum ink color, const char *text)
{
    ink(p, color);
    fputs(text, p->to);
    ink(p, PLAIN);
}

/* Columns that n bytes of UTF-8 take (continuation bytes take none). */
static int width_of(const char *text, size_t n)
{
    int width = 0;
    for (size_t i = 0; i < n; i++)
        width += (text[i] & 0xc0) != 0x80;
    return width;
}

/* Text that is not ours. */
static void put_safe(FILE *to, const char *text, size_t n)
{
    for (size_t at = 0; at < n;) {
        int shown;
        size_t bytes = plain_character(text + at, n - at, &shown);
        fprintf(to, "%.*s", (int)(shown ? bytes : 1), shown ? text + at : "?");
        at += bytes;
    }
}

/* Words, wrapped; the cursor is in `column` already, later lines begin there. */
static void wrapped(const struct page *p, int column, const char *text)
{
    int at = column;
    while (*text) {
        size_t n = strcspn(text, " \n");
        int width = width_of(text, n);
        if (at > column && at + 1 + width > p->columns) {
            fprintf(p->to, "\n%*s", column, "");
            at = column;
        } else if (at > column) {
            putc(' ', p->to);
            at++;
        }
        put_safe(p->to, text, n);
        at += width;
        text += n;
        text += strspn(text, " \n");
    }
    putc('\n', p->to);
}

static void labeled(const struct page *p, const char *label, const char *text)
{
    if (!*text)
        return;
    fprintf(p->to, "%*s", MARGIN, "");
    ink(p, DIM);
    fprintf(p->to, "%-*s", LABEL, label);
    ink(p, PLAIN);
    wrapped(p, MARGIN + LABEL, text);
}

/* ---- points ---------------------------------------------------------------------------------- */

int report_points(const struct session_check *c)
{
    return c->status == CHECK_PASSED ? c->points : 0;
}

int report_max_points(const struct session_check *c)
{
    return c->status == CHECK_SKIPPED ? 0 : c->points;
}

/* ---- parts of the report --------------------------------------------------------------------- */

static void print_head(const struct page *p, const struct report *r)
{
    inked(p, BOLD, r->session->lab);
    fprintf(p->to, "  %s\n", r->session->title);
    fprintf(p->to, "       on %s\n", r->device_name);
    if (r->submission[0]) {
        fputs("       ", p->to);
        put_safe(p->to, r->submission, strlen(r->submission));
        putc('\n', p->to);
    }
    putc('\n', p->to);
}

/* The earlier check that failed in the very same words, or NULL: they need not be read twice. */
static const struct session_check *
said_before(const struct session *s, const struct session_check *c, const struct report_words *w)
{
    struct report_words earlier;
    for (const struct session_check *e = s->checks; e < c; e++) {
        if (e->status != c->status)
            continue;
        report_words(s, e, &earlier);
        if (strcmp(earlier.message, w->message) == 0 && strcmp(earlier.next, w->next) == 0)
            return e;
    }
    return NULL;
}

static void print_reasons(const struct page *p, const struct session *s,
                          const struct session_check *c, const struct report_words *w)
{
    const struct session_check *before = said_before(s, c, w);
    char text[SESSION_TEXT + 64];
    if (before) {
        snprintf(text, sizeof text, "the same as in %s", before->name);
        fprintf(p->to, "%*s", MARGIN, "");
        wrapped(p, MARGIN, text);
        return;
    }
    fprintf(p->to, "%*s", MARGIN, "");
    ink(p, BOLD);
    wrapped(p, MARGIN, w->message);
    ink(p, PLAIN);
    snprintf(text, sizeof text, "%.4g %s", c->measured, c->unit);
    labeled(p, "saw", w->actual[0] || !c->has_figure ? w->actual : text);
    snprintf(text, sizeof text, "%.4g %s", c->required, c->unit);
    labeled(p, "wanted", w->expected[0] || !c->has_figure ? w->expected : text);
    labeled(p, "next", w->next);
}

static void print_check(const struct page *p, const struct session *s,
                        const struct session_check *c, int name_width)
{
    static const char *const marks[] = {[CHECK_PASSED] = "ok",
                                        [CHECK_FAILED] = "FAIL",
                                        [CHECK_SKIPPED] = "skip",
                                        [CHECK_INCONCLUSIVE] = "open"};
    static const enum ink inks[] = {[CHECK_PASSED] = GREEN,
                                    [CHECK_FAILED] = RED,
                                    [CHECK_SKIPPED] = DIM,
                                    [CHECK_INCONCLUSIVE] = YELLOW};
    char points[32] = "";
    struct report_words words;
    report_words(s, c, &words);
    if (c->status != CHECK_SKIPPED)
        snprintf(points, sizeof points, "%d/%d", report_points(c), c->points);
    fputs("  ", p->to);
    inked(p, inks[c->status], marks[c->status]);
    fprintf(p->to, "%*s%-*s  %5s  ", 6 - (int)strlen(marks[c->status]), "", name_width, c->name,
            points);
    wrapped(p, MARGIN + name_width + 9, c->words);
    if (c->by_hand)
        fprintf(p->to, "%*scheck this by hand: the reference takes a third longer, or more\n",
                MARGIN + name_width + 9, "");
    if (c->status == CHECK_FAILED || c->status == CHECK_INCONCLUSIVE)
        print_reasons(p, s, c, &words);
    else if (words.message[0]) {
        fprintf(p->to, "%*s", MARGIN + name_width + 9, "");
        ink(p, DIM);
        wrapped(p, MARGIN + name_width + 9, words.message);
        ink(p, PLAIN);
    }
}

static void print_timeline(const struct page *p, const struct session *s)
{
    if (!s->timeline_check[0])
        return;
    fprintf(p->to, "\nThe run that %s looked at:\n", s->timeline_check);
    for (const char *line = s->timeline; *line;) {
        size_t n = strcspn(line, "\n");
        fputs("  ", p->to);
        put_safe(p->to, line, n);
        putc('\n', p->to);
        line += n + (line[n] == '\n');
    }
}

/* How many bytes of a line go into a row of `room`: up to a space if there is one in its second
 * half. */
static size_t row_of(const char *line, size_t n, size_t room)
{
    if (n <= room)
        return n;
    for (size_t i = room; i > room / 2; i--)
        if (line[i - 1] == ' ')
            return i;
    while (room > 1 && ((unsigned char)line[room] & 0xc0) == 0x80) /* inside a letter of UTF-8 */
        room--;
    return room;
}

static void print_output(const struct page *p, const struct session *s)
{
    const struct session_output *o = &s->output;
    size_t at = 0;
    if (o->total_bytes == 0)
        return;
    fprintf(p->to, "\nWhat the submission printed (in %s, %llu bytes", o->check,
            (unsigned long long)o->total_bytes);
    fprintf(p->to, o->total_bytes > o->kept_bytes ? ", %zu kept):\n" : "):\n", o->kept_bytes);
    for (int rows = 0; rows < OUTPUT_ROWS && at < o->kept_bytes; rows++) {
        const char *line = o->kept + at, *end = memchr(line, '\n', o->kept_bytes - at);
        size_t n = end ? (size_t)(end - line) : o->kept_bytes - at,
               row = row_of(line, n, (size_t)p->columns - 4);
        fputs("  | ", p->to);
        put_safe(p->to, line, row - (row < n && line[row - 1] == ' '));
        putc('\n', p->to);
        at += row + (row == n);
    }
    if (at < o->total_bytes)
        fputs("  | …\n", p->to);
}

static void print_total(const struct page *p, const struct session *s)
{
    int points = 0, max_points = 0, n[CHECK_INCONCLUSIVE + 1] = {0};
    for (int i = 0; i < s->n_checks; i++) {
        points += report_points(&s->checks[i]);
        max_points += report_max_points(&s->checks[i]);
        n[s->checks[i].status]++;
    }
    putc('\n', p->to);
    ink(p, BOLD);
    fprintf(p->to, "%d of %d points", points, max_points);
    ink(p, PLAIN);
    fprintf(p->to, "   %d passed", n[CHECK_PASSED]);
    if (n[CHECK_FAILED])
        fprintf(p->to, ", %d failed", n[CHECK_FAILED]);
    if (n[CHECK_INCONCLUSIVE])
        fprintf(p->to, ", %d open (too noisy to tell: grade again)", n[CHECK_INCONCLUSIVE]);
    if (n[CHECK_SKIPPED])
        fprintf(p->to, ", %d skipped", n[CHECK_SKIPPED]);
    putc('\n', p->to);
    if (n[CHECK_FAILED])
        fprintf(p->to, "the same inputs again: ./grade %s --seed %llu\n", s->lab,
                (unsigned long long)s->seed);
}

void report_print(const struct report *r, FILE *to)
{
    struct page p = open_page(to);
    const struct session *s = r->session;
    int name_width = 0;
    for (int i = 0; i < s->n_checks; i++)
        if ((int)strlen(s->checks[i].name) > name_width)
            name_width = (int)strlen(s->checks[i].name);
    print_head(&p, r);
    for (int i = 0; i < s->n_checks; i++)
        print_check(&p, s, &s->checks[i], name_width);
    print_timeline(&p, s);
    report_graph(r, to);
    print_output(&p, s);
    print_total(&p, s);
    if (s->jail_gap[0])
        fprintf(to, "%s\n", s->jail_gap);
}

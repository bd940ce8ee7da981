/* timeline_print.c: draws a timeline with characters. */
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "timeline.h"

enum { LEAST_LABEL = 9, BUSY = 12, LEAST_COLUMNS = 40, LEAST_TICK = 9 };

/* The part of the picture that holds bars: how wide, and how long a column lasts. */
struct chart {
    const struct timeline *timeline;
    enum timeline_by by;
    bool letters; /* kernels are shown by their first letters */
    int label;    /* columns before it */
    int width;
    double column_us;
};

/* Are there kernels of no batch whose names begin with different letters? */
static bool has_letters(const struct timeline *l)
{
    char first = 0;
    for (size_t i = 0; i < l->n_bars; i++) {
        const struct bar *b = &l->bars[i];
        if (b->batch >= 0 || strcmp(b->operation->engine, "sm") != 0)
            continue;
        if (!isalpha((unsigned char)b->operation->name[0]))
            return false;
        if (first && b->operation->name[0] != first)
            return true;
        first = b->operation->name[0];
    }
    return false;
}

static char glyph(const struct chart *c, const struct bar *b)
{
    const char *engine = b->operation->engine;
    if (strcmp(engine, "api") == 0)
        return timeline_host_computes(b->operation->name) ? 'h'
               : timeline_call_waits(b->operation->name)  ? 'w'
                                                          : 'c';
    if (strcmp(engine, "graph") == 0)
        return b->operation->name[0];
    if (c->by == TIMELINE_BY_STREAM)
        return strcmp(engine, "h2d") == 0    ? '>'
               : strcmp(engine, "d2h") == 0  ? '<'
               : strcmp(engine, "sm") == 0   ? '#'
               : strcmp(engine, "host") == 0 ? 'f'
                                             : '=';
    if (b->batch >= 0)
        return (char)('0' + b->batch % 10);
    return c->letters && strcmp(engine, "sm") == 0 ? b->operation->name[0] : '#';
}

/* As wide as the longest of them, and a space. */
static int label_of(const struct timeline *l)
{
    int width = LEAST_LABEL;
    for (int i = 0; i < l->n_rows; i++)
        if ((int)strlen(l->rows[i].label) >= width)
            width = (int)strlen(l->rows[i].label) + 1;
    return width;
}

static int column_of(const struct chart *c, double us)
{
    int at = (int)((us - c->timeline->from_us) / c->column_us);
    return at < 0 ? 0 : at >= c->width ? c->width - 1 : at;
}

/* A column shows the bar that fills most of it, if the row is busy for half of it or the bar's
 * middle is there (so that every bar shows somewhere, unless a longer one has its place); else only
 * that there is something. */
static void draw_row(const struct chart *c, int row, char *line, double *most, double *busy)
{
    memset(line, '.', (size_t)c->width);
    memset(most, 0, (size_t)c->width * sizeof *most);
    memset(busy, 0, (size_t)c->width * sizeof *busy);
    for (size_t i = 0; i < c->timeline->n_bars; i++) {
        const struct bar *b = &c->timeline->bars[i];
        if (b->row != row)
            continue;
        int first = column_of(c, b->operation->start_us), last = column_of(c, b->operation->end_us);
        int middle = column_of(c, (b->operation->start_us + b->operation->end_us) / 2);
        for (int at = first; at <= last; at++) {
            double from = c->timeline->from_us + at * c->column_us, to = from + c->column_us;
            double part = fmin(b->operation->end_us, to) - fmax(b->operation->start_us, from);
            busy[at] += part;
            if (part > most[at] || (at == middle && most[at] == 0)) {
                most[at] = part;
                line[at] = busy[at] * 2 >= c->column_us || at == middle ? glyph(c, b) : ':';
            } else if (line[at] == ':' && busy[at] * 2 >= c->column_us) {
                line[at] = glyph(c, b);
            } else if (line[at] == '.' && part > 0) {
                line[at] = ':';
            }
        }
    }
    line[c->width] = '\0';
}

/* A step of the axis in microseconds, at least `least`: 1, 2 or 5 times a power of ten. */
static double round_step(double least)
{
    double power = pow(10, floor(log10(least)));
    return least <= power       ? power
           : least <= 2 * power ? 2 * power
           : least <= 5 * power ? 5 * power
                                : 10 * power;
}

static void draw_axis(const struct chart *c, char *marks, char *numbers, FILE *to)
{
    double step = round_step(c->column_us * LEAST_TICK);
    int free_at = 0;
    memset(marks, ' ', (size_t)c->width + LEAST_TICK);
    memset(numbers, ' ', (size_t)c->width + LEAST_TICK);
    for (int i = 0; i * step <= c->column_us * c->width; i++) {
        char number[32];
        int at = (int)(i * step / c->column_us);
        int n = snprintf(number, sizeof number, "%.9g%s", i * step, i ? "" : " us");
        if (at >= c->width || at < free_at || at + n > c->width + LEAST_TICK)
            continue;
        marks[at] = '|';
        memcpy(numbers + at, number, (size_t)n);
        free_at = at + n + 1;
    }
    fprintf(to, "  %-*s%.*s\n", c->label, "", c->width, marks);
    fprintf(to, "  %-*s%.*s\n", c->label, "", c->width + LEAST_TICK - 1, numbers);
}

static void draw(const struct chart *c, FILE *to, char *text, double *most)
{
    const struct timeline *l = c->timeline;
    for (int i = 0; i < l->n_rows; i++) {
        const struct timeline_row *row = &l->rows[i];
        draw_row(c, i, text, most, most + c->width);
        fprintf(to, "  %-*s%s", c->label, row->label, text);
        if (row->depth == 0 && strcmp(row->engine, "api") != 0)
            fprintf(to, "  %3.0f %% busy", l->work_us > 0 ? 100 * row->busy_us / l->work_us : 0);
        fputc('\n', to);
    }
    draw_axis(c, text, text + c->width + LEAST_TICK, to);
}

/* A line of the legend, in as many as it needs. */
static void put_legend(FILE *to, int columns, const char *text)
{
    int at = 1;
    fputs(" ", to);
    for (size_t n; *text; text += n + strspn(text + n, " ")) {
        n = strcspn(text, " ");
        if (at + 1 + (int)n > columns)
            at = fprintf(to, "\n   ") - 1;
        at += fprintf(to, " %.*s", (int)n, text);
    }
    putc('\n', to);
}

/* Which signs bars have. */
struct signs {
    bool digits, letters, others, calls, computes, graphs, any;
};

static void add_signs(struct signs *s, const struct chart *c)
{
    for (size_t i = 0; i < c->timeline->n_bars; i++) {
        const struct bar *b = &c->timeline->bars[i];
        const bool is_call = strcmp(b->operation->engine, "api") == 0,
                   is_graph = strcmp(b->operation->engine, "graph") == 0;
        const char sign = is_call || is_graph ? 0 : glyph(c, b);
        s->any = true;
        s->calls |= is_call;
        s->computes |= is_call && timeline_host_computes(b->operation->name);
        s->graphs |= is_graph;
        s->digits |= isdigit((unsigned char)sign) != 0;
        s->letters |= isalpha((unsigned char)sign) != 0;
        s->others |= sign == '#';
    }
}

void timeline_print_legend(const struct trace *const traces[], int n, FILE *to, int columns)
{
    struct signs s = {0};
    struct timeline l;
    for (int i = 0; i < n; i++)
        if (timeline_arrange(&l, traces[i], TIMELINE_BY_ENGINE) == 0) {
            add_signs(&s, &(struct chart){.timeline = &l, .letters = has_letters(&l)});
            timeline_free(&l);
        }
    if (s.digits)
        put_legend(to, columns, "0-9: last digit of the batch");
    if (s.letters)
        put_legend(to, columns, "a letter: the first of the kernel's name");
    if (s.others)
        put_legend(to, columns,
                   s.digits    ? "#: work of no known batch"
                   : s.letters ? "#: a copy, a memset or a host function"
                               : "#: work of the device");
    if (s.any)
        put_legend(to, columns,
                   ": is a column that is busy for less than half of its time, . an idle one");
    if (s.calls)
        put_legend(to, columns,
                   s.computes ? "calls: c, or w if the call waits; h if the host computes"
                              : "calls: c, or w if the call waits");
    if (s.graphs)
        put_legend(to, columns,
                   "graph: h launched by the host, f fire-and-forget, t tail, s sibling");
}

static void print(const struct trace *t, double span_us, FILE *to, int columns, enum timeline_by by)
{
    struct timeline l;
    char source[160], scale[80];

    if (columns < LEAST_COLUMNS)
        columns = LEAST_COLUMNS;
    timeline_source(t, source, sizeof source);
    if (timeline_arrange(&l, t, by) != 0) {
        fprintf(to, "  (no memory to draw the timeline)\n");
        return;
    }
    struct chart c = {.timeline = &l, .by = by, .letters = has_letters(&l), .label = label_of(&l)};
    c.width = columns - 2 - c.label - BUSY;
    c.column_us = fmax(span_us, l.to_us - l.from_us) / c.width;
    if (l.n_bars == 0 || c.column_us <= 0) {
        fprintf(to, "  (the trace holds nothing to draw)\n");
        timeline_free(&l);
        return;
    }
    char *text = malloc(2 * (size_t)(c.width + LEAST_TICK) + 1);
    double *most = malloc(2 * (size_t)c.width * sizeof *most);
    snprintf(scale, sizeof scale, "%.1f us of device work, a column is %.3g us", l.work_us,
             c.column_us);
    bool fits = 4 + (int)(strlen(source) + strlen(scale)) <= columns;
    fprintf(to, fits ? "  %s: %s\n" : "  %s:\n  %s\n", source, scale);
    if (text && most)
        draw(&c, to, text, most);
    free(text);
    free(most);
    timeline_free(&l);
}

void timeline_print(const struct trace *t, FILE *to, int columns)
{
    print(t, 0, to, columns, TIMELINE_BY_ENGINE);
    timeline_print_legend(&t, 1, to, columns);
}

void timeline_print_rows(const struct trace *t, double span_us, FILE *to, int columns)
{
    print(t, span_us, to, columns, TIMELINE_BY_ENGINE);
}

void timeline_print_streams(const struct trace *t, FILE *to, int columns)
{
    print(t, 0, to, columns, TIMELINE_BY_STREAM);
}

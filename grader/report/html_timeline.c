/* html_timeline.c: the timeline of a page: SVG, a row for each engine, words where the mouse is. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "common/timeline.h"
#include "html.h"

enum { LEFT = 90, WIDTH = 780, RIGHT = 80, ROW = 22, BAR = 16, AXIS = 26, TICKS = 8 };

/* A trace, and how long a time the picture is wide. */
struct picture {
    struct timeline timeline;
    double span_us;
};

static double place(const struct picture *p, double us)
{
    return LEFT + WIDTH * (us - p->timeline.from_us) / p->span_us;
}

/* What stands in a bar that is wide enough. */
static void bar_label(const struct bar *b, char words[64])
{
    words[0] = 0;
    if (b->batch >= 0)
        snprintf(words, 64, "%d", b->batch);
    else if (strcmp(b->operation->engine, "sm") == 0 || strcmp(b->operation->engine, "graph") == 0)
        snprintf(words, 64, "%s", b->operation->name);
}

static void draw_bar(FILE *to, const struct picture *p, const struct bar *b)
{
    const struct trace_row *r = b->operation;
    const double x = place(p, r->start_us), wide = fmax(place(p, r->end_us) - x, 0.7),
                 y = b->row * ROW;
    char words[64];
    fprintf(to, "<g><title>");
    html_text(to, r->name);
    if (b->batch >= 0)
        fprintf(to, ", batch %d", b->batch);
    if (r->stream >= 0)
        fprintf(to, ", stream %d", r->stream);
    if (r->node >= 0)
        fprintf(to, ", node %lld", (long long)r->node);
    fprintf(to, ": %.1f to %.1f us</title>", r->start_us, r->end_us);
    fprintf(to, "<rect fill=\"#%06x\" x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\"/>",
            timeline_color(r, b->batch % 2 == 1), x, y + 3, wide, BAR);
    bar_label(b, words);
    if (words[0] && wide > 7 * (double)strlen(words)) {
        fprintf(to, "<text class=\"in\" x=\"%.2f\" y=\"%.0f\">", x + wide / 2, y + 15);
        html_text(to, words);
        fputs("</text>", to);
    }
    fputs("</g>\n", to);
}

static void draw_row(FILE *to, const struct timeline *l, int i)
{
    const struct timeline_row *row = &l->rows[i];
    fprintf(to, "<text x=\"0\" y=\"%d\">", i * ROW + 15);
    html_text(to, row->label);
    fputs("</text>\n", to);
    if (row->depth == 0 && strcmp(row->engine, "api") != 0 && l->work_us > 0)
        fprintf(to, "<text x=\"%d\" y=\"%d\">%.0f %% busy</text>\n", LEFT + WIDTH + 8, i * ROW + 15,
                100 * row->busy_us / l->work_us);
}

static void draw_axis(FILE *to, const struct picture *p)
{
    const double least = p->span_us / TICKS, power = pow(10, floor(log10(least))),
                 step = least <= 2 * power   ? 2 * power
                        : least <= 5 * power ? 5 * power
                                             : 10 * power;
    const int bottom = p->timeline.n_rows * ROW;
    for (double us = 0; us <= p->span_us; us += step) {
        const double x = place(p, p->timeline.from_us + us);
        fprintf(to, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%d\"/>", x, x, bottom + 5);
        fprintf(to, "<text class=\"tick\" x=\"%.1f\" y=\"%d\">%.6g%s</text>\n", x, bottom + 19, us,
                us > 0 ? "" : " us");
    }
}

/* What bars are called, as far as there are such bars. */
struct legend {
    bool batches, calls;
};

static void add_legend(struct legend *legend, const struct timeline *l)
{
    for (size_t i = 0; i < l->n_bars; i++) {
        legend->batches |= l->bars[i].batch >= 0;
        legend->calls |= strcmp(l->bars[i].operation->engine, "api") == 0;
    }
}

static void put_legend(FILE *to, const struct legend *l)
{
    fprintf(to, "<p>A bar has the %s.%s Point at a bar for its name and its times.</p>\n",
            l->batches ? "number of its batch, or the name of its kernel" : "name of its kernel",
            l->calls ? " Light gray: a call of the host; dark gray: a call that waits." : "");
}

static void draw(FILE *to, const struct picture *p, const char *whose)
{
    const struct timeline *l = &p->timeline;
    fprintf(to,
            "<div class=\"scroll\" tabindex=\"0\"><svg class=\"timeline\" viewBox=\"0 0 %d %d\" "
            "role=\"img\" aria-label=\"timeline of %s: %d rows, %.1f us of device work\">\n",
            LEFT + WIDTH + RIGHT, l->n_rows * ROW + AXIS, whose, l->n_rows, l->work_us);
    draw_axis(to, p);
    for (int i = 0; i < l->n_rows; i++)
        draw_row(to, l, i);
    for (size_t i = 0; i < l->n_bars; i++)
        draw_bar(to, p, &l->bars[i]);
    fputs("</svg></div>\n", to);
}

static void put_timeline(FILE *to, const struct trace *t, double span_us, const char *whose,
                         struct legend *legend)
{
    struct picture p = {.span_us = span_us};
    char source[160];
    if (timeline_arrange(&p.timeline, t, TIMELINE_BY_ENGINE) != 0)
        return;
    if (p.timeline.n_bars > 0 && span_us > 0) {
        timeline_source(t, source, sizeof source);
        fputs("<p>", to);
        html_text(to, source);
        fprintf(to, ", %s: %.1f us of device work.</p>\n", whose, p.timeline.work_us);
        draw(to, &p, whose);
        add_legend(legend, &p.timeline);
    }
    timeline_free(&p.timeline);
}

void html_timelines(FILE *to, const struct trace *own, const struct trace *reference)
{
    const double own_us = timeline_span_us(own),
                 span_us = reference ? fmax(own_us, timeline_span_us(reference)) : own_us;
    struct legend legend = {false, false};
    put_timeline(to, own, span_us, "this submission", &legend);
    if (reference)
        put_timeline(to, reference, span_us, "the reference solution", &legend);
    put_legend(to, &legend);
}

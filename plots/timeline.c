/* timeline.c: draws a trace (common/trace.h), in the terminal or, with gnuplot, as a picture.
 *
 *     timeline [-s] [-c COLUMNS] [-t TITLE] [-g SCRIPT] TRACE.csv [PICTURE.svg|PICTURE.png ...]
 *
 * Run it from the root of the repository, where -g's default is. A trace of any program on the
 * simulated device: SIMGPU_TRACE=FILE ./program. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "timeline.h"

/* What the command line asked for. */
struct wish {
    enum timeline_by by;
    int columns;
    const char *title, *script, *trace;
};

static const char usage[] =
    "usage: timeline [-s] [-c COLUMNS] [-t TITLE] [-g SCRIPT] TRACE.csv [PICTURE ...]\n"
    "  PICTURE ends in .svg or .png; without one the timeline is drawn here\n"
    "  -s  one row for each stream\n"
    "  -c  how wide to draw here (80)\n"
    "  -t  words before the device's name\n"
    "  -g  the gnuplot script (plots/timeline.gp)\n";

/* Text between quotes of a gnuplot datablock or string. */
static void quoted(FILE *to, const char *text)
{
    fputc('"', to);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fputc('\'', to);
        else if ((unsigned char)*text >= ' ')
            fputc(*text, to);
    fputc('"', to);
}

static void write_bars(FILE *to, const struct timeline *l)
{
    double least = (l->to_us - l->from_us) / 800; /* a bar of less than a pixel is drawn as one */
    fprintf(to, "$bars << END\n");
    for (size_t i = 0; i < l->n_bars; i++) {
        const struct bar *b = &l->bars[i];
        double end = b->operation->end_us - b->operation->start_us < least
                         ? b->operation->start_us + least
                         : b->operation->end_us;
        fprintf(to, "%.3f %.3f %.2f %.2f %u\n", b->operation->start_us, end, b->row - 0.36,
                b->row + 0.36, timeline_color(b->operation, b->batch % 2 == 1));
    }
    fprintf(to, "END\n");
}

/* What stands in a bar: the batch, or the kernel's name. */
static const char *words_of(const struct bar *b, char batch[16])
{
    snprintf(batch, 16, "%d", b->batch);
    if (b->batch >= 0)
        return batch;
    return strcmp(b->operation->engine, "sm") == 0 ? b->operation->name : "";
}

/* Only where there is room: in bars that are long enough, and of bars that share a place in one. */
static void write_labels(FILE *to, const struct timeline *l)
{
    double *free_us = malloc((size_t)l->n_rows * sizeof *free_us); /* from here on, in each row */
    int n = 0;
    fprintf(to, "$labels << END\n");
    for (int i = 0; free_us && i < l->n_rows; i++)
        free_us[i] = l->from_us;
    for (size_t i = 0; free_us && i < l->n_bars; i++) {
        const struct bar *b = &l->bars[i];
        char batch[16];
        const char *words = words_of(b, batch);
        const double room = (l->to_us - l->from_us) * (0.006 + 0.008 * (double)strlen(words)),
                     middle_us = (b->operation->start_us + b->operation->end_us) / 2;
        if (!*words || b->operation->end_us - b->operation->start_us < room ||
            middle_us - room / 2 < free_us[b->row])
            continue;
        fprintf(to, "%.3f %d ", middle_us, b->row);
        quoted(to, words);
        fputc('\n', to);
        free_us[b->row] = middle_us + room / 2;
        n++;
    }
    free(free_us);
    if (n == 0)
        fprintf(to, "%.3f 0 \"\"\n", l->from_us);
    fprintf(to, "END\n");
}

static void write_rows(FILE *to, const struct timeline *l)
{
    fprintf(to, "$rows << END\n");
    for (int i = 0; i < l->n_rows; i++) {
        const struct timeline_row *row = &l->rows[i];
        fprintf(to, "%d ", i);
        quoted(to, row->label);
        if (row->depth == 0 && strcmp(row->engine, "api") != 0 && l->work_us > 0)
            fprintf(to, " \"%.0f %% busy\"\n", 100 * row->busy_us / l->work_us);
        else
            fprintf(to, " \"\"\n");
    }
    fprintf(to, "END\n");
}

static void write_script(FILE *to, const struct trace *t, const struct timeline *l,
                         const struct wish *w, const char *picture)
{
    char source[160], heading[400];
    int long_run = l->to_us - l->from_us > 20000, graphs = 0;
    for (int i = 0; i < l->n_rows; i++)
        graphs |= strcmp(l->rows[i].engine, "graph") == 0;
    timeline_source(t, source, sizeof source);
    snprintf(heading, sizeof heading, "%s%s%s (%.1f µs of device work)", w->title,
             w->title[0] ? ": " : "", source, l->work_us);
    fprintf(to, "picture = ");
    quoted(to, picture);
    fprintf(to, "\nheading = ");
    quoted(to, heading);
    fprintf(to,
            "\nformat = \"%s\"\nfrom = %.3f\nto = %.3f\nn_rows = %d\ngraphs = %d\nunit = "
            "\"%s\"\nscale = %s\n",
            strrchr(picture, '.') + 1, l->from_us, l->to_us, l->n_rows, graphs,
            long_run ? "ms" : "µs", long_run ? "0.001" : "1");
    write_bars(to, l);
    write_labels(to, l);
    write_rows(to, l);
    fprintf(to, "load ");
    quoted(to, w->script);
    fprintf(to, "\n");
}

static int draw_picture(const struct trace *t, const struct wish *w, const char *picture)
{
    struct timeline l;
    if (timeline_arrange(&l, t, w->by) != 0) {
        fprintf(stderr, "timeline: no memory\n");
        return 1;
    }
    if (l.n_bars == 0 || l.to_us <= l.from_us) {
        fprintf(stderr, "timeline: %s holds nothing to draw\n", w->trace);
        timeline_free(&l);
        return 1;
    }
    /* without a locale of UTF-8 gnuplot 6 warns of the signs that it cannot convert */
    FILE *gnuplot = popen("LC_ALL=C.UTF-8 gnuplot", "w");
    if (!gnuplot) {
        fprintf(stderr, "timeline: gnuplot could not be started: %s\n", strerror(errno));
        timeline_free(&l);
        return 1;
    }
    write_script(gnuplot, t, &l, w, picture);
    timeline_free(&l);
    int status = pclose(gnuplot);
    if (status != 0) {
        remove(picture);
        fprintf(
            stderr,
            "timeline: gnuplot did not draw %s (its words are above; `make setup` installs it)\n",
            picture);
    }
    return status != 0;
}

static int is_picture(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (strcmp(dot, ".svg") == 0 || strcmp(dot, ".png") == 0);
}

static int read_trace(const char *file, struct trace *t)
{
    const char *why;
    FILE *f = fopen(file, "r");
    if (!f) {
        fprintf(stderr, "timeline: %s: %s\n", file, strerror(errno));
        return -1;
    }
    int result = trace_read(t, f, &why);
    if (result != 0)
        fprintf(stderr, "timeline: %s: %s\n", file, why);
    fclose(f);
    return result;
}

int main(int argc, char **argv)
{
    struct wish w = {TIMELINE_BY_ENGINE, 80, "", "plots/timeline.gp", NULL};
    struct trace t;
    int option, failed = 0;

    while ((option = getopt(argc, argv, "sc:t:g:")) != -1) {
        if (option == 's')
            w.by = TIMELINE_BY_STREAM;
        else if (option == 'c')
            w.columns = atoi(optarg);
        else if (option == 't')
            w.title = optarg;
        else if (option == 'g')
            w.script = optarg;
        else
            return fputs(usage, stderr), 2;
    }
    if (optind >= argc)
        return fputs(usage, stderr), 2;
    for (int i = optind + 1; i < argc; i++)
        if (!is_picture(argv[i])) {
            fprintf(stderr, "timeline: %s: a picture's name ends in .svg or .png\n", argv[i]);
            return 2;
        }
    w.trace = argv[optind];
    if (read_trace(w.trace, &t) != 0)
        return 1;
    if (optind + 1 == argc)
        (w.by == TIMELINE_BY_STREAM ? timeline_print_streams : timeline_print)(&t, stdout,
                                                                               w.columns);
    for (int i = optind + 1; i < argc; i++)
        failed |= draw_picture(&t, &w, argv[i]);
    trace_free(&t);
    return failed;
}

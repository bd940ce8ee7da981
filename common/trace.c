/* trace.c: a trace as rows in memory and as CSV. */
#include "trace.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "plain_text.h"

static const char header[] = "device,engine,stream,node,name,start_us,end_us,bytes";
static const char device_line[] = "# device ";
static const char *const engines[] = {"h2d", "d2h", "d2d", "p2p", "sm", "host", "graph", "api"};
enum { N_FIELDS = 8, N_ENGINES = sizeof engines / sizeof engines[0] };

static _Thread_local char sentence[256];

/* ---- rows ------------------------------------------------------------------------------------ */

/* The memory doubles if the number of rows is a power of 2. So the capacity need not be stored. */
int trace_add(struct trace *t, const struct trace_row *row)
{
    if (t->n_rows == 0 || (t->n_rows >= 64 && (t->n_rows & (t->n_rows - 1)) == 0)) {
        size_t room = t->n_rows ? 2 * t->n_rows : 64;
        struct trace_row *more = realloc(t->rows, room * sizeof *more);
        if (!more)
            return -1;
        t->rows = more;
    }
    t->rows[t->n_rows++] = *row;
    return 0;
}

static int by_start(const void *a, const void *b)
{
    const struct trace_row *x = a, *y = b;
    if (x->start_us != y->start_us)
        return x->start_us < y->start_us ? -1 : 1;
    if (x->end_us != y->end_us)
        return x->end_us < y->end_us ? -1 : 1;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    return strcmp(x->name, y->name);
}

void trace_arrange(struct trace *t)
{
    if (t->n_rows == 0)
        return;
    qsort(t->rows, t->n_rows, sizeof *t->rows, by_start);
    double first = t->rows[0].start_us;
    for (size_t i = 0; i < t->n_rows; i++) {
        t->rows[i].start_us -= first;
        t->rows[i].end_us -= first;
    }
}

void trace_free(struct trace *t)
{
    free(t->rows);
    memset(t, 0, sizeof *t);
}

/* ---- writing --------------------------------------------------------------------------------- */

int trace_write(const struct trace *t, FILE *to)
{
    if (t->device[0]) {
        fputs(device_line, to);
        plain_write(to, PLAIN_TERMINAL, t->device, sizeof t->device);
        fputc('\n', to);
    }
    fprintf(to, "%s\n", header);
    for (size_t i = 0; i < t->n_rows; i++) {
        const struct trace_row *r = &t->rows[i];
        fprintf(to, "%d,%s,%d,%" PRId64 ",", r->device, r->engine, r->stream, r->node);
        plain_write(to, PLAIN_CSV, r->name, sizeof r->name);
        fprintf(to, ",%.3f,%.3f,%" PRIu64 "\n", r->start_us, r->end_us, r->bytes);
    }
    return fflush(to) == 0 && !ferror(to) ? 0 : -1;
}

/* ---- reading --------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static int bad(long line, const char *format, ...)
{
    va_list args;
    int n = line ? snprintf(sentence, sizeof sentence, "line %ld of the trace: ", line) : 0;
    va_start(args, format);
    vsnprintf(sentence + n, sizeof sentence - (size_t)n, format, args);
    va_end(args);
    return -1;
}

/* Cuts `line` at its commas, in place. Returns the number of fields, N_FIELDS + 1 for too many, -1
 * for a bad quote. */
static int split(char *line, char *fields[N_FIELDS])
{
    int n = 0;
    char *at = line;
    for (;;) {
        if (n == N_FIELDS)
            return N_FIELDS + 1;
        char *out = at;
        fields[n++] = at;
        if (*at == '"') {
            for (at++; *at && !(at[0] == '"' && at[1] != '"'); at++) {
                at += at[0] == '"';
                *out++ = *at;
            }
            if (*at != '"' || (at[1] != ',' && at[1] != '\0'))
                return -1;
            at++;
        } else {
            at += strcspn(at, ",");
            out = at;
        }
        char end = *at++;
        *out = '\0';
        if (end == '\0')
            return n;
    }
}

static int read_integer(const char *text, long long least, long long most, long long *value)
{
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && !isspace((unsigned char)*text) &&
           *value >= least && *value <= most;
}

static int read_time(const char *text, double *value)
{
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    return errno == 0 && end != text && *end == '\0' && !isspace((unsigned char)*text) &&
           isfinite(*value);
}

static int known_engine(const char *name)
{
    for (int i = 0; i < N_ENGINES; i++)
        if (strcmp(name, engines[i]) == 0)
            return 1;
    return 0;
}

static int parse_row(char *line, long n, struct trace_row *row)
{
    char *f[N_FIELDS];
    long long device, stream, node, bytes;
    int fields = split(line, f);

    if (fields == -1)
        return bad(n, "a quote is not closed, or something follows it");
    if (fields != N_FIELDS)
        return bad(n, "it has %s fields than the %d of: %s", fields < N_FIELDS ? "fewer" : "more",
                   N_FIELDS, header);
    if (!read_integer(f[0], 0, 1023, &device))
        return bad(n, "'%.40s' is no device number", f[0]);
    if (!known_engine(f[1]))
        return bad(n, "'%.40s' is no engine: h2d, d2h, d2d, p2p, sm, host, graph or api", f[1]);
    if (!read_integer(f[2], -1, 1 << 30, &stream))
        return bad(n, "'%.40s' is no stream number", f[2]);
    if (!read_integer(f[3], -1, INT64_MAX, &node))
        return bad(n, "'%.40s' is no node number (-1 outside a graph)", f[3]);
    const char *name = plain_read_csv(f[4]);
    if (name[0] == '\0' || strlen(name) >= sizeof row->name)
        return bad(n, "the name is empty or longer than %zu characters", sizeof row->name - 1);
    if (!read_time(f[5], &row->start_us) || !read_time(f[6], &row->end_us))
        return bad(n, "'%.40s' or '%.40s' is no time in microseconds", f[5], f[6]);
    if (row->start_us < 0 || row->end_us < row->start_us)
        return bad(n, "it ends at %s us, before its start at %s us, or starts before 0", f[6],
                   f[5]);
    if (!read_integer(f[7], 0, INT64_MAX, &bytes))
        return bad(n, "'%.40s' is no number of bytes", f[7]);
    row->device = (int)device;
    row->stream = (int)stream;
    row->node = node;
    row->bytes = (uint64_t)bytes;
    snprintf(row->engine, sizeof row->engine, "%s", f[1]);
    snprintf(row->name, sizeof row->name, "%s", name);
    return 0;
}

/* The lines before the rows: comments, then the header. */
static int parse_head(struct trace *out, const char *line, long n, int *in_rows)
{
    size_t prefix = sizeof device_line - 1;
    if (strncmp(line, device_line, prefix) == 0)
        snprintf(out->device, sizeof out->device, "%s", line + prefix);
    if (line[0] == '#')
        return 0;
    if (strcmp(line, header) != 0)
        return bad(n, "the header should be: %s", header);
    *in_rows = 1;
    return 0;
}

/* One line without its end; 1 at the end of the file, -1 for a line that no trace has. */
static int next_line(FILE *from, char **line, size_t *room, long n)
{
    ssize_t length = getline(line, room, from);
    if (length < 0)
        return ferror(from) ? bad(0, "the trace could not be read: %s", strerror(errno)) : 1;
    if (memchr(*line, '\0', (size_t)length))
        return bad(n, "there is a zero byte in it");
    (*line)[strcspn(*line, "\r\n")] = '\0';
    return 0;
}

int trace_read(struct trace *out, FILE *from, const char **why)
{
    struct trace_row row;
    char *line = NULL;
    size_t room = 0;
    int in_rows = 0, failed = 0;

    memset(out, 0, sizeof *out);
    *why = sentence;
    for (long n = 1; !failed; n++) {
        int end = next_line(from, &line, &room, n);
        if (end == 1)
            break;
        failed = end;
        if (!failed && !in_rows)
            failed = parse_head(out, line, n, &in_rows);
        else if (!failed)
            failed = parse_row(line, n, &row) ||
                     (trace_add(out, &row) && bad(n, "no memory for one more row"));
    }
    if (!failed && !in_rows)
        failed = bad(0, "the trace is empty: it should begin with %s", header);
    free(line);
    if (failed) {
        trace_free(out);
        return -1;
    }
    if (out->n_rows)
        qsort(out->rows, out->n_rows, sizeof *out->rows, by_start);
    return 0;
}

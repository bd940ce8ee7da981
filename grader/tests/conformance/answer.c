/* answer.c: collects the parts of an answer and labels them, see answer.h. */
#include "answer.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A part of the answer. A call is one whose source text is a name and arguments. */
struct part {
    char source[LABEL_BYTES];
    char value[1024];
    char label[LABEL_BYTES + 16];
    const char *expected; /* NULL: Success, unless the row's head has another value */
};

enum { MAX_PARTS = 160, MAX_ARGUMENTS = 16 };

static struct part parts[MAX_PARTS];
static int n_parts;
static int answer_to = -1;

/* ---- source text ----------------------------------------------------------------------------- */

/* The first character of `stops` outside parentheses and strings, or the end. */
static const char *skip_to(const char *p, const char *stops)
{
    bool in_string = false;
    for (int depth = 0; *p; p++) {
        if (*p == '"')
            in_string = !in_string;
        if (in_string) {
            p += *p == '\\' && p[1];
            continue;
        }
        if (depth == 0 && strchr(stops, *p))
            break;
        depth += strchr("([{", *p) != NULL;
        depth -= strchr(")]}", *p) != NULL;
    }
    return p;
}

/* Behind a cast such as (unsigned long long), if there is one. */
static const char *skip_cast(const char *p, const char *end)
{
    if (*p != '(')
        return p;
    size_t n =
        1 + strspn(p + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ *");
    return p[n] == ')' && p + n + 1 < end && !strchr(" {", p[n + 1]) ? p + n + 1 : p;
}

/* Appends the expression from `from` to `end` as a label shows it: without casts, of `a ? b : c`
 * only a, and of the functions that put a value into words the value. */
static void append(char *to, const char *from, const char *end)
{
    static const char *const in_words[] = {"error_text(", "place_text(", "type_text("};
    size_t n = strlen(to);
    while (from < end && isspace((unsigned char)*from))
        from++;
    from = skip_cast(from, end);
    const char *question = skip_to(from, "?");
    if (question < end)
        end = question;
    while (end > from && isspace((unsigned char)end[-1]))
        end--;
    for (size_t i = 0; i < sizeof in_words / sizeof *in_words; i++) {
        size_t prefix = strlen(in_words[i]);
        if (strncmp(from, in_words[i], prefix) != 0)
            continue;
        const char *comma = skip_to(from + prefix, ",)");
        append(to, *comma == ',' ? comma + 1 : from + prefix, end - 1);
        return;
    }
    snprintf(to + n, LABEL_BYTES - n, "%s%.*s", n ? ", " : "", (int)(end - from), from);
}

/* The name's length if the text is NAME(…), else 0. */
static size_t call_name(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_')
        n++;
    if (text[n] != '(')
        return 0;
    const char *end = skip_to(text + n + 1, ")");
    return *end == ')' && end[1] == '\0' ? n : 0;
}

/* ---- labels ---------------------------------------------------------------------------------- */

static bool same_function(const struct part *a, const struct part *b)
{
    size_t n = call_name(a->source);
    return n && n == call_name(b->source) && strncmp(a->source, b->source, n) == 0;
}

/* The call's argument number i, as a label shows it. */
static void argument(const struct part *p, int i, char text[LABEL_BYTES])
{
    const char *from = p->source + call_name(p->source) + 1, *end = skip_to(from, ",)");
    text[0] = '\0';
    for (; i > 0 && *end == ','; i--) {
        from = end + 1;
        end = skip_to(from, ",)");
    }
    if (i == 0)
        append(text, from, end);
}

/* Is argument number i not the same in all calls of this function? */
static bool tells_apart(const struct part *p, int i)
{
    char mine[LABEL_BYTES], other[LABEL_BYTES];
    argument(p, i, mine);
    for (const struct part *q = parts; q < parts + n_parts; q++) {
        if (!same_function(p, q))
            continue;
        argument(q, i, other);
        if (strcmp(mine, other) != 0)
            return true;
    }
    return false;
}

static void label(struct part *p)
{
    size_t name = call_name(p->source);
    if (!name) {
        snprintf(p->label, sizeof p->label, "%s", p->source);
    } else {
        char arguments[LABEL_BYTES] = "", text[LABEL_BYTES];
        for (int i = 0; i < MAX_ARGUMENTS; i++) {
            if (!tells_apart(p, i))
                continue;
            argument(p, i, text);
            append(arguments, text, text + strlen(text));
        }
        snprintf(p->label, sizeof p->label, arguments[0] ? "%.*s(%s)" : "%.*s", (int)name,
                 p->source, arguments);
    }
}

/* ---- parts ----------------------------------------------------------------------------------- */

static struct part *new_part(const char *expected)
{
    if (n_parts == MAX_PARTS)
        abort();
    parts[n_parts].source[0] = '\0';
    parts[n_parts].expected = expected;
    return &parts[n_parts++];
}

void answer_fact_as(const char *words, const char *expected, const char *format, ...)
{
    struct part *p = new_part(expected);
    va_list args;
    snprintf(p->source, sizeof p->source, "%s", words);
    va_start(args, format);
    vsnprintf(p->value, sizeof p->value, format, args);
    va_end(args);
}

void answer_error(const char *expected, const char *source, cudaError_t e)
{
    struct part *p = new_part(expected);
    append(p->source, source, source + strlen(source));
    strcpy(p->value, error_text(e));
}

void answer_values(const char *expected, const char *source, const char *format, ...)
{
    struct part *p = new_part(expected);
    const char *from = source, *end = skip_to(source, ",");
    va_list args;
    if (!*end) /* no values: the text depends on a condition */
        append(p->source, from, end);
    while (*end) {
        from = end + 1;
        end = skip_to(from, ",");
        append(p->source, from, end);
    }
    va_start(args, format);
    vsnprintf(p->value, sizeof p->value, format, args);
    va_end(args);
}

const char *error_text(cudaError_t e)
{
    const char *name = cudaGetErrorName(e);
    if (strncmp(name, "cudaError", 9) == 0)
        return name + 9;
    return strncmp(name, "cuda", 4) == 0 ? name + 4 : name;
}

/* ---- places that were reached ---------------------------------------------------------------- */

static bool *reached; /* of each place; shared with the processes that ask */

void answer_places_watch(void)
{
    size_t n = (size_t)(__stop_answer_places - __start_answer_places);
    if (reached)
        return;
    reached = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (reached == MAP_FAILED)
        abort();
}

void answer_place_reached(const struct answer_place *p)
{
    if (reached)
        reached[p - __start_answer_places] = true;
}

bool answer_place_was_reached(const struct answer_place *p)
{
    return reached && reached[p - __start_answer_places];
}

/* ---- the answer ------------------------------------------------------------------------------ */

void must(cudaError_t e, const char *call)
{
    if (e == cudaSuccess)
        return;
    answer_fact("could not be asked", "%s gave %s", call, error_text(e));
    answer_end_process();
}

void answer_begin(int fd)
{
    answer_to = fd;
}

/* Has an earlier part, which the head expects, too, the same label? */
static bool is_told(const struct part *p)
{
    for (const struct part *q = parts; q < p; q++)
        if (!q->expected && strcmp(q->label, p->label) == 0)
            return true;
    return false;
}

/* Writes the values of this part and of all later ones with its label, unless all are Success. */
static size_t write_values(const struct part *p, char *text, size_t room)
{
    size_t n = (size_t)snprintf(text, room, "%s: %s", p->label, p->value);
    bool all = strcmp(p->value, "Success") == 0;
    for (const struct part *q = p + 1; q < parts + n_parts && n < room; q++) {
        if (q->expected || strcmp(q->label, p->label) != 0)
            continue;
        n += (size_t)snprintf(text + n, room - n, "; %s", q->value);
        all = all && strcmp(q->value, "Success") == 0;
    }
    n += n < room ? (size_t)snprintf(text + n, room - n, "\n") : 0;
    return all ? 0 : n;
}

void answer_end_process(void)
{
    static char text[ANSWER_BYTES];
    size_t n = 0;
    for (struct part *p = parts; p < parts + n_parts; p++)
        label(p);
    for (const struct part *p = parts; p < parts + n_parts && n < sizeof text; p++) {
        if (!p->expected && !is_told(p))
            n += write_values(p, text + n, sizeof text - n);
        else if (p->expected && strcmp(p->value, p->expected) != 0)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s: %s, not %s\n", p->label, p->value,
                                  p->expected);
    }
    if (n > sizeof text)
        n = sizeof text;
    text[n > 0 ? n - 1 : 0] = '\0'; /* the last line does not end */
    if (n_parts == 0)
        strcpy(text, "answers nothing");
    _exit(write(answer_to, text, strlen(text)) < 0);
}

/* plain_text.c: the one door for the text of others: which characters are shown, and how they are
 * quoted. */
#include "plain_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The code point of a well-formed sequence of `bytes`; -1: it is none. */
static int64_t decode(const unsigned char *c, size_t n, size_t bytes)
{
    static const unsigned char first[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    static const int64_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int64_t point = c[0] & first[bytes];
    if (bytes > n)
        return -1;
    for (size_t i = 1; i < bytes; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return -1;
        point = point << 6 | (c[i] & 0x3f);
    }
    return point >= least[bytes] && point <= 0x10ffff ? point : -1;
}

static int is_shown(int64_t point)
{
    static const struct {
        int64_t from, to;
    } hidden[] = {{0, 0x1f},        {0x7f, 0x9f},     {0xad, 0xad},      {0x61c, 0x61c},
                  {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},  {0xd800, 0xdfff},
                  {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0] && hidden[i].from <= point; i++)
        if (point <= hidden[i].to)
            return 0;
    return point >= 0;
}

size_t plain_character(const char *text, size_t n, int *shown)
{
    const unsigned char *c = (const unsigned char *)text;
    size_t bytes = c[0] < 0x80 ? 1 : c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    int64_t point = decode(c, n, bytes);
    *shown = is_shown(point);
    return point < 0 ? 1 : bytes;
}

size_t plain_text(char *text, size_t n)
{
    size_t kept = 0;
    for (size_t at = 0; at < n;) {
        int shown;
        size_t bytes = plain_character(text + at, n - at, &shown);
        if (shown || text[at] == '\n' || text[at] == '\t') {
            memmove(text + kept, text + at, bytes);
            kept += bytes;
        } else {
            text[kept++] = '?';
        }
        at += bytes;
    }
    return kept;
}

/* ---- quoting --------------------------------------------------------------------------------- */

/* Characters that mean something in the language, and what is written for each; NULL: none. */
static const char *escape_of(enum plain_into into, char c)
{
    switch (into) {
    case PLAIN_HTML:
        return c == '&'    ? "&amp;"
               : c == '<'  ? "&lt;"
               : c == '>'  ? "&gt;"
               : c == '"'  ? "&quot;"
               : c == '\n' ? "\n"
                           : NULL;
    case PLAIN_JSON:
        return c == '"' ? "\\\"" : c == '\\' ? "\\\\" : NULL;
    case PLAIN_DOT: /* graphviz decodes &entities; in labels, and draws the character */
        return c == '"' ? "\\\"" : c == '\\' ? "\\\\" : c == '&' ? "&amp;" : NULL;
    case PLAIN_CSV:
        return c == '"' ? "\"\"" : NULL;
    case PLAIN_TERMINAL:
        break;
    }
    return NULL;
}

static void put_unsafe(FILE *to, enum plain_into into, char c)
{
    if (into == PLAIN_JSON)
        fprintf(to, "\\u%04x", (unsigned char)c < 0x80 ? (unsigned)c : 0xfffdu);
    else
        putc('?', to);
}

static void put_characters(FILE *to, enum plain_into into, const char *text, size_t n)
{
    size_t from = 0; /* what is written as it is, and not yet */
    for (size_t at = 0, bytes; at < n; at += bytes) {
        int shown;
        bytes = plain_character(text + at, n - at, &shown);
        const char *escape = escape_of(into, text[at]);
        if (!escape && shown)
            continue;
        fwrite(text + from, 1, at - from, to);
        from = at + bytes;
        if (escape)
            fputs(escape, to);
        else
            put_unsafe(to, into, text[at]);
    }
    fwrite(text + from, 1, n - from, to);
}

/* Spreadsheets compute a field that begins like this; an apostrophe before it makes it a text. */
static bool is_formula(const char *field)
{
    return field[0] && strchr("=+-@", field[0]);
}

const char *plain_read_csv(const char *field)
{
    return field + (field[0] == '\'' && is_formula(field + 1));
}

void plain_write(FILE *to, enum plain_into into, const char *text, size_t n)
{
    n = strnlen(text, n);
    const bool formula = into == PLAIN_CSV && n > 0 && is_formula(text);
    const bool quotes =
        into == PLAIN_JSON ||
        (into == PLAIN_CSV && (formula || memchr(text, ',', n) || memchr(text, '"', n)));
    fputs(quotes ? "\"" : "", to);
    fputs(formula ? "'" : "", to);
    put_characters(to, into, text, n);
    fputs(quotes ? "\"" : "", to);
}

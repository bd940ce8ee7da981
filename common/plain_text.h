/* plain_text.h: makes untrusted text safe for a terminal, a log, or a file in some language.
 *
 * Whatever a submission may have written, its names included, is printed by plain_write. Nothing
 * else knows how to quote it. */
#ifndef PLAIN_TEXT_H
#define PLAIN_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* What the text is written into. */
enum plain_into {
    PLAIN_TERMINAL, /* as it is */
    PLAIN_HTML,     /* an element, or an attribute in double quotes, of HTML and SVG; with line
                       feeds */
    PLAIN_JSON,     /* a whole string, with the quotes around it */
    PLAIN_DOT,      /* a part of a string of graphviz, which has quotes around it */
    PLAIN_CSV       /* a whole field, which no spreadsheet takes for a formula */
};

/* The first n bytes of the text, or those before its zero byte. Unsafe characters become '?', and
   escapes in JSON. */
void plain_write(FILE *to, enum plain_into into, const char *text, size_t n);

/* The text of a field of PLAIN_CSV, which is given without the quotes. */
const char *plain_read_csv(const char *field);

/* The number of bytes (1 to 4) of the first character of the text, which has n > 0 bytes. *shown:
 * is it safe for a terminal? Not safe: control characters (C0, DEL, C1), characters that hide or
 * reverse text (directions, zero widths, line and paragraph separators), and invalid UTF-8. */
size_t plain_character(const char *text, size_t n, int *shown);

/* Replaces, in place, all unsafe characters except line feeds and tabs by '?'. Returns the new
 * length. */
size_t plain_text(char *text, size_t n);

#endif

/*
 * plain_text.h: makes untrusted text safe for a terminal or a log.
 */
#ifndef PLAIN_TEXT_H
#define PLAIN_TEXT_H

#include <stddef.h>

/*
 * The number of bytes (1 to 4) of the first character of the text, which has n > 0 bytes. *shown:
 * is it safe for a terminal? Not safe: control characters (C0, DEL, C1), characters that hide or
 * reverse text (directions, zero widths, line and paragraph separators), and invalid UTF-8.
 */
size_t plain_character(const char *text, size_t n, int *shown);

/* Replaces, in place, all unsafe characters except line feeds and tabs by '?'. Returns the new
 * length. */
size_t plain_text(char *text, size_t n);

#endif

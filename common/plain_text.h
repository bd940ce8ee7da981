/*
 * plain_text.h: text that others wrote, for a terminal or a log.
 */
#ifndef PLAIN_TEXT_H
#define PLAIN_TEXT_H

#include <stddef.h>

/*
 * Bytes of the text that begin one character (1 to 4), for 0 < n bytes. *shown: a terminal can have
 * it. False for control characters (C0, DEL, C1), for marks that hide or turn text around
 * (directions, zero widths, line and paragraph separators), and for what is not UTF-8.
 */
size_t plain_character(const char *text, size_t n, int *shown);

/* In place: '?' for all that a terminal should not have. Line feeds and tabs stay. The new length.
 */
size_t plain_text(char *text, size_t n);

#endif

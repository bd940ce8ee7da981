/* page.h: text for a terminal or a file: how wide, in color or not, safe characters only. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum { PAGE_MARGIN = 8 };

struct page {
    FILE *to;
    int columns;
    bool color; /* a terminal, and NO_COLOR is not set */
};

enum ink { PLAIN, BOLD, DIM, GREEN, RED, YELLOW };

struct page page_open(FILE *to);
void page_ink(const struct page *p, enum ink ink);
void page_inked(const struct page *p, enum ink color, const char *text);

/* Words, wrapped; the cursor is in `column` already, later lines begin there. */
void page_wrapped(const struct page *p, int column, const char *text);

/* A label and its text in the margin; nothing for an empty text. */
void page_labeled(const struct page *p, const char *label, const char *text);

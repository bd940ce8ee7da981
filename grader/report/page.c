/* page.c: how reports are laid out on a terminal or in a file. */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/plain_text.h"
#include "page.h"

enum { NARROWEST = 60, WIDEST = 96, USUAL = 80, LABEL = 10 };

struct page page_open(FILE *to)
{
    struct page p = {to, USUAL, false};
    struct winsize size;
    if (!isatty(fileno(to)))
        return p;
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    p.color = !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
    if (ioctl(fileno(to), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        p.columns = size.ws_col < NARROWEST ? NARROWEST
                    : size.ws_col > WIDEST  ? WIDEST
                                            : size.ws_col;
    return p;
}

void page_ink(const struct page *p, enum ink ink)
{
    static const char *const codes[] = {"\033[0m",  "\033[1m",    "\033[2m",
                                        "\033[32m", "\033[1;31m", "\033[33m"};
    if (p->color)
        fputs(codes[ink], p->to);
}

void page_inked(const struct page *p, enum ink color, const char *text)
{
    page_ink(p, color);
    fputs(text, p->to);
    page_ink(p, PLAIN);
}

/* Columns that n bytes of UTF-8 take (continuation bytes take none). */
static int width_of(const char *text, size_t n)
{
    int width = 0;
    for (size_t i = 0; i < n; i++)
        width += (text[i] & 0xc0) != 0x80;
    return width;
}

void page_wrapped(const struct page *p, int column, const char *text)
{
    int at = column;
    while (*text) {
        size_t n = strcspn(text, " \n");
        int width = width_of(text, n);
        if (at > column && at + 1 + width > p->columns) {
            fprintf(p->to, "\n%*s", column, "");
            at = column;
        } else if (at > column) {
            putc(' ', p->to);
            at++;
        }
        plain_write(p->to, PLAIN_TERMINAL, text, n);
        at += width;
        text += n;
        text += strspn(text, " \n");
    }
    putc('\n', p->to);
}

void page_labeled(const struct page *p, const char *label, const char *text)
{
    if (!*text)
        return;
    fprintf(p->to, "%*s", PAGE_MARGIN, "");
    page_ink(p, DIM);
    fprintf(p->to, "%-*s", LABEL, label);
    page_ink(p, PLAIN);
    page_wrapped(p, PAGE_MARGIN + LABEL, text);
}

/*
 * heard.h: what a test's program says on stderr, for tests of its words.
 */
#ifndef HEARD_H
#define HEARD_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <unistd.h>

static FILE *said;

/* From here on stderr goes to a file. */
static inline void listen(void)
{
    said = tmpfile();
    cr_assert_not_null(said);
    fflush(stderr);
    dup2(fileno(said), STDERR_FILENO);
}

/* What went to stderr since listen(). */
static inline const char *heard(void)
{
    static char text[4096];
    fflush(stderr);
    ssize_t n = pread(fileno(said), text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

#endif

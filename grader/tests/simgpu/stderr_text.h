/* stderr_text.h: what a test's program prints on stderr. */
#pragma once

#include <criterion/criterion.h>
#include <stdio.h>
#include <unistd.h>

static FILE *stderr_file;

/* From here on stderr goes to a file. */
static inline void stderr_capture(void)
{
    stderr_file = tmpfile();
    cr_assert_not_null(stderr_file);
    fflush(stderr);
    dup2(fileno(stderr_file), STDERR_FILENO);
}

/* What went to stderr since stderr_capture(). */
static inline const char *stderr_text(void)
{
    static char text[4096];
    fflush(stderr);
    ssize_t n = pread(fileno(stderr_file), text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

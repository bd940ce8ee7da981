/* output.h: the one door for the files that the grader writes where a user says.
 *
 * Others may be able to write in that folder, and may have put a link there. So the text goes into
 * a new file beside the target, whose name nobody can know, and which then takes the target's name.
 * A link is refused, as it would be lost. A terminal, a pipe or the like is written to directly.
 *
 *     struct output o;
 *     if (output_open(&o, path) == 0)
 *         fputs("text", o.to);
 *     if (output_close(&o) != 0)
 *         … output_why(errno) says why, and the target is what it was before */
#pragma once

#include <stdio.h>

enum { OUTPUT_PATH = 4096 };

struct output {
    FILE *to;                       /* NULL: it could not be opened */
    int error;                      /* why */
    const char *path;               /* the target */
    char written[OUTPUT_PATH + 16]; /* the new file; empty: it is the target */
};

/* 0, or -1 with errno. `path` may be "-" for stdout, and must live until output_close. */
int output_open(struct output *o, const char *path);

/* Whatever was written appears, all of it or nothing. 0, or -1 with the errno of what failed first.
 */
int output_close(struct output *o);

/* Nothing appears. */
void output_drop(struct output *o);

/* Could it be written now? 0, or -1 with errno. */
int output_probe(const char *path);

/* strerror, but for a link in words for the user. */
const char *output_why(int error);

/*
 * grade_hint.c: ./grade labNN --hint: a hint from the hints.md of the lab, apart from the report.
 *
 * It is for the check that was named; else for the first step that is not written; else for the
 * check that failed first in the last grading.
 */
#include <string.h>

#include "grade.h"
#include "report/hints.h"

static void print(const struct grade *g, const struct hint *h)
{
    printf("%s, %s\nhint %d of %d\n\n", g->lab, h->title, g->hint_level, HINT_LEVELS);
    for (const char *line = h->levels[g->hint_level - 1]; *line;) {
        size_t n = strcspn(line, "\n");
        printf("    %.*s\n", (int)n, line);
        line += n + (line[n] == '\n');
    }
    if (g->hint_level < HINT_LEVELS)
        printf("\nmore: ./grade %s%s%s --hint=%d\n", g->lab, g->check ? " " : "",
               g->check ? g->check : "", g->hint_level + 1);
}

static int nothing_to_hint(const struct grade *g, const struct grade_record *last)
{
    if (!last->exists)
        fprintf(stderr, "%s was not graded yet. Next: ./grade %s\n", g->lab, g->lab);
    else
        fprintf(stderr, "%s passed all checks: there is nothing to hint at\n", g->lab);
    return last->exists && last->passed ? 0 : GRADE_USAGE;
}

int grade_hint(struct grade *g)
{
    char directory[SESSION_PATH], path[SESSION_PATH];
    struct hint hint;
    grade_lab_directory(g, directory);
    grade_join(path, directory, "hints.md", NULL, NULL);
    const struct grade_record last = grade_record_read(g, g->lab);
    int step = g->check ? 0 : grade_first_step(g);
    const char *check = g->check ? g->check : last.failed;
    if (!step && !check[0])
        return nothing_to_hint(g, &last);
    if (hints_find(&hint, path, step, check) != 0) {
        fprintf(stderr, "%s has no hint for %s. Next: ./grade %s lists its checks\n", g->lab, check,
                g->lab);
        return GRADE_USAGE;
    }
    print(g, &hint);
    return fflush(stdout) == 0 ? 0 : GRADE_BROKEN;
}

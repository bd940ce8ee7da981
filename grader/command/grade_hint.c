/*
 * grade_hint.c: ./grade labNN --hint: a hint from the hints.md of the lab, apart from the report.
 *
 * It is for the check that was named; else for what the last grading reports first, if the lab has
 * not changed since: a mistake, or a check that failed; else for the first step that is not
 * written.
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

/* Why there is no hint; the exit status. */
static int nothing_to_hint(const struct grade *g, const struct grade_record *last)
{
    if (last->exists && last->current && last->passed) {
        fprintf(stderr, "your %s passed all checks: there is nothing to hint at\n", g->lab);
        return 0;
    }
    fprintf(stderr,
            last->exists ? "your %s changed since it was graded. Next: make %s && ./grade %s\n"
                         : "your %s was not graded yet. Next: make %s && ./grade %s\n",
            g->lab, g->lab, g->lab);
    return GRADE_USAGE;
}

static bool find(struct hint *hint, const struct grade *g, const struct grade_record *last,
                 const char *directory, const char *path)
{
    if (g->check)
        return hints_find(hint, path, 0, g->check) == 0;
    const bool is_wrong =
        last->current && last->failed[0] && strcmp(last->mistake, SESSION_UNWRITTEN);
    if (is_wrong && last->mistake[0] && hints_find(hint, path, 0, last->mistake) == 0)
        return true;
    if (is_wrong && hints_find(hint, path, 0, last->failed) == 0)
        return true;
    const uint64_t unwritten = grade_unwritten(g, directory);
    return unwritten && hints_find(hint, path, __builtin_ctzll(unwritten), NULL) == 0;
}

int grade_hint(struct grade *g)
{
    char directory[SESSION_PATH], path[SESSION_PATH];
    struct hint hint;
    grade_lab_directory(g, directory);
    grade_join(path, directory, "hints.md", NULL, NULL);
    const struct grade_record last = grade_record_read(g);
    if (!find(&hint, g, &last, directory, path)) {
        if (!g->check)
            return nothing_to_hint(g, &last);
        fprintf(stderr, "%s has no hint for %s. Next: ./grade %s lists its checks\n", g->lab,
                g->check, g->lab);
        return GRADE_USAGE;
    }
    print(g, &hint);
    return fflush(stdout) == 0 ? 0 : GRADE_BROKEN;
}

/* grade_hint.c: ./grade labNN --hint: a hint from the hints.md of the lab, apart from the report.
 *
 * It is for the check that was named; else for what the last grading reports first, if the lab has
 * not changed since: a mistake, or a check that failed; else for the first step that is not
 * written. */
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
                 const struct hint_files *files)
{
    char directory[SESSION_PATH];
    if (g->check)
        return hints_for(hint, files, "", g->check);
    const bool is_wrong =
        last->current && last->failed[0] && strcmp(last->mistake, SESSION_UNWRITTEN);
    if (is_wrong && hints_for(hint, files, last->mistake, last->failed))
        return true;
    grade_lab_directory(g, directory);
    uint64_t refusing;
    const int step = session_first_step(grade_unwritten(g, directory, &refusing));
    return step && hints_find(hint, files->hints, step) == 0;
}

int grade_hint(struct grade *g)
{
    char hints[SESSION_PATH], steps[SESSION_PATH];
    struct hint hint;
    grade_hints(g, hints, steps);
    const struct grade_record last = grade_record_read(g);
    if (!find(&hint, g, &last, &(struct hint_files){hints, steps})) {
        if (!g->check)
            return nothing_to_hint(g, &last);
        fprintf(stderr, "%s has no hint for %s. Next: ./grade %s lists its checks\n", g->lab,
                g->check, g->lab);
        return GRADE_USAGE;
    }
    print(g, &hint);
    return fflush(stdout) == 0 ? 0 : GRADE_BROKEN;
}

/* grade_list.c: ./grade alone: all labs, how far each is, and what to do next. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grade.h"

enum { SAME_BYTES = 1 << 20 };

/* One lab, as the list shows it. */
struct row {
    const char *state;
    char points[32];
    const char *note;
    bool done;
};

static bool same_files(const char *a, const char *b)
{
    static char left[SAME_BYTES], right[SAME_BYTES];
    FILE *fa = fopen(a, "r"), *fb = fopen(b, "r");
    size_t na = fa ? fread(left, 1, sizeof left, fa) : 0,
           nb = fb ? fread(right, 1, sizeof right, fb) : 0;
    bool same = fa && fb && na == nb && memcmp(left, right, na) == 0;
    if (fa)
        fclose(fa);
    if (fb)
        fclose(fb);
    return same;
}

/* Are the lab's sources those that a learner begins with? make labNN keeps a copy of these. */
static bool is_starter(const struct grade *g, const char *directory)
{
    static const char *const names[] = {"lab.c", "lab.cu"};
    char starters[SESSION_PATH], starter[SESSION_PATH], mine[SESSION_PATH];
    bool any = false;
    grade_join(starters, g->root, "build/known", g->lab, "starter");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        grade_join(starter, starters, names[i], NULL, NULL);
        grade_join(mine, directory, names[i], NULL, NULL);
        if (access(starter, F_OK) != 0)
            continue;
        any = true;
        if (!same_files(starter, mine))
            return false;
    }
    return any;
}

static bool is_built(const struct grade *g)
{
    static const char *const devices[] = {"sim", "gpu"};
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        char lab[SESSION_PATH], subject[SESSION_PATH];
        grade_join(lab, g->build, devices[i], g->lab, NULL);
        grade_join(subject, lab, "yours", "subject", NULL);
        if (access(subject, F_OK) == 0)
            return true;
    }
    return false;
}

static struct row look(struct grade *g, const char *lab)
{
    struct row row = {.state = "in work", .note = ""};
    char directory[SESSION_PATH];
    g->lab = lab;
    grade_lab_directory(g, directory);
    const struct grade_record record = grade_record_read(g);
    bool starter = is_starter(g, directory), changed = record.exists && !record.current;
    if (record.exists)
        snprintf(row.points, sizeof row.points, "%d of %d", record.points, record.max_points);
    if (record.exists && record.passed && !changed) {
        row.state = "passed";
        row.done = true;
    } else if (starter) {
        row.state = "starter";
        row.points[0] = 0;
    } else if (!record.exists && !is_built(g)) {
        row.state = "not built";
    } else if (changed) {
        row.note = "changed since";
    }
    return row;
}

int grade_list(struct grade *g)
{
    struct dirent **found;
    char next[8] = "";
    int n = grade_labs(g, &found);
    for (int i = 0; i < n; i++) {
        char lab[8];
        snprintf(lab, sizeof lab, "%.5s", found[i]->d_name);
        const struct row row = look(g, lab);
        printf("%s  %-18s %s", lab, found[i]->d_name + 6, row.state);
        if (row.points[0])
            printf("%*s%s", 11 - (int)strlen(row.state), "", row.points);
        printf("%s%s\n", row.note[0] ? ", " : "", row.note);
        if (!row.done && !next[0])
            snprintf(next, sizeof next, "%s", lab);
        free(found[i]);
    }
    free(found);
    if (next[0])
        printf("\nNext: ./grade %s builds and grades it (--help lists all options)\n", next);
    return fflush(stdout) == 0 ? 0 : GRADE_BROKEN;
}

/* grade_check.c: ./grade labNN CHECK[,CHECK...]: some checks of a lab, and names that are nearly
 * one. */
#include <string.h>

#include "grade.h"

enum { LONGEST = 64 };

void grade_check_filter(const struct grade *g, char out[SESSION_PATH])
{
    if (g->needs) {
        snprintf(out, SESSION_PATH, "--filter=%s/", g->lab);
        return;
    }
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789_,";
    bool named = strspn(g->check, plain) == strlen(g->check); /* anything else is a pattern */
    snprintf(out, SESSION_PATH, named ? "--filter=%s/@(%s|diagnosis)" : "--filter=%s/", g->lab,
             g->check);
    for (char *comma = out; named && (comma = strchr(comma, ','));)
        *comma = '|';
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* How many letters must be changed, added or removed. */
static int distance(const char *a, const char *b)
{
    int row[LONGEST + 1], n = (int)strnlen(b, LONGEST);
    for (int j = 0; j <= n; j++)
        row[j] = j;
    for (int i = 0; a[i]; i++) {
        int diagonal = row[0];
        row[0] = i + 1;
        for (int j = 1; j <= n; j++) {
            int above = row[j];
            row[j] = least(least(above, row[j - 1]) + 1, diagonal + (a[i] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[n];
}

static int no_such_check(const struct grade *g, const char *check)
{
    const struct session *s = g->session;
    const char *nearest = NULL;
    int best = 1 + (int)strnlen(check, LONGEST) / 2;
    for (int i = 0; i < s->n_checks; i++) {
        int d = distance(check, s->checks[i].name);
        if (d < best) {
            best = d;
            nearest = s->checks[i].name;
        }
    }
    fprintf(stderr, "%s has no check %s.", g->lab, check);
    if (nearest)
        fprintf(stderr, " Did you mean %s?", nearest);
    fprintf(stderr, " Its checks are:\n");
    for (int i = 0; i < s->n_checks; i++)
        fprintf(stderr, "  %-16s %s\n", s->checks[i].name, s->checks[i].words);
    return GRADE_USAGE;
}

int grade_check_keep(const struct grade *g)
{
    struct session *s = g->session;
    char named[SESSION_PATH];
    bool keep[SESSION_CHECKS] = {false};
    int n = 0;
    if (!g->check || g->needs || !s->listed)
        return 0;
    snprintf(named, sizeof named, "%s", g->check);
    for (char *rest = named, *name; (name = strsep(&rest, ","));) {
        const struct session_check *c = session_find(s, name);
        if (!c)
            return no_such_check(g, name);
        keep[c - s->checks] = true;
    }
    for (int i = 0; i < s->n_checks; i++) /* in the lab's order, each once */
        if (keep[i])
            s->checks[n++] = s->checks[i];
    s->n_checks = n;
    return 0;
}

enum grade_exit grade_verdict(const struct session *s)
{
    enum grade_exit verdict = GRADE_PASSED;
    for (int i = 0; i < s->n_checks; i++) {
        if (s->checks[i].status == CHECK_FAILED)
            return GRADE_FAILED;
        if (s->checks[i].status == CHECK_INCONCLUSIVE)
            verdict = GRADE_INCONCLUSIVE;
    }
    return verdict;
}

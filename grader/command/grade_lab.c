/* grade_lab.c: where the course is, and which lab is meant. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "grade.h"

void grade_join(char out[SESSION_PATH], const char *a, const char *b, const char *c, const char *d)
{
    if (snprintf(out, SESSION_PATH, "%s/%s%s%s%s%s", a, b, c ? "/" : "", c ? c : "", d ? "/" : "",
                 d ? d : "") >= SESSION_PATH)
        out[0] = 0;
}

/* ./grade lies at the top of the course; the sanitized one in build/san/grader/ judges build/san/.
 */
int grade_find_root(struct grade *g)
{
    char self[SESSION_PATH];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) {
        fprintf(stderr, "cannot find the folder of ./grade: %s\n", strerror(errno));
        return GRADE_BROKEN;
    }
    self[n] = 0;
    *strrchr(self, '/') = 0;
    snprintf(g->root, sizeof g->root, "%s", self);
    grade_join(g->build, g->root, "build", NULL, NULL);
    char *last = strrchr(self, '/');
    if (!last || strcmp(last, "/grader") != 0)
        return 0;
    *last = 0;
    snprintf(g->build, sizeof g->build, "%s", self);
    for (char labs[SESSION_PATH]; (last = strrchr(g->root, '/')) != NULL; *last = 0) {
        grade_join(labs, g->root, "labs", NULL, NULL);
        if (access(labs, F_OK) == 0)
            break;
    }
    return 0;
}

/* ---- the lab --------------------------------------------------------------------------------- */

bool grade_is_lab_name(const char *name)
{
    return strncmp(name, "lab", 3) == 0 && isdigit((unsigned char)name[3]) &&
           isdigit((unsigned char)name[4]) && (name[5] == 0 || name[5] == '_' || name[5] == '/');
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_lab_directory(const struct dirent *d)
{
    return grade_is_lab_name(d->d_name);
}

int grade_labs(const struct grade *g, struct dirent ***found)
{
    char labs[SESSION_PATH];
    grade_join(labs, g->root, "labs", NULL, NULL);
    int n = scandir(labs, found, is_lab_directory, by_name);
    if (n >= 0)
        return n;
    *found = NULL;
    return 0;
}

/* 8 of "8", "lab8", "LAB08" and "Lab-08_x"; -1: it names no number. */
static int number_of(const char *asked)
{
    const char *digits = strncasecmp(asked, "lab", 3) == 0 ? asked + 3 : asked;
    digits += *digits == '-' || *digits == '_' || *digits == ' ';
    const size_t n = strspn(digits, "0123456789");
    const bool is_number = n > 0 && n < 4 && (!digits[n] || strchr("_/-", digits[n]));
    return is_number ? atoi(digits) : -1;
}

static const char *find_number(struct dirent *const *found, int n, int number)
{
    for (int i = 0; i < n; i++)
        if (atoi(found[i]->d_name + 3) == number)
            return found[i]->d_name;
    return NULL;
}

static int no_such_lab(const struct grade *g, const char *asked, const char *start)
{
    struct dirent **found;
    const int n = grade_labs(g, &found);
    const char *meant = find_number(found, n, number_of(start));
    fprintf(stderr, "there is no lab %s", asked);
    if (meant)
        fprintf(stderr, ". Did you mean %.5s? Next: ./grade %.5s\n", meant, meant);
    else
        fputs(". The labs are:\n", stderr);
    for (int i = 0; !meant && i < n; i++)
        fprintf(stderr, "  %.5s  %s\n", found[i]->d_name,
                found[i]->d_name + 5 + (found[i]->d_name[5] == '_'));
    for (int i = 0; i < n; i++)
        free(found[i]);
    free(found);
    return GRADE_USAGE;
}

void grade_lab_directory(const struct grade *g, char out[SESSION_PATH])
{
    char labs[SESSION_PATH];
    grade_join(labs, g->root, "labs", NULL, NULL);
    out[0] = 0;
    DIR *d = opendir(labs);
    for (struct dirent *e; d && (e = readdir(d)) != NULL;)
        if (grade_is_lab_name(e->d_name) && strncmp(e->d_name, g->lab, 5) == 0)
            grade_join(out, labs, e->d_name, NULL, NULL);
    if (d)
        closedir(d);
}

/* lab03, lab03_overlap, labs/lab03_overlap/: all mean lab03. */
int grade_find_lab(struct grade *g)
{
    static char name[6];
    char directory[SESSION_PATH];
    const char *asked = g->lab, *start = strncmp(asked, "labs/", 5) == 0 ? asked + 5 : asked;
    if (!grade_is_lab_name(start))
        return no_such_lab(g, asked, start);
    memcpy(name, start, 5);
    g->lab = name;
    grade_join(g->suite, g->build, "grader", g->lab, NULL);
    grade_lab_directory(g, directory);
    if (!directory[0] && access(g->suite, F_OK) != 0)
        return no_such_lab(g, asked, start);
    return 0;
}

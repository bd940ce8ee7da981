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

static int is_lab_directory(const struct dirent *d)
{
    return grade_is_lab_name(d->d_name);
}

int grade_labs(const struct grade *g, struct dirent ***found)
{
    char labs[SESSION_PATH];
    grade_join(labs, g->root, "labs", NULL, NULL);
    int n = scandir(labs, found, is_lab_directory, alphasort);
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

/* The folder of the lab with this number, or of this name after the number; NULL: there is none. */
static const char *find_meant(struct dirent *const *found, int n, const char *asked)
{
    const size_t bytes = strcspn(asked, "/");
    for (int i = 0; i < n; i++) {
        const char *lab = found[i]->d_name, *name = lab + 5 + (lab[5] == '_');
        if (atoi(lab + 3) == number_of(asked) ||
            (bytes > 0 && strlen(name) == bytes && strncasecmp(name, asked, bytes) == 0))
            return lab;
    }
    return NULL;
}

static int no_such_lab(const char *asked, struct dirent *const *found, int n)
{
    fprintf(stderr, "there is no lab %s. The labs are:\n", asked);
    for (int i = 0; i < n; i++)
        fprintf(stderr, "  %.5s  %s\n", found[i]->d_name,
                found[i]->d_name + 5 + (found[i]->d_name[5] == '_'));
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

/* lab03, labs/lab03_overlap/, 3, Lab3, overlap: all mean lab03. */
int grade_find_lab(struct grade *g)
{
    static char name[6];
    struct dirent **found;
    const char *asked = g->lab, *start = strncmp(asked, "labs/", 5) == 0 ? asked + 5 : asked;
    const int n = grade_labs(g, &found);
    const char *meant = find_meant(found, n, start);
    int status = 0;
    if (meant || grade_is_lab_name(start)) /* a suite may have no folder */
        memcpy(name, meant ? meant : start, 5);
    g->lab = name;
    grade_join(g->suite, g->build, "grader", g->lab, NULL);
    if (!meant && (!name[0] || access(g->suite, F_OK) != 0))
        status = no_such_lab(asked, found, n);
    for (int i = 0; i < n; i++)
        free(found[i]);
    free(found);
    return status;
}

bool grade_twin(const struct grade *g, char path[SESSION_PATH])
{
    char gpu[SESSION_PATH], twin[SESSION_PATH];
    grade_join(gpu, g->build, "gpu", NULL, NULL);
    const size_t n = strlen(gpu);
    if (strncmp(path, gpu, n) != 0 || path[n] != '/')
        return false;
    grade_join(twin, g->build, "sim", path + n + 1, NULL);
    memcpy(path, twin, sizeof twin);
    return true;
}

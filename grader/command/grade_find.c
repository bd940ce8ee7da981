/* grade_find.c: where the course is, which lab and build of it is meant, and whether that is fresh.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grade.h"

static const char *const device_words[] = {[DEVICE_SIM] = "sim", [DEVICE_GPU] = "gpu"};

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* out = a/b/c/d; empty, which does not exist, where that is too long. */
static void join(char out[SESSION_PATH], const char *a, const char *b, const char *c, const char *d)
{
    if (snprintf(out, SESSION_PATH, "%s/%s%s%s%s%s", a, b, c ? "/" : "", c ? c : "", d ? "/" : "",
                 d ? d : "") >= SESSION_PATH)
        out[0] = 0;
}

/* ./grade lies at the top of the course; the sanitized one in build/san/grader/ judges build/san/.
 */
static int find_root(struct grade *g)
{
    char self[SESSION_PATH];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) {
        fprintf(stderr, "cannot tell where ./grade lies: %s\n", strerror(errno));
        return GRADE_BROKEN;
    }
    self[n] = 0;
    *strrchr(self, '/') = 0;
    snprintf(g->root, sizeof g->root, "%s", self);
    join(g->build, g->root, "build", NULL, NULL);
    char *last = strrchr(self, '/');
    if (!last || strcmp(last, "/grader") != 0)
        return 0;
    *last = 0;
    snprintf(g->build, sizeof g->build, "%s", self);
    for (char labs[SESSION_PATH]; (last = strrchr(g->root, '/')) != NULL; *last = 0) {
        join(labs, g->root, "labs", NULL, NULL);
        if (exists(labs))
            break;
    }
    return 0;
}

/* ---- the lab --------------------------------------------------------------------------------- */

static bool is_lab_name(const char *name)
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
    return is_lab_name(d->d_name);
}

static int no_such_lab(const struct grade *g, const char *asked)
{
    char labs[SESSION_PATH];
    struct dirent **found;
    join(labs, g->root, "labs", NULL, NULL);
    int n = scandir(labs, &found, is_lab_directory, by_name);
    fprintf(stderr, "there is no lab %s. The labs are:\n", asked);
    for (int i = 0; i < n; i++) {
        fprintf(stderr, "  %.5s  %s\n", found[i]->d_name,
                found[i]->d_name + 5 + (found[i]->d_name[5] == '_'));
        free(found[i]);
    }
    if (n >= 0)
        free(found);
    return GRADE_USAGE;
}

/* labs/labNN_*, or "" where there is none. */
static void find_lab_directory(const struct grade *g, char out[SESSION_PATH])
{
    char labs[SESSION_PATH];
    join(labs, g->root, "labs", NULL, NULL);
    out[0] = 0;
    DIR *d = opendir(labs);
    for (struct dirent *e; d && (e = readdir(d)) != NULL;)
        if (is_lab_name(e->d_name) && strncmp(e->d_name, g->lab, 5) == 0)
            join(out, labs, e->d_name, NULL, NULL);
    if (d)
        closedir(d);
}

/* lab03, lab03_overlap, labs/lab03_overlap/: all mean lab03. */
static int find_lab(struct grade *g)
{
    static char name[6];
    char directory[SESSION_PATH];
    const char *asked = g->lab, *start = strncmp(asked, "labs/", 5) == 0 ? asked + 5 : asked;
    if (!is_lab_name(start))
        return no_such_lab(g, asked);
    memcpy(name, start, 5);
    g->lab = name;
    join(g->suite, g->build, "grader", g->lab, NULL);
    find_lab_directory(g, directory);
    if (!directory[0] && !exists(g->suite))
        return no_such_lab(g, asked);
    return 0;
}

/* ---- the build ------------------------------------------------------------------------------- */

static struct timespec changed(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? st.st_mtim : (struct timespec){0, 0};
}

static bool is_newer(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

static void subject_of(const struct grade *g, enum session_device device, char out[SESSION_PATH])
{
    join(out, g->build, device_words[device], g->lab, "subject");
}

/* What --device says; else what `make labNN` noted in build/labNN.device; else the newer build. */
static enum session_device choose_device(const struct grade *g)
{
    if (g->device_option)
        return strcmp(g->device_option, "gpu") == 0 ? DEVICE_GPU : DEVICE_SIM;
    char path[SESSION_PATH], file[16], word[8] = "";
    snprintf(file, sizeof file, "%.5s.device", g->lab);
    join(path, g->build, file, NULL, NULL);
    FILE *f = fopen(path, "r");
    if (f) {
        if (fscanf(f, "%7s", word) != 1)
            word[0] = 0;
        fclose(f);
    }
    if (word[0])
        return strcmp(word, "gpu") == 0 ? DEVICE_GPU : DEVICE_SIM;
    char sim[SESSION_PATH], gpu[SESSION_PATH];
    subject_of(g, DEVICE_SIM, sim);
    subject_of(g, DEVICE_GPU, gpu);
    return exists(gpu) && is_newer(changed(gpu), changed(sim)) ? DEVICE_GPU : DEVICE_SIM;
}

/* A folder whose name make cannot work with was built by way of a link: grader/folder.sh. */
static void follow_link(struct grade *g)
{
    char path[SESSION_PATH], real[PATH_MAX];
    if (strncmp(g->submission, "build/submissions/", strlen("build/submissions/")) != 0)
        return;
    join(path, g->root, g->submission, NULL, NULL);
    if (realpath(path, real) && strlen(real) < sizeof g->submission)
        snprintf(g->submission, sizeof g->submission, "%s", real);
}

/* build/<device>/labNN/submission: what it is called, and the source file it was built from. */
static void read_submission(struct grade *g)
{
    char path[SESSION_PATH], line[SESSION_PATH];
    join(path, g->build, device_words[g->device], g->lab, "submission");
    snprintf(g->submission, sizeof g->submission, "%s", g->subject_option ? g->subject_option : "");
    FILE *f = g->subject_option ? NULL : fopen(path, "r");
    if (!f)
        return;
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        snprintf(g->submission, sizeof g->submission, "%s", line);
    }
    fclose(f);
    follow_link(g);
}

/* `n` bytes as a shell is to be given them: in quotes where it would read something else. */
static void quote(char *out, const char *text, size_t n)
{
    bool plain = strcspn(text, " \t'\"`$&|;<>(){}[]*?!#~\\") >= n;
    if (!plain)
        *out++ = '\'';
    for (size_t i = 0; i < n; i++)
        out = stpcpy(out, text[i] == '\'' ? "'\\''" : (char[]){text[i], 0});
    snprintf(out, 2, "%s", plain ? "" : "'");
}

/* What make was told to build the submission from; nothing for the learner's own. */
static const char *chosen(const struct grade *g)
{
    static char words[4 * SESSION_PATH + sizeof " SUBMISSION=''"];
    const char *slash = strrchr(g->submission, '/');
    if (!slash || strncmp(g->submission, "labs/", strlen("labs/")) == 0)
        return "";
    if (strncmp(g->submission, "solutions/", strlen("solutions/")) == 0)
        return " SOLUTION=1";
    quote(stpcpy(words, " SUBMISSION="), g->submission, (size_t)(slash - g->submission));
    return words;
}

static int not_built(const struct grade *g, const char *missing)
{
    const char *device = g->device_option ? g->device_option : NULL;
    fprintf(stderr, "%s is not built%s%s: %s is missing. Next: make %s%s%s\n", g->lab,
            device ? " for DEVICE=" : "", device ? device : "", missing, g->lab,
            device ? " DEVICE=" : "", device ? device : "");
    return GRADE_USAGE;
}

/* Is a .c, .cu or .h beside the submission's source, or the lab's own lab.h, newer than its build?
 */
static bool is_stale(const struct grade *g, char culprit[SESSION_PATH])
{
    char source[SESSION_PATH], path[SESSION_PATH], lab[SESSION_PATH];
    struct timespec built = changed(g->subject);
    find_lab_directory(g, lab);
    join(culprit, lab, "lab.h", NULL, NULL);
    if (lab[0] && is_newer(changed(culprit), built))
        return true;
    if (g->submission[0] == '/')
        snprintf(source, sizeof source, "%s", g->submission);
    else
        join(source, g->root, g->submission, NULL, NULL);
    char *slash = strrchr(source, '/');
    if (!slash)
        return false;
    *slash = 0;
    DIR *d = opendir(source);
    bool stale = false;
    for (struct dirent *e; d && !stale && (e = readdir(d)) != NULL;) {
        const char *dot = strrchr(e->d_name, '.');
        if (!dot || (strcmp(dot, ".c") != 0 && strcmp(dot, ".cu") != 0 && strcmp(dot, ".h") != 0))
            continue;
        join(path, source, e->d_name, NULL, NULL);
        stale = is_newer(changed(path), built);
        if (stale)
            snprintf(culprit, SESSION_PATH, "%s", path);
    }
    if (d)
        closedir(d);
    return stale;
}

static int find_build(struct grade *g)
{
    char culprit[SESSION_PATH];
    g->device = choose_device(g);
    subject_of(g, g->device, g->subject);
    join(g->reference, g->build, device_words[g->device], g->lab, "ref_subject");
    if (g->subject_option && !realpath(g->subject_option, g->subject)) {
        fprintf(stderr, "--subject %s: %s\n", g->subject_option, strerror(errno));
        return GRADE_USAGE;
    }
    if (!exists(g->suite))
        return not_built(g, g->suite);
    if (stat(g->subject, &g->built) != 0)
        return not_built(g, g->subject);
    read_submission(g);
    if (!g->subject_option && g->submission[0] && is_stale(g, culprit)) {
        fprintf(stderr, "%s was changed after %s was built. Next: make %s%s, then grade again\n",
                culprit, g->lab, g->lab, chosen(g));
        return GRADE_USAGE;
    }
    return 0;
}

bool grade_is_mixed(const struct grade *g)
{
    struct stat now;
    if (stat(g->subject, &now) == 0 && now.st_ino == g->built.st_ino &&
        !is_newer(now.st_mtim, g->built.st_mtim))
        return false;
    fprintf(stderr,
            "%s was built anew, or removed, while it was judged. Next: one submission after the "
            "other (or each in a checkout of its own), and grade again\n",
            g->subject);
    return true;
}

int grade_find(struct grade *g)
{
    char why[256];
    int status = find_root(g);
    if (!status)
        status = find_lab(g);
    if (!status)
        status = find_build(g);
    if (status)
        return status;
    if (!grade_device_name(g, why, sizeof why)) {
        fprintf(
            stderr,
            "no GPU answers (%s), and this build of %s is for one.\nNext: make %s DEVICE=sim, and "
            "./grade %s grades it on the simulated device\n",
            why, g->lab, g->lab, g->lab);
        return GRADE_BROKEN;
    }
    return 0;
}

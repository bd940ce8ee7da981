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

#include "common/plain_text.h"
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

/* The last line of build/<device>/labNN/NAME/submission: what NAME was built from. */
static void read_submission(const char *folder, char out[SESSION_PATH])
{
    char path[SESSION_PATH];
    join(path, folder, "submission", NULL, NULL);
    out[0] = 0;
    FILE *f = fopen(path, "r");
    if (!f)
        return;
    while (fgets(out, SESSION_PATH, f))
        out[strcspn(out, "\n")] = 0;
    fclose(f);
}

/* A path as `make` wrote it is relative to the course. */
static void absolute(const struct grade *g, const char *path, char out[SESSION_PATH])
{
    if (path[0] == '/')
        snprintf(out, SESSION_PATH, "%s", path);
    else
        join(out, g->root, path, NULL, NULL);
}

/* build/labNN is a link to what `make labNN` built last: sim/lab03/yours. */
static bool find_last(struct grade *g, char folder[SESSION_PATH])
{
    char path[SESSION_PATH], to[SESSION_PATH];
    join(path, g->build, g->lab, NULL, NULL);
    ssize_t n = readlink(path, to, sizeof to - 1);
    if (n <= 0)
        return false;
    to[n] = 0;
    enum session_device device = strncmp(to, "gpu/", 4) == 0 ? DEVICE_GPU : DEVICE_SIM;
    if (g->device_option && device != g->device)
        return false;
    g->device = device;
    join(folder, g->build, to, NULL, NULL);
    return true;
}

/* Is this the build that --submission asks for: by its name, or by the folder of its source? */
static bool is_asked_for(const struct grade *g, const char *folder, const char *name)
{
    char submission[SESSION_PATH], source[SESSION_PATH], real[PATH_MAX], asked[PATH_MAX];
    if (strcmp(name, g->submission_option) == 0)
        return true;
    read_submission(folder, submission);
    absolute(g, submission, source);
    char *slash = strrchr(source, '/');
    if (!slash)
        return false;
    *slash = 0;
    return realpath(source, real) && realpath(g->submission_option, asked) &&
           strcmp(real, asked) == 0;
}

/* The newest of this device's builds that --submission may mean, if it is newer than *newest. */
static void find_asked(struct grade *g, enum session_device device, char found[SESSION_PATH],
                       struct timespec *newest)
{
    char lab[SESSION_PATH], folder[SESSION_PATH], subject[SESSION_PATH];
    join(lab, g->build, device_words[device], g->lab, NULL);
    DIR *d = opendir(lab);
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        join(folder, lab, e->d_name, NULL, NULL);
        join(subject, folder, "subject", NULL, NULL);
        if (!is_newer(changed(subject), *newest) || !is_asked_for(g, folder, e->d_name))
            continue;
        *newest = changed(subject);
        g->device = device;
        snprintf(found, SESSION_PATH, "%s", folder);
    }
    if (d)
        closedir(d);
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
    if (strncmp(g->submission, "grader/labs/", strlen("grader/labs/")) == 0) {
        snprintf(words, sizeof words, " KNOWN=%s", slash + 1);
        return words;
    }
    quote(stpcpy(words, " SUBMISSION="), g->submission, (size_t)(slash - g->submission));
    words[plain_text(words, strlen(words))] = 0;
    return words;
}

static int not_built(const struct grade *g)
{
    const char *device = g->device_option;
    fprintf(stderr, "%s is not built%s%s. Next: make %s%s%s\n", g->lab,
            device ? " for DEVICE=" : "", device ? device : "", g->lab, device ? " DEVICE=" : "",
            device ? device : "");
    return GRADE_USAGE;
}

static int submission_not_built(const struct grade *g)
{
    char words[4 * SESSION_PATH];
    const char *asked = g->submission_option;
    quote(words, asked, strnlen(asked, SESSION_PATH - 1));
    fprintf(stderr, "%s is not built from %s. Next: make %s %s=%s\n", g->lab, asked, g->lab,
            exists(asked) ? "SUBMISSION" : "KNOWN", words);
    return GRADE_USAGE;
}

/* Is this a file that a build takes (grader/labs/intake.sh)? */
static bool is_taken(const char *path, const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    size_t n = strlen(name);
    struct stat st;
    bool header = n > 2 && strcmp(name + n - 2, ".h") == 0 && strspn(name, plain) == n;
    return (header || strcmp(name, "lab.c") == 0 || strcmp(name, "lab.cu") == 0) &&
           lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Is the submission's source, a .c, .cu or .h beside it, or the lab's own lab.h, newer than the
 * build? */
static bool is_stale(const struct grade *g, char culprit[SESSION_PATH])
{
    char source[SESSION_PATH], path[SESSION_PATH], lab[SESSION_PATH];
    struct timespec built = changed(g->subject);
    find_lab_directory(g, lab);
    join(culprit, lab, "lab.h", NULL, NULL);
    if (lab[0] && is_newer(changed(culprit), built))
        return true;
    absolute(g, g->submission, source);
    snprintf(culprit, SESSION_PATH, "%s", source);
    if (is_newer(changed(source), built))
        return true;
    char *slash = strrchr(source, '/');
    if (!slash)
        return false;
    *slash = 0;
    DIR *d = opendir(source);
    bool stale = false;
    for (struct dirent *e; d && !stale && (e = readdir(d)) != NULL;) {
        join(path, source, e->d_name, NULL, NULL);
        stale = is_taken(path, e->d_name) && is_newer(changed(path), built);
        if (stale)
            snprintf(culprit, SESSION_PATH, "%s", path);
    }
    if (d)
        closedir(d);
    return stale;
}

/* --subject: a program of any name, for the device that was built for last. */
static int find_program(struct grade *g)
{
    char folder[SESSION_PATH];
    find_last(g, folder);
    snprintf(g->submission, sizeof g->submission, "%s", g->subject_option);
    if (realpath(g->subject_option, g->subject))
        return 0;
    fprintf(stderr, "--subject %s: %s\n", g->subject_option, strerror(errno));
    return GRADE_USAGE;
}

/* --submission, or what was built last. */
static int find_submission(struct grade *g)
{
    char folder[SESSION_PATH] = "", culprit[SESSION_PATH];
    struct timespec newest = {0, 0};
    for (int d = 0; g->submission_option && d < 2; d++)
        if (!g->device_option || (int)g->device == d)
            find_asked(g, (enum session_device)d, folder, &newest);
    if (g->submission_option && !folder[0])
        return submission_not_built(g);
    if (!folder[0] && !find_last(g, folder))
        return not_built(g);
    join(g->subject, folder, "subject", NULL, NULL);
    if (!exists(g->subject))
        return not_built(g);
    read_submission(folder, g->submission);
    if (g->submission[0] && is_stale(g, culprit)) {
        culprit[plain_text(culprit, strlen(culprit))] = 0;
        fprintf(stderr, "%s was changed after %s was built. Next: make %s%s, then grade again\n",
                culprit, g->lab, g->lab, chosen(g));
        return GRADE_USAGE;
    }
    return 0;
}

static int find_build(struct grade *g)
{
    if (!exists(g->suite))
        return not_built(g);
    g->device = g->device_option && strcmp(g->device_option, "gpu") == 0 ? DEVICE_GPU : DEVICE_SIM;
    int status = g->subject_option ? find_program(g) : find_submission(g);
    char lab[SESSION_PATH];
    join(lab, g->build, device_words[g->device], g->lab, NULL);
    join(g->reference, lab, "solution", "subject", NULL);
    return status;
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

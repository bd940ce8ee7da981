/* grade_find.c: which build of the lab is meant, and whether it is fresh. */
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

static struct timespec changed(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? st.st_mtim : (struct timespec){0, 0};
}

static bool is_newer(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

bool grade_came_after(const char *path, struct timespec when)
{
    struct stat st;
    return stat(path, &st) == 0 && (is_newer(st.st_mtim, when) || is_newer(st.st_ctim, when));
}

/* The last line of build/<device>/labNN/NAME/submission: what NAME was built from. */
static void read_submission(const char *folder, char out[SESSION_PATH])
{
    char path[SESSION_PATH];
    grade_join(path, folder, "submission", NULL, NULL);
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
        grade_join(out, g->root, path, NULL, NULL);
}

/* build/labNN is a link to what `make labNN` built last: sim/lab03/yours. */
static bool find_last(struct grade *g, char folder[SESSION_PATH])
{
    char path[SESSION_PATH], to[SESSION_PATH];
    grade_join(path, g->build, g->lab, NULL, NULL);
    ssize_t n = readlink(path, to, sizeof to - 1);
    if (n <= 0)
        return false;
    to[n] = 0;
    enum session_device device = strncmp(to, "gpu/", 4) == 0 ? DEVICE_GPU : DEVICE_SIM;
    if (g->device_option && device == DEVICE_GPU && g->device == DEVICE_SIM) {
        memcpy(to, "sim", 3); /* its twin */
        device = DEVICE_SIM;
    }
    if (g->device_option && device != g->device)
        return false;
    g->device = device;
    grade_join(folder, g->build, to, NULL, NULL);
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

/* The newest of this device's builds that --submission may mean. */
static bool find_asked(struct grade *g, enum session_device device, char found[SESSION_PATH])
{
    char lab[SESSION_PATH], folder[SESSION_PATH], subject[SESSION_PATH];
    struct timespec newest = {0, 0};
    grade_join(lab, g->build, device_words[device], g->lab, NULL);
    DIR *d = opendir(lab);
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        grade_join(folder, lab, e->d_name, NULL, NULL);
        grade_join(subject, folder, "subject", NULL, NULL);
        if (!is_newer(changed(subject), newest) || !is_asked_for(g, folder, e->d_name))
            continue;
        newest = changed(subject);
        snprintf(found, SESSION_PATH, "%s", folder);
    }
    if (d)
        closedir(d);
    if (found[0])
        g->device = device;
    return found[0] != 0;
}

/* --submission: for the device of --device; else for the one that was built for last, or another.
 */
static bool find_asked_or_other(struct grade *g, char found[SESSION_PATH])
{
    char last[SESSION_PATH];
    find_last(g, last);
    const enum session_device first = g->device,
                              other = first == DEVICE_SIM ? DEVICE_GPU : DEVICE_SIM;
    return find_asked(g, first, found) || (!g->device_option && find_asked(g, other, found));
}

/* `n` bytes as a shell is to be given them: in quotes where it would read something else. */
static void quote(char *out, const char *text, size_t n)
{
    const bool bare = strcspn(text, " \t'\"`$&|;<>(){}[]*?!#~\\") >= n;
    if (!bare)
        *out++ = '\'';
    for (size_t i = 0; i < n; i++)
        out = stpcpy(out, text[i] == '\'' ? "'\\''" : (char[]){text[i], 0});
    snprintf(out, 2, "%s", bare ? "" : "'");
}

const char *grade_chosen(const struct grade *g)
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

/* Of names that mean themselves in makefiles, shells and terminals. */
static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

/* Is this a file that a build takes (grader/labs/intake.sh)? */
static bool is_taken(const char *path, const char *name)
{
    size_t n = strlen(name);
    struct stat st;
    bool header = n > 2 && strcmp(name + n - 2, ".h") == 0 && strspn(name, plain) == n &&
                  strcmp(name, "lab.h") != 0;
    return (header || strcmp(name, "lab.c") == 0 || strcmp(name, "lab.cu") == 0) &&
           lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool was_written_after(const char *path, struct timespec when)
{
    return is_newer(changed(path), when);
}

/* The folder of the program that is judged: "yours", "solution", … */
static void build_name(const struct grade *g, char out[SESSION_PATH])
{
    grade_subject_directory(g, out);
    const char *slash = strrchr(out, '/');
    if (slash)
        memmove(out, slash + 1, strlen(slash));
}

/* The copy that the program was made from (grader/labs/intake.sh). */
static void copy_of(const struct grade *g, const char *ending, char out[SESSION_PATH])
{
    char name[SESSION_PATH];
    build_name(g, name);
    snprintf(out, SESSION_PATH, "%s/build/intake/%s%s", g->root,
             strcmp(name, "yours") == 0 ? g->lab : name, ending);
}

/* What was saved before is in the program. The file is written before the copy: what was saved
 * during a build is not in it. */
static struct timespec built(const struct grade *g)
{
    char path[SESSION_PATH];
    copy_of(g, ".from", path);
    const struct timespec program = changed(g->subject), copy = changed(path);
    return exists(path) && is_newer(program, copy) ? copy : program;
}

/* Did the submission's source, a .c, .cu or .h beside it, or the lab's own lab.h come after the
 * build? */
static bool is_stale(const struct grade *g, char culprit[SESSION_PATH],
                     bool (*came_after)(const char *path, struct timespec when))
{
    char source[SESSION_PATH], path[SESSION_PATH], lab[SESSION_PATH];
    const struct timespec when = built(g);
    grade_lab_directory(g, lab);
    grade_join(culprit, lab, "lab.h", NULL, NULL);
    if (lab[0] && came_after(culprit, when))
        return true;
    absolute(g, g->submission, source);
    snprintf(culprit, SESSION_PATH, "%s", source);
    if (came_after(source, when))
        return true;
    char *slash = strrchr(source, '/');
    if (!slash)
        return false;
    *slash = 0;
    DIR *d = opendir(source);
    bool stale = false;
    for (struct dirent *e; d && !stale && (e = readdir(d)) != NULL;) {
        grade_join(path, source, e->d_name, NULL, NULL);
        stale = is_taken(path, e->d_name) && came_after(path, when);
        if (stale)
            snprintf(culprit, SESSION_PATH, "%s", path);
    }
    if (d)
        closedir(d);
    return stale;
}

/* Has the copy a file that the lab's folder no longer has? */
static bool misses_file(const struct grade *g)
{
    char copy[SESSION_PATH], lab[SESSION_PATH], path[SESSION_PATH];
    bool misses = false;
    copy_of(g, "", copy);
    grade_lab_directory(g, lab);
    DIR *d = opendir(copy);
    for (struct dirent *e; d && !misses && (e = readdir(d)) != NULL;) {
        grade_join(path, lab, e->d_name, NULL, NULL);
        misses = !exists(path);
    }
    if (d)
        closedir(d);
    return misses;
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

static bool is_yours(const char *folder)
{
    const char *name = strrchr(folder, '/');
    return name && strcmp(name, "/yours") == 0;
}

/* Did the learner save the lab's file after another one was chosen, by build/labNN? */
static bool is_edited_since(const char *lab, const char *link)
{
    static const char *const names[] = {"lab.c", "lab.cu"};
    char path[SESSION_PATH];
    struct stat st;
    bool edited = false;
    if (lstat(link, &st) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        grade_join(path, lab, names[i], NULL, NULL);
        edited |= is_newer(changed(path), st.st_mtim);
    }
    return edited;
}

/* Not in a bundle: there, dates of files say nothing. */
static bool can_build(const struct grade *g)
{
    char makefile[SESSION_PATH];
    grade_join(makefile, g->root, "Makefile", NULL, NULL);
    return exists(makefile);
}

/* Is the learner's own lab meant: built last or edited since, or nothing was built? Known where
   make can build it. */
static bool is_own(const struct grade *g)
{
    char path[SESSION_PATH], to[SESSION_PATH], lab[SESSION_PATH];
    grade_join(path, g->root, "build", NULL, NULL);
    grade_lab_directory(g, lab);
    if (g->submission_option || !lab[0] || !can_build(g) || strcmp(path, g->build) != 0)
        return false;
    grade_join(path, g->build, g->lab, NULL, NULL);
    ssize_t n = readlink(path, to, sizeof to - 1);
    if (n < 0)
        return true;
    to[n] = 0;
    return is_yours(to) || is_edited_since(lab, path);
}

/* A program for a GPU: is there the same for the simulated device? */
static bool has_twin(const struct grade *g)
{
    char twin[SESSION_PATH];
    snprintf(twin, sizeof twin, "%s", g->subject);
    return grade_twin(g, twin) && exists(twin);
}

/* Without --device, or with both, what is built for a GPU is judged by both devices. */
static bool is_for_both(const struct grade *g)
{
    return g->both || (g->device == DEVICE_GPU && !g->device_option);
}

static bool is_there(const struct grade *g)
{
    return exists(g->subject) && (!is_for_both(g) || has_twin(g));
}

static bool is_fresh(struct grade *g)
{
    char folder[SESSION_PATH], culprit[SESSION_PATH];
    if (!exists(g->suite) || !find_last(g, folder) || !is_yours(folder))
        return false;
    grade_join(g->subject, folder, "subject", NULL, NULL);
    read_submission(folder, g->submission);
    return is_there(g) && !is_stale(g, culprit, grade_came_after) && !misses_file(g);
}

/* --submission, or what was built last. */
static int find_submission(struct grade *g)
{
    char folder[SESSION_PATH] = "", culprit[SESSION_PATH];
    int failed = is_own(g) && !is_fresh(g) ? grade_build(g) : 0;
    if (failed)
        return failed;
    if (g->submission_option && !find_asked_or_other(g, folder))
        return submission_not_built(g);
    if (!folder[0] && !find_last(g, folder))
        return not_built(g);
    grade_join(g->subject, folder, "subject", NULL, NULL);
    if (!is_there(g))
        return not_built(g);
    read_submission(folder, g->submission);
    if (g->submission[0] && can_build(g) && is_stale(g, culprit, was_written_after)) {
        culprit[plain_text(culprit, strlen(culprit))] = 0;
        fprintf(stderr, "%s was changed after %s was built. Next: make %s%s, then grade again\n",
                culprit, g->lab, g->lab, grade_chosen(g));
        return GRADE_USAGE;
    }
    return 0;
}

static int find_build(struct grade *g)
{
    g->device = g->device_option && strcmp(g->device_option, "gpu") == 0 ? DEVICE_GPU : DEVICE_SIM;
    int status = g->subject_option ? find_program(g) : find_submission(g);
    if (!status && !exists(g->suite))
        status = not_built(g);
    char lab[SESSION_PATH];
    grade_join(lab, g->build, device_words[g->device], g->lab, NULL);
    grade_join(g->reference, lab, "solution", "subject", NULL);
    if (!status && g->both && !has_twin(g)) {
        fprintf(stderr, "%s is built for one device only. Next: --device gpu\n", g->submission);
        status = GRADE_USAGE;
    }
    g->both = is_for_both(g) && has_twin(g);
    return status;
}

int grade_find(struct grade *g)
{
    char why[256];
    int status = find_build(g);
    if (status)
        return status;
    if (!grade_device_name(g, why, sizeof why)) {
        fprintf(stderr,
                "the GPU cannot be used (%s), and this build of %s is for one.\nNext: make %s "
                "DEVICE=sim, and ./grade %s grades it on the simulated device\n",
                why, g->lab, g->lab, g->lab);
        return GRADE_BROKEN;
    }
    if (g->both)
        grade_card(g);
    return 0;
}

void grade_again(const struct grade *g, char command[GRADE_COMMAND])
{
    char name[SESSION_PATH];
    const char *option = g->subject_option ? " --subject " : " --submission ",
               *what = g->subject_option ? g->subject_option : g->submission_option;
    if (g->debugged && g->check) {
        snprintf(command, GRADE_COMMAND, "build/debug/%s %s %llu", g->lab, g->check,
                 (unsigned long long)g->seed);
        return;
    }
    build_name(g, name);
    char *end = command + sprintf(command, "./grade %s", g->lab);
    if (!what && !grade_is_own(g))
        what = name;
    if (what)
        quote(stpcpy(end, option), what, strnlen(what, SESSION_PATH - 1));
    end = command + plain_text(command, strlen(command));
    sprintf(end, " --seed %llu", (unsigned long long)g->seed);
}

void grade_picture(const struct grade *g, char name[GRADE_PICTURE])
{
    char build[SESSION_PATH];
    build_name(g, build);
    for (char *c = build; *c; c++)
        if (!strchr(plain, *c))
            *c = '_';
    const bool own = grade_is_own(g);
    snprintf(name, GRADE_PICTURE, "%.32s%s%.100s", g->lab, own ? "" : "-", own ? "" : build);
}

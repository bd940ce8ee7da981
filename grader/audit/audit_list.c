/* audit_list.c: which labs and known submissions there are, and which of them are wanted. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "audit.h"

static bool is_wanted(const char *lab, const char *name, char *const wanted[])
{
    if (!wanted[0])
        return true;
    for (; *wanted; wanted++) {
        size_t n = strcspn(*wanted, "/");
        if (strlen(lab) != n || strncmp(*wanted, lab, n) != 0)
            continue;
        if ((*wanted)[n] == 0)
            return true;
        if (strcmp(*wanted + n + 1, name) == 0)
            return true;
    }
    return false;
}

static void add(struct audit_lab *lab, const char *name, enum audit_kind kind, char *const wanted[])
{
    if (!is_wanted(lab->name, name, wanted))
        return;
    if (lab->n_submissions == AUDIT_SUBMISSIONS) {
        fprintf(stderr, "%s has more submissions than the audit has room for\n", lab->name);
        exit(2);
    }
    struct audit_submission *s = &lab->submissions[lab->n_submissions++];
    *s = (struct audit_submission){.kind = kind, .exit_status = -1};
    snprintf(s->name, sizeof s->name, "%s", name);
}

/* The known submissions of grader/labs/labNN/wrong or grader/labs/labNN/right. */
static void add_known(struct audit_lab *lab, const char *which, enum audit_kind kind,
                      char *const wanted[])
{
    char path[PATH_MAX];
    struct dirent **entries;
    snprintf(path, sizeof path, "%.3000s/grader/labs/%.64s/%s", audit_root(), lab->name, which);
    int n = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        if (entries[i]->d_name[0] != '.')
            add(lab, entries[i]->d_name, kind, wanted);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

/* The lab with its table and submissions; NULL: nothing of it is wanted. */
static struct audit_lab *list(const char *name, const char *device, char *const wanted[])
{
    char path[PATH_MAX];
    struct audit_lab *lab = calloc(1, sizeof *lab);
    if (!lab) {
        fprintf(stderr, "audit: out of memory\n");
        exit(2);
    }
    lab->device = device;
    snprintf(lab->name, sizeof lab->name, "%s", name);
    add(lab, "solution", AUDIT_SOLUTION, wanted);
    add_known(lab, "right", AUDIT_RIGHT, wanted);
    add(lab, "starter", AUDIT_STARTER, wanted);
    add_known(lab, "wrong", AUDIT_WRONG, wanted);
    if (lab->n_submissions == 0) {
        free(lab);
        return NULL;
    }
    snprintf(path, sizeof path, "%.3000s/build/grader/gen/labs/%.64s/expected.tsv", audit_root(),
             name);
    lab->problems = !audit_table_read(&lab->table, path);
    return lab;
}

int audit_list(struct audit_lab *labs[AUDIT_LABS], const char *device, char *const wanted[])
{
    char path[PATH_MAX];
    struct dirent **entries;
    int n_labs = 0;
    snprintf(path, sizeof path, "%.4000s/grader/labs", audit_root());
    int n = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        bool is_lab = entries[i]->d_type == DT_DIR && entries[i]->d_name[0] != '.';
        if (is_lab && n_labs < AUDIT_LABS)
            labs[n_labs] = list(entries[i]->d_name, device, wanted);
        if (is_lab && n_labs < AUDIT_LABS && labs[n_labs])
            n_labs++;
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return n_labs;
}

void audit_thin(struct audit_lab *lab, int most_wrong)
{
    int n = 0, seen = 0, kept = 0;
    for (int i = 0; i < lab->n_submissions; i++)
        n += lab->submissions[i].kind == AUDIT_WRONG &&
             audit_own_check(lab, lab->submissions[i].name);
    for (int i = 0; i < lab->n_submissions; i++) {
        const struct audit_submission s = lab->submissions[i];
        bool take = s.kind != AUDIT_WRONG;
        if (!take && audit_own_check(lab, s.name)) {
            /* the k-th of `most_wrong` parts begins here */
            take = n <= most_wrong || (seen + 1) * most_wrong / n > seen * most_wrong / n;
            seen++;
        }
        if (take)
            lab->submissions[kept++] = s;
    }
    lab->n_submissions = kept;
}

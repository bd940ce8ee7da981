/*
 * ask.c: asks the device every situation and prints `situation<TAB>answer`; with a table, only what
 * does not fit it. NVIDIA's runtime may crash where the table says that it does, the simulated one
 * never.
 *
 *     ask               all answers (how situations_h200.tsv was made, on an H200)
 *     ask --table FILE  exits 1 if any answer is not the table's (make semantics)
 *     ask --only TEXT   only the situations of files whose names contain it
 *     ask --without FILE  only the situations that the table FILE has no answer for
 *     ask --jobs N      N at a time (8)
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "situations.h"

static int usage(void)
{
    fprintf(stderr, "usage: ask [--table FILE] [--only TEXT] [--without FILE] [--jobs N]\n");
    return 2;
}

/* How many answers are not the table's, of those that it has. */
static int compare(const struct answered *list, int n, const char *table)
{
    int differ = 0, unknown = 0;
    bool simulated = dlsym(RTLD_DEFAULT, "simgpu_findings") != NULL;
    for (int i = 0; i < n; i++) {
        char want[ANSWER_BYTES];
        const char *words = list[i].situation->words;
        if (!situation_expected(table, words, want)) {
            unknown++;
        } else if (!situation_fits(list[i].text, want) &&
                   (simulated || strcmp(list[i].text, want) != 0)) {
            printf("%s\n    got  %s\n    want %s\n", words, list[i].text, want);
            differ++;
        }
    }
    printf("%d situations asked, %d answers do not fit", n - unknown, differ);
    printf(unknown ? "; %d more are not in the table\n" : "\n", unknown);
    return differ;
}

static bool is_wanted(const struct situation *s, const char *only, const char *without)
{
    char known[ANSWER_BYTES];
    return strstr(s->file, only) && !(without && situation_expected(without, s->words, known));
}

int main(int argc, char **argv)
{
    const char *table = NULL, *only = "", *without = NULL;
    int jobs = 8, n = 0, differ = 0;
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 < argc && strcmp(argv[i], "--table") == 0)
            table = argv[i + 1];
        else if (i + 1 < argc && strcmp(argv[i], "--only") == 0)
            only = argv[i + 1];
        else if (i + 1 < argc && strcmp(argv[i], "--without") == 0)
            without = argv[i + 1];
        else if (i + 1 >= argc || strcmp(argv[i], "--jobs") != 0 || (jobs = atoi(argv[i + 1])) < 1)
            return usage();
    }
    for (const struct situation *s = situations; s; s = s->next)
        n += is_wanted(s, only, without);
    struct answered *list = calloc((size_t)n, sizeof *list), *a = list;
    if (!list)
        return 1;
    for (const struct situation *s = situations; s; s = s->next)
        if (is_wanted(s, only, without))
            a++->situation = s;
    situations_ask(list, n, jobs);
    if (table)
        differ = compare(list, n, table);
    for (int i = 0; i < n && !table; i++)
        printf("%s\t%s\n", list[i].situation->words, list[i].text);
    free(list);
    return differ ? 1 : 0;
}

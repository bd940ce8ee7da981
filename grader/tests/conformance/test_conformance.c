/* test_conformance.c: the simulated device answers every row of the corpus as a real H200 did. */
#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "situation.h"

/* All rows, and how many there are. */
static struct answered *all_rows(int *n)
{
    *n = (int)(__stop_situations - __start_situations);
    struct answered *list = calloc((size_t)*n, sizeof *list), *a = list;
    cr_assert(list && *n > 0);
    for (const struct situation *const *s = __start_situations; s < __stop_situations; s++)
        (a++)->situation = *s;
    return list;
}

Test(conformance, every_row_is_answered_as_expected)
{
    int n;
    struct answered *list = all_rows(&n);
    situations_ask(list, n, 2 * (int)sysconf(_SC_NPROCESSORS_ONLN));
    for (int i = 0; i < n; i++) {
        const struct situation *s = list[i].situation;
        char want[ANSWER_BYTES];
        situation_expected(s, want);
        cr_expect_str_eq(list[i].text, want, "%s:%d: %s\n--- expected\n%s\n--- actual\n%s", s->file,
                         s->line, s->text[0], want, list[i].text);
    }
    for (const struct answer_place *p = __start_answer_places; p < __stop_answer_places; p++)
        cr_expect(answer_place_was_reached(p),
                  "%s:%d: no row reaches the value that is expected here", p->file, p->line);
    free(list);
}

/* A file that is not linked would look like a test and be none. */
Test(conformance, every_file_of_the_corpus_is_asked)
{
    glob_t files;
    cr_assert_eq(glob("grader/tests/conformance/corpus/*.c", 0, NULL, &files), 0,
                 "tests run from the root of the repository");
    for (size_t i = 0; i < files.gl_pathc; i++) {
        bool is_asked = false;
        for (const struct situation *const *s = __start_situations; s < __stop_situations; s++)
            is_asked = is_asked || strcmp((*s)->file, files.gl_pathv[i]) == 0;
        cr_expect(is_asked, "%s: no row of it is asked", files.gl_pathv[i]);
    }
    globfree(&files);
}

/* Each call of api/calls.def occurs in a row, or in what rows are made of. */
Test(conformance, every_modeled_call_is_asked)
{
    static const char *const calls[] = {
#define CALL(name, cost, rules) #name "(",
#include "api/calls.def"
#undef CALL
    };
    static char sources[4 << 20];
    size_t n = 0;
    FILE *from =
        popen("cat grader/tests/conformance/*.[ch] grader/tests/conformance/corpus/*.c", "r");
    cr_assert(from);
    n = fread(sources, 1, sizeof sources - 1, from);
    cr_assert(pclose(from) == 0 && n < sizeof sources - 1);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        cr_expect(strstr(sources, calls[i]), "%s...) is modeled, and no situation calls it",
                  calls[i]);
}

static int by_words(const void *a, const void *b)
{
    const struct answered *x = a, *y = b;
    return strcmp(x->situation->text[0], y->situation->text[0]);
}

Test(conformance, no_two_rows_have_the_same_words)
{
    int n;
    struct answered *list = all_rows(&n);
    qsort(list, (size_t)n, sizeof *list, by_words);
    for (int i = 1; i < n; i++)
        cr_expect(by_words(&list[i - 1], &list[i]) != 0, "%s:%d and %s:%d have the same words",
                  list[i - 1].situation->file, list[i - 1].situation->line, list[i].situation->file,
                  list[i].situation->line);
    free(list);
}

/* A part that succeeded is not written: it would never be compared. */
Test(conformance, every_row_expects_labeled_parts)
{
    for (const struct situation *const *at = __start_situations; at < __stop_situations; at++) {
        const struct situation *s = *at;
        const char *const *part = s->text + 1 + situation_crashes_on_gpu(s);
        for (; *part; part++) {
            const char *label_end = strstr(*part, ": ");
            cr_expect(label_end && label_end > *part, "%s:%d: '%s' has no label", s->file, s->line,
                      *part);
            cr_expect(!label_end || strcmp(label_end, ": Success") != 0,
                      "%s:%d: leave out '%s': a part that is not expected succeeds", s->file,
                      s->line, *part);
            cr_expect(strncmp(*part, "could not be asked", 18) != 0, "%s:%d expects no answer",
                      s->file, s->line);
        }
    }
}

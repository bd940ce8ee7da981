/* ask.c: asks the device every row of the corpus and prints where it answers otherwise (make
 * semantics). Rows that crash on a GPU are not compared there, nor rows that need more devices than
 * there are. Exits 1 if any answer differs.
 *
 *     ask [--rows] [--only TEXT] [--jobs N]
 *
 * --rows prints the head of each row, with all answers that its calls do not expect; --only asks
 * only the rows whose file or words contain TEXT; --jobs asks N at a time (8). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "situation.h"

/* As a C string. */
static void print_string(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (strchr("\"\\", *text))
            putchar('\\');
        putchar(*text);
    }
    putchar('"');
}

static void print_row(const struct answered *a)
{
    char text[ANSWER_BYTES];
    strcpy(text, a->text);
    printf("SITUATION(");
    print_string(a->situation->text[0]);
    if (situation_crashes_on_gpu(a->situation))
        printf(", CRASHES_ON_GPU");
    for (char *part = strtok(text, "\n"); part; part = strtok(NULL, "\n")) {
        printf(",\n          ");
        print_string(part);
    }
    printf(")\n");
}

/* Does the device answer otherwise than expected? Prints it if so. */
static bool differs(const struct answered *a)
{
    char want[ANSWER_BYTES];
    if (!clock_is_virtual() && situation_crashes_on_gpu(a->situation))
        return false;
    situation_expected(a->situation, want);
    if (strcmp(a->text, want) == 0 || strcmp(a->text, NOT_ASKED) == 0)
        return false;
    printf("%s:%d: %s\n--- expected\n%s\n--- actual\n%s\n\n", a->situation->file,
           a->situation->line, a->situation->text[0], want, a->text);
    return true;
}

static bool is_wanted(const struct situation *s, const char *only)
{
    return strstr(s->file, only) || strstr(s->text[0], only);
}

static int ask(const char *only, int jobs, bool rows)
{
    int n = 0, n_differ = 0;
    for (const struct situation *const *s = __start_situations; s < __stop_situations; s++)
        n += is_wanted(*s, only);
    struct answered *list = calloc((size_t)n + 1, sizeof *list), *a = list;
    if (!list)
        return 1;
    for (const struct situation *const *s = __start_situations; s < __stop_situations; s++)
        if (is_wanted(*s, only))
            (a++)->situation = *s;
    situations_ask(list, n, jobs);
    for (int i = 0; i < n; i++) {
        if (rows)
            print_row(&list[i]);
        else
            n_differ += differs(&list[i]);
    }
    if (!rows)
        printf("%d rows asked, %d answers differ\n", n, n_differ);
    free(list);
    return n_differ > 0;
}

int main(int argc, char **argv)
{
    const char *only = "";
    int jobs = 8;
    bool rows = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--rows") == 0) {
            rows = true;
        } else if (i + 1 < argc && strcmp(argv[i], "--only") == 0) {
            only = argv[++i];
        } else if (i + 1 >= argc || strcmp(argv[i], "--jobs") != 0 ||
                   (jobs = atoi(argv[++i])) < 1) {
            fprintf(stderr, "usage: ask [--rows] [--only TEXT] [--jobs N]\n");
            return 2;
        }
    }
    return ask(only, jobs, rows);
}

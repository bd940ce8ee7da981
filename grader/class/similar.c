/*
 * similar.c: finds submissions that have much of their text in common.
 *
 *     similar GIVEN PERCENT <list      list: NAME, TAB, PATH, line feed for each submission
 *
 * Prints a line for each pair that shares at least PERCENT of the smaller one: the share, both
 * names, with tabs between them. The text of the file GIVEN, which everybody has, does not count.
 *
 * Winnowing (Schleimer, Wilkerson and Aiken, SIGMOD 2003): of all hashes of GRAM tokens in a row,
 * each window of WINDOW hashes keeps its smallest one. So a common part of GRAM + WINDOW - 1 tokens
 * is found with certainty, and one of fewer than GRAM tokens never. Comments and spaces do not
 * count, every number is the same token, and so is every name that is no word of C or CUDA.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRAM = 12, WINDOW = 8, MOST_BYTES = 1 << 20, MOST_TOKENS = 1 << 18, FEWEST = 5 };

struct prints {
    char *name;
    uint64_t *hashes; /* in order, each once */
    int n;
};

static _Noreturn void give_up(const char *what)
{
    perror(what);
    exit(2);
}

static uint64_t mix(uint64_t hash, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static const char *skip_blank(const char *c)
{
    for (;;) {
        const char *end = NULL;
        if (isspace((unsigned char)*c)) {
            c++;
            continue;
        } else if (c[0] == '/' && c[1] == '/') {
            end = strchr(c, '\n');
        } else if (c[0] == '/' && c[1] == '*') {
            end = strstr(c + 2, "*/");
            end = end ? end + 2 : NULL;
        } else {
            return c;
        }
        c = end ? end : c + strlen(c);
    }
}

/* Names that a student chooses are all alike; those of C and CUDA are not. */
static bool is_kept(const char *word, size_t n)
{
    static const char *const kept[] = {"if",   "else",   "for",    "while", "do",     "switch",
                                       "case", "return", "static", "const", "struct", "sizeof",
                                       "int",  "float",  "void",   "break", "goto",   "continue"};
    if ((n > 4 && memcmp(word, "cuda", 4) == 0) || (n > 7 && memcmp(word, "launch_", 7) == 0))
        return true;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (strlen(kept[i]) == n && memcmp(word, kept[i], n) == 0)
            return true;
    return false;
}

static size_t span(const char *c)
{
    size_t n = 1;
    if (isalnum((unsigned char)*c) || *c == '_') {
        while (isalnum((unsigned char)c[n]) || c[n] == '_')
            n++;
    } else if (*c == '"' || *c == '\'') {
        while (c[n] && c[n] != *c && c[n] != '\n')
            n += c[n] == '\\' && c[n + 1] ? 2 : 1;
        n += c[n] == *c;
    }
    return n;
}

static int tokens(const char *text, uint64_t out[MOST_TOKENS])
{
    int n = 0;
    for (const char *c = skip_blank(text); *c && n < MOST_TOKENS; c = skip_blank(c)) {
        const size_t length = span(c);
        const bool is_name = isalpha((unsigned char)*c) || *c == '_';
        if (isdigit((unsigned char)*c))
            out[n++] = 1;
        else if (is_name && !is_kept(c, length))
            out[n++] = 2;
        else
            out[n++] = mix(UINT64_C(0xcbf29ce484222325), c, length);
        c += length;
    }
    return n;
}

/* ---- fingerprints ---------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Of the hashes of all grams, those that are the smallest in a window; all of a short text. */
static void winnow(struct prints *p, const uint64_t *token, int n_tokens)
{
    const int n_grams = n_tokens - GRAM + 1;
    int last = -1, n = 0;
    uint64_t *gram = calloc((size_t)(n_grams > 0 ? n_grams : 1), sizeof *gram);
    p->hashes = calloc((size_t)(n_grams > 0 ? n_grams : 1), sizeof *p->hashes);
    if (!gram || !p->hashes)
        give_up("similar");
    for (int i = 0; i < n_grams; i++)
        gram[i] = mix(0, (const char *)(token + i), GRAM * sizeof *token);
    for (int first = 0; first + WINDOW <= n_grams; first++) {
        int least = first;
        for (int i = first; i < first + WINDOW; i++)
            least = gram[i] <= gram[least] ? i : least;
        if (least != last)
            p->hashes[n++] = gram[last = least];
    }
    free(gram);
    qsort(p->hashes, (size_t)n, sizeof *p->hashes, by_value);
    for (int i = 0; i < n; i++)
        if (i == 0 || p->hashes[i] != p->hashes[i - 1])
            p->hashes[p->n++] = p->hashes[i];
}

static struct prints take(const char *name, const char *path)
{
    static char text[MOST_BYTES + 1];
    static uint64_t token[MOST_TOKENS];
    struct prints p = {.name = strdup(name)};
    FILE *from = fopen(path, "r");
    if (!from || !p.name)
        give_up(path);
    text[fread(text, 1, MOST_BYTES, from)] = 0;
    fclose(from);
    winnow(&p, token, tokens(text, token));
    return p;
}

static int common(const struct prints *a, const struct prints *b)
{
    int n = 0;
    for (int i = 0, k = 0; i < a->n && k < b->n;) {
        n += a->hashes[i] == b->hashes[k];
        const bool next = a->hashes[i] <= b->hashes[k];
        k += b->hashes[k] <= a->hashes[i];
        i += next;
    }
    return n;
}

static void remove_given(struct prints *p, const struct prints *given)
{
    int n = 0;
    for (int i = 0; i < p->n; i++)
        if (!bsearch(&p->hashes[i], given->hashes, (size_t)given->n, sizeof *p->hashes, by_value))
            p->hashes[n++] = p->hashes[i];
    p->n = n;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static struct prints *read_list(const struct prints *given, int *n)
{
    struct prints *all = NULL;
    char *line = NULL;
    size_t room = 0;
    for (*n = 0; getline(&line, &room, stdin) > 0;) {
        char *tab = strchr(line, '\t');
        line[strcspn(line, "\n")] = 0;
        if (!tab)
            continue;
        *tab = 0;
        all = realloc(all, ((size_t)*n + 1) * sizeof *all);
        if (!all)
            give_up("similar");
        all[*n] = take(line, tab + 1);
        remove_given(&all[(*n)++], given);
    }
    free(line);
    return all;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: similar GIVEN PERCENT <list\n");
        return 2;
    }
    int n;
    const struct prints given = take("given", argv[1]);
    const int percent = atoi(argv[2]);
    const struct prints *all = read_list(&given, &n);
    for (int i = 0; i < n; i++) {
        for (int k = i + 1; k < n; k++) {
            const int least = all[i].n < all[k].n ? all[i].n : all[k].n;
            const int shared = least >= FEWEST ? 100 * common(&all[i], &all[k]) / least : 0;
            if (least >= FEWEST && shared >= percent)
                printf("%d\t%s\t%s\n", shared, all[i].name, all[k].name);
        }
    }
    return fflush(stdout) == 0 ? 0 : 2;
}

/* similar.c: finds submissions that have much of their own text in common.
 *
 *     similar PERCENT FOLDER <list     list: NAME, TAB, TITLE, TAB, SOURCE, TAB, TEXT for each
 *
 * SOURCE is what was handed in, TEXT the same after the preprocessor, with its line numbers. The
 * first of the list is the starter and the second one the solution: what these have counts for
 * nobody. Prints lines of words with tabs between them:
 *
 *     pairs N...           how many pairs share 0 to 9, 10 to 19, ... and 100 percent
 *     group SHARE NAME...  submissions that are linked by shares of at least PERCENT, the largest
 *                          first, and FOLDER/1.html, FOLDER/2.html, ... show their sources
 *     like SHARE NAME      has so much of the solution's own text
 *     long NAME            only the first MOST_BYTES of its text were compared
 *
 * Winnowing (Schleimer, Wilkerson and Aiken, SIGMOD 2003): of all hashes of GRAM tokens in a row,
 * each window of WINDOW hashes keeps its smallest one. So a common part of GRAM + WINDOW - 1 tokens
 * is found with certainty, and one of fewer than GRAM tokens never. Numbers, strings, loops, and
 * names that are no word of C or CUDA are alike; braces and qualifiers are no tokens. */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/plain_text.h"
#include "files/output.h"

/* FEWEST: with fewer prints of its own, a submission has no share; SHOWN: pairs of a group's page,
   and MOST_PAIRED tokens of each */
enum {
    GRAM = 12,
    WINDOW = 4,
    FEWEST = 12,
    MOST_BYTES = 1 << 20,
    MOST_TOKENS = MOST_BYTES,
    SHOWN = 60,
    MOST_PAIRED = 1 << 14
};

struct set {
    uint64_t *hashes; /* in order, each once */
    int n;
};

struct submission {
    char *name, *title, *source, *text;
    struct set prints;
    int group;   /* the number of an earlier one in its group, or its own */
    int largest; /* of the first one of a group: the largest share in it */
};

struct tokens {
    uint64_t token[MOST_TOKENS], gram[MOST_TOKENS];
    int line[MOST_TOKENS], n, n_grams;
    int tile[MOST_TOKENS]; /* the number of the equal part that a token is in, or 0 */
};

static _Noreturn void give_up(const char *what)
{
    perror(what);
    exit(2);
}

static void *room_for(size_t n, size_t bytes)
{
    void *room = calloc(n ? n : 1, bytes);
    if (!room)
        give_up("similar");
    return room;
}

static uint64_t mix(uint64_t hash, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static bool is_one_of(const char *word, size_t n, const char *words)
{
    for (const char *w = words; (w = strchr(w, ' ')) && *++w;)
        if (strncmp(w, word, n) == 0 && w[n] == ' ')
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
    } else if ((c[1] == '=' && strchr("+-*/%<>=!&|^", *c)) ||
               (c[1] == *c && strchr("+-&|<>", *c)) || (*c == '-' && c[1] == '>')) {
        n = 2;
    }
    return n;
}

/* 0: no token. Two names in a row, as in a declaration, are one. */
static uint64_t kind(const char *c, size_t n, uint64_t before)
{
    enum { NUMBER = 1, NAME, LOOP, STRING };
    if (isdigit((unsigned char)*c))
        return NUMBER;
    if (*c == '"')
        return STRING;
    if (*c == '{' || *c == '}')
        return 0;
    if (isalpha((unsigned char)*c) || *c == '_') {
        if (is_one_of(c, n,
                      " static const unsigned signed inline volatile register struct extern "
                      "restrict "))
            return 0;
        if (is_one_of(c, n, " for while do "))
            return LOOP;
        if (!is_one_of(c, n, " if else switch case return break continue goto sizeof ") &&
            strncmp(c, "cuda", 4) != 0 && strncmp(c, "launch_", 7) != 0)
            return before == NAME ? 0 : NAME;
    }
    return mix(UINT64_C(0xcbf29ce484222325), c, n);
}

/* Is it all of the file? */
static bool read_file(const char *path, char text[MOST_BYTES + 1])
{
    FILE *from = fopen(path, "r");
    if (!from)
        give_up(path);
    text[fread(text, 1, MOST_BYTES, from)] = 0;
    const bool is_all = getc(from) == EOF;
    fclose(from);
    return is_all;
}

/* The preprocessor says where what follows comes from: # LINE "FILE". Is it all of the text? */
static bool read_tokens(const char *path, struct tokens *t)
{
    static char text[MOST_BYTES + 1];
    const bool is_all = read_file(path, text);
    t->n = 0;
    int line = 1;
    for (const char *c = text; *c && t->n < MOST_TOKENS;) {
        if (*c == '#' && (c == text || c[-1] == '\n')) {
            line = atoi(c + 1);
            c += strcspn(c, "\n");
            c += *c != 0;
        } else if (isspace((unsigned char)*c)) {
            line += *c++ == '\n';
        } else {
            const size_t n = span(c);
            t->line[t->n] = line;
            t->token[t->n] = kind(c, n, t->n ? t->token[t->n - 1] : 0);
            t->n += t->token[t->n] != 0;
            c += n;
        }
    }
    t->n_grams = t->n >= GRAM ? t->n - GRAM + 1 : 0;
    for (int i = 0; i < t->n_grams; i++)
        t->gram[i] = mix(0, (const char *)(t->token + i), GRAM * sizeof *t->token);
    return is_all;
}

/* ---- sets of hashes -------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool has(const struct set *s, uint64_t hash)
{
    return bsearch(&hash, s->hashes, (size_t)s->n, sizeof hash, by_value) != NULL;
}

/* The grams that are the smallest of a window, or all of them; without those of up to two sets. */
static struct set prints(const struct tokens *t, int window, const struct set *without,
                         int n_without)
{
    struct set s = {room_for((size_t)t->n_grams, sizeof *s.hashes), 0};
    int n = 0, last = -1;
    for (int first = 0; first + window <= t->n_grams; first++) {
        int least = first;
        for (int i = first; i < first + window; i++)
            least = t->gram[i] <= t->gram[least] ? i : least;
        if (least != last)
            s.hashes[n++] = t->gram[last = least];
    }
    qsort(s.hashes, (size_t)n, sizeof *s.hashes, by_value);
    for (int i = 0; i < n; i++) {
        bool keep = i == 0 || s.hashes[i] != s.hashes[s.n - 1] || s.n == 0;
        for (int w = 0; keep && w < n_without; w++)
            keep = !has(&without[w], s.hashes[i]);
        if (keep)
            s.hashes[s.n++] = s.hashes[i];
    }
    return s;
}

static int common(const struct set *a, const struct set *b)
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

/* In percent of the smaller one; -1: too little to say. */
static int share(const struct set *a, const struct set *b)
{
    const int least = a->n < b->n ? a->n : b->n;
    return least < FEWEST ? -1 : 100 * common(a, b) / least;
}

/* ---- two sources side by side ---------------------------------------------------------------- */

/* Numbers the parts that both have, from left to right, each with its longest counterpart. */
static int find_tiles(struct tokens *a, struct tokens *b, const struct set *given)
{
    int n_tiles = 0;
    memset(a->tile, 0, sizeof a->tile);
    memset(b->tile, 0, sizeof b->tile);
    for (int i = 0; i < a->n_grams && i < MOST_PAIRED; i++) {
        int at = 0, longest = 0;
        if (has(&given[0], a->gram[i]) || has(&given[1], a->gram[i]))
            continue;
        for (int k = 0; k < b->n_grams && k < MOST_PAIRED; k++) {
            int n = 0;
            while (a->gram[i] == b->gram[k] && i + n < a->n && k + n < b->n &&
                   a->token[i + n] == b->token[k + n] && !b->tile[k + n])
                n++;
            if (n > longest)
                longest = n, at = k;
        }
        if (longest < GRAM)
            continue;
        n_tiles++;
        for (int k = 0; k < longest; k++)
            a->tile[i + k] = b->tile[at + k] = n_tiles;
        i += longest - 1;
    }
    return n_tiles;
}

/* The source with its lines that have equal parts marked, and linked to those on the other side. */
static void print_source(FILE *to, const struct submission *s, const struct tokens *t, int pair,
                         char side)
{
    static char text[MOST_BYTES + 1];
    read_file(s->source, text);
    fprintf(to, "<div><h3>");
    plain_write(to, PLAIN_HTML, s->title, strlen(s->title));
    fprintf(to, "</h3><pre>");
    int line = 1, k = 0, shown = 0;
    for (const char *c = text; *c; line++) {
        const size_t n = strcspn(c, "\n");
        int tile = 0;
        for (; k < t->n && t->line[k] <= line; k++)
            tile = t->line[k] == line && t->tile[k] && !tile ? t->tile[k] : tile;
        if (tile && tile > shown)
            fprintf(to, "<a id=\"%c%d_%d\" href=\"#%c%d_%d\">%d</a>", side, pair, tile,
                    side == 'a' ? 'b' : 'a', pair, tile, tile);
        shown = tile > shown ? tile : shown;
        fprintf(to, tile ? "<mark class=\"m%d\">" : "<span>", tile % 4);
        plain_write(to, PLAIN_HTML, c, n);
        fputs(tile ? "</mark>\n" : "</span>\n", to);
        c += n + (c[n] != 0);
    }
    fprintf(to, "</pre></div>\n");
}

static void print_pair(FILE *to, const struct submission *a, const struct submission *b,
                       const struct set *given, int pair)
{
    static struct tokens of_a, of_b;
    read_tokens(a->text, &of_a);
    read_tokens(b->text, &of_b);
    const int n = find_tiles(&of_a, &of_b, given);
    fprintf(to, "<h2>%d %%, %d equal part%s</h2>\n<div class=\"pair\">\n",
            share(&a->prints, &b->prints), n, n == 1 ? "" : "s");
    print_source(to, a, &of_a, pair, 'a');
    print_source(to, b, &of_b, pair, 'b');
    fprintf(to, "</div>\n");
}

static const char page_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
    "'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\"><meta name=\"color-scheme\" "
    "content=\"light dark\">\n"
    "<title>Submissions that resemble each other</title>\n<style>body{font:16px/1.5 "
    "system-ui,sans-serif;margin:1rem}"
    ".pair{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:1rem}"
    "pre{font-size:.8rem;line-height:1.35;overflow-x:auto;unicode-bidi:plaintext}pre a{float:right}"
    "mark{color:inherit;background:#56b4e955}.m1{background:#e69f0055}.m2{background:#009e7355}.m3{"
    "background:#cc79a755}"
    "@media(max-width:50rem){.pair{grid-template-columns:minmax(0,1fr)}}</style></head>\n<body>\n"
    "<h1>Submissions that resemble each other</h1>\n<p>Equal parts have the same number and color. "
    "Parts that the "
    "starter or the reference solution has, too, are not marked. Names, numbers, strings, types "
    "and the kind of a "
    "loop do not count.</p>\n";

/* Each member of a group beside the one before it that it shares most with. */
static void write_group(const char *path, const struct submission *all, const int *member, int n,
                        const struct set *given)
{
    struct output page;
    if (output_open(&page, path) != 0)
        give_up(path);
    FILE *to = page.to;
    fputs(page_head, to);
    for (int i = 1; i < n && i <= SHOWN; i++) {
        int nearest = 0;
        for (int k = 1; k < i; k++)
            if (share(&all[member[k]].prints, &all[member[i]].prints) >
                share(&all[member[nearest]].prints, &all[member[i]].prints))
                nearest = k;
        print_pair(to, &all[member[nearest]], &all[member[i]], given, i);
    }
    fputs("</body>\n</html>\n", to);
    if (output_close(&page) != 0)
        give_up(path);
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Sets given to all grams of starter and solution, and solution to the latter's own prints. */
static struct submission *read_list(int *n, struct set given[2], struct set *solution)
{
    static struct tokens t;
    struct submission *all = NULL;
    char *line = NULL;
    size_t room = 0;
    for (*n = 0; getline(&line, &room, stdin) > 0;) {
        char *rest = line;
        struct submission s = {.group = *n};
        char **const fields[] = {&s.name, &s.title, &s.source, &s.text};
        for (int i = 0; i < 4; i++)
            *fields[i] = strdup(rest ? strsep(&rest, "\t\n") : "");
        all = realloc(all, ((size_t)*n + 1) * sizeof *all);
        if (!all || !s.text)
            give_up("similar");
        if (!read_tokens(s.text, &t))
            printf("long\t%s\n", s.name);
        if (*n == 1)
            *solution = prints(&t, WINDOW, given, 1);
        if (*n < 2)
            given[*n] = prints(&t, 1, NULL, 0);
        else
            s.prints = prints(&t, WINDOW, given, 2);
        if (*n >= 2 && solution->n >= FEWEST) {
            struct set whole = prints(&t, WINDOW, given, 1);
            const int least = whole.n < solution->n ? whole.n : solution->n;
            printf("like\t%d\t%s\n", least < FEWEST ? 0 : 100 * common(&whole, solution) / least,
                   s.name);
            free(whole.hashes);
        }
        all[(*n)++] = s;
    }
    free(line);
    return all;
}

static int group_of(const struct submission *all, int i)
{
    while (all[i].group != i)
        i = all[i].group;
    return i;
}

static void join(struct submission *all, int a, int b, int shared)
{
    const int first = a < b ? a : b, other = a < b ? b : a;
    all[other].group = first;
    all[first].largest =
        all[other].largest > all[first].largest ? all[other].largest : all[first].largest;
    all[first].largest = shared > all[first].largest ? shared : all[first].largest;
}

/* Prints how many pairs share how much, and joins those that share at least so many percent. */
static void join_pairs(struct submission *all, int n, int percent)
{
    int count[11] = {0};
    for (int i = 2; i < n; i++) {
        for (int k = i + 1; k < n; k++) {
            const int shared = share(&all[i].prints, &all[k].prints);
            if (shared >= 0)
                count[shared / 10]++;
            if (shared >= percent)
                join(all, group_of(all, i), group_of(all, k), shared);
        }
    }
    printf("pairs");
    for (int i = 0; i < 11; i++)
        printf("\t%d", count[i]);
    printf("\n");
}

int main(int argc, char **argv)
{
    int n, n_pages = 0;
    struct set given[2] = {0}, solution = {0};
    if (argc != 3) {
        fprintf(stderr, "usage: similar PERCENT FOLDER <list\n");
        return 2;
    }
    struct submission *all = read_list(&n, given, &solution);
    int *member = room_for((size_t)n, sizeof *member);
    join_pairs(all, n, atoi(argv[1]));
    for (int i = 2; i < n; i++) {
        int n_members = 0;
        char path[4096];
        for (int k = 2; k < n; k++)
            if (group_of(all, k) == i)
                member[n_members++] = k;
        if (n_members < 2)
            continue;
        printf("group\t%d", all[i].largest);
        for (int k = 0; k < n_members; k++)
            printf("\t%s", all[member[k]].name);
        printf("\n");
        snprintf(path, sizeof path, "%s/%d.html", argv[2], ++n_pages);
        write_group(path, all, member, n_members, given);
    }
    return fflush(stdout) == 0 ? 0 : 2;
}

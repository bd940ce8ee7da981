/*
 * ask.c: asks the device every situation and prints `situation<TAB>answer`; with a table, only where it differs.
 *
 *     ask                       all answers (how situations_h200.tsv was made, on an H200)
 *     ask --table FILE          exits 1 if any answer differs from the table's
 *     ask --part K/N            every N-th situation only, from the K-th (K from 1)
 */
#include <stdio.h>
#include <string.h>

#include "situations.h"

/* One situation; true if the answer is as the table has it, or there is no table. */
static bool ask_one(const struct situation *s, const char *table)
{
    char got[ANSWER_BYTES], want[ANSWER_BYTES] = "nothing: the table has no such line";
    situation_ask(s, 20, got);
    if (!table) {
        printf("%s\t%s\n", s->words, got);
        return true;
    }
    if (situation_expected(table, s->words, want) && strcmp(got, want) == 0)
        return true;
    printf("%s\n    got  %s\n    want %s\n", s->words, got, want);
    return false;
}

int main(int argc, char **argv)
{
    const char *table = NULL;
    int part = 1, parts = 1, number = 0, asked = 0, differ = 0;
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 < argc && strcmp(argv[i], "--table") == 0)
            table = argv[i + 1];
        else if (i + 1 >= argc || strcmp(argv[i], "--part") != 0 || sscanf(argv[i + 1], "%d/%d", &part, &parts) != 2 ||
                 part < 1 || part > parts) {
            fprintf(stderr, "usage: ask [--table FILE] [--part K/N]\n");
            return 2;
        }
    }
    for (const struct situation *s = situations; s; s = s->next)
        if (number++ % parts == part - 1) {
            asked++;
            differ += !ask_one(s, table);
            fflush(stdout);
        }
    if (table)
        printf("%d situations asked, %d answers differ\n", asked, differ);
    return differ ? 1 : 0;
}

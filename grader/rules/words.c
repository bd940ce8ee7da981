/* words.c: the words of terms: patterns, comparisons, operations. */
#include <stdlib.h>
#include <string.h>

#include "words.h"

static bool matches_one(const char *pattern, size_t n, const char *text)
{
    if (n > 0 && pattern[n - 1] == '*')
        return strncmp(text, pattern, n - 1) == 0;
    return strncmp(text, pattern, n) == 0 && text[n] == '\0';
}

bool term_matches(const char *pattern, const char *text)
{
    for (;; pattern++) {
        const size_t n = strcspn(pattern, "|");
        if (matches_one(pattern, n, text))
            return true;
        pattern += n;
        if (!*pattern)
            return false;
    }
}

/* Is every alternative one of these words? */
bool words_are_of(const char *alternatives, const char *const *words)
{
    for (const char *p = alternatives;; p++) {
        const size_t n = strcspn(p, "|");
        bool is_known = false;
        for (int i = 0; words[i]; i++)
            is_known = is_known || (strlen(words[i]) == n && strncmp(words[i], p, n) == 0);
        if (!is_known)
            return false;
        p += n;
        if (!*p)
            return true;
    }
}

bool words_is_comparison(const char *word)
{
    static const char *const all[] = {"=", "!=", "<", "<=", ">", ">=", NULL};
    return words_are_of(word, all);
}

bool words_is_number(const char *word)
{
    char *end;
    strtod(word, &end);
    return *word && !*end;
}

/* number > 3 */
bool words_compare(double number, const char *comparison, const char *with)
{
    const double other = strtod(with, NULL);
    if (comparison[0] == '!')
        return number < other || number > other;
    if (comparison[0] == '=')
        return !(number < other || number > other);
    return (number < other && comparison[0] == '<') || (number > other && comparison[0] == '>') ||
           (comparison[1] == '=' && !(number < other || number > other));
}

bool words_one(int n, char *const *words)
{
    (void)words;
    return n == 1;
}

bool words_at_most_one(int n, char *const *words)
{
    (void)words;
    return n <= 1;
}

/* [NAME [> 3]] */
bool words_name_and_comparison(int n, char *const *words)
{
    return n <= 1 || (n == 3 && words_is_comparison(words[1]) && words_is_number(words[2]));
}

bool words_which_site(int n, char *const *words)
{
    static const char *const all[] = {"first", "second", NULL};
    return n == 0 || (n == 1 && words_are_of(words[0], all));
}

bool term_sites(int n, char *const *words, const char *sites[2], bool *either)
{
    sites[0] = sites[1] = "*";
    *either = false;
    if (n == 0)
        return true;
    const bool has_first = strcmp(words[0], "->") != 0 && strcmp(words[0], "<->") != 0;
    if (has_first)
        sites[0] = words[0];
    if (n == has_first)
        return true;
    *either = strcmp(words[has_first], "<->") == 0;
    if (n != has_first + 2 || (!*either && strcmp(words[has_first], "->") != 0))
        return false;
    sites[1] = words[has_first + 1];
    return true;
}

bool words_sites(int n, char *const *words)
{
    const char *both[2];
    bool either;
    return term_sites(n, words, both, &either);
}

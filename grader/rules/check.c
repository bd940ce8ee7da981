/* check.c: finds rules that are wrong while the course is built.
 *
 *     build/grader/rules RULES.tsv...
 *
 * A line of RULES.tsv, as labs/mistakes.awk writes it, is one rule: its place, the name of its
 * mistake, its text; in the order in which rules are tried. Exit status 1, with a line for each
 * problem: a rule has an unknown word, can never match, or is shadowed by an earlier rule. */
#include <string.h>

#include "rules.h"

enum { MOST_RULES = 512, LINE = 1024 };

static struct {
    char at[128], mistake[FACT_NAME];
    struct rule_read read;
} rules[MOST_RULES];
static int n_rules;

static bool is_shadowed(int at)
{
    for (int i = 0; i < at; i++)
        if (rule_covers(&rules[i].read, &rules[at].read)) {
            printf("%s: the rule of %s never decides: %s of %s matches whenever it does\n",
                   rules[at].at, rules[at].mistake, rules[i].at, rules[i].mistake);
            return true;
        }
    return false;
}

static bool take(char *line)
{
    char why[RULE_TEXT], *rest = NULL, *at = strtok_r(line, "\t", &rest),
                         *mistake = strtok_r(NULL, "\t", &rest),
                         *text = strtok_r(NULL, "\t\n", &rest);
    if (!text || n_rules == MOST_RULES)
        return false;
    snprintf(rules[n_rules].at, sizeof rules[n_rules].at, "%s", at);
    snprintf(rules[n_rules].mistake, sizeof rules[n_rules].mistake, "%s", mistake);
    if (!rule_read(&rules[n_rules].read, text, why)) {
        printf("%s: the rule \"%s\": %s\n", at, text, why);
        return false;
    }
    return !is_shadowed(n_rules++);
}

int main(int argc, char **argv)
{
    int problems = 0;
    for (int i = 1; i < argc; i++) {
        static char line[LINE];
        FILE *from = fopen(argv[i], "r");
        if (!from) {
            perror(argv[i]);
            return 2;
        }
        while (fgets(line, sizeof line, from))
            problems += !take(line);
        fclose(from);
    }
    return problems > 0;
}

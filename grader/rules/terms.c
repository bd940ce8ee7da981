/* terms.c: the terms of rules: which words each takes, and the facts that make it hold.
 *
 *     passed CHECK                 another check of the grading, before this one, has passed
 *     drawn DRAWING                the graph differs from this drawing of it (labs/drawn.h)
 *     drawn DRAWING node-missing NODE           by this node
 *     drawn DRAWING node-missing NODE = 0       the same, and the graph has so many of them
 *     drawn DRAWING edge-missing NODE -> NODE   by this edge
 *
 * Questions to a graph that a check asked (`graph`), or to what a capture had captured before the
 * error (`capture`, on the simulated device):
 *
 *     nodes KIND > 0          also in the graphs inside of nodes
 *     kernels NAME > 0        the same
 *     sinks KIND > 0          nodes that no other one waits for
 *     edges KIND KIND > 0     from a node of the first kind to one of the second */
#include <string.h>

#include "words.h"

/* rules.c evaluates it, who has the list of predicates */
TERM_IF(code, false)

static const struct term others[] = {
    {"code", ABOUT_ANY, words_one, code},
    {NULL, ABOUT_ANY, NULL, NULL},
};

const struct term *term_find(const char *word)
{
    const struct term *const all[] = {terms_of_findings, terms_of_failures, terms_of_checks,
                                      others};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        for (const struct term *t = all[i]; t->word; t++)
            if (strcmp(t->word, word) == 0)
                return t;
    return NULL;
}

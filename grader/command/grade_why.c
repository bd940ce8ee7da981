/* grade_why.c: ./grade labNN --why CHECK: the facts of a failed check, and the rule that named its
 * mistake. */
#include <stdio.h>
#include <string.h>

#include "grade.h"

int grade_why(const struct grade *g)
{
    const struct session *s = g->session;
    for (int i = 0; i < s->n_checks; i++) {
        const struct session_check *c = &s->checks[i];
        printf("%s%s %s\n", i ? "\n" : "", c->name,
               c->status == CHECK_FAILED ? "fails" : "does not fail: there is nothing to explain");
        if (c->status != CHECK_FAILED)
            continue;
        for (const char *line = c->facts; *line;) {
            const char *end = strchr(line, '\n');
            const int n = end ? (int)(end - line) : (int)strlen(line);
            printf("  %.*s\n", n, line);
            line += n + (end != NULL);
        }
        if (c->rule[0])
            printf("  rule: %s\n", c->rule);
        else
            printf("  no rule matches: the mistake has no name\n");
    }
    return (int)grade_verdict(s);
}

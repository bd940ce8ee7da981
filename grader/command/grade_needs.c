/* grade_needs.c: ./grade labNN --needs: what a lab asks of the device, and what this one lacks. */
#include "grade.h"

int grade_needs(const struct grade *g)
{
    const struct session *s = g->session;
    int n = 0;
    printf("%s on %s", g->lab, g->device_name);
    if (s->capability)
        printf(", compute capability %d.%d", s->capability / 10, s->capability % 10);
    if (s->cuda)
        printf(", CUDA %d.%d", s->cuda / 1000, s->cuda % 1000 / 10);
    putchar('\n');
    for (int i = 0; i < s->n_checks; i++) {
        const struct session_check *c = &s->checks[i];
        if (!c->needs[0])
            continue;
        printf("  %-4s  %-18s needs %s%s\n", c->lacks ? "no" : "yes", c->name, c->needs,
               c->only_simulated ? ": the simulated device shows it" : "");
        n++;
    }
    printf(n == s->n_checks ? "no other checks\n" : "all %schecks run on any device\n",
           n ? "other " : "");
    return 0;
}

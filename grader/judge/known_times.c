/* known_times.c: times that one check has measured and others judge, too.
 *
 * On a GPU a pair of processes takes most of a measurement's time, and a run reports several
 * figures. Only a pass is shared, of a check that has passed itself: what fails, or is not decided,
 * is measured by its own check. */
#include <stdio.h>
#include <string.h>

#include "inside.h"

_Static_assert(sizeof(struct decide_times) <= SESSION_PAIRS, "SESSION_PAIRS is too small");

static struct judge_timing latest;

void judge_keep_timing(const struct judge_timing *t)
{
    latest = *t;
}

static void put_name(char to[SESSION_NAME], const char *name, struct figure value)
{
    snprintf(to, SESSION_NAME, "%s: %s", name, value.name ? value.name : "time");
}

static void share(const char *name, struct figure value, const struct decide_times *all)
{
    const int i = judge_session->n_times;
    if (i == SESSION_TIMES)
        return;
    struct session_times *to = &judge_session->times[i];
    put_name(to->name, name, value);
    snprintf(to->check, sizeof to->check, "%s", judge_current->name);
    memcpy(to->pairs, all, sizeof *all);
    judge_session->n_times = i + 1;
}

void judge_share_times(const char *name, const struct judge_race *race)
{
    share(name, race->value, &latest.all);
    for (int k = 0; race->also && race->also[k].name; k++)
        share(name, race->also[k], &latest.also[k]);
}

/* In virtual time a ratio is exact. */
static bool is_within(const struct decide_times *all, double at_most)
{
    return judge_device_is_simulated() ? all->pair[0].median <= at_most
                                       : decide(all, at_most) == DECISION_WITHIN;
}

bool judge_knows_time(const char *name, struct figure value, double at_most, struct judge_times *t)
{
    char full[SESSION_NAME];
    struct decide_times all;
    put_name(full, name, value);
    for (int i = judge_session->n_times - 1; i >= 0; i--) {
        const struct session_times *from = &judge_session->times[i];
        const struct session_check *c = session_find(judge_session, from->check);
        if (strcmp(from->name, full) != 0 || !c || c->status != CHECK_PASSED)
            continue;
        memcpy(&all, from->pairs, sizeof all);
        *t = judge_times_of(&all);
        return is_within(&all, at_most);
    }
    return false;
}

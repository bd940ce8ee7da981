/* simulated.c: on a GPU, what the simulated device says of the same submission at the same time. A
 * check waits for its verdict there, and work that is measured for the end of all checks there. */
#include <unistd.h>

#include "inside.h"

enum { LOOK_EVERY_US = 1000 };

static struct session *simulated(void)
{
    static struct session *s;
    if (!s && judge_session->simulated[0] && !(s = session_open_at(judge_session->simulated)))
        judge_internal_error("the session of the simulated device cannot be opened");
    return s;
}

static bool is_open(struct session *s, const char *check)
{
    const struct session_check *c = check ? session_find(s, check) : NULL;
    return !__atomic_load_n(&s->ended, __ATOMIC_ACQUIRE) &&
           (!c || __atomic_load_n(&c->status, __ATOMIC_ACQUIRE) <= CHECK_ENDED);
}

/* For the verdict on the check, or all verdicts. */
static void wait_for(struct session *s, const char *check)
{
    session_begin_waiting(judge_session);
    while (is_open(s, check))
        usleep(LOOK_EVERY_US);
    session_end_waiting(judge_session);
}

bool judge_simulated_fails(const char *check)
{
    struct session *s = simulated();
    if (!s)
        return false;
    wait_for(s, check);
    const struct session_check *c = session_find(s, check);
    return c && c->status == CHECK_FAILED;
}

bool judge_simulated_times_nothing(void)
{
    struct session *s = simulated();
    const struct session_check *c = s ? session_find(s, judge_current->name) : NULL;
    return c && !c->is_timed;
}

void judge_simulated_wait(void)
{
    struct session *s = simulated();
    if (s)
        wait_for(s, NULL);
}

/* debug.c: the submission runs in a debugger: in a program that was started there
 * (subject/debug.c), without the jail and without limits. It gets the requests of the check as
 * ever. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "inside.h"

enum { MOST_SETTINGS = 4096 };

bool judge_is_debugged(const struct judged *j)
{
    return judge_session->debug[0] && j->who == JUDGE_SUBMISSION;
}

/* There is one process, for one subject at a time, which reads its settings once. */
static void expect_one(const struct judged *j, const char *settings)
{
    static char first[MOST_SETTINGS];
    bool is_first = !first[0] || strcmp(first, settings) == 0;
    for (const struct judged *other = j->next; other; other = other->next)
        is_first = is_first && (other->who == JUDGE_REFERENCE || other->channel < 0);
    if (!is_first)
        judge_skip("so far all is right; the rest of the check needs another process, which this "
                   "debugger does not have");
    memcpy(first, settings, sizeof first);
}

void judge_debug_connect(struct judged *j, char *const *env)
{
    char settings[MOST_SETTINGS] = "";
    size_t used = 0;
    for (int i = 0; env[i] && used < sizeof settings; i++)
        if (judge_begins(env[i], "SIMGPU_"))
            used += (size_t)snprintf(settings + used, sizeof settings - used, "%s\n", env[i]);
    expect_one(j, settings);
    j->channel = wire_connect(judge_session->debug, strlen(judge_session->debug));
    if (j->channel < 0 || !wire_send(j->channel, settings, strlen(settings), -1))
        judge_internal_error("the program in the debugger cannot be reached: %s", strerror(errno));
}

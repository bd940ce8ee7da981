/*
 * debug.c: the submission runs in a debugger: in a program that was started there
 * (subject/debug.c), without the jail and without limits. It gets the requests of the check as
 * ever.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/un.h>

#include "inside.h"

bool judge_is_debugged(const struct judged *j)
{
    return judge_session->debug[0] && j->who == JUDGE_SUBMISSION;
}

void judge_debug_connect(struct judged *j, char *const *env)
{
    char settings[4096] = "";
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const int n =
        snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "%s", judge_session->debug);
    size_t used = 0;
    for (int i = 0; env[i] && used < sizeof settings; i++)
        if (judge_begins(env[i], "SIMGPU_"))
            used += (size_t)snprintf(settings + used, sizeof settings - used, "%s\n", env[i]);
    j->channel = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (j->channel < 0 ||
        connect(j->channel, (struct sockaddr *)&name,
                (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n)) != 0 ||
        !wire_send(j->channel, settings, strlen(settings), -1))
        judge_internal_error("the program in the debugger cannot be reached: %s", strerror(errno));
}

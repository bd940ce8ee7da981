/* names.c: Criterion's socket and shared memory, under names that nobody else can know.
 *
 * Criterion names them after the process id, in /tmp and /dev/shm. Another user who creates them
 * first would keep a suite from running. So suites are linked with this file's versions of the C
 * library functions that take these names (SUITE_LINK in grader.mk). They replace the names by
 * files in the session's folder, which belongs to the user alone and is removed with the session.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "inside.h"

/* The path of a file of that name in the session's folder, two above the session; false: there is
   no room for it, or no session. */
static bool in_session(char *path, size_t room, const char *name)
{
    const char *session = getenv(SESSION_VARIABLE);
    const char *end = session ? strrchr(session, '/') : NULL;
    while (end && end > session && *--end != '/')
        ;
    if (!end || end == session)
        return false;
    const int n =
        snprintf(path, room, "%.*s/%s", (int)(end - session), session, name + strspn(name, "/"));
    return n > 0 && (size_t)n < room;
}

/* ---- shared memory --------------------------------------------------------------------------- */

/* Where the C library has it, or in the session's folder. */
static bool memory_path(char path[SESSION_PATH], const char *name)
{
    if (judge_begins(name, "/bxf") && in_session(path, SESSION_PATH, name))
        return true;
    const int n = snprintf(path, SESSION_PATH, "/dev/shm%s", name);
    return n > 0 && n < SESSION_PATH;
}

int judge_names_shm_open(const char *name, int flags, mode_t mode)
{
    char path[SESSION_PATH];
    errno = ENAMETOOLONG;
    return memory_path(path, name) ? open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode) : -1;
}

int judge_names_shm_unlink(const char *name)
{
    char path[SESSION_PATH];
    errno = ENAMETOOLONG;
    return memory_path(path, name) ? (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0) : -1;
}

/* ---- the socket ------------------------------------------------------------------------------ */

static const char sockets[] = "/tmp/criterion_";

/* The address, or that of a socket in the session's folder, in *to. */
static const struct sockaddr *elsewhere(const struct sockaddr *address, socklen_t *bytes,
                                        struct sockaddr_un *to)
{
    const struct sockaddr_un *from = (const struct sockaddr_un *)(const void *)address;
    if (address->sa_family != AF_UNIX || *bytes < sizeof from->sun_family + sizeof sockets ||
        !judge_begins(from->sun_path, sockets) ||
        !in_session(to->sun_path, sizeof to->sun_path, from->sun_path + strlen("/tmp/")))
        return address;
    to->sun_family = AF_UNIX;
    *bytes = sizeof *to;
    return (const struct sockaddr *)to;
}

int judge_names_bind(int fd, __CONST_SOCKADDR_ARG address, socklen_t bytes)
{
    struct sockaddr_un to;
    const struct sockaddr *a = elsewhere(address.__sockaddr__, &bytes, &to);
    return (int)syscall(SYS_bind, fd, a, bytes);
}

int judge_names_connect(int fd, __CONST_SOCKADDR_ARG address, socklen_t bytes)
{
    struct sockaddr_un to;
    const struct sockaddr *a = elsewhere(address.__sockaddr__, &bytes, &to);
    return (int)syscall(SYS_connect, fd, a, bytes);
}

int judge_names_unlink(const char *path)
{
    char to[sizeof((struct sockaddr_un *)NULL)->sun_path];
    const bool is_socket =
        judge_begins(path, sockets) && in_session(to, sizeof to, path + strlen("/tmp/"));
    return (int)syscall(SYS_unlinkat, AT_FDCWD, is_socket ? to : path, 0);
}

void judge_names_use(void)
{
}

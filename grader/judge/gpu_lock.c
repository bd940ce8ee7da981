/*
 * gpu_lock.c: two files for each GPU, locked with flock.
 *
 * Who waits for the one (`turn`) holds the other (`queue`) meanwhile, and who comes later waits for
 * that. So a grading that wants the GPU alone does not wait for ever while others share it.
 */
#include "gpu_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/session.h"

enum { LOOK_EVERY_US = 2000, MODE = 0666 };

/* Another user's file in a folder like /tmp may be opened, but not with O_CREAT. */
static int open_file(const char *folder, const char *uuid, const char *name)
{
    char path[PATH_MAX];
    const int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW;
    snprintf(path, sizeof path, "%s/cuda-course-%s.%s", folder, uuid, name);
    int fd = open(path, flags);
    if (fd < 0 && errno == ENOENT) {
        fd = open(path, flags | O_CREAT, MODE);
        if (fd >= 0)
            fchmod(fd, MODE); /* whatever the umask is */
        else
            fd = open(path, flags); /* somebody was faster */
    }
    return fd;
}

static bool lock_until(int fd, int how, int64_t until_ns)
{
    while (flock(fd, how | LOCK_NB) != 0) {
        if (session_now_ns() >= until_ns)
            return false;
        usleep(LOOK_EVERY_US);
    }
    return true;
}

bool gpu_lock(const char *folder, const char *uuid, enum gpu_lock want, double patience_s)
{
    static int queue = -1, turn = -1;
    const int64_t until_ns = session_now_ns() + (int64_t)(patience_s * 1e9);
    if (queue < 0)
        queue = open_file(folder, uuid, "queue");
    if (turn < 0)
        turn = open_file(folder, uuid, "turn");
    if (queue < 0 || turn < 0)
        return false;
    flock(turn, LOCK_UN);
    bool locked = lock_until(queue, LOCK_EX, until_ns) &&
                  lock_until(turn, want == GPU_ALONE ? LOCK_EX : LOCK_SH, until_ns);
    flock(queue, LOCK_UN);
    return locked;
}

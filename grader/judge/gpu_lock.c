/* gpu_lock.c: two files for each GPU, locked with flock.
 *
 * A grading that waits for the lock of the file `turn` holds the lock of `queue` meanwhile, and
 * later gradings wait for `queue`. So a grading that needs the GPU alone does not wait forever
 * while others share it. Several GPUs are locked in the order of their UUIDs, so no two gradings
 * wait for each other. */
#include "gpu_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* Of one GPU; opened once. */
struct files {
    bool are_open;
    int queue, turn;
};

static bool open_files(struct files *f, const char *folder, const char *uuid)
{
    if (f->are_open)
        return true;
    f->queue = open_file(folder, uuid, "queue");
    f->turn = open_file(folder, uuid, "turn");
    f->are_open = f->queue >= 0 && f->turn >= 0;
    return f->are_open;
}

static bool lock_one(const struct files *f, enum gpu_lock want, int64_t until_ns)
{
    const bool locked = lock_until(f->queue, LOCK_EX, until_ns) &&
                        lock_until(f->turn, want == GPU_ALONE ? LOCK_EX : LOCK_SH, until_ns);
    flock(f->queue, LOCK_UN);
    return locked;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static struct files files[SESSION_GPUS];

void gpu_lock_forget(void)
{
    for (int i = 0; i < SESSION_GPUS && files[i].are_open; i++) {
        close(files[i].queue);
        close(files[i].turn);
        files[i].are_open = false;
    }
}

void gpu_unlock(void)
{
    for (int i = 0; i < SESSION_GPUS && files[i].are_open; i++)
        flock(files[i].turn, LOCK_UN);
}

bool gpu_lock(const char *folder, const char *const uuids[], int n, enum gpu_lock want,
              double patience_s)
{
    const char *in_order[SESSION_GPUS];
    const int64_t until_ns = session_now_ns() + (int64_t)(patience_s * 1e9);
    if (n > SESSION_GPUS)
        return false;
    memcpy(in_order, uuids, (size_t)n * sizeof *in_order);
    qsort(in_order, (size_t)n, sizeof *in_order, by_name);
    for (int i = 0; i < n; i++)
        if (!open_files(&files[i], folder, in_order[i]))
            return false;
    gpu_unlock();
    for (int i = 0; i < n; i++)
        if (!lock_one(&files[i], want, until_ns)) {
            gpu_unlock();
            return false;
        }
    return true;
}

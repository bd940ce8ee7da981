/* room.c: a root of its own for a run: a mount namespace in which only those paths exist that
 * Landlock lets it read. Landlock hides what is in a file, but not that it exists, nor its size and
 * date. Where the machine allows no user namespaces all of that stays visible. */
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jail.h"

enum { MOST_REAL = 32 };

#define BEFORE "/before" /* where the machine's root is, seen from the new one */

static bool write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0)
        close(fd);
    return written;
}

/* The same user and group in a user namespace that may mount. */
static bool enter_namespaces(void)
{
    const unsigned uid = geteuid(), gid = getegid();
    char user[64], group[64];
    snprintf(user, sizeof user, "%u %u 1", uid, uid);
    snprintf(group, sizeof group, "%u %u 1", gid, gid);
    /* a process that hides (session.h) may not write these files; it stays so until exec */
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && write_text("/proc/self/uid_map", user) &&
           write_text("/proc/self/setgroups", "deny") && write_text("/proc/self/gid_map", group);
}

/* The folders on the way to a path. */
static void make_way(const char *path)
{
    char way[PATH_MAX];
    snprintf(way, sizeof way, "%s", path);
    for (char *slash = strchr(way + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(way, 0755);
        *slash = '/';
    }
}

/* Without it, the run fails where it looks for the path. */
static void make_link(const char *to, const char *path)
{
    const int failed = symlink(to, path);
    (void)failed;
}

/* What is at `path` on the machine is there in the new root, too. */
static void bring_in(const char *path)
{
    char from[PATH_MAX], to[PATH_MAX];
    struct stat st;
    if (snprintf(from, sizeof from, BEFORE "%s", path) >= PATH_MAX || lstat(from, &st) != 0)
        return;
    make_way(path);
    if (S_ISLNK(st.st_mode)) {
        ssize_t n = readlink(from, to, sizeof to - 1);
        if (n > 0) {
            to[n] = 0;
            make_link(to, path);
        }
        return;
    }
    if (S_ISDIR(st.st_mode))
        mkdir(path, 0755);
    else
        close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0444));
    mount(from, path, NULL, MS_BIND | MS_REC, NULL);
}

/* The new root, with the machine's at BEFORE. It is a tmpfs over /tmp first. */
static bool make_root(void)
{
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("room", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m") != 0)
        return false;
    if (mkdir("/tmp" BEFORE, 0700) == 0 && syscall(SYS_pivot_root, "/tmp", "/tmp" BEFORE) == 0)
        return chdir("/") == 0;
    umount2("/tmp", MNT_DETACH);
    return false;
}

static void bring_in_process(void)
{
    char number[16], path[32];
    snprintf(number, sizeof number, "%d", (int)getpid());
    snprintf(path, sizeof path, "/proc/%s", number);
    bring_in(path);
    make_link(number, "/proc/self");
}

void jail_room(const struct jail *jail)
{
    const char *given[MOST_REAL];
    char *real[MOST_REAL];
    int n = 0;
    const char *const own[] = {jail->program, jail->directory, NULL};
    const char *const *const lists[] = {jail->readable, own};
    for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++)
        for (const char *const *p = lists[l]; p && *p && n < MOST_REAL; p++)
            if ((real[n] = realpath(*p, NULL)))
                given[n++] = *p;
    if (enter_namespaces() && make_root()) {
        jail_each_system_path(bring_in);
        for (int i = 0; i < n; i++) {
            bring_in(real[i]);
            if (strcmp(given[i], real[i]) != 0) { /* it leads there through a link */
                make_way(given[i]);
                make_link(real[i], given[i]);
            }
        }
        bring_in_process();
        umount2(BEFORE, MNT_DETACH);
        rmdir(BEFORE);
        mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL);
    }
    for (int i = 0; i < n; i++)
        free(real[i]);
}

/* output.c: a new file beside the target takes the target's name when it is complete. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse(int error)
{
    errno = error;
    return -1;
}

/* 1: what is there is no file, and is written to directly; 0: a file that can be replaced, or
   nothing; -1 with errno: neither. */
static int is_direct(const char *path)
{
    struct stat st;
    if (strcmp(path, "-") == 0)
        return 1;
    if (lstat(path, &st) != 0)
        return errno == ENOENT ? 0 : -1;
    const int is_link = S_ISLNK(st.st_mode);
    if (is_link && stat(path, &st) != 0)
        return refuse(ELOOP);
    if (S_ISDIR(st.st_mode))
        return refuse(EISDIR);
    if (access(path, W_OK) != 0)
        return -1;
    if (!S_ISREG(st.st_mode))
        return 1;
    return is_link ? refuse(ELOOP) : 0;
}

/* What is opened may be another thing than what is_direct saw: neither emptied nor made. */
static int open_direct(struct output *o)
{
    struct stat st;
    int fd = open(o->path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (fd >= 0 && (fstat(fd, &st) != 0 || S_ISREG(st.st_mode))) {
        close(fd);
        return refuse(ELOOP);
    }
    return fd;
}

/* In the target's folder, with the mode that a new file has. */
static int open_beside(struct output *o)
{
    const char *slash = strrchr(o->path, '/');
    const int folder = slash ? (int)(slash + 1 - o->path) : 0;
    int n = snprintf(o->written, sizeof o->written, "%.*s.grade-XXXXXX", folder, o->path);
    if (n >= (int)sizeof o->written || strlen(o->path) >= OUTPUT_PATH) {
        o->written[0] = 0;
        return refuse(ENAMETOOLONG);
    }
    int fd = mkostemp(o->written, O_CLOEXEC);
    if (fd < 0) {
        o->written[0] = 0;
        return -1;
    }
    const mode_t mask = umask(077);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
    return fd;
}

int output_open(struct output *o, const char *path)
{
    *o = (struct output){.path = path};
    const int direct = is_direct(path);
    if (direct == 1 && strcmp(path, "-") == 0) {
        o->to = stdout;
        return 0;
    }
    int fd = direct < 0 ? -1 : direct ? open_direct(o) : open_beside(o);
    o->to = fd < 0 ? NULL : fdopen(fd, "w");
    if (o->to)
        return 0;
    o->error = errno;
    if (fd >= 0)
        close(fd);
    output_drop(o);
    errno = o->error;
    return -1;
}

int output_close(struct output *o)
{
    FILE *to = o->to;
    if (!to)
        return refuse(o->error);
    o->to = NULL;
    int failed = fflush(to) != 0 || ferror(to), error = errno;
    if (to != stdout && fclose(to) != 0 && !failed) {
        failed = 1;
        error = errno;
    }
    if (!failed && o->written[0] && rename(o->written, o->path) != 0) {
        failed = 1;
        error = errno;
    }
    if (failed && o->written[0])
        unlink(o->written);
    return failed ? refuse(error) : 0;
}

void output_drop(struct output *o)
{
    if (o->to && o->to != stdout)
        fclose(o->to);
    o->to = NULL;
    if (o->written[0])
        unlink(o->written);
    o->written[0] = 0;
}

int output_probe(const char *path)
{
    struct output o;
    const int direct = is_direct(path);
    if (direct != 0)
        return direct < 0 ? -1 : 0; /* who reads a pipe sees no end of it */
    if (output_open(&o, path) != 0)
        return -1;
    output_drop(&o);
    return 0;
}

const char *output_why(int error)
{
    return error == ELOOP ? "it is a link, and the grader writes through none" : strerror(error);
}

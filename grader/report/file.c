/* file.c: the files that a report is written to: a regular file is replaced as a whole. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report.h"

static int cannot_write(const char *path, const char *option, int error)
{
    fprintf(stderr, "cannot write %s: %s. Next: choose another file for %s\n", path,
            strerror(error), option);
    return -1;
}

int report_file_probe(const char *path, const char *option)
{
    if (strcmp(path, "-") == 0)
        return 0;
    bool was_there = access(path, F_OK) == 0;
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return cannot_write(path, option, errno);
    close(fd);
    if (!was_there)
        unlink(path); /* it appears when it is complete */
    return 0;
}

int report_file_write(const char *path, const char *option, report_writer *write, const void *what)
{
    struct stat st;
    bool is_stdout = strcmp(path, "-") == 0;
    bool in_place = is_stdout || (stat(path, &st) == 0 && !S_ISREG(st.st_mode));
    char written[SESSION_PATH];
    if (snprintf(written, sizeof written, in_place ? "%s" : "%s.new", path) >= (int)sizeof written)
        return cannot_write(path, option, ENAMETOOLONG);
    FILE *to = is_stdout ? stdout : fopen(written, "w");
    if (!to)
        return cannot_write(path, option, errno);
    write(to, what);
    int failed = fflush(to) != 0 || ferror(to), error = errno;
    if (!is_stdout && fclose(to) != 0 && !failed) {
        failed = 1;
        error = errno;
    }
    if (!failed && !in_place && rename(written, path) != 0) {
        failed = 1;
        error = errno;
    }
    if (!failed)
        return 0;
    if (!in_place)
        unlink(written);
    return cannot_write(path, option, error);
}

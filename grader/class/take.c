/* take.c: copies files of others.
 *
 *     take FOLDER TO BYTES <LIST       LIST: paths below FOLDER, each ended by NUL
 *
 * Their owners can change them at any moment. So each folder on the way is opened by its name in
 * the one above, and no link is followed: what is copied lies where the path says. What a file is,
 * is asked of the descriptor that is read. The copy of the first path is TO/0, the next one's TO/1.
 *
 * Prints a line for each path: "taken MODIFIED CHANGED", in seconds, or why it was not taken. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file, or -1. */
static int open_below(int folder, char *path)
{
    int at = dup(folder), fd;
    for (char *slash; at >= 0 && (slash = strchr(path, '/')); path = slash + 1) {
        const int above = at;
        *slash = 0;
        at = strcmp(path, "..") == 0
                 ? -1
                 : openat(above, path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        close(above);
    }
    if (at < 0)
        return -1;
    fd = openat(at, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    close(at);
    return fd;
}

/* Why it cannot be taken; NULL: it can be. */
static const char *refusal(int fd, struct stat *st, off_t most)
{
    if (fd < 0 && (errno == ELOOP || errno == ENOTDIR))
        return "it is a link, or in a folder that is one. Next: hand in the file itself";
    if (fd < 0 || fstat(fd, st) != 0)
        return "it cannot be read. Next: chmod u+r on it, and repeat the command";
    if (!S_ISREG(st->st_mode))
        return "it is not a regular file. Next: hand in the source text";
    if (st->st_nlink != 1)
        return "it has another name elsewhere (a hard link). Next: hand in a copy";
    if (st->st_size > most)
        return "it is too large. Next: hand in only source text";
    return NULL;
}

/* Copies at most so many bytes: it may grow meanwhile. */
static bool copy(int from, int folder, int number, off_t most)
{
    char name[16], bytes[1 << 16];
    ssize_t n = 0;
    off_t left = most;
    snprintf(name, sizeof name, "%d", number);
    const int to =
        openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool good = to >= 0;
    while (good &&
           (n = read(from, bytes, left < (off_t)sizeof bytes ? (size_t)left : sizeof bytes)) > 0) {
        good = write(to, bytes, (size_t)n) == n;
        left -= n;
    }
    return to >= 0 && close(to) == 0 && good && n == 0;
}

int main(int argc, char **argv)
{
    const off_t most = argc == 4 ? (off_t)strtoll(argv[3], NULL, 10) : 0;
    const int folder = most ? open(argv[1], O_PATH | O_DIRECTORY | O_CLOEXEC) : -1,
              to = most ? open(argv[2], O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    char *path = NULL;
    size_t room = 0;
    if (folder < 0 || to < 0) {
        fprintf(stderr, "usage: take FOLDER TO BYTES <LIST\n");
        return 2;
    }
    for (int i = 0; getdelim(&path, &room, 0, stdin) > 0; i++) {
        struct stat st = {.st_mode = 0};
        const int fd = open_below(folder, path);
        const char *why = refusal(fd, &st, most);
        if (!why && !copy(fd, to, i, most))
            why = "it cannot be copied. Next: free some space, and repeat the command";
        if (why)
            puts(why);
        else
            printf("taken %lld %lld\n", (long long)st.st_mtim.tv_sec, (long long)st.st_ctim.tv_sec);
        if (fd >= 0)
            close(fd);
    }
    return fflush(stdout) == 0 ? 0 : 1;
}

/* session.c: the memory that ./grade and a suite share. */
#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct session *session_map(int fd)
{
    void *p = mmap(NULL, sizeof(struct session), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* <parent>/grade-XXXXXX/       for its owner alone
 *         run/                     empty: where subjects run
 *         hidden/<32 hex digits>   the session, and behind it all that the submission printed; the
 *                                  directory may be entered, but not listed */
struct session *session_create(const char *parent, char path[SESSION_PATH])
{
    char top[SESSION_PATH / 4], hidden[SESSION_PATH / 2];
    uint64_t name[2];
    struct session *s = NULL;
    int fd = -1;
    if (snprintf(top, sizeof top, "%s/grade-XXXXXX", parent) >= (int)sizeof top) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    if (!mkdtemp(top))
        return NULL;
    snprintf(hidden, sizeof hidden, "%s/hidden", top);
    if (getrandom(name, sizeof name, 0) != (ssize_t)sizeof name || mkdir(hidden, 0300) != 0)
        goto done;
    snprintf(path, SESSION_PATH, "%s/%016llx%016llx", hidden, (unsigned long long)name[0],
             (unsigned long long)name[1]);
    fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 || (errno = posix_fallocate(fd, 0, sizeof *s)) != 0 || !(s = session_map(fd)))
        goto done;
    s->version = SESSION_VERSION;
    s->started_ns = session_now_ns();
    snprintf(s->directory, sizeof s->directory, "%s/run", top);
    if (mkdir(s->directory, 0700) != 0)
        s = NULL;
done:;
    int error = errno;
    if (fd >= 0)
        close(fd);
    if (!s)
        session_remove(path);
    errno = error;
    return s;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

void session_remove(const char *path)
{
    char directory[SESSION_PATH];
    unlink(path);
    snprintf(directory, sizeof directory, "%s", path);
    char *slash = strrchr(directory, '/');
    *slash = 0;
    rmdir(directory); /* hidden: nothing that walks a tree can list it */
    slash = strrchr(directory, '/');
    *slash = 0;
    nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

void session_hide(void)
{
#if !defined(__SANITIZE_ADDRESS__) /* whose leak checker looks in from another process */
    prctl(PR_SET_DUMPABLE, 0);
#endif
}

struct session *session_open_at(const char *path)
{
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    struct stat st;
    const bool is_one =
        fd >= 0 && fstat(fd, &st) == 0 && st.st_size >= (off_t)sizeof(struct session);
    struct session *s = is_one ? session_map(fd) : NULL;
    if (fd >= 0)
        close(fd);
    return s && s->version == SESSION_VERSION ? s : NULL;
}

struct session *session_open(const char **why)
{
    const char *path = getenv(SESSION_VARIABLE);
    struct session *s = path ? session_open_at(path) : NULL;
    if (!path)
        *why = "this program is started by ./grade: run ./grade labNN";
    else if (!s)
        *why = "the session that ./grade left in " SESSION_VARIABLE
               " cannot be opened, or is of another version: "
               "build ./grade and the suite together (make)";
    return s;
}

void session_begin_waiting(struct session *s)
{
    __atomic_store_n(&s->waits_from_ns, session_now_ns(), __ATOMIC_RELEASE);
}

int64_t session_end_waiting(struct session *s)
{
    const int64_t waited_ns = session_now_ns() - s->waits_from_ns;
    s->started_ns += waited_ns;
    s->deadline_ns += waited_ns;
    __atomic_store_n(&s->waits_from_ns, 0, __ATOMIC_RELEASE);
    return waited_ns;
}

bool session_is_over(const struct session *s, int64_t grace_ns)
{
    const int64_t from_ns = __atomic_load_n(&s->waits_from_ns, __ATOMIC_ACQUIRE);
    return (from_ns ? from_ns : session_now_ns()) >= s->deadline_ns + grace_ns;
}

int session_open_output(void)
{
    const char *path = getenv(SESSION_VARIABLE);
    return path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
}

FILE *session_read_output(const char *path)
{
    FILE *from = fopen(path, "re");
    if (from)
        fseek(from, sizeof(struct session), SEEK_SET);
    return from;
}

bool session_is_among(const char *names, const char *name)
{
    const size_t n = strlen(name);
    for (; n && names && *names; names += strspn(names, " ")) {
        const size_t length = strcspn(names, " ");
        if (length == n && strncmp(names, name, n) == 0)
            return true;
        names += length;
    }
    return false;
}

/* Has `found` failed for a mistake that explains `name`, a check or another mistake? */
static bool explains(const struct session_check *found, const char *name)
{
    return found->status == CHECK_FAILED && found->mistake[0] &&
           session_is_among(found->explains, name);
}

/* The first check, else the diagnosis, that explains `name`. */
static const struct session_check *find_explanation(const struct session *s, const char *name)
{
    for (int i = 0; i < s->n_checks; i++)
        if (explains(&s->checks[i], name))
            return &s->checks[i];
    return explains(&s->diagnosis, name) ? &s->diagnosis : NULL;
}

/* The first check that found the same mistake as c. */
static const struct session_check *find_first(const struct session *s,
                                              const struct session_check *c)
{
    for (const struct session_check *e = s->checks; e < c; e++)
        if (e->status == CHECK_FAILED && strcmp(e->mistake, c->mistake) == 0)
            return e;
    return c;
}

const struct session_check *session_explanation(const struct session *s,
                                                const struct session_check *c)
{
    enum { LONGEST = 4 }; /* mistakes that follow from one another */
    const struct session_check *found = c->mistake[0] ? c : NULL;
    if (c->status != CHECK_FAILED)
        return NULL;
    for (int i = 0; i < LONGEST; i++) {
        const struct session_check *deeper = find_explanation(s, found ? found->mistake : c->name);
        if (!deeper || (found && found < deeper && explains(found, deeper->mistake)))
            break; /* if each explains the other, the first one stands for both */
        found = deeper;
    }
    return found && found != &s->diagnosis ? find_first(s, found) : found;
}

bool session_is_unexplained(const struct session *s, const struct session_check *c)
{
    return c->status == CHECK_FAILED && !session_explanation(s, c);
}

bool session_is_unwritten(const struct session *s, int step)
{
    return step > 0 && step < 64 && (s->unwritten >> step & 1);
}

int session_first_step(uint64_t unwritten)
{
    return unwritten ? __builtin_ctzll(unwritten) : 0;
}

struct session_check *session_find(struct session *s, const char *name)
{
    for (int i = 0; i < s->n_checks; i++)
        if (strcmp(s->checks[i].name, name) == 0)
            return &s->checks[i];
    return NULL;
}

bool session_lacks_devices(const struct session *s)
{
    return s->n_devices > 0 && s->n_devices < s->devices;
}

int64_t session_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

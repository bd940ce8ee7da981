/* files.c: Landlock: which files can still be read, executed and written. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jail.h"

/* Spelled out here because the headers of Debian 12 know only the oldest kernels' part. */
struct ruleset {
    uint64_t files;
    uint64_t network; /* from ABI 4 */
    uint64_t scoped;  /* from ABI 6 */
};
enum {
    FS_TRUNCATE = 1 << 14, /* from ABI 3 */
    NET_BIND_TCP = 1 << 0,
    NET_CONNECT_TCP = 1 << 1,
    SCOPE_ABSTRACT_UNIX = 1 << 0,
    SCOPE_SIGNAL = 1 << 1
};

enum {
    FS_READ = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
    FS_EXECUTE = LANDLOCK_ACCESS_FS_EXECUTE,
    FS_WRITE = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
               LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
               LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
               LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
               LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM | FS_TRUNCATE,
    FS_OF_A_FILE = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                   LANDLOCK_ACCESS_FS_EXECUTE | FS_TRUNCATE
};

/* A set of rules under construction. */
struct rules {
    int fd;
    uint64_t known; /* what this kernel can tell apart */
};

/* Paths that do not exist are left out. */
static void allow(const struct rules *r, const char *path, uint64_t how)
{
    struct stat st;
    struct landlock_path_beneath_attr beneath = {.parent_fd = open(path, O_PATH | O_CLOEXEC)};
    if (beneath.parent_fd < 0)
        return;
    bool is_folder = fstat(beneath.parent_fd, &st) == 0 && S_ISDIR(st.st_mode);
    beneath.allowed_access = how & r->known & (is_folder ? ~UINT64_C(0) : FS_OF_A_FILE);
    syscall(SYS_landlock_add_rule, r->fd, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
    close(beneath.parent_fd);
}

static void allow_each(const struct rules *r, const char *const *paths, uint64_t how)
{
    for (; paths && *paths; paths++)
        allow(r, *paths, how);
}

static void allow_matches(const struct rules *r, const char *pattern, uint64_t how)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        allow(r, found.gl_pathv[i], how);
    globfree(&found);
}

/* Programs and libraries of the system. The loader that starts a program is one of them. */
static const char *const system_folders[] = {
    "/usr", "/lib", "/lib32",           "/lib64",    "/bin",        "/sbin",
    "/nix", "/gnu", "/etc/ld.so.cache", "/opt/cuda", "/opt/nvidia", NULL};
static const char *const devices[] = {"/dev/null", "/dev/full", "/dev/random", "/dev/urandom",
                                      NULL};
/* Of /proc its own part, and of that what a run reads: the rest tells of the machine. */
static const char *const of_a_run[] = {
    "/proc/self/maps",         "/proc/self/stat", "/proc/self/statm",
    "/proc/self/status",       "/proc/self/fd",   "/proc/self/task",
    "/sys/devices/system/cpu", "/etc/localtime",  NULL};
static const char *const of_a_driver[] = {"/proc",    "/sys",      "/run", "/etc/nvidia",
                                          "/dev/dxg", "/dev/char", NULL};

/* The driver of Jetson modules, as NVIDIA's container toolkit lists its devices: not tried. */
static const char *const of_a_jetson[] = {"/dev/nvmap",         "/dev/nvhost-*",
                                          "/dev/nvgpu/igpu*/*", "/dev/nvsciipc",
                                          "/dev/host1x-fence*", NULL};

static void allow_a_driver(const struct rules *r)
{
    allow_each(r, of_a_driver, FS_READ);
    allow(r, "/dev/zero", FS_READ); /* mapped, it is memory that nobody counts: filter.c */
    allow_matches(r, "/dev/nvidia*", FS_READ | FS_WRITE);
    for (int i = 0; of_a_jetson[i]; i++)
        allow_matches(r, of_a_jetson[i], FS_READ | FS_WRITE);
    allow(r, "/dev/dxg", FS_WRITE);        /* the GPU under WSL */
    allow(r, "/proc/self/task", FS_WRITE); /* names of threads */
}

static void allow_a_run(const struct rules *r, const struct jail *jail)
{
    allow(r, jail->program, FS_READ | FS_EXECUTE);
    allow_matches(r, "/lib*/ld-*.so*", FS_EXECUTE);
    allow_each(r, devices, FS_READ);
    allow_each(r, of_a_run, FS_READ);
    if (jail->gpu)
        allow_a_driver(r);
}

void jail_each_system_path(void (*visit)(const char *path))
{
    const char *const *const lists[] = {system_folders, devices, of_a_run};
    for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++)
        for (const char *const *p = lists[l]; *p; p++)
            if (strncmp(*p, "/proc/", 6) != 0)
                visit(*p);
}

/* The version of Landlock that this kernel has; 0: none. */
static int landlock_version(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return abi < 0 ? 0 : (int)abi;
}

bool jail_files_are_complete(void)
{
    return landlock_version() >= 3;
}

const char *jail_gap(void)
{
    if (landlock_version() >= 1)
        return NULL;
    return "This kernel has no Landlock (Linux 5.13 and later, if enabled): a submission can read "
           "the files of this user, the solution included, and write to some of them.";
}

int jail_files(const struct jail *jail)
{
    const int abi = landlock_version();
    if (abi < 1)
        return 0; /* jail.h says what is left */
    struct ruleset attr = {.files =
                               FS_READ | FS_EXECUTE | (FS_WRITE & (abi >= 3 ? ~0 : ~FS_TRUNCATE))};
    size_t bytes = offsetof(struct ruleset, network);
    if (abi >= 4) {
        attr.network = NET_BIND_TCP | NET_CONNECT_TCP;
        bytes = offsetof(struct ruleset, scoped);
    }
    if (abi >= 6) {
        attr.scoped = SCOPE_ABSTRACT_UNIX | SCOPE_SIGNAL;
        bytes = sizeof attr;
    }
    struct rules r = {(int)syscall(SYS_landlock_create_ruleset, &attr, bytes, 0), attr.files};
    if (r.fd < 0)
        return errno;
    allow_each(&r, system_folders, jail->compiles ? FS_READ | FS_EXECUTE : FS_READ);
    allow_each(&r, jail->readable, jail->compiles ? FS_READ | FS_EXECUTE : FS_READ);
    allow(&r, "/dev/null", FS_READ | FS_WRITE);
    if (jail->writable)
        allow(&r, jail->writable, FS_READ | FS_WRITE);
    if (!jail->compiles)
        allow_a_run(&r, jail);
    int error = syscall(SYS_landlock_restrict_self, r.fd, 0) == 0 ? 0 : errno;
    close(r.fd);
    return error;
}

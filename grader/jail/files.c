/* files.c: Landlock: which files can still be written. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <stdint.h>
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

static const uint64_t all_writing = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                    LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                    LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                    LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                    LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

static void allow_writing(int rules, const char *path, uint64_t how)
{
    struct landlock_path_beneath_attr beneath = {.allowed_access = how,
                                                 .parent_fd = open(path, O_PATH | O_CLOEXEC)};
    if (beneath.parent_fd < 0)
        return;
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
    close(beneath.parent_fd);
}

int jail_files(bool *in_force)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    *in_force = abi >= 1;
    if (abi < 1)
        return 0; /* jail.h says what is left */
    struct ruleset attr = {.files = all_writing | (abi >= 3 ? FS_TRUNCATE : 0)};
    size_t bytes = offsetof(struct ruleset, network);
    if (abi >= 4) {
        attr.network = NET_BIND_TCP | NET_CONNECT_TCP;
        bytes = offsetof(struct ruleset, scoped);
    }
    if (abi >= 6) {
        attr.scoped = SCOPE_ABSTRACT_UNIX | SCOPE_SIGNAL;
        bytes = sizeof attr;
    }
    int rules = (int)syscall(SYS_landlock_create_ruleset, &attr, bytes, 0);
    if (rules < 0)
        return errno;
    uint64_t write_file = LANDLOCK_ACCESS_FS_WRITE_FILE | (abi >= 3 ? FS_TRUNCATE : 0);
    allow_writing(rules, "/dev/null", write_file);
    allow_writing(rules, "/dev/dxg", write_file);        /* the GPU under WSL */
    allow_writing(rules, "/proc/self/task", write_file); /* names of threads */
    glob_t found;
    if (glob("/dev/nvidia*", 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            allow_writing(rules, found.gl_pathv[i], write_file);
        globfree(&found);
    }
    int error = syscall(SYS_landlock_restrict_self, rules, 0) == 0 ? 0 : errno;
    close(rules);
    return error;
}

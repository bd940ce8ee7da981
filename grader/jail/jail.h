/* jail.h: starts a program that must not be able to do harm: a subject, or the compiler of one.
 *
 * What holds it, each layer without privileges, the same for root, for an ordinary user and inside
 * a container:
 *   one process       a seccomp filter: no fork, no other process to signal, trace, read or
 *                     schedule, no network, no terminal, nothing removed or renamed; threads are
 *                     allowed. Killing that one process ends everything
 *   no capability     where the caller is root: bounding set emptied, no_new_privs
 *   nothing to read   Landlock (Linux 5.13 and later): the program itself, libraries and what the
 *                     caller names. No home, no terminal, no solution. Nothing else is executed.
 *                     Of /proc its own part; with a GPU, all that its driver may look for
 *   nothing to see    on the simulated device, a mount namespace, where the machine allows one:
 *                     other paths do not exist, so stat tells nothing of them (room.c)
 *   nothing to write  Landlock: no file can be made or written but /dev/null, the GPU's device
 *                     nodes and the names of its own threads; no TCP, and no signals to the outside
 *                     where the kernel offers that
 *   limits            data 4 GiB or as asked, 1 MiB files, 256 descriptors (with a GPU 1024), no
 *                     core, no real-time priority; a watchdog in the judge (judge/watch.c) looks at
 *                     resident memory, swap, huge pages, page tables and threads
 *   no other memory   on the simulated device, shared memory without a file ends the process. It
 *                     could hold memory that neither its limits nor the watchdog see. (A
 *                     GPU's driver maps some itself, so there it is allowed)
 *   its parent        dies with it: PR_SET_PDEATHSIG (but for `outlives`: those ./grade ends)
 *
 * A compiler is a driver that starts programs, which write and remove temporary files: it may do
 * so, below the one folder that it may write. It runs no code of the submission, only reads it.
 *
 * On kernels without Landlock the filter remains, which knows no paths: files of the same user that
 * exist may then be read, executed, and overwritten in place (and with a GPU, whose driver opens
 * files for writing, made anew), and other processes of the same ordinary user may be looked into
 * unless they hide (session.h). Shared memory can be had of /dev/zero. Reports say so: jail_gap.
 *
 * The GPU stays usable. CUDA 13's driver (seen with strace, 580.159) opens its device nodes, names
 * its threads through /proc/self/task, makes a UNIX socket, and tries to mend links in /dev/char:
 * a refusal of the last must look like a missing file (ENOENT), or it gives up. It may not load
 * kernel modules from in here: whoever starts a jail lets the driver answer once before. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The address sanitizer's own mappings are terabytes: there only the watchdog bounds memory. */
#ifdef __SANITIZE_ADDRESS__
enum { JAIL_LIMITS_MEMORY = false };
#else
enum { JAIL_LIMITS_MEMORY = true };
#endif

struct jail {
    const char *program;         /* path */
    char *const *argv;           /* NULL: the program's name alone */
    const char *directory;       /* where it runs; NULL: here */
    int channel_fd;              /* becomes WIRE_CHANNEL_FD; -1: none */
    int output_fd;               /* becomes its stdout and stderr; stdin is /dev/null */
    uint64_t memory_bytes;       /* RLIMIT_DATA, if JAIL_LIMITS_MEMORY */
    uint64_t file_bytes;         /* RLIMIT_FSIZE */
    const char *const *readable; /* files and folders beside the system's; ends in NULL */
    const char *writable;        /* a folder; NULL: none */
    bool compiles;               /* it is a compiler */
    bool gpu;                    /* it will use one */
    bool outlives;               /* does not die with its parent: the caller sees to its end */
    char *const *env;            /* its whole environment, ends in NULL */
};

/* The process, or -1 with a sentence in `why`. */
pid_t jail_start(const struct jail *jail, char *why, size_t why_bytes);

/* A sentence about what this kernel cannot keep a prisoner from; NULL: nothing that jail.h
   promises. */
const char *jail_gap(void);

/* files.c, filter.c: put the calling process in. 0 or an errno. `files`: the filter refuses what
 * could make or empty a file, if Landlock does not. room.c: paths that are not for it do not exist
 * for it, where the machine allows that. */
void jail_room(const struct jail *jail);
int jail_files(const struct jail *jail);
void jail_each_system_path(void (*visit)(const char *path));
bool jail_files_are_complete(void);
int jail_filter(const struct jail *jail, bool files);

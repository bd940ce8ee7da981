/*
 * jail.h: starts a program that must not be able to do harm.
 *
 * What holds it, each layer without privileges, the same for root, for an ordinary user and inside
 * a container:
 *   one process       a seccomp filter: no fork, no other process to signal, trace or read, no
 *                     network, nothing removed or renamed; threads are allowed. Killing that one
 *                     process ends everything
 *   no capability     where the caller is root: bounding set emptied, no_new_privs
 *   nothing to write  Landlock (Linux 5.13 and later): no file can be made or written but
 *                     /dev/null, the GPU's device nodes and the names of its own threads; no TCP,
 *                     and no signals to the outside where the kernel offers that
 *   limits            data 4 GiB or as asked, 1 MiB files, 1024 descriptors, no core; a watchdog
 *                     in the judge (judge/watch.c) looks at resident memory and threads, which
 *                     rlimits do not bound for root
 *   its parent        dies with it: PR_SET_PDEATHSIG
 *
 * On kernels without Landlock the filter remains, which knows no paths: files of the same user that
 * exist may then be overwritten in place (and with a GPU, whose driver opens files for writing,
 * made anew), and other processes of the same ordinary user may be looked into unless they hide
 * (session.h).
 *
 * The GPU stays usable. CUDA 13's driver (seen with strace, 580.159) opens its device nodes, names
 * its threads through /proc/self/task, makes a UNIX socket, and tries to mend links in /dev/char:
 * a refusal of the last must look like a missing file (ENOENT), or it gives up. It may not load
 * kernel modules from in here: whoever starts a jail lets the driver answer once before.
 */
#ifndef JAIL_H
#define JAIL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct jail {
    const char *program;   /* path; argv is its name alone */
    const char *directory; /* where it runs */
    int channel_fd;        /* becomes WIRE_CHANNEL_FD */
    int output_fd;         /* becomes its stdout and stderr; stdin is /dev/null */
    uint64_t memory_bytes; /* RLIMIT_DATA */
    bool gpu;              /* it will use one */
    char *const *env;      /* its whole environment, ends in NULL */
};

/* The process, or -1 with a sentence in `why`. */
pid_t jail_start(const struct jail *jail, char *why, size_t why_bytes);

/*
 * files.c, filter.c: put the calling process in. 0 or an errno. *in_force: this kernel
 * has Landlock. `files`: the filter refuses what could make or empty a file, in Landlock's stead.
 */
int jail_files(bool *in_force);
int jail_filter(bool files);

#endif

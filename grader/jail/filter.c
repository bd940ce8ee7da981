/* filter.c: system calls that a submission has no use for are refused.
 *
 * A list of what is refused, not of what is allowed: the CUDA driver makes many calls, and other
 * ones in the next release. What matters is that the process stays alone, and that nothing
 * outlives it. A call that an architecture does not have is left out by libseccomp. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/termios.h>
#include <linux/sockios.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "jail.h"

/* Refused whatever the arguments. */
static const int refused[] = {
    SCMP_SYS(tkill),
    SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(rt_tgsigqueueinfo),
    SCMP_SYS(pidfd_open),
    SCMP_SYS(pidfd_send_signal),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(kcmp),
    SCMP_SYS(setsid),
    SCMP_SYS(setpgid),
    SCMP_SYS(setpriority),
    SCMP_SYS(ioprio_set),
    SCMP_SYS(migrate_pages),
    SCMP_SYS(move_pages),
    SCMP_SYS(process_madvise),
    SCMP_SYS(process_mrelease),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(move_mount),
    SCMP_SYS(open_tree),
    SCMP_SYS(fsopen),
    SCMP_SYS(mount_setattr),
    /* calls that would go round this filter */
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(open_by_handle_at),
    /* pins pages that nobody counts */
    SCMP_SYS(vmsplice),
    /* what outlives a process, or belongs to others of the same user */
    SCMP_SYS(shmget),
    SCMP_SYS(shmat),
    SCMP_SYS(shmctl),
    SCMP_SYS(msgget),
    SCMP_SYS(msgsnd),
    SCMP_SYS(msgrcv),
    SCMP_SYS(msgctl),
    SCMP_SYS(semget),
    SCMP_SYS(semop),
    SCMP_SYS(semtimedop),
    SCMP_SYS(semctl),
    SCMP_SYS(mq_open),
    SCMP_SYS(mq_unlink),
    SCMP_SYS(add_key),
    SCMP_SYS(keyctl),
    SCMP_SYS(request_key),
};

/* A compiler may do these: it starts programs, and Landlock says where they write. */
static const int refused_to_runs[] = {
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(rmdir),
    SCMP_SYS(rename),
    SCMP_SYS(link),
    SCMP_SYS(symlink),
    SCMP_SYS(mkdir),
    SCMP_SYS(mknod),
    SCMP_SYS(chmod),
    SCMP_SYS(chown),
    SCMP_SYS(lchown),
    SCMP_SYS(creat),
    SCMP_SYS(utime),
    SCMP_SYS(utimes),
    SCMP_SYS(futimesat),
    SCMP_SYS(renameat),
    SCMP_SYS(renameat2),
    SCMP_SYS(linkat),
    SCMP_SYS(symlinkat),
    SCMP_SYS(mkdirat),
    SCMP_SYS(mknodat),
    SCMP_SYS(fchmod),
    SCMP_SYS(fchmodat),
    SCMP_SYS(fchown),
    SCMP_SYS(fchownat),
    SCMP_SYS(truncate),
    SCMP_SYS(utimensat),
    SCMP_SYS(setxattr),
    SCMP_SYS(lsetxattr),
    SCMP_SYS(fsetxattr),
    SCMP_SYS(removexattr),
    SCMP_SYS(lremovexattr),
    SCMP_SYS(fremovexattr),
    SCMP_SYS(landlock_create_ruleset),
    /* makes the whole machine wait for its disks */
    SCMP_SYS(sync),
    SCMP_SYS(syncfs),
};

/* End a run on the simulated device: memory that belongs to no process, so that neither a limit nor
 * the watchdog counts it. Pages of a shared mapping stay when most of the mapping is gone. */
static const int hidden_memory[] = {SCMP_SYS(memfd_create), SCMP_SYS(memfd_secret)};

/* Ways to others of the same machine, without a GPU: abstract sockets have names that all see,
 * inotify tells what others do with files, a lock stops them. ioctl sets flags of files, which
 * stay; locked memory is no longer for others. A driver of a GPU needs sockets, ioctl, locked
 * memory. */
static const int between_neighbors[] = {
    SCMP_SYS(socket),        SCMP_SYS(socketpair),        SCMP_SYS(bind),  SCMP_SYS(listen),
    SCMP_SYS(inotify_init),  SCMP_SYS(inotify_init1),     SCMP_SYS(flock), SCMP_SYS(ioctl),
    SCMP_SYS(fanotify_init), SCMP_SYS(inotify_add_watch), SCMP_SYS(mlock), SCMP_SYS(mlock2),
    SCMP_SYS(mlockall),
};

/* Answered as if the kernel did not know them: libraries fall back to older calls. Those from
 * setxattrat on, of Linux 6.13, came after these lists were made; most of them change files. */
enum { CALL_FCHMODAT2 = 452, CALL_SETXATTRAT = 463, CALLS_END = 512 };
static const int unknown[] = {SCMP_SYS(clone3), SCMP_SYS(openat2), CALL_FCHMODAT2};

/* Answered as if there were no such file: jail.h says for whom. */
static const int missing[] = {
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
};

/* The filter, and the first error in adding to it: a negative errno. */
struct filter {
    scmp_filter_ctx rules;
    int error;
};

/* Refuses `call` if its argument is as `compare` says. */
static void refuse_if(struct filter *f, int call, struct scmp_arg_cmp compare, int error)
{
    if (f->error == 0)
        f->error = seccomp_rule_add(f->rules, SCMP_ACT_ERRNO((uint32_t)error), call, 1, compare);
}

static void refuse(struct filter *f, const int *calls, size_t n, int error)
{
    for (size_t i = 0; i < n && f->error == 0; i++)
        f->error = seccomp_rule_add(f->rules, SCMP_ACT_ERRNO((uint32_t)error), calls[i], 0);
}

/* Opening a file with one of these makes or empties it. */
static void refuse_creation(struct filter *f)
{
    static const unsigned flags[] = {O_CREAT, O_TRUNC, O_TMPFILE & ~O_DIRECTORY};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        refuse_if(f, SCMP_SYS(open), SCMP_A1(SCMP_CMP_MASKED_EQ, flags[i], flags[i]), EACCES);
        refuse_if(f, SCMP_SYS(openat), SCMP_A2(SCMP_CMP_MASKED_EQ, flags[i], flags[i]), EACCES);
    }
}

/* Scheduling of any thread but the calling one, which has the number 0 here: the kernel knows no
 * other bound for threads of the same user. */
static void refuse_scheduling(struct filter *f)
{
    static const int calls[] = {SCMP_SYS(sched_setscheduler), SCMP_SYS(sched_setparam),
                                SCMP_SYS(sched_setattr), SCMP_SYS(sched_setaffinity)};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        refuse_if(f, calls[i], SCMP_A0(SCMP_CMP_NE, 0), EPERM);
}

/* Settings and input of terminals, and signals that a descriptor sends to a process. */
static void refuse_requests(struct filter *f)
{
    static const unsigned requests[] = {
        TCSETS,   TCSETSW,   TCSETSF,  TCSETA,   TCSETAW,   TCSETAF,    TCSETS2,   TCSETSW2,
        TCSETSF2, TCSBRK,    TCXONC,   TCFLSH,   TIOCSTI,   TIOCSWINSZ, TIOCSPGRP, TIOCSCTTY,
        TIOCSETD, TIOCLINUX, TIOCCONS, TIOCEXCL, FIOSETOWN, SIOCSPGRP,  FIOASYNC};
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++)
        refuse_if(f, SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, requests[i]), EPERM);
}

/* Owners of signals; locks, of which a process may hold any number; leases, for which others
 * wait. */
static void refuse_commands(struct filter *f)
{
    static const unsigned commands[] = {F_SETOWN, F_SETOWN_EX, F_SETSIG,     F_SETLK,
                                        F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW, F_SETLEASE};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        refuse_if(f, SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, commands[i]), EPERM);
}

/* Datagrams carry an address of their own, past the refusal of connect. UNIX has SOCK_RAW as
 * another word for them. */
static void refuse_datagrams(struct filter *f)
{
    static const int calls[] = {SCMP_SYS(socket), SCMP_SYS(socketpair)};
    static const unsigned types[] = {SOCK_DGRAM, SOCK_RAW};
    const uint64_t type_only = 0xf;
    for (size_t c = 0; c < 2; c++)
        for (size_t t = 0; t < 2; t++)
            refuse_if(f, calls[c], SCMP_A1(SCMP_CMP_MASKED_EQ, type_only, types[t]), EPERM);
}

static void end_for_hidden_memory(struct filter *f)
{
    const uint64_t anonymous = MAP_SHARED | MAP_ANONYMOUS;
    for (size_t i = 0; i < sizeof hidden_memory / sizeof hidden_memory[0] && f->error == 0; i++)
        f->error = seccomp_rule_add(f->rules, SCMP_ACT_KILL_PROCESS, hidden_memory[i], 0);
    if (f->error == 0)
        f->error = seccomp_rule_add(f->rules, SCMP_ACT_KILL_PROCESS, SCMP_SYS(mmap), 1,
                                    SCMP_A3(SCMP_CMP_MASKED_EQ, anonymous, anonymous));
}

static void add_rules_for_runs(struct filter *f, bool files)
{
    refuse(f, refused_to_runs, sizeof refused_to_runs / sizeof refused_to_runs[0], EPERM);
    refuse(f, missing, sizeof missing / sizeof missing[0], ENOENT);
    refuse_if(f, SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0), EPERM);
    if (files)
        refuse_creation(f);
}

/* What is left of those calls where not all of them are refused. */
static void refuse_some_between_neighbors(struct filter *f)
{
    refuse_if(f, SCMP_SYS(socket), SCMP_A0(SCMP_CMP_NE, AF_UNIX), EPERM);
    refuse_requests(f);
    refuse_datagrams(f);
}

static void add_rules(struct filter *f)
{
    const uint64_t self = (uint64_t)getpid(), whole_int = UINT32_MAX;
    refuse(f, refused, sizeof refused / sizeof refused[0], EPERM);
    refuse(f, unknown, sizeof unknown / sizeof unknown[0], ENOSYS);
    for (int call = CALL_SETXATTRAT; call < CALLS_END; call++)
        refuse(f, &call, 1, ENOSYS);
    refuse(f, (int[]){SCMP_SYS(connect)}, 1, ECONNREFUSED);
    refuse_if(f, SCMP_SYS(kill), SCMP_A0(SCMP_CMP_NE, self), EPERM);
    refuse_if(f, SCMP_SYS(tgkill), SCMP_A0(SCMP_CMP_NE, self), EPERM);
    refuse_if(f, SCMP_SYS(prlimit64), SCMP_A0(SCMP_CMP_NE, 0), EPERM);
    refuse_if(f, SCMP_SYS(prctl), SCMP_A0(SCMP_CMP_MASKED_EQ, whole_int, PR_SET_PDEATHSIG), EPERM);
    refuse_scheduling(f);
    refuse_commands(f);
}

int jail_filter(const struct jail *jail, bool files)
{
    struct filter f = {.rules = seccomp_init(SCMP_ACT_ALLOW)};
    if (!f.rules)
        return ENOMEM;
    /* calls of another architecture, which the list does not name */
    f.error = seccomp_attr_set(f.rules, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM));
    add_rules(&f);
    if (!jail->compiles)
        add_rules_for_runs(&f, files);
    if (jail->compiles || jail->gpu) {
        refuse_some_between_neighbors(&f);
    } else {
        refuse(&f, between_neighbors, sizeof between_neighbors / sizeof between_neighbors[0],
               EPERM);
        end_for_hidden_memory(&f);
    }
    if (f.error == 0)
        f.error = seccomp_load(f.rules);
    seccomp_release(f.rules);
    return -f.error;
}

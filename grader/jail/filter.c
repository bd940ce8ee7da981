/*
 * filter.c: system calls that a submission has no use for are refused.
 *
 * A list of what is refused, not of what is allowed: the CUDA driver makes many calls, and other
 * ones in the next release. What matters is that the process stays alone, and that nothing
 * outlives it. A call that an architecture does not have is left out by libseccomp.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "jail.h"

/* Refused whatever the arguments. */
static const int refused[] = {
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
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
    /* what outlives a process */
    SCMP_SYS(shmget),
    SCMP_SYS(msgget),
    SCMP_SYS(semget),
    SCMP_SYS(mq_open),
    SCMP_SYS(add_key),
    SCMP_SYS(keyctl),
    SCMP_SYS(request_key),
    /* the file system */
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
};

/* Answered as if the kernel did not know them: libraries fall back to older calls. */
enum { CALL_FCHMODAT2 = 452 }; /* Linux 6.6: not in older headers */
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

static void add_rules(struct filter *f, bool files)
{
    const uint64_t self = (uint64_t)getpid(), whole_int = UINT32_MAX;
    refuse(f, refused, sizeof refused / sizeof refused[0], EPERM);
    refuse(f, unknown, sizeof unknown / sizeof unknown[0], ENOSYS);
    refuse(f, missing, sizeof missing / sizeof missing[0], ENOENT);
    refuse(f, (int[]){SCMP_SYS(connect)}, 1, ECONNREFUSED);
    refuse_if(f, SCMP_SYS(socket), SCMP_A0(SCMP_CMP_NE, AF_UNIX), EPERM);
    refuse_if(f, SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0), EPERM);
    refuse_if(f, SCMP_SYS(kill), SCMP_A0(SCMP_CMP_NE, self), EPERM);
    refuse_if(f, SCMP_SYS(tgkill), SCMP_A0(SCMP_CMP_NE, self), EPERM);
    refuse_if(f, SCMP_SYS(prlimit64), SCMP_A0(SCMP_CMP_NE, 0), EPERM);
    refuse_if(f, SCMP_SYS(prctl), SCMP_A0(SCMP_CMP_MASKED_EQ, whole_int, PR_SET_PDEATHSIG), EPERM);
    if (files)
        refuse_creation(f);
}

int jail_filter(bool files)
{
    struct filter f = {.rules = seccomp_init(SCMP_ACT_ALLOW)};
    if (!f.rules)
        return ENOMEM;
    /* calls of another architecture, which the list does not name */
    f.error = seccomp_attr_set(f.rules, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM));
    add_rules(&f, files);
    if (f.error == 0)
        f.error = seccomp_load(f.rules);
    seccomp_release(f.rules);
    return -f.error;
}

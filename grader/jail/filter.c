/*
 * jail_filter.c: system calls that a submission has no use for are refused.
 *
 * A list of what is refused, not of what is allowed: the CUDA driver makes many calls, and other
 * ones in the next release. What matters is that the process stays alone, and that nothing
 * outlives it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jail.h"

#if defined(__x86_64__)
#define THIS_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCH AUDIT_ARCH_AARCH64
#else
#error "jail_filter.c knows the system calls of x86-64 and arm64 only"
#endif

enum { X32_BIT = 0x40000000, MOST_INSTRUCTIONS = 512 };

/* Refused whatever the arguments. */
static const int refused[] = {
#ifdef SYS_fork
    SYS_fork,
    SYS_vfork,
#endif
    SYS_tkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_pidfd_open,
    SYS_pidfd_send_signal,
    SYS_pidfd_getfd,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_setsid,
    SYS_setpgid,
    SYS_setpriority,
    SYS_unshare,
    SYS_setns,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_move_mount,
    SYS_open_tree,
    SYS_fsopen,
    SYS_mount_setattr,
    /* calls that would go round this filter */
    SYS_io_uring_setup,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_open_by_handle_at,
    /* what outlives a process */
    SYS_shmget,
    SYS_msgget,
    SYS_semget,
    SYS_mq_open,
    SYS_add_key,
    SYS_keyctl,
    SYS_request_key,
/* the file system */
#ifdef SYS_unlink
    SYS_rmdir,
    SYS_rename,
    SYS_link,
    SYS_symlink,
    SYS_mkdir,
    SYS_mknod,
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_creat,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
#endif
#ifdef SYS_renameat
    SYS_renameat,
#endif
    SYS_renameat2,
    SYS_linkat,
    SYS_symlinkat,
    SYS_mkdirat,
    SYS_mknodat,
    SYS_fchmod,
    SYS_fchmodat,
    SYS_fchown,
    SYS_fchownat,
    SYS_truncate,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
};

/* Answered as if the kernel did not know them: libraries fall back to older calls. */
enum { CALL_FCHMODAT2 = 452 }; /* Linux 6.6: not in older headers */
static const int unknown[] = {SYS_clone3, SYS_openat2, CALL_FCHMODAT2};

/* Answered as if there were no such file: jail.h says for whom. */
static const int missing[] = {
#ifdef SYS_unlink
    SYS_unlink,
#endif
    SYS_unlinkat,
};

struct program {
    struct sock_filter code[MOST_INSTRUCTIONS];
    unsigned short n;
};

static void emit(struct program *p, unsigned short code, uint32_t k, uint8_t if_true,
                 uint8_t if_false)
{
    p->code[p->n++] = (struct sock_filter){.code = code, .jt = if_true, .jf = if_false, .k = k};
}

static void load_number(struct program *p)
{
    emit(p, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
}

/* Low half of an argument (the machine is little-endian). */
static void load_argument(struct program *p, int i)
{
    emit(p, BPF_LD | BPF_W | BPF_ABS,
         (uint32_t)(offsetof(struct seccomp_data, args) + 8 * (size_t)i), 0, 0);
}

static void answer(struct program *p, int error)
{
    uint32_t what = error ? SECCOMP_RET_ERRNO | (uint32_t)error : SECCOMP_RET_ALLOW;
    emit(p, BPF_RET | BPF_K, what, 0, 0);
}

static void refuse(struct program *p, int call, int error)
{
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1);
    answer(p, error);
}

/* Refuses `call` unless (argument & bits) != 0, or, for `inverse`, if it is. */
static void refuse_by_bits(struct program *p, int call, int argument, uint32_t bits, int inverse,
                           int error)
{
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 4);
    load_argument(p, argument);
    emit(p, BPF_JMP | BPF_JSET | BPF_K, bits, inverse ? 1 : 0, inverse ? 0 : 1);
    answer(p, 0);
    answer(p, error);
}

/* Refuses `call` unless the argument is the value, or, for `inverse`, if it is. */
static void refuse_by_value(struct program *p, int call, int argument, uint32_t value, int inverse,
                            int error)
{
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 4);
    load_argument(p, argument);
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, value, inverse ? 1 : 0, inverse ? 0 : 1);
    answer(p, 0);
    answer(p, error);
}

static void write_program(struct program *p, uint32_t self, bool files)
{
    emit(p, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCH, 1, 0);
    answer(p, EPERM);
    load_number(p);
#if defined(__x86_64__)
    emit(p, BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1);
    answer(p, EPERM);
#endif
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        refuse(p, refused[i], EPERM);
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        refuse(p, unknown[i], ENOSYS);
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++)
        refuse(p, missing[i], ENOENT);
    refuse(p, SYS_connect, ECONNREFUSED);
    refuse_by_value(p, SYS_socket, 0, AF_UNIX, 0, EPERM);
    refuse_by_bits(p, SYS_clone, 0, CLONE_THREAD, 0, EPERM);
    refuse_by_value(p, SYS_kill, 0, self, 0, EPERM);
    refuse_by_value(p, SYS_tgkill, 0, self, 0, EPERM);
    refuse_by_value(p, SYS_prlimit64, 0, 0, 0, EPERM);
    refuse_by_value(p, SYS_prctl, 0, PR_SET_PDEATHSIG, 1, EPERM);
    uint32_t creating = O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
#ifdef SYS_open
    if (files)
        refuse_by_bits(p, SYS_open, 1, creating, 1, EACCES);
#endif
    if (files)
        refuse_by_bits(p, SYS_openat, 2, creating, 1, EACCES);
    answer(p, 0);
}

int jail_filter(bool files)
{
    struct program p = {.n = 0};
    write_program(&p, (uint32_t)getpid(), files);
    struct sock_fprog filter = {.len = p.n, .filter = p.code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0 ? 0 : errno;
}

/* crash.c: the last message of a subject that dies of its own fault.
 *
 * The handler only looks up numbers; the judge makes the sentence. Then the default action ends
 * the process, so the judge sees the true signal as well, also where a submission took the handler
 * away.
 *
 * A subject that does not answer in time says in the same way where it is. */
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include "common/return_address.h"
#include "common/simgpu/simgpu.h"
#include "bench.h"
#include "inside.h"

#ifdef __SANITIZE_ADDRESS__
/* In the jail the address sanitizer does not find its variable of the environment. Its search for
 * leaks would fork, and signals are handled here. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0:handle_segv=0:detect_stack_use_after_return=0:malloc_context_size=1";
}
#endif

#pragma weak simgpu_calling
#pragma weak simgpu_is_device_address

enum { ALTERNATE_STACK = 64 * 1024, NEAR_STACK = 64 * 1024 };
/* words of the stack: a function of C that faults has pushed little, one that waits more */
enum { LOOK_FOR_CALLER = 16, LOOK_FOR_WAITER = 1024 };
enum { MOST_STACK = 8 << 20 };

extern const char __executable_start[]; /* the linker makes it */

static int buffer_of(const struct subject *s, uintptr_t address, int64_t *offset)
{
    for (int i = 0; i < s->n_maps; i++) {
        const struct subject_map *m = &s->maps[i];
        *offset = (int64_t)(address - (uintptr_t)m->data);
        if (is_beside(*offset, s->scenario.buffers[i].data_bytes))
            return i;
    }
    *offset = 0;
    return -1;
}

static void note_device_memory(struct wire_fault *f, const void *p)
{
    size_t bytes;
    const void *caller;
    f->device = simgpu_is_device_address && simgpu_is_device_address(p);
    if (!bench_allocation_of(p, &bytes, &caller))
        return;
    f->device = true;
    f->allocation_bytes = bytes;
    f->allocation = subject_code_offset(caller);
}

/* What the processor says of a fault. */
struct registers {
    uintptr_t instruction, stack;
    uintptr_t caller; /* where the function returns to, if a register holds it; else 0 */
    bool write;
};

#if defined(__x86_64__)
static struct registers registers_of(const ucontext_t *u)
{
    const greg_t *registers = u->uc_mcontext.gregs;
    return (struct registers){.instruction = (uintptr_t)registers[REG_RIP],
                              .stack = (uintptr_t)registers[REG_RSP],
                              .write = (registers[REG_ERR] & 2) != 0};
}
#elif defined(__aarch64__)
/* Of the records after the registers, the one with the syndrome of the fault says if it wrote. */
static bool is_write(const mcontext_t *m)
{
    const uint64_t writes = 1 << 6;
    const char *at = (const char *)m->__reserved, *end = at + sizeof m->__reserved;
    while (at < end) {
        struct esr_context record;
        memcpy(&record, at, sizeof record);
        if (record.head.magic == ESR_MAGIC)
            return record.esr & writes;
        if (record.head.magic == 0 || record.head.size == 0)
            return false;
        at += record.head.size;
    }
    return false;
}

static struct registers registers_of(const ucontext_t *u)
{
    const mcontext_t *m = &u->uc_mcontext;
    return (struct registers){.instruction = m->pc,
                              .stack = m->sp,
                              .caller = return_address(m->regs[30]),
                              .write = is_write(m)};
}
#else
#error "x86-64 or aarch64 is wanted: add the registers of this machine"
#endif

static uintptr_t main_stack; /* an address in it, near its beginning */

/* A wild stack pointer must not be followed, nor one of a kernel's threads, nor one that has left
 * the stack. */
static bool is_readable(const struct wire_fault *f, const uintptr_t *stack)
{
    return !f->stack && main_stack - (uintptr_t)stack < MOST_STACK;
}

static void note_registers(struct wire_fault *f, const ucontext_t *u)
{
    const struct registers r = registers_of(u);
    const uintptr_t *stack = (const uintptr_t *)r.stack;
    f->write = r.write;
    f->stack = f->address - r.stack + NEAR_STACK < 2 * (uintptr_t)NEAR_STACK;
    f->instruction = subject_code_at(r.instruction);
    /* a function of C, such as memcpy, was called by the program and has pushed little */
    if (!f->instruction && r.caller)
        f->instruction = subject_code_at(r.caller - 1);
    for (int i = 0; is_readable(f, stack) && !f->instruction && i < LOOK_FOR_CALLER; i++)
        f->instruction = subject_code_at(return_address(stack[i]) - 1);
}

/* Of a call of the runtime, its line says more than a line of the course's code. */
static void note_call(struct wire_fault *f)
{
    const uint32_t at = simgpu_calling ? simgpu_calling().at : 0;
    if (!at || (f->instruction && subject_is_own_code(__executable_start + f->instruction)))
        return;
    f->in_call = true;
    f->instruction = at;
}

static void report_fault(int number, siginfo_t *info, void *context)
{
    struct wire_fault *f = &subject.reply.fault;
    uintptr_t address = (uintptr_t)info->si_addr;
    subject.reply.outcome = WIRE_CRASHED;
    f->signal = number;
    f->code = info->si_code;
    f->address = address;
    f->buffer = buffer_of(&subject, address, &f->offset);
    subject_alone_holds(info->si_addr, &f->struct_bytes, &f->offset);
    subject_lent_at_death(f);
    note_device_memory(f, info->si_addr);
    subject_red_zone_at_death(f);
    note_registers(f, context);
    note_call(f);
    subject_note_ignored(&subject);
    wire_send(WIRE_CHANNEL_FD, &subject.reply, sizeof subject.reply, -1);
    signal(number, SIG_DFL);
    raise(number);
}

/* Where the submission is, or the call that it waits in; 0: not known. */
static uint64_t place_of(const struct registers *r)
{
    const uint64_t call = simgpu_calling ? simgpu_calling().at : 0;
    const uintptr_t *stack = (const uintptr_t *)r->stack;
    if (subject_is_own_code((const void *)r->instruction))
        return subject_code_at(r->instruction);
    if (call || main_stack - r->stack >= MOST_STACK)
        return call;
    if (subject_is_own_code((const void *)r->caller))
        return subject_code_at(r->caller - 1);
    for (int i = 0; i < LOOK_FOR_WAITER && (uintptr_t)&stack[i] < main_stack; i++)
        if (subject_is_own_code((const void *)return_address(stack[i])))
            return subject_code_at(return_address(stack[i]) - 1);
    return 0;
}

/* At the time limit the judge asks where the program is. */
static void report_place(int number, siginfo_t *info, void *context)
{
    static struct wire_reply reply;
    const struct registers r = registers_of(context);
    (void)info;
    reply = subject.reply;
    reply.outcome = WIRE_LATE;
    reply.fault = (struct wire_fault){.signal = number, .buffer = -1, .instruction = place_of(&r)};
    wire_send(WIRE_CHANNEL_FD, &reply, sizeof reply, -1);
}

void subject_crash_install(void)
{
    static char stack[ALTERNATE_STACK];
    main_stack = (uintptr_t)__builtin_frame_address(0);
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternate, NULL);
    struct sigaction action = {.sa_sigaction = report_fault,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        sigaction(fatal[i], &action, NULL);
    action.sa_sigaction = report_place;
    sigaction(WIRE_ASKS_PLACE, &action, NULL);
}

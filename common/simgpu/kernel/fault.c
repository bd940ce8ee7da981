/* fault.c: a device thread that accesses forbidden memory, overflows its stack or (on x86-64)
 * divides by zero ends its grid with an error that names it, as on a GPU; so does a copy that
 * accesses host memory which is gone. The process goes on.
 *
 * The signal handlers run before the program's own, and pass on every signal that no operation of
 * the device caused. */
#include "worker.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

#include "memory/memory.h"

enum { SIGNAL_STACK_BYTES = 64 * 1024, N_SIGNALS = 3 };

static const int signals[N_SIGNALS] = {SIGSEGV, SIGBUS, SIGFPE};
static struct sigaction before[N_SIGNALS]; /* the program's */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static __thread struct guard {
    sigjmp_buf back;
    const void *at; /* the fault */
} * guard;          /* of the running access, or NULL */

/* ---- of a kernel ----------------------------------------------------------------------------- */

/* Where the faulting thread is once the handler has returned: at the far end of its own stack. */
_Noreturn static void fail(void)
{
    struct worker *w = worker_running;
    const uint3 t = threadIdx;
    if (w->fault_signal == SIGFPE)
        worker_fail(w, cudaErrorLaunchFailure,
                    "thread (%u,%u,%u) divides an integer by zero: a GPU's result is undefined",
                    t.x, t.y, t.z);
    if (fiber_guard_holds(&w->current->fiber, w->fault_address))
        worker_fail(w, cudaErrorLaunchFailure,
                    "thread (%u,%u,%u) needs more than its %zu KB of stack: large local arrays, or "
                    "a recursion",
                    t.x, t.y, t.z, FIBER_STACK_BYTES / 1024);
    const uintptr_t at = (uintptr_t)w->fault_address,
                    end = (uintptr_t)(w->dynamic_room + w->dynamic_room_bytes);
    if (at - end < SHARED_GUARD_BYTES)
        worker_fail(w, cudaErrorIllegalAddress,
                    "thread (%u,%u,%u) accesses byte %zu of the dynamic shared memory, which has "
                    "%zu bytes: their number is the third argument in <<<>>>",
                    t.x, t.y, t.z, at - (uintptr_t)w->dynamic_shared,
                    w->grid->launch->dynamic_shared_bytes);
    if (memory_is_device_address(w->fault_address))
        worker_fail(w, cudaErrorIllegalAddress,
                    "thread (%u,%u,%u) accesses address %p, which is far from every allocation: "
                    "compare the index with the size that you allocated. Is an `if (i < n)` "
                    "missing?",
                    t.x, t.y, t.z, w->fault_address);
    worker_fail(w, cudaErrorIllegalAddress,
                "thread (%u,%u,%u) accesses address %p, which is not memory: check the pointer and "
                "the index",
                t.x, t.y, t.z, w->fault_address);
}

static void go_on_in_fail(struct worker *w, ucontext_t *context)
{
    uintptr_t top = (uintptr_t)w->current->fiber.stack + FIBER_STACK_BYTES;
#if defined(__x86_64__)
    top -= 3 * sizeof(void *); /* as after a call: 8 off a multiple of 16 */
    context->uc_mcontext.gregs[REG_RSP] = (greg_t)top;
    context->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)fail;
#else
    context->uc_mcontext.sp = top;
    context->uc_mcontext.pc = (uintptr_t)fail;
#endif
}

/* ---- signals --------------------------------------------------------------------------------- */

static void pass_on(int signal_number, siginfo_t *info, void *context)
{
    int i = 0;
    while (signals[i] != signal_number)
        i++;
    const struct sigaction *theirs = &before[i];
    if (theirs->sa_flags & SA_SIGINFO) {
        theirs->sa_sigaction(signal_number, info, context);
        return;
    }
    if (theirs->sa_handler != SIG_DFL && theirs->sa_handler != SIG_IGN) {
        theirs->sa_handler(signal_number);
        return;
    }
    /* on return the same instruction faults again, and no handler catches it */
    sigaction(signal_number, theirs, NULL);
    if (info->si_code <= 0)
        raise(signal_number);
}

static void handle(int signal_number, siginfo_t *info, void *context)
{
    struct worker *w = worker_running;
    if (guard && signal_number != SIGFPE && info->si_code > 0) {
        guard->at = info->si_addr;
        siglongjmp(guard->back, 1);
    }
    if (!w || info->si_code <= 0) {
        pass_on(signal_number, info, context);
        return;
    }
    w->fault_signal = signal_number;
    w->fault_address = info->si_addr;
    go_on_in_fail(w, context);
}

static void install(void)
{
    for (int i = 0; i < N_SIGNALS; i++) {
        struct sigaction ours = {.sa_sigaction = handle,
                                 .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
        sigemptyset(&ours.sa_mask);
        sigaction(signals[i], &ours, &before[i]);
    }
}

bool fault_guard(void (*access)(void *arg), void *arg, const void **at)
{
    struct guard own;
    if (!FIBER_SANITIZED)
        pthread_once(&once, install);
    guard = &own;
    const bool good = sigsetjmp(own.back, 0) == 0;
    if (good)
        access(arg);
    else
        *at = own.at;
    guard = NULL;
    return good;
}

void fault_watch(struct worker *w)
{
    if (FIBER_SANITIZED) /* the sanitizer has more to say about a bad access */
        return;
    pthread_once(&once, install);
    stack_t now;
    if (sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE))
        return; /* the program has given this thread one */
    w->signal_stack = malloc(SIGNAL_STACK_BYTES);
    if (!w->signal_stack)
        return;
    stack_t ours = {.ss_sp = w->signal_stack, .ss_size = SIGNAL_STACK_BYTES};
    if (sigaltstack(&ours, NULL) != 0) {
        free(w->signal_stack);
        w->signal_stack = NULL;
    }
}

void fault_forget(struct worker *w)
{
    if (!w->signal_stack)
        return;
    stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
    free(w->signal_stack);
    w->signal_stack = NULL;
}

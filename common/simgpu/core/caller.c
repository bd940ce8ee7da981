/* caller.c: the place in the program that made the running call. Findings and failed calls name it.
 *
 * It is found by return addresses. The calls of the runtime, and all code of the course between a
 * submission and them, are compiled with frame pointers: each function stores the frame of its
 * caller beside its return address. */
#include <link.h>
#include <unistd.h>

#include "common/return_address.h"
#include "core.h"
#include "simgpu.h"

enum { DEEPEST = 16 };

/* The frame of the calling function, and the return address in it. */
struct frame {
    const struct frame *caller;
    uintptr_t returns_to;
};

struct own_code own_code;

extern void *__libc_stack_end; /* of the first thread */

/* The program itself comes first. */
static int find_program(struct dl_phdr_info *program, size_t bytes, void *unused)
{
    (void)bytes, (void)unused;
    own_code.base = program->dlpi_addr;
    for (int i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &program->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && part->p_flags & PF_X) {
            own_code.begin = own_code.base + part->p_vaddr;
            own_code.end = own_code.begin + part->p_memsz;
        }
    }
    return 1;
}

__attribute__((constructor)) static void find_own_code(void)
{
    dl_iterate_phdr(find_program, NULL);
}

EXPORT void simgpu_own_code(const void *begin, const void *end)
{
    own_code.begin = (uintptr_t)begin;
    own_code.end = (uintptr_t)end;
    own_code.is_named = true;
}

uintptr_t caller_stack_end(void)
{
    pthread_attr_t attributes;
    void *stack = NULL;
    size_t bytes = 0;
    if (getpid() == gettid())
        return (uintptr_t)__libc_stack_end;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &stack, &bytes);
        pthread_attr_destroy(&attributes);
    }
    return (uintptr_t)stack + bytes;
}

/* Adds what the function returns to. True: that is all. */
static bool add(struct simgpu_caller *caller, uintptr_t stored)
{
    uint32_t call;
    caller_is_own((const void *)return_address(stored), &call);
    if (call == 0)
        return false;
    if (caller->at)
        caller->from = call;
    else
        caller->at = call;
    return caller->from || !own_code.is_named;
}

/* Code without frame pointers stores other values in their place. So only values that point further
 * up the stack are followed. */
__attribute__((no_sanitize("address"))) struct simgpu_caller caller_of(const void *frame,
                                                                       uintptr_t stack_end)
{
    const struct frame *f = frame;
    struct simgpu_caller caller = {0};
    for (int depth = 0; depth < DEEPEST && !add(&caller, f->returns_to); depth++) {
        uintptr_t here = (uintptr_t)f, next = (uintptr_t)f->caller;
        if (next <= here || next % sizeof next || next > stack_end - sizeof *f)
            break;
        f = f->caller;
    }
    return caller;
}

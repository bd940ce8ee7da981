/*
 * fiber_swap.S: uint64_t fiber_swap(void **save, void *load, uint64_t value)
 *
 * Puts the registers that a C function must keep on the running stack, stores the stack pointer at *save, takes
 * `load` as the stack pointer, and returns `value` to whoever stored that one. No system call; signal masks and
 * floating-point modes stay as they are, since no kernel changes them.
 *
 * fiber_swap_turn does the same for fibers that take turns. A CPU expects a return to go to where this was called. A
 * jump is predicted to go where the last one went, and at a barrier it does. But a jump in place of a return has the
 * CPU expect all later returns in the wrong place.
 */
    .text
    .globl  fiber_swap, fiber_swap_turn
    .hidden fiber_swap, fiber_swap_turn
    .type   fiber_swap, %function
    .type   fiber_swap_turn, %function

#if defined(__x86_64__)

    .macro  swap_stacks
    pushq   %rbp
    pushq   %rbx
    pushq   %r12
    pushq   %r13
    pushq   %r14
    pushq   %r15
    movq    %rsp, (%rdi)
    movq    %rsi, %rsp
    popq    %r15
    popq    %r14
    popq    %r13
    popq    %r12
    popq    %rbx
    popq    %rbp
    movq    %rdx, %rax
    .endm

    .p2align 4
fiber_swap:
    .cfi_startproc
    swap_stacks
    ret
    .cfi_endproc
    .size   fiber_swap, . - fiber_swap

    .p2align 4
fiber_swap_turn:
    .cfi_startproc
    swap_stacks
    popq    %rcx
    jmp     *%rcx
    .cfi_endproc
    .size   fiber_swap_turn, . - fiber_swap_turn

#elif defined(__aarch64__)

    .p2align 4
fiber_swap:
fiber_swap_turn:
    .cfi_startproc
    sub     sp, sp, #160
    stp     d8, d9, [sp, #0]
    stp     d10, d11, [sp, #16]
    stp     d12, d13, [sp, #32]
    stp     d14, d15, [sp, #48]
    stp     x19, x20, [sp, #64]
    stp     x21, x22, [sp, #80]
    stp     x23, x24, [sp, #96]
    stp     x25, x26, [sp, #112]
    stp     x27, x28, [sp, #128]
    stp     x29, x30, [sp, #144]
    mov     x9, sp
    str     x9, [x0]
    mov     sp, x1
    ldp     d8, d9, [sp, #0]
    ldp     d10, d11, [sp, #16]
    ldp     d12, d13, [sp, #32]
    ldp     d14, d15, [sp, #48]
    ldp     x19, x20, [sp, #64]
    ldp     x21, x22, [sp, #80]
    ldp     x23, x24, [sp, #96]
    ldp     x25, x26, [sp, #112]
    ldp     x27, x28, [sp, #128]
    ldp     x29, x30, [sp, #144]
    add     sp, sp, #160
    mov     x0, x2
    ret
    .cfi_endproc
    .size   fiber_swap, . - fiber_swap
    .size   fiber_swap_turn, . - fiber_swap_turn

#endif

    .section .note.GNU-stack, "", %progbits

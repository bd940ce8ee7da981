/* declare_kernel.h: registers a kernel with the simulated device at program start. The parameters
 * come from the type of the function. Included by kernel.h only, under g++.
 *
 *   DECLARE_KERNEL(kernel, footprint [, registers [, static_shared_bytes]])
 *
 * footprint: a function (struct simgpu_work *, const struct simgpu_launch *, the kernel's own
 * parameters), or nullptr if there is none. Registers (a thread) and static shared
 * memory (a block), as `nvcc -Xptxas -v` prints them, decide how many blocks an SM holds. */
#ifndef SIMGPU_DECLARE_KERNEL_H
#define SIMGPU_DECLARE_KERNEL_H

#include <type_traits>
#include <utility>

#include "../simgpu.h"
#include "thread.h"

template <auto Kernel> struct simgpu_callable;

/* What the device knows of the kernel. */
template <auto Kernel> inline struct simgpu_kernel simgpu_description;

/* How a parameter of type P comes to the device: `stored` is what a launch copies, and `from` makes
 * of it what a function of type void (passed) gets.
 *
 * The host alone constructs, copies and destroys an object. A thread has its bits, which is what a
 * function with a parameter of such a class gets in truth: the address of an object that its caller
 * made (Itanium C++ ABI, 3.1.2.3). */
template <typename P, typename = void> struct simgpu_passing {
    using stored = P;
    using passed = P;

    struct bits {
        alignas(P) unsigned char bytes[sizeof(P)];
    };

    /* without a constructor, which would be recorded */
    SIMGPU_NOT_RECORDED static P from(void *stored)
    {
        if constexpr (std::is_trivially_copyable_v<P>)
            return __builtin_bit_cast(P, *static_cast<bits *>(stored));
        else
            return *static_cast<P *>(stored);
    }
};

template <typename P> struct simgpu_passing<P &> {
    using stored = P *;
    using passed = P &;

    SIMGPU_NOT_RECORDED static P &from(void *stored)
    {
        return **static_cast<P **>(stored);
    }
};

template <typename P>
struct simgpu_passing<P, std::enable_if_t<!(std::is_trivially_copy_constructible_v<P> &&
                                            std::is_trivially_move_constructible_v<P> &&
                                            std::is_trivially_destructible_v<P>)>> {
    using stored = P;
    using passed = P &;

    struct bits {
        alignas(P) unsigned char bytes[sizeof(P)];

        operator P &()
        {
            return *reinterpret_cast<P *>(bytes);
        }
    };

    SIMGPU_NOT_RECORDED static bits from(void *stored)
    {
        bits b;
        __builtin_memcpy(b.bytes, stored, sizeof b.bytes);
        return b;
    }
};

template <typename... P, void (*Kernel)(P...)> struct simgpu_callable<Kernel> {
    using footprint_type = void (*)(struct simgpu_work *, const struct simgpu_launch *, P...);
    using passed_type = void (*)(typename simgpu_passing<P>::passed...);

    static constexpr int n_params = sizeof...(P);
    static constexpr size_t param_bytes[sizeof...(P) + 1] = {
        sizeof(typename simgpu_passing<P>::stored)..., 0};

    template <size_t... I>
    SIMGPU_NOT_RECORDED static void call_with(void *const *params, std::index_sequence<I...>)
    {
        static_cast<void>(params);                                /* where there are none */
        const auto kernel = reinterpret_cast<void (*)()>(Kernel); /* no warning from this type */
        reinterpret_cast<passed_type>(kernel)(simgpu_passing<P>::from(params[I])...);
    }

    SIMGPU_NOT_RECORDED static void call(void *const *params)
    {
        call_with(params, std::index_sequence_for<P...>{});
    }

    /* flatten: the kernel's body goes into the loop, so that a thread costs no call. */
    SIMGPU_NOT_RECORDED __attribute__((flatten)) static void run(void *const *params)
    {
        unsigned x = threadIdx.x;
        do {
            do
                call_with(params, std::index_sequence_for<P...>{});
            while (simgpu_next_in_row(&x));
        } while (simgpu_next_row(&x));
    }

    template <footprint_type Footprint, size_t... I>
    static void footprint_with(const struct simgpu_launch *launch, void *const *params,
                               struct simgpu_work *work, std::index_sequence<I...>)
    {
        static_cast<void>(params);
        Footprint(work, launch, simgpu_passing<P>::from(params[I])...);
    }

    template <footprint_type Footprint>
    static void footprint(const struct simgpu_launch *launch, void *const *params,
                          struct simgpu_work *work)
    {
        footprint_with<Footprint>(launch, params, work, std::index_sequence_for<P...>{});
    }
};

template <auto Kernel, typename simgpu_callable<Kernel>::footprint_type Footprint>
struct simgpu_declaration {
    simgpu_declaration(const char *name, int registers = 0, size_t static_shared_bytes = 0)
    {
        using callable = simgpu_callable<Kernel>;
        struct simgpu_kernel &kernel = simgpu_description<Kernel>;
        kernel.entry = reinterpret_cast<const void *>(Kernel);
        kernel.name = name;
        kernel.n_params = callable::n_params;
        kernel.param_bytes = callable::param_bytes;
#ifndef SIMGPU_SIMCC /* which has made a function for the host of it, and knows the body */
        kernel.call = callable::call;
        kernel.run = callable::run;
#endif
        using type =
            typename callable::footprint_type; /* g++ 11 warns of a comparison with nullptr */
        if constexpr (!std::is_same_v<std::integral_constant<type, Footprint>,
                                      std::integral_constant<type, nullptr>>)
            kernel.footprint = callable::template footprint<Footprint>;
        kernel.registers = registers;
        if (static_shared_bytes)
            kernel.static_shared_bytes = static_shared_bytes;
        simgpu_register_kernel(&kernel);
    }
};

#define SIMGPU_JOIN_NOW(a, b) a##b
#define SIMGPU_JOIN(a, b) SIMGPU_JOIN_NOW(a, b)

#define DECLARE_KERNEL(kernel, ...) SIMGPU_DECLARE(kernel, __VA_ARGS__, 0, 0, 0)
#define SIMGPU_UNIQUE SIMGPU_JOIN(simgpu_declared_, __COUNTER__)
#define SIMGPU_DECLARE(kernel, footprint, registers, shared, ...)                                  \
    static const simgpu_declaration<&kernel, footprint> SIMGPU_UNIQUE(#kernel, registers, shared)

/* The same for a variable. */
struct simgpu_declared_variable {
    simgpu_declared_variable(const void *variable, size_t bytes, const char *name)
    {
        simgpu_register_variable(const_cast<void *>(variable), bytes, name);
    }
};

#define DECLARE_VARIABLE(variable)                                                                 \
    static const simgpu_declared_variable SIMGPU_UNIQUE(&variable, sizeof(variable), #variable)

#endif

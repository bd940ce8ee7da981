/* instrument.c: the functions that code compiled by g++ -fsanitize=thread calls at each load and
 * store, in place of libtsan. In a kernel the access is recorded, in host code while work is
 * pending. */
#include "grid.h"
#include "host_record.h"
#include "record.h"
#include "worker.h"

/* A GPU accesses so many bytes only at their multiples. */
static void expect_aligned(const void *p, size_t bytes)
{
    if ((uintptr_t)p % bytes != 0)
        kernel_misaligned(p, bytes);
}

static inline void note_host(const void *p, size_t bytes, bool writes, const void *returns_to,
                             uint32_t site)
{
    if ((uintptr_t)p < simgpu_host.watched)
        host_access(p, bytes, writes, returns_to, site);
}

static inline __attribute__((always_inline)) void access_aligned(const void *p, size_t bytes,
                                                                 enum recorded how,
                                                                 const void *returns_to,
                                                                 uint32_t site)
{
    if (!recorder_now) {
        note_host(p, bytes, how != RECORDED_READ, returns_to, site);
        return;
    }
    expect_aligned(p, bytes);
    record_access(recorder_now, p, bytes, how);
}

/* The compiler calls __tsan_unaligned_… where a type promises less than its size. simcc's
 * inline_checks.awk calls simgpu_…, with the place in the program and its site. */
#define ACCESS(name, bytes, how)                                                                   \
    EXPORT void simgpu_##name##bytes(const void *p, const void *returns_to, uint32_t site);        \
    EXPORT void __tsan_##name##bytes(const void *p);                                               \
    EXPORT void __tsan_unaligned_##name##bytes(const void *p);                                     \
    void simgpu_##name##bytes(const void *p, const void *returns_to, uint32_t site)                \
    {                                                                                              \
        access_aligned(p, bytes, how, returns_to, site);                                           \
    }                                                                                              \
    void __tsan_##name##bytes(const void *p)                                                       \
    {                                                                                              \
        access_aligned(p, bytes, how, __builtin_return_address(0), HOST_NO_SITE);                  \
    }                                                                                              \
    void __tsan_unaligned_##name##bytes(const void *p)                                             \
    {                                                                                              \
        if (recorder_now)                                                                          \
            record_any(recorder_now, p, bytes, how);                                               \
        else                                                                                       \
            note_host(p, bytes, how != RECORDED_READ, __builtin_return_address(0), HOST_NO_SITE);  \
    }
#define ACCESSES(bytes)                                                                            \
    ACCESS(read, bytes, RECORDED_READ)                                                             \
    ACCESS(write, bytes, RECORDED_WRITE)

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

/* The thread has read so many bytes and changed nothing. If it waits so for others, the record
 * leaves out how often it has looked. */
static void note_unchanged(const volatile void *p, uint64_t value, size_t bytes)
{
    if (!recorder_now || simgpu_is_shared(p))
        return;
    const bool waits = thread_polls(p, value, bytes);
    if (waits)
        recorder_now->words -= RECORD_WORDS_OF(bytes);
    record_look(recorder_now, (uintptr_t)p, bytes, waits);
}

/* The lanes of a warp are in step where they access volatile shared memory. */
static void step(const void *p, bool writes, const void *site)
{
    if (worker_running && simgpu_is_shared(p))
        warp_step(worker_running, site, writes ? NULL : p);
}

static inline void signal_of_host(const volatile void *p, size_t bytes, bool writes)
{
    if ((uintptr_t)p < simgpu_host.watched)
        host_signal((const void *)p, bytes, writes);
}

/* Volatile accesses have names of their own. */
#define VOLATILE_ACCESS(bytes, type)                                                               \
    EXPORT void __tsan_volatile_read##bytes(const void *p);                                        \
    EXPORT void __tsan_volatile_write##bytes(const void *p);                                       \
    EXPORT void __tsan_unaligned_volatile_read##bytes(const void *p);                              \
    EXPORT void __tsan_unaligned_volatile_write##bytes(const void *p);                             \
    void __tsan_volatile_read##bytes(const void *p)                                                \
    {                                                                                              \
        step(p, false, __builtin_return_address(0));                                               \
        if (!recorder_now) {                                                                       \
            signal_of_host(p, bytes, false);                                                       \
            return;                                                                                \
        }                                                                                          \
        __tsan_read##bytes(p);                                                                     \
        note_unchanged(p, *(const volatile type *)p, bytes);                                       \
    }                                                                                              \
    void __tsan_volatile_write##bytes(const void *p)                                               \
    {                                                                                              \
        step(p, true, __builtin_return_address(0));                                                \
        if (recorder_now)                                                                          \
            __tsan_write##bytes(p);                                                                \
        else                                                                                       \
            signal_of_host(p, bytes, true);                                                        \
    }                                                                                              \
    void __tsan_unaligned_volatile_read##bytes(const void *p)                                      \
    {                                                                                              \
        if (recorder_now)                                                                          \
            record_any(recorder_now, p, bytes, RECORDED_READ);                                     \
        else                                                                                       \
            signal_of_host(p, bytes, false);                                                       \
    }                                                                                              \
    void __tsan_unaligned_volatile_write##bytes(const void *p)                                     \
    {                                                                                              \
        if (recorder_now)                                                                          \
            record_any(recorder_now, p, bytes, RECORDED_WRITE);                                    \
        else                                                                                       \
            signal_of_host(p, bytes, true);                                                        \
    }

VOLATILE_ACCESS(1, uint8_t)
VOLATILE_ACCESS(2, uint16_t)
VOLATILE_ACCESS(4, uint32_t)
VOLATILE_ACCESS(8, uint64_t)
VOLATILE_ACCESS(16, uint64_t) /* of which the first half is compared */

void access_range(const void *p, size_t bytes, enum recorded how, const void *returns_to)
{
    if (bytes == 0)
        return;
    if (recorder_now)
        record_any(recorder_now, p, bytes, how);
    else
        note_host(p, bytes, how != RECORDED_READ, returns_to, HOST_NO_SITE);
}

EXPORT void __tsan_read_range(const void *p, size_t bytes);
EXPORT void __tsan_write_range(const void *p, size_t bytes);
EXPORT void __tsan_init(void);
EXPORT void __tsan_vptr_update(void **p, void *value);
EXPORT void __tsan_vptr_read(void **p);
EXPORT void __tsan_atomic_thread_fence(int order);
EXPORT void __tsan_atomic_signal_fence(int order);

void __tsan_read_range(const void *p, size_t bytes)
{
    access_range(p, bytes, RECORDED_READ, __builtin_return_address(0));
}

void __tsan_write_range(const void *p, size_t bytes)
{
    access_range(p, bytes, RECORDED_WRITE, __builtin_return_address(0));
}

void __tsan_init(void)
{
}

void __tsan_vptr_update(void **p, void *value)
{
    (void)p, (void)value;
}

void __tsan_vptr_read(void **p)
{
    (void)p;
}

void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}

/* ---- atomics --------------------------------------------------------------------------------- */

static void record_atomic(const volatile void *p, size_t bytes, bool writes)
{
    if (recorder_now)
        record_access(recorder_now, (const void *)p, bytes, RECORDED_ATOMIC);
    else
        signal_of_host(p, bytes, writes);
}

EXPORT void simgpu_record_atomic(const void *p, size_t bytes);
void simgpu_record_atomic(const void *p, size_t bytes)
{
    record_atomic(p, bytes, true);
}

#define FETCH(bits, operation, sign)                                                               \
    EXPORT uint##bits##_t __tsan_atomic##bits##_fetch_##operation(                                 \
        volatile uint##bits##_t *p, uint##bits##_t value, int order);                              \
    uint##bits##_t __tsan_atomic##bits##_fetch_##operation(volatile uint##bits##_t *p,             \
                                                           uint##bits##_t value, int order)        \
    {                                                                                              \
        (void)order;                                                                               \
        record_atomic(p, sizeof *p, true);                                                         \
        if (simgpu_is_shared(p)) {                                                                 \
            const uint##bits##_t before = *p;                                                      \
            *p = (uint##bits##_t)(before sign value);                                              \
            return before;                                                                         \
        }                                                                                          \
        const uint##bits##_t before = __atomic_fetch_##operation(p, value, __ATOMIC_SEQ_CST);      \
        if (value == 0)                                                                            \
            note_unchanged(p, before, sizeof *p);                                                  \
        return before;                                                                             \
    }

#define EXCHANGE(bits, kind)                                                                       \
    EXPORT int __tsan_atomic##bits##_compare_exchange_##kind(                                      \
        volatile uint##bits##_t *p, uint##bits##_t *expected, uint##bits##_t value, int order,     \
        int failure_order);                                                                        \
    int __tsan_atomic##bits##_compare_exchange_##kind(                                             \
        volatile uint##bits##_t *p, uint##bits##_t *expected, uint##bits##_t value, int order,     \
        int failure_order)                                                                         \
    {                                                                                              \
        (void)order, (void)failure_order;                                                          \
        record_atomic(p, sizeof *p, true);                                                         \
        const bool changed = __atomic_compare_exchange_n(p, expected, value, false,                \
                                                         __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);      \
        if (!changed)                                                                              \
            note_unchanged(p, *expected, sizeof *p);                                               \
        return changed;                                                                            \
    }

#define ATOMICS(bits)                                                                              \
    EXPORT uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *p, int order); \
    EXPORT void __tsan_atomic##bits##_store(volatile uint##bits##_t *p, uint##bits##_t value,      \
                                            int order);                                            \
    EXPORT uint##bits##_t __tsan_atomic##bits##_exchange(volatile uint##bits##_t *p,               \
                                                         uint##bits##_t value, int order);         \
    uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *p, int order)         \
    {                                                                                              \
        (void)order;                                                                               \
        record_atomic(p, sizeof *p, false);                                                        \
        const uint##bits##_t value = __atomic_load_n(p, __ATOMIC_SEQ_CST);                         \
        note_unchanged(p, value, sizeof *p);                                                       \
        return value;                                                                              \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile uint##bits##_t *p, uint##bits##_t value, int order)  \
    {                                                                                              \
        (void)order;                                                                               \
        record_atomic(p, sizeof *p, true);                                                         \
        __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                              \
    }                                                                                              \
    uint##bits##_t __tsan_atomic##bits##_exchange(volatile uint##bits##_t *p,                      \
                                                  uint##bits##_t value, int order)                 \
    {                                                                                              \
        (void)order;                                                                               \
        record_atomic(p, sizeof *p, true);                                                         \
        const uint##bits##_t before = __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);             \
        if (before == value)                                                                       \
            note_unchanged(p, value, sizeof *p);                                                   \
        return before;                                                                             \
    }                                                                                              \
    FETCH(bits, add, +)                                                                            \
    FETCH(bits, sub, -)                                                                            \
    FETCH(bits, and, &)                                                                            \
    FETCH(bits, or, |)                                                                             \
    FETCH(bits, xor, ^)                                                                            \
    EXCHANGE(bits, strong)                                                                         \
    EXCHANGE(bits, weak)

ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)

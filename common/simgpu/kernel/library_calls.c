/* library_calls.c: functions of the C library that read or write memory of the program. The library
 * reports no accesses. So simcc has the objects of a program call these in their place
 * (common/simcc/library_calls), which report the accesses and call the library. */
#include <math.h>
#include <printf.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>
#include <wchar.h>

#include "record.h"

#define READS(p, bytes) access_range(p, bytes, RECORDED_READ, __builtin_return_address(0))
#define WRITES(p, bytes) access_range(p, bytes, RECORDED_WRITE, __builtin_return_address(0))
#define CALL(type, name, ...)                                                                      \
    EXPORT type simgpu_##name(__VA_ARGS__);                                                        \
    type simgpu_##name(__VA_ARGS__)

/* One that does these accesses, and then the work. */
#define PASS(type, name, parameters, arguments, accesses)                                          \
    EXPORT type simgpu_##name parameters;                                                          \
    type simgpu_##name parameters                                                                  \
    {                                                                                              \
        accesses;                                                                                  \
        return name arguments;                                                                     \
    }
#include "library_calls.def"

/* ---- memory ---------------------------------------------------------------------------------- */

CALL(void *, memchr, const void *p, int value, size_t bytes)
{
    void *found = memchr(p, value, bytes);
    READS(p, found ? (size_t)((char *)found - (const char *)p) + 1 : bytes);
    return found;
}

CALL(void, qsort, void *p, size_t n, size_t bytes, int (*compare)(const void *, const void *))
{
    READS(p, n * bytes);
    WRITES(p, n * bytes);
    qsort(p, n, bytes, compare);
}

/* ---- strings --------------------------------------------------------------------------------- */

CALL(size_t, strlen, const char *text)
{
    const size_t n = strlen(text);
    READS(text, n + 1);
    return n;
}

CALL(size_t, strnlen, const char *text, size_t most)
{
    const size_t n = strnlen(text, most);
    READS(text, n < most ? n + 1 : n);
    return n;
}

/* Up to the first byte that differs, or ends both. */
static size_t compared(const char *a, const char *b, size_t most)
{
    size_t n = 0;
    while (n < most && a[n] == b[n] && a[n])
        n++;
    return n < most ? n + 1 : n;
}

CALL(int, strcmp, const char *a, const char *b)
{
    const size_t n = compared(a, b, SIZE_MAX);
    READS(a, n);
    READS(b, n);
    return strcmp(a, b);
}

CALL(int, strncmp, const char *a, const char *b, size_t most)
{
    const size_t n = compared(a, b, most);
    READS(a, n);
    READS(b, n);
    return strncmp(a, b, most);
}

CALL(char *, strcpy, char *to, const char *from)
{
    const size_t n = strlen(from) + 1;
    READS(from, n);
    WRITES(to, n);
    return memcpy(to, from, n);
}

CALL(char *, stpcpy, char *to, const char *from)
{
    const size_t n = strlen(from) + 1;
    READS(from, n);
    WRITES(to, n);
    return (char *)memcpy(to, from, n) + n - 1;
}

CALL(char *, strncpy, char *to, const char *from, size_t most)
{
    const size_t n = strnlen(from, most);
    READS(from, n < most ? n + 1 : n);
    WRITES(to, most);
    memset(to + n, 0, most - n);
    memcpy(to, from, n);
    return to;
}

CALL(char *, strcat, char *to, const char *from)
{
    const size_t at = strlen(to), n = strlen(from) + 1;
    READS(to, at + 1);
    READS(from, n);
    WRITES(to + at, n);
    memcpy(to + at, from, n);
    return to;
}

CALL(char *, strncat, char *to, const char *from, size_t most)
{
    const size_t at = strlen(to), n = strnlen(from, most);
    READS(to, at + 1);
    READS(from, n);
    WRITES(to + at, n + 1);
    memcpy(to + at, from, n);
    to[at + n] = 0;
    return to;
}

/* ---- numbers --------------------------------------------------------------------------------- */

#define NUMBERS(type, suffix)                                                                      \
    CALL(type, modf##suffix, type x, type *whole)                                                  \
    {                                                                                              \
        WRITES(whole, sizeof *whole);                                                              \
        return modf##suffix(x, whole);                                                             \
    }                                                                                              \
    CALL(type, frexp##suffix, type x, int *exponent)                                               \
    {                                                                                              \
        WRITES(exponent, sizeof *exponent);                                                        \
        return frexp##suffix(x, exponent);                                                         \
    }                                                                                              \
    CALL(type, remquo##suffix, type x, type y, int *quotient)                                      \
    {                                                                                              \
        WRITES(quotient, sizeof *quotient);                                                        \
        return remquo##suffix(x, y, quotient);                                                     \
    }                                                                                              \
    CALL(void, sincos##suffix, type x, type *sine, type *cosine)                                   \
    {                                                                                              \
        WRITES(sine, sizeof *sine);                                                                \
        WRITES(cosine, sizeof *cosine);                                                            \
        sincos##suffix(x, sine, cosine);                                                           \
    }

NUMBERS(double, )
NUMBERS(float, f)

/* ---- files ----------------------------------------------------------------------------------- */

CALL(char *, fgets, char *to, int bytes, FILE *f)
{
    char *line = fgets(to, bytes, f);
    if (line)
        WRITES(to, strlen(line) + 1);
    return line;
}

/* ---- formats --------------------------------------------------------------------------------- */

/* "%.20s" and "%.*s" take strings that need not end. */
static bool bounds_strings(const char *format)
{
    for (const char *c = strchr(format, '.'); c; c = strchr(c + 1, '.'))
        if (c[1 + strspn(c + 1, "*0123456789")] == 's')
            return true;
    return false;
}

/* The strings among the arguments; none if the format bounds any. */
static void read_strings(const char *format, va_list from, const void *returns_to)
{
    enum { MOST = 32 };
    int types[MOST];
    const size_t n = parse_printf_format(format, MOST, types);
    const bool bounds = bounds_strings(format);
    va_list args;
    access_range(format, strlen(format) + 1, RECORDED_READ, returns_to);
    va_copy(args, from);
    for (size_t i = 0; i < n && i < MOST; i++) {
        const int type = types[i] & ~PA_FLAG_MASK, flags = types[i] & PA_FLAG_MASK;
        if (flags & PA_FLAG_PTR || type == PA_POINTER || type == PA_WSTRING) {
            va_arg(args, void *);
        } else if (type == PA_STRING) {
            const char *text = va_arg(args, const char *);
            if (text && !bounds)
                access_range(text, strlen(text) + 1, RECORDED_READ, returns_to);
        } else if (type == PA_DOUBLE || type == PA_FLOAT) {
            if (flags & PA_FLAG_LONG_DOUBLE)
                va_arg(args, long double);
            else
                va_arg(args, double);
        } else if (type == PA_WCHAR) {
            va_arg(args, wint_t);
        } else if (flags & (PA_FLAG_LONG | PA_FLAG_LONG_LONG)) {
            va_arg(args, long);
        } else {
            va_arg(args, int);
        }
    }
    va_end(args);
}

static int format_to(char *to, size_t bytes, const char *format, va_list args,
                     const void *returns_to)
{
    read_strings(format, args, returns_to);
    const int n = vsnprintf(to, bytes, format, args);
    if (n >= 0 && bytes)
        access_range(to, (size_t)n < bytes ? (size_t)n + 1 : bytes, RECORDED_WRITE, returns_to);
    return n;
}

static int format_out(FILE *f, const char *format, va_list args, const void *returns_to)
{
    read_strings(format, args, returns_to);
    return vfprintf(f, format, args);
}

#define WITH_ARGUMENTS(call)                                                                       \
    va_list args;                                                                                  \
    va_start(args, format);                                                                        \
    const int n = call;                                                                            \
    va_end(args);                                                                                  \
    return n

CALL(int, snprintf, char *to, size_t bytes, const char *format, ...)
{
    WITH_ARGUMENTS(format_to(to, bytes, format, args, __builtin_return_address(0)));
}

CALL(int, sprintf, char *to, const char *format, ...)
{
    WITH_ARGUMENTS(format_to(to, PTRDIFF_MAX, format, args, __builtin_return_address(0)));
}

CALL(int, vsnprintf, char *to, size_t bytes, const char *format, va_list args)
{
    return format_to(to, bytes, format, args, __builtin_return_address(0));
}

CALL(int, vsprintf, char *to, const char *format, va_list args)
{
    return format_to(to, PTRDIFF_MAX, format, args, __builtin_return_address(0));
}

CALL(int, printf, const char *format, ...)
{
    WITH_ARGUMENTS(format_out(stdout, format, args, __builtin_return_address(0)));
}

CALL(int, fprintf, FILE *f, const char *format, ...)
{
    WITH_ARGUMENTS(format_out(f, format, args, __builtin_return_address(0)));
}

CALL(int, vprintf, const char *format, va_list args)
{
    return format_out(stdout, format, args, __builtin_return_address(0));
}

CALL(int, vfprintf, FILE *f, const char *format, va_list args)
{
    return format_out(f, format, args, __builtin_return_address(0));
}

/* The integers and floating-point numbers that a scan writes; strings are not reported. */
static void written_by_scan(const char *format, va_list from, int n, const void *returns_to)
{
    va_list args;
    va_copy(args, from);
    for (const char *c = strchr(format, '%'); c && n > 0; c = strchr(c + 1, '%')) {
        size_t bytes = sizeof(int);
        c++;
        if (*c == '%' || *c == '*')
            continue;
        c += strspn(c, "0123456789m");
        for (; *c && strchr("hlLqjzt", *c); c++)
            bytes = *c == 'h' ? bytes / 2 : *c == 'L' ? sizeof(long double) : sizeof(long);
        const void *to = va_arg(args, void *);
        if (*c && strchr("sc[S", *c))
            bytes = 0;
        access_range(to, bytes, RECORDED_WRITE, returns_to);
        n -= *c != 'n';
    }
    va_end(args);
}

/* Scans `from`, and records what it wrote. */
#define SCAN(scan, from)                                                                           \
    va_list args;                                                                                  \
    va_start(args, format);                                                                        \
    const int n = scan(from, format, args);                                                        \
    va_end(args);                                                                                  \
    va_start(args, format);                                                                        \
    written_by_scan(format, args, n, __builtin_return_address(0));                                 \
    va_end(args);                                                                                  \
    return n

CALL(int, sscanf, const char *text, const char *format, ...)
{
    READS(text, strlen(text) + 1);
    SCAN(vsscanf, text);
}

CALL(int, fscanf, FILE *f, const char *format, ...)
{
    SCAN(vfscanf, f);
}

/* ---- locks: the host functions that take one may be ordered ---------------------------------- */

#define LOCK(name, type)                                                                           \
    CALL(int, name, type *lock)                                                                    \
    {                                                                                              \
        thread_self()->has_synced = true;                                                          \
        return name(lock);                                                                         \
    }
LOCK(pthread_mutex_lock, pthread_mutex_t)
LOCK(pthread_mutex_trylock, pthread_mutex_t)
LOCK(pthread_rwlock_rdlock, pthread_rwlock_t)
LOCK(pthread_rwlock_wrlock, pthread_rwlock_t)
LOCK(pthread_spin_lock, pthread_spinlock_t)
LOCK(mtx_lock, mtx_t)
LOCK(sem_wait, sem_t)

/* ---- other names, which compilers and headers use -------------------------------------------- */

#define SAME(other, name)                                                                          \
    EXPORT extern __typeof__(simgpu_##name) simgpu_##other __attribute__((alias("simgpu_" #name)))

SAME(bcmp, memcmp);
SAME(isoc99_sscanf, sscanf);
SAME(isoc99_fscanf, fscanf);
SAME(isoc23_sscanf, sscanf);
SAME(isoc23_fscanf, fscanf);
SAME(isoc23_strtol, strtol);

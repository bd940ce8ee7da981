/*
 * test_fuzz.c: readers of what a process of a submission sends, and writers of its names, with
 * random changes of the files in seeds/. For a second each, with FULL=1 or make fuzz for a minute;
 * the seed is printed, and FUZZ_SEED repeats it.
 */
#include <ctype.h>
#include <time.h>

#include "../course/checkout.h"
#include "common/plain_text.h"
#include "common/trace.h"
#include "query/graph.h"

enum { MOST = 4096, WRITTEN = 1 << 20 };

static uint64_t state;

static unsigned draw(unsigned below)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (unsigned)(state >> 33) % below;
}

/* Bytes changed, removed, inserted and repeated; numbers and letters that mean something, too. */
static size_t mutate(char text[MOST], size_t n)
{
    static const char likely[] = "\n,\"-0129<>&=+@\\\x1b\xff\xe2\x80\xae";
    for (unsigned times = 1 + draw(6); times > 0; times--) {
        const size_t at = n ? draw((unsigned)n) : 0, length = draw(16);
        const char byte = draw(3) ? likely[draw(sizeof likely - 1)] : (char)draw(256);
        switch (draw(4)) {
        case 0:
            text[at] = byte;
            n += n == 0;
            break;
        case 1:
            if (at + length <= n) {
                memmove(text + at, text + at + length, n - at - length);
                n -= length;
            }
            break;
        default:
            if (n + length + 1 < MOST && at + length <= n) {
                memmove(text + at + length, text + at, n - at);
                n += length;
                text[at] = byte;
            }
        }
    }
    return n;
}

static size_t read_seed(const char *name, char text[MOST])
{
    char path[64];
    snprintf(path, sizeof path, "grader/tests/judge/seeds/%s", name);
    FILE *from = fopen(path, "r");
    cr_assert(from, "%s", path);
    const size_t n = fread(text, 1, MOST, from);
    fclose(from);
    return n;
}

/* Calls `one` with changed seeds until the time is up. */
static void fuzz(const char *name, void (*one)(const char *text, size_t n))
{
    static char seed[MOST], text[MOST];
    const char *fixed = getenv("FUZZ_SEED"), *full = getenv("FULL");
    const time_t until = time(NULL) + (full && *full ? 60 : 1);
    checkout_enter();
    const size_t n = read_seed(name, seed);
    one(seed, n);
    unsigned long number = fixed ? strtoul(fixed, NULL, 0) : (unsigned long)getpid() << 32;
    fprintf(stderr, "fuzz %s: FUZZ_SEED=%lu\n", name, number);
    do {
        state = number * UINT64_C(0x9e3779b97f4a7c15) + 1;
        memcpy(text, seed, n);
        number++;
        one(text, mutate(text, n));
    } while (time(NULL) < until);
}

static char written[WRITTEN];

static FILE *write_to(void)
{
    written[0] = 0;
    FILE *to = fmemopen(written, WRITTEN, "w");
    cr_assert(to);
    return to;
}

/* A graph that is read has only identifiers in it, so the picture's text has no more lines and
   quotes than the writer's own. */
static void read_and_draw(const char *text, size_t n)
{
    struct dag g;
    const char *why = NULL;
    FILE *from = n ? fmemopen((void *)(uintptr_t)text, n, "r") : NULL;
    if (!from || dag_read(&g, from, &why) != 0) {
        cr_assert(!from || why);
    } else {
        FILE *to = write_to();
        if (!dag_has_cycle(&g))
            dag_write_dot(&g, to, "title", NULL);
        fclose(to);
        for (const char *c = written; *c; c++)
            cr_assert(*c == '\n' || (unsigned char)*c >= 0x20);
        cr_assert(!strstr(written, "URL") && !strchr(written, '&'));
        dag_free(&g);
    }
    if (from)
        fclose(from);
}

Test(fuzz, graphs)
{
    fuzz("graph", read_and_draw);
}

/* What was read can be written and read again. */
static void read_write_read(const char *text, size_t n)
{
    struct trace t, again;
    const char *why = NULL;
    FILE *from = n ? fmemopen((void *)(uintptr_t)text, n, "r") : NULL;
    if (from && trace_read(&t, from, &why) == 0) {
        FILE *to = write_to();
        cr_assert_eq(trace_write(&t, to), 0);
        fclose(to);
        for (const char *c = written; *c; c++)
            cr_assert(*c == '\n' || (unsigned char)*c >= 0x20, "character %d", *c);
        FILE *back = fmemopen(written, strlen(written), "r");
        cr_assert(back);
        cr_assert_eq(trace_read(&again, back, &why), 0, "%s\n%s", why, written);
        cr_assert_eq(again.n_rows, t.n_rows);
        fclose(back);
        trace_free(&again);
        trace_free(&t);
    }
    if (from)
        fclose(from);
}

Test(fuzz, traces)
{
    fuzz("trace", read_write_read);
}

/* No text leaves its place, in any language. */
static void quote(const char *text, size_t n)
{
    static const char *const never[] = {[PLAIN_TERMINAL] = "\n\x1b",
                                        [PLAIN_HTML] = "<>\"\x1b",
                                        [PLAIN_JSON] = "\n\x1b",
                                        [PLAIN_DOT] = "\n\x1b",
                                        [PLAIN_CSV] = "\n\x1b"};
    for (int into = PLAIN_TERMINAL; into <= PLAIN_CSV; into++) {
        FILE *to = write_to();
        plain_write(to, (enum plain_into)into, text, n);
        fclose(to);
        cr_assert_null(strpbrk(written, never[into]), "language %d: %s", into, written);
        cr_assert(!written[0] || into != PLAIN_CSV || !strchr("=+-@", written[0]));
    }
}

Test(fuzz, quoted_text)
{
    fuzz("trace", quote);
}

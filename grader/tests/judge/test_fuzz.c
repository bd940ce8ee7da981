/* test_fuzz.c: what reads files and replies of a submission, and what writes its names, with random
 * changes of the files in seeds/. For a second each, with FULL=1 or make fuzz for a minute; the
 * seed is printed, and FUZZ_SEED repeats it. */
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "../course/checkout.h"
#include "common/plain_text.h"
#include "common/simcc/source.h"
#include "common/trace.h"
#include "judge/inside.h"
#include "query/graph.h"
#include "report/report.h"

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
    if (!fixed && !(full && *full))
        fixed = getenv("GRADE_SEED"); /* make test gives the same answer twice */
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

/* ---- replies --------------------------------------------------------------------------------- */

/* The text in each field for text, cut where that ends, with or without a final zero. */
static void fill(char *field, size_t room, const char *text, size_t n)
{
    memcpy(field, text, n < room ? n : room);
}

#define FILL(field) fill(field, sizeof(field), text, n)

static void draw_reply(struct wire_reply *r, const char *text, size_t n)
{
    memset(r, 0, sizeof *r);
    FILL(r->failure.text);
    n = n < 20 ? n : 20;
    FILL(r->failure.what);
    FILL(r->failure.error.name);
    FILL(r->failure.error.call);
    FILL(r->failure.error.description);
    FILL(r->finding.first.name);
    FILL(r->finding.second.name);
    FILL(r->finding.first.line);
    FILL(r->finding.second.line);
    FILL(r->finding.memory.call);
    FILL(r->finding.error);
    r->finding.kind = (enum simgpu_finding_kind)draw(SIMGPU_NOT_LAUNCHED + 1);
    r->finding.what = (enum simgpu_what)draw(SIMGPU_WHATS);
    r->finding.next = (enum simgpu_next)draw(SIMGPU_NEXTS);
    r->finding.n = draw(4);
    for (unsigned times = draw(8); times > 0; times--)
        ((unsigned char *)r)[draw(sizeof *r)] = (unsigned char)draw(256);
}

static void expect_plain(const char *words, size_t room)
{
    const size_t n = strnlen(words, room);
    cr_assert_lt(n, room);
    for (size_t i = 0; i < n; i++)
        cr_assert(words[i] == '\n' || (unsigned char)words[i] >= 0x20, "character %d", words[i]);
}

/* A reply that is believed to be one can be put into words, whatever its numbers are. */
static void read_reply(const char *text, size_t n)
{
    static struct session s;
    static struct wire_reply r;
    static struct session_check c;
    struct report_words w;
    draw_reply(&r, text, n);
    if (!judge_may_read(&r))
        return;
    for (int cause = CAUSE_NONE; cause <= CAUSE_FINDING; cause++) {
        c.event = (struct session_event){.cause = (enum session_cause)cause,
                                         .request = WIRE_GO,
                                         .failure = r.failure,
                                         .has_fault = draw(2),
                                         .wait_status = (int)draw(65536),
                                         .fault = r.fault,
                                         .finding = r.finding,
                                         .n_findings = r.n_findings};
        report_words(&s, &c, &w);
        expect_plain(w.message, sizeof w.message);
        expect_plain(w.actual, sizeof w.actual);
        expect_plain(w.expected, sizeof w.expected);
        expect_plain(w.next, sizeof w.next);
    }
}

Test(fuzz, replies)
{
    fuzz("reply", read_reply);
}

/* ---- device code ----------------------------------------------------------------------------- */

static void write_file(const char *path, const char *text, size_t n)
{
    FILE *to = fopen(path, "w");
    cr_assert(to && fwrite(text, 1, n, to) == n && fclose(to) == 0);
}

static _Noreturn void rewrite(const char *path, int output)
{
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    alarm(30);
    source_rewrite(path);
    fflush(NULL);
    _exit(0);
}

/* simcc-rewrite ends, by itself and without a fault. */
static void rewrite_source(const char *text, size_t n)
{
    char path[64];
    int status, output = memfd_create("said", 0);
    snprintf(path, sizeof path, "%s/lab.cu", scratch);
    write_file(path, text, n);
    cr_assert_geq(output, 0);
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0)
        rewrite(path, output);
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    const ssize_t got = pread(output, written, sizeof written - 1, 0);
    written[got > 0 ? got : 0] = 0;
    close(output);
    cr_assert(WIFEXITED(status) && !strstr(written, "Sanitizer") &&
                  !strstr(written, "runtime error"),
              "wait status 0x%x: %s", (unsigned)status, written);
}

Test(fuzz, device_code, .init = scratch_make, .fini = scratch_remove)
{
    fuzz("launch.cu", rewrite_source);
}

/* ---- archives -------------------------------------------------------------------------------- */

/* What is unpacked lies in its folder, and is not too large; or there is none, and a reason. */
static void unpack(const char *text, size_t n)
{
    char archive[64], command[1024];
    snprintf(archive, sizeof archive, "%s/archive", scratch);
    write_file(archive, text, n);
    snprintf(command, sizeof command,
             "cd %s; rm -rf to*; cd ~-; r=$(timeout 100 grader/class/unpack.sh %s/archive %s/to "
             "67108864 2>&1); s=$?; cd %s; case $s in 0) [ -d to ] && [ $(du -sm to | cut -f1) -le "
             "65 ] ;; 1) [ ! -e to ] && [ \"$r\" ] && [ $(wc -l <<<\"$r\") = 1 ] ;; *) false ;; "
             "esac && [ -z \"$(ls -A | grep -vxE 'archive|to|to[.]bytes')\" ] || { echo \"$s: "
             "$r\"; ls -lAR; exit 1; }",
             scratch, scratch, scratch, scratch);
    cr_assert_eq(checkout_run(written, "%s", command), 0, "%s", written);
}

Test(fuzz, tar_archives, .init = scratch_make, .fini = scratch_remove)
{
    if (system("command -v bsdtar >/dev/null") != 0)
        cr_skip_test("bsdtar is not installed");
    fuzz("archive.tar", unpack);
}

Test(fuzz, zip_archives, .init = scratch_make, .fini = scratch_remove)
{
    if (system("command -v bsdtar >/dev/null") != 0)
        cr_skip_test("bsdtar is not installed");
    fuzz("archive.zip", unpack);
}

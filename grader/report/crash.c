/* crash.c: a subject whose process ended, in words for the learner. */
#include <ctype.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "words.h"

enum { NULL_PAGE = 65536 };

#ifndef SEGV_PKUERR
#define SEGV_PKUERR 4
#endif

static const char foreign_memory[] =
    "the submission crashed %s: it touched memory that is not its own";

enum { PLACE_WORDS = 2 * SESSION_PLACE + 8 };

/* " at lab.c:57: the line itself", or what is known of that. */
static const char *at_place(char to[PLACE_WORDS], const struct session_place *p, bool quotes)
{
    const bool quoted = quotes && p->text[0];
    snprintf(to, PLACE_WORDS, "%s%s%s%s", p->at[0] ? " at " : "", p->at, quoted ? ": " : "",
             quoted ? p->text : "");
    return to;
}

static void words_of_buffer(struct report_words *w, const struct session_event *e)
{
    const struct wire_fault *f = &e->fault;
    const char *verb = f->write ? "wrote" : "read", *stage = words_stage(e), *name = e->buffer,
               *kind = f->struct_bytes ? "" : "the buffer ";
    long long at = f->offset, end = (long long)e->buffer_bytes;
    char place[PLACE_WORDS];
    words_set(w->actual, "a fault at byte %lld of %s, which has %lld bytes", at, name, end);
    if (f->expired) {
        words_set(w->next, "copy what a later call needs while %s is valid", name);
        words_set(w->message, "the submission %s %s%s %s, after the call that it was valid for",
                  verb, name, at_place(place, &e->fault_at, false), stage);
    } else if (at < 0) {
        words_set(w->next, "look for an index that can be negative");
        words_set(w->message, "the submission %s before the beginning of %s%s %s", verb, kind, name,
                  stage);
    } else if (at >= end) {
        words_set(w->next, "look at the loop bounds and the byte counts: elements or bytes, all "
                           "batches or one?");
        words_set(w->message, "the submission %s past the end of %s%s %s", verb, kind, name, stage);
    } else {
        words_set(w->next, "write to memory of your own; %s belongs to the caller", name);
        words_set(w->message, "the submission wrote to the input %s %s: inputs are read-only", name,
                  stage);
    }
}

static void words_of_device_memory(struct report_words *w, const struct session_event *e)
{
    const struct wire_fault *f = &e->fault;
    char fault[PLACE_WORDS], allocation[PLACE_WORDS];
    words_set(w->next, "copy with cudaMemcpyAsync instead; and where a kernel's arguments are "
                       "listed (kernelParams), each entry is the address of an argument, not "
                       "the argument");
    words_set(w->message,
              "host code%s %s device memory %s: a pointer from cudaMalloc means nothing to the CPU",
              at_place(fault, &e->fault_at, false), f->write ? "wrote to" : "read", words_stage(e));
    if (f->allocation_bytes)
        words_set(w->actual, "an address in the %llu bytes allocated%s, accessed%s",
                  (unsigned long long)f->allocation_bytes,
                  at_place(allocation, &e->allocated_at, true),
                  at_place(fault, &e->fault_at, true));
}

/* Where the expression begins that ends before `end`: a name, with members and indexes. */
static const char *expression_at(const char *line, const char *end)
{
    const char *p = end;
    for (int depth = 0; p > line; p--) {
        const char c = p[-1];
        if (c == ']')
            depth++;
        else if (c == '[' && depth > 0)
            depth--;
        else if (c == '>' && p - line >= 2 && p[-2] == '-')
            p--;
        else if (depth == 0 && !isalnum((unsigned char)c) && c != '_' && c != '.')
            break;
    }
    return p;
}

/* The pointers that the line follows, the lab's own struct left out: "`e`" or "`e` or `e->exec`".
 */
static void name_pointers(char *to, size_t size, const char *line)
{
    size_t used = 0;
    to[0] = '\0';
    for (const char *arrow = strstr(line, "->"); arrow; arrow = strstr(arrow + 2, "->")) {
        char name[SESSION_PLACE];
        const char *begin = expression_at(line, arrow);
        snprintf(name, sizeof name, "`%.*s`", (int)(arrow - begin), begin);
        if (arrow > begin && strcmp(name, "`lab`") != 0 && !strstr(to, name) && used < size)
            used += (size_t)snprintf(to + used, size - used, "%s%s", used ? " or " : "", name);
    }
}

static void words_of_null(struct report_words *w, const struct session_event *e)
{
    char pointers[SESSION_TEXT / 2];
    name_pointers(pointers, sizeof pointers, e->fault_at.text);
    words_set(w->message, "the submission followed a null pointer %s", words_stage(e));
    if (e->fault.in_call)
        words_set(w->next, "compare the arguments of that call with its reference: an address "
                           "among them, or in an array that one of them names, is NULL "
                           "(kernelParams has an address for each parameter of the kernel)");
    else if (pointers[0])
        words_set(w->next,
                  "find out why %s is NULL on that line: it was never set, the function that "
                  "returned it had found nothing, or an allocation failed",
                  pointers);
    else
        words_set(w->next,
                  "look for a pointer that was never set, %s an allocation whose failure was not "
                  "checked",
                  e->fault.address ? "a number where an address belongs (kernelParams holds the "
                                     "address of each argument), or"
                                   : "or");
}

static void words_of_address(struct report_words *w, const struct session_event *e)
{
    const struct wire_fault *f = &e->fault;
    const char *stage = words_stage(e), *name = strsignal(f->signal);
    const bool no_address = f->code == SI_KERNEL; /* the CPU does not say which one it was */
    if (no_address)
        words_set(w->actual, "%s at an address that no pointer can have", name);
    else
        words_set(w->actual, "%s at address 0x%llx", name, (unsigned long long)f->address);
    if (f->device) { /* first: a stack may lie beside it */
        words_of_device_memory(w, e);
    } else if (f->stack) {
        words_set(w->next, "look for endless recursion, or large arrays among the local variables");
        words_set(w->message, "the submission ran out of stack %s", stage);
    } else if (no_address) {
        words_set(w->next, "look for a pointer that was never set, one that was read from freed "
                           "memory, or one that a copy which is too long has overwritten");
        words_set(w->message, "the submission followed a wild pointer %s", stage);
    } else if (f->address < NULL_PAGE) {
        words_of_null(w, e);
    } else {
        words_set(w->next, f->in_call ? "compare the host address and the number of bytes in that "
                                        "call with the memory: an index that is out of range, an "
                                        "offset in bytes in place of elements, or freed memory?"
                                      : "is it a device pointer, or one that was freed, or an "
                                        "index that is out of range?");
        words_set(w->message, foreign_memory, stage);
    }
}

static void words_of_signal(struct report_words *w, const struct session_event *e, int number)
{
    const char *stage = words_stage(e), *name = strsignal(number);
    words_set(w->actual, "the program ended by signal %d (%s)", number, name);
    words_set(w->expected, "functions that return");
    switch (number) {
    case SIGABRT:
        words_set(w->next, "read what it printed: abort and assert come with a message");
        words_set(w->message, "the submission aborted %s", stage);
        break;
    case SIGXFSZ:
        words_set(w->next, "print with printf instead");
        words_set(w->message, "the submission wrote a file %s: a subject may not", stage);
        break;
    case SIGSYS:
        words_set(w->next, "take memory with malloc or cudaMallocHost");
        words_set(w->message,
                  "the submission was stopped %s: it made shared memory (memfd_create, or mmap "
                  "with MAP_SHARED and no file), which no limit counts",
                  stage);
        break;
    case SIGSEGV:
    case SIGBUS:
        words_set(w->next, "build it with -fsanitize=address into a program of your own");
        words_set(w->message, foreign_memory, stage);
        break;
    case SIGFPE:
        words_set(w->next,
                  "check the divisor on that line: which number is 0, and for which sizes?");
        words_set(w->message, "the submission divided by zero (/ or %%) %s", stage);
        break;
    default:
        words_set(w->next, "take out what ends the program");
        words_set(w->message, "the program was ended by %s %s", name, stage);
    }
}

/* Whatever it died of came later. */
static void words_of_block(struct report_words *w, const struct session_event *e)
{
    char allocation[PLACE_WORDS];
    words_set(w->actual, "a write to byte %llu of the block of %llu bytes allocated%s",
              (unsigned long long)e->fault.block_at, (unsigned long long)e->fault.block_bytes,
              at_place(allocation, &e->allocated_at, true));
    words_set(w->next, "%s", words_compare_index);
    words_set(w->message,
              "The submission wrote beyond the end of host memory that it had allocated, and died "
              "%s: an array is too short, or an index too large.",
              words_stage(e));
}

void words_of_deafness(struct report_words *w, const struct session_event *e)
{
    words_set(w->next, "close only descriptors that you opened");
    words_set(w->message,
              "the submission closed or replaced file descriptors that are not its own %s",
              words_stage(e));
}

static void words_of_exit(struct report_words *w, const struct session_event *e, int code)
{
    words_set(w->actual, "the program ended with exit code %d", code);
    words_set(w->expected, "functions that return");
    words_set(w->next, "read what it printed, at the end of this report: CHECK names the call that "
                       "failed; fix that, and return an error instead of calling exit");
    words_set(w->message, "the submission ended the program %s: nothing is graded that way",
              words_stage(e));
}

/* Where it was, if the words do not say it yet. */
static void add_place(struct report_words *w, const struct session_event *e)
{
    char place[PLACE_WORDS];
    const size_t used = strlen(w->actual);
    if (e->has_fault && e->fault_at.at[0] && !strstr(w->actual, e->fault_at.at))
        snprintf(w->actual + used, sizeof w->actual - used, ",%s",
                 at_place(place, &e->fault_at, true));
}

void words_of_end(struct report_words *w, const struct session_event *e)
{
    const int status = e->wait_status, number = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
              code = WEXITSTATUS(status);
    const bool is_fault =
        e->has_fault && e->fault.signal == number && (number == SIGSEGV || number == SIGBUS);
    if (e->has_fault && e->fault.block_bytes) {
        words_of_block(w, e);
        return;
    }
    if (is_fault && e->buffer[0])
        words_of_buffer(w, e);
    else if (is_fault)
        words_of_address(w, e);
    else if (number == SIGKILL) {
        words_set(w->next, "take out what kills the process, or look whether the machine ran out "
                           "of memory");
        words_set(w->message,
                  "the program was killed (SIGKILL) %s: the submission did it, or the system did",
                  words_stage(e));
    } else if (number)
        words_of_signal(w, e, number);
    else if (code == WIRE_EXIT_CHANNEL)
        words_of_deafness(w, e);
    else
        words_of_exit(w, e, code);
    add_place(w, e);
}

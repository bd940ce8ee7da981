/* refusal.c: the argument that a call of the runtime refused, and why, in words for the learner. */
#include <inttypes.h>
#include <stdio.h>

#include "words.h"

/* What was wrong, so that checks that fail for the same reason have the same words; the numbers:
   "{0}" is the first, "{a}" the name of the argument; and the next step, NULL: that of the error
   (error.c). */
static const struct {
    const char *words, *numbers, *next;
} refusals[SIMGPU_REFUSALS] = {
    [SIMGPU_REFUSED_PITCH] =
        {"the pitch of {a} is less than a row", "a pitch of {0} bytes, and rows of {1} bytes",
         "print the two addresses whose distance the pitch is: they are equal, too close, or the "
         "first is larger than the second. Where was each of them set last?"},
    [SIMGPU_REFUSED_NULL] = {"the {a} is NULL", "",
                             "find the line that sets it: is it called, does it come before this "
                             "call, and does it set this variable? In an array, print the index"},
    [SIMGPU_REFUSED_FREED] = {"{a} is an address in memory that was freed", "",
                              "find the call that freed it: it comes too early, or this address is "
                              "an old one"},
    [SIMGPU_REFUSED_NO_MEMORY] =
        {"{a} is an address in no allocation",
         "an address {0} bytes after the end of allocation {1} ({2} bytes)",
         "print the address, and what it is computed from: is an offset in bytes added to a "
         "pointer to float, or an index too large?"},
    [SIMGPU_REFUSED_HOST] = {"{a} is an address of ordinary host memory", "",
                             "pass an address that cudaMalloc or cudaMallocHost returned: the "
                             "pointer, and not the address of the variable that holds it"},
    [SIMGPU_REFUSED_TOO_LONG] =
        {"{a} has more bytes than its allocation",
         "{0} bytes from byte {1} on, of an allocation of {2} bytes",
         "compare the number of bytes, the offset and the allocation: bytes or elements, and of "
         "one item or of all?"},
    [SIMGPU_REFUSED_ROWS] =
        {"the rows of {a} end after the end of its allocation",
         "{0} rows, a pitch of {1} bytes, and {2} bytes from the first row to the end of the "
         "allocation",
         "a pitch is the distance in bytes between two rows of one array, and the two pitches can "
         "differ: compare this one, the number of rows and the address with the allocation"},
    [SIMGPU_REFUSED_HANDLE] = {"the {a} was never created, or is destroyed", "",
                               "find the line that creates it and the line that destroys it; if it "
                               "is in an array, print the index"},
    [SIMGPU_REFUSED_DESTROYED] =
        {"the {a} is destroyed", "",
         "find the call that has destroyed it. If that call is for another variable, find the line "
         "that gave both the same value"},
    [SIMGPU_REFUSED_NODE_NULL] =
        {"an entry of the list of dependencies is NULL, so it is no node", "entry {0} of {1}",
         "find out which variable is NULL, and leave a node that does not exist out of the list. "
         "Or is the number that is passed larger than the number of nodes in it?"},
    [SIMGPU_REFUSED_NODE_UNKNOWN] =
        {"an entry of the list of dependencies is no node of this graph", "entry {0} of {1}",
         "print the list and its length: is every entry set, and from a call that added a node to "
         "this graph?"},
    [SIMGPU_REFUSED_NODE_TWICE] =
        {"two entries of the list of dependencies are the same node", "entry {0} of {1}",
         "name each node once: look for it in the list before you append it"},
    [SIMGPU_REFUSED_GRID] = {"the grid has no blocks, or too many", "{0} x {1} x {2} blocks",
                             "let each of the three numbers be 1 or more, y and z, too. Compute "
                             "the number of blocks for the smallest and the largest size: rounded "
                             "up, it is never 0"},
    [SIMGPU_REFUSED_BLOCK] = {"a block has no threads, or too many", "{0} x {1} x {2} threads",
                              "compare the block with the limits: 1 to 1024 threads"},
    [SIMGPU_REFUSED_FLAGS] = {"the flags are of another call: this one does not know them",
                              "unknown flags: {0}",
                              "look up which flags this call takes; 0 is always one of them"},
    [SIMGPU_REFUSED_DEVICE] = {"the {a} is not of the current device",
                               "a {a} of device {0}, and device {1} is current",
                               "make the device of the {a} current before the launch"},
    [SIMGPU_REFUSED_MEMBER] = {"{a} in the node's parameters is not set, or cannot have this value",
                               "",
                               "look up what this member must be in this kind of node, then find "
                               "the line that sets it: what no line sets is 0"},
    [SIMGPU_REFUSED_TAKEN] = {"another node has this {a} already", "", "create one for each node"},
    [SIMGPU_REFUSED_OTHER_GRAPH] = {"the {a} was created for another graph, or never", "",
                                    "find the line that creates it: was the node to be added to "
                                    "the same graph?"},
};

/* A part in braces of a sentence. */
static int put_part(char *to, size_t room, const struct simgpu_refusal *r, char name)
{
    if (name == 'a')
        return snprintf(to, room, "%s", r->argument);
    return snprintf(to, room, "%" PRId64, r->n[name - '0']);
}

static void put(char to[SESSION_TEXT], const char *sentence, const struct simgpu_refusal *r)
{
    size_t used = 0;
    for (const char *p = sentence; *p && used < SESSION_TEXT - 1; p++) {
        if (*p != '{') {
            to[used++] = *p;
            continue;
        }
        used += (size_t)put_part(to + used, SESSION_TEXT - used, r, p[1]);
        p += 2;
    }
    to[used < SESSION_TEXT ? used : SESSION_TEXT - 1] = '\0';
}

/* A handle that was read where the submission has written nothing (subject/heap.c, red_zone.c). */
static void words_of_pattern(struct report_words *w, const struct simgpu_refusal *r)
{
    static const struct {
        int byte;
        const char *words, *next;
    } patterns[] = {
        {WIRE_FRESH, "was read from memory of malloc that was never written",
         "set this variable before it is used, or allocate with calloc and test for NULL"},
        {WIRE_FREED, "was read from memory that was freed",
         "free the struct or the array that holds the handles last"},
        {WIRE_RED, "was read beyond the end of an array",
         "compare the index and the end of the loop with the number of elements"}};
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        if (!wire_is_all(r->n[0], patterns[i].byte))
            continue;
        words_set(w->message, "the %s %s", r->argument, patterns[i].words);
        words_set(w->next, "%s", patterns[i].next);
    }
}

bool words_of_refusal(struct report_words *w, const struct wire_error *e)
{
    const struct simgpu_refusal *r = &e->refusal;
    if (e->origin != WIRE_ORIGIN_CALL || !refusals[r->what].words)
        return false;
    put(w->message, refusals[r->what].words, r);
    put(w->actual, refusals[r->what].numbers, r);
    words_set(w->next, "%s", refusals[r->what].next);
    if (r->what == SIMGPU_REFUSED_HANDLE)
        words_of_pattern(w, r);
    return true;
}

/* phrases.c: what several kinds of failures have in common. */
#include <stdarg.h>

#include "words.h"

void words_set(char to[SESSION_TEXT], const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(to, SESSION_TEXT, format, args);
    va_end(args);
}

const char words_compare_index[] =
    "compare the number and the size of the elements in this allocation with the largest index "
    "that you use. A list of what is free grows beyond its end if more is freed than was taken";

const char words_start_there[] = "start at that line: is the call allowed there, are its handles "
                                 "created and its pointers and sizes right?";

const char *words_stage(const struct session_event *e)
{
    static const char *const stages[] = {[WIRE_HELLO] = "before main (in a constructor)",
                                         [WIRE_SETUP] = "in setup",
                                         [WIRE_ARM] = "during a run",
                                         [WIRE_GO] = "during a run",
                                         [WIRE_COLLECT] = "during a run",
                                         [WIRE_FLOOR] = "while the floor was measured",
                                         [WIRE_GRAPH] = "while its graph was looked at",
                                         [WIRE_TEARDOWN] = "in teardown",
                                         [WIRE_FINDINGS_SO_FAR] = "after a run",
                                         [WIRE_FINDINGS] = "after teardown"};
    const bool is_known = e->request < sizeof stages / sizeof stages[0] && stages[e->request];
    return is_known ? stages[e->request] : "at some point";
}

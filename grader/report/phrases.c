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
    switch (e->request) {
    case WIRE_HELLO:
        return "before main (in a constructor)";
    case WIRE_SETUP:
        return "in setup";
    case WIRE_ARM:
    case WIRE_GO:
    case WIRE_COLLECT:
        return "during a run";
    case WIRE_FLOOR:
        return "while the floor was measured";
    case WIRE_GRAPH:
        return "while its graph was looked at";
    case WIRE_TEARDOWN:
        return "in teardown";
    case WIRE_FINDINGS_SO_FAR:
        return "after a run";
    case WIRE_FINDINGS:
        return "after teardown";
    }
    return "at some point";
}

/* place.c: the line of a submission that an instruction was compiled from.
 *
 * addr2line finds it. It reads data that a submission may have forged, so it runs in a jail, and
 * the judge takes only the name of a file and a number from its answer, and looks for the name of a
 * function in the source. */
#include <ctype.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inside.h"
#include "jail/jail.h"

static const char addr2line[] = "/usr/bin/addr2line";

/* For all questions of a grading together: a submission can have line tables of any size. */
enum { SECONDS = 5, ANSWER = 4096 };

/* Until it has ended, or must. */
static void read_answer(int from, int64_t until_ns, char text[ANSWER])
{
    size_t n = 0;
    struct pollfd p = {.fd = from, .events = POLLIN};
    while (n < ANSWER - 1 && session_now_ns() < until_ns) {
        ssize_t got = poll(&p, 1, 100) > 0 ? read(from, text + n, ANSWER - 1 - n) : -1;
        if (got == 0)
            break;
        n += got > 0 ? (size_t)got : 0;
    }
    text[n] = 0;
}

static void ask(const char *program, struct simgpu_caller call, char answer[ANSWER])
{
    const int64_t began_ns = session_now_ns(),
                  left_ns = SECONDS * INT64_C(1000000000) - judge_session->places_ns;
    char addresses[2][32], why[512];
    int ends[2];
    answer[0] = 0;
    snprintf(addresses[0], sizeof addresses[0], "0x%x", call.at);
    snprintf(addresses[1], sizeof addresses[1], "0x%x", call.from);
    char *const argv[] = {
        "addr2line", "-Cfie", (char *)program, addresses[0], call.from ? addresses[1] : NULL, NULL};
    char *const env[] = {"LANG=C", NULL};
    const char *const readable[] = {program, NULL};
    if (left_ns <= 0 || access(addr2line, X_OK) != 0 || pipe2(ends, O_CLOEXEC) != 0)
        return;
    struct jail jail = {.program = addr2line,
                        .argv = argv,
                        .channel_fd = -1,
                        .output_fd = ends[1],
                        .memory_bytes = judge_session->memory_bytes,
                        .readable = readable,
                        .compiles = true,
                        .env = env};
    pid_t pid = jail_start(&jail, why, sizeof why);
    close(ends[1]);
    if (pid > 0) {
        read_answer(ends[0], began_ns + left_ns, answer);
        kill(-pid, SIGKILL);
        waitpid(pid, NULL, 0);
    }
    close(ends[0]);
    judge_session->places_ns += session_now_ns() - began_ns;
}

/* "lab.c:57" of "/FOLDER/lab.c:57 (discriminator 1)"; false: it is no such thing. */
static bool take_place(char *line, char at[SESSION_PLACE])
{
    line[strcspn(line, " ")] = 0;
    const char *name = strrchr(line, '/');
    name = name ? name + 1 : line;
    const char *colon = strchr(name, ':');
    bool is_place = colon && colon > name && colon - name < 40 && strlen(colon + 1) < 10 &&
                    isdigit((unsigned char)colon[1]) &&
                    strspn(colon + 1, "0123456789") == strlen(colon + 1);
    for (const char *c = name; is_place && c < colon; c++)
        is_place = isalnum((unsigned char)*c) || strchr("._-+", *c);
    if (is_place)
        snprintf(at, SESSION_PLACE, "%s", name);
    return is_place;
}

/* A statement up to its semicolon, from all of its lines; "…" at the end says that it is longer. */
static void copy_statement(char to[SESSION_PLACE], const char *text)
{
    static const char more[] = "…";
    const char *ends = strncmp(text, "for ", 4) == 0 ? "\r\n" : ";\r\n";
    char all[4 * SESSION_PLACE] = "";
    size_t n = 0, room = sizeof all;
    for (bool goes_on = true; goes_on && n < room;) {
        const size_t line = strcspn(text, ends);
        n += (size_t)snprintf(all + n, room - n, "%.*s", (int)line, text);
        goes_on = line > 0 && text[line] == '\n' && strchr(",(", text[line - 1]);
        if (goes_on && text[line - 1] == ',' && n < room)
            n += (size_t)snprintf(all + n, room - n, " ");
        text += line;
        text += strspn(text, " \t\r\n");
    }
    n = SESSION_PLACE - sizeof more;
    while (n > 0 && ((unsigned char)all[n] & 0xc0) == 0x80) /* a letter of UTF-8 */
        n--;
    if (strlen(all) >= SESSION_PLACE)
        snprintf(all + n, room - n, "%s", more);
    snprintf(to, SESSION_PLACE, "%s", all);
}

/* The line itself, from the copy of the source beside the program. Returns that
   source, for free(). NULL: there is none, so it is no source of the submission. */
static char *quote(const char *program, struct session_place *place)
{
    char path[SESSION_PATH + SESSION_PLACE], *source = NULL;
    size_t room = 0;
    const char *slash = strrchr(program, '/');
    const int folder = slash ? (int)(slash + 1 - program) : 0;
    const int name = (int)strcspn(place->at, ":");
    long left = strtol(place->at + name + 1, NULL, 10);
    snprintf(path, sizeof path, "%.*s%.*s", folder, program, name, place->at);
    FILE *f = fopen(path, "r");
    if (!f || getdelim(&source, &room, '\0', f) <= 0) {
        free(source);
        source = NULL;
    }
    if (f)
        fclose(f);
    const char *text = source;
    while (text && --left > 0)
        text = (text = strchr(text, '\n')) ? text + 1 : NULL;
    if (text) {
        text += strspn(text, " \t");
        copy_statement(place->text, text);
    }
    return source;
}

/* Does the source call the function in more than one place? Calls are in lines that are indented.
 */
static bool has_callers(const char *source, const char *function)
{
    const size_t n = strcspn(function, "("); /* of C++: "enqueue(void const*, int)" */
    int calls = 0;
    bool is_indented = false;
    for (const char *s = source; n > 0 && *s && calls < 2; s++) {
        const bool begins_line = s == source || s[-1] == '\n';
        is_indented = begins_line ? isspace((unsigned char)*s) : is_indented;
        calls += is_indented && strncmp(s, function, n) == 0 && s[n] == '(' &&
                 !isalnum((unsigned char)s[-1]) && s[-1] != '_';
    }
    return calls > 1;
}

/* A line of the submission's own source, and its function. */
struct line {
    struct session_place place;
    bool is_of_helper; /* has_callers() */
};

/* The lines that the call is made of, from the innermost inlined function outwards, then those of
   its caller. If none of them is the submission's own: the first. */
static void find(const char *program, struct simgpu_caller call, struct line lines[2])
{
    char answer[ANSWER];
    int n = 0;
    memset(lines, 0, 2 * sizeof *lines);
    if (!call.at)
        return;
    ask(program, call, answer);
    for (char *function = strtok(answer, "\n"); function && n < 2; function = strtok(NULL, "\n")) {
        struct session_place place = {.at = ""};
        char *at = strtok(NULL, "\n"), *source;
        if (!at || !take_place(at, place.at))
            continue;
        source = quote(program, &place);
        if (source || !lines[0].place.at[0])
            lines[n] = (struct line){place, source && has_callers(source, function)};
        n += source != NULL;
        free(source);
    }
}

/* With the caller of a function that has several. */
static struct session_place with_caller(const struct line lines[2])
{
    struct session_place place = lines[0].place;
    if (lines[0].is_of_helper)
        snprintf(place.from, sizeof place.from, "%s", lines[1].place.at);
    return place;
}

void judge_place(const char *program, struct simgpu_caller call, struct session_place *place)
{
    struct line lines[2];
    find(program, call, lines);
    *place = with_caller(lines);
}

static bool is_known(const struct line lines[2])
{
    return lines[0].place.at[0] && lines[1].place.at[0];
}

static bool is_same(const struct line *a, const struct line *b)
{
    return strcmp(a->place.at, b->place.at) == 0;
}

void judge_place_calls(const char *program, const struct simgpu_caller callers[2],
                       struct session_place calls[2])
{
    struct line a[2], b[2];
    find(program, callers[0], a);
    find(program, callers[1], b);
    const bool in_helper =
        is_known(a) && is_known(b) && is_same(&a[0], &b[0]) && !is_same(&a[1], &b[1]);
    calls[0] = in_helper ? a[1].place : with_caller(a);
    calls[1] = in_helper ? b[1].place : with_caller(b);
}

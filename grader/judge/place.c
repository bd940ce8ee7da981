/*
 * place.c: the line of a submission that an instruction was compiled from.
 *
 * addr2line finds it. It reads data that a submission may have forged, so it runs in a jail, and
 * the judge takes only the name of a file and a number from its answer.
 */
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

static void ask(const char *program, const uint64_t codes[2], char answer[ANSWER])
{
    const int64_t began_ns = session_now_ns(),
                  left_ns = SECONDS * INT64_C(1000000000) - judge_session->places_ns;
    char addresses[2][32], why[512];
    int ends[2];
    answer[0] = 0;
    for (int i = 0; i < 2; i++)
        snprintf(addresses[i], sizeof addresses[i], "0x%llx", (unsigned long long)codes[i]);
    char *const argv[] = {
        "addr2line", "-ie", (char *)program, addresses[0], codes[1] ? addresses[1] : NULL, NULL};
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

/* The line itself, up to a semicolon, from the copy of the source beside the program. False: that
   has none, so it is no source of the submission. */
static bool quote(const char *program, struct session_place *place)
{
    char path[SESSION_PATH + SESSION_PLACE], *line = NULL;
    size_t room = 0;
    const char *slash = strrchr(program, '/');
    const int folder = slash ? (int)(slash + 1 - program) : 0;
    const int name = (int)strcspn(place->at, ":");
    long left = strtol(place->at + name + 1, NULL, 10);
    snprintf(path, sizeof path, "%.*s%.*s", folder, program, name, place->at);
    FILE *f = fopen(path, "r");
    const bool is_own = f != NULL;
    while (f && left > 0 && getline(&line, &room, f) > 0)
        left--;
    if (f && left == 0 && line) {
        const char *text = line + strspn(line, " \t");
        snprintf(place->text, sizeof place->text, "%.*s", (int)strcspn(text, ";\r\n"), text);
    }
    if (f)
        fclose(f);
    free(line);
    return is_own;
}

/* The lines of the submission's own sources that the code is made of, from the innermost inlined
   function outwards, then those of its caller (0: not asked for); at most `room` in `places`. Where
   there is none of its own, the first. */
static void find(const char *program, const uint64_t codes[2], struct session_place *places,
                 int room)
{
    char answer[ANSWER];
    int n = 0;
    memset(places, 0, (size_t)room * sizeof *places);
    if (!codes[0])
        return;
    ask(program, codes, answer);
    for (char *line = strtok(answer, "\n"); line && n < room; line = strtok(NULL, "\n")) {
        struct session_place place = {.at = ""};
        if (!take_place(line, place.at))
            continue;
        const bool is_own = quote(program, &place);
        if (is_own || !places[0].at[0])
            places[n] = place;
        n += is_own;
    }
}

void judge_place(const char *program, uint64_t code, struct session_place *place)
{
    find(program, (const uint64_t[2]){code, 0}, place, 1);
}

static bool both(const struct session_place *a, const struct session_place *b)
{
    return a->at[0] && b->at[0];
}

void judge_place_calls(const char *program, const struct simgpu_caller callers[2],
                       struct session_place calls[2])
{
    struct session_place lines[2][2];
    for (int i = 0; i < 2; i++)
        find(program, (const uint64_t[2]){callers[i].at, callers[i].from}, lines[i], 2);
    const struct session_place *a = lines[0], *b = lines[1];
    const bool in_helper = both(&a[0], &b[0]) && strcmp(a[0].at, b[0].at) == 0 &&
                           both(&a[1], &b[1]) && strcmp(a[1].at, b[1].at) != 0;
    calls[0] = a[in_helper];
    calls[1] = b[in_helper];
}

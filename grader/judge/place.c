/*
 * place.c: which line of a submission is an instruction made of?
 *
 * addr2line says so. It reads what a submission may have forged, so it runs in a jail, and of its
 * answer only the name of a file and a number are taken.
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

enum { SECONDS = 5, ANSWER = 4096 };

/* Until it has ended, or must. */
static void read_answer(int from, char text[ANSWER])
{
    const int64_t until_ns = session_now_ns() + SECONDS * INT64_C(1000000000);
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

static void ask(const char *program, uint64_t code, char answer[ANSWER])
{
    char address[32], why[512];
    int ends[2];
    answer[0] = 0;
    snprintf(address, sizeof address, "0x%llx", (unsigned long long)code);
    char *const argv[] = {"addr2line", "-e", (char *)program, address, NULL};
    char *const env[] = {"LANG=C", NULL};
    const char *const readable[] = {program, NULL};
    if (access(addr2line, X_OK) != 0 || pipe2(ends, O_CLOEXEC) != 0)
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
        read_answer(ends[0], answer);
        kill(-pid, SIGKILL);
        waitpid(pid, NULL, 0);
    }
    close(ends[0]);
}

void judge_place(const char *program, uint64_t code, char place[SESSION_PLACE])
{
    char answer[ANSWER];
    place[0] = 0;
    if (!code)
        return;
    ask(program, code, answer);
    answer[strcspn(answer, " \n")] = 0;
    const char *name = strrchr(answer, '/');
    name = name ? name + 1 : answer;
    const char *colon = strchr(name, ':');
    bool is_place = colon && colon - name < 40 && isdigit((unsigned char)colon[1]) &&
                    strspn(colon + 1, "0123456789") == strlen(colon + 1);
    for (const char *c = name; is_place && c < colon; c++)
        is_place = isalnum((unsigned char)*c) || strchr("._-+", *c);
    if (is_place)
        snprintf(place, SESSION_PLACE, "%s", name);
}

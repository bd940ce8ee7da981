/* test_random.c: the simulated device answers random programs as a real H200 did.
 *
 * The tables random_FAMILY.txt in plots/data/NVIDIA_H200 say of each seed how many lines of the
 * H200's answers are held, and their hash, several seeds in a line.
 * build/gpu/random (make build/gpu/random DEVICE=gpu) asks a GPU. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/simgpu/simgpu.h"
#include "conditional_program.h"
#include "host_program.h"
#include "launch_program.h"

/* With sanitizers, under which a program takes four times as long, every third seed is asked. */
#ifdef __SANITIZE_ADDRESS__
enum { EACH = 3 };
#else
enum { EACH = 1 };
#endif

/* The hash of the first `lines` lines, FNV-1a of 64 bits, line ends included; false if there are
 * fewer. */
static bool first_lines(FILE *in, int lines, unsigned long long *hash)
{
    char line[512];
    *hash = 0xcbf29ce484222325ULL;
    for (int i = 0; i < lines; i++) {
        if (!fgets(line, sizeof line, in))
            return false;
        for (const char *c = line; *c; c++)
            *hash = (*hash ^ (unsigned char)*c) * 0x100000001b3ULL;
    }
    return true;
}

/* Runs the program of a seed in a process of its own, which may crash without harm to the others.
 * `skipped` lines come before those that count. */
static bool answers(void (*program)(uint64_t seed, FILE *out), unsigned long seed, int skipped,
                    int lines, unsigned long long want)
{
    unsigned long long hash = 0;
    FILE *out = tmpfile();
    cr_assert_not_null(out, "no temporary file");
    pid_t child = fork();
    if (child == 0) {
        alarm(120); /* real time: it hangs, no machine is that slow */
        program(seed, out);
        fflush(out);
        _exit(0);
    }
    cr_assert_gt(child, 0, "no process could be started");
    waitpid(child, NULL, 0);
    rewind(out);
    bool same = first_lines(out, skipped, &hash) && first_lines(out, lines, &hash) && hash == want;
    fclose(out);
    return same;
}

/* Asks each seed of the table; `least`: so many it must have. */
static void ask(const char *family, void (*program)(uint64_t seed, FILE *out), int skipped,
                int least)
{
    char table[64], line[512];
    int seeds = 0;
    sprintf(table, "plots/data/NVIDIA_H200/random_%s.txt", family);
    FILE *in = fopen(table, "r");
    cr_assert_not_null(in, "%s cannot be read: run this from the top of the repository", table);
    setenv("SIMGPU_REPORT", "0", 1);
    while (fgets(line, sizeof line, in)) {
        unsigned long seed;
        unsigned long long hash;
        int lines, length;
        for (const char *at = line; sscanf(at, "%lu:%d:%llx%n", &seed, &lines, &hash, &length) == 3;
             at += length) {
            if (seeds++ % EACH != 0)
                continue;
            cr_expect(answers(program, seed, skipped, lines, hash),
                      "seed %lu: the first %d lines are not the H200's; build/sim/random %s %lu "
                      "%lu prints them",
                      seed, lines, family, seed, seed);
        }
    }
    fclose(in);
    cr_assert_geq(seeds, least, "%s has only %d seeds", table, seeds);
}

Test(random, programs_of_runtime_calls)
{
    ask("host", host_program, 1, 2000);
}

/* These have no race. */
static void conditional_without_findings(uint64_t seed, FILE *out)
{
    conditional_program(seed, out);
    if (simgpu_findings(NULL, 0) > 0)
        rewind(out), fputs("the ordering checks found something", out);
}

Test(random, programs_of_conditional_nodes)
{
    ask("conditional", conditional_without_findings, 0, 900);
}

Test(random, programs_of_device_launches)
{
    ask("launch", launch_program, 1, 900);
}

/*
 * test_random.c: the simulated device answers random programs as a real H200 did.
 *
 * random_h200.txt says of each seed how many lines of the H200's answers are held, and their hash.
 * build/gpu/random (make build/gpu/random DEVICE=gpu) asks a GPU.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "random_program.h"

static const char table[] = "grader/tests/random/random_h200.txt";

/* The hash of the first `lines` lines after the one that names the seed; false if there are fewer.
 */
static bool first_lines(FILE *in, int lines, unsigned long long *hash)
{
    char line[512];
    *hash = 0xcbf29ce484222325ULL;
    if (!fgets(line, sizeof line, in))
        return false;
    for (int i = 0; i < lines; i++) {
        if (!fgets(line, sizeof line, in))
            return false;
        for (const char *c = line; *c; c++)
            *hash = (*hash ^ (unsigned char)*c) * 0x100000001b3ULL;
    }
    return true;
}

/* Runs the program of a seed in a process of its own, which may crash without harm to the others.
 */
static bool answers(unsigned long seed, int lines, unsigned long long want)
{
    unsigned long long hash = 0;
    FILE *out = tmpfile();
    cr_assert_not_null(out, "no temporary file");
    pid_t child = fork();
    if (child == 0) {
        alarm(120); /* it hangs: no machine is that slow */
        random_program(seed, out);
        _exit(0);
    }
    cr_assert_gt(child, 0, "no process could be started");
    waitpid(child, NULL, 0);
    rewind(out);
    bool same = first_lines(out, lines, &hash) && hash == want;
    fclose(out);
    return same;
}

Test(random, answers_are_those_of_an_H200)
{
    char line[512];
    int seeds = 0;
    FILE *in = fopen(table, "r");
    cr_assert_not_null(in, "%s cannot be read: run this from the top of the repository", table);
    setenv("SIMGPU_REPORT", "0", 1);
    while (fgets(line, sizeof line, in)) {
        unsigned long seed;
        unsigned long long hash;
        int lines;
        if (sscanf(line, "%lu %d %llx", &seed, &lines, &hash) != 3)
            continue;
        seeds++;
        cr_expect(
            answers(seed, lines, hash),
            "seed %lu: the first %d lines are not the H200's; build/sim/random %lu %lu prints them",
            seed, lines, seed, seed);
    }
    fclose(in);
    cr_assert_geq(seeds, 200, "%s has only %d seeds", table, seeds);
}

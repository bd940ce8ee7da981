/*
 * launches.c: runs random programs of device graph launch, a line each: seed<TAB>log.
 *
 *     launches FIRST LAST       (how play_h200.txt was made, on an H200)
 *     launches --words SEED     what the program does
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play_random.h"

int main(int argc, char **argv)
{
    static char text[1 << 16];
    if (argc == 3 && strcmp(argv[1], "--words") == 0) {
        play_random_describe(strtoull(argv[2], NULL, 10), text, sizeof text);
        fputs(text, stdout);
        return 0;
    }
    if (argc != 3) {
        fprintf(stderr, "usage: launches FIRST LAST | --words SEED\n");
        return 2;
    }
    for (uint64_t seed = strtoull(argv[1], NULL, 10); seed <= strtoull(argv[2], NULL, 10); seed++) {
        play_random(seed, text, sizeof text);
        printf("%llu\t%s\n", (unsigned long long)seed, text + (*text == ' '));
        fflush(stdout);
    }
    return 0;
}

/*
 * class.h: for tests of ./grade class: a class in $S/c, and commands that grade it.
 */
#ifndef CLASS_H
#define CLASS_H

#include "commands.h"

/* $SOL: a right submission of lab 01; class: ./grade class on $S/c, with results in $S/r */
/* What a run leaves under build is removed with its results. */
static inline void end_class(void)
{
    run("rm -rf build/class/$(printf %s $S/r | sha256sum | cut -c 1-8)");
    end();
}

static inline void begin_class(void)
{
    begin();
    run("mkdir $S/c; unifdef -DSOLUTION solutions/lab01_*/lab.c >$S/sol.c; "
        "make build/known/lab01/leaks/lab.c DEVICE=sim");
    expect_status(0);
}

/* Runs the commands with bash, which knows $SOL and class. */
static inline void class(const char *commands)
{
    char path[64], line[128];
    snprintf(path, sizeof path, "%s/script", scratch);
    FILE *to = fopen(path, "w");
    cr_assert(to);
    fprintf(to,
            "export PATH=$PWD/build/deps/bin:$PATH S=%s SOL=%s/sol.c\n"
            "class() { ./grade class $S/c --device sim --seed 1 --out $S/r \"$@\"; }\n%s\n",
            scratch, scratch, commands);
    cr_assert_eq(fclose(to), 0);
    snprintf(line, sizeof line, "bash %s", path);
    run(line);
}

#endif

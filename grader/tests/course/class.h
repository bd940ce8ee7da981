/* class.h: for tests of ./grade class: a class in $S/c, and commands that grade it. */
#pragma once

#include "commands.h"

/* What a run leaves under build is removed with its results, in $S/r. */
static inline void end_class(void)
{
    run(ANY, "rm -rf build/class/$(printf %s $S/r | sha256sum | cut -c 1-8)");
    end();
}

static inline void begin_class(void)
{
    begin();
    /* (1: unifdef has changed something) */
    run(1, "mkdir $S/c; unifdef -DSOLUTION solutions/lab01_*/lab.c >$S/sol.c");
}

/* $SOL: a right submission of lab 01, $BAD: one that has 0 points as soon as the compiler sees it,
 * for tests of what is taken and of whom; class: ./grade class on $S/c, with results in $S/r */
static inline void class(const char *commands)
{
    run_defined("export SOL=$S/sol.c BAD=$S/bad.c; echo '#error' >$BAD\n"
                "class() { ./grade class $S/c --device sim --seed 1 --out $S/r \"$@\"; }",
                commands);
}

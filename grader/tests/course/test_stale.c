/* test_stale.c: what make builds again, and what it does not: in a copy of the checkout, files that
 * change in ways that dates alone do not show. */
#include "checkout.h"

static void begin(void)
{
    checkout_enter();
    checkout_copy(scratch);
    /* everything is up to date before the tests change something */
    must_succeed("make lab01 SOLUTION=1 && make build/grader/similar");
}

TestSuite(stale, .init = begin, .fini = scratch_remove);

Test(stale, nothing_is_built_twice)
{
    must_succeed("make lab01 SOLUTION=1 | grep -v '^lab01: built'; make "
                 "build/grader/similar build/sim/lib/libcudart.so");
    cr_expect_str_eq(text, "make: 'build/grader/similar' is up to date.\n"
                           "make: 'build/sim/lib/libcudart.so' is up to date.\n");
}

Test(stale, a_source_that_an_older_one_replaced_is_compiled)
{
    must_succeed("of=grader/class/similar.c; { cat $of; echo 'int older_one;'; } >new\n"
                 "touch -d '2 days ago' new; mv new $of; make build/grader/similar\n"
                 "nm build/grader/similar | grep -o older_one; ls -l --time-style=+%%F $of | "
                 "grep -c $(date +%%F)");
    cr_expect_str_eq(text,
                     "grader/class/similar.c has changed and has an old date: dated now\n"
                     "  cc grader/class/similar.c\n  ld build/grader/similar\nolder_one\n1\n");
}

Test(stale, other_flags_compile_and_link_again_and_the_same_ones_do_not)
{
    must_succeed("make build/grader/similar WARN=-Wall | sort\n"
                 "make build/grader/similar WARN=-Wall\n"
                 "for i in 1 2; do make build/grader/similar WARN=-Wall "
                 "LD_FLAGS='-pthread -Wl,-O1'; done");
    cr_expect_str_eq(text, "  cc common/plain_text.c\n  cc grader/class/similar.c\n"
                           "  cc grader/files/output.c\n  ld build/grader/similar\n"
                           "make: 'build/grader/similar' is up to date.\n"
                           "  ld build/grader/similar\n"
                           "make: 'build/grader/similar' is up to date.\n");
}

Test(stale, a_source_that_is_removed_leaves_its_library)
{
    must_succeed("lib=build/sim/lib/libkernels.a; ar t $lib | grep saxpy\n"
                 "rm kernels/saxpy.cu; make $lib; ar t $lib | grep -c saxpy; make $lib");
    cr_expect_str_eq(text, "saxpy.cu.o\n  ar build/sim/lib/libkernels.a\n0\n"
                           "make: 'build/sim/lib/libkernels.a' is up to date.\n");
}

/* The library is linked, its names are the same: no submission and no suite is built again. */
Test(stale, a_private_header_of_the_simulated_device_rebuilds_the_library_alone)
{
    must_succeed("make audit LAB=lab01/leaks 2>&1 >/dev/null; "
                 "h=common/simgpu/race/segment.h; cp $h new; mv new $h\n"
                 "make audit LAB=lab01/leaks SEED=1 | grep '^  [a-z+]* [a-z]*/' | sed "
                 "'s|[a-z_]*\\.c$||' | sort -u");
    cr_expect_str_eq(text, "  awk common/simgpu/api/stubs.awk\n  cc common/simgpu/race/\n  ld "
                           "build/sim/lib/libcudart.so\n  ld build/sim/lib/path/libcudart.so\n");
}

Test(stale, an_audit_of_one_submission_builds_no_other)
{
    int status = checkout_run(
        text, "rm -rf build/sim/lab0[1-3] build/grader/lab0[1-3]; make audit LAB=lab02/one_stream "
              "SEED=1; ls -d build/sim/lab0[1-3]/* build/grader/lab0[1-3]");
    cr_expect(strstr(text, "\nbuild/grader/lab02\nbuild/sim/lab02/one_stream\n"
                           "build/sim/lab02/solution\n"),
              "%d: %s", status, text);
    cr_expect_eq(checkout_run(text, "make audit LAB=lab02/no_such_one"), 2);
    expect_text("there is no lab02/no_such_one; the submissions of lab02 are: starter");
    cr_expect_eq(checkout_run(text, "make audit LAB=77"), 2);
    expect_text("there is no lab77; the labs are: lab01 ");
}

/* The files of a copy of the checkout are links to the original's (checkout_copy). */
Test(stale, what_a_copy_builds_leaves_the_dates_of_the_original)
{
    must_succeed(
        "ln build/grader/gen/judge/made made && ln build/sim/gen/stubs.made . && sleep 0.01\n"
        "for from in grader/judge/mistakes common/simgpu/api/stubs.awk; do\n"
        "    cp $from new && mv new $from\n"
        "done\n"
        "make DEVICE=sim build/grader/gen/judge/made build/sim/lib/libcudart.so >/dev/null\n"
        "find made stubs.made -newer grader/judge/mistakes");
    cr_expect_str_eq(text, "", "files of the original have another date: %s", text);
}

/* Make does not ask the compiler which headers a lab includes: its list must have them all. */
Test(stale, the_headers_of_device_code_are_those_that_the_compiler_reads)
{
    must_succeed(
        "make -s DEVICE=sim print --eval 'print: ; @echo $(LAB_HEADERS) $(SIMCC_HEADERS)' | "
        "tr ' ' '\\n' | sort -u >listed\n"
        "build/sim/bin/simcc -Ikernels -MMD -c kernels/packets.cu -o read.o\n"
        "cat read.d build/sim/obj/kernels/*.cu.d | tr ' ' '\\n' | grep -o "
        "'\\(common\\|kernels\\)/.*\\.h$' | xargs realpath --relative-to=. | sort -u >read\n"
        "wc -l <read | grep -c '^[1-9][0-9]'; comm -23 read listed");
    cr_expect_str_eq(text, "1\n");
}

/* As in a bundle: copying it gives its files other dates, and nothing can be built there. */
Test(stale, no_date_counts_if_there_is_no_makefile)
{
    static const char *const newer = "make lab01 KNOWN=leaks >/dev/null && f=$(echo "
                                     "grader/labs/lab01/*/leaks) && cp $f new && mv new $f";
    cr_expect_eq(checkout_run(text, "%s && ./grade lab01 --brief", newer), 2);
    expect_text("leaks was changed after lab01 was built");
    cr_expect_eq(checkout_run(text, "%s && rm Makefile && ./grade lab01 --brief", newer), 1, "%s",
                 text);
}

/* What is built for a GPU is built for the simulated device, too. */
Test(stale, a_build_for_a_gpu_has_one_for_the_simulated_device)
{
    must_succeed("make lab01 SOLUTION=1; ln -sfn gpu/lab01/solution "
                 "build/lab01; ./grade lab01 --brief --device sim");
}

/* test_plots.c: the figures: drawn from the simulated device and from what was measured, what is
 * said where something is missing or damaged, and the model against the measurements. */
#include "checkout.h"

static void begin(void)
{
    scratch_make();
    setenv("S", scratch, 1);
    setenv("BENCH_QUICK", "1", 1);
}

TestSuite(plots, .init = begin, .fini = scratch_remove, .timeout = 300);

/* Every figure's script in `folder` of $S: pictures that are there and not empty, with the axes
 * that the script names, tics on them, a title of at most twelve words, and the word that names the
 * origin of the data. */
static void expect_figures(const char *folder, const char *origin)
{
    must_succeed(
        "n=0\n"
        "for script in plots/figures/*.gp; do\n"
        "    f=$(basename $script .gp); svg=%s/$f.svg; png=%s/$f.png; n=$((n + 1))\n"
        "    [ $S/simulated = %s ] || [ -e plots/data/NVIDIA_H200/$f.csv ] || continue # not "
        "measured yet\n"
        "    [ -s $svg ] && [ $(stat -c %%s $png) -gt 8000 ] || { echo \"$f: no picture\"; "
        "continue; }\n"
        "    head -c 4 $png | grep -q PNG || echo \"$f: no PNG\"\n"
        "    [ $(grep -c '<text' $svg) -ge 8 ] || echo \"$f: no tics\"\n"
        "    title=$(tr '\\n' ' ' <$svg | grep -o 'font-weight=\"bold\"[^<]*' | sed 's/.*>//' | wc "
        "-w)\n"
        "    [ $title -ge 3 ] && [ $title -le 12 ] || echo \"$f: a title of $title words\"\n"
        "    grep -q '%s' $svg || echo \"$f: does not say %s\"\n"
        "    sed 's/<[^>]*>//g' $svg | grep -qiw nan && echo \"$f: says NaN\"\n"
        "    for axis in x y; do\n"
        "        label=$(sed -n \"s/^set ${axis}label "
        "\\(sprintf(\\)\\?\\\"\\([^%%\\\"(]*\\).*/\\2/p\" $script)\n"
        "        [ -n \"$label\" ] || { [ $axis = y ] && [ $f = timeline ]; } || echo \"$f: no "
        "$axis axis named\"\n"
        "        sed 's/<[^>]*>//g' $svg | tr -s '\\n\\t ' ' ' | grep -qF -- \"${label%% }\" || "
        "echo \"$f: no $axis axis: $label\"\n"
        "    done\n"
        "done\n"
        "[ $n -ge 17 ] || echo \"only $n figures\"\n",
        folder, folder, folder, origin, origin);
    cr_expect_str_eq(text, "");
}

Test(plots, every_figure_is_drawn_from_the_simulated_device)
{
    must_succeed("make plots DEVICE=sim PLOTS=$S");
    expect_figures("$S/simulated", "SIMULATED");
}

Test(plots, every_figure_is_drawn_from_what_was_measured)
{
    must_succeed("make plots DATA=NVIDIA_H200 PLOTS=$S");
    expect_figures("$S/NVIDIA_H200", "Measured on an NVIDIA H200");
    checkout_run(text, "grep -L 'width=\"1024\" height=\"576\"' $S/NVIDIA_H200/*.svg");
    cr_expect_str_eq(text, "", "these figures are not 16:9:\n%s", text);
}

Test(plots, figures_that_a_device_has_not_measured_are_named_and_the_others_drawn)
{
    must_succeed("make plots DATA=NVIDIA_H100_80GB_HBM3 PLOTS=$S");
    expect_text("plots/data/NVIDIA_H100_80GB_HBM3 has no measurements for: ");
    must_succeed("[ -s $S/NVIDIA_H100_80GB_HBM3/launch.svg ]");
}

Test(plots, two_devices_are_drawn_side_by_side)
{
    must_succeed("make beside FIG=launch PLOTS=$S && head -c 24 "
                 "$S/beside/launch.png | tail -c 8 | od -An -tx1");
    expect_text("00 00 07 80 00 00 04 38"); /* 1920 x 1080 */
    cr_expect_neq(checkout_run(text, "make beside FIG=launch WITH=NVIDIA_NONE PLOTS=$S"), 0);
    expect_text("there is no plots/data/NVIDIA_NONE/launch.csv");
}

/* The pair of devices of a machine is no part of most measurements. */
Test(plots, a_figure_for_several_devices_is_left_out_without_them)
{
    must_succeed("make plots FIG='all_reduce width' DEVICE=sim PLOTS=$S SIMGPU_DEVICES=1");
    expect_text("all_reduce is left out: it needs 2 devices, and there is 1");
    must_succeed("mkdir $S/data && cp plots/data/NVIDIA_H200/width.csv $S/data\n"
                 "plots/run.sh draw $S/data $S width all_reduce");
    expect_text("all_reduce is left out: it is for several devices, and there is no ");
    expect_text("1 figures in ");
}

Test(plots, a_figure_that_is_not_there_is_answered_with_those_that_are)
{
    cr_expect_neq(checkout_run(text, "make plots FIG=lunch DEVICE=sim"), 0);
    expect_text("there is no figure lunch; the figures are:");
    cr_expect_neq(checkout_run(text, "make plots DATA=NVIDIA_H2000"), 0);
    expect_text("there is no plots/data/NVIDIA_H2000; there are:");
    expect_text("NVIDIA_H200");
}

Test(plots, damaged_data_are_named_with_their_line_and_the_others_drawn)
{
    int status =
        checkout_run(text, "cp -r plots/data/NVIDIA_H200 $S/data\n"
                           "sed -i '$ s/,[^,]*,us$//' $S/data/launch.csv\n"
                           "sed -i '/,relaunch,/d' $S/data/three_ways.csv\n"
                           "sed -i 's/^# device: .*//' $S/data/alloc.csv\n"
                           "rm $S/data/methods.csv\n"
                           "sed -i '60,$ d' $S/data/jitter.csv\n"
                           "truncate -s -2 $S/data/threads.csv\n"
                           ": >$S/data/amdahl.csv\n"
                           "sed -i '$ p' $S/data/overhead.csv\n"
                           "plots/run.sh draw $S/data $S launch three_ways alloc methods jitter "
                           "threads amdahl overhead width");
    cr_expect_eq(status, 1);
    expect_text("a row of 5 fields, not 7");
    expect_text("launch.csv is damaged");
    expect_text("no row of the variant relaunch");
    expect_text("the header does not say '# device: ");
    expect_text("methods: there is no ");
    expect_text("make plots FIG=methods measures it");
    expect_text("jitter.csv:59: 45 rows, but it had 108: it is cut short");
    expect_text("the last line of ");
    expect_text("amdahl.csv:0: the file is empty");
    expect_text("overhead.csv:20: a second row of the variant nothing.events at 2");
    expect_text("not finished: launch three_ways alloc methods jitter threads amdahl overhead");
    must_succeed("[ -s $S/width.png ] && [ ! -e $S/launch.png ]");
}

Test(plots, without_gnuplot_it_is_said_how_to_get_it)
{
    int status = checkout_run(
        text, "mkdir $S/bin\n"
              "for p in bash git mkdir sed awk; do ln -s $(command -v $p) $S/bin; done\n"
              "PATH=$S/bin plots/run.sh draw plots/data/NVIDIA_H200 $S launch");
    cr_expect_eq(status, 1);
    expect_text("there is no gnuplot");
    expect_text("make setup gets it");
}

/* As on a full disk, of which gnuplot says nothing. */
Test(plots, a_picture_that_is_cut_short_does_not_take_the_place_of_a_whole_one)
{
    int status = checkout_run(
        text, "plots/run.sh draw plots/data/NVIDIA_H200 $S launch && cp $S/launch.png $S/before\n"
              "mkdir $S/bin\n"
              "printf '#!/bin/sh\\n%%s \"$@\"\\n[ $1 = --version ] || truncate -s 9000 "
              "$S/.new/*.png\\n' $(command -v gnuplot) >$S/bin/gnuplot\n"
              "chmod +x $S/bin/gnuplot\n"
              "PATH=$S/bin:$PATH plots/run.sh draw plots/data/NVIDIA_H200 $S launch width");
    cr_expect_eq(status, 1);
    expect_text("launch: the pictures could not be written to ");
    expect_text("make room, then make plots FIG=launch");
    expect_text("not finished: launch width");
    must_succeed("cmp $S/launch.png $S/before && [ ! -e $S/width.png ] && "
                 "[ ! -e $S/.new ]");
}

Test(plots, what_cannot_be_done_is_said_before_anything_is_measured)
{
    cr_expect_eq(
        checkout_run(text, "BENCH_SECONDS=2x plots/run.sh measure build/sim/plots $S launch"), 2);
    expect_text("BENCH_SECONDS=2x? It is a number of seconds");
    cr_expect_eq(
        checkout_run(text, "plots/run.sh draw plots/data/NVIDIA_H200 /proc/pictures launch"), 1);
    expect_text("/proc/pictures cannot be written to");
}

Test(plots, two_runs_at_once_take_turns)
{
    must_succeed(
        "mkdir $S/programs\n"
        "printf '#!/bin/sh\\n[ ! -e $1/busy ] || echo both at once >&2; touch $1/busy $1/begun; "
        "sleep 0.5; rm $1/busy; echo done >$1/width.csv\\n' >$S/programs/width\n"
        "chmod +x $S/programs/width\n"
        "plots/run.sh measure $S/programs $S/data width &\n"
        "for i in $(seq 100); do [ -e $S/data/begun ] && break; sleep 0.1; done\n"
        "plots/run.sh measure $S/programs $S/data width && wait $!");
    expect_text("another make is at work on ");
    cr_expect_null(strstr(text, "both at once"), "%s", text);
}

Test(plots, without_a_gpu_it_is_said_before_anything_is_built)
{
    checkout_run(text, "mkdir $S/bin; printf '#!/bin/sh\\necho NVIDIA-SMI has failed; exit 9\\n' "
                       ">$S/bin/nvidia-smi; chmod +x $S/bin/nvidia-smi");
    const char *const goals[] = {"plots", "probe", "validate", "fit"};
    for (int i = 0; i < 4; i++) {
        int status = checkout_run(text, "PATH=$S/bin:$PATH make %s DEVICE=gpu", goals[i]);
        cr_expect_eq(status, 2);
        expect_text("no GPU answers");
        expect_text("DEVICE=sim takes the simulated device");
    }
}

Test(plots, a_probe_that_fails_leaves_what_was_measured_before)
{
    int status = checkout_run(text, "mkdir $S/simulated; echo before >$S/simulated/probe.csv\n"
                                    "SIMGPU_PROFILE=$S/none make probe DEVICE=sim PLOTS=$S");
    cr_expect_eq(status, 2);
    expect_text("not finished");
    must_succeed("grep -q before $S/simulated/probe.csv");
}

Test(plots, an_interrupted_run_keeps_what_is_finished_and_says_the_rest)
{
    int status = checkout_run(
        text, "mkdir $S/programs\n"
              "printf '#!/bin/sh\\necho done >$1/width.csv\\n' >$S/programs/width\n"
              "printf '#!/bin/sh\\ntouch $1/started; exec sleep 60\\n' >$S/programs/launch\n"
              "chmod +x $S/programs/*\n"
              "set -m\n"
              "plots/run.sh measure $S/programs $S/data width launch methods &\n"
              "for i in $(seq 100); do [ -e $S/data/started ] && break; sleep 0.1; done\n"
              "kill -INT -- -$!\n"
              "wait $!");
    cr_expect_eq(status, 130);
    expect_text("Finished figures are kept: width");
    expect_text("FIG='launch methods'");
    must_succeed("grep -q done $S/data/width.csv");
}

/* The profiles, and where the measurements are that they were fitted to. */
static const struct {
    const char *profile, *data;
} measured[] = {{"h200", "NVIDIA_H200"}, {"h100", "NVIDIA_H100_80GB_HBM3"}};
enum { MEASURED = sizeof measured / sizeof measured[0] };

/* Measuring on the simulated device takes seconds: only FULL=1 does so with each profile. */
static int n_simulated(void)
{
    return is_full_run() ? MEASURED : 1;
}

Test(plots, the_model_is_close_to_what_was_measured)
{
    for (int i = 0; i < n_simulated(); i++) {
        int rows = 0, over = -1;
        double error = 100;
        must_succeed("unset BENCH_QUICK; make validate DATA=%s PROFILE=%s PLOTS=$S && "
                     "[ -s $S/validate/%s/validate.png ]",
                     measured[i].data, measured[i].profile, measured[i].data);
        const char *sweeps = strstr(text, "\nsweeps ");
        cr_assert(sweeps && sscanf(sweeps, " sweeps %d %lf %% %d", &rows, &error, &over) == 3, "%s",
                  text);
        cr_expect_geq(rows, 200);
        cr_expect_lt(error, 10, "%s", text);
        cr_expect_leq(over, rows / 50, "%s", text);
    }
}

Test(plots, a_simulated_probe_is_compared_with_the_gpu_of_its_profile)
{
    for (int i = 0; i < n_simulated(); i++) {
        must_succeed("make probe DEVICE=sim PROFILE=%s PLOTS=$S 2>/dev/null", measured[i].profile);
        expect_text(measured[i].data);
    }
}

Test(plots, a_fit_finds_the_line_that_the_rows_were_made_from)
{
    must_succeed(
        "printf 'host.launch 2.8 # us, by hand\\ngraph_kernel_us 0.5 # us\\nsm_count 132\\n' "
        ">$S/profile\n"
        "printf 'host.launch at0:chain.*.host:1:64\\ngraph_kernel_us slope:chain.*.host:1:64 "
        "key:host.launch +\\n' >$S/rules\n"
        "{ echo key,value,unit,note; for n in 1 2 4 8 16 32 64; do echo chain.$n.host,$((3 + "
        "2 * n)),us,; done\n"
        "  echo chain.128.host,1,us,out of range; } >$S/probe.csv\n"
        "awk -f plots/fit.awk $S/rules $S/profile $S/probe.csv 2>$S/said && cat $S/said");
    expect_text("host.launch                3           # us, by hand; by make fit");
    expect_text("graph_kernel_us            5           # us; by make fit");
    expect_text("sm_count 132");
    expect_text("+7.1 %");
    must_succeed("echo 'host.launch slope:launch/stream.host.*:1:64' >$S/rules\n"
                 "{ echo '# figure: launch'; echo x,variant,median,p5,p95,n,unit\n"
                 "  for n in 1 2 4 8; do echo $n,stream.host,$((1 + 2 * n)),0,0,9,us; done; } "
                 ">$S/launch.csv\n"
                 "awk -f plots/fit.awk $S/rules $S/profile $S/launch.csv 2>/dev/null");
    expect_text("host.launch                2           # us, by hand; by make fit");
    cr_expect_neq(checkout_run(text, "awk -f plots/fit.awk $S/rules $S/profile /dev/null"), 0);
    expect_text("host.launch stays 2.8: its rows are missing");
}

Test(plots, a_fit_takes_over_what_the_device_says_of_itself)
{
    int status = checkout_run(
        text, "printf 'name GPU A # of it\nsm_count 132 # SMs\nclock_khz 7 # kHz\nl2_bytes 5\n' "
              ">$S/profile\n"
              "printf 'name device:name\nsm_count device:multi\nclock_khz device:Rate\n"
              "l2_bytes device:L2\n' >$S/rules\n"
              "printf '# words\nname GPU B 80GB\nmulti 114\n' >$S/properties.txt\n"
              "printf '# words\nnumber,name,value\n13,Rate,7\n' >$S/attributes.csv\n"
              "awk -f plots/fit.awk $S/rules $S/profile $S/properties.txt $S/attributes.csv");
    cr_expect_neq(status, 0, "l2_bytes was not asked for");
    expect_text("name                       GPU B 80GB  # shown as Simulated GPU B 80GB\n");
    expect_text("sm_count                   114         # SMs\n");
    expect_text("\nclock_khz 7 # kHz\nl2_bytes 5\n");
    expect_text("l2_bytes stays 5: the device has not been asked");
}

Test(plots, the_fit_of_a_profile_to_its_data_is_that_profile)
{
    for (int i = 0; i < MEASURED; i++) {
        must_succeed("make fit DATA=%s PROFILE=%s PLOTS=$S >/dev/null 2>&1 && "
                     "cmp $S/fitted.profile common/simgpu/profiles/%s.profile",
                     measured[i].data, measured[i].profile, measured[i].profile);
    }
    cr_expect_neq(checkout_run(text, "make validate DATA=NVIDIA_H200 PROFILE=moon"), 0);
    expect_text("there is no profile moon; there are: ");
}

/* Every figure has its data, of an H200 or else of an H100, its committed picture and a word in
 * plots/README.md; one for several devices, which was not measured yet, has the command that draws
 * it there. */
Test(plots, the_page_shows_every_figure)
{
    must_succeed(
        "for script in plots/figures/*.gp; do\n"
        "    f=$(basename $script .gp)\n"
        "    gpu=NVIDIA_H200; [ -e plots/data/$gpu/$f.csv ] || gpu=NVIDIA_H100_80GB_HBM3\n"
        "    word=data/$gpu/$f.png data=$(echo plots/data/$gpu/$f.{csv,png})\n"
        "    grep -q '^# devices: ' $script && [ ! -e ${data%% *} ] && data= word=\"FIG=$f\"\n"
        "    for file in plots/figures/$f.c $data; do\n"
        "        [ -s $file ] || echo \"$file is missing\"\n"
        "    done\n"
        "    grep -qF \"$word\" plots/README.md || echo \"README.md: no $f\"\n"
        "done");
    cr_expect_str_eq(text, "");
}

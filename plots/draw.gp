# draw.gp: one figure as SVG and as PNG.
#
#     gnuplot -e 'folder="plots/data/NVIDIA_H200"; figure="launch"; out="build/plots/NVIDIA_H200"' plots/draw.gp
#
# A figure's script, plots/figures/NAME.gp, sets titles and axes and plots; style.gp says what it may use. Its height
# in pixels may be in a line `# height: 700` of it, the variants it cannot do without in `# needs: a b c`, and, if it is for several devices, how many
# simulated ones in `# devices: 4`.

csv = folder . "/" . figure . ".csv"
if (!exists("script")) { script = "plots/figures/" . figure . ".gp" }
height = int(system("awk '/^# height: / { h = $3 } END { print h ? h : 560 }' " . script))

do for [format in "svg png"] {
    reset
    if (format eq "svg") {
        set terminal svg enhanced size 1000, height font "DejaVu Sans,13" background rgb "white"
    } else {
        # enough pixels for a slide
        set terminal pngcairo enhanced size 1600, int(1.6 * height) font "DejaVu Sans,11" fontscale 1.6 linewidth 1.6 \
            pointscale 1.6 background rgb "white"
    }
    set output sprintf("%s/%s.%s", out, figure, format)
    load "plots/style.gp"
    load script
    unset output
}

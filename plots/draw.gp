# draw.gp: one figure as SVG and as PNG.
#
#     gnuplot -e 'folder="plots/data/NVIDIA_H200"; figure="launch"; out="build/plots/NVIDIA_H200"' plots/draw.gp
#
# A figure's script, plots/figures/NAME.gp, sets titles and axes and plots; style.gp says what it may use. The variants
# that it cannot do without are in a line `# needs: a b c` of it, and, if it is for several devices, how many simulated
# ones in `# devices: 4`. Every figure has the shape of a slide, 16:9; with half="yes" its PNG has that of half a slide.

csv = folder . "/" . figure . ".csv"
if (!exists("script")) { script = "plots/figures/" . figure . ".gp" }

do for [format in "svg png"] {
    reset
    if (format eq "svg") {
        set terminal svg enhanced size 1024, 576 font "DejaVu Sans,13" background rgb "white"
    } else {
        # enough pixels for a slide
        set terminal pngcairo enhanced size (exists("half") ? 960 : 1600), (exists("half") ? 1080 : 900) font "DejaVu Sans,11" fontscale (exists("half") ? 1.3 : 1.6) linewidth 1.6 \
            pointscale 1.6 background rgb "white"
    }
    set output sprintf("%s/%s.%s", out, figure, format)
    load "plots/style.gp"
    load script
    unset output
}

# timeline.gp: draws the timeline that timeline.c puts into $bars, $labels and $rows.
#
# $bars    x0 x1 y0 y1 colour          a bar, times in us, colours as in the key below
# $labels  x y text                    batches, or else names of kernels, that fit into their bars
# $rows   y label text                row names at the left, busy times at the right
# picture, format, heading, from, to, n_rows, unit, scale, and graphs (are there rows of graphs?) are set too.

height = 132 + 44 * n_rows + (graphs ? 40 : 0) # a key of four lines instead of two
if (format eq "svg") {
    set terminal svg size 1000, height font "DejaVu Sans,13" background "white"
} else {
    set terminal pngcairo size 1600, int(1.6 * height) font "DejaVu Sans,11" fontscale 1.6 linewidth 1.6 background "white"
}
set encoding utf8
set output picture
set title heading noenhanced

set lmargin at screen 0.10
set rmargin at screen 0.90
set tmargin 3.2
set bmargin graphs ? 7.2 : 4.6
set border 1 linecolor rgb "#888888"
set xrange [from * scale : to * scale]
set yrange [n_rows - 0.45 : -0.55]
set format x "%g " . unit
set xtics out nomirror textcolor rgb "#222222"
unset ytics
set key below center horizontal Left reverse samplen 1.2 width 1
set style fill solid 1.0 border rgb "white"
set grid xtics linecolor rgb "#dddddd"

of_graphs = !graphs ? "" : \
    ', keyentry with boxes linecolor rgb "#332288" title "graph, host launch"' . \
    ', keyentry with boxes linecolor rgb "#999933" title "graph, fire-and-forget"' . \
    ', keyentry with boxes linecolor rgb "#0072b2" title "graph, tail launch"'

plot $bars using (($1 + $2) / 2 * scale):(($3 + $4) / 2):($1 * scale):($2 * scale):3:4:5 \
         with boxxyerror linecolor rgb variable notitle, \
     $labels using ($1 * scale):2:3 with labels textcolor rgb "black" font ",10" notitle, \
     $rows using (from * scale):1:2 with labels right offset character -1, 0 notitle, \
     $rows using (to * scale):1:3 with labels left offset character 1, 0 textcolor rgb "#555555" notitle, \
     keyentry with boxes linecolor rgb "#56b4e9" title "H2D", \
     keyentry with boxes linecolor rgb "#e69f00" title "kernel", \
     keyentry with boxes linecolor rgb "#33b48f" title "D2H", \
     keyentry with boxes linecolor rgb "#cc79a7" title "D2D, memset", \
     keyentry with boxes linecolor rgb "#d55e00" title "host function", \
     keyentry with boxes linecolor rgb "#c8c8c8" title "runtime call", \
     keyentry with boxes linecolor rgb "#777777" title "call that waits" @of_graphs

# What a node of each kind costs between the kernels of a chain.
# needs: chain kernel empty memset d2d h2d d2h host event
x = first_x("kernel")
array kinds[8] = ["empty", "kernel", "event", "d2d", "memset", "d2h", "h2d", "host"]
array words[8] = ["empty", "kernel", "event\nrecord", "copy on\nthe device", "memset", "copy to\nthe host", "copy to\nthe device", "host\nfunction"]
set label 999 title(sprintf("In a graph, one host function costs as much as %.0f kernels", med("host", x) / med("kernel", x))) \
    at screen 0.5, screen 0.965 center font big
set ylabel "time per added node (µs)"
set xlabel sprintf("node after each of 32 empty kernels (copies and memsets of %.0f bytes)", x) offset 0, -1
set logscale y
set yrange [0.1 : 100]
set xrange [0.4 : 8.6]
set xtics ()
do for [i = 1 : 8] { set xtics add (words[i] i) }
set bmargin 6
$bars << EOD
EOD
set print $bars
do for [i = 1 : 8] { print sprintf("%d,%g,%g,%g", i, med(kinds[i], x), p5(kinds[i], x), p95(kinds[i], x)) }
unset print
# below the axis: a number and no point
least = 0.1
plot $bars using 1:($2 > least ? $2 : NaN):($3 > least ? $3 : least):($4 > least ? $4 : least) with yerrorbars linestyle 1 pointsize 1.6 notitle, \
     $bars using 1:($4 > least ? $4 : least):($2 < 0.01 ? "0" : say($2)) with labels offset 0, 0.9 notitle

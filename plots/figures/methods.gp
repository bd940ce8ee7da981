# Ten matrix products by four methods, and how close each comes to the limit: the longest stage.
# needs: sync streams serial forkjoin stage.h2d stage.compute stage.d2h
# height: 620
array ways[4] = ["sync", "serial", "streams", "forkjoin"]
array words[4] = ["serial copies", "graph of one batch, ten launches", "four streams", "one fork-join graph"]
limit(x) = (a = med("stage.h2d", x), c = med("stage.compute", x), d = med("stage.d2h", x), a > c ? (a > d ? a : d) : (c > d ? c : d))
gain(v, x) = med("sync", x) / med(v, x)
xs = system(sprintf("awk -F, '$2 == \"sync\" { print $1 }' '%s'", csv))
from = first_x("sync")
n = last_x("sync")
m = words(xs)
$bars << EOD
EOD
set print $bars
do for [k = 1 : 4] {
    do for [j = 1 : m] {
        x = real(word(xs, j))
        print sprintf("%d,%g,%g,%g,%g", k, j + (k - 2.5) * 0.2, gain(ways[k], x), med("sync", x) / p95(ways[k], x), med("sync", x) / p5(ways[k], x))
    }
}
unset print
$limit << EOD
EOD
set print $limit
do for [j = 1 : m] { print sprintf("%d,%g", j, med("sync", real(word(xs, j))) / limit(real(word(xs, j)))) }
unset print
lowest(top, v) = (low = 1e9, sum [j = 1 : m] (q = med(top, real(word(xs, j))) / med(v, real(word(xs, j))), low = q < low ? q : low, 0), low)
highest(top, v) = 1 / lowest(v, top)
span(top, v) = sprintf("%.2f-%.2f", lowest(top, v), highest(top, v))
set label 999 title(highest("streams", "forkjoin") < 1.05 && lowest("streams", "forkjoin") > 0.95 ? \
    sprintf("Fork-join graphs match streams; both beat serial copies by %.1f-%.1fx", lowest("sync", "forkjoin"), highest("sync", "forkjoin")) : \
    sprintf("Fork-join graphs: speedup %s over serial copies, %s over streams", span("sync", "forkjoin"), span("streams", "forkjoin"))) \
    at screen 0.5, screen 0.965 center font big
set ylabel "speedup over serial copies"
set xlabel "n of the n x n matrices"
set xrange [0.45 : m + 0.55]
set yrange [0 : *]
set offsets 0, 0, 0.25, 0
set xtics ()
do for [j = 1 : m] { set xtics add (word(xs, j) j) }
width = 0.19
set key at screen 0.52, screen 0.07 center vertical maxrows 2 width -3
set object 1 rectangle from graph 0, first claim("forkjoin") to graph 1, first claim_high("forkjoin") fillcolor rgb "#eeeeee" fillstyle solid 1 noborder behind
set label 1 sprintf("claimed for fork-join graphs: %g to %g times (%s)", claim("forkjoin"), claim_high("forkjoin"), claim_source("forkjoin")) at graph 0.995, first claim_high("forkjoin") right offset 0, 0.6 @grey
set bmargin 7.8
plot for [k = 1 : 4] $bars using ($1 == k ? $2 : NaN):3:4:5:(width) with boxerrorbars fillcolor rgb shade[k] title words[k], \
     $limit using 1:2:(0.4) with xerrorbars linecolor rgb "#222222" linewidth 2 pointtype 0 title "limit: the longest stage alone"

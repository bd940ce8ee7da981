# Ten matrix products by four methods, compared with streams, and the limit: the longest stage.
# needs: sync streams serial forkjoin stage.h2d stage.compute stage.d2h
array ways[4] = ["sync", "serial", "streams", "forkjoin"]
array words[4] = ["serial copies", "graph of one batch, ten launches", "four streams", "one fork-join graph"]
array colors[4] = [shade[2], shade[1], shade[3], shade[4]] # graphs are blue
limit(x) = (a = med("stage.h2d", x), c = med("stage.compute", x), d = med("stage.d2h", x), a > c ? (a > d ? a : d) : (c > d ? c : d))
gain(v, x) = med("streams", x) / med(v, x)
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
        print sprintf("%d,%g,%g,%g,%g", k, j + (k - 2.5) * 0.2, gain(ways[k], x), med("streams", x) / p95(ways[k], x), med("streams", x) / p5(ways[k], x))
    }
}
unset print
$limit << EOD
EOD
set print $limit
do for [j = 1 : m] { print sprintf("%d,%g", j, med("streams", real(word(xs, j))) / limit(real(word(xs, j)))) }
unset print
lowest = 1e9
highest = 0
do for [j = 1 : m] {
    q = gain("forkjoin", real(word(xs, j)))
    lowest = q < lowest ? q : lowest
    highest = q > highest ? q : highest
}
set label 999 title(highest < 1.05 && lowest > 0.95 ? \
    sprintf("Fork-join graphs match streams; the claimed %g-%gx does not hold", claim("forkjoin"), claim_high("forkjoin")) : \
    sprintf("Fork-join graphs: %.2f-%.2fx as fast as streams", lowest, highest)) \
    at screen 0.5, screen 0.965 center font big
set ylabel "speedup over four streams"
set xlabel "n of the n x n matrices"
set xrange [0.45 : m + 0.55]
set yrange [0 : 1.08 * claim_high("forkjoin")]
set offsets 0, 0, 0.25, 0
set xtics ()
do for [j = 1 : m] { set xtics add (word(xs, j) j) }
width = 0.19
set key at screen 0.52, screen 0.07 center vertical maxrows (exists("half") ? 3 : 2) width -3
set object 1 rectangle from graph 0, first claim("forkjoin") to graph 1, first claim_high("forkjoin") fillcolor rgb "#eeeeee" fillstyle solid 1 noborder behind
set arrow 1 from graph 0, first claim("serial") to graph 1, first claim("serial") nohead linestyle 10 front
set label 1 fold(sprintf("claimed for fork-join graphs: %g to %g times as fast as streams (%s)", claim("forkjoin"), claim_high("forkjoin"), claim_source("forkjoin")), 75, "\n") at graph 0.995, first claim_high("forkjoin") right offset 0, -0.9 @grey
set bmargin (exists("half") ? 9.5 : 7.8)
plot for [k = 1 : 4] $bars using ($1 == k ? $2 : NaN):3:4:5:(width) with boxerrorbars fillcolor rgb colors[k] title words[k], \
     $limit using 1:2:(0.4) with xerrorbars linecolor rgb "#222222" linewidth 2 pointtype 0 title "limit: the longest stage alone"

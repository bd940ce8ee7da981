# A server by load: tokens per second on the left, 99th percentile of the time to the first token on the right.
# needs: graphs streams pieces graphs.first streams.first pieces.first offered
n = last_x("graphs")
gain(v) = med(v, n) / med("streams", n)
set label 999 title(sprintf("Server at full load: graph per bucket %.2fx, piecewise graphs %.2fx", gain("graphs"), gain("pieces"))) \
    at screen 0.5, screen 0.965 center font big
ways = "streams graphs pieces"
styles = "2 1 9"
array words[3] = ["stream launches", "a graph per bucket", "piecewise graphs"]
set xrange [0 : n * 1.04]
set xlabel "load"
set tmargin at screen 0.86
set bmargin at screen 0.26
set multiplot
set lmargin at screen 0.095
set rmargin at screen 0.49
set yrange [0 : *]
set format y "%.0s %c"
set ylabel "tokens per second"
plot rows("offered") using 1:3 with lines linestyle 7 notitle, \
     for [i = 1 : 3] rows(word(ways, i)) using 1:3:4:5 with yerrorlines linestyle int(word(styles, i)) notitle
unset label 999
unset label 1000
set lmargin at screen 0.595
set rmargin at screen 0.98
set logscale y 10
set yrange [*:*]
set format y "%.0f"
set ylabel "99th percentile until the first token (µs)"
set key at screen 0.90, screen 0.14 right top vertical maxrows 2 width -2
plot for [i = 1 : 3] rows(word(ways, i) . ".first") using 1:3:4:5 with yerrorlines linestyle int(word(styles, i)) title words[i], \
     NaN with lines linestyle 7 title "requests that arrive"
unset multiplot

# Timeline of the four methods: serial and overlapping copies and kernels.
# needs: sync.h2d sync.sm sync.d2h streams.h2d streams.sm serial.h2d serial.sm forkjoin.h2d forkjoin.sm forkjoin.d2h
array ways[4] = ["sync", "serial", "streams", "forkjoin"]
array words[4] = ["serial\ncopies", "graph of one batch,\nten launches", "four\nstreams", "one fork-join\ngraph"]
array engines[3] = ["h2d", "sm", "d2h"]
array names[3] = ["H2D", "kernel", "D2H"]
array colors[3] = ["#56b4e9", "#e69f00", "#00684b"]
bars = ''
end(v) = number(awk_of(csv, sprintf("index($2, \"%s.\") == 1 && $1 + $3 > m { m = $1 + $3 } END { print m }", v)))
longest = 0
do for [k = 1 : 4] { if (end(ways[k]) > longest) { longest = end(ways[k]) } }
set label 999 title(sprintf("Streams are %.1fx, the fork-join graph %.1fx as fast as serial copies", end("sync") / end("streams"), end("sync") / end("forkjoin"))) \
    at screen 0.5, screen 0.965 center font big
set xlabel "time since the first copy began (µs)"
set xrange [0 : longest * 1.08]
set yrange [16.2 : -0.6]
unset ytics
set grid noytics xtics
set lmargin 24
set bmargin 6
set key at screen 0.55, screen 0.035 center horizontal
set style fill solid 1.0 border rgb "white"
lane(k, e) = (k - 1) * 4 + e
do for [k = 1 : 4] {
    set label 10 * k words[k] at graph -0.075, first lane(k, 2) right
    do for [e = 1 : 3] { set label 10 * k + e names[e] at graph -0.01, first lane(k, e) right font small }
    set label 10 * k + 5 sprintf("%s µs", say(end(ways[k]))) at first end(ways[k]) + longest * 0.01, lane(k, 2) left front
}
plot for [k = 1 : 4] for [e = 1 : 3] rows(ways[k] . "." . engines[e]) \
     using ($1 + $3 / 2):(lane(k, e)):1:($1 + $3):(lane(k, e) - 0.45):(lane(k, e) + 0.45) with boxxyerror fillcolor rgb colors[e] notitle, \
     for [e = 1 : 3] keyentry with boxes fillcolor rgb colors[e] title names[e]

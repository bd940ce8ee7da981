# A decoder step by batch size: time of a step on the left, tokens per second on the right.
# needs: stream graph programmatic floor
n = last_x("stream")
gain(v) = med("stream", 1) / med(v, 1)
set label 999 title(sprintf("Decoder step, batch 1: a graph gains %.1fx, with programmatic edges %.1fx", gain("graph"), gain("programmatic"))) \
    at screen 0.5, screen 0.965 center font big
set label 1 claimed_by(claim_source("batch_1")) at screen 0.02, screen 0.025 @grey
set logscale xy 2
set xrange [0.85 : n * 1.2]
set xlabel "sequences in the batch"
set tmargin at screen 0.86
set bmargin at screen 0.31
ways = "torch.graph stream graph programmatic floor"
styles = "5 2 1 9 7"
array words[5] = ["PyTorch, CUDA graph", "stream launches", "graph", "graph, programmatic edges", "weights and cache read once"]
shown = ""
do for [i = 1 : 5] { if (has(word(ways, i), 1)) { shown = shown . " " . i } }
$claimed << EOD
EOD
set print $claimed
do for [i = 0 : 5] {
    key = sprintf("batch_%d", 2 ** i)
    if (has_claim(key) && 2 ** i <= n) { print sprintf("%d,%g", 2 ** i, med("stream", 2 ** i) / claim(key)) }
}
unset print
set multiplot
set lmargin at screen 0.095
set rmargin at screen 0.49
set yrange [med("floor", 1) / 1.5 : *]
set format y "%.0f"
set ylabel "time of a step (µs)"
plot for [i in shown] rows(word(ways, int(i))) using 1:3:4:5 with yerrorlines linestyle int(word(styles, int(i))) notitle, \
     $claimed using 1:2 with points linestyle 10 notitle
unset label 1
unset label 999
unset label 1000
set lmargin at screen 0.595
set rmargin at screen 0.98
set ylabel "tokens per second"
set logscale y 10
set yrange [*:*]
set format y "%.0s %c"
set key at screen 0.90, screen 0.20 right top vertical maxrows 3 width -2
plot for [i in shown] rows(word(ways, int(i))) using 1:($1 * 1e6 / $3) with linespoints linestyle int(word(styles, int(i))) title words[int(i)], \
     $claimed using 1:($1 * 1e6 / $2) with points linestyle 10 title "graph, claimed as an example"
unset multiplot

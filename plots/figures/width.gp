# The same kernels side by side: how much a wider graph gains, and what the width costs the host.
# needs: empty.streams empty.graph empty.graph_host lasting.streams lasting.graph
w = last_x("lasting.graph")
best = med("empty.graph", 1)
best_at = 1
do for [i = 0 : 6] {
    if (has("empty.graph", 2 ** i) && med("empty.graph", 2 ** i) < best) { best = med("empty.graph", 2 ** i); best_at = 2 ** i }
}
set label 999 title2(sprintf("128 kernels of 10 µs: %s µs as one chain, %s µs as %.0f chains in one graph", \
    say(med("lasting.graph", 1)), say(med("lasting.graph", w)), w), \
    sprintf("empty kernels: %s µs as one chain, at best %s µs (%d chains)", say(med("empty.graph", 1)), say(best), best_at)) at screen 0.5, screen 0.965 center font big
set logscale xy
set xlabel "chains side by side"
set ylabel "time until all 128 kernels are done (µs)"
set xrange [0.85 : w * 1.2]
set yrange [1 : 3000]
set xtics ()
do for [i = 0 : 10] { set xtics add (sprintf("%d", 2 ** i) 2 ** i) }
set key outside right center
set rmargin -1
chain = med("lasting.graph", 1)
plot rows("lasting.streams") using 1:3:4:5 with yerrorlines linestyle 2 title "10 µs, by streams", \
     rows("lasting.graph") using 1:3:4:5 with yerrorlines linestyle 1 title "10 µs, one graph", \
     [1:w] chain / x with lines linestyle 10 title "10 µs, if width were free", \
     rows("empty.streams") using 1:3:4:5 with yerrorlines linestyle 4 title "empty, by streams", \
     rows("empty.graph") using 1:3:4:5 with yerrorlines linestyle 3 title "empty, one graph", \
     rows("empty.graph_host") using 1:3:4:5 with yerrorlines linestyle 5 title "empty, graph: host alone"

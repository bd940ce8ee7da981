# The same kernels in concurrent chains: the gain of a wider graph, and the host time that width costs.
# needs: empty.streams empty.graph empty.graph_host lasting.streams lasting.graph
w = last_x("lasting.graph")
set label 999 title(sprintf("At width %.0f, 128 kernels of 10 µs run %.0fx as fast", w, med("lasting.graph", 1) / med("lasting.graph", w))) \
    at screen 0.5, screen 0.965 center font big
set logscale xy
set xlabel "width: concurrent chains"
set ylabel "time of all 128 kernels (µs)"
set xrange [0.85 : w * 1.2]
set yrange [1 : 3000]
set xtics ()
do for [i = 0 : 10] { set xtics add (sprintf("%d", 2 ** i) 2 ** i) }
set key outside right center
set rmargin -1
chain = med("lasting.graph", 1)
plot rows("lasting.streams") using 1:3:4:5 with yerrorlines linestyle 2 title "10 µs, streams", \
     rows("lasting.graph") using 1:3:4:5 with yerrorlines linestyle 1 title "10 µs, one graph", \
     [1:w] chain / x with lines linestyle 10 title "10 µs, ideal", \
     rows("empty.streams") using 1:3:4:5 with yerrorlines linestyle 4 title "empty, streams", \
     rows("empty.graph") using 1:3:4:5 with yerrorlines linestyle 6 title "empty, one graph", \
     rows("empty.graph_host") using 1:3:4:5 with yerrorlines linestyle 9 title "empty, graph: host time"

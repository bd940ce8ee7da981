# Temporary memory: memory nodes of a graph, and stream-ordered allocation.
# needs: stream stream.kept graph
n = has("graph", 8) ? 8 : last_x("graph")
m = last_x("graph")
set label 999 title(sprintf("Memory nodes of a graph: %.1fx as fast as stream-ordered allocation", med("stream.kept", n) / med("graph", n))) \
    at screen 0.5, screen 0.965 center font big
set logscale xy
set xlabel "repetitions: allocate 1 MiB, run a kernel, free"
set ylabel "time until complete (µs)"
set xrange [0.85 : m * 1.2]
set xtics ()
do for [i = 0 : 10] { set xtics add (sprintf("%d", 2 ** i) 2 ** i) }
plot rows("stream") using 1:3:4:5 with yerrorlines linestyle 2 title "stream-ordered, memory from the system", \
     rows("stream.kept") using 1:3:4:5 with yerrorlines linestyle 4 title "stream-ordered, memory kept in the pool", \
     rows("graph") using 1:3:4:5 with yerrorlines linestyle 1 title "graph with alloc and free nodes"

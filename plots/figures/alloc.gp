# Temporary memory as nodes of a graph, and by stream.
# needs: stream stream.kept graph graph.reserved
n = has("graph", 8) ? 8 : last_x("graph")
m = last_x("graph")
set label 999 title2(sprintf("%.0f allocations: %s µs by stream, %s µs if the pool keeps its memory, %s µs in a graph,", n, say(med("stream", n)), say(med("stream.kept", n)), say(med("graph", n))), \
    sprintf("which holds %s MiB for %.0f allocations of 1 MiB, launch after launch", say(med("graph.reserved", m)), m)) \
    at screen 0.5, screen 0.965 center font big
set logscale xy
set xlabel "times: allocate 1 MiB, run a kernel, free it"
set ylabel "time until done (µs)"
set xrange [0.85 : m * 1.2]
set xtics ()
do for [i = 0 : 10] { set xtics add (sprintf("%d", 2 ** i) 2 ** i) }
plot rows("stream") using 1:3:4:5 with yerrorlines linestyle 2 title "by stream, memory from the system", \
     rows("stream.kept") using 1:3:4:5 with yerrorlines linestyle 4 title "by stream, memory kept in the pool", \
     rows("graph") using 1:3:4:5 with yerrorlines linestyle 1 title "alloc and free nodes of a graph"

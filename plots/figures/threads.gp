# Threads that submit at the same time: do they stand in each other's way?
# needs: stream graph capture instantiate
n = last_x("stream")
more(v) = med(v, n) / med(v, 1)
set label 999 simulated ? title2("Threads that submit at the same time are not modelled:", "the simulated device has no contention, each takes what it takes alone") : \
    title2(sprintf("With %.0f threads each takes %.1f times as long for a launch by stream as one thread alone,", n, more("stream")), \
    sprintf("%.1f times for a kernel of a graph, %.1f for a captured, %.1f for an instantiated one", more("graph"), more("capture"), more("instantiate"))) \
    at screen 0.5, screen 0.965 center font big
set logscale y
set xlabel "threads that do the same at the same time, each with a stream of its own"
set ylabel "time for each kernel, slowest thread (µs)"
set xrange [0.7 : n + 0.3]
set yrange [0.05 : *]
set xtics 1
plot rows("stream") using 1:3:4:5 with yerrorlines linestyle 2 title "launched by stream, until done", \
     rows("graph") using 1:3:4:5 with yerrorlines linestyle 1 title "launched as a graph of 64, until done", \
     rows("instantiate") using 1:3:4:5 with yerrorlines linestyle 5 title "instantiated", \
     rows("capture") using 1:3:4:5 with yerrorlines linestyle 3 title "captured, thread-local"

# Threads that submit concurrently: do they delay each other?
# needs: stream graph capture instantiate
n = last_x("stream")
more(v) = med(v, n) / med(v, 1)
set label 999 title(simulated ? "Not modeled: the simulated device has no contention between threads" : \
    sprintf("%.0f threads: stream launches take %.1fx as long, graph kernels %.1fx", n, more("stream"), more("graph"))) \
    at screen 0.5, screen 0.965 center font big
set logscale y
set xlabel "concurrent threads, each with its own stream"
set ylabel "time per kernel, slowest thread (µs)"
set xrange [0.7 : n + 0.3]
set yrange [0.05 : *]
set xtics 1
plot rows("stream") using 1:3:4:5 with yerrorlines linestyle 2 title "stream launches, round trip", \
     rows("graph") using 1:3:4:5 with yerrorlines linestyle 1 title "graph of 64, round trip", \
     rows("instantiate") using 1:3:4:5 with yerrorlines linestyle 5 title "instantiation", \
     rows("capture") using 1:3:4:5 with yerrorlines linestyle 3 title "capture, thread-local mode"

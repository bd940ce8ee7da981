# A loop that the device ends itself, and one that the host looks after.
# needs: while chain host.stream host.graph
n = last_x("while")
set label 999 title2(sprintf("%.0f iterations: %s µs each in a WHILE node, %s µs where the host looks,", n, say(med("while", n)), say(med("host.stream", n))), \
    sprintf("%s µs where step and copy are a graph, %s µs in a chain that decides nothing", say(med("host.graph", n)), say(med("chain", n)))) \
    at screen 0.5, screen 0.965 center font big
set logscale x 2
set xlabel "iterations"
set ylabel "time for each iteration (µs)"
set xrange [0.8 : n * 1.3]
set yrange [0 : *]
set key top right
plot rows("host.stream") using 1:3:4:5 with yerrorlines linestyle 2 title "host: kernel, copy back, wait, look", \
     rows("host.graph") using 1:3:4:5 with yerrorlines linestyle 4 title "host: kernel and copy as a graph, wait, look", \
     rows("while") using 1:3:4:5 with yerrorlines linestyle 1 title "WHILE node, launched once", \
     rows("chain") using 1:3:4:5 with yerrorlines linestyle 3 title "chain of as many kernels: no decision"

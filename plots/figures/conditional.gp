# A loop whose condition the device tests, and one whose condition the host tests.
# needs: while chain host.stream host.graph
n = last_x("while")
set label 999 title(sprintf("A WHILE node: %s µs per iteration; the host: %s µs", say(med("while", n)), say(med("host.stream", n)))) \
    at screen 0.5, screen 0.965 center font big
set logscale x 2
set xlabel "iterations"
set ylabel "time per iteration (µs)"
set xrange [0.8 : n * 1.3]
set yrange [0 : *]
set key top right
plot rows("host.stream") using 1:3:4:5 with yerrorlines linestyle 2 title "host: kernel, copy back, wait, test", \
     rows("host.graph") using 1:3:4:5 with yerrorlines linestyle 6 title "host: graph of kernel and copy, wait, test", \
     rows("while") using 1:3:4:5 with yerrorlines linestyle 1 title "WHILE node, launched once", \
     rows("chain") using 1:3:4:5 with yerrorlines linestyle 3 title "chain of equally many kernels, without a condition"

# A graph launched by a kernel against one launched by the host: until it runs, and round by round.
# needs: straight.fire.first wide.fire.first straight.tail.first straight.host.rest straight.self.round straight.host.round wide.host.rest
# height: 700
n = last_x("straight.fire.first")
fire = med("straight.fire.first", n)
set label 999 title2(sprintf("A graph of %.0f kernels begins %s µs after a kernel launched it, %s µs as a tail", \
    n, say(fire), say(med("straight.tail.first", n))), \
    sprintf("a round of 11 kernels: %s µs launched by itself, %s µs by the host", \
    say(med("straight.self.round", 11)), say(med("straight.host.round", 11)))) at screen 0.5, screen 0.965 center font big
set logscale xy
set xlabel "kernels in the graph"
set ylabel "time (µs)"
set xrange [0.85 : n * 1.2]
set yrange [1 : 300]
set xtics ()
do for [i = 0 : 8] { set xtics add (sprintf("%d", 2 ** i) 2 ** i) }
set key outside right center
set rmargin -1
plot rows("straight.fire.first") using 1:3:4:5 with yerrorlines linestyle 1 title "fire and forget, straight: first kernel", \
     rows("wide.fire.first") using 1:3:4:5 with yerrorlines linestyle 2 title "fire and forget, wide: first kernel", \
     rows("straight.tail.first") using 1:3:4:5 with yerrorlines linestyle 3 title "tail: first kernel", \
     rows("straight.host.rest") using 1:3:4:5 with yerrorlines linestyle 4 title "host, straight: all but the graph", \
     rows("wide.host.rest") using 1:3:4:5 with yerrorlines linestyle 5 title "host, wide: all but the graph", \
     rows("straight.self.round") using 1:3:4:5 with yerrorlines linestyle 6 title "round of a graph that launches itself", \
     rows("straight.host.round") using 1:3:4:5 with yerrorlines linestyle 7 title "round by the host"

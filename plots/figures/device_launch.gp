# Graphs launched by kernels: how soon they begin, and what a loop of them takes.
# needs: fire tail host wide.fire loop.itself loop.host loop.host_waits
# height: 620
n = last_x("fire")
soonest = med("fire", 1) < med("fire", n) ? med("fire", 1) : med("fire", n)
latest = med("wide.fire", n) > med("fire", n) ? med("wide.fire", n) : med("fire", n)
set label 999 title2(sprintf("Launched by a kernel a graph begins after %s to %s µs, by the host after %s", \
    say(soonest), say(latest), say(med("host", 1))), \
    sprintf("a loop of 1 kernel takes %s µs by itself, %s µs if the host waits, %s µs if not", say(med("loop.itself", 1)), say(med("loop.host_waits", 1)), say(med("loop.host", 1)))) \
    at screen 0.5, screen 0.965 center font big
set logscale xy
set xlabel "kernels in the graph"
set ylabel "time (µs)"
set xrange [0.85 : n * 1.2]
set yrange [1 : 300]
set xtics ()
do for [x in "1 2 4 8 16 32 64 128"] { set xtics add (x real(x)) }
set key outside right center
set rmargin -1
set arrow 1 from claim("even"), graph 0 to claim("even"), graph 1 nohead linestyle 10
set label 1 sprintf("said: at least %g times sooner than by the host (%s);\na loop on the device is ahead of the host from %g kernels (%s)", claim("gain"), claim_source("gain"), claim("even"), claim_source("even")) at graph 0, -0.19 font ",9" textcolor rgb "#555555" noenhanced
set bmargin 7
plot rows("loop.host_waits") using 1:3:4:5 with yerrorlines linestyle 2 title "loop: host, waits each time", \
     rows("loop.host") using 1:3:4:5 with yerrorlines linestyle 4 title "loop: host, straight on", \
     rows("loop.itself") using 1:3:4:5 with yerrorlines linestyle 1 title "loop: launches itself", \
     rows("host") using 1:3:4:5 with yerrorlines linestyle 7 title "begin: by the host", \
     rows("tail") using 1:3:4:5 with yerrorlines linestyle 5 title "begin: tail", \
     rows("fire") using 1:3:4:5 with yerrorlines linestyle 3 title "begin: fire and forget", \
     rows("wide.fire") using 1:3:4:5 with yerrorlines linestyle 6 title "the same, as wide as can be"

# A graph launched by a kernel against one launched by the host: until it starts, and per iteration.
# needs: straight.fire.first wide.fire.first straight.tail.first straight.host.rest straight.self.round straight.host.round wide.host.rest
# height: 660
n = last_x("straight.fire.first")
set label 999 title(sprintf("A device-launched graph starts after %s µs (fire-and-forget), %s µs (tail)", say(med("straight.fire.first", n)), say(med("straight.tail.first", n)))) \
    at screen 0.5, screen 0.965 center font big
set logscale xy
set xlabel "kernels in the graph"
set ylabel "time (µs)"
set xrange [0.85 : n * 1.2]
set yrange [1 : 3000]
set xtics ()
do for [i = 0 : 8] { set xtics add (sprintf("%d", 2 ** i) 2 ** i) }
set key top left maxrows 5
set arrow 1 from claim("even"), graph 0 to claim("even"), first 200 nohead linestyle 10
set label 2 "claimed: faster from here" at claim("even"), first 270 center @grey
set label 1 sprintf("claimed: starts at least %g times sooner than a host launch; a loop on the device is faster from %g kernels\n(%s)", claim("gain"), claim("even"), claim_source("gain")) at screen 0.02, screen 0.055 @grey
set bmargin 7
plot rows("straight.host.rest") using 1:($3 / claim("gain")) with lines linecolor rgb "#cfcfcf" linewidth 5 title sprintf("claimed: starts %g times sooner", claim("gain")), \
     rows("straight.fire.first") using 1:3:4:5 with yerrorlines linestyle 1 title "fire-and-forget, straight: first kernel", \
     rows("wide.fire.first") using 1:3:4:5 with yerrorlines linestyle 2 title "fire-and-forget, wide: first kernel", \
     rows("straight.tail.first") using 1:3:4:5 with yerrorlines linestyle 3 title "tail: first kernel", \
     rows("straight.host.rest") using 1:3:4:5 with yerrorlines linestyle 4 title "host, straight: time outside of the graph", \
     rows("wide.host.rest") using 1:3:4:5 with yerrorlines linestyle 5 title "host, wide: time outside of the graph", \
     rows("straight.self.round") using 1:3:4:5 with yerrorlines linestyle 6 title "iteration by self relaunch", \
     rows("straight.host.round") using 1:3:4:5 with yerrorlines linestyle 7 title "iteration by the host"

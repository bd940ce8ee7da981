# A graph launched by a kernel against one launched by the host: until it starts, and per iteration.
# needs: straight.fire.first wide.fire.first straight.tail.first straight.host.rest straight.self.round straight.host.round
n = last_x("straight.fire.first")
set label 999 title(sprintf("A device-launched graph starts after %s µs (fire-and-forget), %s µs (tail)", say(med("straight.fire.first", n)), say(med("straight.tail.first", n)))) \
    at screen 0.5, screen 0.965 center font big
set label 1 sprintf("claimed: starts at least %g times sooner than a host launch; a loop on the device is faster from %g kernels\n(%s)", claim("gain"), claim("even"), claim_source("gain")) at screen 0.02, screen 0.055 @grey
set logscale x 2
set xlabel "kernels in the graph"
set xrange [0.85 : n * 1.2]
set xtics ()
do for [i = 0 : 8 : 2] { set xtics add (sprintf("%d", 2 ** i) 2 ** i) }
set tmargin at screen 0.84
set bmargin at screen 0.24
set multiplot
set lmargin at screen 0.075
set rmargin at screen 0.49
set ylabel "time until the first kernel starts (µs)"
set yrange [0 : 30]
set key opaque # over bars that go beyond the picture
plot rows("straight.host.rest") using 1:($3 / claim("gain")) with lines linecolor rgb "#cfcfcf" linewidth 5 title sprintf("claimed: %g times sooner than by the host", claim("gain")), \
     rows("straight.host.rest") using 1:3:4:5 with yerrorlines linestyle 2 title "by the host (all time outside of the graph)", \
     rows("straight.tail.first") using 1:3:4:5 with yerrorlines linestyle 9 title "by a kernel, tail", \
     rows("straight.fire.first") using 1:3:4:5 with yerrorlines linestyle 1 title "by a kernel, fire-and-forget", \
     rows("wide.fire.first") using 1:3:4:5 with yerrorlines linestyle 6 title "the same, a wide graph"
unset label 1
unset label 999
unset label 1000
set lmargin at screen 0.58
set rmargin at screen 0.98
set logscale y
set ylabel "time of an iteration (µs)"
set yrange [2 : 1000]
set arrow 1 from claim("even"), graph 0 to claim("even"), first 200 nohead linestyle 10
set label 2 "claimed: faster from here" at claim("even"), first 260 center @grey
plot rows("straight.host.round") using 1:3:4:5 with yerrorlines linestyle 2 title "launched by the host", \
     rows("straight.self.round") using 1:3:4:5 with yerrorlines linestyle 1 title "launches itself"
unset multiplot

# Graphs launched by kernels: how soon they start, and what a loop of them costs.
# needs: fire tail host wide.fire loop.itself loop.host loop.host_waits
n = last_x("fire")
latest = number(awk_of(csv, "$2 ~ /fire$/ && $3 > m { m = $3 } END { print m }"))
set label 999 title(sprintf("Device launch starts a graph %.1fx sooner than a host launch", med("host", 1) / latest)) \
    at screen 0.5, screen 0.965 center font big
set logscale xy
set xlabel "kernels in the graph"
set ylabel "time (µs)"
set xrange [0.85 : n * 1.2]
set yrange [1 : 3000]
set xtics ()
do for [x in "1 2 4 8 16 32 64 128"] { set xtics add (x real(x)) }
set key top left maxrows 4
set arrow 1 from claim("even"), graph 0 to claim("even"), first 200 nohead linestyle 10
set label 2 "claimed: faster from here" at claim("even"), first 270 center @grey
set label 1 sprintf("claimed: starts at least %g times sooner than a host launch; a loop on the device is faster from %g kernels\n(%s)", claim("gain"), claim("even"), claim_source("gain")) at screen 0.02, screen 0.055 @grey
set bmargin 7
plot rows("host") using 1:($3 / claim("gain")) with lines linecolor rgb "#cfcfcf" linewidth 5 title sprintf("claimed: starts %g times sooner", claim("gain")), \
     rows("loop.host_waits") using 1:3:4:5 with yerrorlines linestyle 2 title "loop: host, waits in each iteration", \
     rows("loop.host") using 1:3:4:5 with yerrorlines linestyle 4 title "loop: host, does not wait", \
     rows("loop.itself") using 1:3:4:5 with yerrorlines linestyle 1 title "loop: self relaunch", \
     rows("host") using 1:3:4:5 with yerrorlines linestyle 7 title "start: host launch", \
     rows("tail") using 1:3:4:5 with yerrorlines linestyle 5 title "start: tail launch", \
     rows("fire") using 1:3:4:5 with yerrorlines linestyle 3 title "start: fire-and-forget launch", \
     rows("wide.fire") using 1:3:4:5 with yerrorlines linestyle 6 title "start: fire-and-forget, maximum width"

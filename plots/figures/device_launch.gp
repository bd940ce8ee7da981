# Graphs launched by kernels: how soon they start, and what a loop of them costs.
# needs: fire tail host wide.fire loop.itself loop.host loop.host_waits
n = last_x("fire")
latest = number(awk_of(csv, "$2 ~ /fire$/ && $3 > m { m = $3 } END { print m }"))
set label 999 title(sprintf("Device launch starts a graph %.1fx sooner than a host launch", med("host", 1) / latest)) \
    at screen 0.5, screen 0.965 center font big
set multiplot
set logscale xy
set xlabel "kernels in the graph"
set ylabel "time (µs)" offset 2, 0
set xrange [0.85 : n * 1.2]
set yrange [1 : 1000]
set xtics ()
do for [x in "1 2 4 8 16 32 64 128"] { set xtics add (x real(x)) }
set tmargin at screen 0.83
set bmargin at screen 0.22
set lmargin at screen 0.085
set rmargin at screen 0.48
set label 3 "From the launch to the first kernel" at screen 0.085, screen 0.86 left
set label 1 sprintf("claimed: starts at least %g times sooner than a host launch; a loop on the device is faster from %g kernels\n(%s)", claim("gain"), claim("even"), claim_source("gain")) at screen 0.02, screen 0.055 @grey
plot rows("host") using 1:($3 / claim("gain")) with lines linecolor rgb "#cfcfcf" linewidth 5 title sprintf("claimed: %g times sooner" . (exists("half") ? "" : " than a host launch"), claim("gain")), \
     rows("host") using 1:3:4:5 with yerrorlines linestyle 7 title "host launch, waits", \
     rows("tail") using 1:3:4:5 with yerrorlines linestyle 5 title "tail launch", \
     rows("fire") using 1:3:4:5 with yerrorlines linestyle 3 title "fire-and-forget launch", \
     rows("wide.fire") using 1:3:4:5 with yerrorlines linestyle 6 title "fire-and-forget, maximum width"
unset label 999
unset label 1
unset ylabel
set lmargin at screen 0.57
set rmargin at screen 0.965
set label 3 "A loop of launches: one iteration" at screen 0.57, screen 0.86 left
set arrow 1 from claim("even"), graph 0 to claim("even"), first 45 nohead linestyle 10
set label 2 "claimed:\nfaster from here" at claim("even"), first 75 center @grey
plot rows("loop.host_waits") using 1:3:4:5 with yerrorlines linestyle 2 title "host, waits in each iteration", \
     rows("loop.host") using 1:3:4:5 with yerrorlines linestyle 4 title "host, waits once in the end", \
     rows("loop.itself") using 1:3:4:5 with yerrorlines linestyle 1 title "self relaunch"
unset multiplot

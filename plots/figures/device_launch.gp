# Graphs launched by kernels: how soon they begin, and what a loop of them takes.
# needs: fire tail host wide.fire loop.itself loop.host loop.host_waits
# height: 620
n = last_x("fire")
fired(compared) = number(awk_of(csv, sprintf("$2 ~ /fire$/ && (!n++ || $3 %s m) { m = $3 } END { print m }", compared)))
soonest = fired("<")
latest = fired(">")
set label 999 title2(sprintf("Launched by a kernel a graph begins after %s µs, by the host after %s", \
    say(soonest) eq say(latest) ? say(latest) : say(soonest) . " to " . say(latest), say(med("host", 1))), \
    sprintf("a loop of 1 kernel takes %s µs by itself, %s µs if the host waits, %s µs if not", say(med("loop.itself", 1)), say(med("loop.host_waits", 1)), say(med("loop.host", 1)))) \
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
set label 2 "said: ahead from here" at claim("even"), first 270 center @grey
set label 1 sprintf("said: begins at least %g times sooner than by the host (%s);\na loop on the device is ahead of the host from %g kernels (%s)", claim("gain"), claim_source("gain"), claim("even"), claim_source("even")) at screen 0.02, screen 0.055 @grey
set bmargin 7
plot rows("host") using 1:($3 / claim("gain")) with lines linecolor rgb "#cfcfcf" linewidth 5 title sprintf("said: begins %g times sooner", claim("gain")), \
     rows("loop.host_waits") using 1:3:4:5 with yerrorlines linestyle 2 title "loop: host, waits each time", \
     rows("loop.host") using 1:3:4:5 with yerrorlines linestyle 4 title "loop: host, straight on", \
     rows("loop.itself") using 1:3:4:5 with yerrorlines linestyle 1 title "loop: launches itself", \
     rows("host") using 1:3:4:5 with yerrorlines linestyle 7 title "begin: by the host", \
     rows("tail") using 1:3:4:5 with yerrorlines linestyle 5 title "begin: tail", \
     rows("fire") using 1:3:4:5 with yerrorlines linestyle 3 title "begin: fire and forget", \
     rows("wide.fire") using 1:3:4:5 with yerrorlines linestyle 6 title "begin: the same, as wide as can be"

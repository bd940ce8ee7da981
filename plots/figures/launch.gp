# The cost of a launch per node of a chain of empty kernels: on the host, and round trip.
# needs: stream.host stream.total stream.device relaunch.host relaunch.total relaunch.device
n = last_x("relaunch.host")
set label 999 title(sprintf("%.0f kernels cost the host %s µs, as a graph %s µs", n, say(med("stream.host", n)), say(med("relaunch.host", n)))) \
    at screen 0.5, screen 0.965 center font big
set logscale xy
set xlabel "kernels in the chain"
set ylabel "time per kernel (µs)"
set xrange [0.9 : n * 1.1]
set xtics ()
do for [i = 0 : 10] { set xtics add (sprintf("%d", 2 ** i) 2 ** i) }
set yrange [0.001 : 30]
set format y "%g"
set key bottom left
set rmargin 27
array claims[5] = ["stream_host", "stream_device", "graph_device", "graph_host", "stream_often"]
array words[5] = ["host, stream", "device, stream", "device, graph", "host, graph", "per launch (*)"]
array up[5] = [0.35, -0.35, 0, 0, 0]
do for [i = 1 : 5] {
    set object i rectangle from graph 0, first claim(claims[i]) to graph 1, first claim_high(claims[i]) fillcolor rgb "#e4e4e4" fillstyle solid 1 border rgb "#b0b0b0" behind
    if (claim(claims[i]) == claim_high(claims[i])) { set arrow i from graph 0, first claim(claims[i]) to graph 1, first claim(claims[i]) nohead back linecolor rgb "#b0b0b0" linewidth 1.5 }
    set label i sprintf("claimed: %g%s %s", claim(claims[i]), claim_high(claims[i]) > claim(claims[i]) ? sprintf(" to %g", claim_high(claims[i])) : "", words[i]) at graph 1.01, first sqrt(claim(claims[i]) * claim_high(claims[i])) offset 0, up[i] @grey
}
set label 6 claimed_by(claim_source("stream_host") . " (device, graph: first launch and relaunch); (*) " . claim_source("stream_often")) at screen 0.02, screen 0.035 @grey
set bmargin 5.5
plot rows("stream.total") using 1:($3/$1):($4/$1):($5/$1) with yerrorlines linestyle 2 title "stream launches, round trip", \
     rows("stream.host") using 1:($3/$1):($4/$1):($5/$1) with yerrorlines linestyle 4 title "stream launches, host", \
     rows("stream.device") using 1:($3/$1):($4/$1):($5/$1) with yerrorlines linestyle 8 title "stream launches, device", \
     rows("relaunch.total") using 1:($3/$1):($4/$1):($5/$1) with yerrorlines linestyle 1 title "graph, round trip", \
     rows("relaunch.device") using 1:($3/$1):($4/$1):($5/$1) with yerrorlines linestyle 6 title "graph, device", \
     rows("relaunch.host") using 1:($3/$1):($4/$1):($5/$1) with yerrorlines linestyle 9 title "graph, host"

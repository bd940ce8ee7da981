# What a launch costs for each node of a chain of empty kernels: on the host, and until all is done.
# needs: stream.host stream.total stream.device first.host relaunch.host relaunch.total relaunch.device
# height: 600
n = last_x("relaunch.host")
m = last_x("stream.device")
set label 999 title2(sprintf("%.0f kernels cost the host %s µs by stream, %s µs as a graph", n, say(med("stream.host", n)), \
    say(med("relaunch.host", n))), sprintf("on the device each takes %s µs by stream, %s µs in a graph", \
    say(med("stream.device", m) / m), say(med("relaunch.device", m) / m))) at screen 0.5, screen 0.965 center font big
set logscale xy
set xlabel "kernels in the chain"
set ylabel "time for each kernel (µs)"
set xrange [0.9 : n * 1.1]
set xtics ()
do for [i = 0 : 10] { set xtics add (sprintf("%d", 2 ** i) 2 ** i) }
set yrange [0.001 : 30]
set format y "%g"
set key bottom left
set rmargin 27
array said[5] = ["stream_host", "stream_device", "graph_device", "graph_host", "stream_often"]
array words[5] = ["host, stream", "device, stream", "device, graph", "host, graph", "a launch (*)"]
array up[5] = [0.35, -0.35, 0, 0, 0]
do for [i = 1 : 5] {
    set object i rectangle from graph 0, first claim(said[i]) to graph 1, first claim_high(said[i]) fillcolor rgb "#e4e4e4" fillstyle solid 1 border rgb "#b0b0b0" behind
    if (claim(said[i]) == claim_high(said[i])) { set arrow i from graph 0, first claim(said[i]) to graph 1, first claim(said[i]) nohead back linecolor rgb "#b0b0b0" linewidth 1.5 }
    set label i sprintf("said: %g%s %s", claim(said[i]), claim_high(said[i]) > claim(said[i]) ? sprintf(" to %g", claim_high(said[i])) : "", words[i]) at graph 1.01, first sqrt(claim(said[i]) * claim_high(said[i])) offset 0, up[i] @grey
}
set label 6 "said by " . claim_source("stream_host") . "; (*) " . claim_source("stream_often") at screen 0.02, screen 0.035 @grey
set bmargin 5.5
plot rows("stream.total") using 1:($3/$1):($4/$1):($5/$1) with yerrorlines linestyle 2 title "stream, until done", \
     rows("stream.host") using 1:($3/$1):($4/$1):($5/$1) with yerrorlines linestyle 4 title "stream, host", \
     rows("stream.device") using 1:($3/$1):($4/$1):($5/$1) with yerrorlines linestyle 7 title "stream, device", \
     rows("first.host") using 1:($3/$1):($4/$1):($5/$1) with yerrorlines linestyle 5 title "graph first time, host", \
     rows("relaunch.total") using 1:($3/$1):($4/$1):($5/$1) with yerrorlines linestyle 1 title "graph again, until done", \
     rows("relaunch.device") using 1:($3/$1):($4/$1):($5/$1) with yerrorlines linestyle 6 title "graph again, device", \
     rows("relaunch.host") using 1:($3/$1):($4/$1):($5/$1) with yerrorlines linestyle 3 title "graph again, host"

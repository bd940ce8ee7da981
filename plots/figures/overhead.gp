# Three kernels of 2 us: the share of overhead.
# needs: stream.total graph.total stream.events graph.events nothing.events
us = first_x("stream.total")
work = 3 * us
array what[4] = ["stream.total", "graph.total", "stream.device", "graph.device"]
array words[4] = ["stream,\nround trip", "graph,\nround trip", "stream,\ndevice only", "graph,\ndevice only"]
bar(v, f) = v[strlen(v) - 5 : *] eq "device" ? number(cell(csv, v[1 : strlen(v) - 7] . ".events", us, f)) - med("nothing.events", us) : number(cell(csv, v, us, f))
overhead(v) = 100 * (1 - work / bar(v, 3))
$bars << EOD
EOD
set print $bars
do for [i = 1 : 4] {
    print sprintf("%d,%g,%g,%g,%g,%s", i, bar(what[i], 3), bar(what[i], 4), bar(what[i], 5), overhead(what[i]), has_claim(what[i]) ? claim_field(what[i], 3) : "-")
}
unset print
saved = 100 * (1 - bar("graph.total", 3) / bar("stream.total", 3))
set label 999 title(sprintf("Overhead of three short kernels: %.0f %% (stream), %.0f %% (graph)", overhead("stream.total"), overhead("graph.total"))) \
    at screen 0.5, screen 0.965 center font big
set xrange [0.4 : 4.6]
set yrange [0 : 1.2 * bar("stream.total", 5)]
set ylabel "time (µs)"
set xlabel "launch method, and the time that is counted" offset 0, -1
set xtics ()
do for [i = 1 : 4] { set xtics add (words[i] i) }
set boxwidth 0.55
set key top right
set bmargin 6.5
set label 1 claimed_by(claim_source("saved")) at screen 0.02, screen 0.035 @grey
plot $bars using 1:2:3:4:(0.55) with boxerrorbars fillcolor rgb shade[3] title "overhead; thin line: p5 to p95", \
     $bars using 1:(work) with boxes fillcolor rgb shade[1] title sprintf("the kernels: 3 x %g µs", us), \
     $bars using 1:4:(sprintf(strcol(6) eq "-" ? "\n%.0f %% overhead" : "%.0f %% overhead\nclaimed: %s %%", $5, strcol(6))) with labels offset 0, 1.8 notitle

# The distribution of the time of one and the same work: how late the late ones are. Jitter is what is between 50 % and 99 %.
# needs: stream.5 stream.20 stream.100 graph.5 graph.20 graph.100
jitter(v) = med(v, 99) - med(v, 50)
gain(n) = med(sprintf("stream.%d", n), 50) / med(sprintf("graph.%d", n), 50)
set label 999 title(sprintf("Graph of 20 kernels: %.1fx as fast", gain(20)) . \
    (jitter("stream.20") > 0 && jitter("graph.20") > 0 ? sprintf(", %.0fx less jitter", jitter("stream.20") / jitter("graph.20")) : "")) \
    at screen 0.5, screen 0.965 center font big
# the tail is what matters: 90 %, 99 % and 99.9 % are one step apart each
up(p) = -log10(1 - p / 100.0)
set logscale x
set xlabel "time until complete (µs)"
set ylabel "percentile of launches (%)"
set xrange [0.8 * p5("graph.5", 1) : 1.25 * p95("stream.100", 99.9)]
set xtics ()
do for [t in "1 2 5 10 20 50 100 200 500 1000 2000 5000"] { set xtics add (t real(t)) }
set yrange [0 : 3.15]
set ytics ()
do for [p in "10 50 90 95 99 99.5 99.9"] { set ytics add (p up(real(p))) }
set rmargin at screen 0.74
set key at screen 0.75, screen 0.78 left top spacing 2.4
spread(v) = sprintf("\n50 %% to 99 %%: %s µs", say(jitter(v)))
set label 1 sprintf("claimed: latency %g to %g, jitter %g to %g times less: %s", claim("latency"), claim_high("latency"), claim("jitter"), claim_high("jitter"), claim_source("latency")) at screen 0.02, screen 0.035 @grey
set bmargin 6
plot rows("graph.5") using 3:(up($1)):4:5 with xerrorlines linestyle 6 title "5 kernels, graph" . spread("graph.5"), \
     rows("stream.5") using 3:(up($1)):4:5 with xerrorlines linestyle 4 title "5 kernels, stream" . spread("stream.5"), \
     rows("graph.20") using 3:(up($1)):4:5 with xerrorlines linestyle 1 title "20 kernels, graph" . spread("graph.20"), \
     rows("stream.20") using 3:(up($1)):4:5 with xerrorlines linestyle 2 title "20 kernels, stream" . spread("stream.20"), \
     rows("graph.100") using 3:(up($1)):4:5 with xerrorlines linestyle 9 title "100 kernels, graph" . spread("graph.100"), \
     rows("stream.100") using 3:(up($1)):4:5 with xerrorlines linestyle 8 title "100 kernels, stream" . spread("stream.100")

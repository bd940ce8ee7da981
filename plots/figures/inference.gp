# A small convolutional network, batch by batch, with and without a graph.
# needs: stream graph kernels
n = last_x("stream")
less(x) = 100 * (1 - med("graph", x) / med("stream", x))
gain(x) = sprintf("%.0f %% %s", abs(less(x)), less(x) > 0 ? "less" : "more")
worst = n
do for [i = 0 : 10] { if (2 ** i < n && has("graph", 2 ** i) && less(2 ** i) < less(worst)) { worst = 2 ** i } }
set label 999 title(sprintf("Graph time: %s (1 image), %s (%.0f images)", gain(1), gain(worst), worst)) \
    at screen 0.5, screen 0.965 center font big
set logscale x 2
set xlabel "images in the batch"
set ylabel "time of an inference, copies included (µs)"
set xrange [0.85 : n * 1.2]
set yrange [0 : *]
set key top left
band = sprintf("< awk -F, '$2 == \"stream\" { print $1 \",\" $3 * (1 - %g / 100) \",\" $3 * (1 - %g / 100) }' '%s'", claim_high("less"), claim("less"), csv)
set label 1 claimed_by(claim_source("less")) at screen 0.02, screen 0.035 @grey
set bmargin 6
plot band using 1:2:3 with filledcurves fillcolor rgb "#e4e4e4" fillstyle solid 1 noborder title sprintf("claimed: %g to %g %% less than with stream launches", claim("less"), claim_high("less")), \
     rows("stream") using 1:3:4:5 with yerrorlines linestyle 2 title "stream launches", \
     rows("graph") using 1:3:4:5 with yerrorlines linestyle 1 title "graph launch", \
     rows("kernels") using 1:3:4:5 with yerrorlines linestyle 3 title "the seven kernels only, on the device"

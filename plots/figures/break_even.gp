# After how many launches a graph has cost less than the same kernels with stream launches.
# needs: stream capture instantiate first later
# launches k from which on made + first + (k - 1) x later <= k x stream
even(x) = ceil((med("capture", x) + med("instantiate", x) + med("first", x) - med("later", x)) / (med("stream", x) - med("later", x)))
n = last_x("stream")
from = first_x("stream")
set label 999 title(sprintf("A graph pays from launch %d (%.0f kernel%s) or %d (%.0f kernels)", even(from), from, from == 1 ? "" : "s", even(n), n)) \
    at screen 0.5, screen 0.965 center font big
set logscale x 2
set xlabel "kernels in the chain"
set ylabel "launch from which a graph pays"
set xrange [from * 0.7 : n * 1.4]
set yrange [0 : 12]
set ytics 1
set key top right
$even << EOD
EOD
set print $even
do for [i = 0 : 20] {
    x = 2 ** i
    if (x <= n && has("stream", x)) {
        # the median of each part at its worst and at its best for the graph
        least = ceil((p5("capture", x) + p5("instantiate", x) + p5("first", x) - med("later", x)) / (p95("stream", x) - med("later", x)))
        most = ceil((p95("capture", x) + p95("instantiate", x) + p95("first", x) - med("later", x)) / (p5("stream", x) - med("later", x)))
        print sprintf("%g,%g,%g,%g,%s", x, even(x), least, most, has_claim(sprintf("nodes_%d", x)) ? claim_field(sprintf("nodes_%d", x), 3) : "-")
    }
}
unset print
set label 1 claimed_by(claim_source("nodes_1")) at screen 0.02, screen 0.035 @grey
set bmargin 5.8
plot $even using 1:2:3:4:($1 * 0.35) with boxerrorbars fillcolor rgb single title (simulated ? "simulated" : "measured; thin line: p5 to p95 of all parts"), \
     $even using 1:2:(sprintf("%d", $2)) with labels offset 2.2, 0.7 notitle, \
     $even using 1:(strcol(5) ne "-" ? $5 : NaN) with linespoints linestyle 10 title "claimed"

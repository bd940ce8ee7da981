# A graph that changes from launch to launch: each way to do it, against the same kernels with stream launches.
# needs: stream instantiate update set_all set_one toggle_one relaunch
array ways[6] = ["instantiate", "update", "set_all", "toggle_one", "set_one", "relaunch"]
array words[6] = ["capture and\nre-instantiate", "capture and\nExecUpdate", "SetParams,\nall nodes", "one node\nenabled or not", "SetParams,\none node", "no change:\nrelaunch"]
from = first_x("stream")
n = last_x("stream")
gain(v, x) = med("stream", x) / med(v, x)
set label 999 title(sprintf("%.0f kernels: updating a graph is %.1fx as fast as stream launches", n, gain("update", n))) \
    at screen 0.5, screen 0.965 center font big
set ylabel "speedup over stream launches"
set xlabel "change before each launch" offset 0, -1
set xrange [0.5 : 6.5]
set yrange [0 : *]
set xtics ()
do for [i = 1 : 6] { set xtics add (words[i] i) }
set bmargin 6.5
width = 0.24
array sizes[3]
m = 0
do for [x in system(sprintf("awk -F, '$2 == \"stream\" { print $1 }' '%s'", csv))] { m = m + 1; sizes[m] = real(x) }
$bars << EOD
EOD
set print $bars
do for [k = 1 : m] {
    do for [i = 1 : 6] {
        x = sizes[k]
        print sprintf("%d,%g,%g,%g,%g", k, i + (k - (m + 1) / 2.0) * 0.26, gain(ways[i], x), med("stream", x) / p95(ways[i], x), med("stream", x) / p5(ways[i], x))
    }
}
unset print
set arrow 1 from 0.5, 1 to 6.5, 1 nohead linecolor rgb "#222222" linewidth 1.5 front
do for [i = 1 : 6] {
    if (has_claim(ways[i])) {
        set arrow 1 + i from i - 0.45, claim(ways[i]) to i + 0.45, claim(ways[i]) nohead linestyle 10 front
        set label 1 + i sprintf("claimed: %s%g", i == 1 ? "at most " : "up to ", claim(ways[i])) at i, claim(ways[i]) center offset 0, 0.75 @grey boxed
    }
}
set label 1 claimed_by(claim_source("update")) at screen 0.02, screen 0.035 @grey
plot for [k = 1 : m] $bars using ($1 == k ? $2 : NaN):3:4:5:(width) with boxerrorbars fillcolor rgb shade[k == 3 ? 4 : 2 * k - 1] title sprintf("%.0f kernels", sizes[k])

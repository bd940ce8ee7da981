# The times of a class in one lab, a dot for each submission and timed check: as multiples of the reference's time, and of
# the limit of the hardware, sorted. Data: times.jq.
# height: 563
checks = header("checks")
n = words(checks)
has_limit = strlen(awk_of(csv, "$2 == \"limit\" { print; exit }")) > 0
set label 999 title(header("finding")) at screen 0.5, screen 0.965 center font big
set ylabel "ratio (logarithmic)"
set xlabel "timed check; submissions that have a time; their median" . (has_limit ? "s" : "") offset 0, -1
stats csv using (stringcolumn(2) eq "allowed" ? NaN : $3) every ::1 nooutput
set logscale y 2
set format y "%g"
set xrange [0.5 : n + 0.5]
set yrange [0.8 * (STATS_min < 0.9 ? STATS_min : 1) : 1.25 * (STATS_max > 2 ? STATS_max : 2)]
set xtics () noenhanced
do for [i = 1 : n] { set xtics add (word(checks, i) . "\n" . header(word(checks, i)) i) }
set tmargin 6.2
set bmargin 5.5
set key at graph 0.5, graph 1.09 center horizontal maxrows 1
set arrow 1 from 0.5, 1 to n + 0.5, 1 nohead linecolor rgb "#222222" linewidth 1.5 back
plot rows("reference") using 1:3 with points linestyle 1 title "time / time of the reference", \
     for [v in (has_limit ? "limit" : "")] rows(v) using 1:3 with points linestyle 4 title "time / limit of the hardware", \
     rows("allowed") using 1:3:(0.18) with xerrorbars linestyle 2 pointtype 0 linewidth 3 title "largest that passes"

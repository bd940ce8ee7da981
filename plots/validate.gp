# The simulated device against a measured one: every row of the figures, simulated / measured.
# the median of how far the rows are off that awk chooses by `which`, in percent
middle(which) = number(system(sprintf("awk -F, '/^[0-9]/ && %s { r = $3 > 1 ? $3 - 1 : 1 - $3; print r }' '%s' | sort -g | awk '{ v[NR] = $1 } END { print 100 * (NR %% 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2) }'", which, csv)))
figures = system(sprintf("awk -F, '/^[0-9]/ && !seen[$2]++ { printf \"%%s \", $2 }' '%s'", csv))
n = words(figures)
one(i) = sprintf("$2 == \"%s\"", word(figures, i))
# how many it has; a function would count them again for each point
array count[n]
do for [i = 1 : n] { count[i] = number(awk_of(csv, one(i) . " { n++ } END { print n }")) }
# its rows, the shortest time first
sorted(i) = sprintf("< awk -F, '%s' '%s' | sort -t, -g -k1,1", one(i), csv)
set label 999 title(sprintf("Half of all simulated times are within %.1f %% of measured times", middle("1"))) \
    at screen 0.5, screen 0.965 center font big
set logscale y
set xlabel "figure and its median deviation; in each, times grow from left to right" offset 0, -0.6
set ylabel "simulated / measured"
set xrange [0.4 : n + 0.6]
set yrange [0.3 : 2.5]
set ytics ("0.3 or less" 0.31, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2)
set xtics () rotate by 35 right noenhanced
do for [i = 1 : n] { set xtics add (sprintf("%s  %.1f %%%%", word(figures, i), middle(one(i))) i) }
set bmargin 10
set object 1 rectangle from graph 0, first 0.75 to graph 1, first 1.25 fillcolor rgb "#f2f2f2" fillstyle solid 1 noborder behind
set object 2 rectangle from graph 0, first 0.9 to graph 1, first 1.1 fillcolor rgb "#e0e0e0" fillstyle solid 1 noborder behind
set label 1 "within\n10 %" at graph 1.006, first 1.03 @grey
set label 2 "within\n25 %" at graph 1.006, first 1.25 @grey
set rmargin 8
floor_at(y) = y > 0.31 ? y : 0.31
plot 1 with lines linecolor rgb "#222222" linewidth 1 notitle, \
     for [i = 1 : n] sorted(i) using (i + 0.76 * (($0 + 0.5) / count[i] - 0.5)):(floor_at($3)):(floor_at($4)):5 with yerrorbars linewidth 0.5 \
         linecolor rgb (i % 2 ? "#0072b2" : "#c8501a") pointtype (i % 2 ? 7 : 5) pointsize 0.5 notitle

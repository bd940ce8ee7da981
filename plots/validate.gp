# The simulated device against a measured one: every row of the figures, simulated / measured.
# height: 620
share(limit) = number(awk_of(csv, sprintf("/^[0-9]/ { n++; r = $3 > 1 ? $3 - 1 : 1 - $3; k += r <= %g } END { print 100 * k / n }", limit)))
middle = number(system(sprintf("awk -F, '/^[0-9]/ { r = $3 > 1 ? $3 - 1 : 1 - $3; print r }' '%s' | sort -g | awk '{ v[NR] = $1 } END { print 100 * (NR %% 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2) }'", csv)))
figures = system(sprintf("awk -F, '/^[0-9]/ && !seen[$2]++ { printf \"%%s \", $2 }' '%s'", csv))
set label 999 title2(sprintf("The simulated device: half of all times within %.1f %% of the measured ones,", middle), \
    sprintf("%.0f %% within 10 %%, %.0f %% within 25 %%", share(0.10), share(0.25))) at screen 0.5, screen 0.965 center font big
set logscale xy
set xlabel "measured (µs; GB/s)"
set ylabel "simulated / measured"
set xrange [0.4 : *]
set yrange [0.3 : 2.5]
set ytics ("0.3 or less" 0.31, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2)
set format x "%g"
set key outside right center
set rmargin -1
set object 1 rectangle from graph 0, first 0.75 to graph 1, first 1.25 fillcolor rgb "#f0f0f0" fillstyle solid 1 noborder behind
set object 2 rectangle from graph 0, first 0.9 to graph 1, first 1.1 fillcolor rgb "#dcdcdc" fillstyle solid 1 noborder behind
array points[8] = [7, 5, 9, 13, 11, 4, 6, 8]
array colours[8] = ["#0072b2", "#d55e00", "#009e73", "#e69f00", "#7b3f8c", "#56b4e9", "#333333", "#a0522d"]
plot 1 with lines linecolor rgb "#222222" linewidth 1 notitle, \
     for [i = 1 : words(figures)] rows(word(figures, i)) using 1:($3 > 0.31 ? $3 : 0.31):($4 > 0.31 ? $4 : 0.31):5 with yerrorbars linewidth 0.6 \
         linecolor rgb colours[(i - 1) % 8 + 1] pointtype points[(i + (i - 1) / 8 - 1) % 8 + 1] pointsize 0.8 title word(figures, i)

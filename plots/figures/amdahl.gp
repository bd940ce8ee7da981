# What a program gains when a part of it becomes a graph.
# needs: stream graph
gain(x) = med("stream", x) / med("graph", x)
all = gain(100)
law(f) = 1 / (1 - f / 100.0 + f / 100.0 / all)
set label 999 title(sprintf("A graph for 30 %% of a program: %.2fx as fast", gain(30))) \
    at screen 0.5, screen 0.965 center font big
set xlabel "part of the program's time that can be a graph (%)"
set ylabel "speedup over stream launches"
set xrange [0 : 103]
set yrange [0.9 : *]
set key bottom right
set object 1 rectangle from first claim("part"), graph 0 to first claim_high("part"), graph 1 fillcolor rgb "#eeeeee" fillstyle solid 1 noborder behind
set label 1 sprintf("claimed: %g to %g %% can be a graph, a small gain\n(%s)", claim("part"), claim_high("part"), claim_source("part")) at first claim_high("part") + 1, graph 0.75 @grey
plot law(x) with lines linestyle 10 title sprintf("Amdahl's law: 1 / (1 - f + f / %.2f)", all), \
     sprintf("< awk -F, '$2 == \"stream\" { s[$1] = $3; l[$1] = $4; h[$1] = $5 } $2 == \"graph\" { print $1 \",\" s[$1] / $3 \",\" l[$1] / $5 \",\" h[$1] / $4 }' '%s'", csv) \
     using 1:2:3:4 with yerrorbars linestyle 1 title (simulated ? "simulated" : "measured; from p5 to p95 of both")

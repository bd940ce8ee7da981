# The first launch of a graph also uploads it; cudaGraphUpload does that beforehand.
# needs: first second later uploaded upload cold.none cold.small cold.large
n = 128
set label 999 title(sprintf("First launch of %.0f kernels: %.1fx as long as later ones", n, med("first", n) / med("later", n))) \
    at screen 0.5, screen 0.965 center font big
set logscale xy
set xlabel "kernels in the chain"
set ylabel "time until complete (µs)"
set xrange [0.8 : 1300]
set xtics ()
do for [i = 0 : 10] { set xtics add (sprintf("%d", 2 ** i) 2 ** i) }
# launches after the first lie upon each other: their points are one around the other
set key top left
plot rows("first") using 1:3:4:5 with yerrorlines linestyle 9 title "first launch", \
     rows("upload") using 1:3:4:5 with yerrorlines linestyle 5 title "cudaGraphUpload alone", \
     rows("uploaded") using 1:3:4:5 with yerrorlines linestyle 6 pointtype 8 pointsize 2.2 title "first launch after an upload", \
     rows("second") using 1:3:4:5 with yerrorlines linestyle 6 pointtype 12 pointsize 3 title "second launch", \
     rows("later") using 1:3:4:5 with yerrorlines linestyle 1 title "third launch", \
     rows("cold.none") using 1:3:4:5 with yerrorbars linestyle 7 title "first launch of a process", \
     rows("cold.small") using ($1*1.12):3:4:5 with yerrorbars linestyle 7 pointtype 8 title "first of a process, after a graph of 1", \
     rows("cold.large") using ($1*0.89):3:4:5 with yerrorbars linestyle 7 pointtype 10 title "first of a process, after a graph of 1024"

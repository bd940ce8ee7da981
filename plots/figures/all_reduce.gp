# An all-reduce by message size: in one shot, in two, and the limit of a device's link.
# needs: one_shot two_shot limit devices
# devices: 4
n = last_x("limit")
set label 999 title(sprintf("%.0f devices: two-shot reaches %.0f %% of the link's limit at %.0f MiB", med("devices", n), 100 * med("limit", n) / med("two_shot", n), n / 2**20)) \
    at screen 0.5, screen 0.965 center font big
set logscale x 2
set logscale y 10
set xlabel "message"
set ylabel "time of an all-reduce (µs)"
set xrange [3000 : 9e7]
set yrange [1 : 1000]
set xtics ("4 KiB" 4096, "16 KiB" 16384, "64 KiB" 65536, "256 KiB" 262144, "1 MiB" 2**20, "4 MiB" 2**22, "16 MiB" 2**24, "64 MiB" 2**26)
plot rows("one_shot") using 1:3:4:5 with yerrorlines linestyle 1 title "one-shot", \
     rows("two_shot") using 1:3:4:5 with yerrorlines linestyle 9 title "two-shot", \
     rows("limit") using 1:3 with lines linestyle 7 title "the bytes of two-shot on the link"

# Copies from pinned and from pageable memory.
# needs: pinned.h2d pinned.d2h pageable.h2d pageable.d2h pinned.both pinned.h2d.call pageable.h2d.call
n = last_x("pinned.h2d")
set label 999 title(sprintf("Pinned copies to the device reach %.1fx the bandwidth of pageable copies", med("pinned.h2d", n) / med("pageable.h2d", n))) \
    at screen 0.5, screen 0.965 center font big
set logscale x 2
set xlabel "size of the copy"
set ylabel "bandwidth (GB/s)"
set xrange [3000 : 9e7]
set xtics ("4 KiB" 4096, "16 KiB" 16384, "64 KiB" 65536, "256 KiB" 262144, "1 MiB" 2**20, "4 MiB" 2**22, "16 MiB" 2**24, "64 MiB" 2**26)
set yrange [0 : 65]
plot rows("pinned.h2d") using 1:3:4:5 with yerrorlines linestyle 1 title "pinned, host to device", \
     rows("pinned.d2h") using 1:3:4:5 with yerrorlines linestyle 3 title "pinned, device to host", \
     rows("pinned.both") using 1:3:4:5 with yerrorlines linestyle 5 title "pinned, both directions concurrently, each", \
     rows("pageable.h2d") using 1:3:4:5 with yerrorlines linestyle 2 title "pageable, host to device", \
     rows("pageable.d2h") using 1:3:4:5 with yerrorlines linestyle 4 title "pageable, device to host"

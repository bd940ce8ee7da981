# Copies from pinned and from pageable memory.
# needs: pinned.h2d pinned.d2h pageable.h2d pageable.d2h pinned.both pinned.h2d.call pageable.h2d.call
n = last_x("pinned.h2d")
set label 999 title2(sprintf("%.0f MiB: %s GB/s to the device from pinned memory, %s from pageable", n / 2 ** 20, say(med("pinned.h2d", n)), say(med("pageable.h2d", n))), \
    sprintf("the call keeps the host for %.0f %% of the copy from pageable memory, %.0f %% from pinned", med("pageable.h2d.call", n), med("pinned.h2d.call", n))) at screen 0.5, screen 0.965 center font big
set logscale x 2
set xlabel "bytes of the copy"
set ylabel "rate until the copy is done (GB/s)"
set xrange [3000 : 9e7]
set xtics ("4 KiB" 4096, "16 KiB" 16384, "64 KiB" 65536, "256 KiB" 262144, "1 MiB" 2**20, "4 MiB" 2**22, "16 MiB" 2**24, "64 MiB" 2**26)
set yrange [0 : 65]
plot rows("pinned.h2d") using 1:3:4:5 with yerrorlines linestyle 1 title "pinned, host to device", \
     rows("pinned.d2h") using 1:3:4:5 with yerrorlines linestyle 3 title "pinned, device to host", \
     rows("pinned.both") using 1:3:4:5 with yerrorlines linestyle 5 title "pinned, both at once, each", \
     rows("pageable.h2d") using 1:3:4:5 with yerrorlines linestyle 2 title "pageable, host to device", \
     rows("pageable.d2h") using 1:3:4:5 with yerrorlines linestyle 4 title "pageable, device to host"

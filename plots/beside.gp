# beside.gp: the same figure of two devices in one picture, for a slide.
#
#     gnuplot -e 'left="build/plots/beside/A/launch.png"; right="build/plots/beside/B/launch.png"; out="build/plots/beside/launch.png"' plots/beside.gp
#
# The two are drawn for half a slide each: scaled down, their words would be too small to read.

if (!exists("left") || !exists("right") || !exists("out")) { exit error "left, right and out name the two pictures and the new one" }

set terminal pngcairo size 1920, 1080 background rgb "white"
set output out
unset border
unset tics
unset key
set margins 0, 0, 0, 0
set xrange [0 : 959]
set yrange [0 : 1079]
set multiplot layout 1, 2
plot left binary filetype=png with rgbimage
plot right binary filetype=png with rgbimage
unset multiplot

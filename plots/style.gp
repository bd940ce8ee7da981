# style.gp: how every figure looks, and what its script may ask of the data.
#
# draw.gp sets csv (the figure's file) and figure (its name) and loads this once a picture.
#
#   rows(v)          for plot: the rows of variant v; columns 1 x, 3 median, 4 p5, 5 p95
#   med(v, x)        the median of variant v at x; p5(v, x) and p95(v, x) likewise
#   has(v, x)        whether there is such a row
#   first_x(v), last_x(v)   smallest and greatest x of v
#   of(file, v, x)   the median in another figure's file of the same folder
#   claim(key), claim_high(key), claim_source(key), has_claim(key)    from claims.tsv
#   say(x)           a number as text: at most three digits
#   @grey            for a label about a claim:
#                    set label 1 claimed_by(claim_source(key)) at screen 0.02, screen 0.035 @grey
#   title(line)      the finding in at most twelve words, and below it the device, or that it is simulated:
#                    set label 999 title(…) at screen 0.5, screen 0.965 center font big
#
# Line styles differ in color (Okabe and Ito's set, which color-blind readers can distinguish), in lightness, in dashes and
# in their points. In every figure graphs are blue (1, 6, 9) and work without a graph is red or orange (2, 4, 8). Other
# things are green, purple or gray (3, 5, 7); 10 is a claimed value.

set datafile separator comma
set encoding utf8

set style line 1 linecolor rgb "#0072b2" linewidth 2 dashtype 1 pointtype 7 pointsize 0.9
set style line 2 linecolor rgb "#d55e00" linewidth 2 dashtype 1 pointtype 5 pointsize 0.9
set style line 3 linecolor rgb "#009e73" linewidth 2 dashtype (12,4) pointtype 9 pointsize 1.1
set style line 4 linecolor rgb "#e69f00" linewidth 2 dashtype (6,3) pointtype 13 pointsize 1.2
set style line 5 linecolor rgb "#7b3f8c" linewidth 2 dashtype (2,2) pointtype 11 pointsize 1.1
set style line 6 linecolor rgb "#56b4e9" linewidth 2 dashtype (10,3,2,3) pointtype 4 pointsize 1.1
set style line 7 linecolor rgb "#333333" linewidth 2 dashtype (4,2,1,2) pointtype 6 pointsize 1.0
set style line 8 linecolor rgb "#8f3a00" linewidth 2 dashtype (2,2) pointtype 11 pointsize 1.1
set style line 9 linecolor rgb "#003f66" linewidth 2 dashtype (12,4) pointtype 9 pointsize 1.1
set style line 10 linecolor rgb "#777777" linewidth 1.5 dashtype (3,3) pointtype 2 pointsize 1.2
# printed without color, boxes differ in lightness
array shade[4] = ["#00487a", "#c8501a", "#eaa93b", "#d9ecf7"]
single = "#7fb2d9" # bars of one kind: light enough for the thin line in them

set border 3 linecolor rgb "#555555"
set tics nomirror out textcolor rgb "#222222"
set grid ytics linecolor rgb "#e2e2e2" linewidth 1 dashtype 1
set key top left reverse Left samplen 2.5 spacing 1.15 noenhanced
set style fill solid 0.9 border rgb "#333333"
set style textbox opaque noborder fillcolor rgb "white" margins 0.6, 0.4
set bars 0.6
set tmargin 4.6
set bmargin 4.2
set rmargin 4

awk_of(file, program) = system(sprintf("awk -F, '%s' '%s'", program, file))
# files are read once: a process for each question would take longer than the picture
table(file) = "\n" . system(sprintf("awk -f plots/table.awk '%s'", file))
table_of_csv = table(csv)
claims_of_figure = "\n" . system(sprintf( \
    "awk -F'\t' '$1 == \"%s\" { print $2 FS $3 FS $4 FS $5 FS $6 FS }' plots/claims.tsv", figure))
# what a text has behind these words, and the field number n of that
behind(text, words) = (at = strstrt(text, words)) ? text[at + strlen(words) : *] : ""
field(text, n) = n > 1 ? field(text[strstrt(text, "\t") + 1 : *], n - 1) : text[1 : strstrt(text, "\t") - 1]
row_of(text, x, v) = behind(text, sprintf("\n%s\t%s\t", x, v))
cell(file, v, x, column) = field(row_of(file eq csv ? table_of_csv : table(file), sprintf("%.10g", x), v), column - 2)
number(text) = strlen(text) ? real(text) : NaN
med(v, x) = number(cell(csv, v, x, 3))
p5(v, x) = number(cell(csv, v, x, 4))
p95(v, x) = number(cell(csv, v, x, 5))
has(v, x) = strlen(cell(csv, v, x, 3)) > 0
of(file, v, x) = number(cell(folder . "/" . file . ".csv", v, x, 3))
first_x(v) = number(field(row_of(table_of_csv, "least", v), 1))
last_x(v) = number(field(row_of(table_of_csv, "greatest", v), 1))
rows(v) = sprintf("< awk -F, '$2 == \"%s\"' '%s'", v, csv)

header(key) = field(behind(table_of_csv, sprintf("\n# %s: ", key)), 1)
claim_field(key, column) = field(behind(claims_of_figure, sprintf("\n%s\t", key)), column - 2)
has_claim(key) = strlen(claim_field(key, 3)) > 0
claim(key) = number(claim_field(key, 3))
claim_high(key) = number(claim_field(key, 4))
claim_source(key) = claim_field(key, 6)

say(x) = x != x ? "?" : abs(x) >= 100 ? sprintf("%.0f", x) : abs(x) >= 10 ? sprintf("%.3g", x) : abs(x) >= 1 ? sprintf("%.2g", x) : sprintf("%.2g", x)

simulated = header("kind") eq "simulated"
head = header("kind") eq "compared" ? \
    "Simulated (virtual time) against measured: " . header("device") . ", driver " . header("driver") . ", CUDA " . header("cuda")[1:4] . ", " . header("date") : \
    simulated ? \
    "SIMULATED " . header("device")[11:*] . ": the course's model of it, in virtual time. Nothing here was measured." : \
    "Measured on an " . header("device") . ", driver " . header("driver") . ", CUDA " . header("cuda")[1:4] . ", " . header("date")

# on half a slide: the line breaks at its last blank before `from`; between the lines is `between`
fold(line, from, between) = !exists("half") || strlen(line) < from || from < 2 ? line : line[from:from] eq " " ? line[1:from - 1] . between . line[from + 1:*] : fold(line, from - 1, between)
# whose claims a figure has, at its lower edge
claimed_by(source) = fold("claimed by " . source, 95, "\n")
# a figure's title: the finding; below it the source of the numbers
title(line) = "{/:Bold " . fold(line, strlen(line) / 2 + 4, "}\n{/:Bold ") . "}\n{/*" . (exists("half") ? "0.6 " : "0.7 ") . head . "}"
small = format eq "svg" ? ",11" : ",9"
grey = sprintf("font '%s' textcolor rgb '#555555' noenhanced front", small)
big = format eq "svg" ? "DejaVu Sans,17" : "DejaVu Sans,14"
if (simulated) {
    ghost = format eq "svg" ? "#ececec" : "#ec000000" # an SVG's letters cannot be transparent
    set label 1000 "SIMULATED" at graph 0.5, 0.5 center rotate by 24 font ",64" textcolor rgb ghost noenhanced back
}

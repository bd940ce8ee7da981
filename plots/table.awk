# table.awk: a figure's CSV file as style.gp looks into it: the lines of the header, the rows, and for each variant a row
# with its smallest and one with its greatest x. A tab ends each field.
BEGIN { FS = "," }
/^#/ { print $0 "\t"; next }
!names { names = $0; next }
{ printf "%.10g\t%s\t%s\t%s\t%s\t\n", $1, $2, $3, $4, $5 }
!($2 in least) || $1 + 0 < least[$2] { least[$2] = $1 + 0 }
!($2 in greatest) || $1 + 0 > greatest[$2] { greatest[$2] = $1 + 0 }
END { for (v in least) printf "least\t%s\t%.10g\t\ngreatest\t%s\t%.10g\t\n", v, least[v], v, greatest[v] }

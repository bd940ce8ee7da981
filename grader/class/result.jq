# result.jq: one grading as class.sh keeps it: whose, of what, on what, and the report of ./grade (null if there is none).
# Then a page, if ./grade made none, and the line that class.sh prints. NUL ends each. Arguments: of each file name, path and SHA-256.
import "page" as page {search: "./"};
($report[0]) as $r |
({
    schema: 1, $student, $id, $lab, $status,
    points: (if $status == "not built" then 0 else $r.points end),
    max_points: $r.max_points,
    message: (if $message == "" then null else $message end),
    notes: ($notes | split("\n") | map(select(. != ""))),
    $key, $seed, $device, $commit, $host,
    slurm: (if $ENV.SLURM_ARRAY_JOB_ID then {job: "\($ENV.SLURM_ARRAY_JOB_ID)_\($ENV.SLURM_ARRAY_TASK_ID)", node: $ENV.SLURMD_NODENAME,
        gpus: $ENV.SLURM_JOB_GPUS} else null end),
    $began,
    seconds: ((($ended | gsub(","; ".") | tonumber) - ($from | gsub(","; ".") | tonumber)) * 1000 | round / 1000),
    files: ($ARGS.positional as $f | [range(0; $f | length; 3) | {name: $f[.], sha256: $f[. + 2]}]), $page,
    report: $r,
    output: (if $r == null then $output[0:20000] else null end)
} | ., "\u0000", page::page, "\u0000", ([.lab, .student, .status, .points // 0, .max_points // 0] | @tsv), "\u0000")

# autolab.jq: the last two lines of an Autolab autograder's output: formatted feedback, and the scores of the problems, which have the
# names of the checks. https://docs.autolabproject.com/features/formatted-feedback/
if length != 1 then error("Autolab has one result for each submission") else .[0] end |
(.report.checks // [{name: "build", status: "fail", points: 0, message: (.message // .status)}]) as $checks |
({_presentation: "semantic", stages: [.lab], (.lab): ($checks | map({(.name): ({passed: (.status == "pass")} +
    (if .status == "pass" then {} else {hint: .message} end))}) | add)} | tojson),
({scores: ($checks | map({(.name): .points}) | add)} | tojson)

/* test_class_marks.c: ./grade class makes marks of points: class.conf, times, marks by hand; and
 * random classes and rules against a model. */
#include <math.h>

#include "class.h"

TestSuite(class_marks, .init = begin_class, .fini = end_class, .timeout = 600);

/* Ben is 25 hours late: two days have begun. Carl is late within the time of grace, Dora has an
   extension. Emil's file claims another time than that at which it was put there. */
Test(class_marks, class_conf_makes_marks_of_points_and_names_the_rule)
{
    class(
        "for n in Anna_1 Ben_2 Carl_3 Dora_4; do mkdir $S/c/${n}_assignsubmission_file_; cp $SOL "
        "$S/c/${n}_assignsubmission_file_/lab.c; done; mkdir $S/c/Emil "
        "$S/c/Fritz; cp $SOL $S/c/Emil; cp $BAD $S/c/Fritz/lab.c; cd $S/c; "
        "touch -d 2026-11-01T12:00Z Anna*/lab.c Emil/lab.c; touch -d 2026-11-03T23:59Z Ben*/lab.c; "
        "touch -d 2026-11-02T23:05Z Carl*/lab.c; touch -d 2026-11-05T00:00Z Dora*/lab.c; cd ~-; "
        "printf '%s\\n' 'timezone Europe/Berlin' 'lab01 due 2026-11-02 23:59 weight 2 # Monday' "
        "'grace 15 minutes' 'late 10 % per day up to 3 days' 'pass 85 %' "
        "'extension  Dora (4)  lab01 2026-11-09 23:59' >$S/c/class.conf; class --labs lab01; s=$?; "
        "cat $S/r/points.csv; grep -o 'within the time of grace\\|10 % less for each of 2 "
        "days\\|(extension)\\|>0, not built<' $S/r/index.html | sort -u; exit $s");
    if (access("/usr/share/zoneinfo/Europe/Berlin", F_OK) != 0) {
        expect_status(2);
        expect_said("apt-get install tzdata");
        return;
    }
    expect_status(0);
    expect_said("\"Anna (1)\",100,");
    expect_said("\"Ben (2)\",80,");
    expect_said("\"Carl (3)\",100,");
    expect_said("\"Dora (4)\",100,");
    expect_said("\"Emil\",0,");
    expect_said(">0, not built<\n");
    expect_said("(extension)\n10 % less for each of 2 days\n");
    expect_said("within the time of grace\n");
}

/* The labs that count are those of class.conf, an unchanged starter is no submission, and a mark by
   hand stands, also where there is no submission. Anna's commit says when she had finished. */
Test(class_marks, marks_count_what_was_handed_in_of_the_labs_of_class_conf)
{
    class(
        "for n in Anna Ben 'Carl  X' Dora Emil; do mkdir -p \"$S/c/$n/lab01\"; done; cp $SOL "
        "$S/c/Anna/lab01/lab.c; cp $BAD \"$S/c/Carl  X/lab01/lab.c\"; cp -r labs $S/c/Ben; sed "
        "'s/$/\\r/' labs/lab01_*/lab.c >$S/c/Emil/lab01/lab.c; git init -q $S/c/Anna; git -C "
        "$S/c/Anna add -A; GIT_COMMITTER_DATE=2026-11-01T12:00Z git -C $S/c/Anna -c user.name=a -c "
        "user.email=a@a commit -qm x; printf '%s\n' 'lab01 due 2026-11-02 23:59' 'lab02 weight 0' "
        "'late refused' 'points Carl X lab01 81.5 \"has explained it #3\"' 'oral Dora lab01 55 "
        "\"knows it\"' >$S/c/class.conf; class; echo with $?; cat $S/r/points.csv; grep -o 'the "
        "starter, unchanged\\|81.5 points by hand: has explained it #3\\|in an oral examination: "
        "knows it\\|100 points, in time' $S/r/index.html | sort | uniq -c; echo 'pass 50 %' "
        ">$S/conf; class --conf $S/conf; echo with $?");
    expect_said(
        "with 0\n\"student\",\"lab01\",\"lab02\",\"total\"\n\"Anna\",100,,100\n\"Ben\",,,0\n"
        "\"Carl  X\",81.5,,81.5\n\"Dora\",55,,55\n\"Emil\",,,0\n");
    expect_said("1 100 points, in time\n");
    expect_said("1 81.5 points by hand: has explained it #3\n");
    expect_said("1 in an oral examination: knows it\n");
    expect_said("3 the starter, unchanged\n");
    expect_said("has rules for marks, and no lab. Next: write a line for each lab that counts");
    expect_said("with 2\n");
}

/* cp and git clone give all files the time of the copy. */
Test(class_marks, a_class_that_is_late_by_the_times_of_its_files_is_doubted)
{
    class("for n in a b; do mkdir $S/c/$n; cp $BAD $S/c/$n/lab.c; done; printf '%s\n' 'lab01 due "
          "2020-11-02 23:59' 'late 10 % per day' 'submitted b lab01 2020-11-01 12:00' "
          ">$S/c/class.conf; class; sed -i /submitted/d $S/c/class.conf; class 2>&1 | sed "
          "'s/^/again: /'; grep -c 'late by the times of their files' $S/r/index.html");
    expect_not_said("\nclass: lab01: 1 of 2 ");
    expect_said("again: class: lab01: 2 of 2 submissions are late by the times of their files. ");
    expect_said("\n1\n");
}

Test(class_marks, a_wrong_line_of_class_conf_is_named)
{
    class("mkdir $S/c/a; cp $SOL $S/c/a/lab.c; try() { printf '%s\\n' \"$@\" >$S/conf; class "
          "--labs lab01 --conf $S/conf; echo with $?; }; try 'lab01 due tomorrow' 'late refused'; "
          "try 'lab01 due 2026-11-02 23:59'; try 'lab77 weight 2'; try 'late often'; "
          "try 'lab01 weight 1' 'submitted Zoe lab01 2026-11-02 23:59'; try 'points a lab01 80'; "
          "ls $S/r/points.csv");
    expect_said("line 1: tomorrow is no time in UTC. Next: ");
    expect_said("has due dates, and no rule for late work. Next: ");
    expect_said("there is no lab77; the labs are: ");
    expect_said("late often? Lines begin with ");
    expect_said("there is no student Zoe. Next: ");
    expect_said("points a lab01 80? Next: write a reason");
    expect_not_said("with 0");
    expect_said("r/points.csv': No such file");
}

/* ---- random classes -------------------------------------------------------------------------- */

enum { STUDENTS = 6, LABS = 2, VERSIONS = 3, DAY = 86400 };

struct version {
    int points, late; /* seconds after the due date; below 0: before it */
};

struct lab_of_student {
    int n_versions, by_hand; /* by_hand: -1: there is none */
    struct version version[VERSIONS];
};

struct random_class {
    int grace, percent, days, weight[LABS]; /* percent: -1: refused, 0: accepted */
    bool due[LABS], best;
    struct lab_of_student of[STUDENTS][LABS];
};

static void draw_class(struct random_class *c)
{
    *c = (struct random_class){.grace = rand() % 3 * 600,
                               .percent = rand() % 5 * 10 - 10,
                               .days = 1 + rand() % 4,
                               .best = rand() % 2};
    if (c->percent < 0)
        c->percent = -1;
    for (int l = 0; l < LABS; l++) {
        c->weight[l] = 1 + rand() % 3;
        c->due[l] = rand() % 4;
    }
    for (int i = 0; i < STUDENTS * LABS; i++) {
        struct lab_of_student *s = &c->of[i / LABS][i % LABS];
        s->n_versions = rand() % (VERSIONS + 1);
        s->by_hand = rand() % 5 ? -1 : rand() % 101;
        for (int v = 0; v < s->n_versions; v++)
            s->version[v] = (struct version){
                rand() % 101, rand() % 2 ? rand() % 2400 - 600 : rand() % (8 * DAY) - 3 * DAY};
    }
}

/* The points that are left of a version. */
static double mark_of(const struct random_class *c, int lab, const struct version *v)
{
    const int days = (v->late + DAY - 1) / DAY;
    if (!c->due[lab] || v->late <= c->grace || c->percent == 0)
        return v->points;
    if (c->percent < 0 || days > c->days || days * c->percent >= 100)
        return 0;
    return v->points * (100 - days * c->percent) / 100.0;
}

/* -1: there is none. */
static double mark(const struct random_class *c, int student, int lab)
{
    const struct lab_of_student *s = &c->of[student][lab];
    double best = -1;
    int latest = -10 * DAY;
    if (s->by_hand >= 0)
        return s->by_hand;
    for (int v = 0; v < s->n_versions; v++) {
        const double m = mark_of(c, lab, &s->version[v]);
        if (c->best ? m > best : s->version[v].late > latest) {
            best = m;
            latest = s->version[v].late;
        }
    }
    return best;
}

static void write_results(const struct random_class *c, FILE *results, FILE *units, FILE *students)
{
    for (int i = 0; i < STUDENTS; i++) {
        fprintf(students, "s%d%cS %d%c%c%c", i, 0, i, 0, 0, 0);
        for (int n = 0; n < LABS * VERSIONS; n++) {
            const int l = n / VERSIONS, v = n % VERSIONS;
            const struct version *it = &c->of[i][l].version[v];
            if (v >= c->of[i][l].n_versions)
                continue;
            fprintf(results,
                    "{\"student\":\"S "
                    "%d\",\"id\":\"s%d\",\"lab\":\"lab0%d\",\"key\":\"k%d\",\"points\":%d,"
                    "\"max_points\":100,\"status\":\"graded\",\"page\":\"p\",\"notes\":[]}\n",
                    i, i, l + 1, v, it->points);
            fprintf(units, "s%d%clab0%d%ck%d%c%c%d%cplatform%c", i, 0, l + 1, 0, v, 0, 0,
                    1000 * DAY + it->late, 0, 0);
        }
    }
}

static void write_policy(const struct random_class *c, FILE *to)
{
    fprintf(to,
            "{\"file\":\"f\",\"grace\":%d,\"take\":\"%s\",\"pass\":null,\"submitted\":[],"
            "\"extension\":[],",
            c->grace, c->best ? "best" : "last");
    if (c->percent > 0)
        fprintf(to, "\"late\":{\"percent\":%d,\"days\":%d},", c->percent, c->days);
    else
        fprintf(to, "\"late\":\"%s\",", c->percent ? "refused" : "accepted");
    fprintf(to, "\"by_hand\":[");
    for (int i = 0, n = 0; i < STUDENTS * LABS; i++)
        if (c->of[i / LABS][i % LABS].by_hand >= 0)
            fprintf(to,
                    "%s{\"kind\":\"oral\",\"student\":\"S "
                    "%d\",\"lab\":\"lab0%d\",\"points\":%d,\"reason\":\"r\"}",
                    n++ ? "," : "", i / LABS, i % LABS + 1, c->of[i / LABS][i % LABS].by_hand);
    fprintf(to, "],\"labs\":{");
    for (int l = 0; l < LABS; l++) {
        fprintf(to, "%s\"lab0%d\":{\"weight\":%d", l ? "," : "", l + 1, c->weight[l]);
        if (c->due[l])
            fprintf(to, ",\"due\":%d,\"due_text\":\"d\"", 1000 * DAY);
        fprintf(to, "}");
    }
    fprintf(to, "}}");
}

static FILE *file_to_write(const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    FILE *f = fopen(path, "w");
    cr_assert(f);
    return f;
}

static void expect_marks(const struct random_class *c)
{
    FILE *files[] = {file_to_write("results"), file_to_write("units"), file_to_write("students"),
                     file_to_write("policy")};
    write_results(c, files[0], files[1], files[2]);
    write_policy(c, files[3]);
    for (int i = 0; i < 4; i++)
        fclose(files[i]);
    run(ANY, "cd grader/class; jq -nr --slurpfile all $S/results --rawfile students $S/students "
             "--rawfile units $S/units --rawfile similar /dev/null --argjson times '[]' --argjson "
             "policy \"$(cat $S/policy)\" --arg labs 'lab01 lab02' --arg seed 1 --arg device sim "
             "--arg time t "
             "\"[\\$all | $(cat policy.jq)] as \\$results | $(cat table.jq) | .students[] | "
             "\\\"\\\\(.total) \\\\(.cells[0].points // -1) \\\\(.cells[1].points // -1)\\\"\"");
    cr_assert_eq(ran.status, 0, "%s", ran.said);
    const char *at = ran.said;
    for (int i = 0; i < STUDENTS; i++) {
        double total, of_lab[LABS], points = 0, weights = 0;
        int n = 0;
        cr_assert(sscanf(at, "%lf %lf %lf%n", &total, &of_lab[0], &of_lab[1], &n) == 3, "%s", at);
        at += n;
        for (int l = 0; l < LABS; l++) {
            const double m = mark(c, i, l);
            cr_expect(fabs(m - of_lab[l]) < 1e-9, "student %d, lab %d: %g, not %g", i, l + 1,
                      of_lab[l], m);
            points += c->weight[l] * fmax(m, 0);
            weights += c->weight[l];
        }
        cr_expect(fabs(total - points / weights) < 0.0501, "student %d: total %g, not %g", i, total,
                  points / weights);
    }
}

Test(class_marks, random_classes_and_rules_give_the_marks_of_a_model)
{
    const unsigned seed = getenv("SEED") ? (unsigned)atoi(getenv("SEED")) : 1;
    srand(seed);
    for (int i = 0; i < 40; i++) {
        struct random_class c;
        draw_class(&c);
        expect_marks(&c);
    }
}

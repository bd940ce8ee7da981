/* test_symptoms.c: what labs/SYMPTOMS.md names exists: labs, their checks, programs, errors. */
#include <cuda_runtime_api.h>

#include "checkout.h"

TestSuite(symptoms, .init = checkout_enter);

/* Prints what is wrong with the rows of a page like SYMPTOMS.md. */
static const char look[] =
    "grep '^| ' \"$page\" | grep -v '^| symptom \\|^| --- ' | while IFS='|' read -r _ symptom "
    "cause where program _; do\n"
    "    [ -n \"${symptom// }\" ] && [ -n \"${cause// }\" ] || echo \"an empty field:$symptom\"\n"
    "    lab= n=0\n"
    "    for word in ${where//,/}; do\n"
    "        case $word in\n"
    "        \\[*\\]\\(*\\)) lab=lab${word:1:2}; to=${word#*(}; to=${to%)}\n"
    "            [ -e labs/$to ] && [ ${to:0:5} = $lab ] || echo \"$word:$symptom\" ;;\n"
    "        \\`*\\`) n=$((n + 1)); check=${word//\\`/}\n"
    "            grep -qs \"JUDGE_CHECK($lab, $check,\" grader/labs/$lab/*.c ||\n"
    "                echo \"$lab has no check $check:$symptom\" ;;\n"
    "        *) echo \"neither lab nor check, $word:$symptom\" ;;\n"
    "        esac\n"
    "    done\n"
    "    [ $n -gt 0 ] || echo \"no check:$symptom\"\n"
    "    for word in ${program//,/}; do\n"
    "        [ -e \"labs/$(sed -n 's/.*(\\(myths.*\\.c\\))$/\\1/p' <<<$word)\" ] || echo "
    "\"$word:$symptom\"\n"
    "    done\n"
    "done";

static int rows_of(const char *page)
{
    return checkout_run(text, "page=%s\n%s", page, look);
}

Test(symptoms, labs_checks_and_programs_exist)
{
    cr_expect_eq(rows_of("labs/SYMPTOMS.md"), 0);
    cr_expect_str_eq(text, "");
    checkout_run(text, "grep -c '^| .*README.md' labs/SYMPTOMS.md");
    cr_expect_geq(atoi(text), 40, "only %s rows", text);
}

/* A row with an unknown lab, check or program is found. */
Test(symptoms, what_does_not_exist_is_found)
{
    FILE *to = fopen("build/symptoms.md", "w");
    cr_assert(to);
    fputs("| a | b | [04](lab04_serial_capture/README.md) `graph`, [05](lab05_none/README.md) "
          "`nodes` | |\n"
          "| c | d | [06](lab06_graph_update/README.md) `nodes` | [x](myths/none.c), "
          "[y](myths/refilled.c) |\n"
          "| e | f | [04](lab04_serial_capture/README.md) | |\n"
          "| g | | [04](lab04_serial_capture/README.md) `graph` | |\n",
          to);
    fclose(to);
    rows_of("build/symptoms.md");
    unlink("build/symptoms.md");
    cr_expect_str_eq(text, "[05](lab05_none/README.md): a \n"
                           "lab06 has no check nodes: c \n"
                           "[x](myths/none.c): c \n"
                           "no check: e \n"
                           "an empty field: g \n");
}

/* A search for the name or the number finds each row about an error. */
Test(symptoms, a_row_about_an_error_has_its_number)
{
    checkout_run(text,
                 "sed -n '/^## Errors/,/^## Time/p' labs/SYMPTOMS.md | grep '^| ' | "
                 "grep -v '^| symptom \\|^| --- \\|^[^|]*|[^|]*`cudaError[A-Za-z]*` ([0-9]*)'");
    cr_expect_str_eq(text, "");
}

/* `cudaErrorName` (number) "text": number and text are those of the error. */
Test(symptoms, errors_have_their_numbers_and_texts)
{
    int number, n = 0, texts = 0;
    char name[64], said[256];
    must_succeed("grep -oE '`cudaError[A-Za-z]*` \\([0-9]*\\)( \"[^\"]*\")?' "
                 "labs/SYMPTOMS.md");
    for (char *at = text; sscanf(at, "`%63[A-Za-z]` (%d)", name, &number) == 2; n++) {
        cr_expect_str_eq(cudaGetErrorName((cudaError_t)number), name);
        char *end = strchr(at, '\n');
        if (end[-1] == '"' && sscanf(at, "`%*[A-Za-z]` (%*d) \"%255[^\"]", said) == 1) {
            cr_expect_str_eq(cudaGetErrorString((cudaError_t)number), said);
            texts++;
        }
        at = end + 1;
    }
    cr_expect_geq(n, 10);
    cr_expect_geq(texts, 15);
}

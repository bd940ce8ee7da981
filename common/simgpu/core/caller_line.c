/* caller_line.c: the line of the source that a call was made in, as addr2line names it. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core.h"

/* "lab.c:57" of "/FOLDER/lab.c:57 (discriminator 1)". Empty for a header, whose functions are
 * inlined: a line of the program follows. Empty for "??:0". */
static void take_line(char to[CALLER_LINE], char *answer)
{
    answer[strcspn(answer, " \n")] = 0;
    const char *name = strrchr(answer, '/');
    name = name ? name + 1 : answer;
    if (!to[0] && name[0] != '?' && !strstr(name, ".h:"))
        snprintf(to, CALLER_LINE, "%s", name);
}

void caller_lines(const uint32_t *callers, int n, char lines[][CALLER_LINE])
{
    char command[256], answer[4096];
    int length =
        snprintf(command, sizeof command, "exec addr2line -aie /proc/%d/exe", (int)getpid());
    bool is_any = false;
    for (int i = 0; i < n; i++) {
        lines[i][0] = 0;
        is_any = is_any || callers[i];
        length += snprintf(command + length, sizeof command - (size_t)length, " 0x%x", callers[i]);
    }
    if (!is_any)
        return;
    snprintf(command + length, sizeof command - (size_t)length, " 2>/dev/null");
    FILE *said = popen(command, "r");
    int i = -1; /* each answer begins with the address */
    while (said && fgets(answer, sizeof answer, said)) {
        const bool is_address = strncmp(answer, "0x", 2) == 0;
        i += is_address;
        if (!is_address && i >= 0 && i < n && callers[i])
            take_line(lines[i], answer);
    }
    if (said)
        pclose(said);
}

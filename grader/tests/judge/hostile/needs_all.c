/* As a reference: fails while a program with the name takes_all runs. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "../lab00/lab.h"

static int is_taken(const char *pid)
{
    char path[300], name[32] = "";
    snprintf(path, sizeof path, "/proc/%s/comm", pid);
    FILE *f = fopen(path, "r");
    if (f) {
        fgets(name, sizeof name, f);
        fclose(f);
    }
    return strcmp(name, "takes_all\n") == 0;
}

int lab00_run(struct lab00 *lab)
{
    int taken = 0;
    DIR *d = opendir("/proc");
    for (struct dirent *e; d && (e = readdir(d));)
        taken |= is_taken(e->d_name);
    if (d)
        closedir(d);
    lab00_compute(lab);
    return taken ? 2 : 0;
}

/* As a reference: fails while the same judge runs a program with the name takes_all. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../lab00/lab.h"

static int is_taken(const char *pid)
{
    char path[300], name[32] = "";
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%s/stat", pid);
    FILE *f = fopen(path, "r");
    if (f) {
        (void)!fscanf(f, "%*d (%31[^)]) %*c %d", name, &parent);
        fclose(f);
    }
    return parent == getppid() && strcmp(name, "takes_all") == 0;
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

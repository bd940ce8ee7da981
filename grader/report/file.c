/* file.c: the files that a report is written to. */
#include <errno.h>

#include "files/output.h"
#include "report.h"

static int cannot_write(const char *path, const char *option)
{
    fprintf(stderr, "cannot write %s: %s. Next: choose another file for %s\n", path,
            output_why(errno), option);
    return -1;
}

int report_file_probe(const char *path, const char *option)
{
    return output_probe(path) == 0 ? 0 : cannot_write(path, option);
}

int report_file_write(const char *path, const char *option, report_writer *write, const void *what)
{
    struct output o;
    if (output_open(&o, path) == 0)
        write(o.to, what);
    return output_close(&o) == 0 ? 0 : cannot_write(path, option);
}

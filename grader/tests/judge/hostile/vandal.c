/* Tries to leave something behind: files here, in /tmp and in the home directory, a shell command,
 * shared memory, a background process. Says on stdout what worked. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../lab00/lab.h"

static void did(const char *what, int worked)
{
    if (worked)
        printf("managed: %s\n", what);
}

int lab00_run(struct lab00 *lab)
{
    printf("trying\n");
    did("a file here", open("vandal", O_CREAT | O_WRONLY, 0600) >= 0);
    did("a file in /tmp", open("/tmp/vandal-was-here", O_CREAT | O_WRONLY, 0600) >= 0);
    did("a nameless file in /tmp", open("/tmp", O_TMPFILE | O_WRONLY, 0600) >= 0);
    did("a directory", mkdir("/tmp/vandal-directory", 0700) == 0);
    did("writing itself", open("/proc/self/exe", O_RDWR) >= 0);
    did("removing itself", unlink("/proc/self/exe") == 0);
    did("a POSIX shared memory object", shm_open("/vandal", O_CREAT | O_RDWR, 0600) >= 0);
    did("a System V shared memory segment", shmget(0x76616e64, 4096, IPC_CREAT | 0600) >= 0);
    did("a shell", system("true") == 0);
    did("a child", fork() >= 0);
    did("a session of its own", setsid() >= 0);
    did("the network", socket(AF_INET, SOCK_STREAM, 0) >= 0);
    lab00_compute(lab);
    lab->out[0] = 0;
    return 0;
}

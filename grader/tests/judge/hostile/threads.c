/* A thread bomb. */
#include <limits.h>
#include <pthread.h>
#include <unistd.h>

#include "../lab00/lab.h"

static void *sleeper(void *arg)
{
    pause();
    return arg;
}

int lab00_run(struct lab00 *lab)
{
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
    for (pthread_t t;;)
        pthread_create(&t, &small, sleeper, NULL);
    lab00_compute(lab);
    return 0;
}

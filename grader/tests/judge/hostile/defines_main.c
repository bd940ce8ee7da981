/* Brings a main of its own. */
#include "good.c"

int main(void)
{
    return 0;
}

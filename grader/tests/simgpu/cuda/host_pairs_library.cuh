// host_pairs_library.cuh: the pairs of host_pairs.cu that call functions of the C library.

static void by_memcpy(bool waits)
{
    static int mine[N];
    to_host(s, pinned);
    wait_if(waits, s);
    memcpy(mine, pinned, BYTES);
    kept = mine[0];
}

static void by_memset(bool waits)
{
    to_device(s, pinned);
    wait_if(waits, s);
    memset(pinned, 0, BYTES);
}

static void by_small_memset(bool waits)
{
    to_device(s, pinned);
    wait_if(waits, s);
    memset(pinned + 3, 0, 40);
}

struct six {
    int a[6];
};

static void by_small_memcpy(bool waits)
{
    six mine;
    to_host(s, pinned);
    wait_if(waits, s);
    memcpy(&mine, pinned + 3, sizeof mine);
    kept = mine.a[kept & 1];
}

static void by_assignment(bool waits)
{
    to_host(s, pinned);
    wait_if(waits, s);
    six mine = *(six *)(pinned + 8);
    kept = mine.a[kept & 1];
}

static void by_memcmp(bool waits)
{
    static const int zeros[N] = {0};
    to_host(s, pinned);
    wait_if(waits, s);
    kept = memcmp(pinned, zeros, BYTES);
}

static void by_strlen(bool waits)
{
    to_host(s, pinned);
    wait_if(waits, s);
    kept = (int)strlen((char *)pinned);
}

static void by_strcpy(bool waits)
{
    to_device(s, pinned);
    wait_if(waits, s);
    strcpy((char *)pinned, kept == 1 ? "one" : "another");
}

static void by_snprintf(bool waits)
{
    to_device(s, pinned);
    wait_if(waits, s);
    snprintf((char *)pinned, 100, "%d", kept);
}

static void by_printf(bool waits)
{
    char text[200];
    to_host(s, pinned);
    wait_if(waits, s);
    kept = snprintf(text, sizeof text, "%d %.3f %s", 1, 2.0, (char *)pinned);
}

static void by_fwrite(bool waits)
{
    FILE *f = tmpfile();
    to_host(s, pinned);
    wait_if(waits, s);
    kept = (int)fwrite(pinned, sizeof(int), N, f);
    fclose(f);
}

static void by_fread(bool waits)
{
    FILE *f = fopen("/dev/zero", "r");
    to_device(s, pinned);
    wait_if(waits, s);
    kept = (int)fread(pinned, sizeof(int), N, f);
    fclose(f);
}

static void by_read(bool waits)
{
    FILE *f = fopen("/dev/zero", "r");
    to_device(s, pinned);
    wait_if(waits, s);
    kept = (int)read(fileno(f), pinned, BYTES);
    fclose(f);
}

static void by_qsort(bool waits)
{
    to_device(s, pinned);
    wait_if(waits, s);
    qsort(pinned, 10, sizeof(int),
          [](const void *a, const void *b) { return *(const int *)a - *(const int *)b; });
}

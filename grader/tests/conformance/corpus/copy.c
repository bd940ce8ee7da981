/* copy.c: cudaMemcpy and cudaMemcpyAsync: what they accept. */
#include "../situation.h"

SITUATION("cudaMemcpyDefault: pageable to device; device to device; device to pageable; pageable "
          "to pageable")
{
    char *d = device_bytes(PAGE), *e = device_bytes(PAGE), *a = pageable_bytes(PAGE),
         *b = pageable_bytes(PAGE);
    memset(a, 7, PAGE);
    answer(cudaMemcpy(d, a, PAGE, cudaMemcpyDefault));
    answer(cudaMemcpy(e, d, PAGE, cudaMemcpyDefault));
    answer(cudaMemcpy(b, e, PAGE, cudaMemcpyDefault));
    shows("same bytes", memcmp(a, b, PAGE) == 0 ? "same bytes" : "other bytes");
    memset(b, 0, PAGE);
    answer(cudaMemcpy(b, a, PAGE, cudaMemcpyDefault));
    shows("same bytes", memcmp(a, b, PAGE) == 0 ? "same bytes" : "other bytes");
}

SITUATION("cudaMemcpy with kind 99; -1; 5; the same with 0 bytes")
{
    char *d = device_bytes(PAGE), *a = pageable_bytes(PAGE);
    gives(InvalidMemcpyDirection, cudaMemcpy(d, a, PAGE, (enum cudaMemcpyKind)99));
    gives(InvalidMemcpyDirection, cudaMemcpy(d, a, PAGE, (enum cudaMemcpyKind) - 1));
    gives(InvalidMemcpyDirection, cudaMemcpy(d, a, PAGE, (enum cudaMemcpyKind)5));
    answer(cudaMemcpy(d, a, 0, (enum cudaMemcpyKind)99));
}

/* Each of the five kinds in turn. */
static void all_kinds(void *to, const void *from)
{
    for (int kind = 0; kind <= 4; kind++)
        answer(cudaMemcpy(to, from, 64, (enum cudaMemcpyKind)kind));
}

ROW(all_kinds(device_bytes(PAGE), pinned_bytes(PAGE)),
    "cudaMemcpy pinned to device, as HostToHost, HostToDevice, DeviceToHost, DeviceToDevice, "
    "Default")

ROW(all_kinds(pinned_bytes(PAGE), device_bytes(PAGE)),
    "cudaMemcpy device to pinned, as each of the five kinds")
ROW(all_kinds(device_bytes(PAGE), pageable_bytes(PAGE)),
    "cudaMemcpy pageable to device, as each of the five kinds",
    "cudaMemcpy: Success; Success; InvalidValue; InvalidValue; Success")

ROW(all_kinds(pageable_bytes(PAGE), device_bytes(PAGE)),
    "cudaMemcpy device to pageable, as each of the five kinds",
    "cudaMemcpy: Success; InvalidValue; Success; InvalidValue; Success")
ROW(all_kinds(device_bytes(PAGE), device_bytes(PAGE)),
    "cudaMemcpy device to device, as each of the five kinds")
ROW(all_kinds(pageable_bytes(PAGE), pageable_bytes(PAGE)),
    "cudaMemcpy pageable to pageable, as each of the five kinds",
    "cudaMemcpy: Success; InvalidValue; InvalidValue; InvalidValue; Success")
ROW(all_kinds(pinned_bytes(PAGE), pinned_bytes(PAGE)),
    "cudaMemcpy pinned to pinned, as each of the five kinds")

SITUATION("copy and memset of 0 bytes, valid pointers; NULL pointers")
{
    char *d = device_bytes(PAGE), *a = pageable_bytes(PAGE);
    answer(cudaMemcpy(d, a, 0, cudaMemcpyHostToDevice));
    answer(cudaMemset(d, 0, 0));
    answer(cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice));
    answer(cudaMemset(NULL, 0, 0));
    answer(cudaMemcpyAsync(NULL, NULL, 0, cudaMemcpyHostToDevice, 0));
    answer(cudaMemsetAsync(NULL, 0, 0, 0));
}

SITUATION("cudaMemcpy to NULL; from NULL on the host; from NULL on the device; async to NULL; "
          "async from NULL; cudaMemcpyDefault to NULL; from NULL; NULL to NULL")
{
    char *d = device_bytes(PAGE), *a = pinned_bytes(PAGE);
    gives(InvalidValue, cudaMemcpy(NULL, a, PAGE, cudaMemcpyHostToDevice));
    gives(InvalidValue, cudaMemcpy(d, NULL, PAGE, cudaMemcpyHostToDevice));
    gives(InvalidValue, cudaMemcpy(a, NULL, PAGE, cudaMemcpyDeviceToHost));
    gives(InvalidValue, cudaMemcpyAsync(NULL, a, PAGE, cudaMemcpyHostToDevice, 0));
    gives(InvalidValue, cudaMemcpyAsync(d, NULL, PAGE, cudaMemcpyHostToDevice, 0));
    answer(cudaDeviceSynchronize());
    gives(InvalidValue, cudaMemcpy(NULL, d, PAGE, cudaMemcpyDefault));
    gives(InvalidValue, cudaMemcpy(d, NULL, PAGE, cudaMemcpyDefault));
    gives(InvalidValue, cudaMemcpy(NULL, NULL, PAGE, cudaMemcpyDefault));
}

SITUATION("cudaMemcpy that ends past the end of the device destination; async; of 101 bytes to an "
          "allocation of 100; memset of 101; past the end of the device source; device to device; "
          "get last error")
{
    char *d = device_bytes(LARGE), *a = pinned_bytes(LARGE + 64);
    gives(InvalidValue, cudaMemcpy(d, a, LARGE + 1, cudaMemcpyHostToDevice));
    gives(InvalidValue, cudaMemcpy(d + 64, a, LARGE, cudaMemcpyHostToDevice));
    gives(InvalidValue, cudaMemcpyAsync(d, a, LARGE + 1, cudaMemcpyHostToDevice, 0));
    answer(cudaDeviceSynchronize());
    d = device_bytes(100);
    gives(InvalidValue, cudaMemcpy(d, a, 101, cudaMemcpyHostToDevice));
    gives(InvalidValue, cudaMemset(d, 0, 101));
    char *e = device_bytes(2 * LARGE);
    d = device_bytes(LARGE);
    gives(InvalidValue, cudaMemcpy(a, d + 64, LARGE, cudaMemcpyDeviceToHost));
    gives(InvalidValue, cudaMemcpy(e, d, LARGE + 1, cudaMemcpyDeviceToDevice));
    gives(InvalidValue, cudaGetLastError());
}

SITUATION("cudaMemcpy to the device that reads past the end of pinned memory of 4 MiB; async")
{
    char *d = device_bytes(2 * LARGE), *a = pinned_bytes(LARGE);
    gives(InvalidValue, cudaMemcpy(d, a + LARGE / 2, LARGE, cudaMemcpyHostToDevice));
    gives(InvalidValue, cudaMemcpyAsync(d, a + LARGE / 2, LARGE, cudaMemcpyHostToDevice, 0));
    answer(cudaDeviceSynchronize());
}

SITUATION("cudaMemcpyAsync to the device from a range of which only the first half is registered; "
          "the second half")
{
    char *d = device_bytes(LARGE), *a = pageable_bytes(2 * LARGE);
    a += 4096 - (uintptr_t)a % 4096;
    MUST(cudaHostRegister(a, LARGE / 2, 0));
    gives(InvalidValue, cudaMemcpyAsync(d, a, LARGE, cudaMemcpyHostToDevice, 0));
    gives(InvalidValue, cudaMemcpyAsync(d, a + LARGE / 4, LARGE / 2, cudaMemcpyHostToDevice, 0));
    answer(cudaMemcpyAsync(d, a + LARGE / 2, LARGE / 2, cudaMemcpyHostToDevice, 0));
    answer(cudaDeviceSynchronize());
}

SITUATION("cudaMemcpy to freed memory; from it; memset of it")
{
    char *d = device_bytes(LARGE), *a = pageable_bytes(PAGE);
    MUST(cudaFree(d));
    gives(InvalidValue, cudaMemcpy(d, a, PAGE, cudaMemcpyHostToDevice));
    gives(InvalidValue, cudaMemcpy(a, d, PAGE, cudaMemcpyDeviceToHost));
    gives(InvalidValue, cudaMemset(d, 0, PAGE));
}

SITUATION("cudaMemcpy DeviceToHost from address 0x10; HostToDevice to a host variable's address")
{
    char *a = pageable_bytes(PAGE), *b = pageable_bytes(PAGE);
    gives(InvalidValue, cudaMemcpy(a, (void *)0x10, 64, cudaMemcpyDeviceToHost));
    gives(InvalidValue, cudaMemcpy(b, a, 64, cudaMemcpyHostToDevice));
}

SITUATION("cudaMemcpy device to device onto itself; overlapping by half")
{
    char *d = device_bytes(PAGE);
    answer(cudaMemcpy(d, d, PAGE, cudaMemcpyDeviceToDevice));
    answer(cudaMemcpy(d + PAGE / 4, d, PAGE / 2, cudaMemcpyDeviceToDevice));
    answer(cudaDeviceSynchronize());
}

SITUATION("cudaMemcpy to the middle of an allocation lands there and nowhere else")
{
    unsigned char *d = device_bytes(PAGE), *a = pageable_bytes(PAGE);
    memset(a, 9, PAGE);
    answer(cudaMemcpy(d + 100, a, 10, cudaMemcpyHostToDevice));
    answer(cudaMemcpy(a, d, PAGE, cudaMemcpyDeviceToHost));
    fact("bytes 99, 100, 109, 110", "0 9 9 0", "%d %d %d %d", a[99], a[100], a[109], a[110]);
}

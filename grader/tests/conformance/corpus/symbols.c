/* symbols.c: addresses of and copies to __device__ variables. */
#include "../graphs.h"

SITUATION("the address of a symbol: cudaMemset of it; past its end; cudaFree of it; interior "
          "attributes; cudaMemcpy of 68 bytes to it; device pointer")
{
    char *p;
    struct cudaPointerAttributes a;
    MUST(cudaGetSymbolAddress((void **)&p, situation_numbers()));
    answer(cudaMemset(p, 1, 64));
    gives(InvalidValue, cudaMemset(p, 1, 1 << 28));
    answer(cudaPointerGetAttributes(&a, p + 8));
    fact("type, device, pointers", "2 0 same -", "%d %d %s %s", (int)a.type, a.device,
         a.devicePointer == p + 8 ? "same" : "other", a.hostPointer ? "h" : "-");
    gives(InvalidValue, cudaFree(p));
    gives(InvalidValue, cudaFreeAsync(p, 0));
    shows("1", "%d", device_byte(p));
}

SITUATION("cudaMemcpyToSymbol and FromSymbol of an unknown symbol; of NULL; of 0 bytes; "
          "cudaGetSymbolAddress of an unknown symbol; cudaGetSymbolSize; of NULL; NULL result")
{
    char *a = pageable_bytes(64);
    static int not_a_symbol;
    gives(InvalidSymbol, cudaMemcpyToSymbol(&not_a_symbol, a, 4, 0, cudaMemcpyHostToDevice));
    gives(InvalidSymbol, cudaMemcpyFromSymbol(a, &not_a_symbol, 4, 0, cudaMemcpyDeviceToHost));
    gives(InvalidSymbol, cudaMemcpyToSymbol(NULL, a, 4, 0, cudaMemcpyHostToDevice));
    answer(cudaMemcpyToSymbol(&not_a_symbol, a, 0, 0, cudaMemcpyHostToDevice));
    void *p = NULL;
    size_t n = 0;
    gives(InvalidSymbol, cudaGetSymbolAddress(&p, &host_word));
    gives(InvalidSymbol, cudaGetSymbolSize(&n, &host_word));
    gives(InvalidSymbol, cudaGetSymbolAddress(&p, NULL));
    gives(InvalidSymbol, cudaGetSymbolAddress(NULL, &host_word));
}

SITUATION("cudaMemcpyToSymbol past the end; with offset; DeviceToHost; cudaGetSymbolSize; of a "
          "pointer that is no symbol")
{
    int values[17] = {1, 2, 3};
    size_t n = 0;
    gives(InvalidValue,
          cudaMemcpyToSymbol(situation_numbers(), values, 68, 0, cudaMemcpyHostToDevice));
    gives(InvalidValue,
          cudaMemcpyToSymbol(situation_numbers(), values, 8, 60, cudaMemcpyHostToDevice));
    answer(cudaMemcpyToSymbol(situation_numbers(), values, 8, 8, cudaMemcpyHostToDevice));
    gives(InvalidMemcpyDirection,
          cudaMemcpyToSymbol(situation_numbers(), values, 8, 8, cudaMemcpyDeviceToHost));
    values[0] = 0;
    answer(cudaMemcpyFromSymbol(values, situation_numbers(), 4, 12, cudaMemcpyDeviceToHost));
    shows("2", "%d", values[0]);
    answer(cudaGetSymbolSize(&n, situation_numbers()));
    shows("64", "%zu", n);
    gives(InvalidSymbol, cudaGetSymbolSize(&n, values));
    gives(InvalidSymbol, cudaGetLastError());
}

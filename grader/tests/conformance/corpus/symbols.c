/*
 * symbols.c: addresses of and copies to __device__ variables.
 */
#include "../graphs.h"
#include "../situation_kernels.h"

SITUATION(symbol_pointer,
          "the address of a symbol: cudaMemset of it; past its end; cudaFree of "
          "it; interior attributes; cudaMemcpy of 68 bytes to it; device pointer",
          "cudaMemset(1 << 28): InvalidValue", "type, device, pointers: 2 0 same -",
          "cudaFree: InvalidValue", "cudaFreeAsync: InvalidValue", "device_byte: 1")
{
    char *p;
    struct cudaPointerAttributes a;
    MUST(cudaGetSymbolAddress((void **)&p, situation_numbers()));
    answer(cudaMemset(p, 1, 64));
    answer(cudaMemset(p, 1, 1 << 28));
    answer(cudaPointerGetAttributes(&a, p + 8));
    answer_fact("type, device, pointers", "%d %d %s %s", (int)a.type, a.device,
                a.devicePointer == p + 8 ? "same" : "other", a.hostPointer ? "h" : "-");
    answer(cudaFree(p));
    answer(cudaFreeAsync(p, 0));
    answer_text("%d", device_byte(p));
}

SITUATION(copy_symbol_unknown,
          "cudaMemcpyToSymbol and FromSymbol of an unknown symbol; of NULL; of 0 bytes",
          "cudaMemcpyToSymbol(&not_a_symbol, 4): InvalidSymbol",
          "cudaMemcpyFromSymbol: InvalidSymbol", "cudaMemcpyToSymbol(NULL, 4): InvalidSymbol")
{
    char *a = pageable_bytes(64);
    static int not_a_symbol;
    answer(cudaMemcpyToSymbol(&not_a_symbol, a, 4, 0, cudaMemcpyHostToDevice));
    answer(cudaMemcpyFromSymbol(a, &not_a_symbol, 4, 0, cudaMemcpyDeviceToHost));
    answer(cudaMemcpyToSymbol(NULL, a, 4, 0, cudaMemcpyHostToDevice));
    answer(cudaMemcpyToSymbol(&not_a_symbol, a, 0, 0, cudaMemcpyHostToDevice));
}

SITUATION(symbol_copies,
          "cudaMemcpyToSymbol past the end; with offset; DeviceToHost; "
          "cudaGetSymbolSize; of a pointer that is no symbol",
          "cudaMemcpyToSymbol(68, 0, cudaMemcpyHostToDevice): InvalidValue",
          "cudaMemcpyToSymbol(8, 60, cudaMemcpyHostToDevice): InvalidValue",
          "cudaMemcpyToSymbol(8, 8, cudaMemcpyDeviceToHost): InvalidMemcpyDirection",
          "values[0]: 2", "n: 64", "cudaGetSymbolSize(values): InvalidSymbol",
          "cudaGetLastError: InvalidSymbol")
{
    int values[17] = {1, 2, 3};
    size_t n = 0;
    answer(cudaMemcpyToSymbol(situation_numbers(), values, 68, 0, cudaMemcpyHostToDevice));
    answer(cudaMemcpyToSymbol(situation_numbers(), values, 8, 60, cudaMemcpyHostToDevice));
    answer(cudaMemcpyToSymbol(situation_numbers(), values, 8, 8, cudaMemcpyHostToDevice));
    answer(cudaMemcpyToSymbol(situation_numbers(), values, 8, 8, cudaMemcpyDeviceToHost));
    values[0] = 0;
    answer(cudaMemcpyFromSymbol(values, situation_numbers(), 4, 12, cudaMemcpyDeviceToHost));
    answer_text("%d", values[0]);
    answer(cudaGetSymbolSize(&n, situation_numbers()));
    answer_text("%zu", n);
    answer(cudaGetSymbolSize(&n, values));
    answer(cudaGetLastError());
}

SITUATION(symbol_unknown,
          "cudaGetSymbolAddress of an unknown symbol; cudaGetSymbolSize; of NULL; NULL result",
          "cudaGetSymbolAddress(&p, &host_word): InvalidSymbol", "cudaGetSymbolSize: InvalidSymbol",
          "cudaGetSymbolAddress(&p, NULL): InvalidSymbol",
          "cudaGetSymbolAddress(NULL, &host_word): InvalidSymbol")
{
    void *p = NULL;
    size_t n = 0;
    answer(cudaGetSymbolAddress(&p, &host_word));
    answer(cudaGetSymbolSize(&n, &host_word));
    answer(cudaGetSymbolAddress(&p, NULL));
    answer(cudaGetSymbolAddress(NULL, &host_word));
}

/* bank_sizes.c: situations: the size of the banks of shared memory, which no GPU since Maxwell
 * changes. An H200 (driver 580.159.04) answered them on 2026-11-27. */
#include "../captures.h"
#include "../graphs.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

SITUATION("cudaDeviceGetSharedMemConfig; set EightByte, get; set 99; get(NULL)")
{
    enum cudaSharedMemConfig size = cudaSharedMemBankSizeDefault;
    answer(cudaDeviceGetSharedMemConfig(&size));
    shows("1", "%d", (int)size);
    answer(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
    MUST(cudaDeviceGetSharedMemConfig(&size));
    shows("1", "%d", (int)size);
    gives(InvalidValue, cudaDeviceSetSharedMemConfig((enum cudaSharedMemConfig)99));
    gives(InvalidValue, cudaDeviceGetSharedMemConfig(NULL));
}

SITUATION("cudaFuncSetSharedMemConfig: FourByte; 99; no such kernel; NULL")
{
    answer(cudaFuncSetSharedMemConfig(situation_store(), cudaSharedMemBankSizeFourByte));
    gives(InvalidValue,
          cudaFuncSetSharedMemConfig(situation_store(), (enum cudaSharedMemConfig)99));
    gives(InvalidResourceHandle,
          cudaFuncSetSharedMemConfig(not_a_kernel(), cudaSharedMemBankSizeFourByte));
    gives(InvalidDeviceFunction, cudaFuncSetSharedMemConfig(NULL, cudaSharedMemBankSizeFourByte));
}

SITUATION("cudaFuncSetSharedMemConfig, cudaDeviceGetSharedMemConfig and "
          "cudaDeviceSetSharedMemConfig in a Global capture: status after each")
{
    enum cudaSharedMemConfig size;
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    answer(cudaFuncSetSharedMemConfig(situation_store(), cudaSharedMemBankSizeFourByte));
    answer(cudaDeviceGetSharedMemConfig(&size));
    status_is("active", s);
    gives(StreamCaptureUnsupported, cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeFourByte));
    status_is("invalidated", s);
}

/*
 * ends.h: which work of a capture its origin does not wait for. The adapter says one of these
 * sentences when the capture ends with cudaErrorStreamCaptureUnjoined.
 */
#ifndef LAB12_ENDS_H
#define LAB12_ENDS_H

#include <cuda_runtime_api.h>

#define LAB12_NO_COPY_TO_Y "nothing waits for some of its work, and it has no copy to y"
#define LAB12_COPY_BETWEEN_DEVICES "nothing waits for a copy to another device"
#define LAB12_OTHER_END "its origin does not wait for all of its work"

/* Of the last capture that ended. */
const char *ends_of_capture(void);

#endif

/*
 * ends.h: which work of a capture its origin does not wait for, when the capture ends with
 * cudaErrorStreamCaptureUnjoined.
 */
#ifndef LAB12_ENDS_H
#define LAB12_ENDS_H

#include "subject/calls.h"

/* A wire_failure's cause. */
enum lab12_end {
    LAB12_NO_COPY_TO_Y = 1, /* no copy to y, and one copy of x at most */
    LAB12_NO_LAST_STAGE,    /* no copy to y, but several copies of x */
    LAB12_LAYERS,           /* layers, for which nothing waits */
    LAB12_COPY_NOT_IN_SENT, /* a copy to another device; layers free a slot, not such a copy */
    LAB12_COPY_NOT_AWAITED, /* a copy to another device */
    LAB12_OTHER_END
};

/* For SUBJECT_LAB. */
void ends_before_call(struct subject_call *call);

/* Of the last capture that ended. */
enum lab12_end ends_of_capture(void);

#endif

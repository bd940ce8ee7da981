/* copies.h: the copies from pinned memory that a submission enqueues, and what their sources held
 * when it did.
 *
 * An asynchronous copy reads its source later. If the host writes there directly after the call,
 * the copy may take the old numbers or the new ones. */
#pragma once

#include "calls.h"

/* From now on, or no more. */
void copies_watch(bool on);

/* The copies up to now. */
void copies_forget(void);

/* For SUBJECT_LAB. */
void copies_after_call(const struct subject_call *call);

/* Has one of the copies these bytes on the device as its destination? */
bool copies_cover(const void *to, size_t bytes);

/* Does the source of an asynchronous one differ from what it was? */
bool copies_source_changed(void);

/* rows.h: what the rows of a run look like, by the journal of embed. */
#pragma once

#include <stdbool.h>

#include "journal.h"

/* Is this true of any row? */
bool rows_any(const struct journal *journal, bool (*is)(const struct row *r));

/* Does the row have a token that its request does not have there? */
bool row_is_foreign(const struct row *r);

/* Does its slot begin with the row, at a later position, with a token that its request does not
   have? */
bool row_begins_late(const struct row *r);

/* Does the row continue the sequence of its slot with the seed of another request? */
bool row_takes_over(const struct row *r);

/* Has it position 0 of a request? */
bool row_is_first(const struct row *r);

/* A row like those that pad a step, in the slot of a request whose position 0 was computed. */
bool row_is_padding(const struct journal *journal, const struct row *r);

/* Do rows without a seed write to one block for two slots in one step, or for two entries of a
   block table? */
bool rows_lack_tables(const struct journal *journal);

/* So many positions of a request are computed. */
int lab13_positions_of(const struct lab13_drawn *request);

/* Has each position of the request's prompt a row with its token, whatever the row's seed is? */
bool rows_have_prompt(const struct journal *journal, const struct lab13_drawn *request);

/* The same, and no row was lost: there are as many as all requests need, with all tokens of the
   prompts. */
bool rows_share_slot(const struct journal *journal);

/* Has no number that the host set been on the device? */
bool rows_are_zero(const struct journal *journal);

/* Has no row of the first step a number that the host has set, while others have? */
bool rows_begin_zero(const struct journal *journal);

/* Has a step the rows of prompts that the step before had, and no other ones? */
bool rows_are_stale(const struct journal *journal);

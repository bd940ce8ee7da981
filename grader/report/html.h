/* html.h: what the files of the page for a browser share. */
#pragma once

#include <stdio.h>

#include "common/trace.h"
#include "report.h"

/* Text that may come from a submission: no markup, safe characters only. */
void html_text(FILE *to, const char *text);

/* html_timeline.c: the traces as SVG pictures on one scale, with a row for each engine; `reference`
   may be NULL. */
void html_timelines(FILE *to, const struct trace *own, const struct trace *reference);

/* html_source.c: the lines around those that these calls quote, from the submission's source. */
void html_sources(FILE *to, const struct session *s, const struct report_call *calls, int n);

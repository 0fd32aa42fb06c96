// SPDX-License-Identifier: Apache-2.0
/// \file
/// Lines from the standard input: with editing, history and completion on a terminal if libedit was
/// there at build time, plain otherwise.
#ifndef RILLE_APP_RUN_LINE_H
#define RILLE_APP_RUN_LINE_H

#include <stdbool.h>

typedef struct RunLine RunLine;

/// Word number `index` that may be where completion was asked for; NULL after the last. `first`:
/// as first word of the line.
typedef const char *(*RunWordFn)(void *user, bool first, int index);

/// NULL: no memory.
RunLine *run_line_open(const char *prompt, RunWordFn words, void *user);
void run_line_close(RunLine *line);
/// The next line without its end, NULL at the end of the input. Valid until the next call. An
/// interruption gives an empty line.
const char *run_line_read(RunLine *line);

#endif

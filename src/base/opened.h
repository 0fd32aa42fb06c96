// SPDX-License-Identifier: Apache-2.0
/// \file
/// Who wants to know which files are read: an export that must hold them all.
#ifndef RI_BASE_OPENED_H
#define RI_BASE_OPENED_H

#include <rille/context.h>

/// Has `fn` called with the path of every file that is opened for reading through the context from
/// now on; NULL for nobody.
void ri_context_watch_opened(RiContext *ctx, void (*fn)(void *user, const char *path), void *user);
/// To be called by whoever opens a file.
void ri_context_opened(RiContext *ctx, const char *path);

#endif

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Opening of shared objects that users give: devices, terrains, image filters, FMUs.
///
/// The code of a shared object runs with all rights of the program; the check guards against broken
/// files, not against malice.
#ifndef RI_BASE_SHARED_OBJECT_H
#define RI_BASE_SHARED_OBJECT_H

#include <rille/context.h>

/// Whether a file is a whole shared object for this machine, as far as can be seen without loading
/// it: the loader takes the sizes in a file's head on trust and dies of a signal where it is cut
/// off. RI_ERR_IO or RI_ERR_FORMAT; the message begins with the path.
RI_MUST_CHECK RiStatus ri_shared_object_check(RiContext *ctx, const char *path);
/// Checks and opens it, to be closed by dlclose. A name without a slash is a file of the working
/// folder, never one of the system's folders.
RI_MUST_CHECK RiStatus ri_shared_object_open(RiContext *ctx, const char *path, void **out_handle);

#endif

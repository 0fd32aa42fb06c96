// SPDX-License-Identifier: Apache-2.0
/// \file
/// Files as text.
#ifndef RI_IO_FILE_H
#define RI_IO_FILE_H

#include <stddef.h>

#include <rille/context.h>

/// Reads a whole file of at most `limit` bytes. The text is terminated by a zero that *out_size does not count; release
/// it with ri_release. RI_ERR_NOT_FOUND if there is no such file, RI_ERR_IO if it cannot be read (a folder, no
/// permission), RI_ERR_LIMIT if it is larger than `limit`.
RI_MUST_CHECK RiStatus ri_file_read(RiContext *ctx, const char *path, size_t limit, char **out_text, size_t *out_size);

#endif

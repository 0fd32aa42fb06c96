// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whole files, read with a limit.
#ifndef RI_IO_FILE_H
#define RI_IO_FILE_H

#include <stddef.h>

#include <rille/context.h>

/// Reads the file (or pipe) `path` of at most `limit` bytes. Devices are refused, and pipes without
/// a writer or with one that is silent for a minute; a UTF-8 byte order mark is left out. The text
/// is followed by a zero byte that is not counted in *out_size; the caller releases it with
/// ri_release. Fails with RI_ERR_NOT_FOUND, RI_ERR_LIMIT, RI_ERR_IO or RI_ERR_MEMORY; every message
/// starts with the path.
RI_MUST_CHECK RiStatus ri_file_read(RiContext *ctx, const char *path, size_t limit, char **out_text, size_t *out_size);

#endif

// SPDX-License-Identifier: Apache-2.0
/// \file
/// A file that is written from front to back: either beside its place, so that it appears whole or
/// not at all (ri_sink_open), or in place, so that others can read it while it grows
/// (ri_sink_open_growing: logs).
#ifndef RI_IO_SINK_H
#define RI_IO_SINK_H

#include <stddef.h>
#include <stdint.h>

#include <rille/context.h>

#include "io/file/beside.h"

typedef struct RiSink {
    RiContext *ctx;
    char *path;       ///< own copy
    RiBeside *beside; ///< NULL: growing
    int file;         ///< -1: closed
    int reason;       ///< errno of the first failure; every later write fails with it
    uint64_t size;
} RiSink;

/// Starts a file that replaces `path` when it is closed.
RI_MUST_CHECK RiStatus ri_sink_open(RiSink *s, RiContext *ctx, const char *path);
/// Creates or empties the file itself; what is written so far can be read at any time.
RI_MUST_CHECK RiStatus ri_sink_open_growing(RiSink *s, RiContext *ctx, const char *path);
/// Writes all bytes or fails with RI_ERR_IO; a failed write takes its part back, where the file can
/// be cut.
RI_MUST_CHECK RiStatus ri_sink_write(RiSink *s, const void *data, size_t size);
/// Closes. `so_far` is the status of the writer's work: unless it is RI_OK the file that was to be
/// replaced stays as it was, and `so_far` is returned. Safe on a zeroed sink and on one that failed
/// to open.
RI_MUST_CHECK RiStatus ri_sink_close(RiSink *s, RiStatus so_far);

/// The whole of a file at once, beside its place.
RI_MUST_CHECK RiStatus ri_file_write(RiContext *ctx, const char *path, const void *data, size_t size);

#endif

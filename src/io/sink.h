// SPDX-License-Identifier: Apache-2.0
/// \file
/// A file that is written from front to back.
#ifndef RI_IO_SINK_H
#define RI_IO_SINK_H

#include <stddef.h>
#include <stdint.h>

#include <rille/context.h>

typedef struct RiSink {
    RiContext *ctx;
    char *path; ///< own copy
    int file;   ///< -1: closed
    int reason; ///< errno of the first failure; every later write fails with it
    uint64_t size;
} RiSink;

/// Creates or empties the file.
RI_MUST_CHECK RiStatus ri_sink_open(RiSink *s, RiContext *ctx, const char *path);
/// Writes all bytes or fails with RI_ERR_IO; a failed write takes its part back, where the file can be cut.
RI_MUST_CHECK RiStatus ri_sink_write(RiSink *s, const void *data, size_t size);
/// Closes; safe on a zeroed sink that was opened or failed to open.
RI_MUST_CHECK RiStatus ri_sink_close(RiSink *s);

#endif

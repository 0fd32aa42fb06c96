// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whole files: read with a limit, and written so that they appear whole or not at all.
///
///     ri_file_read(path, limit) --> text
///     ri_beside_open --> a new file PATH.XXXXXX.part --> writes --> ri_beside_close(keep) --> rename to PATH, or removed
///     ri_sink_open, ri_sink_open_growing --> writes --> ri_sink_close(status)
///
/// A symbolic link is kept: the file that it points to is replaced. What is not a regular file (a
/// terminal, a pipe, /dev/stdout) cannot be replaced and is written in place. The path "-" is
/// standard output. An existing file keeps its mode.
///
/// Threads and ownership: an RiBeside and an RiSink each belong to one thread. An RiBeside holds no
/// heap memory besides that of its stream.
#ifndef RILLE_FILE_H
#define RILLE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <rille/context.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- reading -------------------------------------------------------------------------------------

/// Reads the file (or pipe) `path` of at most `limit` bytes. Devices are refused, and pipes without
/// a writer or with one that is silent for a minute; a UTF-8 byte order mark is left out. The text
/// is followed by a zero byte that is not counted in *out_size; the caller releases it with
/// ri_release. Fails with RI_ERR_NOT_FOUND, RI_ERR_LIMIT, RI_ERR_IO or RI_ERR_MEMORY; every message
/// starts with the path.
RI_MUST_CHECK RiStatus ri_file_read(RiContext *ctx, const char *path, size_t limit, char **out_text, size_t *out_size);

/// Opens a regular file for reading and waits for nothing: a pipe without a writer is refused, too.
/// NULL with errno set; EINVAL: not a regular file.
FILE *ri_file_open(const char *path);

// --- writing beside the place --------------------------------------------------------------------

enum { RI_BESIDE_PATH = 4096, RI_BESIDE_MORE = 16 }; ///< room for a path; what the name beside it adds to that

typedef struct RiBeside {
    int file;                  ///< -1: closed
    FILE *stream;              ///< NULL unless opened by ri_beside_stream
    bool in_place;             ///< a special file: nothing is renamed
    bool durable;              ///< set it before closing: file and name are brought to the disk
    char path[RI_BESIDE_PATH]; ///< links resolved
    char beside[RI_BESIDE_PATH + RI_BESIDE_MORE];
} RiBeside;

/// Creates the file beside `path`. Returns 0 or an errno; a pipe that nobody reads is ENXIO, a
/// folder EISDIR.
int ri_beside_open(RiBeside *b, const char *path);
/// The same with a stream for text; NULL with errno set.
FILE *ri_beside_stream(RiBeside *b, const char *path);
/// Writes all bytes; 0 or errno.
int ri_beside_write(RiBeside *b, const void *data, size_t size);
/// Closes and renames if `keep` and if every write to the stream succeeded, otherwise removes the
/// file beside. Returns 0 or an errno: that of the first thing that failed. Safe after a failed
/// open.
int ri_beside_close(RiBeside *b, bool keep);

/// Writes a name beside `path` that no file has now: PATH.XXXXXX.part.
void ri_beside_name(const char *path, char out[RI_BESIDE_PATH + RI_BESIDE_MORE]);
/// Whether `name` is one of those for a file `of`: what a killed program left.
bool ri_beside_is_part(const char *name, const char *of);

// --- writing from front to back ------------------------------------------------------------------

/// A file that is written from front to back: either beside its place, so that it appears whole or
/// not at all (ri_sink_open), or in place, so that others can read it while it grows
/// (ri_sink_open_growing: logs).
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

/// To which the kernel confines the readers of foreign formats (GDAL, assimp), for `rille
/// --version`: "files and network", "network", ...
const char *ri_confine_text(void);

#ifdef __cplusplus
}
#endif
#endif

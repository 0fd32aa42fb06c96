// SPDX-License-Identifier: Apache-2.0
/// \file
/// Files that appear whole or not at all: they are written beside their place and renamed.
///
///     ri_beside_open --> a new file PATH.XXXXXX.part --> writes --> ri_beside_close(keep) --> rename to PATH, or removed
///
/// A symbolic link keeps pointing: the file behind it is replaced. What is not a regular file (a
/// terminal, a pipe, /dev/stdout) cannot be replaced and is written in place. An existing file
/// keeps its mode.
///
/// Threads and ownership: a RiBeside belongs to one thread; it holds no heap memory besides that of
/// its stream.
#ifndef RI_IO_BESIDE_H
#define RI_IO_BESIDE_H

#include <stdbool.h>
#include <stdio.h>

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

#endif

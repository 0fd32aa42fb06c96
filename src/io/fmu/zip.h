// SPDX-License-Identifier: Apache-2.0
/// \file
/// Zip files, as FMUs are: written, and read with limits.
///
///     files in memory --(ri_zip_add)--> archive in memory;   bytes of a stranger --(ri_zip_open)--> entries --(ri_zip_read)--> bytes
///
/// The reader believes nothing: every offset, size and checksum is looked at, names lead to no
/// other folder, and sizes are bounded before memory is taken. Zip64, encryption and archives in
/// several parts are refused.
#ifndef RI_IO_ZIP_H
#define RI_IO_ZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rille/context.h>

enum { RI_ZIP_ENTRIES = 65535, RI_ZIP_MOST = 1 << 30 }; ///< entries; bytes of one entry, and of all

typedef struct RiZipEntry {
    char *name;
    size_t offset;       ///< of its local head
    size_t packed, size; ///< [bytes]
    uint32_t crc;
    int method; ///< 0 stored, 8 deflated
} RiZipEntry;

/// An archive: being written, or read from `data`.
typedef struct RiZip {
    RiContext *ctx;
    const char *path; ///< for messages
    unsigned char *data;
    size_t size, room;
    RiZipEntry *entries;
    int count, entry_room;
} RiZip;

void ri_zip_init(RiZip *z, RiContext *ctx, const char *path);
/// Releases all but `data` of a reader.
void ri_zip_free(RiZip *z);
/// Adds a file; `deflate` false stores it as it is.
RI_MUST_CHECK RiStatus ri_zip_add(RiZip *z, const char *name, const void *data, size_t size, bool deflate);
/// Appends the directory: data and size are the archive then.
RI_MUST_CHECK RiStatus ri_zip_finish(RiZip *z);

/// Reads the directory of an archive in memory, which is borrowed. RI_ERR_FORMAT names the path and
/// what is wrong.
RI_MUST_CHECK RiStatus ri_zip_open(RiContext *ctx, const char *path, const unsigned char *data, size_t size,
                                   RiZip *out_zip);
/// Index of an entry, -1 if there is none.
int ri_zip_find(const RiZip *z, const char *name);
/// The bytes of an entry, followed by a zero; release them with ri_release.
RI_MUST_CHECK RiStatus ri_zip_read(const RiZip *z, int entry, unsigned char **out_data, size_t *out_size);

#endif

// SPDX-License-Identifier: Apache-2.0
/// \file
/// A reader for the part of HDF5 that plain files of numbers use: groups by symbol tables, and
/// datasets of integers and floating-point numbers stored in one piece. Works inside the given
/// bytes; whatever they are, nothing outside of them is touched.
///
/// Known: superblock versions 0 and 1, object headers version 1, B-trees version 1, layouts version
/// 1 to 3 (contiguous and compact), little- and big-endian numbers of 1 to 8 bytes. Not known:
/// chunks, filters, links, attributes.
#ifndef RI_IO_HDF5_H
#define RI_IO_HDF5_H

#include <stddef.h>
#include <stdint.h>

#include <rille/context.h>

typedef struct RiHdf5 {
    RiContext *ctx;
    const char *file; ///< for messages
    const unsigned char *data;
    size_t size;
    uint64_t root; ///< object header of the root group
} RiHdf5;

/// Where an object is in the file; 0: there is no such object.
typedef uint64_t RiHdf5Object;

RI_MUST_CHECK RiStatus ri_hdf5_init(RiHdf5 *h, RiContext *ctx, const char *file, const void *data, size_t size);
/// The object at a path ("fclib_local/W/x") below the root; *out is 0 if there is none.
RI_MUST_CHECK RiStatus ri_hdf5_find(const RiHdf5 *h, const char *path, RiHdf5Object *out);
/// Numbers of the dataset at a path as doubles; the caller releases them with ri_release. It is an
/// error if there is none, or more than `most` numbers.
RI_MUST_CHECK RiStatus ri_hdf5_read(const RiHdf5 *h, const char *path, size_t most, double **out_numbers,
                                    size_t *out_count);

#endif

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Inside the readers of contact problems.
#ifndef RI_IO_CONE_READ_H
#define RI_IO_CONE_READ_H

#include <rille/cone_file.h>

struct RiConeFile {
    RiContext *ctx;
    int dimension;
    double *W, *q, *mu; ///< one block of memory, owned; three rows per contact
    RiConeProblem problem;
};

/// An empty problem of `contacts` contacts, all numbers zero.
RI_MUST_CHECK RiStatus ri_cone_file_new(RiContext *ctx, int contacts, int dimension, RiConeFile **out_file);
/// Reads Siconos' text from memory.
RI_MUST_CHECK RiStatus ri_cone_file_text(RiContext *ctx, const char *name, const char *data, size_t size,
                                         RiConeFile **out_file);
/// Reads FCLIB's HDF5 from memory.
RI_MUST_CHECK RiStatus ri_cone_file_fclib(RiContext *ctx, const char *path, const char *data, size_t size,
                                          RiConeFile **out_file);

#endif

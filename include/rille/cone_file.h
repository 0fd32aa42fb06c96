// SPDX-License-Identifier: Apache-2.0
/// \file
/// Contact problems in files: Siconos' text format (.dat) and FCLIB's HDF5, read; .dat, written.
///
///     FILE.dat, FILE.hdf5 --(ri_cone_file_load)--> RiConeFile --> RiConeProblem --(ri_cone_file_save)--> FILE.dat
///
/// Text: dimension, contacts, matrix (dense, blocks or sparse), q, mu; or M, H, f, b, mu; see
/// docs/exact-contact.md. Two-dimensional problems (normal and one tangent) become
/// three-dimensional ones with a second tangent in which nothing happens. Problems in global form
/// are condensed: W = H^T M^-1 H, q = H^T M^-1 f + b. A file has up to 4000 contacts.
///
/// Threads and ownership: RiConeFile owns what its problem points to.
#ifndef RILLE_CONE_FILE_H
#define RILLE_CONE_FILE_H

#include <rille/cone.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiConeFile RiConeFile;

/// Reads a problem; the format is told by the first bytes. Messages name file, line and field.
RI_MUST_CHECK RiStatus ri_cone_file_load(RiContext *ctx, const char *path, RiConeFile **out_file);
/// The same from memory; messages use `name` for the file.
RI_MUST_CHECK RiStatus ri_cone_file_parse(RiContext *ctx, const char *name, const char *data, size_t size,
                                          RiConeFile **out_file);
/// Destroys it; NULL does nothing.
void ri_cone_file_destroy(RiConeFile *file);
/// The problem that was read; borrowed, valid with the file.
const RiConeProblem *ri_cone_file_problem(const RiConeFile *file);
/// 3, or 2 for a problem of the plane.
int ri_cone_file_dimension(const RiConeFile *file);

/// Writes a problem in the text format with all its digits, so that it is read back bit for bit.
/// Elliptic cones have no place in the format: they are written in the coordinates in which they
/// are round.
RI_MUST_CHECK RiStatus ri_cone_file_save(RiContext *ctx, const char *path, const RiConeProblem *problem);

#ifdef __cplusplus
}
#endif
#endif

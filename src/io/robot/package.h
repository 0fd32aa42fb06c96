// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where the files that robots speak of lie: package://NAME/rest, file:// and paths. See
/// urdf_path.c.
#ifndef RI_IO_PACKAGE_H
#define RI_IO_PACKAGE_H

#include <limits.h>
#include <stdbool.h>

/// A search: the places that did not have the file, and the one that did.
typedef struct RiFileSearch {
    char tried[640];
    char found[PATH_MAX];
} RiFileSearch;

/// Looks for `uri`, which is in the robot file `file`. False: not found, and `tried` says
/// where; it is empty for an address that is not one of the three.
bool ri_file_search(RiFileSearch *s, const char *file, const char *uri, const char *const *paths, int count);
/// Looks for the folder of the package `name`, as ri_file_search does.
bool ri_package_search(RiFileSearch *s, const char *file, const char *name, const char *const *paths, int count);

#endif

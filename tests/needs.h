// SPDX-License-Identifier: Apache-2.0
/// \file
/// Claims that need an optional part of the build.
#ifndef RI_TESTS_NEEDS_H
#define RI_TESTS_NEEDS_H

#include <stdio.h>
#include <string.h>

#include <rille/version.h>

/// Leaves a claim that needs an optional part ("assimp", "cvode", "embree", "gdal", "view") where
/// this build lacks it, and says so.
#define NEEDS(part)                                                                                                    \
    do {                                                                                                               \
        if (!strstr(ri_version_features(), part ": yes")) {                                                            \
            printf("     skipped: %s: this build has no %s\n", __func__, part);                                        \
            return;                                                                                                    \
        }                                                                                                              \
    } while (0)

#endif

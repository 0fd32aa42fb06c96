// SPDX-License-Identifier: Apache-2.0
/// \file
/// Claims that need an optional part of the build.
#ifndef RI_TESTS_NEEDS_H
#define RI_TESTS_NEEDS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
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

static inline bool needs_find_chromium(void)
{
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome"};
    for (int i = 0; i < 3; i++) {
        char text[100];
        snprintf(text, sizeof text, "command -v %s >/dev/null 2>&1", names[i]);
        if (system(text) == 0)
            return true;
    }
    return false;
}

/// Leaves a claim that needs a browser on a machine that has none, and says so.
#define NEEDS_CHROMIUM()                                                                                               \
    do {                                                                                                               \
        if (!needs_find_chromium()) {                                                                                  \
            printf("     skipped: %s: there is no chromium\n", __func__);                                              \
            return;                                                                                                    \
        }                                                                                                              \
    } while (0)

#endif

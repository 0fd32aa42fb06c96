// SPDX-License-Identifier: Apache-2.0
/// \file
/// Version and features of the library.
#ifndef RILLE_VERSION_H
#define RILLE_VERSION_H

#define RILLE_VERSION_MAJOR 0
#define RILLE_VERSION_MINOR 1
#define RILLE_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/// "0.1.0".
const char *ri_version(void);

/// Optional parts of this build, as one line: "assimp: yes; ...".
const char *ri_version_features(void);

#ifdef __cplusplus
}
#endif
#endif

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Version and build features.
#include <rille/version.h>

#define TEXT(x)    #x
#define TEXT_OF(x) TEXT(x)

const char *ri_version(void)
{
    return TEXT_OF(RILLE_VERSION_MAJOR) "." TEXT_OF(RILLE_VERSION_MINOR) "." TEXT_OF(RILLE_VERSION_PATCH);
}

const char *ri_version_features(void)
{
#ifdef RILLE_HAVE_ASSIMP
    return "assimp: yes";
#else
    return "assimp: no";
#endif
}

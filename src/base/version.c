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

#ifdef RILLE_HAVE_ASSIMP
#define ASSIMP "assimp: yes"
#else
#define ASSIMP "assimp: no"
#endif
#ifdef RILLE_HAVE_CVODE
#define CVODE "cvode: yes"
#else
#define CVODE "cvode: no"
#endif
#ifdef RILLE_HAVE_GDAL
#define GDAL "gdal: yes"
#else
#define GDAL "gdal: no"
#endif
#ifdef RILLE_HAVE_EMBREE
#define EMBREE "embree: yes"
#else
#define EMBREE "embree: no"
#endif

#ifdef RILLE_HAVE_WEBSOCKETS
#define VIEW "view: yes"
#else
#define VIEW "view: no"
#endif

#ifdef RILLE_HAVE_PQ
#define POSTGRES "postgresql: yes"
#else
#define POSTGRES "postgresql: no"
#endif

#ifdef RILLE_HAVE_DDS
#define ROS2 "ros2: yes"
#else
#define ROS2 "ros2: no"
#endif

const char *ri_version_features(void)
{
    return ASSIMP "; " CVODE "; " GDAL "; " EMBREE "; " VIEW "; " POSTGRES "; " ROS2;
}

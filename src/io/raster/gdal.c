// SPDX-License-Identifier: Apache-2.0
/// \file
/// Loading of GDAL.
#include "io/raster/gdal.h"

#include <stdio.h>

#ifdef RILLE_HAVE_GDAL

#include <dlfcn.h>

enum { CACHE_BYTES = 64 << 20 }; ///< of decoded blocks: two rows of 256 x 256 blocks in a map 30 000 wide

static void register_drivers(const RiGdal *g)
{
    g->CPLSetConfigOption("GDAL_PAM_ENABLED", "NO"); // no .aux.xml beside what is read or written
    g->CPLSetConfigOption("GDAL_NUM_THREADS", "1");
    g->GDALSetCacheMax64(CACHE_BYTES);
    g->GDALRegister_GTiff();
    g->GDALRegister_PDS4();
    g->GDALRegister_PDS();
    g->GDALRegister_ISIS3();
    g->GDALRegister_ISIS2();
    g->GDALRegister_VICAR();
    g->GDALRegister_ENVI();
    g->GDALRegister_AAIGrid();
    g->GDALRegister_PNG();
    g->GDALRegister_MEM();
}

bool ri_gdal_load(RiGdal *g)
{
    void *library = dlopen(RILLE_GDAL_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    if (!library) {
        snprintf(g->trouble, sizeof g->trouble, "GDAL cannot be loaded (%s): install libgdal-dev", dlerror());
        return false;
    }
#define LOAD(name)                                                                                                     \
    if (!(*(void **)&g->name = dlsym(library, #name))) {                                                               \
        snprintf(g->trouble, sizeof g->trouble, "%s has no %s: install the GDAL this was built with",                  \
                 RILLE_GDAL_LIBRARY, #name);                                                                           \
        return false;                                                                                                  \
    }
    RI_GDAL_FUNCTIONS(LOAD)
#undef LOAD
    register_drivers(g);
    return true;
}

#endif

// SPDX-License-Identifier: Apache-2.0
/// \file
/// The part of GDAL's C interface that is used, loaded at run time and only in guarded children
/// (guard.h).
///
/// Only the drivers of planetary rasters are registered: a file cannot reach the other two hundred.
#ifndef RI_IO_GDAL_H
#define RI_IO_GDAL_H

#ifdef RILLE_HAVE_GDAL

#include <cpl_conv.h>
#include <cpl_error.h>
#include <gdal.h>
#include <gdal_frmts.h>
#include <ogr_srs_api.h>
#include <stdbool.h>

// clang-format off
#define RI_GDAL_FUNCTIONS(X)                                                                                           \
    X(GDALRegister_GTiff)                                                                                              \
    X(GDALRegister_PDS)                                                                                                \
    X(GDALRegister_PDS4) X(GDALRegister_ISIS3) X(GDALRegister_ISIS2) X(GDALRegister_ENVI) X(GDALRegister_VICAR)        \
        X(GDALRegister_AAIGrid) X(GDALRegister_PNG) X(GDALRegister_MEM) X(GDALOpenEx) X(GDALGetFileList) X(GDALClose) X(GDALFlushCache)   \
            X(GDALGetRasterXSize) X(GDALGetRasterYSize) X(GDALGetRasterCount) X(GDALGetRasterBand)                     \
                X(GDALGetGeoTransform) X(GDALGetProjectionRef) X(GDALGetRasterDataType) X(GDALGetDataTypeName)         \
                    X(GDALDataTypeIsComplex) X(GDALGetRasterScale) X(GDALGetRasterOffset) X(GDALGetRasterUnitType)     \
                        X(GDALRasterIO) X(GDALGetMaskBand) X(GDALGetMaskFlags) X(GDALGetOverviewCount)                 \
                            X(GDALGetOverview) X(GDALGetRasterBandXSize) X(GDALGetRasterBandYSize)                     \
                                X(GDALGetDatasetDriver) X(GDALGetDriverShortName) X(GDALGetDriverByName) X(GDALCreate) \
                                    X(GDALCreateCopy) X(GDALSetGeoTransform) X(GDALSetProjection)                      \
                                        X(GDALSetRasterNoDataValue) X(GDALBuildOverviews) X(GDALSetCacheMax64)         \
                                            X(CPLErrorReset) X(CPLGetLastErrorType) X(CPLGetLastErrorMsg)              \
                                                X(CPLSetConfigOption) X(OSRNewSpatialReference) X(OSRIsGeographic)     \
                                                    X(OSRIsProjected) X(OSRGetLinearUnits) X(OSRGetAngularUnits)       \
                                                        X(OSRGetSemiMajor) X(OSRGetInvFlattening) X(OSRCopyGeogCSFrom) \
                                                            X(OSRSetProjCS) X(OSRSetEquirectangular2)                  \
                                                                X(OSRSetLinearUnitsAndUpdateParameters)                \
                                                                    X(OSRExportToWkt)
// clang-format on

typedef struct RiGdal {
#define RI_GDAL_POINTER(name) __typeof__(name) *name;
    RI_GDAL_FUNCTIONS(RI_GDAL_POINTER)
#undef RI_GDAL_POINTER
    char trouble[300]; ///< why the loading failed
} RiGdal;

/// Loads the library and registers the drivers. In a child only: GDAL talks to standard error,
/// which is nowhere there. False: `trouble` says why.
bool ri_gdal_load(RiGdal *g);

#endif
#endif

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rasters from and to files, and maps that are read piece by piece.
///
///     GeoTIFF, PDS3, PDS4, ISIS cube, ENVI, VICAR, ASCII grid --(GDAL, in a child)--> RiRaster     --> heights
///                                                                                \--> RiTileSource --> paged tiles
///     RiRaster --> GeoTIFF, ENVI, ASCII grid
///     RiTerrain --(ri_terrain_bake_cached)--> distance grid, from the cache on disk or baked and put there
///
/// Foreign files are read and written by GDAL in a process of its own with limits on time and
/// memory: what goes wrong there is a message here. A build without GDAL answers
/// RI_ERR_UNSUPPORTED.
///
/// Threads and ownership: loaders use one context and give what they make to the caller. A tile
/// source that was opened is closed with the terrain that takes it, or by its own `close`. Several
/// programs may share a cache folder.
#ifndef RILLE_TERRAIN_IO_H
#define RILLE_TERRAIN_IO_H

#include <stdbool.h>
#include <stdint.h>

#include <rille/context.h>
#include <rille/report.h>
#include <rille/terrain.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RI_RASTER_MAX_CELLS = 1 << 28 }; ///< of a raster in memory: 1 GiB

/// What becomes of values that are missing in the file.
typedef enum RiMissing {
    RI_MISSING_KEEP,  ///< NAN
    RI_MISSING_FILL,  ///< smooth values from around
    RI_MISSING_REFUSE ///< an error with their number
} RiMissing;

/// The part of a file to read.
typedef enum RiWindowUnit {
    RI_WINDOW_ALL,
    RI_WINDOW_PIXELS, ///< column, row of the first pixel as stored, then columns and rows
    RI_WINDOW_MAP     ///< west, south, east, north in the file's own map units: the cells whose centres are inside
} RiWindowUnit;

typedef struct RiRasterOptions {
    int band; ///< from 1
    RiWindowUnit window_unit;
    double window[4];
    double cell;    ///< resample to this cell size [m]: average where coarser, bicubic where finer; 0: as in the file
    double spacing; ///< cell size of a file that does not tell one [m]; 0: 1 m
    double scale, offset; ///< value = scale * (value of the file, its own scale and offset and unit applied) + offset
    bool has_no_data;     ///< `no_data` is missing, whatever the file says
    double no_data;       ///< as stored
    RiMissing missing;
    bool has_origin;           ///< else: (0, 0) of a local system, the rounded centre of a map projection
    double origin_x, origin_y; ///< map coordinates of the local origin [m]
    double seconds;            ///< the reading is stopped after this time
    RiReport *report;          ///< what was found and done, NULL: not told
} RiRasterOptions;
/// The defaults that its fields name.
RiRasterOptions ri_raster_options_default(void);

/// Reads a band of a file. `options` may be NULL. Errors name the file and the reason:
/// RI_ERR_NOT_FOUND, RI_ERR_IO, RI_ERR_FORMAT (no known format, damaged, truncated, rotated, no
/// values at all), RI_ERR_LIMIT (too large), RI_ERR_ARGUMENT (band, window), RI_ERR_UNSUPPORTED.
RI_MUST_CHECK RiStatus ri_raster_load(RiContext *ctx, const char *path, const RiRasterOptions *options,
                                      RiRaster **out_raster);

/// Writes float32: GeoTIFF (.tif, .tiff: tiled, deflate), ENVI (.dat, .img with .hdr) or ASCII grid
/// (.asc, square cells). The file appears whole or not at all; values, georeference and projection
/// come back as they were. `overviews` adds levels of half resolution to a GeoTIFF, which make
/// large maps quick to draw.
RI_MUST_CHECK RiStatus ri_raster_save(RiContext *ctx, const RiRaster *raster, const char *path, bool overviews);

/// Opens a file for paged reading. Takes the same options but `cell` (which must be 0) and
/// `missing` (see RiTilesDef.holes). Levels come from the file's overviews where they fit, else
/// they are averaged when asked for.
RI_MUST_CHECK RiStatus ri_tiles_open(RiContext *ctx, const char *path, const RiRasterOptions *options,
                                     RiTileSource *out_source);
/// Of a source from ri_tiles_open: where its x, y are in the file's system, the system (WKT), and
/// why the last read failed ("" if none did).
void ri_tiles_origin(const RiTileSource *source, double *out_x, double *out_y);
/// The projection as well-known text; "" if the file has none. Borrowed.
const char *ri_tiles_projection(const RiTileSource *source);
/// What went wrong while pages were read; "" if nothing did. Borrowed.
const char *ri_tiles_trouble(const RiTileSource *source);

// --- cache of distance grids ---------------------------------------------------------------------

/// ri_terrain_bake through a cache on disk. `content_hash` represents everything that the source
/// was made from (the bytes of a scan, the numbers of a scene); together with the definition it
/// names the file. `source` may be NULL if only the cache is wanted: RI_ERR_NOT_FOUND where it does
/// not help. `folder`: NULL for $XDG_CACHE_HOME/rille or ~/.cache/rille; it is created. A damaged
/// file is baked anew and replaced; a folder that cannot be written only costs the time of baking.
/// `out_hit` (may be NULL) says whether the cache answered.
RI_MUST_CHECK RiStatus ri_terrain_bake_cached(RiContext *ctx, const RiTerrain *source, uint64_t content_hash,
                                              const RiBakeDef *def, const char *folder, bool *out_hit,
                                              RiTerrain **out_terrain);
/// Hash of a mesh for `content_hash`: its points, triangles, flip and material.
uint64_t ri_ground_mesh_hash(const RiGroundMeshDef *def);

#ifdef __cplusplus
}
#endif
#endif

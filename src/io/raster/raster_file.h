// SPDX-License-Identifier: Apache-2.0
/// \file
/// An open raster file in the child (guard.h): its band, the window asked for, and where that
/// is on the ground.
///
///     path, options --(ri_raster_file_open)--> RiRasterFile: window, frame, notes --(ri_raster_file_read)--> values in metres, NAN if missing
#ifndef RI_IO_RASTER_FILE_H
#define RI_IO_RASTER_FILE_H

#ifdef RILLE_HAVE_GDAL

#include <stdbool.h>
#include <stdint.h>

#include <rille/terrain_io.h>

#include "io/raster/gdal.h"

/// What is sent before the values: plain numbers, then the projection's and the notes' text.
typedef struct RiRasterHead {
    int32_t nx, ny;
    double x0, y0, dx, dy, origin_x, origin_y; ///< as in RiRaster
    uint32_t from_north;                       ///< rows come from the north
    uint32_t levels;                           ///< of a tile source
    uint32_t wkt_length, notes_length;
} RiRasterHead;

enum { RI_RASTER_MOST_TEXT = 1 << 16 };

typedef struct RiRasterFile {
    RiGdal gdal;
    RiContext *ctx;
    const char *path;
    RiRasterOptions options;
    GDALDatasetH dataset;
    GDALRasterBandH band, mask; ///< mask NULL: every value is one
    int columns, rows;          ///< of the file
    int column, row, nx, ny;    ///< window, as stored
    double scale, offset;       ///< of the stored values, the options' applied
    double corner_x, corner_y;  ///< where column 0, row 0 begin [m]
    double step_x, step_y;      ///< to the next column and row, signed [m]
    bool is_map;                ///< is in a map projection, not in a local system
    double *values;             ///< of one read
    uint8_t *valid;
    size_t room; ///< in both
    RiStatus status;
    char reason[400];                ///< of a failure
    char notes[RI_RASTER_MOST_TEXT]; ///< lines for the report, the first letter is the kind: u(nderstood), w(arning)
    size_t notes_length;
    char *wkt;
} RiRasterFile;

/// False: `status` and `reason` say why.
bool ri_raster_file_open(RiRasterFile *f);
/// Place and size of the raster made of the window by cells of `cell` (0: its own).
void ri_raster_file_head(const RiRasterFile *f, double cell, RiRasterHead *out);
/// Reads a part of the file, or of its overview `level` (-1: the file), as stored, into f->values.
bool ri_raster_file_read(RiRasterFile *f, int overview, int column, int row, int nx, int ny);

bool ri_raster_file_fail(RiRasterFile *f, RiStatus status, const char *format, ...) RI_PRINTF(3, 4);
/// Sends header, head, projection and notes.
void ri_raster_file_send_head(const RiRasterFile *f, int fd, RiRasterHead *head);

#endif
#endif

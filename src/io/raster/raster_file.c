// SPDX-License-Identifier: Apache-2.0
/// \file
/// Opening of a raster: format, band, scale, georeference, window. All of it runs in the child.
#include "io/raster/raster_file.h"

#include <stdio.h>

#ifdef RILLE_HAVE_GDAL

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/functions.h"
#include "base/memory.h"
#include "io/file/confine.h"
#include "io/file/guard.h"

/// Values of this size and beyond represent something else: ISIS and PDS mark missing and saturated
/// floats by the last few negative numbers.
static const double largest_value = 3.4028e38;

bool ri_raster_file_fail(RiRasterFile *f, RiStatus status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(f->reason, sizeof f->reason, format, args);
    va_end(args);
    f->status = status;
    return false;
}

RI_PRINTF(3, 4) static void note(RiRasterFile *f, char kind, const char *format, ...)
{
    const size_t room = sizeof f->notes - f->notes_length;
    va_list args;
    va_start(args, format);
    char text[400];
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const int n = snprintf(f->notes + f->notes_length, room, "%c%s\n", kind, text);
    if (n > 0 && (size_t)n < room)
        f->notes_length += (size_t)n;
}

// --- format and band -----------------------------------------------------------------------------

/// A label beside a data file that cannot be opened by itself.
static bool find_label(const char *path, char *out, size_t room)
{
    static const char *const endings[] = {".lbl", ".LBL", ".xml", ".XML"};
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    if (!dot || (slash && dot < slash))
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        snprintf(out, room, "%.*s%s", (int)(dot - path), path, endings[i]);
        if (strcmp(out, path) != 0 && access(out, R_OK) == 0)
            return true;
    }
    return false;
}

static bool refuse_format(RiRasterFile *f)
{
    char label[300];
    const char *dot = strrchr(f->path, '.');
    if (dot && strcasecmp(dot, ".hdr") == 0)
        return ri_raster_file_fail(f, RI_ERR_FORMAT, "is a header: open the data file that it describes");
    if (find_label(f->path, label, sizeof label))
        return ri_raster_file_fail(f, RI_ERR_FORMAT, "has no embedded label: open %s", label);
    return ri_raster_file_fail(f, RI_ERR_FORMAT,
                               "is not a raster that can be read (GeoTIFF, PDS3, PDS4, ISIS cube, ENVI, VICAR, ASCII "
                               "grid, PNG): %s",
                               f->gdal.CPLGetLastErrorMsg());
}

/// Whether a file lies below the folder of another one; what is not there lies nowhere and does no
/// harm.
static bool is_below(const char *file, const char *beside)
{
    char real[PATH_MAX], folder[PATH_MAX];
    if (!realpath(file, real) || !realpath(beside, folder))
        return true;
    char *slash = strrchr(folder, '/');
    if (!slash)
        return false;
    slash[1] = '\0';
    return strncmp(real, folder, strlen(folder)) == 0;
}

/// The files that a label names: they stay below its folder, and are files. The kernel has kept
/// GDAL in there already where it can; this is for the message, and for kernels that cannot.
static bool check_names(RiRasterFile *f)
{
    char **const files = f->gdal.GDALGetFileList(f->dataset);
    for (char **file = files; file && *file; file++)
        if (strncmp(*file, "/vsi", 4) == 0 || !is_below(*file, f->path))
            return ri_raster_file_fail(f, RI_ERR_FORMAT, "names '%.200s', which is not below its own folder", *file);
    return true; // the list is not freed: the child ends soon
}

static bool open_band(RiRasterFile *f)
{
    const RiGdal *g = &f->gdal;
    f->dataset = g->GDALOpenEx(f->path, GDAL_OF_RASTER | GDAL_OF_READONLY, NULL, NULL, NULL);
    if (!f->dataset)
        return refuse_format(f);
    const int bands = g->GDALGetRasterCount(f->dataset);
    f->columns = g->GDALGetRasterXSize(f->dataset);
    f->rows = g->GDALGetRasterYSize(f->dataset);
    if (bands < 1 || f->columns < 1 || f->rows < 1)
        return ri_raster_file_fail(f, RI_ERR_FORMAT, "contains no raster (%d x %d, %d bands)", f->columns, f->rows,
                                   bands);
    if (f->options.band < 1 || f->options.band > bands)
        return ri_raster_file_fail(f, RI_ERR_ARGUMENT, "band %d: the file has %d", f->options.band, bands);
    f->band = g->GDALGetRasterBand(f->dataset, f->options.band);
    const GDALDataType type = g->GDALGetRasterDataType(f->band);
    const char *driver = g->GDALGetDriverShortName(g->GDALGetDatasetDriver(f->dataset));
    if (g->GDALDataTypeIsComplex(type))
        return ri_raster_file_fail(f, RI_ERR_FORMAT, "holds complex numbers (%s)", g->GDALGetDataTypeName(type));
    if (!(g->GDALGetMaskFlags(f->band) & GMF_ALL_VALID))
        f->mask = g->GDALGetMaskBand(f->band);
    note(f, 'u', "%s, %d x %d %s, band %d of %d", driver, f->columns, f->rows, g->GDALGetDataTypeName(type),
         f->options.band, bands);
    return true;
}

/// Metres in a unit of height; 0 if it is not known.
static double metres_in(const char *unit)
{
    static const struct {
        const char *name;
        double metres;
    } units[] = {{"", 1.0},          {"m", 1.0},     {"metre", 1.0},   {"meter", 1.0},  {"metres", 1.0},
                 {"meters", 1.0},    {"km", 1000.0}, {"cm", 0.01},     {"mm", 0.001},   {"kilometer", 1000.0},
                 {"kilometre", 1e3}, {"ft", 0.3048}, {"foot", 0.3048}, {"feet", 0.3048}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcasecmp(unit, units[i].name) == 0)
            return units[i].metres;
    return 0.0;
}

static bool find_scale(RiRasterFile *f)
{
    const RiGdal *g = &f->gdal;
    int has_scale = 0, has_offset = 0;
    const char *unit = g->GDALGetRasterUnitType(f->band);
    double scale = g->GDALGetRasterScale(f->band, &has_scale), offset = g->GDALGetRasterOffset(f->band, &has_offset);
    scale = has_scale && scale != 0.0 ? scale : 1.0;
    offset = has_offset ? offset : 0.0;
    const double metres = metres_in(unit ? unit : "");
    if (metres == 0.0)
        note(f, 'w', "values are in '%.40s', which is not known: taken as they stand", unit);
    else if (metres != 1.0)
        note(f, 'u', "values are in %s: multiplied by %g", unit, metres);
    if (scale != 1.0 || offset != 0.0)
        note(f, 'u', "the file's scale %.9g and offset %.9g are applied", scale, offset);
    const double more = f->options.scale * (metres == 0.0 ? 1.0 : metres);
    f->scale = more * scale;
    f->offset = more * offset + f->options.offset;
    if (!isfinite(f->scale) || !isfinite(f->offset))
        return ri_raster_file_fail(f, RI_ERR_FORMAT, "scale %g and offset %g are not finite", f->scale, f->offset);
    return true;
}

// --- window --------------------------------------------------------------------------------------

/// Pixels whose centres lie between a and b along one axis, which begins at `corner` in steps of
/// `step`.
static void pixels_between(double corner, double step, double a, double b, double *out_first, double *out_end)
{
    const double u = (a - corner) / step, v = (b - corner) / step;
    *out_first = ceil(fmin(u, v) - 0.5 - 1e-9);
    *out_end = floor(fmax(u, v) - 0.5 + 1e-9) + 1.0;
}

static bool choose_window(RiRasterFile *f, const double *gt)
{
    const double *w = f->options.window;
    double c0 = 0.0, c1 = f->columns, r0 = 0.0, r1 = f->rows;
    switch (f->options.window_unit) {
    case RI_WINDOW_ALL:
        break;
    case RI_WINDOW_PIXELS:
        c0 = w[0], c1 = w[0] + w[2], r0 = w[1], r1 = w[1] + w[3];
        break;
    case RI_WINDOW_MAP:
        pixels_between(gt[0], gt[1], w[0], w[2], &c0, &c1);
        pixels_between(gt[3], gt[5], w[1], w[3], &r0, &r1);
        break;
    }
    c0 = fmax(c0, 0.0), c1 = fmin(c1, f->columns), r0 = fmax(r0, 0.0), r1 = fmin(r1, f->rows);
    if (!(c1 - c0 >= 1.0 && r1 - r0 >= 1.0))
        return ri_raster_file_fail(
            f, RI_ERR_ARGUMENT,
            "the window (%g, %g, %g, %g) contains no cell: the file has %d x %d, from (%.10g, %.10g) to (%.10g, %.10g)",
            w[0], w[1], w[2], w[3], f->columns, f->rows, fmin(gt[0], gt[0] + f->columns * gt[1]),
            fmin(gt[3], gt[3] + f->rows * gt[5]), fmax(gt[0], gt[0] + f->columns * gt[1]),
            fmax(gt[3], gt[3] + f->rows * gt[5]));
    f->column = (int)c0;
    f->row = (int)r0;
    f->nx = (int)(c1 - f->column);
    f->ny = (int)(r1 - f->row);
    return true;
}

// --- georeference --------------------------------------------------------------------------------

/// Degrees become metres of an equidistant cylindrical projection of the same body, true to scale
/// at the window's middle.
static bool use_degrees(RiRasterFile *f, OGRSpatialReferenceH degrees, const double *gt)
{
    const RiGdal *g = &f->gdal;
    const double unit = g->OSRGetAngularUnits(degrees, NULL), radius = g->OSRGetSemiMajor(degrees, NULL);
    const double middle = (gt[3] + (f->row + 0.5 * f->ny) * gt[5]) * unit, half = fabs(0.5 * f->ny * gt[5] * unit);
    if (!(fabs(middle) + half < 1.5533)) // 89 degrees
        return ri_raster_file_fail(
            f, RI_ERR_FORMAT,
            "is in degrees and reaches a pole, where they cannot be made metres: project it first "
            "(gdalwarp -t_srs), or choose a window");
    f->step_x = gt[1] * unit * radius * ri_cos(middle);
    f->corner_x = gt[0] * unit * radius * ri_cos(middle);
    f->step_y = gt[5] * unit * radius;
    f->corner_y = gt[3] * unit * radius;
    const double error = fmax(fabs(ri_cos(fabs(middle) + half) / ri_cos(middle) - 1.0),
                              fabs(ri_cos(fmax(fabs(middle) - half, 0.0)) / ri_cos(middle) - 1.0));
    note(
        f, 'u',
        "degrees are made metres by the radius %.10g m, true at latitude %.6g; east-west lengths are up to %.2g %% off",
        radius, middle * 180.0 / M_PI, 100.0 * error);
    if (g->OSRGetInvFlattening(degrees, NULL) > 0.0)
        note(f, 'w', "the body is an ellipsoid (1/%.6g); lengths by its equatorial radius are off by about that part",
             g->OSRGetInvFlattening(degrees, NULL));
    OGRSpatialReferenceH metres = g->OSRNewSpatialReference("");
    g->OSRSetProjCS(metres, "equidistant cylindrical");
    g->OSRCopyGeogCSFrom(metres, degrees);
    g->OSRSetEquirectangular2(metres, 0.0, 0.0, middle * 180.0 / M_PI, 0.0, 0.0);
    g->OSRExportToWkt(metres, &f->wkt);
    return true;
}

static bool use_projection(RiRasterFile *f, const double *gt)
{
    const RiGdal *g = &f->gdal;
    const char *wkt = g->GDALGetProjectionRef(f->dataset);
    OGRSpatialReferenceH system = wkt && wkt[0] ? g->OSRNewSpatialReference(wkt) : NULL;
    double unit = 1.0;
    if (system) {
        f->is_map = g->OSRIsProjected(system) || g->OSRIsGeographic(system);
        if (g->OSRIsGeographic(system))
            return use_degrees(f, system, gt);
        unit = g->OSRGetLinearUnits(system, NULL);
        if (!(unit > 0.0 && isfinite(unit)))
            return ri_raster_file_fail(f, RI_ERR_FORMAT, "the projection's length unit is %g m", unit);
        if (unit != 1.0) {
            note(f, 'u', "map units of %.9g m are made metres", unit);
            g->OSRSetLinearUnitsAndUpdateParameters(system, "metre", 1.0);
        }
        g->OSRExportToWkt(system, &f->wkt);
    }
    f->corner_x = gt[0] * unit;
    f->corner_y = gt[3] * unit;
    f->step_x = gt[1] * unit;
    f->step_y = gt[5] * unit;
    return true;
}

/// Six numbers of an affine map from (column, row) to (x, y); of a file without one, unit cells
/// with the south-west corner at the origin.
static bool find_frame(RiRasterFile *f)
{
    double gt[6];
    if (f->gdal.GDALGetGeoTransform(f->dataset, gt) != CE_None) {
        const double cell = f->options.spacing > 0.0 ? f->options.spacing : 1.0;
        const double none[6] = {0.0, cell, 0.0, cell * f->rows, 0.0, -cell};
        memcpy(gt, none, sizeof gt);
        note(f, 'w', "has no georeference: cells of %g m, the south-west corner is the origin", cell);
    }
    for (int i = 0; i < 6; i++)
        if (!isfinite(gt[i]))
            return ri_raster_file_fail(f, RI_ERR_FORMAT, "the georeference is not finite (number %d of 6)", i + 1);
    if (fabs(gt[2]) > 1e-6 * fabs(gt[1]) || fabs(gt[4]) > 1e-6 * fabs(gt[5]))
        return ri_raster_file_fail(f, RI_ERR_FORMAT,
                                   "is turned against its map by %.4g degrees; resample it north up first (gdalwarp -r "
                                   "cubic)",
                                   ri_atan2(gt[4], gt[1]) * 180.0 / M_PI);
    if (gt[1] == 0.0 || gt[5] == 0.0)
        return ri_raster_file_fail(f, RI_ERR_FORMAT, "the georeference has cells of size %g x %g", gt[1], gt[5]);
    if (!choose_window(f, gt) || !use_projection(f, gt))
        return false;
    note(f, 'u', "cells of %.9g x %.9g m%s", fabs(f->step_x), fabs(f->step_y),
         f->is_map ? " in a map projection" : " in a local system");
    return true;
}

bool ri_raster_file_open(RiRasterFile *f)
{
    if (!ri_gdal_load(&f->gdal))
        return ri_raster_file_fail(f, RI_ERR_UNSUPPORTED, "%s", f->gdal.trouble);
    ri_confine(f->path, false);
    return open_band(f) && check_names(f) && find_scale(f) && find_frame(f);
}

// --- values --------------------------------------------------------------------------------------

static bool make_room(RiRasterFile *f, size_t count)
{
    if (count <= f->room)
        return true;
    ri_release(f->ctx, f->values);
    ri_release(f->ctx, f->valid);
    f->values = ri_alloc(f->ctx, count, sizeof *f->values);
    f->valid = ri_alloc(f->ctx, count, 1);
    f->room = f->values && f->valid ? count : 0;
    return f->room ? true : ri_raster_file_fail(f, RI_ERR_MEMORY, "out of memory");
}

static bool read_band(RiRasterFile *f, GDALRasterBandH band, int column, int row, int nx, int ny, void *out,
                      GDALDataType type)
{
    f->gdal.CPLErrorReset();
    if (f->gdal.GDALRasterIO(band, GF_Read, column, row, nx, ny, out, nx, ny, type, 0, 0) == CE_None)
        return true;
    return ri_raster_file_fail(f, RI_ERR_FORMAT, "cannot read row %d; the file is damaged or ends too early: %.200s",
                               row, f->gdal.CPLGetLastErrorMsg());
}

bool ri_raster_file_read(RiRasterFile *f, int overview, int column, int row, int nx, int ny)
{
    const RiGdal *g = &f->gdal;
    const size_t count = (size_t)nx * (size_t)ny;
    GDALRasterBandH band = overview < 0 ? f->band : g->GDALGetOverview(f->band, overview);
    GDALRasterBandH mask = !f->mask ? NULL : overview < 0 ? f->mask : g->GDALGetMaskBand(band);
    if (!make_room(f, count) || !read_band(f, band, column, row, nx, ny, f->values, GDT_Float64))
        return false;
    if (mask && !read_band(f, mask, column, row, nx, ny, f->valid, GDT_Byte))
        return false;
    for (size_t k = 0; k < count; k++) {
        const double v = f->values[k];
        const bool missing =
            (mask && !f->valid[k]) || !(fabs(v) < largest_value) || (f->options.has_no_data && v == f->options.no_data);
        f->values[k] = missing ? (double)NAN : f->scale * v + f->offset;
    }
    return true;
}

// --- head ----------------------------------------------------------------------------------------

void ri_raster_file_head(const RiRasterFile *f, double cell, RiRasterHead *out)
{
    const double dx = fabs(f->step_x), dy = fabs(f->step_y), width = f->nx * dx, height = f->ny * dy;
    const double x_a = f->corner_x + f->column * f->step_x, x_b = f->corner_x + (f->column + f->nx) * f->step_x;
    const double y_a = f->corner_y + f->row * f->step_y, y_b = f->corner_y + (f->row + f->ny) * f->step_y;
    const double west = fmin(x_a, x_b), south = fmin(y_a, y_b);
    *out = (RiRasterHead){.nx = f->nx, .ny = f->ny, .dx = dx, .dy = dy, .from_north = f->step_y < 0.0};
    if (cell > 0.0) {
        out->nx = (int)fmin(fmax(floor(width / cell + 1e-6), 1.0), 2e9);
        out->ny = (int)fmin(fmax(floor(height / cell + 1e-6), 1.0), 2e9);
        out->dx = out->dy = cell;
    }
    if (f->options.has_origin) {
        out->origin_x = f->options.origin_x;
        out->origin_y = f->options.origin_y;
    } else if (f->is_map) {
        out->origin_x = round(west + 0.5 * width);
        out->origin_y = round(south + 0.5 * height);
    }
    out->x0 = west + 0.5 * out->dx - out->origin_x;
    out->y0 = south + 0.5 * out->dy - out->origin_y;
}

void ri_raster_file_send_head(const RiRasterFile *f, int fd, RiRasterHead *head)
{
    const RiGuardHeader header = {RI_GUARD_MAGIC, RI_GUARD_RESULT, sizeof *head};
    head->wkt_length = f->wkt ? (uint32_t)strnlen(f->wkt, RI_RASTER_MOST_TEXT) : 0;
    head->notes_length = (uint32_t)f->notes_length;
    ri_guard_write(fd, &header, sizeof header);
    ri_guard_write(fd, head, sizeof *head);
    ri_guard_write(fd, f->wkt, head->wkt_length);
    ri_guard_write(fd, f->notes, head->notes_length);
}

#endif

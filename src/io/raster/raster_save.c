// SPDX-License-Identifier: Apache-2.0
/// \file
/// Saving of rasters: GDAL writes in a child, which has the values by inheritance. The file is
/// written under another name beside its place and renamed when it is whole.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <rille/terrain_io.h>

#include "base/memory.h"
#include "io/file/beside.h"
#include "io/file/confine.h"
#include "io/file/guard.h"
#include "io/raster/gdal.h"

#ifndef RILLE_HAVE_GDAL

RiStatus ri_raster_save(RiContext *ctx, const RiRaster *raster, const char *path, bool overviews)
{
    (void)raster, (void)overviews;
    return ri_error(ctx, RI_ERR_UNSUPPORTED, "%s: this build has no GDAL: install libgdal-dev and rebuild", path);
}

#else

enum { MOST_PATH = 4096 };

typedef struct Format {
    const char *ending, *driver;
    const char *companion; ///< ending of a second file, NULL: none
} Format;

static const Format formats[] = {{".tif", "GTiff", NULL},
                                 {".tiff", "GTiff", NULL},
                                 {".dat", "ENVI", ".hdr"},
                                 {".img", "ENVI", ".hdr"},
                                 {".asc", "AAIGrid", ".prj"}};

typedef struct Job {
    RiContext *ctx;
    const RiRaster *raster;
    const Format *format;
    char path[MOST_PATH]; ///< under which it is written
    bool overviews, has_holes;
    double no_data; ///< that represents holes in the file
    float *row;     ///< room for one
    RiGdal gdal;
} Job;

// --- in the child --------------------------------------------------------------------------------

static void place(const Job *job, GDALDatasetH dataset)
{
    const RiRaster *r = job->raster;
    double gt[6] = {r->origin_x + r->x0 - 0.5 * r->dx,           r->dx, 0.0,
                    r->origin_y + r->y0 + (r->ny - 0.5) * r->dy, 0.0,   -r->dy};
    job->gdal.GDALSetGeoTransform(dataset, gt);
    if (r->projection && r->projection[0])
        job->gdal.GDALSetProjection(dataset, r->projection);
    if (job->has_holes)
        job->gdal.GDALSetRasterNoDataValue(job->gdal.GDALGetRasterBand(dataset, 1), job->no_data);
}

static bool write_rows(const Job *job, GDALDatasetH dataset)
{
    const RiRaster *r = job->raster;
    GDALRasterBandH band = job->gdal.GDALGetRasterBand(dataset, 1);
    float *row = job->row;
    bool ok = true;
    for (int j = 0; ok && j < r->ny; j++) {
        const float *from = r->values + (size_t)(r->ny - 1 - j) * (size_t)r->nx;
        for (int i = 0; i < r->nx; i++)
            row[i] = isnan(from[i]) ? (float)job->no_data : from[i];
        ok = job->gdal.GDALRasterIO(band, GF_Write, 0, j, r->nx, 1, row, r->nx, 1, GDT_Float32, 0, 0) == CE_None;
    }
    return ok;
}

/// Levels of half resolution until 256 values are left.
static bool add_overviews(const Job *job, GDALDatasetH dataset)
{
    int factors[24], count = 0;
    const int side = job->raster->nx > job->raster->ny ? job->raster->nx : job->raster->ny;
    for (int f = 2; count < 24 && side / (f / 2) > 256; f *= 2)
        factors[count++] = f;
    return count == 0 ||
           job->gdal.GDALBuildOverviews(dataset, "AVERAGE", count, factors, 0, NULL, NULL, NULL) == CE_None;
}

static bool write_direct(const Job *job, GDALDriverH driver, char **options)
{
    const RiRaster *r = job->raster;
    GDALDatasetH dataset = job->gdal.GDALCreate(driver, job->path, r->nx, r->ny, 1, GDT_Float32, options);
    if (!dataset)
        return false;
    place(job, dataset);
    bool ok = write_rows(job, dataset);
    if (ok && job->overviews)
        ok = add_overviews(job, dataset);
    job->gdal.GDALClose(dataset);
    return ok;
}

/// For drivers that can only copy.
static bool write_copy(const Job *job, GDALDriverH driver, char **options)
{
    const RiRaster *r = job->raster;
    GDALDatasetH memory =
        job->gdal.GDALCreate(job->gdal.GDALGetDriverByName("MEM"), "", r->nx, r->ny, 1, GDT_Float32, NULL);
    if (!memory)
        return false;
    place(job, memory);
    if (!write_rows(job, memory))
        return false;
    GDALDatasetH dataset = job->gdal.GDALCreateCopy(driver, job->path, memory, 0, options, NULL, NULL);
    if (dataset)
        job->gdal.GDALClose(dataset);
    return dataset != NULL;
}

static bool write_file(const Job *job)
{
    char tiled[] = "TILED=YES", wide[] = "BLOCKXSIZE=256", high[] = "BLOCKYSIZE=256", deflate[] = "COMPRESS=DEFLATE";
    char predictor[] = "PREDICTOR=3", big[] = "BIGTIFF=IF_SAFER", suffix[] = "SUFFIX=REPLACE";
    char digits[] = "SIGNIFICANT_DIGITS=9"; // float32 comes back to the last bit
    char *tiff[] = {tiled, wide, high, deflate, predictor, big, NULL}, *envi[] = {suffix, NULL},
         *text[] = {digits, NULL};
    GDALDriverH driver = job->gdal.GDALGetDriverByName(job->format->driver);
    job->gdal.CPLErrorReset();
    bool ok = driver != NULL;
    if (ok && strcmp(job->format->driver, "AAIGrid") == 0)
        ok = write_copy(job, driver, text);
    else if (ok)
        ok = write_direct(job, driver, strcmp(job->format->driver, "ENVI") == 0 ? envi : tiff);
    return ok && job->gdal.CPLGetLastErrorType() < CE_Failure;
}

static void run_save(void *user, int fd)
{
    Job *job = user;
    char reason[300];
    const RiGuardHeader done = {RI_GUARD_MAGIC, RI_GUARD_RESULT, 0};
    if (!ri_gdal_load(&job->gdal)) {
        ri_guard_refuse(fd, RI_ERR_UNSUPPORTED, job->gdal.trouble);
        return;
    }
    ri_confine(job->path, true);
    if (!write_file(job)) {
        snprintf(reason, sizeof reason, "cannot write: %s", job->gdal.CPLGetLastErrorMsg());
        ri_guard_refuse(fd, RI_ERR_IO, reason);
    } else
        ri_guard_write(fd, &done, sizeof done);
}

// --- in the parent -------------------------------------------------------------------------------

/// Where the ending begins.
static const char *ending_of(const char *path)
{
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    return dot && (!slash || dot > slash) ? dot : path + strlen(path);
}

static const Format *find_format(const char *path)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcasecmp(ending_of(path), formats[i].ending) == 0)
            return &formats[i];
    return NULL;
}

/// A number that no value has: it will mean a hole. GeoTIFF takes NAN.
static void choose_no_data(Job *job)
{
    const RiRaster *r = job->raster;
    const long long count = (long long)r->nx * r->ny;
    static const double candidates[] = {-9999.0, -99999.0, -32768.0, -3.4e38};
    job->no_data = (double)NAN;
    for (long long k = 0; k < count; k++)
        job->has_holes |= isnan(r->values[k]) != 0;
    if (!job->has_holes || strcmp(job->format->driver, "GTiff") == 0)
        return;
    for (size_t c = 0; c < sizeof candidates / sizeof *candidates; c++) {
        bool used = false;
        for (long long k = 0; k < count && !used; k++)
            used = r->values[k] == (float)candidates[c];
        job->no_data = candidates[c];
        if (!used)
            return;
    }
}

static RiStatus check(RiContext *ctx, const RiRaster *r, const char *path, const Format *format)
{
    if (!format)
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "%s: the ending says the format: .tif, .tiff (GeoTIFF), .dat, .img (ENVI) or .asc (ASCII grid)",
                        path);
    if (r->nx < 1 || r->ny < 1 || !(r->dx > 0.0 && r->dy > 0.0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "%s: a raster of %d x %d cells of %g x %g m cannot be saved", path, r->nx,
                        r->ny, r->dx, r->dy);
    if (strcmp(format->driver, "AAIGrid") == 0 && fabs(r->dx / r->dy - 1.0) > 1e-9)
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "%s: an ASCII grid has square cells, these are %.9g x %.9g m: resample them", path, r->dx,
                        r->dy);
    if (strlen(path) > MOST_PATH - 32)
        return ri_error(ctx, RI_ERR_LIMIT, "%.100s...: the path is too long", path);
    return RI_OK;
}

/// The path with another ending.
static void with_ending(const char *path, const char *ending, char out[MOST_PATH])
{
    snprintf(out, MOST_PATH, "%.*s%s", (int)(ending_of(path) - path), path, ending);
}

/// Moves what was written to its place; the companion first, so that the file is never there
/// without it.
static RiStatus move(const Job *job, const char *path)
{
    char from[MOST_PATH], to[MOST_PATH], text[128];
    if (job->format->companion) {
        with_ending(job->path, job->format->companion, from);
        with_ending(path, job->format->companion, to);
        if (rename(from, to) != 0 && errno == ENOENT)
            unlink(to); // an old one that no longer belongs to it
    }
    if (rename(job->path, path) != 0)
        return ri_error(job->ctx, RI_ERR_IO, "%s: cannot write: %s", path, strerror_r(errno, text, sizeof text));
    return RI_OK;
}

static void clean_up(const Job *job)
{
    char companion[MOST_PATH];
    unlink(job->path);
    if (job->format->companion) {
        with_ending(job->path, job->format->companion, companion);
        unlink(companion);
    }
}

/// A random name beside the file with the same ending, by which GDAL and readers know the format.
static void name_part(const char *path, char out[MOST_PATH])
{
    char beside[RI_BESIDE_PATH + RI_BESIDE_MORE];
    ri_beside_name(path, beside);
    snprintf(out, MOST_PATH, "%.*s%s", MOST_PATH - 16, beside, ending_of(path));
}

RiStatus ri_raster_save(RiContext *ctx, const RiRaster *raster, const char *path, bool overviews)
{
    const Format *format = find_format(path);
    RI_TRY(check(ctx, raster, path, format));
    Job *job = ri_alloc_zero(ctx, 1, sizeof *job);
    float *row = ri_alloc(ctx, (size_t)raster->nx, sizeof *row);
    if (!job || !row) {
        ri_release(ctx, job);
        ri_release(ctx, row);
        return ri_error_memory(ctx);
    }
    *job = (Job){.ctx = ctx, .raster = raster, .format = format, .overviews = overviews, .row = row};
    name_part(path, job->path);
    choose_no_data(job);
    RiGuard guard = {
        .file = path, .worker = "raster writer", .seconds = 600.0, .memory = (size_t)4 << 30, .writes = true};
    RiStatus status = ri_guard_start(&guard, run_save, job);
    RiGuardHeader done;
    if (status == RI_OK)
        status = ri_guard_receive_header(&guard, &done);
    if (status != RI_OK)
        status = ri_error(ctx, status, "%s", guard.reason);
    ri_guard_end(&guard);
    if (status == RI_OK)
        status = move(job, path);
    if (status != RI_OK)
        clean_up(job);
    ri_release(ctx, row);
    ri_release(ctx, job);
    return status;
}

#endif

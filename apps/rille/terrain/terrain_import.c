// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille terrain import`: a raster of any known format as GeoTIFF, ENVI or ASCII grid, cropped,
/// resampled, scaled, filled.
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/terrain_io.h>

#include "terrain/terrain.h"

typedef struct Import {
    const char *words[2]; ///< from, to
    int word_count;
    RiRasterOptions options;
    bool overviews, quiet;
} Import;

enum {
    OPT_BAND = 'b',
    OPT_CELL = 'c',
    OPT_QUIET = 'q',
    OPT_CROP = 0x100,
    OPT_PIXELS,
    OPT_SCALE,
    OPT_OFFSET,
    OPT_HOLES,
    OPT_NO_DATA,
    OPT_ORIGIN,
    OPT_SPACING,
    OPT_SECONDS,
    OPT_OVERVIEWS
};

static const struct argp_option options[] = {
    {"band", OPT_BAND, "N", 0, "Band to read, from 1", 0},
    {"crop", OPT_CROP, "W,S,E,N", 0, "Only cells between these map coordinates, in the file's own units", 0},
    {"crop-pixels", OPT_PIXELS, "COLUMN,ROW,COLUMNS,ROWS", 0, "Only these pixels, as stored", 0},
    {"cell", OPT_CELL, "METRES", 0, "Resample: means where coarser, bicubic where finer", 0},
    {"scale", OPT_SCALE, "FACTOR", 0, "Multiply heights, after the file's own scale and unit", 0},
    {"offset", OPT_OFFSET, "METRES", 0, "Add to heights, after the scale", 0},
    {"holes", OPT_HOLES, "keep|fill|refuse", 0, "What becomes of missing heights (keep)", 0},
    {"no-data", OPT_NO_DATA, "VALUE", 0, "A stored value that means missing", 0},
    {"origin", OPT_ORIGIN, "X,Y", 0, "Map coordinates of the local origin [m], in the report", 0},
    {"spacing", OPT_SPACING, "METRES", 0, "Cell size of a file that tells none (1)", 0},
    {"seconds", OPT_SECONDS, "TIME", 0, "Give up after this time (120)", 0},
    {"overviews", OPT_OVERVIEWS, NULL, 0, "Add levels of half resolution to a GeoTIFF", 0},
    {"quiet", OPT_QUIET, NULL, 0, "Print nothing but errors", 0},
    {0}};

/// Exactly `count` numbers separated by commas.
static bool read_numbers(const char *text, int count, double *out)
{
    char copy[256];
    int n = 0;
    if (strlen(text) >= sizeof copy)
        return false;
    strcpy(copy, text);
    for (char *rest = copy, *word; (word = strsep(&rest, ","));)
        if (n >= count || !cli_parse_number(word, &out[n++]))
            return false;
    return n == count;
}

static void want_numbers(const char *option, const char *text, int count, double *out, struct argp_state *state)
{
    if (!read_numbers(text, count, out))
        argp_error(state, "--%s expects %d number%s%s, not '%s'", option, count, count == 1 ? "" : "s",
                   count == 1 ? "" : " separated by commas", text);
}

static void read_holes(RiRasterOptions *o, const char *text, struct argp_state *state)
{
    static const char *const names[] = {"keep", "fill", "refuse"};
    for (int k = 0; k < 3; k++)
        if (strcmp(text, names[k]) == 0) {
            o->missing = (RiMissing)k;
            return;
        }
    argp_error(state, "--holes is keep, fill or refuse, not '%s'", text);
}

static void read_band(RiRasterOptions *o, const char *text, struct argp_state *state)
{
    double band;
    if (!cli_parse_number(text, &band) || band != floor(band) || band < 1.0 || band > 100000.0)
        argp_error(state, "--band expects a number from 1, not '%s'", text);
    o->band = (int)band;
}

static error_t read_place(Import *m, int key, char *text, struct argp_state *state)
{
    RiRasterOptions *o = &m->options;
    double pair[2];
    if (key == OPT_CROP || key == OPT_PIXELS) {
        const char *name = key == OPT_CROP ? "crop" : "crop-pixels";
        if (o->window_unit != RI_WINDOW_ALL)
            argp_error(state, "--%s: the window has been given already", name);
        o->window_unit = key == OPT_CROP ? RI_WINDOW_MAP : RI_WINDOW_PIXELS;
        want_numbers(name, text, 4, o->window, state);
        return 0;
    }
    want_numbers("origin", text, 2, pair, state);
    o->has_origin = true;
    o->origin_x = pair[0];
    o->origin_y = pair[1];
    return 0;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    Import *m = state->input;
    RiRasterOptions *o = &m->options;
    switch (key) {
    case OPT_BAND:
        read_band(o, text, state);
        return 0;
    case OPT_CELL:
        want_numbers("cell", text, 1, &o->cell, state);
        return 0;
    case OPT_SCALE:
        want_numbers("scale", text, 1, &o->scale, state);
        return 0;
    case OPT_OFFSET:
        want_numbers("offset", text, 1, &o->offset, state);
        return 0;
    case OPT_SPACING:
        want_numbers("spacing", text, 1, &o->spacing, state);
        return 0;
    case OPT_SECONDS:
        want_numbers("seconds", text, 1, &o->seconds, state);
        return 0;
    case OPT_HOLES:
        read_holes(o, text, state);
        return 0;
    case OPT_NO_DATA:
        o->has_no_data = true;
        want_numbers("no-data", text, 1, &o->no_data, state);
        return 0;
    case OPT_CROP:
    case OPT_PIXELS:
    case OPT_ORIGIN:
        return read_place(m, key, text, state);
    case OPT_OVERVIEWS:
        m->overviews = true;
        return 0;
    case OPT_QUIET:
        m->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        if (m->word_count == 2)
            argp_error(state, "one file in, one file out: '%s' is too much", text);
        m->words[m->word_count++] = text;
        return 0;
    case ARGP_KEY_END:
        if (m->word_count < 2)
            argp_error(state, m->word_count ? "to which file? .tif, .dat or .asc" : "which file?");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/// What came of it: places, range, holes.
static void print_result(const RiRaster *r, const char *path)
{
    double low = INFINITY, high = -INFINITY;
    long long missing = 0;
    for (long long k = 0; k < (long long)r->nx * r->ny; k++) {
        const double z = (double)r->values[k];
        missing += isnan(z) != 0;
        low = fmin(low, z);
        high = fmax(high, z);
    }
    printf("%s: %d x %d cells of %.9g x %.9g m, %.6g x %.6g m\n", path, r->nx, r->ny, r->dx, r->dy, r->nx * r->dx,
           r->ny * r->dy);
    printf("  heights %.6g to %.6g m", low, high);
    if (missing)
        printf(", %lld missing", missing);
    printf("\n  local x from %.9g to %.9g, y from %.9g to %.9g m\n", r->x0 - 0.5 * r->dx, r->x0 + (r->nx - 0.5) * r->dx,
           r->y0 - 0.5 * r->dy, r->y0 + (r->ny - 0.5) * r->dy);
    if (r->origin_x != 0.0 || r->origin_y != 0.0)
        printf("  local origin at (%.12g, %.12g) of the map\n", r->origin_x, r->origin_y);
}

static void print_findings(const RiReport *report)
{
    for (int k = 0; k < ri_report_count(report); k++) {
        const RiFinding *f = ri_report_get(report, k);
        printf("  %s%s\n", f->kind == RI_FINDING_WARNING ? "note: " : "", f->text);
    }
}

static CliExit convert(RiContext *ctx, Import *m)
{
    RiReport *report;
    RiRaster *r = NULL;
    RiStatus status = ri_report_create(ctx, &report);
    m->options.report = report;
    if (status == RI_OK)
        status = ri_raster_load(ctx, m->words[0], &m->options, &r);
    if (status == RI_OK && !m->quiet) {
        printf("%s\n", m->words[0]);
        print_findings(report);
    }
    if (status == RI_OK)
        status = ri_raster_save(ctx, r, m->words[1], m->overviews);
    if (status == RI_OK && !m->quiet)
        print_result(r, m->words[1]);
    const CliExit code = status == RI_OK ? CLI_DONE : cli_fail(ctx, status);
    ri_raster_destroy(r);
    ri_report_destroy(report);
    return code;
}

int terrain_import(int argc, char **argv)
{
    static const char doc[] =
        "Converts a raster (GeoTIFF, PDS3, PDS4, ISIS cube, ENVI, VICAR, ASCII grid, PNG) to GeoTIFF (.tif), ENVI "
        "(.dat, .img) or an "
        "ASCII grid (.asc), in metres.\vThe file's own scale, offset and unit are applied; degrees and feet become "
        "metres. "
        "Example:\n  rille terrain import LDEM.LBL site.tif --crop 10000,-5000,12000,-3000 --cell 2 --holes fill";
    static const struct argp parser = {options, parse_option, "FROM TO", doc, NULL, NULL, NULL};
    Import m = {.options = ri_raster_options_default()};
    if (cli_parse(&parser, argc, argv, &m) != 0)
        return CLI_BAD_INPUT;
    RiContext *ctx;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return cli_no_memory();
    const CliExit code = convert(ctx, &m);
    ri_context_destroy(ctx);
    return code;
}

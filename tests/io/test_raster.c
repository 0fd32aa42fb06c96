// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rasters from and to files: every reference file opens with known values or is refused with a
/// reason; files come back to the last bit; hostile files give messages; paged maps equal loaded
/// ones. Files are made in a folder of the build tree and removed at the end.
#include "check.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rille/terrain_io.h>
#include <rille/version.h>

#include "base/rng.h"
#include "faults.h"

static char folder[512], data[512];

static const char *path_of(const char *name)
{
    static char path[4][1100];
    static int next;
    char *p = path[next++ % 4];
    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

static const char *data_of(const char *name)
{
    static char path[1100];
    snprintf(path, sizeof path, "%s/dem/%s", data, name);
    return path;
}

static bool has_data(const char *claim)
{
    if (access(data_of("readers"), R_OK) == 0)
        return true;
    printf("     skipped: %s needs the folder %s (RILLE_DATA)\n", claim, data_of("readers"));
    return false;
}

static void write_text(const char *name, const char *text)
{
    FILE *f = fopen(path_of(name), "wb");
    if (!f || fwrite(text, 1, strlen(text), f) != strlen(text))
        CHECK_FAIL("cannot write %s", name);
    if (f)
        fclose(f);
}

static RiContext *new_context(void)
{
    RiContext *ctx;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    return ctx;
}

static float at(const RiRaster *r, int i, int j)
{
    return r->values[(size_t)j * (size_t)r->nx + (size_t)i];
}

static long long holes_in(const RiRaster *r)
{
    long long n = 0;
    for (long long k = 0; k < (long long)r->nx * r->ny; k++)
        n += isnan(r->values[k]) != 0;
    return n;
}

/// Random heights with a smooth part; cells of 0.25 x 0.5 m, south-west value at (-3.125, 7.5).
static RiRaster *sample(RiContext *ctx, int nx, int ny, double dx, double dy)
{
    RiRaster *r;
    if (ri_raster_create(ctx, nx, ny, dx, dy, &r) != RI_OK)
        abort();
    RiRng rng = ri_rng_stream(1, "heights");
    r->x0 = -3.125;
    r->y0 = 7.5;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            r->values[(size_t)j * (size_t)nx + (size_t)i] = (float)(sin(0.1 * i) * cos(0.07 * j) + ri_rng_normal(&rng));
    return r;
}

// ---- The reference files

typedef struct Reference {
    const char *file;
    int nx, ny; ///< 0: refused
    int column, row;
    double value; ///< there, as gdallocationinfo tells it ("descaled")
    long long holes;
    const char *reason; ///< part of the message if it is refused
} Reference;

static const Reference references[] = {
    {"msl_dingo_gap_64m_0p0625.tif", 1024, 1024, 700, 300, -1.15886318683624, 0, NULL},
    {"msl_dingo_gap_16m_0p0625_envi.dat", 256, 256, 10, 200, 1.05963349342346, 0, NULL},
    {"msl_dingo_gap_16m_0p0625_envi.hdr", 0, 0, 0, 0, 0, 0, "is a header: open the data file"},
    {"msl_dingo_gap_16m_0p25.asc", 64, 64, 5, 7, 2.04060006141663, 0, NULL},
    {"msl_dingo_gap_rover_poses.csv", 0, 0, 0, 0, 0, 0, "is not a raster that can be read"},
    {"README.md", 0, 0, 0, 0, 0, 0, "is not a raster that can be read"},
    {"readers/LDEM_4.IMG", 0, 0, 0, 0, 0, 0, "has no embedded label: open "},
    {"readers/LDEM_4.LBL", 0, 0, 0, 0, 0, 0, "cannot read row 3; the file is damaged or ends too early"},
    {"readers/aea.dat", 434, 3, 100, 1, 222, 0, NULL},
    {"readers/aea.hdr", 0, 0, 0, 0, 0, 0, "is a header"},
    {"readers/arvidson_original_truncated.cub", 0, 0, 0, 0, 0, 0, "43 x 1 cells, at least 2 x 2 are needed"},
    {"readers/byte_pds4_cart_1g00_1950.img", 0, 0, 0, 0, 0, 0, "has no embedded label: open "},
    {"readers/byte_pds4_cart_1g00_1950.xml", 20, 20, 3, 4, 140, 0, NULL},
    {"readers/float64.asc", 5, 5, 4, 4, 1.2345679, 24, NULL},
    {"readers/gz_dem_moon.tif", 33, 33, 5, 6, -206.91569519043, 0, NULL},
    {"readers/isis3_detached.cub", 0, 0, 0, 0, 0, 0, "has no embedded label: open "},
    {"readers/isis3_detached.lbl", 317, 30, 100, 20, 141, -1, NULL},
    {"readers/isis3_unit_test.cub", 150, 50, 140, 44, 660.671377768413, -1, NULL},
    {"readers/mc02_truncated.img", 0, 0, 0, 0, 0, 0, "3840 x 1 cells, at least 2 x 2 are needed"},
    {"readers/uint16_envi_bigendian.dat", 20, 20, 7, 8, 132, 0, NULL},
    {"readers/uint16_envi_bigendian.hdr", 0, 0, 0, 0, 0, 0, "is a header"},
    {"readers/vicar_bigendian_int16.vic", 4, 3, 2, 1, 13, 0, NULL},
    {"readers/vicar_float32_bsq.vic", 4, 3, 3, 2, 22.5, 0, NULL},
};
enum { REFERENCES = sizeof references / sizeof *references };

static void check_reference(RiContext *ctx, const Reference *ref)
{
    RiRaster *r;
    const RiStatus status = ri_raster_load(ctx, data_of(ref->file), NULL, &r);
    if (!ref->nx) {
        if (status != RI_ERR_FORMAT || !strstr(ri_context_message(ctx), ref->reason))
            CHECK_FAIL("%s: expected to be refused by '%s', got '%s'", ref->file, ref->reason, ri_context_message(ctx));
        ri_raster_destroy(r);
        return;
    }
    if (status != RI_OK) {
        CHECK_FAIL("%s: %s", ref->file, ri_context_message(ctx));
        return;
    }
    CHECK_INT(r->nx, ref->nx);
    CHECK_INT(r->ny, ref->ny);
    CHECK_CLOSE((double)at(r, ref->column, r->ny - 1 - ref->row), ref->value, 1e-7 * fmax(1.0, fabs(ref->value)));
    if (ref->holes >= 0)
        CHECK_INT(holes_in(r), ref->holes);
    ri_raster_destroy(r);
}

TEST(every_reference_file_opens_or_says_why_not)
{
    if (!has_data(__func__))
        return;
    RiContext *ctx = new_context();
    for (int k = 0; k < REFERENCES; k++)
        check_reference(ctx, &references[k]);
    // The list is complete.
    static const char *const parts[] = {".", "readers"};
    for (int p = 0; p < 2; p++) {
        DIR *dir = opendir(data_of(parts[p]));
        for (struct dirent *e; dir && (e = readdir(dir));) {
            char name[400];
            snprintf(name, sizeof name, "%s%s", p ? "readers/" : "", e->d_name);
            bool known = e->d_name[0] == '.' || strcmp(name, "readers") == 0;
            for (int k = 0; k < REFERENCES; k++)
                known |= strcmp(name, references[k].file) == 0;
            if (!known)
                CHECK_FAIL("%s is not in the list", name);
        }
        if (dir)
            closedir(dir);
    }
    ri_context_destroy(ctx);
}

TEST(the_dune_stands_where_the_rover_stood)
{
    if (!has_data(__func__))
        return;
    RiContext *ctx = new_context();
    RiRaster *r;
    RiReport *report;
    REQUIRE_OK(ctx, ri_report_create(ctx, &report));
    RiRasterOptions o = ri_raster_options_default();
    o.report = report;
    REQUIRE_OK(ctx, ri_raster_load(ctx, data_of("msl_dingo_gap_64m_0p0625.tif"), &o, &r));
    // A local system keeps its own origin.
    CHECK(r->origin_x == 0.0 && r->origin_y == 0.0);
    CHECK(r->x0 == -32.0 + 0.03125 && r->y0 == -32.0 + 0.03125 && r->dx == 0.0625 && r->dy == 0.0625);
    CHECK(strstr(r->projection, "MSL site 26 drive 184") != NULL);
    CHECK_INT(ri_report_count_kind(report, RI_FINDING_UNDERSTOOD), 2);
    CHECK(strstr(ri_report_get(report, 0)->text, "GTiff, 1024 x 1024 Float32, band 1 of 1") != NULL);
    // Poses of the rover's wheels on the ground: drive 184 at (0, 0, 0), drive 208 at north 0.716,
    // east 0.755, up 0.046.
    CHECK_CLOSE((double)at(r, 512, 512), 0.0, 0.1);
    CHECK_CLOSE((double)at(r, 512 + 12, 512 + 11), 0.046, 0.1);
    ri_raster_destroy(r);
    ri_report_destroy(report);
    ri_context_destroy(ctx);
}

TEST(the_files_own_scale_and_a_window_before_its_broken_end)
{
    if (!has_data(__func__))
        return;
    RiContext *ctx = new_context();
    RiRaster *r;
    RiRasterOptions o = ri_raster_options_default();
    o.window_unit = RI_WINDOW_PIXELS;
    o.window[2] = 1440;
    o.window[3] = 3;
    o.offset = -1737400.0; // heights above the mean radius
    REQUIRE_OK(ctx, ri_raster_load(ctx, data_of("readers/LDEM_4.LBL"), &o, &r));
    CHECK_INT(r->ny, 3);
    CHECK(at(r, 700, 0) == -409.5f); // -819 half metres
    CHECK_CLOSE(r->dx, 7580.837606, 1e-9);
    ri_raster_destroy(r);
    o = ri_raster_options_default();
    o.band = 2;
    REQUIRE_OK(ctx, ri_raster_load(ctx, data_of("readers/vicar_float32_bsq.vic"), &o, &r));
    CHECK(at(r, 3, 0) == 122.5f);
    CHECK(r->dx == 1.0 && r->x0 == 0.5 && r->y0 == 0.5);
    ri_raster_destroy(r);
    o.band = 3;
    CHECK_ERROR(ctx, ri_raster_load(ctx, data_of("readers/vicar_float32_bsq.vic"), &o, &r), RI_ERR_ARGUMENT,
                "vicar_float32_bsq.vic: band 3: the file has 2");
    ri_context_destroy(ctx);
}

// ---- Round trips

static void check_same(const RiRaster *a, const RiRaster *b)
{
    CHECK(a->nx == b->nx && a->ny == b->ny);
    int differ = 0;
    for (size_t k = 0; a->nx == b->nx && a->ny == b->ny && k < (size_t)a->nx * (size_t)a->ny; k++)
        differ += !(isnan(a->values[k]) && isnan(b->values[k])) && memcmp(&a->values[k], &b->values[k], 4) != 0;
    CHECK_INT(differ, 0);
    CHECK_CLOSE(b->x0 + b->origin_x, a->x0 + a->origin_x, 1e-9);
    CHECK_CLOSE(b->y0 + b->origin_y, a->y0 + a->origin_y, 1e-9);
    CHECK_CLOSE(b->dx, a->dx, 1e-12 * a->dx);
    CHECK_CLOSE(b->dy, a->dy, 1e-12 * a->dy);
}

TEST(rasters_come_back_to_the_last_bit)
{
    RiContext *ctx = new_context();
    static const char *const names[] = {"a.tif", "b.TIFF", "c.dat", "d.img", "e.asc"};
    for (int holes = 0; holes < 2; holes++)
        for (int k = 0; k < 5; k++) {
            RiRaster *r = sample(ctx, 270, 130, 0.25, k == 4 ? 0.25 : 0.5), *back;
            r->values[5] = 1e-38f;
            r->values[6] = -12345678.0f;
            r->values[7] = -9999.0f; // is a height here, not a mark
            for (int n = 0; holes && n < 50; n++)
                r->values[1000 + 37 * n] = NAN;
            REQUIRE_OK(ctx, ri_raster_save(ctx, r, path_of(names[k]), k == 1));
            REQUIRE_OK(ctx, ri_raster_load(ctx, path_of(names[k]), NULL, &back));
            check_same(r, back);
            ri_raster_destroy(back);
            ri_raster_destroy(r);
        }
    ri_context_destroy(ctx);
}

TEST(georeference_and_projection_come_back)
{
    if (!has_data(__func__))
        return;
    RiContext *ctx = new_context();
    RiRaster *r, *back;
    REQUIRE_OK(ctx, ri_raster_load(ctx, data_of("readers/gz_dem_moon.tif"), NULL, &r));
    // A map projection: the origin is the rounded centre, and places are exact.
    CHECK(r->origin_x == -53710.0 && r->origin_y == -51090.0);
    CHECK_CLOSE(r->x0 + r->origin_x - 0.5 * r->dx, -53750.0, 1e-9);
    CHECK_CLOSE(r->y0 + r->origin_y + (r->ny - 0.5) * r->dy, -51050.0, 1e-9);
    static const char *const names[] = {"moon.tif", "moon.dat"};
    for (int k = 0; k < 2; k++) {
        REQUIRE_OK(ctx, ri_raster_save(ctx, r, path_of(names[k]), false));
        REQUIRE_OK(ctx, ri_raster_load(ctx, path_of(names[k]), NULL, &back));
        check_same(r, back);
        CHECK(back->origin_x == r->origin_x && back->origin_y == r->origin_y);
        CHECK(strstr(back->projection, "1737400") && strstr(back->projection, "Polar_Stereographic"));
        if (k == 0)
            CHECK(strcmp(back->projection, r->projection) == 0);
        ri_raster_destroy(back);
    }
    RiRasterOptions o = ri_raster_options_default();
    o.has_origin = true;
    o.origin_x = -53700.0;
    o.origin_y = -51100.0;
    REQUIRE_OK(ctx, ri_raster_load(ctx, path_of("moon.tif"), &o, &back));
    CHECK_CLOSE(back->x0 - r->x0, -10.0, 1e-9);
    CHECK_CLOSE(back->y0 - r->y0, 10.0, 1e-9);
    ri_raster_destroy(back);
    ri_raster_destroy(r);
    ri_context_destroy(ctx);
}

static void set_projection(RiRaster *r, const char *wkt)
{
    // The raster's own memory is the context's: malloc here.
    free(r->projection);
    r->projection = strdup(wkt);
}

static const char moon[] = "GEOGCS[\"Moon\",DATUM[\"D_Moon\",SPHEROID[\"Moon\",1737400,0]],PRIMEM[\"Reference\",0],"
                           "UNIT[\"degree\",0.0174532925199433]]";

TEST(degrees_become_metres_by_the_bodys_radius)
{
    RiContext *ctx = new_context();
    RiRaster *r = sample(ctx, 60, 40, 0.001, 0.001), *back;
    RiReport *report;
    REQUIRE_OK(ctx, ri_report_create(ctx, &report));
    set_projection(r, moon);
    r->x0 = 23.0005;
    r->y0 = 59.9805; // from 59.98 to 60.02
    REQUIRE_OK(ctx, ri_raster_save(ctx, r, path_of("degrees.tif"), false));
    RiRasterOptions o = ri_raster_options_default();
    o.report = report;
    REQUIRE_OK(ctx, ri_raster_load(ctx, path_of("degrees.tif"), &o, &back));
    const double degree = 1737400.0 * 3.14159265358979323846 / 180.0;
    CHECK_CLOSE(back->dy, 0.001 * degree, 1e-6);
    CHECK_CLOSE(back->dx, 0.0005 * degree, 1e-6); // cos 60
    CHECK(strstr(back->projection, "Equirectangular") && strstr(back->projection, "1737400"));
    bool told = false;
    for (int k = 0; k < ri_report_count(report); k++)
        told |= strstr(ri_report_get(report, k)->text,
                       "degrees are made metres by the radius 1737400 m, true at latitude 60") != NULL;
    CHECK(told);
    CHECK(back->values[77] == r->values[77]);
    // And as metres they stay.
    RiRaster *again;
    REQUIRE_OK(ctx, ri_raster_save(ctx, back, path_of("metres.tif"), false));
    REQUIRE_OK(ctx, ri_raster_load(ctx, path_of("metres.tif"), NULL, &again));
    check_same(back, again);
    ri_raster_destroy(again);
    ri_raster_destroy(back);
    // A pole cannot be shown so.
    r->y0 = 89.9805;
    REQUIRE_OK(ctx, ri_raster_save(ctx, r, path_of("pole.tif"), false));
    CHECK_ERROR(ctx, ri_raster_load(ctx, path_of("pole.tif"), NULL, &back), RI_ERR_FORMAT, "reaches a pole");
    ri_raster_destroy(r);
    ri_report_destroy(report);
    ri_context_destroy(ctx);
}

TEST(feet_become_metres)
{
    RiContext *ctx = new_context();
    RiRaster *r = sample(ctx, 20, 20, 10.0, 10.0), *back;
    set_projection(
        r,
        "PROJCS[\"feet\",GEOGCS[\"Moon\",DATUM[\"D_Moon\",SPHEROID[\"Moon\",1737400,0]],PRIMEM[\"Reference\",0],"
        "UNIT[\"degree\",0.0174532925199433]],PROJECTION[\"Transverse_Mercator\"],PARAMETER[\"latitude_of_origin\",0],"
        "PARAMETER[\"central_meridian\",20],PARAMETER[\"scale_factor\",1],PARAMETER[\"false_easting\",1000],"
        "PARAMETER[\"false_northing\",0],UNIT[\"foot\",0.3048]]");
    REQUIRE_OK(ctx, ri_raster_save(ctx, r, path_of("feet.tif"), false));
    REQUIRE_OK(ctx, ri_raster_load(ctx, path_of("feet.tif"), NULL, &back));
    CHECK_CLOSE(back->dx, 3.048, 1e-12);
    CHECK_CLOSE(back->x0 + back->origin_x, 0.3048 * r->x0, 1e-9);
    CHECK(strstr(back->projection, "304.8") != NULL); // the false easting went along
    ri_raster_destroy(back);
    ri_raster_destroy(r);
    ri_context_destroy(ctx);
}

// ---- Windows, cells, scale, holes

TEST(a_window_is_the_part_that_was_asked_for)
{
    RiContext *ctx = new_context();
    RiRaster *r = sample(ctx, 120, 90, 0.25, 0.25), *part;
    REQUIRE_OK(ctx, ri_raster_save(ctx, r, path_of("window.tif"), false));
    RiRasterOptions o = ri_raster_options_default();
    o.window_unit = RI_WINDOW_PIXELS;
    const double pixels[4] = {10, 20, 30, 40};
    memcpy(o.window, pixels, sizeof pixels);
    REQUIRE_OK(ctx, ri_raster_load(ctx, path_of("window.tif"), &o, &part));
    CHECK(part->nx == 30 && part->ny == 40);
    CHECK(at(part, 0, 0) == at(r, 10, 90 - 60) && at(part, 29, 39) == at(r, 39, 90 - 21));
    CHECK_CLOSE(part->x0, r->x0 + 10 * 0.25, 1e-12);
    CHECK_CLOSE(part->y0, r->y0 + 30 * 0.25, 1e-12);
    ri_raster_destroy(part);
    o.window_unit = RI_WINDOW_MAP;
    const double map[4] = {r->x0 + 10 * 0.25 - 0.1, r->y0 + 30 * 0.25 - 0.1, r->x0 + 39 * 0.25 + 0.1, 1e6};
    memcpy(o.window, map, sizeof map);
    REQUIRE_OK(ctx, ri_raster_load(ctx, path_of("window.tif"), &o, &part));
    CHECK(part->nx == 30 && part->ny == 60);
    CHECK(at(part, 0, 0) == at(r, 10, 30) && at(part, 29, 59) == at(r, 39, 89));
    ri_raster_destroy(part);
    o.window[0] = 1e5;
    o.window[2] = 2e5;
    CHECK_ERROR(ctx, ri_raster_load(ctx, path_of("window.tif"), &o, &part), RI_ERR_ARGUMENT,
                "contains no cell: the file has 120 x 90");
    ri_raster_destroy(r);
    ri_context_destroy(ctx);
}

TEST(coarser_cells_are_means_and_finer_ones_bicubic)
{
    RiContext *ctx = new_context();
    RiRaster *r = sample(ctx, 120, 90, 0.25, 0.25), *c;
    REQUIRE_OK(ctx, ri_raster_save(ctx, r, path_of("cells.tif"), false));
    RiRasterOptions o = ri_raster_options_default();
    o.cell = 1.0;
    REQUIRE_OK(ctx, ri_raster_load(ctx, path_of("cells.tif"), &o, &c));
    CHECK(c->nx == 30 && c->ny == 22 && c->dx == 1.0 && c->dy == 1.0);
    CHECK_CLOSE(c->x0, r->x0 + 0.375, 1e-12);
    CHECK_CLOSE(c->y0, r->y0 + 0.375, 1e-12); // stands on the south edge
    double sum = 0.0;
    for (int j = 4; j < 8; j++)
        for (int i = 8; i < 12; i++)
            sum += (double)at(r, i, j) / 16.0;
    CHECK_CLOSE((double)at(c, 2, 1), sum, 1e-6);
    ri_raster_destroy(c);
    for (int j = 0; j < 90; j++) // a plane is a plane in any cells
        for (int i = 0; i < 120; i++)
            r->values[j * 120 + i] = (float)(0.5 * i - 0.25 * j);
    REQUIRE_OK(ctx, ri_raster_save(ctx, r, path_of("cells.tif"), false));
    o.cell = 0.1;
    REQUIRE_OK(ctx, ri_raster_load(ctx, path_of("cells.tif"), &o, &c));
    CHECK(c->nx == 300 && c->ny == 225);
    for (int j = 10; j < 215; j++)
        for (int i = 10; i < 290; i++)
            CHECK_CLOSE((double)at(c, i, j), 2.0 * (c->x0 + 0.1 * i - r->x0) - (c->y0 + 0.1 * j - r->y0), 1e-5);
    ri_raster_destroy(c);
    o.cell = 0.25; // its own: nothing is touched
    REQUIRE_OK(ctx, ri_raster_load(ctx, path_of("cells.tif"), &o, &c));
    check_same(r, c);
    ri_raster_destroy(c);
    o.cell = 1e-6;
    CHECK_ERROR(ctx, ri_raster_load(ctx, path_of("cells.tif"), &o, &c), RI_ERR_LIMIT,
                "choose a window or a coarser cell");
    o.cell = -1.0;
    CHECK_ERROR(ctx, ri_raster_load(ctx, path_of("cells.tif"), &o, &c), RI_ERR_ARGUMENT, "cell -1 m");
    ri_raster_destroy(r);
    ri_context_destroy(ctx);
}

TEST(holes_are_kept_filled_or_refused_by_choice)
{
    RiContext *ctx = new_context();
    RiRaster *r = sample(ctx, 40, 30, 1.0, 1.0), *back;
    for (int j = 0; j < 30; j++)
        for (int i = 0; i < 40; i++)
            r->values[j * 40 + i] = i > 10 && i < 20 && j > 5 && j < 12 ? NAN : (float)(0.1 * i + 0.2 * j);
    REQUIRE_OK(ctx, ri_raster_save(ctx, r, path_of("holes.asc"), false));
    RiRasterOptions o = ri_raster_options_default();
    o.scale = 2.0;
    o.offset = 5.0;
    REQUIRE_OK(ctx, ri_raster_load(ctx, path_of("holes.asc"), &o, &back));
    CHECK_INT(holes_in(back), 54);
    CHECK(at(back, 1, 1) == (float)(2.0 * (double)at(r, 1, 1) + 5.0));
    ri_raster_destroy(back);
    o.missing = RI_MISSING_REFUSE;
    CHECK_ERROR(ctx, ri_raster_load(ctx, path_of("holes.asc"), &o, &back), RI_ERR_FORMAT,
                "holes.asc: 54 of 40 x 30 cells have no value");
    o.missing = RI_MISSING_FILL;
    REQUIRE_OK(ctx, ri_raster_load(ctx, path_of("holes.asc"), &o, &back));
    CHECK_INT(holes_in(back), 0);
    CHECK_CLOSE((double)at(back, 15, 8), 2.0 * (1.5 + 1.6) + 5.0, 0.02); // a plane solves Laplace's equation
    ri_raster_destroy(back);
    o = ri_raster_options_default();
    o.has_no_data = true; // one more value is declared missing
    o.no_data = (double)at(r, 3, 3);
    REQUIRE_OK(ctx, ri_raster_load(ctx, path_of("holes.asc"), &o, &back));
    CHECK(isnan(at(back, 3, 3)) && holes_in(back) >= 55);
    ri_raster_destroy(back);
    ri_raster_destroy(r);
    ri_context_destroy(ctx);
}

// ---- Hostile files

TEST(hopeless_files_are_refused_with_a_reason)
{
    RiContext *ctx = new_context();
    RiRaster *r;
    CHECK_ERROR(ctx, ri_raster_load(ctx, path_of("none.tif"), NULL, &r), RI_ERR_NOT_FOUND,
                "none.tif: cannot read: No such file");
    CHECK_ERROR(ctx, ri_raster_load(ctx, folder, NULL, &r), RI_ERR_IO, "not a regular file");
    write_text("empty.tif", "");
    CHECK_ERROR(ctx, ri_raster_load(ctx, path_of("empty.tif"), NULL, &r), RI_ERR_FORMAT, "the file is empty");
    write_text("text.tif", "this is no raster");
    CHECK_ERROR(ctx, ri_raster_load(ctx, path_of("text.tif"), NULL, &r), RI_ERR_FORMAT, "text.tif: is not a raster");
    write_text("huge.asc", "ncols 2000000000\nnrows 2000000000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n");
    CHECK(ri_raster_load(ctx, path_of("huge.asc"), NULL, &r) != RI_OK && strstr(ri_context_message(ctx), "huge.asc"));
    write_text("short.dat", "0123456789");
    write_text("short.hdr", "ENVI\nsamples = 100000\nlines = 100000\nbands = 1\ndata type = 4\ninterleave = bsq\n");
    CHECK_ERROR(ctx, ri_raster_load(ctx, path_of("short.dat"), NULL, &r), RI_ERR_FORMAT, "short.dat: is not a raster");
    write_text("large.dat", "0");
    CHECK(truncate(path_of("large.dat"), 400000000) == 0); // without taking the room
    write_text("large.hdr", "ENVI\nsamples = 20000\nlines = 20000\nbands = 1\ndata type = 1\ninterleave = bsq\n");
    CHECK_ERROR(ctx, ri_raster_load(ctx, path_of("large.dat"), NULL, &r), RI_ERR_LIMIT,
                "20000 x 20000 cells are more than");
    write_text("zero.dat", "0123456789");
    write_text("zero.hdr", "ENVI\nsamples = 0\nlines = 0\nbands = 1\ndata type = 4\n");
    CHECK(ri_raster_load(ctx, path_of("zero.dat"), NULL, &r) == RI_ERR_FORMAT &&
          strstr(ri_context_message(ctx), "zero.dat"));
    RiRaster *nothing = sample(ctx, 3, 2, 1.0, 1.0);
    for (int k = 0; k < 6; k++)
        nothing->values[k] = NAN;
    REQUIRE_OK(ctx, ri_raster_save(ctx, nothing, path_of("nan.tif"), false));
    ri_raster_destroy(nothing);
    CHECK_ERROR(ctx, ri_raster_load(ctx, path_of("nan.tif"), NULL, &r), RI_ERR_FORMAT,
                "none of the 3 x 2 cells has a value");
    write_text("turned.dat", "0123456789abcdef");
    write_text("turned.hdr",
               "ENVI\nsamples = 2\nlines = 2\nbands = 1\ndata type = 4\ninterleave = bsq\nbyte order = 0\n"
               "map info = {Arbitrary, 1, 1, 0, 0, 1, 1, 0, North, rotation=30}\n");
    CHECK_ERROR(ctx, ri_raster_load(ctx, path_of("turned.dat"), NULL, &r), RI_ERR_FORMAT,
                "is turned against its map by");
    CHECK(r == NULL);
    RiRasterOptions o = ri_raster_options_default();
    o.offset = (double)NAN;
    CHECK_ERROR(ctx, ri_raster_load(ctx, path_of("text.tif"), &o, &r), RI_ERR_ARGUMENT, "not finite");
    ri_context_destroy(ctx);
}

/// The whole of a file in memory.
static char *slurp(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    char *bytes = calloc(1, 1 << 20);
    *size = f ? fread(bytes, 1, 1 << 20, f) : 0;
    if (f)
        fclose(f);
    return bytes;
}

TEST(damaged_files_never_do_harm)
{
    RiContext *ctx = new_context();
    RiRaster *r = sample(ctx, 80, 70, 1.0, 1.0), *back;
    REQUIRE_OK(ctx, ri_raster_save(ctx, r, path_of("good.tif"), false));
    size_t size;
    char *bytes = slurp(path_of("good.tif"), &size);
    RiRng rng = ri_rng_stream(2, "damage");
    int refused = 0;
    for (int k = 0; k < 16; k++) {
        FILE *f = fopen(path_of("bad.tif"), "wb");
        REQUIRE(f);
        char *copy = memcpy(malloc(size), bytes, size);
        const size_t length = k < 8 ? size * (size_t)(k + 1) / 9 : size;
        for (int n = 0; k >= 8 && n < 8; n++)
            copy[ri_rng_below(&rng, k < 12 ? 400 : (int)size)] = (char)ri_rng_next(&rng);
        fwrite(copy, 1, length, f);
        fclose(f);
        free(copy);
        const RiStatus status = ri_raster_load(ctx, path_of("bad.tif"), NULL, &back);
        CHECK((status == RI_OK) == (back != NULL));
        if (status != RI_OK && !strstr(ri_context_message(ctx), "bad.tif: "))
            CHECK_FAIL("message '%s' does not name the file", ri_context_message(ctx));
        refused += status != RI_OK;
        ri_raster_destroy(back);
    }
    CHECK(refused >= 8); // every cut, some bytes
    CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    free(bytes);
    ri_raster_destroy(r);
    ri_context_destroy(ctx);
}

TEST(saving_fails_cleanly)
{
    RiContext *ctx = new_context();
    RiRaster *r = sample(ctx, 30, 20, 1.0, 2.0), *back;
    CHECK_ERROR(ctx, ri_raster_save(ctx, r, path_of("a.jpg"), false), RI_ERR_ARGUMENT,
                "the ending says the format: .tif");
    CHECK_ERROR(ctx, ri_raster_save(ctx, r, path_of("a.asc"), false), RI_ERR_ARGUMENT,
                "square cells, these are 1 x 2 m");
    CHECK_ERROR(ctx, ri_raster_save(ctx, r, path_of("no/such/folder.tif"), false), RI_ERR_IO,
                "folder.tif: cannot write: ");
    REQUIRE_OK(ctx, ri_raster_save(ctx, r, path_of("kept.tif"), false));
    mkdir(path_of("taken.tif"), 0755);
    CHECK_ERROR(ctx, ri_raster_save(ctx, r, path_of("taken.tif"), false), RI_ERR_IO,
                "taken.tif: cannot write: Is a directory");
    rmdir(path_of("taken.tif"));
    REQUIRE_OK(ctx, ri_raster_load(ctx, path_of("kept.tif"), NULL, &back));
    ri_raster_destroy(back);
    DIR *dir = opendir(folder); // nothing half written stays
    for (struct dirent *e; dir && (e = readdir(dir));)
        CHECK(!strstr(e->d_name, ".part"));
    if (dir)
        closedir(dir);
    ri_raster_destroy(r);
    ri_context_destroy(ctx);
}

TEST(every_failed_allocation_is_told)
{
    RiContext *plain = new_context();
    RiRaster *r = sample(plain, 12, 10, 1.0, 1.0);
    r->values[17] = NAN;
    REQUIRE_OK(plain, ri_raster_save(plain, r, path_of("faults.tif"), false));
    RiStatus status = RI_ERR_MEMORY;
    long n = 1;
    for (; status == RI_ERR_MEMORY && n < 60; n++) {
        Faults faults = {.fail_at = n};
        const RiAllocator allocator = faults_allocator(&faults);
        RiContext *ctx;
        REQUIRE(ri_context_create(&allocator, &ctx) == RI_OK);
        RiRasterOptions o = ri_raster_options_default();
        o.missing = RI_MISSING_FILL;
        o.cell = 0.5;
        RiRaster *back;
        RiTileSource source;
        status = ri_raster_load(ctx, path_of("faults.tif"), &o, &back);
        if (status == RI_OK)
            status = ri_raster_save(ctx, back, path_of("faults.dat"), false);
        if (status == RI_OK)
            status = ri_tiles_open(ctx, path_of("faults.tif"), NULL, &source);
        if (status == RI_OK)
            source.close(source.user);
        ri_raster_destroy(back);
        ri_context_destroy(ctx);
        CHECK_INT(faults.live, 0);
    }
    CHECK_INT(status, RI_OK);
    CHECK(n > 10);
    ri_raster_destroy(r);
    ri_context_destroy(plain);
}

// ---- Paged

static RiTerrain *paged_map(RiContext *ctx, const RiTileSource *source, RiInterpolation kind)
{
    RiTilesDef def = ri_tiles_def_default();
    def.source = *source;
    def.interpolation = kind;
    RiTerrain *t = NULL;
    CHECK_OK(ctx, ri_terrain_create_tiles(ctx, &def, &t));
    return t;
}

TEST(a_paged_file_answers_as_a_loaded_one)
{
    if (!has_data(__func__))
        return;
    RiContext *ctx = new_context();
    RiRaster *r;
    RiTileSource source;
    RiTerrain *loaded;
    const char *file = data_of("msl_dingo_gap_64m_0p0625.tif");
    REQUIRE_OK(ctx, ri_raster_load(ctx, file, NULL, &r));
    REQUIRE_OK(ctx, ri_tiles_open(ctx, file, NULL, &source));
    CHECK(source.nx == 1024 && source.ny == 1024 && source.x0 == r->x0 && source.y0 == r->y0 && source.dx == r->dx);
    CHECK(strcmp(ri_tiles_projection(&source), r->projection) == 0);
    RiHeightsDef def = ri_heights_def_default();
    def.raster = r;
    REQUIRE_OK(ctx, ri_terrain_create_heights(ctx, &def, &loaded));
    RiTerrain *paged = paged_map(ctx, &source, RI_BICUBIC);
    RiRng rng = ri_rng_stream(4, "places");
    for (int k = 0; k < 2000; k++) {
        const RiVec3 p =
            ri_vec3(ri_rng_between(&rng, -33, 33), ri_rng_between(&rng, -33, 33), ri_rng_between(&rng, -3, 4));
        RiHeight a, b;
        RiSurface c, d;
        ri_terrain_height(loaded, p.x, p.y, &a);
        ri_terrain_height(paged, p.x, p.y, &b);
        CHECK(a.z == b.z && a.zx == b.zx && a.zy == b.zy && a.zxx == b.zxx && a.zxy == b.zxy && a.zyy == b.zyy);
        if (k % 10)
            continue; // distances take longer
        ri_terrain_query(loaded, p, &c);
        ri_terrain_query(paged, p, &d);
        CHECK(c.distance == d.distance && c.normal.z == d.normal.z);
    }
    CHECK_INT(ri_terrain_info(paged).ambiguous, 0);
    ri_terrain_destroy(paged);
    ri_terrain_destroy(loaded);
    ri_raster_destroy(r);
    CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    ri_context_destroy(ctx);
}

/// Largest difference of a level from the mean over blocks of the raster.
static double level_error(const RiTileSource *s, const RiRaster *r, int level)
{
    const int f = 1 << level, nx = (r->nx + f - 1) / f, ny = (r->ny + f - 1) / f;
    float *v = malloc((size_t)nx * (size_t)ny * sizeof *v);
    double worst = s->read(s->user, level, 0, 0, nx, ny, v) == RI_OK ? 0.0 : INFINITY;
    for (int j = 0; j < ny && worst < INFINITY; j++)
        for (int i = 0; i < nx; i++) {
            double sum = 0.0;
            int known = 0;
            for (int b = j * f; b < (j + 1) * f && b < r->ny; b++)
                for (int a = i * f; a < (i + 1) * f && a < r->nx; a++)
                    if (!isnan(at(r, a, b))) {
                        sum += (double)at(r, a, b);
                        known++;
                    }
            worst = known                  ? fmax(worst, fabs((double)v[j * nx + i] - sum / known))
                    : isnan(v[j * nx + i]) ? worst
                                           : INFINITY;
        }
    free(v);
    return worst;
}

TEST(levels_are_means_with_and_without_overviews_in_the_file)
{
    RiContext *ctx = new_context();
    static const int sizes[2][2] = {{640, 512}, {601, 333}}; // the second's overviews do not fit from the south
    for (int k = 0; k < 4; k++) {
        RiRaster *r = sample(ctx, sizes[k % 2][0], sizes[k % 2][1], 1.0, 1.0);
        for (int n = 0; n < 4000; n++)
            r->values[20000 + n] = NAN;
        RiTileSource s;
        REQUIRE_OK(ctx, ri_raster_save(ctx, r, path_of("levels.tif"), k < 2));
        REQUIRE_OK(ctx, ri_tiles_open(ctx, path_of("levels.tif"), NULL, &s));
        CHECK_INT(s.levels, 5);
        CHECK(level_error(&s, r, 0) == 0.0);
        CHECK(level_error(&s, r, 1) < 1e-6);
        if (k >= 2) // means of means differ where some values are missing
            CHECK(level_error(&s, r, 4) < 1e-6);
        float v[4];
        CHECK(s.read(s.user, 0, sizes[k % 2][0] - 1, 0, 2, 2, v) == RI_ERR_ARGUMENT);
        CHECK(strstr(ri_tiles_trouble(&s), "levels.tif: no such part of the map") != NULL);
        CHECK(s.read(s.user, 0, 0, 0, 2, 2, v) == RI_OK); // and it goes on
        s.close(s.user);
        ri_raster_destroy(r);
    }
    ri_context_destroy(ctx);
}

/// The one child of this process; 0 if there is none.
static pid_t find_child(void)
{
    char path[64], text[64] = "";
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    FILE *f = fopen(path, "r");
    if (f && !fgets(text, sizeof text, f))
        text[0] = '\0';
    if (f)
        fclose(f);
    return (pid_t)strtol(text, NULL, 10);
}

TEST(a_reader_that_dies_leaves_level_ground_and_a_reason)
{
    RiContext *ctx = new_context();
    RiRaster *r = sample(ctx, 700, 300, 1.0, 1.0);
    RiTileSource s;
    REQUIRE_OK(ctx, ri_raster_save(ctx, r, path_of("killed.tif"), false));
    REQUIRE_OK(ctx, ri_tiles_open(ctx, path_of("killed.tif"), NULL, &s));
    RiTerrain *t = paged_map(ctx, &s, RI_BILINEAR);
    RiHeight h;
    CHECK(ri_terrain_height(t, 0.0, 10.0, &h));
    CHECK_INT(h.flags, 0);
    const pid_t child = find_child();
    if (child > 0) {
        kill(child, SIGKILL);
        for (int k = 0; k < 2; k++) {
            CHECK(ri_terrain_height(t, 600.0 + k, 10.0, &h));
            CHECK_INT(h.flags, RI_SURFACE_HOLE | RI_SURFACE_OUTSIDE);
        }
        CHECK(strstr(ri_tiles_trouble(&s), "killed.tif: the map reader crashed on this file (signal 9, KILL)") != NULL);
        CHECK(ri_terrain_height(t, 0.0, 11.0, &h) && h.flags == 0); // what was read is still there
        CHECK_INT(ri_terrain_info(t).ambiguous, 1);
    } else
        printf("     skipped: this kernel does not list children\n");
    ri_terrain_destroy(t);
    ri_raster_destroy(r);
    ri_context_destroy(ctx);
}

static void remove_folder(void)
{
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (e->d_name[0] != '.')
            remove(path_of(e->d_name));
    if (dir)
        closedir(dir);
    rmdir(folder);
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {CASE(every_reference_file_opens_or_says_why_not),
                               CASE(the_dune_stands_where_the_rover_stood),
                               CASE(the_files_own_scale_and_a_window_before_its_broken_end),
                               CASE(rasters_come_back_to_the_last_bit),
                               CASE(georeference_and_projection_come_back),
                               CASE(degrees_become_metres_by_the_bodys_radius),
                               CASE(feet_become_metres),
                               CASE(a_window_is_the_part_that_was_asked_for),
                               CASE(coarser_cells_are_means_and_finer_ones_bicubic),
                               CASE(holes_are_kept_filled_or_refused_by_choice),
                               CASE(hopeless_files_are_refused_with_a_reason),
                               CASE(damaged_files_never_do_harm),
                               CASE(saving_fails_cleanly),
                               CASE(every_failed_allocation_is_told),
                               CASE(a_paged_file_answers_as_a_loaded_one),
                               CASE(levels_are_means_with_and_without_overviews_in_the_file),
                               CASE(a_reader_that_dies_leaves_level_ground_and_a_reason)};
    if (!strstr(ri_version_features(), "gdal: yes")) {
        RiContext *ctx = new_context();
        RiRaster *r;
        const bool told = ri_raster_load(ctx, "a.tif", NULL, &r) == RI_ERR_UNSUPPORTED &&
                          strstr(ri_context_message(ctx), "this build has no GDAL: install libgdal-dev and rebuild");
        ri_context_destroy(ctx);
        printf("skipped: this build has no GDAL%s\n", told ? ", and says so" : "");
        return told ? 77 : EXIT_FAILURE;
    }
    snprintf(folder, sizeof folder, "%s/test_raster.XXXXXX", RILLE_BINARY_DIR);
    if (!mkdtemp(folder))
        return EXIT_FAILURE;
    snprintf(data, sizeof data, "%s", getenv("RILLE_DATA") ? getenv("RILLE_DATA") : RILLE_SOURCE_DIR "/../shared/data");
    const int code = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    remove_folder();
    return code;
}

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Terrain descriptions: every kind, soil and ruts, refusals with their place, settings, scenes
/// with a terrain, the tables of soils.
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rille/checkpoint.h>
#include <rille/scene.h>
#include <rille/terrain_file.h>
#include <rille/terrain_io.h>

#include "check.h"
#include "io/faults.h"
#include "io/terrain/terrain_yaml.h"
#include "needs.h"

#define TERRAINS RILLE_SOURCE_DIR "/terrains/"

static const double degree = 3.14159265358979323846 / 180.0;

typedef struct Fixture {
    RiContext *ctx;
    RiTerrainFile *file;
} Fixture;

static Fixture begin(void)
{
    Fixture f = {NULL, NULL};
    if (ri_context_create(NULL, &f.ctx) != RI_OK)
        exit(EXIT_FAILURE);
    return f;
}

static void end(Fixture *f)
{
    ri_terrain_file_destroy(f->file);
    ri_context_destroy(f->ctx);
}

/// Reads a description as if it stood in terrains/.
static RiStatus parse(Fixture *f, const char *text)
{
    ri_terrain_file_destroy(f->file);
    return ri_terrain_file_parse(f->ctx, TERRAINS "test.yaml", text, strlen(text), NULL, &f->file);
}

static void refused(const char *text, RiStatus status, const char *part)
{
    Fixture f = begin();
    CHECK_ERROR(f.ctx, parse(&f, text), status, part);
    CHECK(!f.file);
    end(&f);
}

static double height(const Fixture *f, double x, double y)
{
    RiHeight h;
    return ri_terrain_height(ri_terrain_file_terrain(f->file), x, y, &h) ? h.z : NAN;
}

static const char *material(const Fixture *f, double x, double y)
{
    RiHeight h;
    const RiTerrain *t = ri_terrain_file_terrain(f->file);
    return ri_terrain_height(t, x, y, &h) ? ri_terrain_material_name(t, h.material) : "";
}

TEST(every_kind_is_read_with_units_and_expressions)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx, parse(&f, "parameters: {tilt: 10}\nkind: plane\npoint: [0, 0, 2 m]\nslope: ${2*tilt} deg\n"));
    CHECK_CLOSE(height(&f, 1.0, 5.0), 2.0 + tan(20.0 * degree), 1e-12);
    REQUIRE_OK(f.ctx, parse(&f, "kind: shapes\nparts:\n  - {shape: plane}\n"
                                "  - {shape: box, size: [2, 2, 40 cm], xyz: [3, 0, 20 cm], material: rock}\n"));
    CHECK_CLOSE(height(&f, 0.0, 0.0), 0.0, 1e-9);
    CHECK_CLOSE(height(&f, 3.0, 0.0), 0.4, 1e-9);
    CHECK(strcmp(material(&f, 3.0, 0.0), "rock") == 0);
    REQUIRE_OK(f.ctx, parse(&f, "kind: heights\ncell: 2\ncorner: [10, 20]\ninterpolation: bilinear\n"
                                "values: [[0, 1, 2], [10, 11, 12], [20, 21, 22]]\n"));
    CHECK_CLOSE(height(&f, 11.0, 21.0), 5.5, 1e-6); // the first row is the southernmost
    REQUIRE_OK(f.ctx, parse(&f, "kind: union\nparts:\n  - {kind: plane}\n"
                                "  - {kind: shapes, parts: [{shape: sphere, radius: 1, xyz: [5, 0, 0]}]}\n"));
    CHECK_CLOSE(height(&f, 0.0, 0.0), 0.0, 1e-9);
    CHECK_CLOSE(height(&f, 5.0, 0.0), 1.0, 1e-6);
    REQUIRE_OK(f.ctx, parse(&f, "kind: make\nmake: fractal\nseed: 3\nset: {}\nedge: stop\n"));
    CHECK(isfinite(height(&f, 0.0, 0.0)));
    end(&f);
}

TEST(another_soil_takes_the_place_of_the_base)
{
    Fixture f = begin();
    char path[] = "/tmp/rille-soil-XXXXXX.yaml";
    const int descriptor = mkstemps(path, 5);
    FILE *file = fdopen(descriptor, "w");
    if (!file)
        abort();
    fputs("soil: my_sand\nn: 1.1\nkc: 0.99 kN/m^(n+1)\nkphi: 1528.43 kN/m^(n+2)\ncohesion: 1.04 kPa\nfriction: 28 deg\n"
          "kx: 0.3\n",
          file);
    fclose(file);
    RiReport *report;
    REQUIRE_OK(f.ctx, ri_report_create(f.ctx, &report));
    static const char text[] = "terrain: t\nkind: plane\nsoil: {base: rock}\n";
    for (int own = 0; own < 2; own++) {
        const RiSetting setting = {"soil", own ? path : "dry_sand_LLL"};
        const RiTerrainOptions options = {.settings = &setting, .setting_count = 1, .report = report};
        ri_terrain_file_destroy(f.file);
        REQUIRE_OK(f.ctx, ri_terrain_file_parse(f.ctx, TERRAINS "test.yaml", text, strlen(text), &options, &f.file));
        const RiSoilMap *map = ri_terrain_file_soil_map(f.file);
        const RiSoil *soil = ri_soils_get(ri_soil_map_soils(map), ri_soil_map_region(map, 0)->layers[0].soil);
        CHECK(strcmp(soil->name, own ? "my_sand" : "dry_sand_LLL") == 0);
        CHECK_CLOSE(soil->kc, 990.0, 1e-9);
        CHECK_CLOSE(soil->kphi, 1528430.0, 1e-6);
        CHECK_CLOSE(soil->friction, 28.0 * degree, 1e-15);
        CHECK_INT(ri_report_count_kind(report, RI_FINDING_WARNING), own); // kx = 0.3 m is longer than in any soil
    }
    const RiSetting wrong = {"soil", "dry_sand_LL"};
    const RiTerrainOptions options = {.settings = &wrong, .setting_count = 1};
    ri_terrain_file_destroy(f.file);
    CHECK_ERROR(f.ctx, ri_terrain_file_parse(f.ctx, TERRAINS "test.yaml", text, strlen(text), &options, &f.file),
                RI_ERR_NOT_FOUND, "did you mean 'dry_sand_LLL'");
    ri_report_destroy(report);
    unlink(path);
    end(&f);
}

TEST(a_baked_terrain_keeps_its_distances)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx, parse(&f, "kind: shapes\nparts: [{shape: sphere, radius: 1}]\n"
                                "bake: {cell: 5 cm, kind: dense, low: [-2, -2, -2], high: [2, 2, 2]}\n"));
    const RiTerrain *t = ri_terrain_file_terrain(f.file);
    CHECK(strcmp(ri_terrain_info(t).kind, "grid") == 0);
    for (int k = 0; k < 200; k++) {
        const RiVec3 p = ri_vec3(1.1 * sin(12.9 * k), 1.1 * sin(78.2 * k), 1.1 * sin(39.4 * k));
        RiSurface s;
        ri_terrain_query(t, p, &s);
        if (ri_norm(p) > 0.3)
            CHECK_CLOSE(s.distance, ri_norm(p) - 1.0, 0.01);
    }
    end(&f);
}

/// Every shape goes out as text and comes back as the same ground, bit by bit but for the turn of
/// its pose.
TEST(parts_are_written_as_they_are_read)
{
    RiGroundPart parts[RI_GROUND_SHAPE_COUNT];
    Fixture f = begin();
    for (int i = 0; i < RI_GROUND_SHAPE_COUNT; i++) {
        RiTerrain *direct;
        char *text = NULL;
        size_t size = 0;
        parts[i] = (RiGroundPart){.shape = (RiGroundShape)i, .a = 1.3, .b = 0.7, .c = 0.9, .material = "rock"};
        parts[i].pose.p = ri_vec3(0.1, -1.0 / 3.0, 0.2);
        parts[i].pose.R = ri_mat3_rpy(0.1, -0.2, 0.3);
        FILE *out = open_memstream(&text, &size);
        REQUIRE(out);
        fprintf(out, "kind: shapes\nparts:\n  - ");
        ri_terrain_write_part(out, &parts[i]);
        fprintf(out, "\n");
        fclose(out);
        REQUIRE_OK(f.ctx, parse(&f, text));
        REQUIRE_OK(f.ctx, ri_terrain_create_shapes(f.ctx, 1, &parts[i], &direct));
        for (int k = 0; k < 50; k++) {
            const RiVec3 p = ri_vec3(2.0 * sin(12.9 * k), 2.0 * sin(78.2 * k), 2.0 * sin(39.4 * k));
            RiSurface a, b;
            ri_terrain_query(direct, p, &a);
            ri_terrain_query(ri_terrain_file_terrain(f.file), p, &b);
            CHECK_CLOSE(b.distance, a.distance, 1e-12);
        }
        ri_terrain_destroy(direct);
        free(text);
    }
    end(&f);
}

// --- files beside the description ----------------------------------------------------------------

/// A folder of its own with a map, a mask and a mesh in it.
static char folder[64];

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static double waves(double x, double y)
{
    return 0.3 * sin(0.7 * x) * cos(0.5 * y);
}

/// 0.25 m from value to value, from (-5, -5): the ground, or 3 where x > 0 and y > 0 and else 1.
static void write_raster(RiContext *ctx, const char *name, bool mask)
{
    enum { SIDE = 41 };
    RiRaster *r;
    REQUIRE_OK(ctx, ri_raster_create(ctx, SIDE, SIDE, 0.25, 0.25, &r));
    r->x0 = r->y0 = -5.0;
    for (int k = 0; k < SIDE * SIDE; k++) {
        const double x = -5.0 + 0.25 * (k % SIDE), y = -5.0 + 0.25 * (k / SIDE);
        r->values[k] = (float)(mask ? (x > 0.0 && y > 0.0 ? 3.0 : 1.0) : waves(x, y));
    }
    CHECK_OK(ctx, ri_raster_save(ctx, r, in_folder(name), false));
    ri_raster_destroy(r);
}

/// A box from (-1, -1, -1) to (1, 1, 1) in a file that counts in millimetres.
static void write_box(const char *name)
{
    FILE *f = fopen(in_folder(name), "w");
    REQUIRE(f);
    for (int i = 0; i < 8; i++)
        fprintf(f, "v %d %d %d\n", i & 1 ? 1000 : -1000, i & 2 ? 1000 : -1000, i & 4 ? 1000 : -1000);
    static const int faces[12][3] = {{1, 3, 4}, {1, 4, 2}, {5, 6, 8}, {5, 8, 7}, {1, 2, 6}, {1, 6, 5},
                                     {3, 7, 8}, {3, 8, 4}, {1, 5, 7}, {1, 7, 3}, {2, 4, 8}, {2, 8, 6}};
    for (int i = 0; i < 12; i++)
        fprintf(f, "f %d %d %d\n", faces[i][0], faces[i][1], faces[i][2]);
    fclose(f);
}

static void make_files(RiContext *ctx)
{
    strcpy(folder, "/tmp/rille-test-XXXXXX");
    REQUIRE(mkdtemp(folder));
    write_raster(ctx, "ground.tif", false);
    write_raster(ctx, "mask.tif", true);
    write_box("box.obj");
}

/// Removes the folder; returns the number of files that were in it.
static int remove_files(void)
{
    int count = 0;
    DIR *d = opendir(folder);
    for (const struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.') {
            count++;
            CHECK(unlinkat(dirfd(d), e->d_name, 0) == 0);
        }
    closedir(d);
    CHECK(rmdir(folder) == 0);
    return count;
}

static RiStatus parse_there(Fixture *f, const RiTerrainOptions *options, const char *text)
{
    RiTerrainOptions o = options ? *options : ri_terrain_options_default();
    char path[128];
    o.soils = RILLE_SOURCE_DIR "/soils";
    snprintf(path, sizeof path, "%s/test.yaml", folder);
    ri_terrain_file_destroy(f->file);
    f->file = NULL;
    return ri_terrain_file_parse(f->ctx, path, text, strlen(text), &o, &f->file);
}

TEST(tiles_are_read_piece_by_piece_with_a_patch)
{
    NEEDS("gdal");
    Fixture f = begin();
    make_files(f.ctx);
    REQUIRE_OK(f.ctx, parse_there(&f, NULL,
                                  "kind: tiles\nfile: ground.tif\nmemory: 8 MiB\nedge: stop\nblend: 10 cm\n"
                                  "patch: {kind: heights, cell: 50 cm, corner: [1, 1], values: [[2, 2, 2, 2], "
                                  "[2, 2, 2, 2], [2, 2, 2, 2], [2, 2, 2, 2]]}\n"));
    CHECK(strcmp(ri_terrain_info(ri_terrain_file_terrain(f.file)).kind, "tiles") == 0);
    CHECK_CLOSE(height(&f, -2.3, 0.4), waves(-2.3, 0.4), 1e-3);
    CHECK_CLOSE(height(&f, 1.75, 1.75), 2.0, 1e-6); // within the patch
    RiHeight h;
    CHECK(ri_terrain_height(ri_terrain_file_terrain(f.file), 7.0, 0.0, &h) && h.flags & RI_SURFACE_OUTSIDE);
    CHECK_ERROR(f.ctx, parse_there(&f, NULL, "kind: tiles\nfile: ground.tif\ncell: 1\n"), RI_ERR_FORMAT,
                "test.yaml:3:7");
    CHECK_ERROR(f.ctx, parse_there(&f, NULL, "kind: tiles\nfile: none.tif\n"), RI_ERR_NOT_FOUND, "test.yaml:2:7");
    remove_files();
    end(&f);
}

TEST(a_mesh_is_scaled_and_may_be_turned_inside_out)
{
    NEEDS("embree");
    Fixture f = begin();
    RiSurface s;
    make_files(f.ctx);
    REQUIRE_OK(f.ctx, parse_there(&f, NULL, "kind: mesh\nfile: box.obj\nscale: 0.001\nmaterial: rock\n"));
    ri_terrain_query(ri_terrain_file_terrain(f.file), ri_vec3(0.0, 0.0, 1.5), &s);
    CHECK_CLOSE(s.distance, 0.5, 1e-9);
    CHECK(strcmp(material(&f, 0.2, 0.1), "rock") == 0);
    REQUIRE_OK(f.ctx, parse_there(&f, NULL, "kind: mesh\nfile: box.obj\nscale: 0.001\nflip: true\n"));
    ri_terrain_query(ri_terrain_file_terrain(f.file), ri_vec3(0.0, 0.0, 0.75), &s);
    CHECK_CLOSE(s.distance, 0.25, 1e-9); // a cave
    CHECK_ERROR(f.ctx, parse_there(&f, NULL, "kind: mesh\nfile: ground.tif\n"), RI_ERR_UNSUPPORTED, "test.yaml:2:7");
    remove_files();
    end(&f);
}

TEST(a_mask_paints_a_region)
{
    NEEDS("gdal");
    Fixture f = begin();
    make_files(f.ctx);
    REQUIRE_OK(f.ctx, parse_there(&f, NULL,
                                  "kind: heights\nfile: ground.tif\nsoil:\n  base: dry_sand_LLL\n"
                                  "  regions: [{name: frozen, soil: ice, mask: {file: mask.tif, value: 3}}]\n"));
    CHECK(strcmp(material(&f, 2.0, 2.0), "frozen") == 0);
    CHECK(strcmp(material(&f, -2.0, 2.0), "frozen") != 0);
    CHECK(strcmp(material(&f, 2.0, -2.0), "frozen") != 0);
    CHECK_ERROR(f.ctx,
                parse_there(&f, NULL,
                            "kind: plane\nsoil:\n  base: ice\n"
                            "  regions: [{name: a, soil: ice, mask: {file: none.tif, value: 3}}]\n"),
                RI_ERR_NOT_FOUND, "test.yaml:4");
    remove_files();
    end(&f);
}

TEST(a_mask_need_not_be_as_large_as_the_terrain_but_must_paint_something)
{
    NEEDS("gdal");
    Fixture f = begin();
    make_files(f.ctx);
    REQUIRE_OK(f.ctx, parse_there(&f, NULL,
                                  "kind: plane\nsoil:\n  base: dry_sand_LLL\n"
                                  "  regions: [{name: frozen, soil: ice, mask: {file: mask.tif, value: 3}}]\n"));
    CHECK(strcmp(material(&f, 2.0, 2.0), "frozen") == 0);
    CHECK(strcmp(material(&f, 6.0, 6.0), "frozen") != 0); // beyond the mask: the base
    CHECK_ERROR(f.ctx,
                parse_there(&f, NULL,
                            "kind: heights\nfile: ground.tif\nsoil:\n  base: ice\n"
                            "  regions: [{name: a, soil: ice, mask: {file: mask.tif, value: 7}}]\n"),
                RI_ERR_FORMAT, "none of the mask's 41 x 41 cells has the value 7");
    CHECK_ERROR(f.ctx,
                parse_there(&f, NULL,
                            "kind: heights\nfile: ground.tif\nsoil:\n  base: ice\n"
                            "  regions: [{name: a, soil: ice, mask: {file: mask.tif, value: 3, origin: [90 m, 0]}}]\n"),
                RI_ERR_FORMAT, "do not overlap");
    remove_files();
    end(&f);
}

static int files_in(const char *path)
{
    int count = 0;
    DIR *d = opendir(path);
    for (const struct dirent *e; d && (e = readdir(d));)
        count += e->d_name[0] != '.';
    if (d)
        closedir(d);
    return count;
}

/// The cached grid is taken as long as mesh and definition are the same: it is then the file that
/// answers.
TEST(a_baked_mesh_comes_from_the_cache_until_its_content_changes)
{
    NEEDS("embree");
    static const char text[] = "kind: mesh\nfile: box.obj\nscale: 0.001\nbake: {cell: 10 cm}\n",
                      finer[] = "kind: mesh\nfile: box.obj\nscale: 0.001\nbake: {cell: 8 cm}\n",
                      larger[] = "kind: mesh\nfile: box.obj\nscale: 0.002\nbake: {cell: 10 cm}\n";
    Fixture f = begin();
    RiSurface s[2];
    make_files(f.ctx);
    const int before = files_in(folder);
    RiTerrainOptions o = ri_terrain_options_default();
    o.cache = folder;
    for (int k = 0; k < 2; k++) {
        REQUIRE_OK(f.ctx, parse_there(&f, &o, text));
        memset(&s[k], 0, sizeof s[k]);
        ri_terrain_query(ri_terrain_file_terrain(f.file), ri_vec3(0.3, 0.2, 1.05), &s[k]);
        CHECK_INT(files_in(folder), before + 1); // written once
    }
    CHECK_CLOSE(s[0].distance, 0.05, 1e-6);
    CHECK(memcmp(&s[0], &s[1], sizeof s[0]) == 0);
    REQUIRE_OK(f.ctx, parse_there(&f, &o, finer));
    CHECK_INT(files_in(folder), before + 2);
    REQUIRE_OK(f.ctx, parse_there(&f, &o, larger));
    CHECK_INT(files_in(folder), before + 3);
    ri_terrain_query(ri_terrain_file_terrain(f.file), ri_vec3(0.3, 0.2, 2.05), &s[0]);
    CHECK_CLOSE(s[0].distance, 0.05, 1e-6);
    remove_files();
    end(&f);
}

TEST(soil_has_layers_and_regions_and_ruts_a_size)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx,
               parse(&f,
                     "kind: plane\nsoil:\n  library: {mud: {like: lunar_nominal, density: 2000 kg/m^3}}\n"
                     "  base: {name: flat, layers: [{soil: mud, thickness: 2 cm, strength: 20 kPa}, {soil: bedrock}]}\n"
                     "  regions:\n    - {name: ice_field, soil: ice, polygon: [[1, 0], [3, 0], [3, 2], [1, 2]]}\n"
                     "ruts: {cell: 2 cm, memory: 4 MiB}\n"));
    const RiSoilMap *map = ri_terrain_file_soil_map(f.file);
    REQUIRE(map);
    const RiSoils *soils = ri_terrain_file_soils(f.file);
    CHECK(strcmp(material(&f, 0.0, 0.0), "flat") == 0 && strcmp(material(&f, 2.0, 1.0), "ice_field") == 0);
    const RiSoilLayer *top = ri_soil_map_layer_at(map, 0.0, 0.0, 0.01),
                      *rock = ri_soil_map_layer_at(map, 0.0, 0.0, 1.0);
    CHECK_CLOSE(ri_soils_get(soils, top->soil)->density, 2000.0, 0.0);
    CHECK_CLOSE(ri_soils_get(soils, top->soil)->kphi, 820000.0, 0.0);
    CHECK_CLOSE(top->strength, 2e4, 1e-9);
    CHECK(strcmp(ri_soils_get(soils, rock->soil)->name, "bedrock") == 0);
    REQUIRE(ri_terrain_file_ruts(f.file));
    CHECK_CLOSE(ri_terrain_file_ruts(f.file)->cell, 0.02, 1e-15);
    CHECK_INT(ri_terrain_file_ruts(f.file)->memory, 4 << 20);
    end(&f);
}

TEST(what_is_wrong_is_told_with_line_and_suggestion)
{
    refused("kind: plain\n", RI_ERR_FORMAT, "test.yaml:1:7: key 'kind'");
    refused("kind: plane\nslop: 3\n", RI_ERR_FORMAT, "did you mean 'slope'");
    refused("kind: plane\nslope: 3 m\n", RI_ERR_FORMAT, "test.yaml:2:8");
    refused("kind: plane\nslope: 80 rad\n", RI_ERR_FORMAT, "are allowed");
    refused("slope: 3\n", RI_ERR_FORMAT, "key 'kind' is missing");
    refused("[1, 2]\n", RI_ERR_FORMAT, "mapping");
    refused("kind: plane\nsoil: dry_sand_LL\n", RI_ERR_NOT_FOUND, "did you mean 'dry_sand_LLL'");
    refused("kind: plane\nsoil: {base: no_such_thing_anywhere}\n", RI_ERR_NOT_FOUND, "test.yaml:2:14");
    refused("kind: plane\nsoil: {base: {layers: [{soil: ice}, {soil: rock}]}}\n", RI_ERR_FORMAT,
            "'thickness' is missing");
    refused("kind: plane\nsoil: {base: {layers: [{soil: ice, thickness: 1}]}}\n", RI_ERR_FORMAT, "for ever");
    refused("kind: plane\nsoil: {base: ice, regions: [{name: a, soil: ice}]}\n", RI_ERR_FORMAT, "'polygon' and 'mask'");
    refused("kind: plane\nsoil: {base: ice, regions: [{name: a, soil: ice, polygon: [[0, 0]]}]}\n", RI_ERR_FORMAT,
            "3 corners");
    refused("kind: plane\nruts: {cell: 0}\n", RI_ERR_FORMAT, "are allowed");
    refused("kind: plane\nruts: {memory: lots}\n", RI_ERR_FORMAT, "is not a size");
    refused("kind: shapes\nparts: [{shape: box}]\n", RI_ERR_FORMAT, "key 'size' is missing");
    refused("kind: shapes\nparts: [{shape: sphere, radius: 1, gap: 2}]\n", RI_ERR_FORMAT, "unknown key 'gap'");
    refused("kind: shapes\nparts: []\n", RI_ERR_FORMAT, "0 parts");
    refused("kind: heights\n", RI_ERR_FORMAT, "'file' and 'values'");
    refused("kind: heights\nvalues: [[1, 2], [3]]\n", RI_ERR_FORMAT, "a row of 1 values");
    refused("kind: heights\nvalues: [[1, none], [3, 4]]\n", RI_ERR_FORMAT, "test.yaml:1");
    refused("kind: heights\nfile: no_such.tif\n", RI_ERR_NOT_FOUND, "test.yaml:2:7");
    refused("kind: make\nmake: dune\n", RI_ERR_NOT_FOUND, "did you mean 'dunes'");
    refused("kind: union\nparts: [{kind: plane, soil: ice}]\n", RI_ERR_FORMAT, "unknown key 'soil'");
}

TEST(a_text_without_a_path_reads_no_file)
{
    Fixture f = begin();
    const char *text = "kind: heights\nfile: a.tif\n";
    CHECK_ERROR(f.ctx, ri_terrain_file_parse(f.ctx, NULL, text, strlen(text), NULL, &f.file), RI_ERR_FORMAT,
                "without a path");
    end(&f);
}

TEST(settings_change_parameters_and_unknown_ones_are_refused)
{
    Fixture f = begin();
    const RiSetting good = {"slope", "25 deg"}, bad = {"slop", "1"}, steep = {"slope", "70 deg"};
    RiTerrainOptions o = ri_terrain_options_default();
    o.settings = &good;
    o.setting_count = 1;
    REQUIRE_OK(f.ctx, ri_terrain_file_load(f.ctx, TERRAINS "tilt_table.yaml", &o, &f.file));
    CHECK_CLOSE(height(&f, 1.0, 0.0), tan(25.0 * degree), 1e-12);
    CHECK_INT(ri_terrain_file_parameter_count(f.file), 2);
    CHECK_CLOSE(ri_terrain_file_parameter(f.file, 0).value, 25.0, 1e-12);
    ri_terrain_file_destroy(f.file);
    o.settings = &bad;
    CHECK_ERROR(f.ctx, ri_terrain_file_load(f.ctx, TERRAINS "tilt_table.yaml", &o, &f.file), RI_ERR_NOT_FOUND,
                "'slope'");
    o.settings = &steep;
    CHECK_ERROR(f.ctx, ri_terrain_file_load(f.ctx, TERRAINS "tilt_table.yaml", &o, &f.file), RI_ERR_FORMAT, "at most");
    end(&f);
}

TEST(the_terrains_of_the_project_load)
{
    static const char *const names[] = {"tilt_table",      "step", "parallel_walls", "ice_tube", "u_channel",
                                        "obstacle_course", "dunes"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Fixture f = begin();
        char path[1024];
        snprintf(path, sizeof path, TERRAINS "%s.yaml", names[i]);
        CHECK_OK(f.ctx, ri_terrain_file_load(f.ctx, path, NULL, &f.file));
        CHECK(f.file && strcmp(ri_terrain_file_name(f.file), names[i]) == 0);
        end(&f);
    }
}

/// Down the shaft every point of the axis near the middle is free, and the walls are ice that a
/// grid knows to its band.
TEST(the_moulin_is_a_shaft_of_ice_with_free_space_inside)
{
    NEEDS("embree");
    Fixture f = begin();
    RiTerrainHit hit;
    RiSurface s;
    REQUIRE_OK(f.ctx, ri_terrain_file_load(f.ctx, TERRAINS "moulin.yaml", NULL, &f.file));
    const RiTerrain *t = ri_terrain_file_terrain(f.file);
    const RiTerrainInfo info = ri_terrain_info(t);
    CHECK(strcmp(info.kind, "grid") == 0);
    const RiVec3 c = ri_scale(0.5, ri_add(info.low, info.high));
    for (int k = 0; k < 12; k++) { // rays from the middle meet walls all around, and the distance is 0 there
        const double angle = 0.5236 * k;
        REQUIRE(ri_terrain_ray(t, c, ri_vec3(cos(angle), sin(angle), 0.0), 50.0, &hit));
        ri_terrain_query(t, hit.point, &s);
        CHECK_CLOSE(s.distance, 0.0, 1e-3);
        CHECK(strcmp(ri_terrain_material_name(t, s.material), "glacier_ice") == 0);
    }
    end(&f);
}

TEST(dingo_gap_has_the_heights_of_its_raster)
{
    NEEDS("gdal");
    const char *data = getenv("RILLE_DATA") ? getenv("RILLE_DATA") : RILLE_SOURCE_DIR "/../shared/data";
    char path[1024];
    struct stat info;
    snprintf(path, sizeof path, "%s/dem/msl_dingo_gap_64m_0p0625.tif", data);
    if (stat(path, &info) != 0) {
        printf("     skipped: dingo_gap_has_the_heights_of_its_raster needs %s (RILLE_DATA)\n", path);
        return;
    }
    Fixture f = begin();
    RiTerrainOptions o = ri_terrain_options_default();
    RiRaster *r;
    o.paths = &data;
    o.path_count = 1;
    REQUIRE_OK(f.ctx, ri_terrain_file_load(f.ctx, TERRAINS "dingo_gap.yaml", &o, &f.file));
    REQUIRE_OK(f.ctx, ri_raster_load(f.ctx, path, NULL, &r));
    for (int k = 0; k < 100; k++) { // a bicubic surface passes through its values
        const int i = 20 + 97 * k % (r->nx - 40), j = 20 + 61 * k % (r->ny - 40);
        const float z = r->values[(size_t)j * (size_t)r->nx + (size_t)i];
        if (isfinite(z))
            CHECK_CLOSE(height(&f, r->x0 + r->dx * i, r->y0 + r->dy * j), (double)z, 1e-4);
    }
    ri_raster_destroy(r);
    end(&f);
}

// --- the tables of soils -------------------------------------------------------------------------

TEST(the_library_has_59_soils_and_what_is_not_given_is_not_zero)
{
    RiContext *ctx = begin().ctx;
    RiSoils *s;
    REQUIRE_OK(ctx, ri_soils_create(ctx, &s));
    CHECK_OK(ctx, ri_soils_load(ctx, s, RILLE_SOURCE_DIR "/soils/soils.csv"));
    CHECK_INT(ri_soils_count(s), 59);
    CHECK_OK(ctx, ri_soils_load(ctx, s, RILLE_SOURCE_DIR "/soils/materials.csv"));
    const RiSoil *sand = ri_soils_get(s, ri_soils_find(s, "dry_sand_LLL"));
    REQUIRE(sand);
    CHECK_CLOSE(sand->kphi, 1528430.0, 0.0);
    CHECK_CLOSE(sand->friction, 28.0 * degree, 1e-15);
    CHECK(isnan(sand->ky) && isnan(sand->n1) && isnan(sand->mu));
    CHECK(sand->confidence == 'A' && strstr(sand->provenance, "Wong"));
    // Reece's form gives back what was printed: (k1 + k2 b) of Wong and Reece, 20 psi and 2.5
    // psi/in.
    const RiSoil *compact = ri_soils_get(s, ri_soils_find(s, "wong_reece1967_compact_sand"));
    REQUIRE(compact && compact->form == RI_SOIL_REECE);
    CHECK_CLOSE(compact->cohesion * compact->kc / 6894.757, 20.0, 0.01);
    CHECK_CLOSE(compact->density * compact->gravity * compact->kphi * 0.0254 / 6894.757, 2.5, 0.001);
    for (int i = 0; i < ri_soils_count(s); i++)
        CHECK(*ri_soils_get(s, i)->provenance);
    ri_soils_destroy(s);
    ri_context_destroy(ctx);
}

static void table_refused(const char *text, const char *part)
{
    RiContext *ctx = begin().ctx;
    RiSoils *s;
    REQUIRE_OK(ctx, ri_soils_create(ctx, &s));
    CHECK_ERROR(ctx, ri_soils_parse(ctx, s, "t.csv", text, strlen(text)), RI_ERR_FORMAT, part);
    ri_soils_destroy(s);
    ri_context_destroy(ctx);
}

TEST(tables_are_refused_with_line_and_field)
{
#define HEAD "name,form,n,confidence,provenance\n"
    table_refused("", "no row with the names");
    table_refused("name,form,confidence\n", "'provenance' is missing");
    table_refused("name,form,nn,confidence,provenance\n", "t.csv:1: there is no column 'nn'; did you mean 'n'?");
    table_refused("name,name\n", "appears twice");
    table_refused(HEAD "a,bekker,1,A\n", "t.csv:2: 4 fields; the head names 5");
    table_refused("# c\n\n" HEAD "a,bekker,1,A,x\nb,bekker,one,A,x\n", "t.csv:5: field 'n': 'one' is not a number");
    table_refused(HEAD "a,bekker,nan,A,x\n", "is not a number");
    table_refused(HEAD "a,soft,1,A,x\n", "not one of hard, bekker, reece");
    table_refused(HEAD "a,bekker,1,D,x\n", "A, B, C, E");
    table_refused(HEAD "a,bekker,-1,A,x\n", "n is -1");
    table_refused(HEAD "a,bekker,1,A,\"x\n", "does not end");
    table_refused(HEAD "a,bekker,1,A,\"x\"y\n", "text follows");
    table_refused(HEAD "a,bekker,1,A,x\na,bekker,1,A,x\n", "already");
    RiContext *ctx = begin().ctx;
    RiSoils *s;
    REQUIRE_OK(ctx, ri_soils_create(ctx, &s));
    const char *good = HEAD "a,bekker,,A,\"says \"\"x, y\"\"\"\r\nb,reece,2,E,";
    CHECK_OK(ctx, ri_soils_parse(ctx, s, "t.csv", good, strlen(good)));
    CHECK_INT(ri_soils_count(s), 2);
    CHECK(strcmp(ri_soils_get(s, 0)->provenance, "says \"x, y\"") == 0 && isnan(ri_soils_get(s, 0)->n));
    ri_soils_destroy(s);
    ri_context_destroy(ctx);
}

// --- scenes --------------------------------------------------------------------------------------

static const char scene_text[] =
    "scene: s\nparameters: {tilt: 10 deg}\n"
    "robot: {template: {robot: r, base: floating, links: [{name: a, mass: 1, solid: sphere, size: [0.1]}]}}\n"
    "terrain:\n  template:\n    parameters: {slope: 5 deg}\n    kind: plane\n    slope: ${slope}\n    soil: ice\n"
    "    ruts: {cell: 1 cm}\n  set: {slope: '${tilt}'}\n"
    "initial: {base: {xyz: [1, 0, 2]}}\n";

static double value(RiScene *scene, const char *name)
{
    double x = NAN;
    CHECK(ri_values_eval(ri_sim_values(ri_scene_sim(scene)), name, &x) == RI_OK);
    return x;
}

static RiStatus open_scene(RiContext *ctx, const char *text, const RiSceneOptions *o, RiScene **out)
{
    RI_TRY(ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/test.yaml", text, strlen(text), o, out));
    return ri_scene_build(*out);
}

TEST(a_scene_has_its_terrain_and_saves_it)
{
    const char *saved = RILLE_BINARY_DIR "/test_terrain_scene.yaml";
    RiContext *ctx = begin().ctx;
    RiScene *scene, *again, *named;
    REQUIRE_OK(ctx, open_scene(ctx, scene_text, NULL, &scene));
    CHECK_CLOSE(value(scene, "terrain.slope"), 10.0 * degree, 1e-12);
    CHECK_CLOSE(value(scene, "terrain.height"), tan(10.0 * degree), 1e-12);
    CHECK(ri_sim_ruts(ri_scene_sim(scene)) && ri_scene_terrain(scene));
    CHECK_OK(ctx, ri_scene_save(scene, saved));
    REQUIRE_OK(ctx, ri_scene_load(ctx, saved, NULL, &again));
    CHECK_OK(ctx, ri_scene_build(again));
    CHECK(ri_sim_fingerprint(ri_scene_sim(scene)) == ri_sim_fingerprint(ri_scene_sim(again)));
    CHECK(ri_sim_hash(ri_scene_sim(scene)) == ri_sim_hash(ri_scene_sim(again)));
    const RiSetting setting = {"terrain.slope", "20 deg"};
    const RiSceneOptions o = {.settings = &setting, .setting_count = 1};
    const char *text = "scene: s\nrobot: ../robots/mass.yaml\nterrain: ../terrains/tilt_table.yaml\n";
    REQUIRE_OK(ctx, open_scene(ctx, text, &o, &named));
    CHECK_CLOSE(value(named, "terrain.slope"), 20.0 * degree, 1e-12);
    ri_scene_destroy(scene);
    ri_scene_destroy(again);
    ri_scene_destroy(named);
    remove(saved);
    ri_context_destroy(ctx);
}

static void scene_refused(const char *text, const RiSceneOptions *o, RiStatus status, const char *part)
{
    RiContext *ctx = begin().ctx;
    RiScene *scene = NULL;
    CHECK_ERROR(ctx, open_scene(ctx, text, o, &scene), status, part);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST(wrong_terrains_of_scenes_are_told_with_the_line_in_the_scene)
{
#define ROBOT "scene: s\nrobot: ../robots/mass.yaml\n"
    const RiSetting slope = {"terrain.slope", "1"};
    const RiSceneOptions o = {.settings = &slope, .setting_count = 1};
    scene_refused(ROBOT, &o, RI_ERR_NOT_FOUND, "has no terrain");
    scene_refused(ROBOT "terrain: nowhere\n", NULL, RI_ERR_NOT_FOUND,
                  "test.yaml:3:10: key 'terrain': there is no terrain");
    scene_refused(ROBOT "terrain: {files: x}\n", NULL, RI_ERR_FORMAT, "did you mean 'file'");
    scene_refused(ROBOT "terrain:\n  kind: plane\n  slop: 3\n", NULL, RI_ERR_FORMAT, "test.yaml:5");
    scene_refused(ROBOT "terrain: {kind: plane}\nstop: terrain.hight > 3\n", NULL, RI_ERR_FORMAT, "terrain.hight");
}

TEST(a_run_stops_when_the_base_leaves_the_terrain)
{
    RiContext *ctx = begin().ctx;
    RiScene *scene;
    const char *path = RILLE_BINARY_DIR "/test_terrain_left.checkpoint";
    REQUIRE_OK(ctx, open_scene(ctx,
                               ROBOT "gravity: none\nterrain: {kind: heights, edge: stop, values: [[0, 0], [0, 0]]}\n"
                                     "initial: {base: {xyz: [0.5, 0.5, 1], velocity: [10 m/s, 0, 0]}}\n",
                               NULL, &scene));
    RiSim *s = ri_scene_sim(scene);
    int ticks = 0;
    for (; !ri_sim_stopped(s) && ticks < 200; ticks++)
        CHECK_OK(ctx, ri_sim_step(s));
    CHECK(ticks >= 50 && ticks <= 52); // 0.5 m at 10 m/s
    CHECK(ri_sim_stopped(s) && strncmp(ri_sim_stopped(s), "left the terrain at (1.0", 24) == 0);
    CHECK_OK(ctx, ri_checkpoint_save(s, path));
    CHECK_OK(ctx, ri_checkpoint_load(s, path));
    CHECK(ri_sim_stopped(s) && strncmp(ri_sim_stopped(s), "left the terrain at (1.0", 24) == 0);
    ri_scene_destroy(scene);
    remove(path);
    ri_context_destroy(ctx);
}

TEST(failing_memory_is_told_and_nothing_leaks)
{
    bool done = false;
    long at = 0;
    for (; !done && at < 20000; at++) {
        Faults faults = {.fail_at = at};
        const RiAllocator allocator = faults_allocator(&faults);
        RiContext *ctx = NULL;
        RiScene *scene = NULL;
        RiStatus status = ri_context_create(&allocator, &ctx);
        if (status == RI_OK)
            status = open_scene(ctx, scene_text, NULL, &scene);
        done = status == RI_OK;
        if (!done)
            CHECK_INT(status, RI_ERR_MEMORY);
        ri_scene_destroy(scene);
        ri_context_destroy(ctx);
        CHECK_INT(faults.live, 0);
    }
    CHECK(done && at > 50);
}

TEST_MAIN(CASE(parts_are_written_as_they_are_read), CASE(every_kind_is_read_with_units_and_expressions),
          CASE(another_soil_takes_the_place_of_the_base), CASE(a_baked_terrain_keeps_its_distances),
          CASE(tiles_are_read_piece_by_piece_with_a_patch), CASE(a_mesh_is_scaled_and_may_be_turned_inside_out),
          CASE(a_mask_paints_a_region), CASE(a_mask_need_not_be_as_large_as_the_terrain_but_must_paint_something),
          CASE(a_baked_mesh_comes_from_the_cache_until_its_content_changes),
          CASE(the_moulin_is_a_shaft_of_ice_with_free_space_inside), CASE(dingo_gap_has_the_heights_of_its_raster),
          CASE(soil_has_layers_and_regions_and_ruts_a_size), CASE(what_is_wrong_is_told_with_line_and_suggestion),
          CASE(a_text_without_a_path_reads_no_file), CASE(settings_change_parameters_and_unknown_ones_are_refused),
          CASE(the_terrains_of_the_project_load), CASE(the_library_has_59_soils_and_what_is_not_given_is_not_zero),
          CASE(tables_are_refused_with_line_and_field), CASE(a_scene_has_its_terrain_and_saves_it),
          CASE(wrong_terrains_of_scenes_are_told_with_the_line_in_the_scene),
          CASE(a_run_stops_when_the_base_leaves_the_terrain), CASE(failing_memory_is_told_and_nothing_leaks))

// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille terrain info`: what a terrain is, how steep and rough it is, and what is at a place.
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/file.h>

#include "json.h"
#include "terrain/terrain.h"

enum { OPT_SET = 0x100, OPT_JSON, OPT_AT, OPT_BOX, GRID = 256 };

typedef struct InfoArgs {
    TerrainOpen open;
    bool json, has_at, has_box;
    double at[3];
    int at_count;
    double box[3];
} InfoArgs;

/// Heights and slopes on a grid over the terrain.
typedef struct Statistics {
    int found, missing;
    double low, high, mean_slope, steep, steepest; ///< [m], [rad]; `steep` is exceeded by a twentieth
    double roughness;                              ///< standard deviation of the height about its best plane [m]
    double x0, y0, x1, y1;                         ///< where [m]
} Statistics;

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Standard deviation about the plane z = a + b x + c y that fits best.
static double plane_residual(int n, const double *x, const double *y, const double *z)
{
    double sx = 0, sy = 0, sz = 0;
    for (int i = 0; i < n; i++)
        sx += x[i], sy += y[i], sz += z[i];
    const double mx = sx / n, my = sy / n, mz = sz / n;
    double xx = 0, xy = 0, yy = 0, xz = 0, yz = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        const double u = x[i] - mx, v = y[i] - my, w = z[i] - mz;
        xx += u * u, xy += u * v, yy += v * v, xz += u * w, yz += v * w;
    }
    const double det = xx * yy - xy * xy;
    const double b = det > 0.0 ? (xz * yy - yz * xy) / det : 0.0, c = det > 0.0 ? (yz * xx - xz * xy) / det : 0.0;
    for (int i = 0; i < n; i++)
        sum += pow(z[i] - mz - b * (x[i] - mx) - c * (y[i] - my), 2.0);
    return sqrt(sum / n);
}

/// Looks at GRID x GRID places inside the bounds, or 20 m around the origin where there are none.
static bool gather(const RiTerrain *t, Statistics *out)
{
    const RiTerrainInfo info = ri_terrain_info(t);
    const bool bounded = isfinite(info.low.x) && isfinite(info.high.x) && isfinite(info.low.y) && isfinite(info.high.y);
    *out = (Statistics){.low = INFINITY, .high = -INFINITY};
    out->x0 = bounded ? info.low.x : -10.0;
    out->x1 = bounded ? info.high.x : 10.0;
    out->y0 = bounded ? info.low.y : -10.0;
    out->y1 = bounded ? info.high.y : 10.0;
    double *v = calloc(4 * (size_t)GRID * GRID, sizeof *v);
    if (!v)
        return false;
    double *x = v, *y = v + GRID * GRID, *z = y + GRID * GRID, *slope = z + GRID * GRID;
    int n = 0;
    for (int k = 0; k < GRID * GRID; k++) {
        RiHeight h;
        x[n] = out->x0 + (out->x1 - out->x0) * (k % GRID + 0.5) / GRID;
        y[n] = out->y0 + (out->y1 - out->y0) * (k / GRID + 0.5) / GRID;
        if (!ri_terrain_height(t, x[n], y[n], &h) || !isfinite(h.z))
            continue;
        z[n] = h.z;
        slope[n] = atan(hypot(h.zx, h.zy));
        out->low = fmin(out->low, h.z);
        out->high = fmax(out->high, h.z);
        out->mean_slope += slope[n++];
    }
    out->found = n;
    out->missing = GRID * GRID - n;
    if (n) {
        out->mean_slope /= n;
        out->roughness = plane_residual(n, x, y, z);
        qsort(slope, (size_t)n, sizeof *slope, by_value);
        out->steep = slope[n - 1 - n / 20];
        out->steepest = slope[n - 1];
    }
    free(v);
    return true;
}

static double degrees(double angle)
{
    return angle * 180.0 / M_PI;
}

// --- a place -------------------------------------------------------------------------------------

/// What is known of one place.
typedef struct Place {
    bool found;
    RiHeight height;
    RiVec3 normal;
    bool has_distance, has_clearance;
    RiSurface surface;
    RiClearance clearance;
} Place;

static Place look_at(const InfoArgs *args, const RiTerrain *t)
{
    Place p = {0};
    const double *at = args->at;
    p.found = ri_terrain_height(t, at[0], at[1], &p.height);
    if (p.found)
        p.normal = ri_scale(1.0 / sqrt(1.0 + p.height.zx * p.height.zx + p.height.zy * p.height.zy),
                            ri_vec3(-p.height.zx, -p.height.zy, 1.0));
    p.has_distance = args->at_count == 3;
    if (p.has_distance)
        ri_terrain_query(t, ri_vec3(at[0], at[1], at[2]), &p.surface);
    p.has_clearance = args->has_box;
    if (args->has_box) {
        const RiPose pose = {ri_mat3_identity(), {at[0], at[1], at[2]}};
        const RiVec3 half = ri_vec3(0.5 * args->box[0], 0.5 * args->box[1], 0.5 * args->box[2]);
        ri_terrain_clearance(t, &pose, half, 0.02, &p.clearance);
    }
    return p;
}

static void print_layers(const RiSoilMap *map, double x, double y)
{
    const RiSoilRegion *region = ri_soil_map_region(map, ri_soil_map_region_at(map, x, y));
    for (int i = 0; i < region->layer_count; i++) {
        const RiSoilLayer *l = &region->layers[i];
        const RiSoil *s = ri_soils_get(ri_soil_map_soils(map), l->soil);
        if (isinf(l->thickness))
            printf("    %-10s %s", "below", s->name);
        else
            printf("    %-10.4g %s", l->thickness, s->name);
        if (l->strength > 0.0)
            printf(", breaks at %.4g Pa", l->strength);
        printf(" (confidence %c)\n", s->confidence);
    }
}

static void print_place(const InfoArgs *args, const RiTerrainFile *file)
{
    const RiTerrain *t = ri_terrain_file_terrain(file);
    const Place p = look_at(args, t);
    printf("at (%.9g, %.9g)\n", args->at[0], args->at[1]);
    if (!p.found)
        printf("  no ground above or below: a hole, or beyond a mesh\n");
    if (p.found) {
        printf("  height      %.9g m\n", p.height.z);
        printf("  slope       %.4g deg; dz/dx %.6g, dz/dy %.6g\n", degrees(atan(hypot(p.height.zx, p.height.zy))),
               p.height.zx, p.height.zy);
        printf("  normal      (%.6g, %.6g, %.6g)\n", p.normal.x, p.normal.y, p.normal.z);
        printf("  curvature   zxx %.4g, zxy %.4g, zyy %.4g 1/m\n", p.height.zxx, p.height.zxy, p.height.zyy);
        printf("  material    %s%s%s\n", ri_terrain_material_name(t, p.height.material),
               p.height.flags & RI_SURFACE_HOLE ? " (a hole that was filled)" : "",
               p.height.flags & RI_SURFACE_OUTSIDE ? " (beyond the edge)" : "");
        if (ri_terrain_file_soil_map(file)) {
            printf("  layers [m]\n");
            print_layers(ri_terrain_file_soil_map(file), args->at[0], args->at[1]);
        }
    }
    if (p.has_distance)
        printf("  distance    %.9g m from z = %.9g; normal (%.6g, %.6g, %.6g)%s\n", p.surface.distance, args->at[2],
               p.surface.normal.x, p.surface.normal.y, p.surface.normal.z,
               p.surface.flags & RI_SURFACE_FAR ? "; far: a lower bound" : "");
    if (p.has_clearance)
        printf("  clearance   belly %.6g m at (%.6g, %.6g); corners %.6g, %.6g, %.6g, %.6g m\n", p.clearance.belly,
               p.clearance.where.x, p.clearance.where.y, p.clearance.corner[0], p.clearance.corner[1],
               p.clearance.corner[2], p.clearance.corner[3]);
}

static void write_place(Json *j, const InfoArgs *args, const RiTerrain *t)
{
    const Place p = look_at(args, t);
    json_open(j, "at", '{');
    json_number(j, "x", args->at[0]);
    json_number(j, "y", args->at[1]);
    json_bool(j, "found", p.found);
    if (p.found) {
        json_number(j, "height", p.height.z);
        json_number(j, "slope", atan(hypot(p.height.zx, p.height.zy)));
        json_vec3(j, "normal", p.normal);
        json_numbers(j, "curvature", (const double[]){p.height.zxx, p.height.zxy, p.height.zyy}, 3);
        json_string(j, "material", ri_terrain_material_name(t, p.height.material));
    }
    if (p.has_distance) {
        json_number(j, "z", args->at[2]);
        json_number(j, "distance", p.surface.distance);
        json_vec3(j, "direction", p.surface.normal);
    }
    if (p.has_clearance) {
        json_number(j, "belly", p.clearance.belly);
        json_numbers(j, "corners", p.clearance.corner, 4);
        json_vec3(j, "nearest", p.clearance.where);
    }
    json_close(j, '}');
}

// --- the whole -----------------------------------------------------------------------------------

static void print_parameters(const RiTerrainFile *file)
{
    const int count = ri_terrain_file_parameter_count(file);
    if (count)
        printf("parameters    set with --set NAME=VALUE; in a scene with --set terrain.NAME=VALUE\n");
    for (int i = 0; i < count; i++) {
        const RiTerrainParameter p = ri_terrain_file_parameter(file, i);
        printf("    %-14s %.6g %s%s%s\n", p.name, p.value, p.unit, *p.doc ? "  " : "", p.doc);
    }
}

static void print_statistics(const Statistics *s)
{
    if (!s->found) {
        printf("heights       none: ground all around, or free space; see 'rille terrain draw --section'\n");
        return;
    }
    printf("heights       %.6g to %.6g m over x %.6g to %.6g, y %.6g to %.6g m", s->low, s->high, s->x0, s->x1, s->y0,
           s->y1);
    if (s->missing)
        printf("; none at %.1f %% of places", 100.0 * s->missing / (s->found + s->missing));
    printf("\nslopes        mean %.3g deg, 95 %% below %.3g deg, steepest %.3g deg\n", degrees(s->mean_slope),
           degrees(s->steep), degrees(s->steepest));
    printf("roughness     %.4g m, standard deviation about the best plane\n", s->roughness);
}

static void print_bound(const char *axis, double low, double high)
{
    if (isfinite(low) || isfinite(high))
        printf("%s %.6g to %.6g m", axis, low, high);
    else
        printf("%s without end", axis);
}

static void print_materials(const RiTerrainFile *file)
{
    const RiTerrain *t = ri_terrain_file_terrain(file);
    const RiSoilMap *map = ri_terrain_file_soil_map(file);
    printf("materials     ");
    for (int i = 0; i < ri_terrain_material_count(t); i++) {
        printf("%s%s", i ? ", " : "", ri_terrain_material_name(t, i));
        const RiSoilRegion *region = map ? ri_soil_map_region(map, i) : NULL;
        for (int k = 0; region && k < region->layer_count && (region->layer_count > 1); k++)
            printf("%s%s%s", k ? " over " : " (", ri_soils_get(ri_soil_map_soils(map), region->layers[k].soil)->name,
                   k == region->layer_count - 1 ? ")" : "");
    }
    printf("\n");
}

static void print_info(const InfoArgs *args, const Statistics *s)
{
    const RiTerrainFile *file = args->open.file;
    const RiTerrain *t = ri_terrain_file_terrain(file);
    const RiTerrainInfo i = ri_terrain_info(t);
    const RiRutsDef *ruts = ri_terrain_file_ruts(file);
    if (*ri_terrain_file_name(file))
        printf("%s: %s\n", ri_terrain_file_name(file), ri_terrain_file_doc(file));
    printf("kind          %s; %s; distances %s\n", i.kind,
           i.single_valued ? "one height for each place" : "may have overhangs",
           i.exact ? "exact" : "right to first order near the surface");
    printf("bounds        ");
    print_bound("x", i.low.x, i.high.x);
    print_bound(", y", i.low.y, i.high.y);
    print_bound(", z", i.low.z, i.high.z);
    printf("\n");
    if (i.cell > 0.0)
        printf("cell          %.6g m\n", i.cell);
    printf("memory        %.4g MB", (double)i.bytes * 1e-6);
    if (i.cells)
        printf("; %lld cells", i.cells);
    if (i.triangles)
        printf("; %lld triangles", i.triangles);
    if (i.ambiguous)
        printf("; the sign is uncertain at %d places", i.ambiguous);
    printf("\n");
    print_materials(file);
    if (ruts)
        printf("ruts          cells of %.4g m, at most %.4g MB\n", ruts->cell, (double)ruts->memory * 1e-6);
    print_statistics(s);
    print_parameters(file);
    if (args->has_at)
        print_place(args, file);
}

static void write_info(const InfoArgs *args, const Statistics *s)
{
    const RiTerrainFile *file = args->open.file;
    const RiTerrain *t = ri_terrain_file_terrain(file);
    const RiTerrainInfo i = ri_terrain_info(t);
    const RiRutsDef *ruts = ri_terrain_file_ruts(file);
    Json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_string(&j, "terrain", ri_terrain_file_name(file));
    json_string(&j, "kind", i.kind);
    json_vec3(&j, "low", i.low); // without end: null
    json_vec3(&j, "high", i.high);
    json_bool(&j, "single_valued", i.single_valued);
    json_bool(&j, "exact", i.exact);
    json_number(&j, "cell", i.cell);
    json_int(&j, "bytes", (long long)i.bytes);
    json_int(&j, "cells", i.cells);
    json_int(&j, "triangles", i.triangles);
    json_int(&j, "ambiguous", i.ambiguous);
    json_open(&j, "materials", '[');
    for (int k = 0; k < ri_terrain_material_count(t); k++)
        json_string(&j, NULL, ri_terrain_material_name(t, k));
    json_close(&j, ']');
    if (ruts)
        json_number(&j, "rut_cell", ruts->cell);
    if (s->found) {
        json_number(&j, "lowest", s->low);
        json_number(&j, "highest", s->high);
        json_number(&j, "mean_slope", s->mean_slope);
        json_number(&j, "steepest_slope", s->steepest);
        json_number(&j, "roughness", s->roughness);
    }
    json_open(&j, "parameters", '{');
    for (int k = 0; k < ri_terrain_file_parameter_count(file); k++) {
        const RiTerrainParameter p = ri_terrain_file_parameter(file, k);
        json_number(&j, p.name, p.value);
    }
    json_close(&j, '}');
    if (args->has_at)
        write_place(&j, args, t);
    json_close(&j, '}');
}

/// Names and first sentences of what is in the terrains folder.
static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static int list_terrains(void)
{
    enum { MOST = 256, LENGTH = 64 };
    char folder[PATH_MAX], (*names)[LENGTH] = calloc(MOST, sizeof *names);
    int count = 0;
    if (!names)
        return cli_no_memory();
    cli_terrains_folder(folder);
    DIR *dir = *folder ? opendir(folder) : NULL;
    for (const struct dirent *e; dir && count < MOST && (e = readdir(dir));) {
        const char *dot = strrchr(e->d_name, '.');
        if (dot && dot != e->d_name && strcmp(dot, ".yaml") == 0 && dot - e->d_name < LENGTH)
            memcpy(names[count++], e->d_name, (size_t)(dot - e->d_name));
    }
    if (dir)
        closedir(dir);
    qsort(names, (size_t)count, sizeof *names, by_text);
    printf(count ? "Terrains (in %s):\n"
                 : "No terrains were found; set RILLE_TERRAINS to the folder that holds them.\n",
           folder);
    for (int i = 0; i < count; i++) {
        char path[2 * PATH_MAX], line[512], doc[256] = "";
        snprintf(path, sizeof path, "%s/%s.yaml", folder, names[i]);
        FILE *file = ri_file_open(path);
        while (file && !*doc && fgets(line, sizeof line, file))
            if (strncmp(line, "doc: ", 5) == 0)
                snprintf(doc, sizeof doc, "%.*s",
                         (int)strcspn(line + 5, "\n") < 200 ? (int)strcspn(line + 5, "\n") : 200, line + 5);
        if (file)
            fclose(file);
        printf("  %-16s %s\n", names[i], doc);
    }
    free(names);
    return CLI_DONE;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    InfoArgs *args = state->input;
    int count;
    switch (key) {
    case OPT_SET:
        return terrain_add_setting(&args->open, text, state);
    case OPT_JSON:
        args->json = true;
        return 0;
    case OPT_AT:
        args->has_at = true;
        if (!cli_parse_numbers(text, 2, 3, args->at, &args->at_count))
            argp_error(state, "--at expects X,Y or X,Y,Z [m], not '%s'", text);
        return 0;
    case OPT_BOX:
        args->has_box = true;
        if (!cli_parse_numbers(text, 3, 3, args->box, &count) || !(args->box[0] > 0.0) || !(args->box[1] > 0.0) ||
            !(args->box[2] > 0.0))
            argp_error(state, "--box expects three sizes LENGTH,WIDTH,HEIGHT [m], not '%s'", text);
        return 0;
    case ARGP_KEY_ARG:
        if (args->open.word)
            argp_error(state, "'%s' is one argument too many", text);
        args->open.word = text;
        return 0;
    case ARGP_KEY_END:
        if (args->has_box && args->at_count != 3)
            argp_error(state, "--box needs --at X,Y,Z: the middle of the box");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int terrain_info(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"set", OPT_SET, "NAME=VALUE", 0, "a parameter of the terrain", 0},
        {"at", OPT_AT, "X,Y[,Z]", 0, "what is at a place [m]; with Z also the distance to the ground", 0},
        {"box", OPT_BOX, "L,W,H", 0, "clearance of a level box around the place: four corners and belly [m]", 0},
        {"json", OPT_JSON, NULL, 0, "as JSON, in SI units", 0},
        {0}};
    const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "[TERRAIN]",
        .doc = "Tells what a terrain is: kind, bounds, memory, heights, slopes, roughness, soil. Without TERRAIN "
               "lists those there are.\vTERRAIN is a name, a description (.yaml), a raster or a mesh. Rasters that "
               "descriptions name are looked up beside them and in the folder RILLE_DATA."};
    InfoArgs args = {0};
    if (cli_parse(&argp, argc, argv, &args))
        return CLI_ENVIRONMENT;
    if (!args.open.word) {
        free(args.open.settings);
        return list_terrains();
    }
    CliExit code = terrain_open(&args.open);
    Statistics s;
    if (code == CLI_DONE && !gather(ri_terrain_file_terrain(args.open.file), &s))
        code = cli_no_memory();
    if (code == CLI_DONE) {
        if (args.json)
            write_info(&args, &s);
        else
            print_info(&args, &s);
    }
    terrain_close(&args.open);
    return code;
}

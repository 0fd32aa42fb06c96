// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille map`: mobility maps of a terrain for a rover on a soil, and the best path.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <rille/file.h>
#include <rille/mobility.h>
#include <rille/terrain_io.h>

#include "commands.h"
#include "terrain/terrain.h"

enum {
    OPT_SET = 0x100,
    OPT_ROVER,
    OPT_SOIL,
    OPT_CELL,
    OPT_REGION,
    OPT_GRAVITY,
    OPT_HEADINGS,
    OPT_FROM,
    OPT_TO,
    OPT_WEIGHTS,
    OPT_THREADS,
    PATH_ROOM = 65536
};

typedef struct MapArgs {
    TerrainOpen open;
    const char *rover, *soil, *out;
    RiMobilityDef fit;
    RiMobilityMapDef map;
    bool has_region, headings, from, to;
    double start[2], goal[2];
    RiMobilityWeights weights;
} MapArgs;

static void read_numbers(const char *text, int count, double *out, const char *option, struct argp_state *state)
{
    int found;
    if (!cli_parse_numbers(text, count, count, out, &found))
        argp_error(state, "--%s expects %d numbers separated by commas, not '%s'", option, count, text);
}

static double read_positive(const char *text, const char *option, struct argp_state *state)
{
    double x = 0.0;
    if (!cli_parse_number(text, &x) || !(x > 0.0))
        argp_error(state, "--%s expects a number above 0, not '%s'", option, text);
    return x;
}

static void read_region(MapArgs *a, const char *text, struct argp_state *state)
{
    double x[4];
    read_numbers(text, 4, x, "region", state);
    if (!(x[2] > x[0]) || !(x[3] > x[1]))
        argp_error(state, "--region expects two corners X0,Y0,X1,Y1 [m], the lower one first, not '%s'", text);
    a->has_region = true;
    a->map.x0 = x[0], a->map.y0 = x[1], a->map.x1 = x[2], a->map.y1 = x[3];
}

static error_t parse_way(MapArgs *a, int key, char *text, struct argp_state *state)
{
    double x[3];
    switch (key) {
    case OPT_FROM:
        read_numbers(text, 2, a->start, "from", state);
        a->from = true;
        return 0;
    case OPT_TO:
        read_numbers(text, 2, a->goal, "to", state);
        a->to = true;
        return 0;
    case OPT_WEIGHTS:
        read_numbers(text, 3, x, "weights", state);
        if (!(x[0] >= 0.0 && x[1] >= 0.0 && x[2] >= 0.0))
            argp_error(state, "--weights expects SLIP,ENERGY,RISK, none below 0, not '%s'", text);
        a->weights = (RiMobilityWeights){x[0], x[1], x[2]};
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    MapArgs *a = state->input;
    switch (key) {
    case OPT_SET:
        return terrain_add_setting(&a->open, text, state);
    case 'o':
        a->out = text;
        return 0;
    case OPT_ROVER:
        a->rover = text;
        return 0;
    case OPT_SOIL:
        a->soil = text;
        return 0;
    case OPT_CELL:
        a->map.cell = read_positive(text, "cell", state);
        return 0;
    case OPT_GRAVITY:
        a->fit.gravity = read_positive(text, "gravity", state);
        return 0;
    case OPT_THREADS:
        a->fit.threads = a->map.threads = (int)read_positive(text, "threads", state);
        return 0;
    case OPT_REGION:
        read_region(a, text, state);
        return 0;
    case OPT_HEADINGS:
        a->headings = true;
        return 0;
    case ARGP_KEY_ARG:
        if (a->open.word)
            argp_error(state, "'%s' is one argument too many", text);
        a->open.word = text;
        return 0;
    case ARGP_KEY_END:
        if (!a->open.word || !a->rover || !a->soil)
            argp_error(state, "a terrain, --rover and --soil are wanted");
        if (a->from != a->to)
            argp_error(state, "--from and --to belong together");
        return 0;
    default:
        return parse_way(a, key, text, state);
    }
}

/// Slip over slopes, uphill to downhill.
static void print_response(const RiMobilityResponse *r)
{
    printf("response    slip [-] and energy [J/m] on planes of this soil, uphill ... from ahead; * not valid\n");
    printf("            slope     0 deg            45 deg           90 deg           135 deg          180 deg\n");
    for (int s = 0; s < RI_MOBILITY_SLOPES; s++) {
        printf("            %4.0f deg", s * r->slope_step * 57.29577951308232);
        for (int d = 0; d < RI_MOBILITY_DIRECTIONS; d++) {
            const RiMobilityPoint *p = &r->points[s][d];
            printf("  %6.3f %7.1f%s", p->slip, p->energy, p->valid ? " " : "*");
        }
        printf("\n");
    }
}

static RiStatus save_layers(const MapArgs *a, const RiMobilityMap *m)
{
    for (int i = 0; i < RI_MOBILITY_LAYERS; i++)
        for (int h = -1; h < (a->headings ? RI_MOBILITY_HEADINGS : 0); h++) {
            const RiMobilityLayer layer = (RiMobilityLayer)i;
            char path[PATH_MAX + 64];
            RiRaster *raster;
            if (h < 0)
                snprintf(path, sizeof path, "%s/%s.tif", a->out, ri_mobility_layer_name(layer));
            else
                snprintf(path, sizeof path, "%s/%s_%03d.tif", a->out, ri_mobility_layer_name(layer), 45 * h);
            RI_TRY(ri_mobility_map_raster(m, layer, h, &raster));
            const RiStatus status = ri_raster_save(a->open.ctx, raster, path, false);
            ri_raster_destroy(raster);
            RI_TRY(status);
        }
    printf("files       %s/: slip.tif and others, the worst over all headings%s\n", a->out,
           a->headings ? ", and each heading (slip_045.tif)" : "");
    return RI_OK;
}

/// Costs of each heading, for the planner of a device; what must not be entered has no value.
static RiStatus save_costs(const MapArgs *a, const RiMobilityMap *m)
{
    for (int h = 0; a->headings && h < RI_MOBILITY_HEADINGS; h++) {
        char path[PATH_MAX + 64];
        RiRaster *raster;
        snprintf(path, sizeof path, "%s/cost_%03d.tif", a->out, 45 * h);
        RI_TRY(ri_mobility_map_cost(m, &a->weights, h, &raster));
        for (int i = 0; i < raster->nx * raster->ny; i++)
            if (isinf(raster->values[i]))
                raster->values[i] = NAN;
        const RiStatus status = ri_raster_save(a->open.ctx, raster, path, false);
        ri_raster_destroy(raster);
        RI_TRY(status);
    }
    return RI_OK;
}

static void print_way(const char *name, const RiMobilityWay *w)
{
    if (w->found)
        printf("%-11s %.1f m, %.0f J, slip at most %.3f, risk at most %.2f\n", name, w->length, w->energy, w->slip_most,
               w->risk_most);
    else
        printf("%-11s must not be driven%s\n", name, w->risk_most >= 1.0 ? ": it crosses risk 1" : "");
}

static RiStatus save_path(const MapArgs *a, const RiVec3 *path, int count)
{
    char name[PATH_MAX + 32];
    snprintf(name, sizeof name, "%s/path.csv", a->out);
    RiBeside beside;
    FILE *f = ri_beside_stream(&beside, name);
    if (!f)
        return ri_error(a->open.ctx, RI_ERR_IO, "%s: cannot be written: %s", name, strerror(errno));
    fprintf(f, "x_m,y_m\n");
    for (int i = 0; i < count; i++)
        fprintf(f, "%.3f,%.3f\n", path[i].x, path[i].y);
    const int code = ri_beside_close(&beside, true);
    return code == 0 ? RI_OK : ri_error(a->open.ctx, RI_ERR_IO, "%s: cannot be written: %s", name, strerror(code));
}

/// The way as goals of a device `navigation`, as a scene's command sets them.
static void print_goals(const RiVec3 *path, int count, double cell)
{
    enum { GOALS = 8 };
    RiVec3 goals[GOALS];
    double off;
    const int n = ri_mobility_goals(path, count, 1.5 * cell, goals, GOALS, &off);
    printf("goals       {");
    for (int k = 0; k < n; k++)
        printf("nav.x%d: %.2f m, nav.y%d: %.2f m, ", k + 1, goals[k].x, k + 1, goals[k].y);
    printf("nav.goals: %d}, the way is within %.2f m of them\n", n, off);
}

static RiStatus plan(const MapArgs *a, const RiMobilityMap *m)
{
    RiMobilityWay best, straight;
    int count;
    RiVec3 *path = malloc(PATH_ROOM * sizeof *path);
    if (!path)
        return ri_error(a->open.ctx, RI_ERR_MEMORY, "out of memory");
    const RiVec3 from = ri_vec3(a->start[0], a->start[1], 0.0), to = ri_vec3(a->goal[0], a->goal[1], 0.0);
    RiStatus status = ri_mobility_plan(m, from, to, &a->weights, path, PATH_ROOM, &count, &best);
    if (status == RI_OK)
        status = ri_mobility_straight(m, from, to, &a->weights, &straight);
    if (status == RI_OK) {
        print_way("planned", &best);
        print_way("straight", &straight);
        if (best.found)
            print_goals(path, count, m->cell);
    }
    if (status == RI_OK && a->out && best.found)
        status = save_path(a, path, count);
    free(path);
    return status;
}

static void print_map(const RiMobilityMap *m)
{
    long long valid = 0, safe = 0;
    const size_t count = (size_t)m->nx * (size_t)m->ny * RI_MOBILITY_HEADINGS;
    for (size_t i = 0; i < count; i++) {
        valid += m->layers[RI_MOBILITY_VALID][i] > 0.5F;
        safe += m->layers[RI_MOBILITY_RISK][i] < 1.0F;
    }
    printf("map         %d x %d cells of %g m, %d headings: %lld stances, %.1f %% may be entered, %.1f %% within the "
           "response's validity, %lld without a stance\n",
           m->nx, m->ny, m->cell, RI_MOBILITY_HEADINGS, m->stances, 100.0 * (double)safe / (double)count,
           100.0 * (double)valid / (double)count, m->missing);
}

/// Robot, response, map, files, way.
static RiStatus run(MapArgs *a, const char *robot)
{
    RiContext *ctx = a->open.ctx;
    const RiTerrain *terrain = ri_terrain_file_terrain(a->open.file);
    const RiTerrainInfo info = ri_terrain_info(terrain);
    RiMobilityResponse response;
    RiSpec *spec = NULL;
    RiModel *model = NULL;
    RiMobilityMap *map = NULL;
    if (!a->has_region) {
        const bool bounded = isfinite(info.low.x + info.low.y + info.high.x + info.high.y);
        a->map.x0 = bounded ? info.low.x : -10.0, a->map.y0 = bounded ? info.low.y : -10.0;
        a->map.x1 = bounded ? info.high.x : 10.0, a->map.y1 = bounded ? info.high.y : 10.0;
    }
    RiStatus status = ri_robot_load(ctx, robot, NULL, &spec);
    if (status == RI_OK)
        status = ri_model_create(ctx, spec, NULL, &model);
    if (status == RI_OK)
        status = ri_mobility_fit(ctx, &a->fit, &response);
    if (status == RI_OK)
        print_response(&response);
    if (status == RI_OK)
        status = ri_mobility_map_create(ctx, &a->map, spec, model, terrain, &response, &map);
    if (status == RI_OK)
        print_map(map);
    if (status == RI_OK && a->out)
        status = save_layers(a, map);
    if (status == RI_OK && a->out)
        status = save_costs(a, map);
    if (status == RI_OK && a->from)
        status = plan(a, map);
    ri_mobility_map_destroy(map);
    ri_model_destroy(model);
    ri_spec_destroy(spec);
    return status;
}

int cmd_map(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"rover", OPT_ROVER, "ROBOT", 0, "a robot by name or file, with joints drive_* and steer_*", 0},
        {"soil", OPT_SOIL, "SOIL", 0, "a soil by name ('rille list soils')", 0},
        {"cell", OPT_CELL, "M", 0, "size of a cell [m]; default 1", 0},
        {"region", OPT_REGION, "X0,Y0,X1,Y1", 0, "what is mapped [m]; default all, 20 m where there is no end", 0},
        {"gravity", OPT_GRAVITY, "G", 0, "[m/s^2]; default 3.71", 0},
        {"headings", OPT_HEADINGS, NULL, 0,
         "write every heading, not only the worst, and its costs for a navigating rover", 0},
        {"from", OPT_FROM, "X,Y", 0, "plan a path from here [m] ...", 0},
        {"to", OPT_TO, "X,Y", 0, "... to here [m]", 0},
        {"weights", OPT_WEIGHTS, "SLIP,ENERGY,RISK", 0, "weights of the path relative to its length; default 1,1,2", 0},
        {"threads", OPT_THREADS, "N", 0, "default: all processors; the result does not depend on it", 0},
        {"set", OPT_SET, "NAME=VALUE", 0, "a parameter of the terrain", 0},
        {"out", 'o', "DIR", 0, "folder for GeoTIFFs and the path", 0},
        {0}};
    static const struct argp info = {
        options,
        parse,
        "TERRAIN",
        "Mobility maps: slip, sinkage, energy, tilt, clearance, stability margin and risk of a "
        "rover in every cell and heading of a terrain.\vSlip, sinkage and energy come from runs "
        "with dynamics on planes of the soil, made once. docs/mobility.md explains the layers.",
        NULL,
        NULL,
        NULL};
    MapArgs a = {.fit = ri_mobility_def_default(), .map = ri_mobility_map_def_default(), .weights = {1.0, 1.0, 2.0}};
    char robot[PATH_MAX], soils[PATH_MAX];
    cli_parse(&info, argc, argv, &a);
    if (!cli_find_robot(a.rover, robot))
        return CLI_BAD_INPUT;
    cli_soils_folder(soils);
    a.fit.robot = robot;
    a.fit.soil = a.soil;
    a.fit.soils = *soils ? soils : NULL;
    CliExit code = terrain_open(&a.open);
    if (code == CLI_DONE && a.out && mkdir(a.out, 0777) != 0 && errno != EEXIST) {
        cli_error("%s: the folder cannot be made", a.out);
        code = CLI_ENVIRONMENT;
    }
    if (code == CLI_DONE) {
        const RiStatus status = run(&a, robot);
        code = status == RI_OK ? CLI_DONE : cli_fail(a.open.ctx, status);
    }
    terrain_close(&a.open);
    return code;
}

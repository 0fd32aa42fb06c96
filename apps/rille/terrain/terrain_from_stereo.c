// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille terrain from-stereo SCENE`: the ground as the stereo cameras of a drive see it, as a
/// height map, compared with the ground itself.
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/stereo.h>
#include <rille/terrain_io.h>

#include "json.h"
#include "optics/optics.h"
#include "terrain/terrain.h"

enum { OPTION_EVERY = 0x100, OPTION_FROM, OPTION_TO, OPTION_CELL, OPTION_FAR, OPTION_MODEL, OPTION_SET, OPTION_LEAST };
enum { MOST_LOOKS = 1000, MOST_CELLS = 1 << 26 };

typedef struct Request {
    const char *scene, *camera, *out;
    double every, from, to, cell, far;
    int least;
    bool model, json;
    RiSetting *settings;
    int setting_count;
} Request;

/// What one pair saw.
typedef struct Look {
    RiStereoView view;
    float *disparity;
} Look;

typedef struct Drive {
    OpticsStage stage;
    Look *looks;
    int count;
    RiVec3 low, high;
    long long points;
    RiRaster *heights;
    RiStereoScore score;
} Drive;

static const struct argp_option options[] = {
    {"camera", 'c', "NAME", 0, "A camera with a pair (the first one that has)", 0},
    {"cell", OPTION_CELL, "SIZE", 0, "Of the map [m] (0.05)", 0},
    {"every", OPTION_EVERY, "TIME", 0, "Between pairs [s] (2)", 0},
    {"far", OPTION_FAR, "RANGE", 0, "Points beyond are left out [m] (8)", 0},
    {"from", OPTION_FROM, "TIME", 0, "First pair [s] (the start)", 0},
    {"to", OPTION_TO, "TIME", 0, "Last pair [s] (the end)", 0},
    {"least", OPTION_LEAST, "N", 0, "Points that a cell needs (3)", 0},
    {"model", OPTION_MODEL, NULL, 0, "No pictures: true distances with the errors of stereo vision", 0},
    {"out", 'o', "FILE", 0, "Height map: .tif, .asc, .dat (dem.tif)", 0},
    {"json", 'j', NULL, 0, "One JSON object", 0},
    {"set", OPTION_SET, "NAME=VALUE", 0, "A setting of the scene; may be repeated", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static void number(struct argp_state *state, const char *option, const char *text, double low, double high, double *out)
{
    if (!cli_parse_number(text, out) || !(*out >= low && *out <= high))
        argp_error(state, "--%s expects a number from %g to %g, not '%s'", option, low, high, text);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    Request *r = state->input;
    double x;
    switch (key) {
    case 'c':
        r->camera = arg;
        return 0;
    case 'o':
        r->out = arg;
        return 0;
    case 'j':
        r->json = true;
        return 0;
    case OPTION_MODEL:
        r->model = true;
        return 0;
    case OPTION_CELL:
        number(state, "cell", arg, 1e-3, 1e3, &r->cell);
        return 0;
    case OPTION_EVERY:
        number(state, "every", arg, 1e-3, 1e9, &r->every);
        return 0;
    case OPTION_FAR:
        number(state, "far", arg, 0.1, 1e4, &r->far);
        return 0;
    case OPTION_FROM:
        number(state, "from", arg, 0.0, 1e9, &r->from);
        return 0;
    case OPTION_TO:
        number(state, "to", arg, 0.0, 1e9, &r->to);
        return 0;
    case OPTION_LEAST:
        number(state, "least", arg, 1.0, 1e6, &x);
        r->least = (int)x;
        return 0;
    case OPTION_SET:
        return cli_add_setting(&r->settings, &r->setting_count, arg, state);
    case ARGP_KEY_ARG:
        if (r->scene)
            argp_usage(state);
        r->scene = arg;
        return 0;
    case ARGP_KEY_END:
        if (!r->scene)
            argp_usage(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int find_camera(const Request *r, const RiScene *scene)
{
    for (int i = 0; i < ri_scene_camera_count(scene); i++) {
        const RiCameraMount *m = ri_scene_camera(scene, i);
        if (r->camera ? strcmp(r->camera, m->name) == 0 : m->pair != NULL)
            return i;
    }
    cli_error(r->camera ? "the scene has no camera '%s'" : "the scene has no camera with a 'pair'%s",
              r->camera ? r->camera : "");
    return -1;
}

static RiStereoPair pair_of(const RiStereoView *v)
{
    return (RiStereoPair){v->width, v->height, v->focal, v->cx, v->cy, v->baseline};
}

/// Keeps what a pair saw, and how large the map must be for it.
static RiStatus keep(Drive *d, const Request *r, const RiStereoView *v)
{
    const size_t pixels = (size_t)v->width * (size_t)v->height;
    const RiStereoPair pair = pair_of(v);
    Look *look = &d->looks[d->count];
    *look = (Look){*v, malloc(pixels * sizeof(float))};
    if (!look->disparity)
        return ri_error(d->stage.ctx, RI_ERR_MEMORY, "out of memory");
    memcpy(look->disparity, v->disparity, pixels * sizeof(float));
    d->count++;
    for (int i = 0; i < v->width * v->height; i++) {
        const double disparity = (double)v->disparity[i];
        if (!(disparity > 0.0) || ri_stereo_range(&pair, disparity) > r->far)
            continue;
        const RiVec3 p = ri_pose_point(&v->pose, ri_stereo_point(&pair, i % v->width, i / v->width, disparity));
        d->low = ri_vec3(fmin(d->low.x, p.x), fmin(d->low.y, p.y), 0.0);
        d->high = ri_vec3(fmax(d->high.x, p.x), fmax(d->high.y, p.y), 0.0);
        d->points++;
    }
    return RI_OK;
}

static RiStatus go_to(OpticsStage *s, double time)
{
    RiSim *sim = ri_scene_sim(s->scene);
    const long long ticks = llround(time / ri_sim_options(sim)->tick);
    while (ri_sim_tick(sim) < ticks && !ri_sim_stopped(sim))
        RI_TRY(ri_sim_step(sim));
    return ri_perception_look(s->eyes);
}

static RiStatus look_all(Drive *d, const Request *r, int camera)
{
    const double end = isnan(r->to) ? ri_scene_duration(d->stage.scene) : r->to;
    for (int i = 0; i < MOST_LOOKS; i++) {
        const double time = r->from + i * r->every;
        RiStereoView view;
        if (time > end + 1e-9 || ri_sim_stopped(ri_scene_sim(d->stage.scene)))
            break;
        RI_TRY(go_to(&d->stage, time));
        RI_TRY(ri_perception_stereo(d->stage.eyes, camera, !r->model, &view));
        RI_TRY(keep(d, r, &view));
    }
    return RI_OK;
}

static double true_height(const void *user, double x, double y)
{
    RiHeight h;
    return ri_terrain_height(user, x, y, &h) ? h.z : NAN;
}

static RiStatus make_map(Drive *d, const Request *r)
{
    RiContext *ctx = d->stage.ctx;
    const double nx = ceil((d->high.x - d->low.x) / r->cell) + 1.0, ny = ceil((d->high.y - d->low.y) / r->cell) + 1.0;
    RiStereoMap *map;
    if (d->points == 0)
        return ri_error(ctx, RI_ERR_NUMERIC, "no pair saw anything within %g m", r->far);
    if (!(nx * ny <= MOST_CELLS))
        return ri_error(ctx, RI_ERR_LIMIT, "a map of %.0f x %.0f cells; at most %d are allowed: choose a larger --cell",
                        nx, ny, MOST_CELLS);
    RI_TRY(ri_stereo_map_create(ctx, d->low.x, d->low.y, r->cell, (int)nx, (int)ny, &map));
    for (int i = 0; i < d->count; i++) {
        const RiStereoPair pair = pair_of(&d->looks[i].view);
        ri_stereo_map_add(map, &pair, &d->looks[i].view.pose, d->looks[i].disparity, r->far);
    }
    const RiStatus status = ri_stereo_map_heights(map, r->least, &d->heights);
    ri_stereo_map_destroy(map);
    RI_TRY(status);
    const RiTerrain *ground = ri_sim_terrain(ri_scene_sim(d->stage.scene));
    if (ground)
        d->score = ri_stereo_compare(d->heights, true_height, ground);
    return ri_raster_save(ctx, d->heights, r->out, false);
}

static void print(const Drive *d, const Request *r)
{
    const RiRaster *h = d->heights;
    const double cells = (double)h->nx * h->ny;
    if (r->json) {
        Json j = {.out = stdout};
        json_open(&j, NULL, '{');
        json_string(&j, "file", r->out);
        json_int(&j, "pairs", d->count);
        json_int(&j, "points", d->points);
        json_int(&j, "columns", h->nx);
        json_int(&j, "rows", h->ny);
        json_int(&j, "cells_with_height", d->score.cells);
        json_number(&j, "mean_error", d->score.mean);
        json_number(&j, "rms_error", d->score.rms);
        json_number(&j, "within_1cm", d->score.within_1cm);
        json_close(&j, '}');
        return;
    }
    printf("%s: %d x %d cells of %g m from %d pairs, %lld points\n", r->out, h->nx, h->ny, r->cell, d->count,
           d->points);
    printf("%lld cells have a height (%.0f %%); against the ground: mean %+.4f m, rms %.4f m, %.0f %% within 1 cm\n",
           d->score.cells, 100.0 * (double)d->score.cells / cells, d->score.mean, d->score.rms,
           100.0 * d->score.within_1cm);
}

static CliExit drive(const Request *r, Drive *d)
{
    CliExit exit = optics_open(&d->stage, r->scene, r->settings, r->setting_count, 2);
    if (exit != CLI_DONE)
        return exit;
    const int camera = find_camera(r, d->stage.scene);
    d->looks = calloc(MOST_LOOKS, sizeof *d->looks);
    if (camera < 0)
        return CLI_BAD_INPUT;
    if (!d->looks)
        return cli_no_memory();
    RiStatus status = look_all(d, r, camera);
    if (status == RI_OK)
        status = make_map(d, r);
    if (status == RI_OK)
        print(d, r);
    return status == RI_OK ? CLI_DONE : cli_fail(d->stage.ctx, status);
}

int terrain_from_stereo(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse_option,
        "SCENE",
        "Drives a scene, looks through a pair of its cameras again and again, and builds a map of heights from what "
        "they see.\vExit codes: 0 done, 1 the run failed or nothing was seen, 2 bad input, 3 environment.",
        NULL,
        NULL,
        NULL};
    Request r = {.out = "dem.tif", .every = 2.0, .to = NAN, .cell = 0.05, .far = 8.0, .least = 3};
    Drive d = {.low = {INFINITY, INFINITY, 0.0}, .high = {-INFINITY, -INFINITY, 0.0}};
    argp_err_exit_status = CLI_BAD_INPUT;
    if (cli_parse(&argp, argc, argv, &r) != 0)
        return CLI_BAD_INPUT;
    const CliExit exit = drive(&r, &d);
    for (int i = 0; i < d.count; i++)
        free(d.looks[i].disparity);
    free(d.looks);
    ri_raster_destroy(d.heights);
    optics_close(&d.stage);
    free(r.settings);
    return exit;
}

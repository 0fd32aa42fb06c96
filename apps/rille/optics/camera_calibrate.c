// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille camera calibrate`: fits a model to sightings of a target, from a table or as another
/// camera sees it.
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "optics/optics.h"

enum { OPTION_SEEN_BY = 0x100, OPTION_START, OPTION_MODEL, OPTION_NOISE };

typedef struct Options {
    const char *file, *seen_by, *start, *model, *out, *sightings;
    bool json;
} Options;

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    Options *o = state->input;
    switch (key) {
    case 'f':
        o->file = arg;
        return 0;
    case 'j':
        o->json = true;
        return 0;
    case 'o':
        o->out = arg;
        return 0;
    case OPTION_SEEN_BY:
        o->seen_by = arg;
        return 0;
    case OPTION_START:
        o->start = arg;
        return 0;
    case OPTION_MODEL:
        o->model = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (o->sightings)
            argp_usage(state);
        o->sightings = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_list[] = {
    {"file", 'f', "TABLE", 0, "Cameras of a table instead of those that come with the program", 0},
    {"json", 'j', NULL, 0, "Print one JSON object", 0},
    {"model", OPTION_MODEL, "MODEL", 0, "Fit this model: cahv, cahvor, cahvore (default: that of --start)", 0},
    {"out", 'o', "TABLE", 0, "Write the fitted camera", 0},
    {"seen-by", OPTION_SEEN_BY, "NAME", 0,
     "Sightings of a standard target as this camera sees it, instead of SIGHTINGS", 0},
    {"start", OPTION_START, "NAME", 0, "Camera that the fit starts from (default: that of --seen-by)", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static const struct argp argp = {
    option_list,
    parse_option,
    "[SIGHTINGS]",
    "Fit a camera model to sightings of a target.\vSIGHTINGS is a table with the columns X, Y, Z [m] in the "
    "camera's frame and sample, line [px]. Exit status: 0 fitted, 1 the fit failed, 2 bad input.",
    NULL,
    NULL,
    NULL};

enum { GRID = 17, DEPTHS = 4, MOST = GRID * GRID * DEPTHS };

/// A standard target: a grid of pixels, each with a point at four distances from 0.4 to 50 m.
static int make_target(const RiCamera *c, RiSighting *out)
{
    int count = 0;
    for (int k = 0; k < DEPTHS; k++)
        for (int j = 0; j < GRID; j++)
            for (int i = 0; i < GRID; i++) {
                RiVec3 origin, direction;
                RiSighting *s = &out[count];
                s->sample = (c->width - 1) * (double)i / (GRID - 1);
                s->line = (c->height - 1) * (double)j / (GRID - 1);
                if (ri_camera_ray(c, s->sample, s->line, &origin, &direction)) {
                    s->point = ri_add(origin, ri_scale(0.4 * pow(5.0, k), direction));
                    count++;
                }
            }
    return count;
}

/// The same camera in another model of its family, without what that does not know.
static CliExit change_model(RiCamera *c, const char *name)
{
    RiCameraModel model;
    if (!ri_camera_model_find(name, &model)) {
        cli_error("--model %s: known are cahv, cahvor, cahvore", name);
        return CLI_BAD_INPUT;
    }
    if ((model >= RI_CAMERA_CAHV) != (c->model >= RI_CAMERA_CAHV)) {
        cli_error("--model %s: cannot start from a %s camera", name, ri_camera_model_name(c->model));
        return CLI_BAD_INPUT;
    }
    if (c->model == RI_CAMERA_CAHV)
        c->O = ri_scale(1.0 / ri_norm(c->A), c->A);
    if (c->model != RI_CAMERA_CAHVORE)
        c->pupil = 1;
    c->model = model;
    return CLI_DONE;
}

static void print_fit(const RiCamera *c, const RiCalibration *q, int count, bool json)
{
    if (json) {
        printf("{\"model\": \"%s\", \"sightings\": %d, \"used\": %d, \"rms_px\": %.9g, \"largest_px\": %.9g, "
               "\"steps\": %d}\n",
               ri_camera_model_name(c->model), count, q->used, q->rms, q->most, q->steps);
        return;
    }
    printf("%s fitted to %d sightings in %d steps: rms %.3g px, largest %.3g px\n", ri_camera_model_name(c->model),
           count, q->steps, q->rms, q->most);
    if (c->model < RI_CAMERA_CAHV)
        return;
    printf("  C %.9g %.9g %.9g\n  A %.9g %.9g %.9g\n  H %.9g %.9g %.9g\n  V %.9g %.9g %.9g\n", c->C.x, c->C.y, c->C.z,
           c->A.x, c->A.y, c->A.z, c->H.x, c->H.y, c->H.z, c->V.x, c->V.y, c->V.z);
    if (c->model != RI_CAMERA_CAHV)
        printf("  O %.9g %.9g %.9g\n  R %.9g %.9g %.9g\n", c->O.x, c->O.y, c->O.z, c->R[0], c->R[1], c->R[2]);
    if (c->model == RI_CAMERA_CAHVORE)
        printf("  E %.9g %.9g %.9g, pupil type %d, linearity %g\n", c->E[0], c->E[1], c->E[2], c->pupil, c->linear);
}

/// Loads or makes the sightings; *out is for ri_sightings_free if it was loaded.
static CliExit get_sightings(RiContext *ctx, const Options *o, const RiCameras *set, RiSighting *target,
                             RiSighting **loaded, int *count)
{
    if (o->sightings) {
        const RiStatus status = ri_sightings_load(ctx, o->sightings, loaded, count);
        return status == RI_OK ? CLI_DONE : cli_fail(ctx, status);
    }
    const RiCamera *seen_by = optics_find_camera(set, o->seen_by);
    if (!seen_by)
        return CLI_BAD_INPUT;
    RiCamera unit = *seen_by;
    ri_camera_unit_axis(&unit);
    *count = make_target(&unit, target);
    return CLI_DONE;
}

static CliExit fit(RiContext *ctx, const Options *o, const RiCameras *set)
{
    RiSighting target[MOST], *loaded = NULL;
    int count = 0;
    const RiCamera *start = optics_find_camera(set, o->start ? o->start : o->seen_by);
    CliExit exit = start ? get_sightings(ctx, o, set, target, &loaded, &count) : CLI_BAD_INPUT;
    if (exit != CLI_DONE)
        return exit;
    RiCamera c = *start;
    RiCalibration quality;
    ri_camera_unit_axis(&c);
    if (o->model)
        exit = change_model(&c, o->model);
    if (exit == CLI_DONE) {
        RiStatus status = ri_camera_calibrate(ctx, count, loaded ? loaded : target, &c, &quality);
        if (status == RI_OK)
            print_fit(&c, &quality, count, o->json);
        if (status == RI_OK && o->out)
            status = ri_camera_save(ctx, &c, "fitted", o->out);
        exit = status == RI_OK ? CLI_DONE : cli_fail(ctx, status);
    }
    ri_sightings_free(ctx, loaded);
    return exit;
}

int camera_calibrate(int argc, char **argv)
{
    Options o = {0};
    RiContext *ctx;
    RiCameras *set = NULL;
    if (cli_parse(&argp, argc, argv, &o) != 0)
        return CLI_BAD_INPUT;
    if (!o.sightings == !o.seen_by || (o.sightings && !o.start)) {
        cli_error("either SIGHTINGS with --start NAME, or --seen-by NAME is needed");
        return CLI_BAD_INPUT;
    }
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return cli_no_memory();
    CliExit exit = optics_load_cameras(ctx, o.file, &set);
    if (exit == CLI_DONE)
        exit = fit(ctx, &o, set);
    ri_cameras_destroy(set);
    ri_context_destroy(ctx);
    return exit;
}

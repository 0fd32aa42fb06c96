// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille camera models [NAME...]`: known models with their fields of view; `--pixel`, `--point`
/// ask one of them.
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "optics/optics.h"

enum { OPTION_PIXEL = 0x100, OPTION_POINT };

typedef struct Options {
    const char *file, *pixel, *point;
    bool json;
    char **names;
    int name_count;
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
    case OPTION_PIXEL:
        o->pixel = arg;
        return 0;
    case OPTION_POINT:
        o->point = arg;
        return 0;
    case ARGP_KEY_ARGS:
        o->names = state->argv + state->next;
        o->name_count = state->argc - state->next;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_list[] = {
    {"file", 'f', "TABLE", 0, "Cameras of a table instead of those that come with the program", 0},
    {"json", 'j', NULL, 0, "Print one JSON object per line", 0},
    {"pixel", OPTION_PIXEL, "SAMPLE,LINE", 0, "The ray of a pixel", 0},
    {"point", OPTION_POINT, "X,Y,Z", 0, "Where a point [m] of the camera's frame appears", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static const struct argp argp = {option_list, parse_option, "[NAME...]", "Show camera models, all or those named.",
                                 NULL,        NULL,         NULL};

CliExit optics_load_cameras(RiContext *ctx, const char *path, RiCameras **out)
{
    char folder[PATH_MAX], file[PATH_MAX + 16];
    *out = NULL;
    if (!path) {
        cli_data_folder("cameras", folder);
        if (!*folder) {
            cli_error("the folder of cameras was not found; set RILLE_CAMERAS to it");
            return CLI_ENVIRONMENT;
        }
        snprintf(file, sizeof file, "%s/m2020.csv", folder);
        path = file;
    }
    const RiStatus status = ri_cameras_load(ctx, path, out);
    return status == RI_OK ? CLI_DONE : cli_fail(ctx, status);
}

const RiCamera *optics_find_camera(const RiCameras *set, const char *name)
{
    const int i = ri_cameras_find(set, name);
    if (i >= 0)
        return ri_cameras_get(set, i);
    const char *near = ri_cameras_suggest(set, name);
    cli_error("there is no camera '%s'%s%s%s; 'rille camera models' lists them", name, near ? "; did you mean '" : "",
              near ? near : "", near ? "'?" : "");
    return NULL;
}

/// Angle between the rays of two pixels [deg].
static double angle_between(const RiCamera *c, double s0, double l0, double s1, double l1)
{
    RiVec3 o, a, b;
    if (!ri_camera_ray(c, s0, l0, &o, &a) || !ri_camera_ray(c, s1, l1, &o, &b))
        return NAN;
    return atan2(ri_norm(ri_cross(a, b)), ri_dot(a, b)) * 180.0 / M_PI;
}

/// Field of view from edge to edge through the middle, the two halves added: it may exceed 180
/// degrees.
static void field(const RiCamera *c, double *across, double *down)
{
    const double x = 0.5 * (c->width - 1), y = 0.5 * (c->height - 1);
    *across = angle_between(c, -0.5, y, x, y) + angle_between(c, x, y, c->width - 0.5, y);
    *down = angle_between(c, x, -0.5, x, y) + angle_between(c, x, y, x, c->height - 0.5);
}

static void print_model(const RiCameras *set, int i, bool json)
{
    const RiCamera *c = ri_cameras_get(set, i);
    double across, down, fx, fy, cx, cy;
    field(c, &across, &down);
    ri_camera_focal(c, &fx, &fy, &cx, &cy);
    printf(json ? "{\"name\": \"%s\", \"model\": \"%s\", \"distortion_model\": \"%s\", \"frame\": \"%s\", \"width\": "
                  "%d, \"height\": %d, "
                  "\"fx\": %.9g, \"fy\": %.9g, \"field_across_deg\": %.6g, \"field_down_deg\": %.6g}\n"
                : "%-20s %-14s %-19s %-22s %5d x %-5d f %8.1f %8.1f px  field %6.2f x %6.2f deg\n",
           ri_cameras_name(set, i), ri_camera_model_name(c->model), ri_camera_distortion(c), ri_cameras_frame(set, i),
           c->width, c->height, fx, fy, across, down);
}

static CliExit print_pixel(const RiCamera *c, const char *text, bool json)
{
    double at[2];
    int count;
    RiVec3 o, d;
    if (!cli_parse_numbers(text, 2, 2, at, &count)) {
        cli_error("--pixel %s: two numbers, SAMPLE,LINE, are needed", text);
        return CLI_BAD_INPUT;
    }
    if (!ri_camera_ray(c, at[0], at[1], &o, &d)) {
        cli_error("pixel (%g, %g) has no ray", at[0], at[1]);
        return CLI_BAD_INPUT;
    }
    printf(json ? "{\"origin\": [%.15g, %.15g, %.15g], \"direction\": [%.15g, %.15g, %.15g], \"angle_deg\": %.12g}\n"
                : "  origin %.12g %.12g %.12g m, direction %.12g %.12g %.12g, %.9g deg from the axis\n",
           o.x, o.y, o.z, d.x, d.y, d.z, ri_camera_angle(c, d) * 180.0 / M_PI);
    return CLI_DONE;
}

static CliExit print_point(const RiCamera *c, const char *text, bool json)
{
    double p[3], sample, line;
    int count;
    if (!cli_parse_numbers(text, 3, 3, p, &count)) {
        cli_error("--point %s: three numbers, X,Y,Z, are needed", text);
        return CLI_BAD_INPUT;
    }
    if (!ri_camera_project(c, ri_vec3(p[0], p[1], p[2]), &sample, &line)) {
        cli_error("the point (%g, %g, %g) appears nowhere", p[0], p[1], p[2]);
        return CLI_BAD_INPUT;
    }
    printf(json ? "{\"sample\": %.15g, \"line\": %.15g, \"in_frame\": %s}\n" : "  sample %.12g, line %.12g, %s\n",
           sample, line,
           ri_camera_in_frame(c, sample, line) ? (json ? "true" : "in the frame")
                                               : (json ? "false" : "outside of the frame"));
    return CLI_DONE;
}

static CliExit print_named(const RiCameras *set, const char *name, const Options *o)
{
    const RiCamera *c = optics_find_camera(set, name);
    CliExit exit = c ? CLI_DONE : CLI_BAD_INPUT;
    if (c)
        print_model(set, ri_cameras_find(set, name), o->json);
    if (exit == CLI_DONE && o->pixel)
        exit = print_pixel(c, o->pixel, o->json);
    if (exit == CLI_DONE && o->point)
        exit = print_point(c, o->point, o->json);
    return exit;
}

int camera_models(int argc, char **argv)
{
    Options o = {0};
    RiContext *ctx;
    RiCameras *set;
    if (cli_parse(&argp, argc, argv, &o) != 0)
        return CLI_BAD_INPUT;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return cli_no_memory();
    CliExit exit = optics_load_cameras(ctx, o.file, &set);
    if (exit == CLI_DONE && o.name_count == 0 && (o.pixel || o.point)) {
        cli_error("--pixel and --point need the NAME of a camera");
        exit = CLI_BAD_INPUT;
    }
    for (int i = 0; exit == CLI_DONE && o.name_count == 0 && i < ri_cameras_count(set); i++)
        print_model(set, i, o.json);
    for (int i = 0; exit == CLI_DONE && i < o.name_count; i++)
        exit = print_named(set, o.names[i], &o);
    ri_cameras_destroy(set);
    ri_context_destroy(ctx);
    return exit;
}

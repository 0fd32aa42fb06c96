// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille camera shot SCENE`: runs a scene to a time and takes the pictures of its cameras, with
/// the truth of their pixels.
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/cloud_file.h>
#include <rille/image_file.h>
#include <rille/picture.h>

#include "optics/optics.h"

enum { OPTION_AT = 0x100, OPTION_TRUTH, OPTION_FORMAT, OPTION_SET, OPTION_THREADS };

typedef struct Options {
    const char *scene, *camera, *out, *format;
    double at;
    bool truth;
    int threads, setting_count;
    RiSetting *settings;
} Options;

static void parse_number(struct argp_state *state, const char *option, const char *text, double low, double high,
                         double *out)
{
    if (!cli_parse_number(text, out) || !(*out >= low && *out <= high))
        argp_error(state, "--%s expects a number from %g to %g, not '%s'", option, low, high, text);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    Options *o = state->input;
    double number;
    switch (key) {
    case 'c':
        o->camera = arg;
        return 0;
    case 'o':
        o->out = arg;
        return 0;
    case OPTION_AT:
        parse_number(state, "at", arg, 0.0, 1e9, &o->at);
        return 0;
    case OPTION_FORMAT:
        if (strcmp(arg, "png") != 0 && strcmp(arg, "jpg") != 0 && strcmp(arg, "exr") != 0)
            argp_error(state, "--format expects png, jpg or exr, not '%s'", arg);
        o->format = arg;
        return 0;
    case OPTION_TRUTH:
        o->truth = true;
        return 0;
    case OPTION_THREADS:
        parse_number(state, "threads", arg, 1.0, 64.0, &number);
        o->threads = (int)number;
        return 0;
    case OPTION_SET:
        return cli_add_setting(&o->settings, &o->setting_count, arg, state);
    case ARGP_KEY_ARG:
        if (o->scene)
            argp_usage(state);
        o->scene = arg;
        return 0;
    case ARGP_KEY_END:
        if (!o->scene)
            argp_usage(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_list[] = {
    {"at", OPTION_AT, "TIME", 0, "Moment of the picture [s] (the start)", 0},
    {"camera", 'c', "NAME", 0, "One camera of the scene; without it all of them", 0},
    {"format", OPTION_FORMAT, "NAME", 0,
     "png (default), jpg, or exr: linear radiance [W/(m^2 sr)], with distances and normals if --truth is given", 0},
    {"out", 'o', "PREFIX", 0, "Files are PREFIX_CAMERA.png, PREFIX_CAMERA_depth.npy, ... (shot)", 0},
    {"set", OPTION_SET, "NAME=VALUE", 0, "A setting of the scene; may be repeated", 0},
    {"threads", OPTION_THREADS, "N", 0, "Threads that render (2); the picture does not depend on it", 0},
    {"truth", OPTION_TRUTH, NULL, 0,
     "Write what the pixels really see, as NumPy arrays: depth, xyz, normal, albedo, link, soil, flow, visible", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static const struct argp argp = {
    option_list,
    parse_option,
    "SCENE",
    "Take the pictures of a scene's cameras.\vExit codes: 0 done, 1 the run failed, 2 bad input, 3 environment.",
    NULL,
    NULL,
    NULL};

/// Depth as grey values: near is bright.
static RiStatus save_depth(RiContext *ctx, const RiTruthView *t, const char *path)
{
    const size_t n = (size_t)t->width * (size_t)t->height;
    double low = INFINITY;
    uint8_t *rgb = malloc(3 * n + 1);
    if (!rgb)
        return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++)
        low = fmin(low, t->depth[i]);
    for (size_t i = 0; i < n; i++)
        memset(rgb + 3 * i, isfinite(t->depth[i]) ? (int)lround(255.0 * sqrt(low / t->depth[i])) : 0, 3);
    const RiStatus status = ri_picture_save(ctx, &(RiPicture){rgb, t->width, t->height}, path);
    free(rgb);
    return status;
}

static RiStatus save_truth(RiContext *ctx, const RiTruthView *t, const char *prefix, const char *name)
{
    const struct {
        const char *what, *kind;
        int depth;
        const void *data;
    } list[] = {{"depth", "<f8", 1, t->depth},   {"xyz", "<f8", 3, t->xyz},        {"normal", "<f4", 3, t->normal},
                {"albedo", "<f4", 3, t->albedo}, {"link", "<i4", 1, t->link},      {"soil", "<i4", 1, t->soil},
                {"flow", "<f4", 2, t->flow},     {"visible", "|u1", 1, t->visible}};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        snprintf(path, sizeof path, "%s_%s_%s.npy", prefix, name, list[i].what);
        RI_TRY(ri_npy_save(ctx, path, list[i].kind, t->height, t->width, list[i].depth, list[i].data));
    }
    snprintf(path, sizeof path, "%s_%s_depth.png", prefix, name);
    return save_depth(ctx, t, path);
}

/// Linear radiance, and what is known of the pixels.
static RiStatus save_exr(RiContext *ctx, const RiPictureView *v, const RiTruthView *t, const char *path)
{
    const size_t n = (size_t)v->width * (size_t)v->height;
    RiExrChannel c[7] = {{"R", v->radiance, 3}, {"G", v->radiance + 1, 3}, {"B", v->radiance + 2, 3}};
    int count = 3;
    float *depth = malloc((n + 1) * sizeof *depth);
    if (!depth)
        return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    if (t) {
        for (size_t i = 0; i < n; i++)
            depth[i] = (float)t->depth[i];
        c[count++] = (RiExrChannel){"Z", depth, 1};
        c[count++] = (RiExrChannel){"normal.X", t->normal, 3};
        c[count++] = (RiExrChannel){"normal.Y", t->normal + 1, 3};
        c[count++] = (RiExrChannel){"normal.Z", t->normal + 2, 3};
    }
    const RiStatus status = ri_exr_save(ctx, path, v->width, v->height, c, count);
    free(depth);
    return status;
}

/// By the path's ending.
static RiStatus save_picture(RiContext *ctx, const RiPictureView *v, const RiTruthView *t, const char *path)
{
    enum { QUALITY = 92 };
    const char *dot = strrchr(path, '.');
    if (strcmp(dot, ".exr") == 0)
        return save_exr(ctx, v, t, path);
    if (strcmp(dot, ".jpg") == 0)
        return ri_jpeg_save(ctx, path, v->rgb, v->width, v->height, 3, QUALITY);
    return ri_picture_save(ctx, &(RiPicture){(uint8_t *)(uintptr_t)v->rgb, v->width, v->height}, path);
}

/// Numbers of a camera with more than eight bits do not fit into the picture.
static RiStatus save_values(RiContext *ctx, const RiPictureView *v, const char *prefix, const char *name)
{
    char path[PATH_MAX];
    if (!v->values || v->full_scale <= 255.0)
        return RI_OK;
    snprintf(path, sizeof path, "%s_%s_values.npy", prefix, name);
    return ri_npy_save(ctx, path, "<f4", v->height, v->width, v->channels, v->values);
}

static RiStatus shoot(OpticsStage *s, const Options *o, int camera)
{
    const RiCameraMount *m = ri_scene_camera(s->scene, camera);
    RiPictureView view;
    RiTruthView truth;
    char path[PATH_MAX];
    RI_TRY(ri_perception_picture(s->eyes, camera, &view));
    if (o->truth)
        RI_TRY(ri_perception_truth(s->eyes, camera, &truth));
    snprintf(path, sizeof path, "%s_%s.%s", o->out, m->name, o->format);
    RI_TRY(save_picture(s->ctx, &view, o->truth ? &truth : NULL, path));
    RI_TRY(save_values(s->ctx, &view, o->out, m->name));
    printf("%s: %s, %s, %d x %d at %g s\n", path, m->name, ri_camera_model_name(m->camera.model), view.width,
           view.height, view.time);
    return o->truth ? save_truth(s->ctx, &truth, o->out, m->name) : RI_OK;
}

static CliExit shoot_all(OpticsStage *s, const Options *o)
{
    int found = 0;
    for (int i = 0; i < ri_scene_camera_count(s->scene); i++) {
        if (o->camera && strcmp(o->camera, ri_scene_camera(s->scene, i)->name) != 0)
            continue;
        const RiStatus status = shoot(s, o, i);
        if (status != RI_OK)
            return cli_fail(s->ctx, status);
        found++;
    }
    if (found)
        return CLI_DONE;
    if (ri_scene_camera_count(s->scene) == 0)
        cli_error("the scene has no cameras; give it a key 'cameras' (docs/perception.md)");
    else
        cli_error("the scene has no camera '%s'; it has '%s'%s", o->camera, ri_scene_camera(s->scene, 0)->name,
                  ri_scene_camera_count(s->scene) > 1 ? " and others" : "");
    return CLI_BAD_INPUT;
}

int camera_shot(int argc, char **argv)
{
    Options o = {.out = "shot", .format = "png", .threads = 2};
    OpticsStage s;
    if (cli_parse(&argp, argc, argv, &o) != 0)
        return CLI_BAD_INPUT;
    CliExit exit = optics_open(&s, o.scene, o.settings, o.setting_count, o.threads);
    if (exit == CLI_DONE)
        exit = optics_run_to(&s, o.at);
    if (exit == CLI_DONE)
        exit = shoot_all(&s, &o);
    optics_close(&s);
    free(o.settings);
    return exit;
}

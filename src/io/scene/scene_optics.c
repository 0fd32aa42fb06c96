// SPDX-License-Identifier: Apache-2.0
/// \file
/// Cameras, lidars and lamps of a scene.
///
///     cameras: {NAME: {model: NAVL, frame: mast, position: [...], rpy: [...], rate: 1 Hz, ...}, ...}
///     lidars:  {NAME: {unit: vlp16, frame: mast, ...}, ...}
///     lamps:   {NAME: {frame: head, power: 50, ...}, ...}
///     light:   {sky: mars, tau: 0.5}
///
/// Format: docs/perception.md.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <rille/beam_file.h>
#include <rille/camera_file.h>
#include <rille/filter.h>

#include "io/scene/scene.h"
#include "io/scene/scene_optics.h"

enum { MOST_SENSORS = 1000 };
#define INF INFINITY

/// Keys of a camera.
typedef struct CameraKeys {
    const char *model, *file, *frame, *pair;
    RiVec3 position, rpy;
    int width, height, samples;
    double field, rate, readout, exposure, aperture, focus;
    int depth;
    bool on;
    unsigned shutter, tracer;
} CameraKeys;

static const char *const shutters[] = {"global", "rolling"};
static const char *const tracers[] = {"whitted", "path"};

static const RiOption camera_rows[] = {
    RI_OPTION_WORD("model", CameraKeys, model, NULL, "name in a table of cameras, pinhole, or equidistant"),
    RI_OPTION_WORD("file", CameraKeys, file, NULL, "table of cameras; without it those that come with the program"),
    RI_OPTION_WORD("frame", CameraKeys, frame, NULL, "link or frame that it is mounted on; without it the world"),
    RI_OPTION_WORD("pair", CameraKeys, pair, NULL, "the other camera of a stereo pair"),
    RI_OPTION("position", CameraKeys, position, "m", 0.0, -INF, INF, "of the camera's frame"),
    RI_OPTION("rpy", CameraKeys, rpy, "rad", 0.0, -INF, INF, "of the camera's frame; it looks along x"),
    RI_OPTION("width", CameraKeys, width, "", 0.0, 0.0, RI_CAMERA_MOST_PIXELS, "0: the model's; else it is scaled"),
    RI_OPTION("height", CameraKeys, height, "", 0.0, 0.0, RI_CAMERA_MOST_PIXELS,
              "of pinhole and equidistant; 0: 3/4 of the width"),
    RI_OPTION("field", CameraKeys, field, "rad", 1.0, 0.001, 6.28, "across the width, of pinhole and equidistant"),
    RI_OPTION("rate", CameraKeys, rate, "Hz", 0.0, 0.0, 1e4, "pictures a second; 0: on request only"),
    RI_OPTION("readout", CameraKeys, readout, "s", 0.0, 0.0, 10.0, "of a rolling shutter, first row to last"),
    RI_OPTION("exposure", CameraKeys, exposure, "s", 0.0, 0.0, 100.0, "time that pixels collect light; 0: an instant"),
    RI_OPTION("aperture", CameraKeys, aperture, "m", 0.0, 0.0, 1.0, "diameter of the lens; 0: everything is sharp"),
    RI_OPTION("focus", CameraKeys, focus, "m", 2.0, 1e-3, 1e6, "distance of what is sharp, with an aperture"),
    RI_OPTION("depth", CameraKeys, depth, "", 3.0, 1.0, 64.0, "surfaces along a path at most, mirrors included"),
    RI_OPTION_OWNED("filters", "a list of texts such as 'exposure gain=200', 'shot_noise'",
                    "what lens and sensor make of the light, in this order"),
    RI_OPTION_OWNED("plugins", "a list of files", "shared objects with more filters"),
    RI_OPTION("samples", CameraKeys, samples, "", 4.0, 1.0, 65536.0, "rays for each pixel"),
    RI_OPTION_YES_NO("on", CameraKeys, on, 1.0, "takes pictures"),
    RI_OPTION_ONE_OF("shutter", CameraKeys, shutter, shutters, 0.0, "all rows at once, or one after the other"),
    RI_OPTION_ONE_OF("tracer", CameraKeys, tracer, tracers, 0.0, "direct light, or all of it"),
};
static const RiOptionTable camera_table = RI_OPTION_TABLE("camera", CameraKeys, camera_rows);

/// Keys of a lidar.
typedef struct LidarKeys {
    const char *unit, *beams, *frame;
    RiVec3 position, rpy;
    int channels, columns;
    double low, high, rate, range_least, range_most, noise, resolution, divergence, drop_out;
    bool on;
} LidarKeys;

static const RiOption lidar_rows[] = {
    RI_OPTION_WORD("unit", LidarKeys, unit, NULL, "vlp16, os1_64, livox_mid40"),
    RI_OPTION_WORD("beams", LidarKeys, beams, NULL, "table of beams"),
    RI_OPTION_WORD("frame", LidarKeys, frame, NULL, "link or frame that it is mounted on; without it the world"),
    RI_OPTION("position", LidarKeys, position, "m", 0.0, -INF, INF, "of the lidar's frame"),
    RI_OPTION("rpy", LidarKeys, rpy, "rad", 0.0, -INF, INF, "of the lidar's frame"),
    RI_OPTION("channels", LidarKeys, channels, "", 16.0, 1.0, RI_LIDAR_CHANNELS, "of a grid"),
    RI_OPTION("columns", LidarKeys, columns, "", 360.0, 1.0, 65536.0, "of a grid, each turn"),
    RI_OPTION("low", LidarKeys, low, "rad", -0.2617993877991494, -1.5707, 1.5707, "lowest channel of a grid"),
    RI_OPTION("high", LidarKeys, high, "rad", 0.2617993877991494, -1.5707, 1.5707, "highest channel of a grid"),
    RI_OPTION("rate", LidarKeys, rate, "Hz", 10.0, 1e-3, 1e4, "scans a second"),
    {RI_OPTION_FIELD("range_least", LidarKeys, range_least), .unit = "m", .initial = NAN, .low = 0.0, .high = 1e6,
     .flags = RI_OPTION_OPTIONAL, .doc = "nearest"},
    {RI_OPTION_FIELD("range_most", LidarKeys, range_most), .unit = "m", .initial = NAN, .low = 0.0, .high = 1e6,
     .flags = RI_OPTION_OPTIONAL, .doc = "farthest"},
    {RI_OPTION_FIELD("noise", LidarKeys, noise), .unit = "m", .initial = NAN, .low = 0.0, .high = 1e3,
     .flags = RI_OPTION_OPTIONAL, .doc = "deviation of ranges"},
    {RI_OPTION_FIELD("resolution", LidarKeys, resolution), .unit = "m", .initial = NAN, .low = 0.0, .high = 1e3,
     .flags = RI_OPTION_OPTIONAL, .doc = "of ranges"},
    {RI_OPTION_FIELD("divergence", LidarKeys, divergence), .unit = "rad", .initial = NAN, .low = 0.0, .high = 0.5,
     .flags = RI_OPTION_OPTIONAL, .doc = "half angle of the beam"},
    {RI_OPTION_FIELD("drop_out", LidarKeys, drop_out), .unit = "", .initial = NAN, .low = 0.0, .high = 1.0,
     .flags = RI_OPTION_OPTIONAL, .doc = "share of lost returns"},
    RI_OPTION_YES_NO("on", LidarKeys, on, 1.0, "scans"),
};
static const RiOptionTable lidar_table = RI_OPTION_TABLE("lidar", LidarKeys, lidar_rows);

/// Keys of a lamp.
typedef struct LampKeys {
    const char *frame;
    RiVec3 position, rpy;
    double full, edge, power, radius;
    bool on;
} LampKeys;

static const RiOption lamp_rows[] = {
    RI_OPTION_WORD("frame", LampKeys, frame, NULL, "link or frame that it is mounted on; without it the world"),
    RI_OPTION("position", LampKeys, position, "m", 0.0, -INF, INF, "of the lamp"),
    RI_OPTION("rpy", LampKeys, rpy, "rad", 0.0, -INF, INF, "of the lamp; it shines along x"),
    RI_OPTION("full", LampKeys, full, "rad", 0.35, 0.0, 3.14, "half angle of full light"),
    RI_OPTION("edge", LampKeys, edge, "rad", 0.7, 0.0, 3.14159, "half angle beyond which there is none"),
    RI_OPTION("power", LampKeys, power, "", 20.0, 0.0, 1e9, "along the axis [W/sr]"),
    RI_OPTION("radius", LampKeys, radius, "m", 0.0, 0.0, 10.0, "of the lamp; 0: a point"),
    RI_OPTION_YES_NO("on", LampKeys, on, 1.0, "shines"),
};
static const RiOptionTable lamp_table = RI_OPTION_TABLE("lamp", LampKeys, lamp_rows);

static const RiOption disc_rows[] = {
    RI_OPTION("azimuth", RiSceneDisc, azimuth, "rad", 0.0, -7.0, 7.0, "clockwise from north"),
    RI_OPTION("elevation", RiSceneDisc, elevation, "rad", 0.785, -1.5708, 1.5708, "above the horizon"),
    RI_OPTION("radius", RiSceneDisc, radius, "rad", 0.01, 1e-5, 1.5, "angular"),
    RI_OPTION("inner", RiSceneDisc, inner, "rad", 0.0, 0.0, 1.5, "of the dark middle of a ring; 0: a disc"),
    RI_OPTION("irradiance", RiSceneDisc, irradiance, "", 0.0, 0.0, 1e6, "red, green, blue [W/m^2]"),
};
static const RiOptionTable disc_table = RI_OPTION_TABLE("disc", RiSceneDisc, disc_rows);

static const char *const curves[] = {"srgb", "linear"};
static const char *const skies[] = {"auto", "black", "uniform", "mars"};
static const RiOption light_rows[] = {
    RI_OPTION_ONE_OF("sky", RiSceneLight, sky, skies, 0.0, "auto: by the world of the sun"),
    RI_OPTION("tau", RiSceneLight, tau, "", 0.5, 0.0, 20.0, "optical depth of dust, sky mars"),
    RI_OPTION("brightness", RiSceneLight, brightness, "", 60.0, 0.0, 1e6, "radiance of a uniform sky [W/(m^2 sr)]"),
    {RI_OPTION_FIELD("earth_azimuth", RiSceneLight, earth_azimuth), .unit = "rad", .initial = NAN, .low = -7.0,
     .high = 7.0, .flags = RI_OPTION_OPTIONAL, .doc = "of Earth in the sky of the Moon; it shines by its phase"},
    {RI_OPTION_FIELD("earth_elevation", RiSceneLight, earth_elevation), .unit = "rad", .initial = NAN, .low = -1.5708,
     .high = 1.5708, .flags = RI_OPTION_OPTIONAL, .doc = "of Earth in the sky of the Moon"},
    RI_OPTION_OWNED("discs", "a list of {azimuth, elevation, radius, inner, irradiance}",
                    "more lights of the sky: a planet, or a ring"),
    RI_OPTION_OWNED("surfaces", "{MATERIAL: {like or kind, albedo, ...}, ...}",
                    "how grounds and parts of the robot scatter light"),
    RI_OPTION_WORD("ground_image", RiSceneLight, ground_image, NULL,
                   "raster whose colours are draped over the ground (GeoTIFF, PNG, ...)"),
    RI_OPTION_ONE_OF("ground_curve", RiSceneLight, ground_curve, curves, 0.0, "of the image's values"),
    {RI_OPTION_FIELD("ground_origin", RiSceneLight, ground_origin), .unit = "m", .vector = {NAN, NAN, NAN}, .low = -INF,
     .high = INF, .flags = RI_OPTION_OPTIONAL, .doc = "map coordinates of the scene's origin in the image"},
};
const RiOptionTable ri_scene_light_table = RI_OPTION_TABLE("light", RiSceneLight, light_rows);

// --- checks of the text --------------------------------------------------------------------------

static RiStatus check_list(RiScene *sc, const char *key, const RiOptionTable *table)
{
    const RiYamlNode *node = ri_scene_key(sc, key);
    if (!node)
        return RI_OK;
    RI_TRY(ri_yaml_expect(node, RI_YAML_MAPPING));
    if (node->count > MOST_SENSORS)
        return ri_yaml_error(node, RI_ERR_LIMIT, "%d of them; at most %d are allowed", node->count, MOST_SENSORS);
    for (const RiYamlNode *c = node->first; c; c = c->next)
        RI_TRY(ri_template_check_options(c, (const RiOptionTable *const[]){table}, 1));
    return RI_OK;
}

RiStatus ri_scene_check_optics(RiScene *sc)
{
    const RiYamlNode *light = ri_scene_key(sc, "light");
    RI_TRY(check_list(sc, "cameras", &camera_table));
    RI_TRY(check_list(sc, "lidars", &lidar_table));
    RI_TRY(check_list(sc, "lamps", &lamp_table));
    return light ? ri_template_check_options(light, (const RiOptionTable *const[]){&ri_scene_light_table}, 1) : RI_OK;
}

// --- reading -------------------------------------------------------------------------------------

static RiStatus check_frame(const RiScene *sc, const RiYamlNode *node, const char *frame)
{
    if (!frame || ri_model_find_frame(sc->model, frame) >= 0)
        return RI_OK;
    const RiYamlNode *at = ri_yaml_get(node, "frame");
    return ri_scene_unknown(at ? at : node, "link or frame", frame, ri_model_frame_name, sc->model,
                            ri_model_frame_count(sc->model));
}

static RiPose pose_of(RiVec3 position, RiVec3 rpy)
{
    return (RiPose){ri_mat3_rpy(rpy.x, rpy.y, rpy.z), position};
}

/// The table of cameras that a node wants: its file beside the scene, or the one that comes with
/// the program.
static RiStatus find_table(RiScene *sc, const RiYamlNode *node, const char *file, char out[RI_SCENE_PATH])
{
    const char *path;
    if (file) {
        RI_TRY(ri_template_join(&sc->t, ri_scene_file(sc, node), file, &path));
        snprintf(out, RI_SCENE_PATH, "%s", path);
        return RI_OK;
    }
    for (int i = 0; i < sc->options.robot_path_count; i++) {
        snprintf(out, RI_SCENE_PATH, "%.3000s/../cameras/m2020.csv", sc->options.robot_paths[i]);
        if (access(out, R_OK) == 0)
            return RI_OK;
    }
    return ri_yaml_error(node, RI_ERR_NOT_FOUND,
                         "the table of cameras that comes with the program was not found; name one with 'file'");
}

static RiStatus named_camera(RiScene *sc, const RiYamlNode *node, const CameraKeys *k, RiCamera *out)
{
    char path[RI_SCENE_PATH];
    RiCameras *set;
    RI_TRY(find_table(sc, node, k->file, path));
    RI_TRY(ri_scene_wrap(node, ri_cameras_load(sc->ctx, path, &set), sc->ctx));
    const int i = ri_cameras_find(set, k->model);
    const char *near = i < 0 ? ri_cameras_suggest(set, k->model) : NULL;
    RiStatus status = RI_OK;
    if (i >= 0)
        *out = *ri_cameras_get(set, i);
    else
        status = ri_yaml_error(node, RI_ERR_NOT_FOUND, "there is no camera model '%.60s'%s%.60s%s", k->model,
                               near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    ri_cameras_destroy(set);
    return status;
}

static RiStatus make_camera(RiScene *sc, const RiYamlNode *node, const CameraKeys *k, RiCamera *c)
{
    const bool fisheye = k->model && strcmp(k->model, "equidistant") == 0;
    if (k->model && !fisheye && strcmp(k->model, "pinhole") != 0) {
        RI_TRY(named_camera(sc, node, k, c));
        if (k->width > 0)
            ri_camera_scale(c, (double)k->width / c->width);
        ri_camera_unit_axis(c);
    } else {
        const int width = k->width > 0 ? k->width : 640, height = k->height > 0 ? k->height : (3 * width + 3) / 4;
        if (!fisheye && k->field >= 3.1)
            return ri_yaml_error(node, RI_ERR_FORMAT, "a pinhole's field of %g rad; less than 3.1 rad is allowed",
                                 k->field);
        *c = ri_camera_pinhole(width, height, fisheye ? 1.0 : k->field);
        if (fisheye) {
            c->model = RI_CAMERA_EQUIDISTANT;
            c->fx = c->fy = width / k->field;
        }
    }
    return ri_scene_wrap(node, ri_camera_check(sc->ctx, node->key, c), sc->ctx);
}

/// A list of texts (key `key`), kept in the scene.
static RiStatus read_texts(RiScene *sc, const RiYamlNode *node, const char *key, bool paths, const char *const **out,
                           int *out_count)
{
    const RiYamlNode *list = ri_yaml_get(node, key);
    if (!list)
        return RI_OK;
    RI_TRY(ri_yaml_expect(list, RI_YAML_SEQUENCE));
    const char **texts = ri_arena_alloc(&sc->t.arena, (size_t)list->count + 1, sizeof *texts);
    if (!texts)
        return ri_error_memory(sc->ctx);
    *out = texts;
    for (const RiYamlNode *c = list->first; c; c = c->next) {
        RI_TRY(ri_yaml_expect(c, RI_YAML_SCALAR));
        texts[*out_count] = c->text;
        if (paths)
            RI_TRY(ri_template_join(&sc->t, ri_scene_file(sc, node), c->text, &texts[*out_count]));
        ++*out_count;
    }
    return RI_OK;
}

/// The chain is built once for its messages: wrong filters are refused with their line, not when
/// the first picture is taken.
static RiStatus check_filters(RiScene *sc, const RiYamlNode *node, const RiCameraMount *m)
{
    RiFilterChain *chain;
    RI_TRY(ri_filter_chain_create(sc->ctx, 0, &chain));
    RiStatus status = RI_OK;
    const RiYamlNode *c = ri_yaml_get(node, "plugins");
    c = c ? c->first : NULL;
    for (int i = 0; i < m->plugin_count && status == RI_OK; i++, c = c->next)
        status = ri_scene_wrap(c, ri_filter_chain_plugin(chain, m->plugins[i]), sc->ctx);
    c = ri_yaml_get(node, "filters");
    c = c ? c->first : NULL;
    for (int i = 0; i < m->filter_count && status == RI_OK; i++, c = c->next)
        status = ri_scene_wrap(c, ri_filter_chain_add(chain, m->filters[i]), sc->ctx);
    ri_filter_chain_destroy(chain);
    return status;
}

static RiStatus read_filters(RiScene *sc, const RiYamlNode *node, RiCameraMount *m)
{
    RI_TRY(read_texts(sc, node, "filters", false, &m->filters, &m->filter_count));
    RI_TRY(read_texts(sc, node, "plugins", true, &m->plugins, &m->plugin_count));
    return check_filters(sc, node, m);
}

static RiStatus read_camera(RiScene *sc, const RiYamlNode *node, RiCameraMount *m)
{
    CameraKeys k;
    ri_options_default(&camera_table, &k);
    RI_TRY(ri_template_options(&sc->t, node, &camera_table, &k));
    RI_TRY(check_frame(sc, node, k.frame));
    *m = (RiCameraMount){.name = node->key,
                         .frame = k.frame,
                         .pose = pose_of(k.position, k.rpy),
                         .rate = k.rate,
                         .on = k.on,
                         .rolling = k.shutter == 1,
                         .readout = k.shutter == 1 ? k.readout : 0.0,
                         .exposure = k.exposure,
                         .aperture = k.aperture,
                         .focus = k.focus,
                         .pair = k.pair,
                         .samples = k.samples,
                         .depth = k.depth,
                         .path = k.tracer == 1};
    RI_TRY(read_filters(sc, node, m));
    RI_TRY(make_camera(sc, node, &k, &m->camera));
    if (k.rate > 0.0)
        RI_TRY(ri_scene_check_rate(sc, node, k.rate));
    if (m->camera.model < RI_CAMERA_CAHV) { // optical axes: x right, y down, z forward
        const RiMat3 optical = {{{0.0, 0.0, 1.0}, {-1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}}};
        m->pose.R = ri_mat3_mul(&m->pose.R, &optical);
    }
    return RI_OK;
}

static void take(double value, double *to)
{
    if (isfinite(value))
        *to = value;
}

static RiStatus make_lidar(RiScene *sc, const RiYamlNode *node, const LidarKeys *k, RiLidar *l)
{
    *l = ri_lidar_grid(k->channels, k->low, k->high, k->columns, k->rate);
    if (k->unit && !ri_lidar_unit(k->unit, l))
        return ri_yaml_error(node, RI_ERR_NOT_FOUND,
                             "there is no lidar unit '%.60s'; known are vlp16, os1_64, livox_mid40", k->unit);
    if (k->beams) {
        const char *path;
        RiBeam *beams;
        RI_TRY(ri_template_join(&sc->t, ri_scene_file(sc, node), k->beams, &path));
        RI_TRY(ri_scene_wrap(node, ri_beams_load(sc->ctx, path, l, &beams), sc->ctx));
        const size_t count = (size_t)l->frame_beams * (size_t)l->frame_count;
        RiBeam *kept = ri_arena_alloc(&sc->t.arena, count, sizeof *kept);
        if (kept)
            memcpy(kept, beams, count * sizeof *kept);
        ri_beams_free(sc->ctx, beams);
        if (!kept)
            return ri_error_memory(sc->ctx);
        l->beams = kept;
    }
    if (ri_yaml_get(node, "rate")) {
        if (l->kind == RI_LIDAR_SPINNING && k->unit && strcmp(k->unit, "os1_64") == 0)
            l->column_time = 1.0 / (k->rate * 1024.0);
        l->rate = k->rate;
    }
    take(k->range_least, &l->range_least);
    take(k->range_most, &l->range_most);
    take(k->noise, &l->noise);
    take(k->resolution, &l->resolution);
    take(k->divergence, &l->divergence[0]);
    take(k->divergence, &l->divergence[1]);
    take(k->drop_out, &l->drop_out);
    return ri_scene_wrap(node, ri_lidar_check(sc->ctx, node->key, l), sc->ctx);
}

static RiStatus read_lidar(RiScene *sc, const RiYamlNode *node, RiLidarMount *m)
{
    LidarKeys k;
    ri_options_default(&lidar_table, &k);
    RI_TRY(ri_template_options(&sc->t, node, &lidar_table, &k));
    RI_TRY(check_frame(sc, node, k.frame));
    *m = (RiLidarMount){.name = node->key, .frame = k.frame, .pose = pose_of(k.position, k.rpy), .on = k.on};
    return make_lidar(sc, node, &k, &m->lidar);
}

static RiStatus read_lamp(RiScene *sc, const RiYamlNode *node, RiLampMount *m)
{
    LampKeys k;
    ri_options_default(&lamp_table, &k);
    RI_TRY(ri_template_options(&sc->t, node, &lamp_table, &k));
    RI_TRY(check_frame(sc, node, k.frame));
    if (!(k.edge > k.full))
        return ri_yaml_error(node, RI_ERR_FORMAT, "the edge of %g rad must lie beyond the full light's %g rad", k.edge,
                             k.full);
    *m = (RiLampMount){.name = node->key,
                       .frame = k.frame,
                       .pose = pose_of(k.position, k.rpy),
                       .full = k.full,
                       .edge = k.edge,
                       .power = k.power,
                       .radius = k.radius,
                       .on = k.on};
    return RI_OK;
}

static RiStatus make_room(RiScene *sc, const char *key, size_t size, void *out, const RiYamlNode **first)
{
    const RiYamlNode *node = ri_scene_key(sc, key);
    void *list = ri_arena_alloc(&sc->t.arena, node ? (size_t)node->count + 1 : 1, size);
    *first = node ? node->first : NULL;
    *(void **)out = list;
    return list ? RI_OK : ri_error_memory(sc->ctx);
}

static RiStatus check_pairs(const RiScene *sc)
{
    const RiYamlNode *node = ri_scene_key(sc, "cameras");
    for (int i = 0; i < sc->optics.camera_count; i++) {
        const RiCameraMount *m = &sc->optics.cameras[i];
        bool found = !m->pair;
        for (int k = 0; k < sc->optics.camera_count && !found; k++)
            found = k != i && strcmp(sc->optics.cameras[k].name, m->pair) == 0;
        if (!found)
            return ri_yaml_error(ri_yaml_get(ri_yaml_get(node, m->name), "pair"), RI_ERR_NOT_FOUND,
                                 "there is no other camera '%.60s'", m->pair);
    }
    return RI_OK;
}

enum { MOST_DISCS = 6 };

static RiStatus read_discs(RiScene *sc, const RiYamlNode *list, RiSceneLight *light)
{
    RI_TRY(ri_yaml_expect(list, RI_YAML_SEQUENCE));
    if (list->count > MOST_DISCS)
        return ri_yaml_error(list, RI_ERR_LIMIT, "%d discs; at most %d are allowed", list->count, MOST_DISCS);
    RiSceneDisc *discs = ri_arena_alloc(&sc->t.arena, MOST_DISCS, sizeof *discs);
    if (!discs)
        return ri_error_memory(sc->ctx);
    light->discs = discs;
    for (const RiYamlNode *c = list->first; c; c = c->next) {
        RiSceneDisc *d = &discs[light->disc_count++];
        RI_TRY(ri_template_check_options(c, (const RiOptionTable *const[]){&disc_table}, 1));
        ri_options_default(&disc_table, d);
        RI_TRY(ri_template_options(&sc->t, c, &disc_table, d));
        if (!(d->inner < d->radius))
            return ri_yaml_error(c, RI_ERR_FORMAT, "the dark middle of %g rad must be smaller than the ring's %g rad",
                                 d->inner, d->radius);
    }
    return RI_OK;
}

static RiStatus read_light(RiScene *sc, const RiYamlNode *node, RiSceneLight *light)
{
    *light = (RiSceneLight){.sky = 0};
    ri_options_default(&ri_scene_light_table, light);
    RI_TRY(ri_template_options(&sc->t, node, &ri_scene_light_table, light));
    if (light->ground_image)
        RI_TRY(ri_template_join(&sc->t, ri_scene_file(sc, node), light->ground_image, &light->ground_image));
    if (isfinite(light->earth_azimuth) != isfinite(light->earth_elevation))
        return ri_yaml_error(node, RI_ERR_FORMAT, "earth_azimuth and earth_elevation are given together");
    const RiYamlNode *surfaces = ri_yaml_get(node, "surfaces");
    if (surfaces)
        RI_TRY(ri_scene_read_surfaces(sc, surfaces, light));
    const RiYamlNode *discs = ri_yaml_get(node, "discs");
    return discs ? read_discs(sc, discs, light) : RI_OK;
}

RiStatus ri_scene_read_optics(RiScene *sc)
{
    RiSceneOptics *o = &sc->optics;
    const RiYamlNode *c;
    *o = (RiSceneOptics){.camera_count = 0};
    RI_TRY(make_room(sc, "cameras", sizeof *o->cameras, &o->cameras, &c));
    for (; c; c = c->next)
        RI_TRY(read_camera(sc, c, &o->cameras[o->camera_count++]));
    RI_TRY(make_room(sc, "lidars", sizeof *o->lidars, &o->lidars, &c));
    for (; c; c = c->next)
        RI_TRY(read_lidar(sc, c, &o->lidars[o->lidar_count++]));
    RI_TRY(make_room(sc, "lamps", sizeof *o->lamps, &o->lamps, &c));
    for (; c; c = c->next)
        RI_TRY(read_lamp(sc, c, &o->lamps[o->lamp_count++]));
    RI_TRY(read_light(sc, ri_scene_key(sc, "light"), &o->light));
    return check_pairs(sc);
}

void ri_scene_put_optics(const RiScene *sc, RiSceneWriter *w)
{
    static const char *const keys[] = {"cameras", "lidars", "lamps", "light"};
    for (int i = 0; i < 4; i++) {
        const RiYamlNode *node = ri_scene_key(sc, keys[i]);
        if (!node)
            continue;
        ri_scene_put(w, "%s: ", keys[i]);
        ri_scene_put_node(w, node, 0, NULL);
        ri_scene_put(w, "\n");
    }
}

int ri_scene_camera_count(const RiScene *sc)
{
    return sc->optics.camera_count;
}

const RiCameraMount *ri_scene_camera(const RiScene *sc, int index)
{
    return &sc->optics.cameras[index];
}

int ri_scene_lidar_count(const RiScene *sc)
{
    return sc->optics.lidar_count;
}

const RiLidarMount *ri_scene_lidar(const RiScene *sc, int index)
{
    return &sc->optics.lidars[index];
}

int ri_scene_lamp_count(const RiScene *sc)
{
    return sc->optics.lamp_count;
}

const RiLampMount *ri_scene_lamp(const RiScene *sc, int index)
{
    return &sc->optics.lamps[index];
}

const RiSceneLight *ri_scene_light(const RiScene *sc)
{
    return &sc->optics.light;
}

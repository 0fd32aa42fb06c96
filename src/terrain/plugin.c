// SPDX-License-Identifier: Apache-2.0
/// \file
/// Kinds of terrain from shared objects: the functions of a plugin behind those of every terrain. A
/// plugin's answers that are not finite are no ground: the robot then leaves the terrain, and the
/// run says so.
#include "terrain/plugin.h"

#include "terrain/terrain.h"

typedef struct Plugin {
    RiTerrain terrain;
    const RiTerrainPlugin *kind;
    double options[RI_PLUGIN_OPTIONS];
    void (*close)(void *user);
    void *user;
} Plugin;

static void plugin_destroy(RiTerrain *t)
{
    const Plugin *p = (const Plugin *)t;
    if (p->close)
        p->close(p->user);
}

static void plugin_info(const RiTerrain *t, RiTerrainInfo *out)
{
    const Plugin *p = (const Plugin *)t;
    out->low = ri_vec3(-INFINITY, -INFINITY, -INFINITY);
    out->high = ri_vec3(INFINITY, INFINITY, INFINITY);
    out->single_valued = true;
    out->exact = p->kind->query != NULL;
    out->bytes = sizeof(Plugin);
}

static bool ground_at(const Plugin *p, double x, double y, RiHeight *out)
{
    *out = (RiHeight){0};
    const bool found = p->kind->height(p->options, x, y, out);
    out->material = 0;
    return found && isfinite(out->z) && isfinite(out->zx) && isfinite(out->zy) && isfinite(out->zxx) &&
           isfinite(out->zxy) && isfinite(out->zyy);
}

/// The tangent plane below a point; far above, where there is no ground.
static RiSurface tangent(const Plugin *p, RiVec3 point)
{
    RiHeight h;
    if (!ground_at(p, point.x, point.y, &h))
        return (RiSurface){.distance = 1e9, .normal = {0.0, 0.0, 1.0}, .flags = RI_SURFACE_OUTSIDE};
    const double scale = 1.0 / sqrt(1.0 + h.zx * h.zx + h.zy * h.zy);
    return (RiSurface){
        .distance = scale * (point.z - h.z), .normal = ri_scale(scale, ri_vec3(-h.zx, -h.zy, 1.0)), .flags = h.flags};
}

static void plugin_query_many(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out)
{
    const Plugin *p = (const Plugin *)t;
    for (int i = 0; i < count; i++) {
        RiSurface s = {.distance = NAN};
        if (p->kind->query)
            p->kind->query(p->options, points[i], &s);
        s.material = 0;
        const bool good = isfinite(s.distance) && fabs(ri_dot(s.normal, s.normal) - 1.0) < 1e-6;
        out[i] = p->kind->query && good ? s : tangent(p, points[i]);
    }
}

static bool plugin_height(const RiTerrain *t, double x, double y, double from, RiHeight *out)
{
    return ground_at((const Plugin *)t, x, y, out) && out->z <= from;
}

static const RiTerrainClass plugin_class = {.kind = "plugin",
                                            .destroy = plugin_destroy,
                                            .info = plugin_info,
                                            .query_many = plugin_query_many,
                                            .height = plugin_height};

static RiPluginHead head_of(const RiTerrainPlugin *k)
{
    return (RiPluginHead){"terrain", k->name, k->doc, k->options, k->option_count, k->check};
}

RiStatus ri_plugin_check_abi(RiContext *ctx, int abi, int first)
{
    if (abi >= first && abi <= RI_PLUGIN_ABI)
        return RI_OK;
    return ri_error(ctx, RI_ERR_UNSUPPORTED, "compiled for RI_PLUGIN_ABI %d; this program has %d", abi, RI_PLUGIN_ABI);
}

RiStatus ri_plugin_check_head(RiContext *ctx, const RiPluginHead *k, const char *wants, bool whole)
{
    if (!k->name || !*k->name || !k->doc || !whole || k->option_count < 0 || k->option_count > RI_PLUGIN_OPTIONS ||
        (k->option_count > 0 && !k->options))
        return ri_error(ctx, RI_ERR_FORMAT, "%s needs a name, a doc, %s and at most %d options", k->what, wants,
                        RI_PLUGIN_OPTIONS);
    for (int i = 0; i < k->option_count; i++) {
        const RiPluginOption *o = &k->options[i];
        if (!o->name || !*o->name || !o->unit || !o->doc || !(o->low <= o->initial && o->initial <= o->high))
            return ri_error(ctx, RI_ERR_FORMAT,
                            "%s '%s', option %d: no name, unit or doc, or its default is out of its limits", k->what,
                            k->name, i);
    }
    return RI_OK;
}

RiStatus ri_plugin_check_numbers(RiContext *ctx, const RiPluginHead *k, const double *numbers)
{
    for (int i = 0; i < k->option_count; i++)
        if (!(numbers[i] >= k->options[i].low && numbers[i] <= k->options[i].high))
            return ri_error(ctx, RI_ERR_ARGUMENT, "%s '%s': %s is %.9g %s; allowed: %.9g to %.9g", k->what, k->name,
                            k->options[i].name, numbers[i], k->options[i].unit, k->options[i].low, k->options[i].high);
    const char *wrong = k->check ? k->check(numbers) : NULL;
    return wrong ? ri_error(ctx, RI_ERR_ARGUMENT, "%s '%s': %s", k->what, k->name, wrong) : RI_OK;
}

RiStatus ri_terrain_plugin_check(RiContext *ctx, const RiTerrainPlugin *k)
{
    RI_TRY(ri_plugin_check_abi(ctx, k->abi, 1));
    const RiPluginHead head = head_of(k);
    return ri_plugin_check_head(ctx, &head, "the function height", k->height != NULL);
}

static RiStatus check_options(RiContext *ctx, const RiTerrainPlugin *k, const double *options)
{
    RI_TRY(ri_terrain_plugin_check(ctx, k));
    const RiPluginHead head = head_of(k);
    return ri_plugin_check_numbers(ctx, &head, options);
}

RiStatus ri_terrain_create_plugin(RiContext *ctx, const RiTerrainPlugin *kind, const double *options,
                                  const char *material, void (*close)(void *user), void *user, RiTerrain **out_terrain)
{
    RiTerrain *t = NULL;
    int index;
    *out_terrain = NULL;
    RiStatus status = check_options(ctx, kind, options);
    if (status == RI_OK)
        status = ri_terrain_alloc(ctx, &plugin_class, sizeof(Plugin), &t);
    if (status == RI_OK)
        status = ri_terrain_add_material(t, material, &index);
    if (status != RI_OK) {
        ri_terrain_destroy(t); // it has no `close` yet
        if (close)
            close(user);
        return status;
    }
    Plugin *p = (Plugin *)t;
    p->kind = kind;
    for (int i = 0; i < kind->option_count; i++)
        p->options[i] = options[i];
    p->close = close;
    p->user = user;
    *out_terrain = t;
    return RI_OK;
}

// SPDX-License-Identifier: Apache-2.0
/// \file
/// The ground of a simulation: its named values, its edge, its part in the fingerprint.
#include <stdio.h>
#include <string.h>

#include "base/functions.h"
#include "base/hash.h"
#include "sim/internal.h"

enum {
    RI_TERRAIN_HEIGHT,
    RI_TERRAIN_CLEARANCE,
    RI_TERRAIN_SLOPE,
    RI_TERRAIN_MATERIAL,
    RI_TERRAIN_RUT_BYTES,
    RI_TERRAIN_OUT_COUNT
};

struct RiGround {
    double out[RI_TERRAIN_OUT_COUNT];
    bool outside;  // the base has left the terrain
    char left[96]; // that, in words
};

RiStatus ri_ground_create(RiSim *s)
{
    s->ground = ri_arena_alloc(&s->arena, 1, sizeof *s->ground);
    return s->ground ? RI_OK : ri_error_memory(s->ctx);
}

static RiStatus check_early(const RiSim *s, const char *call)
{
    return s->built ? ri_error(s->ctx, RI_ERR_ARGUMENT, "%s comes before ri_sim_build", call) : RI_OK;
}

RiStatus ri_sim_set_terrain(RiSim *s, const RiTerrain *terrain)
{
    RI_TRY(check_early(s, "ri_sim_set_terrain"));
    s->terrain = terrain;
    return RI_OK;
}

const RiTerrain *ri_sim_terrain(const RiSim *s)
{
    return s->terrain;
}

RiStatus ri_sim_enable_ruts(RiSim *s, const RiRutsDef *def)
{
    RI_TRY(check_early(s, "ri_sim_enable_ruts"));
    if (s->ruts)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "ruts are enabled already");
    return ri_ruts_create(s->ctx, def, &s->ruts);
}

RiRuts *ri_sim_ruts(RiSim *s)
{
    return s->ruts;
}

RiStatus ri_sim_name_ground(RiSim *s)
{
    static const char *const names[RI_TERRAIN_OUT_COUNT] = {"terrain.height", "terrain.clearance", "terrain.slope",
                                                            "terrain.material", "terrain.rut_bytes"};
    static const char *const units[RI_TERRAIN_OUT_COUNT] = {"m", "m", "rad", "", ""};
    static const char *const docs[RI_TERRAIN_OUT_COUNT] = {
        "height of the ground under the root link, with its ruts", "distance of the root link's origin to the ground",
        "slope of the ground under the root link", "number of the soil region or material under the root link",
        "memory of the cells of ruts [bytes]"};
    for (int i = 0; s->terrain && i < RI_TERRAIN_OUT_COUNT; i++) {
        if (i == RI_TERRAIN_RUT_BYTES && !s->ruts)
            continue;
        RiValue v = ri_value_default();
        v.name = names[i];
        v.unit = units[i];
        v.doc = docs[i];
        v.kind = RI_VALUE_OUTPUT;
        v.writable = false;
        v.at = &s->ground->out[i];
        v.derived = true;
        RI_TRY(ri_values_add(s->values, &v));
    }
    return RI_OK;
}

bool ri_sim_ground_below(const RiSim *s, RiVec3 p, RiHeight *out)
{
    if (!ri_terrain_height_below(s->terrain, p.x, p.y, p.z, out) && !ri_terrain_height(s->terrain, p.x, p.y, out))
        return false;
    if (s->ruts) {
        double dx, dy;
        out->z -= ri_ruts_depth(s->ruts, p.x, p.y, &dx, &dy);
        out->zx -= dx;
        out->zy -= dy;
    }
    return true;
}

double ri_sim_above_ground(const RiSim *s, RiVec3 p)
{
    RiSurface surface;
    ri_terrain_query(s->terrain, p, &surface);
    if (s->ruts) // along the normal, as far as the ground is level there
        surface.distance += ri_ruts_depth(s->ruts, p.x, p.y, NULL, NULL) * surface.normal.z;
    return surface.flags & RI_SURFACE_OUTSIDE ? NAN : surface.distance;
}

const char *ri_sim_left_terrain(const RiSim *s)
{
    return s->ground->outside ? s->ground->left : NULL;
}

void ri_sim_check_edge(RiSim *s)
{
    if (!s->terrain)
        return;
    const RiVec3 p = ri_dyn_frame_pose(s->d, s->m->link_order[0]).p;
    RiSurface surface;
    ri_terrain_query_near_many(s->terrain, 1, &p, &surface); // for its flags
    s->ground->outside = (surface.flags & RI_SURFACE_OUTSIDE) != 0;
    if (s->ground->outside)
        snprintf(s->ground->left, sizeof s->ground->left, "left the terrain at (%.3f, %.3f)", p.x, p.y);
}

void ri_sim_update_ground(RiSim *s)
{
    if (!s->terrain)
        return;
    const RiVec3 p = ri_vec3(s->base_out[0], s->base_out[1], s->base_out[2]);
    RiSurface surface;
    RiHeight floor;
    ri_terrain_query(s->terrain, p, &surface);
    const bool found = ri_sim_ground_below(s, p, &floor);
    s->ground->out[RI_TERRAIN_HEIGHT] = found ? floor.z : NAN;
    s->ground->out[RI_TERRAIN_CLEARANCE] = surface.distance;
    s->ground->out[RI_TERRAIN_SLOPE] = found ? ri_atan(ri_hypot(floor.zx, floor.zy)) : NAN;
    s->ground->out[RI_TERRAIN_MATERIAL] = surface.material;
    s->ground->out[RI_TERRAIN_RUT_BYTES] =
        s->ruts ? (double)ri_ruts_tile_count(s->ruts) * RI_RUT_TILE * RI_RUT_TILE * sizeof(RiRut) : 0.0;
}

static uint64_t hash_double(uint64_t h, double x)
{
    return ri_hash(h, &x, sizeof x);
}

uint64_t ri_sim_ground_fingerprint(const RiSim *s, uint64_t h)
{
    h = hash_double(h, s->ruts ? ri_ruts_cell(s->ruts) : 0.0);
    if (!s->terrain)
        return h;
    const RiTerrainInfo info = ri_terrain_info(s->terrain);
    h = ri_hash_text(h, info.kind);
    for (int i = 0; i < ri_terrain_material_count(s->terrain); i++)
        h = ri_hash_text(h, ri_terrain_material_name(s->terrain, i));
    const RiVec3 low = info.low, high = info.high;
    const double bounds[6] = {low.x, low.y, low.z, high.x, high.y, high.z};
    h = ri_hash(h, bounds, sizeof bounds);
    for (int k = 0; k < 27; k++) { // a slope or a seed that was set otherwise shows in the distances
        const double f[3] = {0.11 + 0.39 * (k % 3), 0.13 + 0.37 * (k / 3 % 3), 0.17 + 0.33 * (k / 9)};
        double x[3];
        for (int a = 0; a < 3; a++) {
            const bool bounded = isfinite(bounds[a]) && isfinite(bounds[3 + a]);
            x[a] = bounded ? bounds[a] + f[a] * (bounds[3 + a] - bounds[a]) : 20.0 * f[a] - 10.0;
        }
        RiSurface at;
        ri_terrain_query(s->terrain, ri_vec3(x[0], x[1], x[2]), &at);
        h = ri_hash_mix(hash_double(h, at.distance), (uint64_t)at.material);
    }
    return h;
}

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Terrains of simple shapes in a description: steps, stones, ramps, tubes, walls, channels.
#include <math.h>
#include <string.h>

#include "io/scene/scene.h"
#include "io/terrain/terrain_yaml.h"

/// A measure of a shape: its key, its place in the part, and the part of it that is stored (half
/// sizes).
typedef struct Measure {
    const char *key;
    int place; ///< 0 to 2: a, b, c
    double factor;
    bool optional; ///< 0: endless
} Measure;

static const Measure measures[RI_GROUND_SHAPE_COUNT][3] = {
    [RI_GROUND_SPHERE] = {{"radius", 0, 1.0, false}},
    [RI_GROUND_RAMP] = {{"length", 0, 1.0, false}, {"height", 1, 1.0, false}, {"width", 2, 1.0, false}},
    [RI_GROUND_TUBE] = {{"radius", 0, 1.0, false}, {"length", 1, 1.0, true}},
    [RI_GROUND_WALLS] = {{"gap", 0, 1.0, false}},
    [RI_GROUND_CHANNEL] = {{"width", 0, 1.0, false}, {"height", 1, 1.0, true}},
    [RI_GROUND_PIPE] = {{"radius", 0, 1.0, false}},
    [RI_GROUND_PILLAR] = {{"radius", 0, 1.0, false}, {"height", 1, 0.5, false}},
};

static bool has_size(RiGroundShape shape)
{
    return shape == RI_GROUND_BOX || shape == RI_GROUND_STONE;
}

static RiStatus check_keys(const RiYamlNode *node, RiGroundShape shape)
{
    static const char *const common[] = {"shape", "xyz",  "rpy",      "roughness", "wavelength",
                                         "seed",  "hole", "material", "doc",       "name"};
    enum { COMMON = sizeof common / sizeof *common };
    const char *keys[COMMON + 4];
    int count = COMMON;
    memcpy(keys, common, sizeof common);
    if (has_size(shape))
        keys[count++] = "size";
    for (int i = 0; i < 3 && measures[shape][i].key; i++)
        keys[count++] = measures[shape][i].key;
    return ri_yaml_check_keys(node, keys, count);
}

static RiStatus read_measures(RiTerrainFile *f, const RiYamlNode *node, RiGroundPart *part)
{
    double *const places[] = {&part->a, &part->b, &part->c};
    if (has_size(part->shape)) {
        RiVec3 size;
        RI_TRY(ri_terrain_need(node, "size"));
        RI_TRY(ri_terrain_vector(f, node, "size", "m", &size));
        part->a = 0.5 * size.x;
        part->b = 0.5 * size.y;
        part->c = 0.5 * size.z;
    }
    for (int i = 0; i < 3 && measures[part->shape][i].key; i++) {
        const Measure *m = &measures[part->shape][i];
        if (!m->optional)
            RI_TRY(ri_terrain_need(node, m->key));
        RI_TRY(ri_terrain_number(f, node, m->key, "m", 0.0, 1e9, places[m->place]));
        *places[m->place] *= m->factor;
    }
    return RI_OK;
}

static RiStatus read_part(RiTerrainFile *f, const RiYamlNode *node, RiGroundPart *part)
{
    const char *names[RI_GROUND_SHAPE_COUNT];
    int shape = 0;
    RiVec3 rpy = {0.0, 0.0, 0.0};
    for (int i = 0; i < RI_GROUND_SHAPE_COUNT; i++)
        names[i] = ri_ground_shape_name((RiGroundShape)i);
    *part = (RiGroundPart){.pose = ri_pose_identity(), .seed = 1};
    RI_TRY(ri_yaml_expect(node, RI_YAML_MAPPING));
    RI_TRY(ri_terrain_need(node, "shape"));
    RI_TRY(ri_terrain_word(f, node, "shape", names, RI_GROUND_SHAPE_COUNT, &shape));
    part->shape = (RiGroundShape)shape;
    RI_TRY(check_keys(node, part->shape));
    RI_TRY(read_measures(f, node, part));
    RI_TRY(ri_terrain_vector(f, node, "xyz", "m", &part->pose.p));
    RI_TRY(ri_terrain_vector(f, node, "rpy", "rad", &rpy));
    part->pose.R = ri_mat3_rpy(rpy.x, rpy.y, rpy.z);
    RI_TRY(ri_terrain_number(f, node, "roughness", "m", 0.0, 1e6, &part->roughness));
    RI_TRY(ri_terrain_number(f, node, "wavelength", "m", 1e-6, 1e9, &part->wavelength));
    RI_TRY(ri_terrain_seed(f, node, &part->seed));
    RI_TRY(ri_terrain_truth(f, node, "hole", &part->hole));
    return ri_terrain_text(f, node, "material", &part->material);
}

RiStatus ri_terrain_read_shapes(RiTerrainFile *f, const RiYamlNode *map, RiTerrain **out)
{
    const RiYamlNode *list;
    RiTerrain *t = NULL;
    RI_TRY(ri_yaml_require(map, "parts", RI_YAML_SEQUENCE, &list));
    if (list->count < 1 || list->count > RI_TERRAIN_PARTS)
        return ri_yaml_error(list, RI_ERR_FORMAT, "%d parts; 1 to %d are allowed", list->count, RI_TERRAIN_PARTS);
    RiGroundPart *parts = ri_arena_alloc(&f->t.arena, (size_t)list->count, sizeof *parts);
    int count = 0;
    if (!parts)
        return ri_error_memory(f->ctx);
    for (const RiYamlNode *c = list->first; c; c = c->next)
        RI_TRY(read_part(f, c, &parts[count++]));
    RI_TRY(ri_terrain_wrap(f, list, ri_terrain_create_shapes(f->ctx, count, parts, &t)));
    RI_TRY(ri_terrain_own(f, t));
    *out = t;
    return RI_OK;
}

// --- writing -------------------------------------------------------------------------------------

/// `, key: [x, y, z]`
static void write_vector(FILE *out, const char *key, RiVec3 v)
{
    char x[40], y[40], z[40];
    fprintf(out, ", %s: [%s, %s, %s]", key, ri_number_text(v.x, x), ri_number_text(v.y, y), ri_number_text(v.z, z));
}

static void write_value(FILE *out, const char *key, double value)
{
    char text[40];
    fprintf(out, ", %s: %s", key, ri_number_text(value, text));
}

void ri_terrain_write_part(FILE *out, const RiGroundPart *part)
{
    const double places[] = {part->a, part->b, part->c};
    const RiVec3 rpy = ri_mat3_to_rpy(&part->pose.R);
    fprintf(out, "{shape: %s", ri_ground_shape_name(part->shape));
    write_vector(out, "xyz", part->pose.p);
    if (ri_norm(rpy) > 0.0)
        write_vector(out, "rpy", rpy);
    if (has_size(part->shape))
        write_vector(out, "size", ri_vec3(2.0 * part->a, 2.0 * part->b, 2.0 * part->c));
    for (int i = 0; i < 3 && measures[part->shape][i].key; i++) {
        const Measure *m = &measures[part->shape][i];
        if (!m->optional || places[m->place] > 0.0)
            write_value(out, m->key, places[m->place] / m->factor);
    }
    if (part->roughness > 0.0) {
        write_value(out, "roughness", part->roughness);
        write_value(out, "wavelength", part->wavelength);
        fprintf(out, ", seed: %llu", (unsigned long long)part->seed);
    }
    if (part->hole)
        fprintf(out, ", hole: true");
    if (part->material)
        fprintf(out, ", material: %s", part->material);
    fprintf(out, "}");
}

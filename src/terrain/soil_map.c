// SPDX-License-Identifier: Apache-2.0
/// \file
/// Soil maps: regions painted one over the other by polygons and masks.
///
/// Paints are looked at from the top. A mask is held as a raster of region numbers: painting more
/// values of the raster that lies on top changes that raster, so a mask with any number of values
/// is one look-up.
#include <math.h>
#include <string.h>

#include "terrain/soil_map.h"

enum { REGIONS = 65535, LAYERS = 64, NOTHING = 65535, SHOWN = 60 };

/// Where a raster of region numbers says something.
typedef struct Mask {
    int nx, ny;
    double x0, y0, dx, dy;
    float *values;
    uint16_t *regions; ///< NOTHING where it is not painted
} Mask;

typedef struct Polygon {
    double *xy;
    int count, region;
    double low[2], high[2];
} Polygon;

typedef struct Paint {
    Mask *mask; ///< NULL: a polygon
    Polygon polygon;
} Paint;

struct RiSoilMap {
    RiContext *ctx;
    RiArena arena;
    const RiSoils *soils;
    RiSoilRegion *regions;
    int region_count, region_room;
    Paint *paints;
    int paint_count, paint_room;
    size_t bytes;
};

static RiStatus grow(RiSoilMap *map, void **items, int count, int *room, size_t size)
{
    if (count < *room)
        return RI_OK;
    const int bigger = *room ? 2 * *room : 8;
    void *grown = ri_resize(map->ctx, *items, (size_t)bigger, size);
    if (!grown)
        return ri_error_memory(map->ctx);
    *items = grown;
    *room = bigger;
    return RI_OK;
}

// --- regions -------------------------------------------------------------------------------------

static RiStatus check_layer(const RiSoilMap *map, const RiSoilRegion *region, int index)
{
    const RiSoilLayer *layer = &region->layers[index];
    const bool last = index == region->layer_count - 1;
    if (!ri_soils_get(map->soils, layer->soil))
        return ri_error(map->ctx, RI_ERR_ARGUMENT, "soil region '%.*s': layer %d: there is no soil number %d", SHOWN,
                        region->name, index + 1, layer->soil);
    if (!(layer->thickness > 0.0) || last != (bool)isinf(layer->thickness))
        return ri_error(map->ctx, RI_ERR_ARGUMENT,
                        "soil region '%.*s': layer %d: the thickness is %g m; it must be more than 0, and only the "
                        "last layer goes down for ever",
                        SHOWN, region->name, index + 1, layer->thickness);
    if (!(layer->strength >= 0.0) || isinf(layer->strength))
        return ri_error(map->ctx, RI_ERR_ARGUMENT,
                        "soil region '%.*s': layer %d: the strength is %g Pa, must be finite and not negative", SHOWN,
                        region->name, index + 1, layer->strength);
    const RiSoil *soil = ri_soils_get(map->soils, layer->soil);
    if (layer->strength > 0.0 && (last || soil->form == RI_SOIL_HARD))
        return ri_error(map->ctx, RI_ERR_ARGUMENT,
                        "soil region '%.*s': layer %d: %s '%.*s' has the strength of a crust, %g Pa; a crust is a soft "
                        "soil with a layer under it",
                        SHOWN, region->name, index + 1, last ? "the last layer" : "hard ground", SHOWN, soil->name,
                        layer->strength);
    return RI_OK;
}

static RiStatus check_region(const RiSoilMap *map, const RiSoilRegion *region)
{
    if (!region->name || !*region->name)
        return ri_error(map->ctx, RI_ERR_ARGUMENT, "a soil region needs a name");
    for (int i = 0; i < map->region_count; i++)
        if (strcmp(map->regions[i].name, region->name) == 0)
            return ri_error(map->ctx, RI_ERR_ARGUMENT, "there are two soil regions named '%.*s'", SHOWN, region->name);
    if (region->layer_count < 1 || region->layer_count > LAYERS)
        return ri_error(map->ctx, RI_ERR_ARGUMENT, "soil region '%.*s' has %d layers; 1 to %d are allowed", SHOWN,
                        region->name, region->layer_count, LAYERS);
    if (map->region_count == REGIONS)
        return ri_error(map->ctx, RI_ERR_LIMIT, "a soil map has at most %d regions", REGIONS);
    for (int i = 0; i < region->layer_count; i++)
        RI_TRY(check_layer(map, region, i));
    return RI_OK;
}

RiStatus ri_soil_map_add(RiSoilMap *map, const RiSoilRegion *region, int *out_region)
{
    *out_region = -1;
    RI_TRY(check_region(map, region));
    void *items = map->regions;
    RI_TRY(grow(map, &items, map->region_count, &map->region_room, sizeof *map->regions));
    map->regions = items;
    const size_t n = (size_t)region->layer_count;
    RiSoilLayer *layers = ri_arena_alloc(&map->arena, n, sizeof *layers);
    const char *name = ri_arena_string(&map->arena, region->name);
    if (!layers || !name)
        return ri_error_memory(map->ctx);
    memcpy(layers, region->layers, n * sizeof *layers);
    map->regions[map->region_count] = (RiSoilRegion){name, layers, region->layer_count};
    map->bytes += n * sizeof *layers;
    *out_region = map->region_count++;
    return RI_OK;
}

RiStatus ri_soil_map_create(RiContext *ctx, const RiSoils *soils, const RiSoilRegion *base, RiSoilMap **out_map)
{
    *out_map = NULL;
    RiSoilMap *map = ri_alloc_zero(ctx, 1, sizeof *map);
    int region;
    if (!map)
        return ri_error_memory(ctx);
    map->ctx = ctx;
    map->soils = soils;
    map->bytes = sizeof *map;
    ri_arena_init(&map->arena, ctx);
    const RiStatus status = ri_soil_map_add(map, base, &region);
    if (status != RI_OK)
        ri_soil_map_destroy(map);
    else
        *out_map = map;
    return status;
}

void ri_soil_map_destroy(RiSoilMap *map)
{
    if (!map)
        return;
    ri_arena_free(&map->arena);
    ri_release(map->ctx, map->regions);
    ri_release(map->ctx, map->paints);
    ri_release(map->ctx, map);
}

// --- painting ------------------------------------------------------------------------------------

static RiStatus check_paint(const RiSoilMap *map, int region)
{
    if (region >= 0 && region < map->region_count)
        return RI_OK;
    return ri_error(map->ctx, RI_ERR_ARGUMENT, "there is no soil region number %d", region);
}

static RiStatus add_paint(RiSoilMap *map, const Paint *paint)
{
    void *items = map->paints;
    RI_TRY(grow(map, &items, map->paint_count, &map->paint_room, sizeof *map->paints));
    map->paints = items;
    map->paints[map->paint_count++] = *paint;
    return RI_OK;
}

RiStatus ri_soil_map_paint_polygon(RiSoilMap *map, int region, int count, const double *xy)
{
    RI_TRY(check_paint(map, region));
    if (count < 3)
        return ri_error(map->ctx, RI_ERR_ARGUMENT, "soil region '%.*s': a polygon has at least 3 corners, this one %d",
                        SHOWN, map->regions[region].name, count);
    const size_t n = 2 * (size_t)count;
    Polygon p = {.xy = ri_arena_alloc(&map->arena, n, sizeof *xy),
                 .count = count,
                 .region = region,
                 .low = {INFINITY, INFINITY},
                 .high = {-INFINITY, -INFINITY}};
    if (!p.xy)
        return ri_error_memory(map->ctx);
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(xy[i]))
            return ri_error(map->ctx, RI_ERR_ARGUMENT, "soil region '%.*s': corner %zu of the polygon is not finite",
                            SHOWN, map->regions[region].name, i / 2 + 1);
        p.xy[i] = xy[i];
        p.low[i % 2] = fmin(p.low[i % 2], xy[i]);
        p.high[i % 2] = fmax(p.high[i % 2], xy[i]);
    }
    map->bytes += n * sizeof *xy;
    return add_paint(map, &(Paint){.polygon = p});
}

static bool is_same_raster(const Mask *m, const RiRaster *r)
{
    return m->nx == r->nx && m->ny == r->ny && m->x0 == r->x0 && m->y0 == r->y0 && m->dx == r->dx && m->dy == r->dy &&
           memcmp(m->values, r->values, (size_t)r->nx * (size_t)r->ny * sizeof *r->values) == 0;
}

/// A copy of the raster with no region painted yet; values are shared with an earlier paint of the
/// same raster.
static RiStatus add_mask(RiSoilMap *map, const RiRaster *r, Mask **out_mask)
{
    const size_t n = (size_t)r->nx * (size_t)r->ny;
    Mask *m = *out_mask = ri_arena_alloc(&map->arena, 1, sizeof *m);
    if (!m)
        return ri_error_memory(map->ctx);
    *m = (Mask){r->nx, r->ny, r->x0, r->y0, r->dx, r->dy, NULL, ri_arena_alloc(&map->arena, n, sizeof *m->regions)};
    for (int i = 0; i < map->paint_count && !m->values; i++)
        if (map->paints[i].mask && is_same_raster(map->paints[i].mask, r))
            m->values = map->paints[i].mask->values;
    if (!m->values) {
        m->values = ri_arena_alloc(&map->arena, n, sizeof *m->values);
        if (m->values)
            memcpy(m->values, r->values, n * sizeof *m->values);
        map->bytes += n * sizeof *m->values;
    }
    if (!m->values || !m->regions)
        return ri_error_memory(map->ctx);
    memset(m->regions, 0xFF, n * sizeof *m->regions);
    map->bytes += n * sizeof *m->regions;
    return add_paint(map, &(Paint){.mask = m});
}

RiStatus ri_soil_map_paint_mask(RiSoilMap *map, int region, const RiRaster *mask, float value)
{
    RI_TRY(check_paint(map, region));
    if (mask->nx < 1 || mask->ny < 1 || !(mask->dx > 0.0) || !(mask->dy > 0.0))
        return ri_error(map->ctx, RI_ERR_ARGUMENT, "soil region '%.*s': the mask is empty", SHOWN,
                        map->regions[region].name);
    Mask *m = map->paint_count ? map->paints[map->paint_count - 1].mask : NULL;
    if (!m || !is_same_raster(m, mask))
        RI_TRY(add_mask(map, mask, &m));
    const size_t n = (size_t)m->nx * (size_t)m->ny;
    for (size_t i = 0; i < n; i++)
        if (m->values[i] == value)
            m->regions[i] = (uint16_t)region;
    return RI_OK;
}

// --- questions -----------------------------------------------------------------------------------

/// Even-odd rule: a half-line to the right crosses the border an odd number of times.
static bool is_inside(const Polygon *p, double x, double y)
{
    if (!(x >= p->low[0] && x <= p->high[0] && y >= p->low[1] && y <= p->high[1]))
        return false;
    bool inside = false;
    for (int i = 0, k = p->count - 1; i < p->count; k = i++) {
        const double *a = p->xy + 2 * i, *b = p->xy + 2 * k;
        if ((a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
            inside = !inside;
    }
    return inside;
}

static int mask_region(const Mask *m, double x, double y)
{
    const double i = floor((x - m->x0) / m->dx + 0.5), j = floor((y - m->y0) / m->dy + 0.5);
    if (!(i >= 0.0 && i < m->nx && j >= 0.0 && j < m->ny))
        return NOTHING;
    return m->regions[(size_t)j * (size_t)m->nx + (size_t)i];
}

int ri_soil_map_region_at(const RiSoilMap *map, double x, double y)
{
    for (int i = map->paint_count - 1; i >= 0; i--) {
        const Paint *p = &map->paints[i];
        const int region = p->mask                        ? mask_region(p->mask, x, y)
                           : is_inside(&p->polygon, x, y) ? p->polygon.region
                                                          : NOTHING;
        if (region != NOTHING)
            return region;
    }
    return 0;
}

const RiSoilLayer *ri_soil_map_layer_at(const RiSoilMap *map, double x, double y, double depth)
{
    const RiSoilRegion *region = &map->regions[ri_soil_map_region_at(map, x, y)];
    int i = 0;
    while (i < region->layer_count - 1 && depth >= region->layers[i].thickness)
        depth -= region->layers[i++].thickness;
    return &region->layers[i];
}

int ri_soil_map_region_count(const RiSoilMap *map)
{
    return map->region_count;
}

const RiSoilRegion *ri_soil_map_region(const RiSoilMap *map, int region)
{
    return region >= 0 && region < map->region_count ? &map->regions[region] : NULL;
}

const RiSoils *ri_soil_map_soils(const RiSoilMap *map)
{
    return map->soils;
}

size_t ri_soil_map_bytes(const RiSoilMap *map)
{
    return map->bytes;
}

// --- gravity -------------------------------------------------------------------------------------

static const double EARTH = 9.81; ///< [m/s^2]

static bool has_soil(const RiSoilMap *map, int soil)
{
    for (int i = 0; i < map->region_count; i++)
        for (int k = 0; k < map->regions[i].layer_count; k++)
            if (map->regions[i].layers[k].soil == soil)
                return true;
    return false;
}

int ri_soil_map_next_unscaled(const RiSoilMap *map, double gravity, int soil)
{
    for (int i = soil + 1; i < ri_soils_count(map->soils); i++) {
        const RiSoil *s = ri_soils_get(map->soils, i);
        const double measured = s->form == RI_SOIL_BEKKER && isnan(s->gravity) ? EARTH : s->gravity;
        if (s->form != RI_SOIL_HARD && has_soil(map, i) && fabs(gravity - measured) > 0.01 * measured)
            return i;
    }
    return -1;
}

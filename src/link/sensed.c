// SPDX-License-Identifier: Apache-2.0
/// \file
/// Maps and stripes of a rover for pages. See sensed.h.
#include "link/sensed.h"

#include <math.h>
#include <string.h>

#include <rille/navigation.h>

#include "base/hash.h"
#include "link/show.h"
#include "link/view_work.h"

enum { POINTS = 7, MAP = 8 };               ///< kinds of messages
enum { HAZARDS, GOODNESS, STRIPES, PARTS }; ///< kept under a key each
enum { NONE = 255, MOST = 254 };            ///< values of a map
enum { COST, SLIP, ENERGY, RISK, LAYERS };  ///< of a mobility map, `what` 2 to 5; kept behind the parts

static void put_u32(RiText *t, uint32_t x)
{
    const unsigned char bytes[4] = {(unsigned char)x, (unsigned char)(x >> 8), (unsigned char)(x >> 16),
                                    (unsigned char)(x >> 24)};
    ri_text_put(t, bytes, sizeof bytes);
}

static void put_f32(RiText *t, double x)
{
    const float value = (float)x;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(t, bits);
}

static unsigned char map_value(int part, int goodness)
{
    if (goodness < 0 || (part == HAZARDS && goodness > 0))
        return NONE;
    return (unsigned char)(part == HAZARDS ? MOST : (goodness * MOST + NONE / 2) / NONE);
}

/// A map without cells is one cell without a value: pages then draw nothing.
static void write_map(RiText *t, const RiNavDrawing *d, int part, int run)
{
    const unsigned n = d->cells > 0 ? (unsigned)d->cells : 1;
    put_u32(t, MAP | (unsigned)run << 8);
    put_u32(t, part == HAZARDS ? 0 : 1);
    put_f32(t, d->x0);
    put_f32(t, d->y0);
    put_f32(t, d->cells > 0 ? d->cell : 1.0);
    put_u32(t, n | n << 16);
    for (unsigned k = 0; k < n * n; k++) {
        const unsigned char value = d->cells > 0 ? map_value(part, d->goodness[k]) : NONE;
        ri_text_put(t, &value, 1);
    }
}

/// Where the stripes were aimed at, laid on the ground; points that were not seen are left out.
static void write_stripes(RiText *t, const RiNavDrawing *d, const RiSim *sim, int run)
{
    static const char name[8] = "stripes"; // filled up to 4 bytes
    RiHeight ground[RI_STRIPE_ROWS * RI_STRIPE_COLUMNS];
    bool seen[RI_STRIPE_ROWS * RI_STRIPE_COLUMNS];
    uint32_t count = 0;
    for (int k = 0; k < d->stripe_count; k++) {
        seen[k] =
            isfinite(d->stripes[k][2]) && ri_sim_terrain(sim) &&
            ri_terrain_height(ri_sim_terrain(sim), (double)d->stripes[k][0], (double)d->stripes[k][1], &ground[k]);
        count += seen[k];
    }
    put_u32(t, POINTS | (unsigned)run << 8);
    put_u32(t, sizeof name - 1);
    put_u32(t, count);
    ri_text_put(t, name, sizeof name);
    for (int k = 0; k < d->stripe_count; k++) {
        if (!seen[k])
            continue;
        put_f32(t, (double)d->stripes[k][0]);
        put_f32(t, (double)d->stripes[k][1]);
        put_f32(t, ground[k].z);
    }
}

static RiStatus keep_part(RiSensed *sensed, RiView *view, const RiSim *sim, const RiNavDrawing *d, int part, int run)
{
    RiText t;
    const bool empty = part == STRIPES ? d->stripe_count == 0 : d->cells == 0;
    if (empty && sensed->hashes[part] == 0)
        return RI_OK; // pages know nothing of it, and need not
    ri_text_init(&t, &view->memory);
    if (part == STRIPES)
        write_stripes(&t, d, sim, run);
    else
        write_map(&t, d, part, run);
    const uint64_t hash = empty || t.failed ? 0 : ri_hash(1, t.at, t.size);
    RiStatus status = t.failed ? ri_error(view->ctx, RI_ERR_MEMORY, "out of memory") : RI_OK;
    if (status == RI_OK && hash != sensed->hashes[part])
        status = ri_view_keep(view, ri_show_key(SHOW_SENSED, run) | (uint64_t)part << 8, false, t.at, t.size);
    if (status == RI_OK)
        sensed->hashes[part] = hash;
    ri_text_free(&t);
    return status;
}

// --- the mobility map -----------------------------------------------------------------------------

/// A layer's value as 0 good to 1 bad; NAN: none. Cost: the worst heading's, 1 to 5 and beyond.
static double layer_value(const RiDeviceMap *m, int layer, size_t cell, double most)
{
    const size_t cells = (size_t)m->nx * (size_t)m->ny;
    double worst = 1.0;
    switch (layer) {
    case SLIP:
        return fabs((double)m->slip[cell]);
    case ENERGY:
        return most > 0.0 ? (double)m->energy[cell] / most : 0.0;
    case RISK:
        return (double)m->risk[cell];
    default:
        for (int h = 0; h < m->headings; h++)
            worst = fmax(worst, (double)m->cost[(size_t)h * cells + cell]);
        return (worst - 1.0) / 4.0;
    }
}

static bool has_layer(const RiDeviceMap *m, int layer)
{
    const float *const layers[LAYERS] = {m->cost, m->slip, m->energy, m->risk};
    return layers[layer] != NULL;
}

static void write_layer(RiText *t, const RiDeviceMap *m, int layer, int run)
{
    const size_t cells = (size_t)m->nx * (size_t)m->ny;
    double most = 0.0;
    for (size_t i = 0; layer == ENERGY && i < cells; i++)
        most = fmax(most, (double)m->energy[i]);
    put_u32(t, MAP | (unsigned)run << 8);
    put_u32(t, 2 + (uint32_t)layer);
    put_f32(t, m->x0 - 0.5 * m->cell);
    put_f32(t, m->y0 - 0.5 * m->cell);
    put_f32(t, m->cell);
    put_u32(t, (uint32_t)m->nx | (uint32_t)m->ny << 16);
    for (size_t i = 0; i < cells; i++) {
        const double v = layer_value(m, layer, i, most);
        const unsigned char value = isnan(v) ? NONE : (unsigned char)lround(MOST * fmin(fmax(v, 0.0), 1.0));
        ri_text_put(t, &value, 1);
    }
}

static RiStatus keep_layers(RiSensed *sensed, RiView *view, const RiDeviceMap *m, int run)
{
    for (; m && sensed->given < LAYERS; sensed->given++) {
        RiText t;
        if (!has_layer(m, sensed->given))
            continue;
        ri_text_init(&t, &view->memory);
        write_layer(&t, m, sensed->given, run);
        const uint64_t key = ri_show_key(SHOW_SENSED, run) | (uint64_t)(PARTS + sensed->given) << 8;
        const RiStatus status = t.failed ? ri_error(view->ctx, RI_ERR_MEMORY, "out of memory")
                                         : ri_view_keep(view, key, false, t.at, t.size);
        ri_text_free(&t);
        RI_TRY(status);
    }
    return RI_OK;
}

RiStatus ri_sensed_keep(RiSensed *sensed, RiView *view, const RiSim *sim, int run)
{
    RiNavDrawing d;
    const char *name, *class;
    const void *memory;
    size_t size;
    int i = 0;
    while ((memory = ri_sim_device_memory(sim, i, &name, &class, &size)) && strcmp(class, "navigation") != 0)
        i++;
    if (!memory)
        return RI_OK; // no rover that navigates
    RI_TRY(keep_layers(sensed, view, ri_sim_device_map(sim, i), run));
    if (!ri_nav_draw(memory, size, &d))
        return RI_OK;
    for (int part = 0; part < PARTS; part++)
        RI_TRY(keep_part(sensed, view, sim, &d, part, run));
    return RI_OK;
}

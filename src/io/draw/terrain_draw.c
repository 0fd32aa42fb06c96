// SPDX-License-Identifier: Apache-2.0
/// \file
/// Pictures of terrain. From above: Lambert's shade of the analytic normals (light from the
/// north-west, 40 degrees high), over it colours of slope or soil, contour lines, and a legend. A
/// section: ground and free space by the sign of the distance, lines of equal distance in the free
/// part.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/picture.h>
#include <rille/terrain_draw.h>

#include "base/memory.h"
#include "io/draw/plot.h"

enum {
    LEGEND = 300,
    FOOT = 76,
    HEAD = 44,
    EDGE = 12,
    SMALLEST = 32,
    LARGEST = 8192,
    AT_ONCE = 256,
    SHOWN_REGIONS = 14
};

static const uint32_t ink = 0x202020, paper = 0xffffff, nothing = 0xc8d4ee;

/// What was found at a pixel.
typedef struct Sample {
    float z, zx, zy; ///< a section: z is the distance
    short material;
    bool found;
    bool far; ///< of a section: the distance is only a bound
} Sample;

typedef struct Map {
    const RiTerrain *t;
    const RiRuts *ruts;
    const RiTerrainDrawing *d;
    int nx, ny;
    double pixel; ///< [m]
    Sample *samples;
    double low, high, steepest;
    RiPicture picture;
    RiCanvas canvas;
} Map;

// --- region and steps ----------------------------------------------------------------------------

void ri_terrain_draw_region(const RiTerrain *t, int section, double low[2], double high[2])
{
    const RiTerrainInfo info = ri_terrain_info(t);
    const double bounds[2][3] = {{info.low.x, info.low.y, info.low.z}, {info.high.x, info.high.y, info.high.z}};
    const int axes[2] = {section == 0 ? 1 : 0, section == 0 || section == 1 ? 2 : 1};
    for (int k = 0; k < 2; k++) {
        low[k] = bounds[0][axes[k]];
        high[k] = bounds[1][axes[k]];
        const double half = axes[k] == 2 ? 2.0 : 10.0;
        if (!isfinite(low[k]) || !isfinite(high[k]) || !(high[k] > low[k])) {
            const double middle = isfinite(low[k]) ? low[k] : isfinite(high[k]) ? high[k] : 0.0;
            low[k] = middle - half;
            high[k] = middle + half;
        }
    }
}

double ri_terrain_draw_step(double range)
{
    if (!(range > 0.0) || !isfinite(range))
        return 1.0;
    const double power = pow(10.0, floor(log10(range / 8.0))), part = range / 8.0 / power;
    return power * (part < 1.5 ? 1.0 : part < 3.5 ? 2.0 : part < 7.5 ? 5.0 : 10.0);
}

// --- colours -------------------------------------------------------------------------------------

typedef struct Colour {
    double r, g, b;
} Colour;

static Colour colour(uint32_t rgb)
{
    return (Colour){(double)(rgb >> 16 & 255) / 255.0, (double)(rgb >> 8 & 255) / 255.0, (double)(rgb & 255) / 255.0};
}

static Colour mix(Colour a, Colour b, double part)
{
    return (Colour){a.r + part * (b.r - a.r), a.g + part * (b.g - a.g), a.b + part * (b.b - a.b)};
}

static uint8_t to_byte(double x)
{
    return (uint8_t)(fmin(fmax(x, 0.0), 1.0) * 255.0 + 0.5);
}

static void put(const Map *m, int x, int y, Colour c)
{
    uint8_t *at = m->picture.rgb + 3 * ((size_t)y * (size_t)m->picture.width + (size_t)x);
    at[0] = to_byte(c.r);
    at[1] = to_byte(c.g);
    at[2] = to_byte(c.b);
}

/// Green to 10 degrees, yellow at 20, red at 30, violet from 40: what wheels can, may and cannot
/// do.
static Colour slope_colour(double degrees)
{
    static const uint32_t ramp[] = {0x2f9e44, 0x74b816, 0xf5c211, 0xd9480f, 0x862e9c};
    const double at = fmin(fmax(degrees / 10.0, 0.0), 3.999);
    return mix(colour(ramp[(int)at]), colour(ramp[(int)at + 1]), at - floor(at));
}

static double to_degrees(double slope)
{
    return atan(slope) * 180.0 / M_PI;
}

// --- samples -------------------------------------------------------------------------------------

static RiVec3 point_of(const Map *m, double u, double v)
{
    switch (m->d->section) {
    case 0:
        return ri_vec3(m->d->at, u, v);
    case 1:
        return ri_vec3(u, m->d->at, v);
    default:
        return ri_vec3(u, v, m->d->at);
    }
}

static void sample_heights(Map *m, int j, int first, int n)
{
    double x[AT_ONCE] = {0.0}, y[AT_ONCE] = {0.0};
    RiHeight h[AT_ONCE];
    bool found[AT_ONCE];
    for (int k = 0; k < n; k++) {
        x[k] = m->d->low[0] + (first + k + 0.5) * m->pixel;
        y[k] = m->d->low[1] + (j + 0.5) * m->pixel;
    }
    ri_terrain_height_many(m->t, n, x, y, h, found);
    for (int k = 0; k < n; k++) {
        Sample *s = &m->samples[(size_t)j * (size_t)m->nx + (size_t)(first + k)];
        double dx = 0.0, dy = 0.0, d = m->ruts && found[k] ? ri_ruts_depth(m->ruts, x[k], y[k], &dx, &dy) : 0.0;
        *s = (Sample){.found = found[k]};
        if (found[k])
            *s = (Sample){
                (float)(h[k].z - d), (float)(h[k].zx - dx), (float)(h[k].zy - dy), (short)h[k].material, true, false};
    }
}

static void sample_section(Map *m, int j, int first, int n)
{
    RiVec3 p[AT_ONCE] = {{0.0, 0.0, 0.0}};
    RiSurface out[AT_ONCE];
    for (int k = 0; k < n; k++)
        p[k] = point_of(m, m->d->low[0] + (first + k + 0.5) * m->pixel, m->d->low[1] + (j + 0.5) * m->pixel);
    ri_terrain_query_many(m->t, n, p, out);
    for (int k = 0; k < n; k++)
        m->samples[(size_t)j * (size_t)m->nx + (size_t)(first + k)] =
            (Sample){.z = (float)out[k].distance,
                     .material = (short)out[k].material,
                     .found = true,
                     .far = (out[k].flags & RI_SURFACE_FAR) != 0};
}

static void sample(Map *m)
{
    m->low = INFINITY;
    m->high = -INFINITY;
    for (int j = 0; j < m->ny; j++)
        for (int i = 0; i < m->nx; i += AT_ONCE) {
            const int n = m->nx - i < AT_ONCE ? m->nx - i : AT_ONCE;
            if (m->d->section < 0)
                sample_heights(m, j, i, n);
            else
                sample_section(m, j, i, n);
        }
    for (size_t k = 0; k < (size_t)m->nx * (size_t)m->ny; k++) {
        const Sample *s = &m->samples[k];
        if (!s->found || !isfinite(s->z))
            continue;
        m->low = fmin(m->low, (double)s->z);
        m->high = fmax(m->high, (double)s->z);
        m->steepest = fmax(m->steepest, hypot((double)s->zx, (double)s->zy));
    }
}

// --- pixels --------------------------------------------------------------------------------------

/// Whether a line of equal height (or distance) lies between a sample and its neighbours to the
/// east and north.
static bool is_on_line(const Map *m, int i, int j, double step)
{
    const Sample *s = &m->samples[(size_t)j * (size_t)m->nx + (size_t)i];
    const double level = floor((double)s->z / step);
    const Sample *east = i + 1 < m->nx ? s + 1 : s, *north = j + 1 < m->ny ? s + m->nx : s;
    if (step < 1e6 && (s->far || east->far || north->far))
        return false;
    return (east->found && floor((double)east->z / step) != level) ||
           (north->found && floor((double)north->z / step) != level);
}

static Colour shade(const Map *m, const Sample *s)
{
    const double zx = (double)s->zx, zy = (double)s->zy;
    const double direct = (0.5417 * zx - 0.5417 * zy + 0.6428) / sqrt(1.0 + zx * zx + zy * zy);
    const double light = 0.15 + 0.85 * fmax(direct, 0.0);
    const double part = m->high > m->low ? ((double)s->z - m->low) / (m->high - m->low) : 0.5;
    const double tone = 1.12 * light * (0.78 + 0.22 * part);
    Colour base = {tone, 0.95 * tone, 0.88 * tone};
    Colour tint = base;
    if (m->d->slope)
        tint = slope_colour(to_degrees(hypot(zx, zy)));
    else if (m->d->soil)
        tint = colour(ri_plot_color(s->material));
    if (m->d->slope || m->d->soil)
        base = mix(base, (Colour){tint.r * (0.4 + light), tint.g * (0.4 + light), tint.b * (0.4 + light)}, 0.45);
    return base;
}

static Colour section_colour(const Map *m, const Sample *s)
{
    const double d = (double)s->z, far = fmax(m->high, 1e-9);
    if (d > 0.0)
        return mix(colour(0xffffff), colour(0xb9cfe6), fmin(d / far, 1.0));
    const Colour solid = m->d->soil ? colour(ri_plot_color(s->material)) : colour(0x9c8468);
    return mix(solid, colour(0x3c3226), fmin(0.6, -d / far * 0.6));
}

static void paint_map(const Map *m)
{
    const double lines = m->d->section >= 0 && m->d->contours == 0.0 ? ri_terrain_draw_step(m->high) : m->d->contours;
    for (int j = 0; j < m->ny; j++)
        for (int i = 0; i < m->nx; i++) {
            const Sample *s = &m->samples[(size_t)j * (size_t)m->nx + (size_t)i];
            Colour c = s->found ? m->d->section < 0 ? shade(m, s) : section_colour(m, s) : colour(nothing);
            const bool free = m->d->section < 0 || s->z > 0.0F;
            if (s->found && free && lines > 0.0 && is_on_line(m, i, j, lines))
                c = mix(c, colour(0x503c28), 0.55);
            if (s->found && m->d->section >= 0 &&
                is_on_line(m, i, j, 1e6)) // the surface itself: where the sign changes
                c = colour(0x000000);
            put(m, EDGE + i, HEAD + m->ny - 1 - j, c);
        }
}

// --- legend --------------------------------------------------------------------------------------

/// Text at a pixel.
static void text(const Map *m, double x, double y, const char *line, double size)
{
    m->canvas.text(m->canvas.self, 0.5 * x, 0.5 * y, line, RI_ANCHOR_LEFT, ink, 0.5 * size, false);
}

static void box(const Map *m, double x, double y, double wide, double high, uint32_t rgb)
{
    m->canvas.fill(m->canvas.self, 0.5 * x, 0.5 * y, 0.5 * wide, 0.5 * high, rgb);
}

static uint32_t pack(Colour c)
{
    return (uint32_t)to_byte(c.r) << 16 | (uint32_t)to_byte(c.g) << 8 | to_byte(c.b);
}

/// A bar of whole metres under the map, a fifth of its width.
static void draw_scale(const Map *m)
{
    static const char axes[3][2] = {{'y', 'z'}, {'x', 'z'}, {'x', 'y'}};
    const char *const names = axes[m->d->section < 0 ? 2 : m->d->section];
    const double length = ri_terrain_draw_step(m->nx * m->pixel * 1.6), y = HEAD + m->ny + 22.0;
    char line[160];
    box(m, EDGE, y, length / m->pixel, 6.0, ink);
    snprintf(line, sizeof line, "%g m", length);
    text(m, EDGE + length / m->pixel + 8.0, y + 10.0, line, 20.0);
    snprintf(line, sizeof line, "%c %g to %g m, %c %g to %g m", names[0], m->d->low[0], m->d->high[0], names[1],
             m->d->low[1], m->d->high[1]);
    text(m, EDGE, y + 40.0, line, 20.0);
}

static double draw_ramp(const Map *m, double x, double y)
{
    char line[64];
    text(m, x, y, "slope", 22.0);
    for (int k = 0; k < 160; k++)
        box(m, x + k, y + 10.0, 2.0, 18.0, pack(slope_colour(k * 40.0 / 160.0)));
    for (int k = 0; k <= 4; k++) {
        snprintf(line, sizeof line, "%d", 10 * k);
        text(m, x + 38.0 * k, y + 50.0, line, 18.0);
    }
    text(m, x + 185.0, y + 26.0, "deg", 18.0);
    return y + 84.0;
}

static double draw_regions(const Map *m, double x, double y)
{
    const int count = ri_terrain_material_count(m->t), shown = count < SHOWN_REGIONS ? count : SHOWN_REGIONS;
    char line[40];
    text(m, x, y, "soil", 22.0);
    for (int k = 0; k < shown; k++) {
        y += 28.0;
        box(m, x, y - 14.0, 20.0, 16.0, ri_plot_color(k));
        snprintf(line, sizeof line, "%.22s", ri_terrain_material_name(m->t, k));
        text(m, x + 28.0, y, line, 18.0);
    }
    if (shown < count) {
        snprintf(line, sizeof line, "and %d more", count - shown);
        text(m, x, y += 28.0, line, 18.0);
    }
    return y + 40.0;
}

static void draw_legend(const Map *m)
{
    const double x = EDGE + m->nx + 16.0;
    double y = HEAD + 22.0;
    char line[96];
    const bool above = m->d->section < 0;
    const double lines = !above && m->d->contours == 0.0 ? ri_terrain_draw_step(m->high) : m->d->contours;
    if (m->d->title)
        text(m, EDGE, 28.0, m->d->title, 26.0);
    if (above && m->high >= m->low) {
        snprintf(line, sizeof line, "height %.4g to", m->low);
        text(m, x, y, line, 20.0);
        snprintf(line, sizeof line, "  %.4g m", m->high);
        text(m, x, y += 26.0, line, 20.0);
        snprintf(line, sizeof line, "steepest %.1f deg", to_degrees(m->steepest));
        text(m, x, y += 26.0, line, 20.0);
        y += 40.0;
    } else if (!above) {
        snprintf(line, sizeof line, "section at %c = %g m", "xyz"[m->d->section], m -> d -> at);
        text(m, x, y, line, 20.0);
        y += 40.0;
    }
    if (lines > 0.0) {
        snprintf(line, sizeof line, above ? "contours %g m" : "distance %g m", lines);
        text(m, x, y, line, 20.0);
        y += 40.0;
    }
    if (m->d->slope && above)
        y = draw_ramp(m, x, y);
    if (m->d->soil)
        draw_regions(m, x, y);
    draw_scale(m);
}

// --- all -----------------------------------------------------------------------------------------

static RiStatus check(RiContext *ctx, const RiTerrainDrawing *d, const char *path)
{
    const double wide = d->high[0] - d->low[0], high = d->high[1] - d->low[1];
    if (!(wide > 0.0) || !(high > 0.0) || !isfinite(wide) || !isfinite(high))
        return ri_error(ctx, RI_ERR_ARGUMENT, "%s: the region (%g, %g) to (%g, %g) is empty or not finite", path,
                        d->low[0], d->low[1], d->high[0], d->high[1]);
    if (wide > 50.0 * high || high > 50.0 * wide)
        return ri_error(ctx, RI_ERR_ARGUMENT, "%s: the region of %g x %g m is too narrow for a picture", path, wide,
                        high);
    if (d->size < SMALLEST || d->size > LARGEST)
        return ri_error(ctx, RI_ERR_ARGUMENT, "%s: %d pixels requested, %d to %d are possible", path, d->size, SMALLEST,
                        LARGEST);
    if (!(d->contours >= 0.0) || !isfinite(d->contours))
        return ri_error(ctx, RI_ERR_ARGUMENT, "%s: contour lines every %g m", path, d->contours);
    return RI_OK;
}

RiStatus ri_terrain_draw(RiContext *ctx, const RiTerrain *t, const RiRuts *ruts, const RiTerrainDrawing *drawing,
                         const char *path)
{
    RI_TRY(check(ctx, drawing, path));
    const double wide = drawing->high[0] - drawing->low[0], high = drawing->high[1] - drawing->low[1];
    Map m = {.t = t, .ruts = ruts, .d = drawing, .pixel = fmax(wide, high) / drawing->size};
    m.nx = (int)fmax(ceil(wide / m.pixel - 1e-6), 2.0);
    m.ny = (int)fmax(ceil(high / m.pixel - 1e-6), 2.0);
    const int tall = m.ny > 420 ? m.ny : 420; // the legend needs room
    m.picture.width = m.nx + 2 * EDGE + LEGEND;
    m.picture.height = HEAD + tall + FOOT;
    const size_t bytes = 3 * (size_t)m.picture.width * (size_t)m.picture.height;
    m.samples = ri_alloc(ctx, (size_t)m.nx * (size_t)m.ny, sizeof *m.samples);
    m.picture.rgb = ri_alloc(ctx, bytes, 1);
    RiStatus status = m.samples && m.picture.rgb ? RI_OK : ri_error_memory(ctx);
    if (status == RI_OK) {
        memset(m.picture.rgb, (int)(paper & 255), bytes);
        m.canvas = ri_picture_canvas(&m.picture);
        sample(&m);
        paint_map(&m);
        draw_legend(&m);
        status = ri_picture_save(ctx, &m.picture, path);
    }
    ri_release(ctx, m.samples);
    ri_release(ctx, m.picture.rgb);
    return status;
}

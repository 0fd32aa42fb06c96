// SPDX-License-Identifier: Apache-2.0
/// \file
/// When and where lidars shoot.
///
///     spinning   te = start -+ 2 pi rate t; direction (cos(te + a) cos w, sin(te + a) cos w, sin w), origin (n cos te, n sin te, h)
///     rosette    off-axis angles u = d1 cos a1 + d2 cos a2, v = d1 sin a1 + d2 sin a2, a_k = 2 pi f_k t
///
/// Tests: tests/optics/test_lidar.c, `rille validate lidar`.
#include "base/functions.h"

#include <rille/lidar.h>

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MOST_SHOTS = 1 << 24 };
#define DEGREE (M_PI / 180.0)

// --- units ---------------------------------------------------------------------------------------

/// Velodyne VLP-16: user manual table 9-1 and ros-drivers VLP16db.yaml; firing times and ranges
/// from its data sheet.
static RiLidar vlp16(void)
{
    static const double elevation[16] = {-15, 1, -13, 3, -11, 5, -9, 7, -7, 9, -5, 11, -3, 13, -1, 15};
    static const double height[16] = {11.2, -0.7, 9.7, -2.2, 8.1, -3.7, 6.6, -5.1,
                                      5.1,  -6.6, 3.7, -8.1, 2.2, -9.7, 0.7, -11.2};
    RiLidar l = {.kind = RI_LIDAR_SPINNING,
                 .rate = 10.0,
                 .channels = 16,
                 .column_time = 55.296e-6,
                 .channel_time = 2.304e-6,
                 .start = M_PI_2, // azimuth 0 is +y, and grows clockwise
                 .clockwise = true,
                 .range_least = 0.4,
                 .range_most = 100.0,
                 .resolution = 0.002,
                 .noise = 0.01,
                 .merge = 0.5};
    for (int i = 0; i < 16; i++) {
        l.elevation[i] = elevation[i] * DEGREE;
        l.height[i] = 1e-3 * height[i];
    }
    return l;
}

/// Ouster OS1-64, first generation, 1024 columns: design values of ouster-sdk.
static RiLidar os1_64(void)
{
    static const double offset[4] = {3.164, 1.055, -1.055, -3.164};
    static const double step = 33.222 / 63.0; // the published angles are this grid, rounded to three digits
    RiLidar l = {.kind = RI_LIDAR_SPINNING,
                 .rate = 10.0,
                 .channels = 64,
                 .column_time = 0.1 / 1024.0,
                 .radius = 15.806e-3,
                 .clockwise = true,
                 .range_least = 0.3,
                 .range_most = 120.0,
                 .resolution = 0.001,
                 .noise = 0.01,
                 .merge = 0.5};
    for (int i = 0; i < 64; i++) {
        l.elevation[i] = round(1e3 * (16.611 - i * step)) * 1e-3 * DEGREE;
        l.azimuth[i] = -offset[i % 4] * DEGREE;
    }
    return l;
}

/// Livox Mid-40's pattern with ideal prisms: rotor rates of HELIOS++, field and rate of the data
/// sheet.
static RiLidar livox_mid40(void)
{
    return (RiLidar){.kind = RI_LIDAR_ROSETTE,
                     .rate = 10.0,
                     .prism_hz = {7294.0 / 60.0, -4664.0 / 60.0},
                     .deflection = {9.6 * DEGREE, 9.6 * DEGREE},
                     .shot_time = 1e-5,
                     .range_least = 1.0,
                     .range_most = 260.0,
                     .resolution = 0.001,
                     .noise = 0.02,
                     .divergence = {0.015 * DEGREE, 0.14 * DEGREE},
                     .merge = 0.5,
                     .threshold = 0.1 / (90.0 * 90.0)}; // 10 % reflectance is seen up to 90 m
}

static const struct {
    const char *name;
    RiLidar (*make)(void);
} units[] = {{"vlp16", vlp16}, {"os1_64", os1_64}, {"livox_mid40", livox_mid40}};
enum { UNITS = sizeof units / sizeof *units };

int ri_lidar_unit_count(void)
{
    return UNITS;
}

const char *ri_lidar_unit_name(int unit)
{
    return units[unit].name;
}

bool ri_lidar_unit(const char *name, RiLidar *out)
{
    for (int i = 0; i < UNITS; i++)
        if (strcmp(units[i].name, name) == 0) {
            *out = units[i].make();
            return true;
        }
    return false;
}

RiLidar ri_lidar_grid(int channels, double low, double high, int columns, double rate)
{
    RiLidar l = {.kind = RI_LIDAR_SPINNING,
                 .rate = rate,
                 .channels = channels,
                 .column_time = 1.0 / (rate * columns),
                 .range_most = 100.0,
                 .merge = 0.5};
    for (int i = 0; i < channels && i < RI_LIDAR_CHANNELS; i++)
        l.elevation[i] = channels > 1 ? low + (high - low) * i / (channels - 1) : 0.5 * (low + high);
    return l;
}

// --- checks --------------------------------------------------------------------------------------

static RiStatus refuse(RiContext *ctx, const char *name, const char *what, double value, const char *allowed)
{
    return ri_error(ctx, RI_ERR_MODEL, "lidar '%s': %s is %g; %s", name, what, value, allowed);
}

static RiStatus check_returns(RiContext *ctx, const char *name, const RiLidar *l)
{
    const struct {
        const char *what;
        double value, most;
    } list[] = {{"range_least", l->range_least, 1e6},
                {"resolution", l->resolution, 1e3},
                {"noise", l->noise, 1e3},
                {"divergence across", l->divergence[0], 0.5},
                {"divergence up", l->divergence[1], 0.5},
                {"merge", l->merge, 1e6},
                {"threshold", l->threshold, 1e12},
                {"drop_out", l->drop_out, 1.0}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (!(list[i].value >= 0.0 && list[i].value <= list[i].most))
            return refuse(ctx, name, list[i].what, list[i].value, "it must not be negative, or is too large");
    if (!(l->range_most > l->range_least && l->range_most <= 1e6))
        return refuse(ctx, name, "range_most", l->range_most, "it must be above range_least and at most 1000 km");
    return RI_OK;
}

static RiStatus check_spinning(RiContext *ctx, const char *name, const RiLidar *l)
{
    if (l->channels < 1 || l->channels > RI_LIDAR_CHANNELS)
        return refuse(ctx, name, "the number of channels", l->channels, "1 to 256 are allowed");
    for (int i = 0; i < l->channels; i++)
        if (!(fabs(l->elevation[i]) <= M_PI_2) || !isfinite(l->azimuth[i]) || !isfinite(l->height[i]))
            return refuse(ctx, name, "an elevation", l->elevation[i], "-90 to 90 degrees are allowed");
    if (!(l->column_time > 0.0))
        return refuse(ctx, name, "column_time", l->column_time, "it must be positive");
    if (!(l->channel_time >= 0.0 && l->channel_time * l->channels <= l->column_time * (1.0 + 1e-9)))
        return refuse(ctx, name, "channel_time", l->channel_time, "all channels must fit into a column's time");
    if (!isfinite(l->radius) || !isfinite(l->start))
        return refuse(ctx, name, "radius or start", l->radius, "it must be finite");
    return RI_OK;
}

static RiStatus check_rosette(RiContext *ctx, const char *name, const RiLidar *l)
{
    if (!(l->shot_time > 0.0))
        return refuse(ctx, name, "shot_time", l->shot_time, "it must be positive");
    for (int i = 0; i < 2; i++)
        if (!isfinite(l->prism_hz[i]) || !(fabs(l->deflection[i]) <= M_PI_4))
            return refuse(ctx, name, "a prism's deflection", l->deflection[i], "at most 45 degrees are allowed");
    return RI_OK;
}

static RiStatus check_table(RiContext *ctx, const char *name, const RiLidar *l)
{
    if (l->frame_beams < 1 || l->frame_count < 1)
        return refuse(ctx, name, "the number of beams", l->frame_beams, "there must be some");
    const long long count = (long long)l->frame_beams * l->frame_count;
    for (long long i = 0; i < count; i++) {
        const RiBeam *b = &l->beams[i];
        const double length = ri_norm(b->direction);
        if (!(fabs(length - 1.0) < 1e-6))
            return ri_error(ctx, RI_ERR_MODEL, "lidar '%s': the direction of beam %lld has length %g; it must be 1",
                            name, i, length);
        if (!isfinite(b->origin.x + b->origin.y + b->origin.z) || !(b->time >= 0.0 && b->time * l->rate < 1.0))
            return ri_error(
                ctx, RI_ERR_MODEL,
                "lidar '%s': beam %lld: the origin must be finite, and its time %g s within the scan of %g s", name, i,
                b->time, 1.0 / l->rate);
        if (i % l->frame_beams && b->time < b[-1].time)
            return ri_error(ctx, RI_ERR_MODEL, "lidar '%s': beam %lld is shot before the one that it follows", name, i);
    }
    return RI_OK;
}

RiStatus ri_lidar_check(RiContext *ctx, const char *name, RiLidar *l)
{
    if (!(l->rate > 0.0 && l->rate <= 1e6))
        return refuse(ctx, name, "the rate", l->rate, "more than 0 and at most 1 MHz are allowed");
    RI_TRY(check_returns(ctx, name, l));
    double shots = 0.0;
    switch (l->kind) {
    case RI_LIDAR_SPINNING:
        RI_TRY(check_spinning(ctx, name, l));
        shots = round(1.0 / (l->rate * l->column_time)) * l->channels;
        break;
    case RI_LIDAR_ROSETTE:
        RI_TRY(check_rosette(ctx, name, l));
        shots = round(1.0 / (l->rate * l->shot_time));
        break;
    case RI_LIDAR_TABLE:
        RI_TRY(check_table(ctx, name, l));
        shots = l->frame_beams;
        break;
    }
    if (!(shots >= 1.0 && shots <= MOST_SHOTS))
        return refuse(ctx, name, "the number of shots in a scan", shots, "1 to 16777216 are allowed");
    l->shots = (int)shots;
    return RI_OK;
}

// --- beams ---------------------------------------------------------------------------------------

static RiBeam spinning_beam(const RiLidar *l, long long shot)
{
    const long long column = shot / l->channels;
    const int c = (int)(shot % l->channels);
    const double time = (double)column * l->column_time + c * l->channel_time;
    const double turns = fmod(l->rate * time, 1.0);
    const double te = l->start + (l->clockwise ? -2.0 : 2.0) * M_PI * turns, a = te + l->azimuth[c];
    const double level = ri_cos(l->elevation[c]);
    return (RiBeam){.time = time,
                    .origin = ri_vec3(l->radius * ri_cos(te), l->radius * ri_sin(te), l->height[c]),
                    .direction = ri_vec3(level * ri_cos(a), level * ri_sin(a), ri_sin(l->elevation[c])),
                    .channel = c};
}

static RiBeam rosette_beam(const RiLidar *l, long long shot)
{
    const double time = (double)shot * l->shot_time;
    double angle[2], u = 0.0, v = 0.0;
    for (int k = 0; k < 2; k++) {
        angle[k] = 2.0 * M_PI * fmod(l->prism_hz[k] * time, 1.0);
        u += l->deflection[k] * ri_cos(angle[k]);
        v += l->deflection[k] * ri_sin(angle[k]);
    }
    const double off = ri_hypot(u, v), s = off > 0.0 ? ri_sin(off) / off : 1.0;
    return (RiBeam){.time = time, .direction = ri_vec3(ri_cos(off), s * u, s * v)};
}

RiBeam ri_lidar_beam(const RiLidar *l, long long shot)
{
    switch (l->kind) {
    case RI_LIDAR_SPINNING:
        return spinning_beam(l, shot);
    case RI_LIDAR_ROSETTE:
        return rosette_beam(l, shot);
    case RI_LIDAR_TABLE:
        break;
    }
    const long long scan = shot / l->frame_beams, frame = scan % l->frame_count;
    RiBeam b = l->beams[frame * l->frame_beams + shot % l->frame_beams];
    b.time += (double)scan / l->rate;
    return b;
}

long long ri_lidar_shot_at(const RiLidar *l, double time)
{
    long long low = 0, high = 1;
    if (!(ri_lidar_beam(l, 0).time < time))
        return 0;
    while (ri_lidar_beam(l, high).time < time && high < (1LL << 55))
        low = high, high *= 2;
    while (high - low > 1) {
        const long long middle = low + (high - low) / 2;
        if (ri_lidar_beam(l, middle).time < time)
            low = middle;
        else
            high = middle;
    }
    return high;
}

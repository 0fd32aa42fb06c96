// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tables of subsystems from files; the horizon of a map of heights.
///
/// A point at a distance d along the ground and h above it is seen at the elevation
///
///     tan e = ((R + h) cos(d / R) - R - h0) / ((R + h) sin(d / R))
///
/// from h0 above a sphere of radius R. In each direction the map is sampled at steps that grow with
/// the distance, at least half a cell; the highest elevation is the horizon. Test:
/// tests/io/test_subsystem_table.c.
#include "io/scene/subsystem_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/terrain_io.h>

#include "base/functions.h"
#include "device/network/network.h"
#include "io/file/number_table.h"

enum { HORIZON_ROWS = 1440 };

/// Height of the map by bilinear interpolation; false beside it and in holes.
static bool height_at(const RiRaster *m, double x, double y, double *out)
{
    const double u = (x - m->x0) / m->dx, v = (y - m->y0) / m->dy;
    if (!(u >= 0.0 && v >= 0.0 && u <= m->nx - 1 && v <= m->ny - 1))
        return false;
    const int i = u >= m->nx - 1 ? m->nx - 2 : (int)u, j = v >= m->ny - 1 ? m->ny - 2 : (int)v;
    const float *at = m->values + (size_t)j * (size_t)m->nx + (size_t)i;
    const double a = u - i, b = v - j;
    *out = (1.0 - b) * ((1.0 - a) * at[0] + a * at[1]) + b * ((1.0 - a) * at[m->nx] + a * at[m->nx + 1]);
    return isfinite(*out);
}

/// Tangent of the elevation of a point.
static double tangent(double body, double eye, double height, double distance)
{
    if (!(body > 0.0))
        return (height - eye) / distance;
    const double angle = distance / body, half = ri_sin(0.5 * angle);
    // (R + h) cos - R - h0 without cancellation
    return (height - eye - 2.0 * (body + height) * half * half) / ((body + height) * ri_sin(angle));
}

/// How far apart the places of a map's horizon are: half its shorter side over 20, and less where
/// the map does not reach so far from its origin.
static double horizon_spacing(const RiRaster *m)
{
    double spacing = 0.025 * fmin(m->dx * (m->nx - 1), m->dy * (m->ny - 1)), h;
    for (int k = 0, halved = 0; k < HORIZON_PLACES * HORIZON_PLACES && halved < 20; k++)
        if (!height_at(m, spacing * (k % HORIZON_PLACES - 1), spacing * (k / HORIZON_PLACES - 1), &h)) { // NOLINT
            spacing *= 0.5;
            halved++;
            k = -1;
        }
    return spacing;
}

RiStatus ri_horizon_of_raster(RiContext *ctx, const RiRaster *m, double x, double y, double body, double eye, int rows,
                              int stride, double *out_elevations)
{
    double ground, h;
    if (m->nx < 2 || m->ny < 2 || !height_at(m, x, y, &ground))
        return ri_error(
            ctx, RI_ERR_FORMAT,
            "has no height at (%g, %g) m, from which the horizon is seen: x from %g to %g m, y from %g to %g m; the "
            "scene's origin is the map's local one",
            x, y, m->x0, m->x0 + m->dx * (m->nx - 1), m->y0, m->y0 + m->dy * (m->ny - 1));
    const double cell = fmin(m->dx, m->dy), far = ri_hypot(fmax(fabs(m->x0), fabs(m->x0 + m->dx * (m->nx - 1))),
                                                           fmax(fabs(m->y0), fabs(m->y0 + m->dy * (m->ny - 1))));
    for (int i = 0; i < rows; i++) {
        const double azimuth = 2.0 * M_PI * i / rows, east = ri_sin(azimuth), north = ri_cos(azimuth);
        // a map that ends leaves what is behind it: the ball without hills
        double most = tangent(body, ground + eye, 0.0, body > 0.0 ? sqrt(2.0 * body * fmax(ground + eye, 1.0)) : 1e9);
        most = fmin(most, 0.0);
        for (double d = cell; d <= far; d += fmax(0.5 * cell, 2e-3 * d))
            if (height_at(m, x + d * east, y + d * north, &h))
                most = fmax(most, tangent(body, ground + eye, h, d));
        out_elevations[(ptrdiff_t)stride * i] = ri_atan(most);
    }
    return RI_OK;
}

static RiStatus load_horizon(RiContext *ctx, RiArena *arena, const char *path, RiWorld world, double **out_table,
                             int *out_rows)
{
    RiRaster *raster;
    RI_TRY(ri_raster_load(ctx, path, NULL, &raster));
    double *table = *out_table = ri_arena_alloc(arena, HORIZON_COLUMNS * HORIZON_ROWS, sizeof **out_table);
    *out_rows = HORIZON_ROWS;
    RiStatus status = table ? RI_OK : ri_error_memory(ctx);
    const double spacing = horizon_spacing(raster);
    for (int i = 0; i < HORIZON_ROWS && status == RI_OK; i++) {
        table[HORIZON_COLUMNS * i] = 2.0 * M_PI * i / HORIZON_ROWS;
        table[HORIZON_COLUMNS * i + HORIZON_SPACING] = spacing;
    }
    for (int k = 0; k < HORIZON_PLACES * HORIZON_PLACES && status == RI_OK; k++)
        status = ri_horizon_of_raster(ctx, raster, spacing * (k % HORIZON_PLACES - 1),
                                      spacing * (k / HORIZON_PLACES - 1), // NOLINT
                                      ri_body_radius(world), 1.0, HORIZON_ROWS, HORIZON_COLUMNS, table + 1 + k);
    if (status == RI_ERR_FORMAT) {
        char message[400];
        snprintf(message, sizeof message, "%s", ri_context_message(ctx));
        status = ri_error(ctx, RI_ERR_FORMAT, "%s: %s", path, message);
    }
    ri_raster_destroy(raster);
    return status;
}

static bool is_csv(const char *path)
{
    const size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".csv") == 0;
}

RiStatus ri_subsystem_table_load(RiContext *ctx, RiArena *arena, const RiDeviceClass *device, const char *path,
                                 RiWorld world, double **out_table, int *out_rows, int *out_columns)
{
    const RiSubsystemClass *row = ri_subsystem_of(device);
    const char *names[RI_NETWORK_COLUMNS];
    char head[200] = "";
    int count = 0;
    for (; row && count < RI_NETWORK_COLUMNS && row->columns[count].name; count++) {
        names[count] = row->columns[count].name;
        const size_t used = strlen(head);
        snprintf(head + used, sizeof head - used, "%s%s", count ? "," : "", names[count]);
    }
    if (count == 0)
        return ri_error(ctx, RI_ERR_UNSUPPORTED, "a %s reads no file", device->name);
    *out_columns = count;
    if (row->kind == RI_SUBSYSTEM_HORIZON && !is_csv(path)) {
        *out_columns = HORIZON_COLUMNS;
        return load_horizon(ctx, arena, path, world, out_table, out_rows);
    }
    char unknown[300], late[120];
    snprintf(unknown, sizeof unknown, "is no column of such a table: %s", head);
    snprintf(late, sizeof late, "is not more than the %s of the row before", names[0]);
    const RiNumberTableDef def = {.names = names, .count = count, .head = head, .unknown = unknown, .late = late};
    RI_TRY(ri_number_table_load(ctx, arena, path, &def, out_table, out_rows, NULL));
    for (int i = 0; i < *out_rows; i++)
        for (int k = 0; k < count; k++)
            (*out_table)[(size_t)i * (size_t)count + (size_t)k] *= row->columns[k].unit;
    return RI_OK;
}

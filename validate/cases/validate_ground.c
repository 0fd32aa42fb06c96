// SPDX-License-Identifier: Apache-2.0
/// \file
/// Terrain against closed forms: heights, slopes and curvature of a sine surface with their orders,
/// distances of analytic shapes, and a sphere baked to a grid. Bands: orders of Catmull-Rom
/// interpolation (3, 2, 1) within 0.3, since cells are not infinitely small; a grid within half a
/// cell, as its acceptance asks.
#include <math.h>
#include <stdio.h>

#include <rille/terrain.h>

#include "validate/validate.h"

/// Largest errors of height, slope and curvature of sin(x) cos(y) sampled with a cell, away from
/// its edge.
static RiStatus sine_errors(RiContext *ctx, double cell, double out[3])
{
    const int n = (int)(12.0 / cell) + 1;
    RiRaster *r;
    RiTerrain *t = NULL;
    RI_TRY(ri_raster_create(ctx, n, n, cell, cell, &r));
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            r->values[j * n + i] = (float)(sin(r->x0 + i * cell) * cos(r->y0 + j * cell));
    RiHeightsDef def = {.raster = r, .interpolation = RI_BICUBIC, .edge = RI_EDGE_EXTEND};
    const RiStatus status = ri_terrain_create_heights(ctx, &def, &t);
    out[0] = out[1] = out[2] = 0.0;
    for (int k = 0; k < 2000 && status == RI_OK; k++) {
        const double x = r->x0 + 3.0 + 5.0 * fmod(k * 0.61803398875, 1.0), y = r->y0 + 3.0 + 5.0 * k / 2000.0;
        RiHeight h;
        if (!ri_terrain_height(t, x, y, &h))
            h.z = NAN;
        out[0] = fmax(out[0], fabs(h.z - sin(x) * cos(y)));
        out[1] = fmax(out[1], fabs(h.zx - cos(x) * cos(y)));
        out[2] = fmax(out[2], fabs(h.zxx + sin(x) * cos(y)));
    }
    ri_terrain_destroy(t);
    ri_raster_destroy(r);
    return status;
}

static RiStatus heights(RiValidation *run)
{
    static const char *const names[3] = {"height", "slope", "curvature"};
    double coarse[3], fine[3];
    RI_TRY(sine_errors(run->ctx, 0.2, coarse));
    RI_TRY(sine_errors(run->ctx, 0.1, fine));
    for (int k = 0; k < 3; k++) {
        char text[80];
        snprintf(text, sizeof text, "order of the %s of a bicubic field", names[k]);
        ri_validate_near(run, text, "-", 3.0 - k, 0.3, log2(coarse[k] / fine[k]));
    }
    return RI_OK;
}

/// Distance of one shape at a point whose distance is known.
static RiStatus shape_row(RiValidation *run, const char *text, RiGroundPart part, RiVec3 at, double want)
{
    RiTerrain *t;
    RiSurface s;
    part.pose = ri_pose_identity();
    RI_TRY(ri_terrain_create_shapes(run->ctx, 1, &part, &t));
    ri_terrain_query(t, at, &s);
    ri_terrain_destroy(t);
    ri_validate_near(run, text, "m", want, 1e-12, s.distance);
    return RI_OK;
}

static RiStatus baked_sphere(RiValidation *run)
{
    const RiGroundPart ball = {.shape = RI_GROUND_SPHERE, .pose = ri_pose_identity(), .a = 1.0};
    RiTerrain *source, *grid = NULL;
    RiBakeDef def = ri_bake_def_default();
    def.cell = 0.05;
    def.low = ri_vec3(-1.5, -1.5, -1.5);
    def.high = ri_vec3(1.5, 1.5, 1.5);
    RI_TRY(ri_terrain_create_shapes(run->ctx, 1, &ball, &source));
    const RiStatus status = ri_terrain_bake(run->ctx, source, &def, &grid);
    double worst = 0.0;
    for (int k = 0; k < 2000 && status == RI_OK; k++) {
        const double z = 1.0 - 2.0 * (k + 0.5) / 2000.0, a = 2.39996322973 * k, r = sqrt(1.0 - z * z);
        const double radius = 0.95 + 0.1 * fmod(k * 0.7548776662, 1.0);
        RiSurface s;
        ri_terrain_query(grid, ri_scale(radius, ri_vec3(r * cos(a), r * sin(a), z)), &s);
        worst = fmax(worst, fabs(s.distance - (radius - 1.0)));
    }
    ri_terrain_destroy(grid);
    ri_terrain_destroy(source);
    if (status == RI_OK)
        ri_validate_most(run, "error of a sphere on a grid of 5 cm, in cells", "-", 0.5, worst / def.cell);
    return status;
}

RiStatus ri_case_ground(RiValidation *run)
{
    RI_TRY(heights(run));
    RI_TRY(shape_row(run, "distance inside a tube of 0.5 m", (RiGroundPart){.shape = RI_GROUND_TUBE, .a = 0.5},
                     ri_vec3(0.3, 0.0, 2.0), 0.2));
    RI_TRY(shape_row(run, "distance between walls 1 m apart", (RiGroundPart){.shape = RI_GROUND_WALLS, .a = 1.0},
                     ri_vec3(0.1, 5.0, -3.0), 0.4));
    RI_TRY(shape_row(run, "distance from the corner of a box",
                     (RiGroundPart){.shape = RI_GROUND_BOX, .a = 1.0, .b = 1.0, .c = 1.0}, ri_vec3(2.0, 3.0, 3.0),
                     3.0));
    return baked_sphere(run);
}

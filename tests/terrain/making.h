// SPDX-License-Identifier: Apache-2.0
/// \file
/// Making terrain in tests: settings in a line.
#ifndef RI_TESTS_TERRAIN_MAKING_H
#define RI_TESTS_TERRAIN_MAKING_H

#include <rille/synthesis.h>

#include "check.h"

#define DEG (M_PI / 180.0)

static RiContext *make_ctx;

/// Makes `kind` with settings (name, value); NULL after a failed check.
static inline RiMade *make_one(const char *kind, unsigned long long seed, int count, const RiMakeSetting *settings)
{
    RiMade *made = NULL;
    if (!make_ctx && ri_context_create(NULL, &make_ctx) != RI_OK)
        return NULL;
    CHECK_OK(make_ctx, ri_make(make_ctx, ri_make_kind_find(kind), count, settings, seed, &made));
    return made;
}
#define MAKE(kind, seed, ...)                                                                                          \
    make_one(kind, seed, (int)(sizeof((const RiMakeSetting[]){__VA_ARGS__}) / sizeof(RiMakeSetting)),                  \
             (const RiMakeSetting[]){__VA_ARGS__})

static inline double height(const RiRaster *r, int i, int j)
{
    return (double)r->values[(size_t)j * (size_t)r->nx + (size_t)i];
}

/// Bilinear height at (x, y), inside.
static inline double height_at(const RiRaster *r, double x, double y)
{
    const double u = (x - r->x0) / r->dx, v = (y - r->y0) / r->dy;
    const int i = (int)fmin(u, r->nx - 2), j = (int)fmin(v, r->ny - 2);
    const double a = u - i, b = v - j;
    return (1.0 - b) * ((1.0 - a) * height(r, i, j) + a * height(r, i + 1, j)) +
           b * ((1.0 - a) * height(r, i, j + 1) + a * height(r, i + 1, j + 1));
}

/// Slope of the line of least squares.
static inline double fit_slope(int n, const double *x, const double *y)
{
    double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (int k = 0; k < n; k++) {
        sx += x[k];
        sy += y[k];
        sxx += x[k] * x[k];
        sxy += x[k] * y[k];
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

#endif

// SPDX-License-Identifier: Apache-2.0
/// \file
/// The boundary of failure in standard normal space. Rays leave the median in random directions, in
/// opposite pairs; on each the first change of sign of g is bracketed by equal steps and closed in
/// on by the Illinois form of false position, by halves where g is not a number. All rays advance
/// together, so that their runs are made side by side.
///
/// The share of the standard normal beyond a boundary at distance r on a ray is that of chi-squared
/// with n degrees of freedom beyond r^2; its mean over the directions is the probability of failure
/// [bjerager1988], if no ray comes back. Then the point of the boundary that is nearest to the
/// median is looked for in cones around the best direction that become narrower. Test:
/// tests/study/test_campaign_stats.c (plane, sphere, a start that fails).
#include <math.h>
#include <string.h>

#include <rille/study/search.h>
#include <rille/study/stats.h>

#include "base/functions.h"
#include "base/memory.h"
#include "base/rng.h"

typedef struct Ray {
    double direction[RI_SEARCH_DIMENSIONS];
    double a, ha, b, hb; ///< bracket and values at its ends: ha >= 0; hb < 0, or NaN
    double radius;       ///< of the last point
    bool found, closed;
    int kept; ///< +1, -1: the end that the last step kept
} Ray;

typedef struct Boundary {
    const RiBoundaryOptions *o;
    RiSearchFn f;
    void *user;
    int n, count;
    Ray *rays;
    double *z, *h; ///< [count n], [count] a batch
    int *which;    ///< [count] its rays
    double sign, start;
    int evaluations;
    RiRng rng;
} Boundary;

/// P(chi-squared with n degrees of freedom > r^2), n > 0, by its finite sums.
static double chi_tail(int n, double r)
{
    const double x = 0.5 * r * r;
    double sum = 0.0, term = n % 2 ? 2.0 * sqrt(x / M_PI) : 1.0;
    for (int k = n % 2 ? 3 : 2; k <= n; k += 2) {
        sum += term;
        term *= 2.0 * x / k;
    }
    return (n % 2 ? 2.0 * ri_normal_cdf(-r) : 0.0) + ri_exp(-x) * sum;
}

/// Evaluates the batch's rays at their radii; h is positive on the side of the start.
static RiStatus evaluate(Boundary *b, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < b->n; k++)
            b->z[i * b->n + k] = b->rays[b->which[i]].radius * b->rays[b->which[i]].direction[k];
    if (count > 0)
        RI_TRY(b->f(b->user, b->n, count, b->z, b->h, NULL));
    for (int i = 0; i < count; i++)
        b->h[i] *= b->sign;
    b->evaluations += count;
    return RI_OK;
}

/// A failure of the run is beyond the boundary, whichever side the start is on.
static bool is_beyond(const Boundary *b, double h)
{
    return isnan(h) || (b->sign > 0.0 ? h <= 0.0 : h < 0.0);
}

static RiStatus bracket(Boundary *b, double reach, int steps)
{
    for (int i = 0; i < b->count; i++) {
        Ray *r = &b->rays[i];
        r->a = r->b = 0.0;
        r->ha = b->start;
        r->found = r->closed = false;
        r->kept = 0;
    }
    for (int step = 1; step <= steps; step++) {
        int count = 0;
        for (int i = 0; i < b->count; i++)
            if (!b->rays[i].found) {
                b->rays[i].radius = reach * step / steps;
                b->which[count++] = i;
            }
        RI_TRY(evaluate(b, count));
        for (int i = 0; i < count; i++) {
            Ray *r = &b->rays[b->which[i]];
            r->found = is_beyond(b, b->h[i]);
            if (r->found) {
                r->b = r->radius;
                r->hb = b->h[i];
            } else {
                r->a = r->radius;
                r->ha = b->h[i];
            }
        }
    }
    return RI_OK;
}

static double next_radius(const Ray *r)
{
    const double x = r->a + r->ha * (r->b - r->a) / (r->ha - r->hb);
    return isfinite(x) && x >= r->a && x <= r->b ? x : 0.5 * (r->a + r->b);
}

static void narrow(const Boundary *b, Ray *r, double h)
{
    const bool beyond = is_beyond(b, h);
    const int kept = beyond ? -1 : 1;
    if (beyond) {
        r->b = r->radius;
        r->hb = h;
        if (r->kept == kept)
            r->ha *= 0.5; // Illinois: an end that is kept twice loses weight
    } else {
        r->a = r->radius;
        r->ha = h;
        if (r->kept == kept)
            r->hb *= 0.5;
    }
    r->kept = kept;
}

static RiStatus close_in(Boundary *b)
{
    for (int step = 0; step < b->o->iterations; step++) {
        int count = 0;
        for (int i = 0; i < b->count; i++) {
            Ray *r = &b->rays[i];
            if (!r->found || r->closed)
                continue;
            const double x = next_radius(r);
            r->closed = r->b - r->a <= b->o->tolerance || (step > 0 && fabs(x - r->radius) <= 0.1 * b->o->tolerance);
            r->radius = x;
            if (!r->closed)
                b->which[count++] = i;
        }
        if (count == 0)
            return RI_OK;
        RI_TRY(evaluate(b, count));
        for (int i = 0; i < count; i++)
            narrow(b, &b->rays[b->which[i]], b->h[i]);
    }
    for (int i = 0; i < b->count; i++)
        if (b->rays[i].found && !b->rays[i].closed)
            b->rays[i].radius = next_radius(&b->rays[i]);
    return RI_OK;
}

/// Around `centre` (NULL: everywhere); every second ray is opposite to the one before it.
static void aim(Boundary *b, const double *centre, double spread)
{
    for (int i = 0; i < b->count; i++) {
        double *d = b->rays[i].direction, length = 0.0;
        const double *twin = i % 2 && !centre ? b->rays[i - 1].direction : NULL;
        for (int k = 0; k < b->n; k++) {
            d[k] = twin ? -twin[k] : (centre ? centre[k] : 0.0) + (centre ? spread : 1.0) * ri_rng_normal(&b->rng);
            length += d[k] * d[k];
        }
        for (int k = 0; k < b->n; k++)
            d[k] = length > 0.0 ? d[k] / sqrt(length) : k == 0;
    }
}

static void take_point(const Ray *r, int n, RiBoundaryPoint *out)
{
    *out = (RiBoundaryPoint){.radius = r->radius, .found = r->found};
    for (int k = 0; k < n; k++)
        out->z[k] = r->radius * r->direction[k];
}

/// Whether a ray of this round meets the boundary nearer than all before it.
static bool take_nearest(const Boundary *b, RiBoundaryPoint *nearest, double *out_direction)
{
    bool better = false;
    for (int i = 0; i < b->count; i++) {
        const Ray *r = &b->rays[i];
        if (!r->found || (nearest->found && r->radius >= nearest->radius))
            continue;
        take_point(r, b->n, nearest);
        memcpy(out_direction, r->direction, sizeof r->direction);
        better = true;
    }
    return better;
}

/// Mean over pairs of opposite rays, and its coefficient of variation.
static void estimate(const Boundary *b, RiBoundaryResult *out)
{
    double sum = 0.0, square = 0.0;
    const int pairs = b->count / 2;
    for (int i = 0; i < pairs; i++) {
        double p = 0.0;
        for (int k = 2 * i; k < 2 * i + 2; k++)
            p += b->rays[k].found ? 0.5 * chi_tail(b->n, b->rays[k].radius) : 0.0;
        sum += p;
        square += p * p;
        out->found += b->rays[2 * i].found + b->rays[2 * i + 1].found;
    }
    const double mean = sum / pairs, variance = pairs > 1 ? fmax(0.0, square / pairs - mean * mean) / (pairs - 1) : 0.0;
    out->probability = out->fails_at_start ? 1.0 - mean : mean;
    out->variation = out->probability > 0.0 ? sqrt(variance) / out->probability : INFINITY;
}

static RiStatus search(RiContext *ctx, Boundary *b, RiBoundaryPoint *points, RiBoundaryResult *out)
{
    double direction[RI_SEARCH_DIMENSIONS] = {0}, spread = 0.5;
    b->rays[0].radius = 0.0;
    b->which[0] = 0;
    aim(b, NULL, 1.0);
    RI_TRY(evaluate(b, 1));
    if (isnan(b->h[0]))
        return ri_error(ctx, RI_ERR_NUMERIC, "the medians of all dispersions, where rays begin, cannot be evaluated");
    out->fails_at_start = b->h[0] <= 0.0;
    b->sign = out->fails_at_start ? -1.0 : 1.0;
    b->start = fabs(b->h[0]);
    RI_TRY(bracket(b, b->o->reach, b->o->steps));
    RI_TRY(close_in(b));
    for (int i = 0; i < b->count; i++)
        take_point(&b->rays[i], b->n, &points[i]);
    estimate(b, out);
    take_nearest(b, &out->nearest, direction);
    if (!out->nearest.found)
        return ri_error(ctx, RI_ERR_NUMERIC, "no boundary was found within %g standard deviations in %d directions",
                        b->o->reach, b->count);
    for (int round = 0; round < b->o->rounds && b->n > 1; round++) {
        aim(b, direction, spread);
        RI_TRY(bracket(b, out->nearest.radius, 1)); // what is not beyond it there is no nearer
        RI_TRY(close_in(b));
        if (!take_nearest(b, &out->nearest, direction))
            spread *= 0.5;
    }
    return RI_OK;
}

RiStatus ri_boundary_search(RiContext *ctx, const RiBoundaryOptions *options, RiSearchFn g, void *user,
                            RiBoundaryPoint *out_points, RiBoundaryResult *out_result)
{
    RiBoundaryOptions o = *options;
    *out_result = (RiBoundaryResult){.probability = NAN, .variation = NAN};
    o.reach = o.reach > 0.0 ? o.reach : 6.0;
    o.steps = o.steps > 0 ? o.steps : 6;
    o.iterations = o.iterations > 0 ? o.iterations : 12;
    o.tolerance = o.tolerance > 0.0 ? o.tolerance : 1e-3;
    if (o.n < 1 || o.n > RI_SEARCH_DIMENSIONS || o.rays < 2 || o.rays > 1000000 || o.rays % 2 || o.rounds < 0)
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "boundaries: 1 to %d dimensions, an even number of rays, no negative number of rounds",
                        RI_SEARCH_DIMENSIONS);
    const size_t rays = (size_t)o.rays, n = (size_t)o.n;
    Boundary b = {.o = &o,
                  .f = g,
                  .user = user,
                  .n = o.n,
                  .count = o.rays,
                  .rays = ri_alloc_zero(ctx, rays, sizeof *b.rays),
                  .z = ri_alloc_zero(ctx, rays * (n + 1), sizeof *b.z),
                  .which = ri_alloc_zero(ctx, rays, sizeof *b.which),
                  .sign = 1.0,
                  .rng = ri_rng_stream(o.seed, "campaign.boundary")};
    b.h = b.z ? b.z + rays * n : NULL;
    const RiStatus status = b.rays && b.z && b.which ? search(ctx, &b, out_points, out_result) : ri_error_memory(ctx);
    out_result->evaluations = b.evaluations;
    ri_release(ctx, b.rays);
    ri_release(ctx, b.z);
    ri_release(ctx, b.which);
    return status;
}

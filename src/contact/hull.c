// SPDX-License-Identifier: Apache-2.0
/// \file
/// Hulls from points (qhull) and from shapes.
///
/// qhull merges facets that lie in one plane, so a box has six faces and manifolds are clipped
/// against whole sides. Its memory does not come from the context; it is freed before return.
#include "contact/hull.h"
#include "base/functions.h"

#include <stdio.h>
#include <string.h>

#include <libqhull_r/qhull_ra.h>

static void measure_box(RiHull *h)
{
    RiVec3 low = h->points[0], high = low;
    for (int i = 1; i < h->point_count; i++) {
        const RiVec3 p = h->points[i];
        low = ri_vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = ri_vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    h->centre = ri_scale(0.5, ri_add(low, high));
    h->half = ri_scale(0.5, ri_sub(high, low));
}

int ri_spread_points(int n, const RiVec3 *points, int count, double *distance, int *out_chosen)
{
    RiVec3 middle = {0.0, 0.0, 0.0};
    for (int i = 0; i < n; i++)
        middle = ri_add(middle, ri_scale(1.0 / n, points[i]));
    for (int i = 0; i < n; i++)
        distance[i] = ri_norm(ri_sub(points[i], middle));
    for (int k = 0; k < count; k++) {
        int far = 0;
        for (int i = 1; i < n; i++)
            if (distance[i] > distance[far])
                far = i;
        if (k > 0 && distance[far] == 0.0)
            return k;
        out_chosen[k] = far;
        for (int i = 0; i < n; i++) {
            const double x = ri_norm(ri_sub(points[i], points[far]));
            distance[i] = k == 0 || x < distance[i] ? x : distance[i];
        }
    }
    return count;
}

// --- qhull ---------------------------------------------------------------------------------------

/// qhull's result and what it must be freed with.
typedef struct Work {
    qhT qh;
    FILE *errors;
} Work;

static void close_work(Work *w)
{
    int left, total;
    qh_freeqhull(&w->qh, !qh_ALL);
    qh_memfreeshort(&w->qh, &left, &total);
    if (w->errors)
        fclose(w->errors);
}

/// Corners counter-clockwise from outside.
static void turn_outward(const RiHull *h, const RiHullFace *f)
{
    int *c = h->corners + f->first;
    RiVec3 area = {0.0, 0.0, 0.0};
    for (int k = 2; k < f->count; k++)
        area = ri_add(area,
                      ri_cross(ri_sub(h->points[c[k - 1]], h->points[c[0]]), ri_sub(h->points[c[k]], h->points[c[0]])));
    for (int i = 0, k = f->count - 1; i < k && ri_dot(area, f->normal) < 0.0; i++, k--) {
        const int swap = c[i];
        c[i] = c[k];
        c[k] = swap;
    }
}

/// Copies corners and faces out. `rank` numbers the points that are corners.
static RiStatus take(Work *w, RiArena *arena, const RiVec3 *points, int *rank, RiHull *out)
{
    qhT *qh = &w->qh;
    facetT *facet;
    vertexT *vertex, **vertexp;
    int corners = 0;
    FORALLvertices
    {
        rank[qh_pointid(qh, vertex->point)] = 1;
    }
    FORALLfacets
    {
        corners += qh_setsize(qh, facet->vertices);
    }
    out->points = ri_arena_alloc(arena, (size_t)qh->num_vertices, sizeof *out->points);
    out->faces = ri_arena_alloc(arena, (size_t)qh->num_facets, sizeof *out->faces);
    out->corners = ri_arena_alloc(arena, (size_t)corners, sizeof *out->corners);
    if (!out->points || !out->faces || !out->corners)
        return ri_error_memory(arena->ctx);
    for (int i = 0; i < qh->num_points; i++)
        if (rank[i]) {
            rank[i] = out->point_count;
            out->points[out->point_count++] = points[i];
        }
    int at = 0;
    FORALLfacets
    {
        RiHullFace *f = &out->faces[out->face_count++];
        f->normal = ri_vec3(facet->normal[0], facet->normal[1], facet->normal[2]);
        f->offset = -facet->offset;
        f->first = at;
        setT *ring = qh_facet3vertex(qh, facet);
        FOREACHvertex_(ring)
        {
            out->corners[at++] = rank[qh_pointid(qh, vertex->point)];
        }
        qh_settempfree(qh, &ring);
        f->count = at - f->first;
        turn_outward(out, f);
    }
    return RI_OK;
}

/// Exact hull.
static RiStatus run_qhull(RiArena *arena, int count, const RiVec3 *points, RiHull *out)
{
    RiContext *ctx = arena->ctx;
    Work *w = ri_alloc_zero(ctx, 1, sizeof *w);
    int *rank = ri_alloc_zero(ctx, (size_t)count + 1, sizeof *rank);
    RiStatus status = w && rank ? RI_OK : ri_error_memory(ctx);
    if (status == RI_OK && !(w->errors = fopen("/dev/null", "w")))
        status = ri_error(ctx, RI_ERR_IO, "/dev/null cannot be written to");
    char command[] = "qhull Pp";
    if (status == RI_OK) {
        qh_zero(&w->qh, w->errors);
        const int code = qh_new_qhull(&w->qh, 3, count, (coordT *)(uintptr_t)points, False, command, NULL, w->errors);
        status = code == 0 ? take(w, arena, points, rank, out)
                           : ri_error(ctx, RI_ERR_ARGUMENT,
                                      "has no volume: a hull needs four points that are not in a plane");
        close_work(w);
    }
    ri_release(ctx, rank);
    ri_release(ctx, w);
    return status;
}

/// The hull of the corners that are farthest apart.
static RiStatus thin_out(RiArena *arena, int most, RiHull *hull)
{
    const int n = hull->point_count;
    RiVec3 *points = ri_arena_alloc(arena, (size_t)most, sizeof *points);
    double *distance = ri_arena_alloc(arena, (size_t)n, sizeof *distance);
    int *chosen = ri_arena_alloc(arena, (size_t)most, sizeof *chosen);
    if (!points || !distance || !chosen)
        return ri_error_memory(arena->ctx);
    const int kept = ri_spread_points(n, hull->points, most, distance, chosen);
    for (int i = 0; i < kept; i++)
        points[i] = hull->points[chosen[i]];
    memset(hull, 0, sizeof *hull);
    return run_qhull(arena, kept, points, hull);
}

RiStatus ri_hull_create(RiArena *arena, int count, const RiVec3 *points, int most, RiHull *out)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < count; i++)
        if (!isfinite(points[i].x) || !isfinite(points[i].y) || !isfinite(points[i].z))
            return ri_error(arena->ctx, RI_ERR_ARGUMENT, "has a point that is not finite");
    if (count < 4)
        return ri_error(arena->ctx, RI_ERR_ARGUMENT, "has no volume: a hull needs four points that are not in a plane");
    RI_TRY(run_qhull(arena, count, points, out));
    if (out->point_count > most)
        RI_TRY(thin_out(arena, most, out));
    measure_box(out);
    return RI_OK;
}

// --- shapes --------------------------------------------------------------------------------------

RiStatus ri_hull_box(RiArena *arena, const RiPose *pose, RiVec3 size, RiHull *out)
{
    RiVec3 corners[8];
    for (int i = 0; i < 8; i++)
        corners[i] = ri_pose_point(
            pose, ri_vec3((i & 1 ? 0.5 : -0.5) * size.x, (i & 2 ? 0.5 : -0.5) * size.y, (i & 4 ? 0.5 : -0.5) * size.z));
    return ri_hull_create(arena, 8, corners, 8, out);
}

RiStatus ri_hull_cylinder(RiArena *arena, const RiPose *pose, double radius, double length, int sides, RiHull *out)
{
    RiVec3 corners[RI_HULL_POINTS];
    const double step = 6.283185307179586 / sides, r = 2.0 * radius / (1.0 + ri_cos(0.5 * step));
    for (int i = 0; i < sides; i++)
        for (int k = 0; k < 2; k++)
            corners[2 * i + k] = ri_pose_point(
                pose, ri_vec3(r * ri_cos(i * step), r * ri_sin(i * step), k ? 0.5 * length : -0.5 * length));
    return ri_hull_create(arena, 2 * sides, corners, 2 * sides, out);
}

RiStatus ri_hull_capsule(RiArena *arena, const RiPose *pose, double radius, double length, RiHull *out)
{
    memset(out, 0, sizeof *out);
    out->point_count = length > 0.0 ? 2 : 1;
    out->points = ri_arena_alloc(arena, 2, sizeof *out->points);
    if (!out->points)
        return ri_error_memory(arena->ctx);
    out->points[0] = ri_pose_point(pose, ri_vec3(0.0, 0.0, -0.5 * length));
    out->points[1] = ri_pose_point(pose, ri_vec3(0.0, 0.0, 0.5 * length));
    out->radius = radius;
    measure_box(out);
    return RI_OK;
}

// --- measures ------------------------------------------------------------------------------------

double ri_hull_volume(const RiHull *h)
{
    double six = 0.0;
    for (int f = 0; f < h->face_count; f++) {
        const int *c = h->corners + h->faces[f].first;
        const RiVec3 a = ri_sub(h->points[c[0]], h->centre);
        for (int k = 2; k < h->faces[f].count; k++) {
            const RiVec3 b = ri_sub(h->points[c[k - 1]], h->centre), d = ri_sub(h->points[c[k]], h->centre);
            six += fabs(ri_dot(a, ri_cross(b, d)));
        }
    }
    return six / 6.0;
}

double ri_hull_depth(const RiHull *h, RiVec3 p)
{
    double least = INFINITY;
    for (int f = 0; f < h->face_count; f++) {
        const double x = h->faces[f].offset - ri_dot(h->faces[f].normal, p);
        least = x < least ? x : least;
    }
    return least;
}

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Meshes into convex parts, by cutting along planes where they are most concave.
///
///     mesh --> [part, its hull, what the hull fills] --(worst one cut in two, until all are within tolerance)--> hulls
///
/// **Concavity** of a part is the larger of two lengths: the greatest depth of its own surface
/// below its hull, which is how far something sinks into a hollow before the hull lets it; and, for
/// closed meshes, FILLED times the volume that the hull fills over the hull's surface, which sees
/// holes through plates whose walls are nowhere deep.
///
/// **Cuts.** Candidates are planes across the three axes and the planes of the triangles around the
/// deepest point of the surface, which are the ones that make an L of two boxes exactly two boxes.
/// The one with the least sum of the two hulls' volumes is taken.
///
/// **Caps.** A hull needs no cap: what it would add is spanned by the cut's edge. Volumes do; every
/// edge that a cut leaves open is closed by a signed triangle to one point of the plane. Those
/// overlap, but their sum is the cap, and stays so when cut again.
///
/// Every triangle is in one part or is cut between two, so the hulls cover the surface. Tests:
/// tests/contact/test_hull.c.
#include <string.h>

#include "contact/hull.h"

enum { ACROSS_AXIS = 9, AROUND = 12, CANDIDATES = 3 * ACROSS_AXIS + AROUND };
/// A cut must leave this part of the volume on either side.
static const double SLIVER = 1e-3;
/// Weight of the volume that a hull fills over its surface.
static const double FILLED = 4.0;
/// Points nearer to a plane than this part of the mesh's size lie in it.
static const double IN_PLANE = 1e-10;

/// A piece of the surface with points of its own.
typedef struct Part {
    RiVec3 *points;
    uint32_t (*triangles)[3];
    RiVec3 (*caps)[3];
    int point_count, triangle_count, cap_count;
    RiHull hull;              // exact
    double volume, concavity; // of the hull
    RiVec3 deepest;
    int deepest_triangle;
    bool whole; // cannot be cut
} Part;

typedef struct Plane {
    RiVec3 n;
    double d;
} Plane;

typedef struct Work {
    RiArena *arena; // what is kept
    RiContext *ctx;
    Part *parts;
    RiArena *rooms; // [part]
    int count;
    RiVec3 *side[2]; // points of candidates
    int side_count[2];
    int *mark, stamp; // [point] the last list that it was put into
    double inward;    // +1: triangles are counter-clockwise from outside, -1: from inside, 0: the mesh is not closed
    double size;
} Work;

static RiVec3 corner(const Part *p, int t, int k)
{
    return p->points[p->triangles[t][k]];
}

/// Depth below the hull, given up as soon as it is not above `least`. `face` is the one that was
/// nearest the last time.
static double depth_above(const RiHull *h, RiVec3 p, double least, int *face)
{
    double depth = h->faces[*face].offset - ri_dot(h->faces[*face].normal, p);
    for (int f = 0; f < h->face_count && depth > least; f++) {
        const double x = h->faces[f].offset - ri_dot(h->faces[f].normal, p);
        if (x < depth)
            depth = x, *face = f;
    }
    return depth;
}

/// Corners, middles of sides and centres of all triangles.
static void measure_concavity(Part *p)
{
    int face = 0;
    p->concavity = 0.0;
    p->deepest_triangle = -1;
    for (int t = 0; t < p->triangle_count; t++) {
        const RiVec3 a = corner(p, t, 0), b = corner(p, t, 1), c = corner(p, t, 2);
        const RiVec3 samples[7] = {a,
                                   b,
                                   c,
                                   ri_scale(0.5, ri_add(a, b)),
                                   ri_scale(0.5, ri_add(b, c)),
                                   ri_scale(0.5, ri_add(c, a)),
                                   ri_scale(1.0 / 3.0, ri_add(a, ri_add(b, c)))};
        for (int k = 0; k < 7; k++) {
            const double depth = depth_above(&p->hull, samples[k], p->concavity, &face);
            if (depth > p->concavity) {
                p->concavity = depth;
                p->deepest = samples[k];
                p->deepest_triangle = t;
            }
        }
    }
}

static double flux(RiVec3 a, RiVec3 b, RiVec3 c, RiVec3 from)
{
    return ri_dot(ri_sub(a, from), ri_cross(ri_sub(b, from), ri_sub(c, from))) / 6.0;
}

/// Volume that the surface and its caps enclose.
static double enclosed(const Part *p)
{
    const RiVec3 from = p->hull.centre;
    double sum = 0.0;
    for (int t = 0; t < p->triangle_count; t++)
        sum += flux(corner(p, t, 0), corner(p, t, 1), corner(p, t, 2), from);
    for (int t = 0; t < p->cap_count; t++)
        sum += flux(p->caps[t][0], p->caps[t][1], p->caps[t][2], from);
    return sum;
}

static double surface_of(const RiHull *h)
{
    double sum = 0.0;
    for (int f = 0; f < h->face_count; f++) {
        const int *c = h->corners + h->faces[f].first;
        for (int k = 2; k < h->faces[f].count; k++)
            sum += 0.5 * ri_norm(ri_cross(ri_sub(h->points[c[k - 1]], h->points[c[0]]),
                                          ri_sub(h->points[c[k]], h->points[c[0]])));
    }
    return sum;
}

/// Hull, volume and concavity of a part whose surface is known.
static RiStatus finish_part(RiArena *arena, double inward, Part *p)
{
    RI_TRY(ri_hull_create(arena, p->point_count, p->points, p->point_count, &p->hull));
    p->volume = ri_hull_volume(&p->hull);
    measure_concavity(p);
    if (inward != 0.0)
        p->concavity = fmax(p->concavity, FILLED * (p->volume - inward * enclosed(p)) / surface_of(&p->hull));
    return RI_OK;
}

/// Whether the mesh is closed, as far as the sum of its area vectors says, and which way round.
static double find_inward(const Part *p)
{
    RiVec3 sum = {0.0, 0.0, 0.0};
    double total = 0.0;
    for (int t = 0; t < p->triangle_count; t++) {
        const RiVec3 a = corner(p, t, 0), n = ri_cross(ri_sub(corner(p, t, 1), a), ri_sub(corner(p, t, 2), a));
        sum = ri_add(sum, n);
        total += ri_norm(n);
    }
    if (ri_norm(sum) > 1e-6 * total)
        return 0.0;
    return enclosed(p) < 0.0 ? -1.0 : 1.0;
}

// --- candidates ----------------------------------------------------------------------------------

/// Signed distance from a plane, exactly 0 near it.
static double over(const Plane *plane, RiVec3 p, double size)
{
    const double d = ri_dot(plane->n, p) - plane->d;
    return fabs(d) <= IN_PLANE * size ? 0.0 : d;
}

/// A triangle's part above a plane: a ring of up to four points, and which of its sides lie in the
/// plane.
typedef struct Ring {
    RiVec3 p[4];
    int source[4]; // corner it is, -1: cut
    bool in_plane[4];
    int n;
} Ring;

/// `sign` -1: below. A triangle in the plane belongs to the side that `keep` says.
static Ring cut_ring(const RiVec3 t[3], const Plane *plane, double sign, double size, bool keep)
{
    Ring r = {.n = 0};
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = sign * over(plane, t[k], size);
    if (fmax(d[0], fmax(d[1], d[2])) <= 0.0 && !(keep && d[0] == 0.0 && d[1] == 0.0 && d[2] == 0.0))
        return r;
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3;
        if (d[k] >= 0.0) {
            r.source[r.n] = k;
            r.in_plane[r.n] = d[k] == 0.0;
            r.p[r.n++] = t[k];
        }
        if (d[k] * d[l] < 0.0) {
            r.source[r.n] = -1;
            r.in_plane[r.n] = true;
            r.p[r.n++] = ri_add(t[k], ri_scale(d[k] / (d[k] - d[l]), ri_sub(t[l], t[k])));
        }
    }
    return r;
}

/// Whether a triangle that lies in the plane has the solid above it (sign -1: below).
static bool faces_away(const RiVec3 t[3], const Plane *plane, double sign, double inward)
{
    const RiVec3 n = ri_cross(ri_sub(t[1], t[0]), ri_sub(t[2], t[0]));
    return (inward < 0.0 ? -sign : sign) * ri_dot(n, plane->n) < 0.0;
}

static void load_triangle(const Part *p, int t, RiVec3 out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = corner(p, t, k);
}

/// Points of the surface on both sides of a plane.
static void sort_points(const Part *p, const Plane *plane, Work *w)
{
    for (int side = 0; side < 2; side++) {
        const double sign = side ? 1.0 : -1.0;
        int count = 0;
        w->stamp++;
        for (int t = 0; t < p->triangle_count; t++) {
            RiVec3 x[3];
            load_triangle(p, t, x);
            const Ring r = cut_ring(x, plane, sign, w->size, faces_away(x, plane, sign, w->inward));
            for (int k = 0; k < r.n; k++) {
                int *mark = r.source[k] < 0 ? NULL : &w->mark[p->triangles[t][r.source[k]]];
                if (mark && *mark == w->stamp)
                    continue; // it has come with another triangle
                if (mark)
                    *mark = w->stamp;
                w->side[side][count++] = r.p[k];
            }
        }
        w->side_count[side] = count;
    }
}

/// Sum of the volumes of both sides' hulls; infinite where a side has none.
static RiStatus weigh(const Part *p, const Plane *plane, Work *w, double *out_sum)
{
    double volume[2] = {0.0, 0.0};
    *out_sum = INFINITY;
    sort_points(p, plane, w);
    for (int k = 0; k < 2; k++) {
        RiArena room;
        RiHull hull;
        ri_arena_init(&room, w->ctx);
        const RiStatus status = ri_hull_create(&room, w->side_count[k], w->side[k], w->side_count[k], &hull);
        volume[k] = status == RI_OK ? ri_hull_volume(&hull) : 0.0;
        ri_arena_free(&room);
        if (status != RI_OK)
            return status == RI_ERR_ARGUMENT ? RI_OK : status; // a flat side is no side
    }
    if (fmin(volume[0], volume[1]) > SLIVER * p->volume)
        *out_sum = volume[0] + volume[1];
    return RI_OK;
}

static int list_planes(const Part *p, Plane *out)
{
    const RiVec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    int count = 0;
    for (int k = 0; k < 3; k++)
        for (int i = 1; i <= ACROSS_AXIS; i++) {
            const double middle = ri_dot(axes[k], p->hull.centre), half = ri_dot(axes[k], p->hull.half);
            out[count++] = (Plane){axes[k], middle + half * (2.0 * i / (ACROSS_AXIS + 1) - 1.0)};
        }
    const double near = 1e-9 * ri_norm(p->hull.half);
    for (int t = 0; t < p->triangle_count && count < CANDIDATES; t++) {
        const RiVec3 a = corner(p, t, 0), n = ri_cross(ri_sub(corner(p, t, 1), a), ri_sub(corner(p, t, 2), a));
        const double size = ri_norm(n);
        bool around = t == p->deepest_triangle;
        for (int k = 0; k < 3; k++)
            around |= ri_norm(ri_sub(corner(p, t, k), p->deepest)) <= near;
        if (around && size > 0.0)
            out[count++] = (Plane){ri_scale(1.0 / size, n), ri_dot(n, a) / size};
    }
    return count;
}

/// The plane that wastes least. False: none cuts it.
static RiStatus choose_plane(const Part *p, Work *w, Plane *out, bool *out_found)
{
    Plane planes[CANDIDATES];
    const int count = list_planes(p, planes);
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        double sum;
        RI_TRY(weigh(p, &planes[i], w, &sum));
        if (sum < least * (1.0 - 1e-9))
            least = sum, *out = planes[i];
    }
    *out_found = isfinite(least);
    return RI_OK;
}

// --- cutting -------------------------------------------------------------------------------------

static uint32_t add_point(Part *p, RiVec3 x)
{
    p->points[p->point_count] = x;
    return (uint32_t)p->point_count++;
}

/// Closes the sides of a ring that lie in the plane, towards one point of it.
static void close_ring(const Ring *r, const Plane *plane, Part *to)
{
    for (int k = 0; k < r->n; k++) {
        const int l = (k + 1) % r->n;
        if (!r->in_plane[k] || !r->in_plane[l])
            continue;
        RiVec3 *cap = to->caps[to->cap_count++];
        cap[0] = ri_scale(plane->d, plane->n), cap[1] = r->p[l], cap[2] = r->p[k];
    }
}

/// A triangle's part on one side of a plane. `copied` says where points have gone already.
static void cut_triangle(const Part *from, int t, const Ring *r, const Plane *plane, int *copied, Part *to)
{
    uint32_t ring[4];
    for (int k = 0; k < r->n; k++) {
        int *known = r->source[k] < 0 ? NULL : &copied[from->triangles[t][r->source[k]]];
        ring[k] = known && *known >= 0 ? (uint32_t)*known : add_point(to, r->p[k]);
        if (known)
            *known = (int)ring[k];
    }
    for (int k = 2; k < r->n; k++) {
        uint32_t *out = to->triangles[to->triangle_count++];
        out[0] = ring[0], out[1] = ring[k - 1], out[2] = ring[k];
    }
    close_ring(r, plane, to);
}

static void cut_cap(const Ring *r, const Plane *plane, Part *to)
{
    for (int k = 2; k < r->n; k++) {
        RiVec3 *cap = to->caps[to->cap_count++];
        cap[0] = r->p[0], cap[1] = r->p[k - 1], cap[2] = r->p[k];
    }
    close_ring(r, plane, to);
}

static RiStatus reserve_part(const Part *from, RiArena *arena, int **out_copied, Part *to)
{
    const size_t points = (size_t)from->point_count, triangles = (size_t)from->triangle_count;
    memset(to, 0, sizeof *to);
    *out_copied = ri_arena_alloc(arena, points + 1, sizeof **out_copied);
    to->points = ri_arena_alloc(arena, points + 2 * triangles + 1, sizeof *to->points);
    to->triangles = ri_arena_alloc(arena, 2 * triangles + 1, sizeof *to->triangles);
    to->caps = ri_arena_alloc(arena, 3 * triangles + 5 * (size_t)from->cap_count + 1, sizeof *to->caps);
    return *out_copied && to->points && to->triangles && to->caps ? RI_OK : ri_error_memory(arena->ctx);
}

/// Everything on one side of a plane, in an arena of its own.
static RiStatus cut_side(const Work *w, const Part *from, const Plane *plane, double sign, RiArena *arena, Part *to)
{
    int *copied;
    RI_TRY(reserve_part(from, arena, &copied, to));
    for (int i = 0; i < from->point_count; i++)
        copied[i] = -1;
    for (int t = 0; t < from->triangle_count; t++) {
        RiVec3 x[3];
        load_triangle(from, t, x);
        const Ring r = cut_ring(x, plane, sign, w->size, faces_away(x, plane, sign, w->inward));
        cut_triangle(from, t, &r, plane, copied, to);
    }
    for (int t = 0; t < from->cap_count; t++) {
        const Ring r = cut_ring(from->caps[t], plane, sign, w->size, false);
        cut_cap(&r, plane, to);
    }
    return finish_part(arena, w->inward, to);
}

/// Room for the points of both sides of a part.
static RiStatus reserve_sides(Work *w, const Part *p)
{
    const size_t n = (size_t)p->point_count + 3 * (size_t)p->triangle_count + 1;
    int *mark = ri_resize(w->ctx, w->mark, (size_t)p->point_count + 1, sizeof *mark);
    if (!mark)
        return ri_error_memory(w->ctx);
    w->mark = mark;
    w->stamp = 0;
    memset(mark, 0, ((size_t)p->point_count + 1) * sizeof *mark);
    for (int k = 0; k < 2; k++) {
        RiVec3 *grown = ri_resize(w->ctx, w->side[k], n, sizeof *grown);
        if (!grown)
            return ri_error_memory(w->ctx);
        w->side[k] = grown;
    }
    return RI_OK;
}

/// Cuts part i in two; the second one goes to the end.
static RiStatus cut(Work *w, int i)
{
    Plane plane = {{0.0, 0.0, 1.0}, 0.0};
    bool found;
    RI_TRY(reserve_sides(w, &w->parts[i]));
    RI_TRY(choose_plane(&w->parts[i], w, &plane, &found));
    w->parts[i].whole = !found;
    if (!found)
        return RI_OK;
    Part halves[2];
    RiArena rooms[2];
    RiStatus status = RI_OK;
    for (int k = 0; k < 2; k++) {
        ri_arena_init(&rooms[k], w->ctx);
        if (status == RI_OK)
            status = cut_side(w, &w->parts[i], &plane, k ? 1.0 : -1.0, &rooms[k], &halves[k]);
    }
    if (status != RI_OK) {
        ri_arena_free(&rooms[0]);
        ri_arena_free(&rooms[1]);
        w->parts[i].whole = status == RI_ERR_ARGUMENT; // a side that came out flat: it stays as it is
        return status == RI_ERR_ARGUMENT ? RI_OK : status;
    }
    ri_arena_free(&w->rooms[i]);
    w->parts[i] = halves[0], w->rooms[i] = rooms[0];
    w->parts[w->count] = halves[1], w->rooms[w->count++] = rooms[1];
    return RI_OK;
}

static int worst_part(const Work *w, double tolerance)
{
    int worst = -1;
    for (int i = 0; i < w->count; i++)
        if (w->parts[i].concavity > tolerance && !w->parts[i].whole &&
            (worst < 0 || w->parts[i].concavity > w->parts[worst].concavity))
            worst = i;
    return worst;
}

static RiStatus cut_all(Work *w, const RiTriangleSet *mesh, const RiDecomposition *how)
{
    Part all = {.points = (RiVec3 *)(uintptr_t)mesh->points, // read only
                .triangles = (uint32_t(*)[3])(uintptr_t)mesh->triangles,
                .point_count = mesh->point_count,
                .triangle_count = mesh->triangle_count};
    ri_arena_init(&w->rooms[0], w->ctx);
    w->count = 1;
    RI_TRY(finish_part(&w->rooms[0], 0.0, &all));
    w->size = ri_norm(all.hull.half);
    w->inward = find_inward(&all);
    if (w->inward != 0.0)
        RI_TRY(finish_part(&w->rooms[0], w->inward, &all));
    w->parts[0] = all;
    for (int worst = worst_part(w, how->tolerance); worst >= 0 && w->count < how->most;
         worst = worst_part(w, how->tolerance))
        RI_TRY(cut(w, worst));
    double left = 0.0;
    for (int i = 0; i < w->count; i++)
        left = fmax(left, w->parts[i].concavity);
    if (left > how->tolerance)
        return ri_error(w->ctx, RI_ERR_LIMIT,
                        "is not convex within %.3g mm in %d hulls: %.3g mm are left; allow "
                        "more with 'hulls' (%d) or a larger 'hull_tolerance'",
                        1e3 * how->tolerance, w->count, 1e3 * left, how->most);
    return RI_OK;
}

RiStatus ri_hull_decompose(RiArena *arena, const RiTriangleSet *mesh, const RiDecomposition *how, RiHull **out_hulls,
                           int *out_count)
{
    RiContext *ctx = arena->ctx;
    Work w = {.arena = arena, .ctx = ctx};
    *out_hulls = NULL;
    *out_count = 0;
    w.parts = ri_alloc_zero(ctx, (size_t)how->most + 1, sizeof *w.parts);
    w.rooms = ri_alloc_zero(ctx, (size_t)how->most + 1, sizeof *w.rooms);
    RiStatus status = w.parts && w.rooms ? cut_all(&w, mesh, how) : ri_error_memory(ctx);
    RiHull *hulls = status == RI_OK ? ri_arena_alloc(arena, (size_t)w.count, sizeof *hulls) : NULL;
    if (status == RI_OK && !hulls)
        status = ri_error_memory(ctx);
    for (int i = 0; i < w.count && status == RI_OK; i++) {
        const RiHull *h = &w.parts[i].hull;
        status = ri_hull_create(arena, h->point_count, h->points, how->corners, &hulls[i]);
    }
    if (status == RI_OK) {
        *out_hulls = hulls;
        *out_count = w.count;
    }
    for (int i = 0; i < w.count && w.rooms; i++)
        ri_arena_free(&w.rooms[i]);
    ri_release(ctx, w.mark);
    ri_release(ctx, w.side[0]);
    ri_release(ctx, w.side[1]);
    ri_release(ctx, w.rooms);
    ri_release(ctx, w.parts);
    return status;
}

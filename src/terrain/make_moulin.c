// SPDX-License-Identifier: Apache-2.0
/// \file
/// A moulin: a shaft that meltwater has cut into ice, with bends and scalloped walls.
///
/// Horizontal rings around an axis that wanders with depth; each ring is star-shaped about its axis
/// point and lies at a depth of its own, so the wall cannot cross itself, and overhangs come from
/// the axis' lean. The radius is its mean, plus Gaussian noise in space (evaluated on a cylinder,
/// hence without a seam), plus scallops: hollows around scattered centres that meet in sharp
/// ridges, as flow carves them [curl1974]. Mean and RMS of the noise are exact over the wall's
/// points.
#include "terrain/make.h"

enum { DEPTH, RADIUS, CELL, ROUGHNESS, ROUGH_WAVE, SCALLOP, SCALLOP_DEPTH, BEND, BEND_WAVE, TOP, APRON };
enum { LID, SURFACE };

static const RiMakeParam params[] = {
    {"depth", "m", 15.0, 0.1, 1e3, NULL, "of the shaft"},
    {"radius", "m", 1.2, 1e-2, 100.0, NULL, "mean radius"},
    {"cell", "m", 0.06, 1e-4, 10.0, NULL, "distance of neighbouring mesh points"},
    {"roughness", "m", 0.08, 0.0, 10.0, NULL, "RMS of the radius but for scallops"},
    {"rough_wave", "m", 3.0, 1e-2, 1e3, NULL,
     "longest wave of the roughness, the shortest is a scallop; Hurst exponent 0.8"},
    {"scallop", "m", 0.4, 1e-3, 10.0, NULL, "size of scallops; cm in fast flow to dm in slow [curl1974]"},
    {"scallop_depth", "m", 0.04, 0.0, 1.0, NULL, "of a hollow below its ridges"},
    {"bend", "m", 0.5, 0.0, 100.0, NULL, "RMS of the axis' way to the sides, in x and in y"},
    {"bend_wave", "m", 8.0, 0.1, 1e4, NULL, "wavelength of the bends"},
    {"top", "", LID, 0, 1, "lid|surface", "closed all round, or open with a ring of level ice"},
    {"apron", "m", 2.0, 1e-2, 1e3, NULL, "width of that ring"}};

/// Counts of the net and what its points need.
typedef struct Shaft {
    int around, down, caps; ///< points of a ring, rings of the wall, rings of a cap
    double *radius;         ///< down x around
    double *axis_x, *axis_y;
    int scallops_around, scallops_down;
    RiVec3 *scallops; ///< centres: x and y as angle and height in units of their cells
} Shaft;

static RiStatus measure(Make *m, Shaft *s)
{
    const double around = fmax(ceil(2.0 * MAKE_PI * m->v[RADIUS] / m->v[CELL]), 8.0);
    const double down = fmax(ceil(m->v[DEPTH] / m->v[CELL]), 3.0) + 1.0;
    const double size = fmax(m->v[SCALLOP], m->v[CELL]);
    if (!(around * down < RI_MAKE_MOST_CELLS))
        return ri_error(m->ctx, RI_ERR_LIMIT, "moulin: a wall of %.3g points, at most %d; choose a larger cell",
                        around * down, RI_MAKE_MOST_CELLS);
    s->around = (int)around;
    s->down = (int)down;
    s->caps = (int)fmax(ceil(m->v[RADIUS] / m->v[CELL] * 0.5), 2.0);
    s->scallops_around = (int)fmax(floor(2.0 * MAKE_PI * m->v[RADIUS] / size + 0.5), 3.0);
    s->scallops_down = (int)ceil(m->v[DEPTH] / size) + 2;
    s->radius = ri_arena_alloc(m->scratch, (size_t)s->around * (size_t)s->down, sizeof *s->radius);
    s->axis_x = ri_arena_alloc(m->scratch, 2 * (size_t)s->down, sizeof *s->axis_x);
    s->scallops =
        ri_arena_alloc(m->scratch, (size_t)s->scallops_around * (size_t)s->scallops_down, sizeof *s->scallops);
    if (!s->radius || !s->axis_x || !s->scallops)
        return ri_error_memory(m->ctx);
    s->axis_y = s->axis_x + s->down;
    return RI_OK;
}

static double height_of(const Make *m, const Shaft *s, int ring)
{
    return -m->v[DEPTH] * (1.0 - ring / (s->down - 1.0));
}

static void scatter_scallops(Make *m, Shaft *s)
{
    RiRng rng = make_stream(m, "scallops");
    for (int j = 0; j < s->scallops_down; j++)
        for (int i = 0; i < s->scallops_around; i++) { // rows shifted by half, as bricks, and jittered
            const double y = ri_rng_between(&rng, -0.3, 0.3), x = ri_rng_between(&rng, -0.3, 0.3);
            s->scallops[j * s->scallops_around + i] = ri_vec3(i + 0.5 * (j % 2) + x, j + y, 0.0);
        }
}

/// Depth of the hollow at (u, v), in units of cells: 1 at a centre, falling with the square of the
/// distance to the nearest.
static double hollow_at(const Shaft *s, double u, double v)
{
    double nearest = 4.0;
    const int n = s->scallops_around, row = (int)floor(v), column = (int)floor(u);
    for (int j = row - 1; j <= row + 2; j++)
        for (int i = column - 2; i <= column + 2; i++) {
            if (j < 0 || j >= s->scallops_down)
                continue;
            const int wrapped = ((i % n) + n) % n;
            const RiVec3 c = s->scallops[j * n + wrapped];
            const double du = c.x + (i - wrapped) - u, dv = c.y - v;
            nearest = fmin(nearest, du * du + dv * dv);
        }
    return 1.0 - fmin(nearest / 0.5, 1.0);
}

/// Shifts and scales numbers to mean 0 and the given RMS (not scaled if negative).
static void normalise(double *a, int count, double rms)
{
    double mean = 0.0, square = 0.0;
    for (int k = 0; k < count; k++)
        mean += a[k] / count;
    for (int k = 0; k < count; k++) {
        a[k] -= mean;
        square += a[k] * a[k] / count;
    }
    const double scale = rms < 0.0 ? 1.0 : square > 0.0 ? rms / sqrt(square) : 0.0;
    for (int k = 0; k < count; k++)
        a[k] *= scale;
}

static void fill_radius(Make *m, Shaft *s, double *hollow)
{
    const double radius = m->v[RADIUS];
    const int count = s->around * s->down;
    RiRng rng = make_stream(m, "roughness");
    const MakeNoise noise = make_noise(&rng, m->v[ROUGH_WAVE], fmax(m->v[SCALLOP], 2.0 * m->v[CELL]), 0.8);
    for (int k = 0; k < count; k++) {
        const double angle = 2.0 * MAKE_PI * (k % s->around) / s->around, z = height_of(m, s, k / s->around);
        s->radius[k] = make_noise_at(&noise, ri_vec3(radius * make_cos(angle), radius * make_sin(angle), z));
        hollow[k] = m->v[SCALLOP_DEPTH] * hollow_at(s, s->scallops_around * (double)(k % s->around) / s->around,
                                                    (z + m->v[DEPTH]) / fmax(m->v[SCALLOP], m->v[CELL]) + 0.5);
    }
    normalise(s->radius, count, m->v[ROUGHNESS]);
    normalise(hollow, count, -1.0);
    for (int k = 0; k < count; k++)
        s->radius[k] += radius + hollow[k];
}

/// The axis passes through the origin at the top.
static void fill_axis(Make *m, Shaft *s)
{
    RiRng rng = make_stream(m, "bends");
    for (int c = 0; c < 2; c++) {
        double *a = c ? s->axis_y : s->axis_x;
        for (int k = 0; k < 3; k++) {
            const double phase = ri_rng_between(&rng, 0.0, 2.0 * MAKE_PI), wave = m->v[BEND_WAVE] * (0.8 + 0.3 * k);
            for (int i = 0; i < s->down; i++)
                a[i] += make_sin(2.0 * MAKE_PI * height_of(m, s, i) / wave + phase);
        }
        normalise(a, s->down, m->v[BEND]);
        const double top = a[s->down - 1];
        for (int i = 0; i < s->down; i++)
            a[i] -= top;
    }
}

/// A ring of points: the wall's ring `ring`, drawn in or out by `part` and lifted by `lift`.
static void put_ring(Make *m, const Shaft *s, int ring, double part, double outward, double lift)
{
    for (int j = 0; j < s->around; j++) {
        double sine, cosine;
        ri_sincos(2.0 * MAKE_PI * j / s->around, &sine, &cosine);
        const double r = part * s->radius[ring * s->around + j] + outward;
        m->out->points[m->out->point_count++] =
            ri_vec3(s->axis_x[ring] + r * cosine, s->axis_y[ring] + r * sine, height_of(m, s, ring) + lift);
    }
}

/// Triangles between two rings that begin at points a and b. Seen from the inside of the shaft, b
/// lies above a; on the floor, b lies around a.
static void join_rings(Make *m, int around, int a, int b)
{
    for (int j = 0; j < around; j++) {
        const int next = (j + 1) % around;
        make_triangle(m, a + j, b + j, a + next);
        make_triangle(m, b + j, b + next, a + next);
    }
}

static void put_wall(Make *m, const Shaft *s)
{
    for (int i = 0; i < s->down; i++) {
        put_ring(m, s, i, 1.0, 0.0, 0.0);
        if (i > 0)
            join_rings(m, s->around, (i - 1) * s->around, i * s->around);
    }
}

/// A cap from the wall's ring `ring` inwards; `up` if its free side is above (the floor), and then
/// a dish.
static void put_cap(Make *m, const Shaft *s, int ring, bool up)
{
    int outer = ring * s->around;
    for (int k = s->caps - 1; k > 0; k--) {
        const double part = (double)k / s->caps;
        const int inner = m->out->point_count;
        put_ring(m, s, ring, part, 0.0, up ? -0.2 * m->v[RADIUS] * (1.0 - part * part) : 0.0);
        if (up)
            join_rings(m, s->around, inner, outer);
        else
            join_rings(m, s->around, outer, inner);
        outer = inner;
    }
    const int centre = m->out->point_count++;
    m->out->points[centre] =
        ri_vec3(s->axis_x[ring], s->axis_y[ring], height_of(m, s, ring) - (up ? 0.2 * m->v[RADIUS] : 0.0));
    for (int j = 0; j < s->around; j++) {
        const int next = outer + (j + 1) % s->around;
        make_triangle(m, centre, up ? outer + j : next, up ? next : outer + j);
    }
}

static void put_apron(Make *m, const Shaft *s)
{
    const int rings = (int)fmax(ceil(m->v[APRON] / m->v[CELL] * 0.5), 1.0), top = s->down - 1;
    int inner = top * s->around;
    for (int k = 1; k <= rings; k++) {
        const int outer = m->out->point_count;
        put_ring(m, s, top, 1.0, m->v[APRON] * k / rings, 0.0);
        join_rings(m, s->around, inner, outer);
        inner = outer;
    }
}

static RiStatus run(Make *m)
{
    Shaft s = {0};
    RI_TRY(measure(m, &s));
    double *hollow = ri_arena_alloc(m->scratch, (size_t)s.around * (size_t)s.down, sizeof *hollow);
    if (!hollow)
        return ri_error_memory(m->ctx);
    scatter_scallops(m, &s);
    fill_radius(m, &s, hollow);
    fill_axis(m, &s);
    for (int k = 0; k < s.around * s.down; k++)
        if (!(s.radius[k] > 0.1 * m->v[RADIUS]))
            return make_refuse(m, "roughness and scallops close the shaft in places (radius %.3g m); lower roughness",
                               s.radius[k]);
    const double rings = s.down + 2.0 * s.caps + ceil(m->v[APRON] / m->v[CELL]) + 2.0;
    RI_TRY(make_mesh(m, rings * s.around + 2.0, 2.0 * rings * s.around));
    put_wall(m, &s);
    put_cap(m, &s, 0, true);
    if (m->v[TOP] < 0.5)
        put_cap(m, &s, s.down - 1, false);
    else
        put_apron(m, &s);
    return RI_OK;
}

const MakeKind make_moulin = {.info = {.name = "moulin",
                                       .about = "a shaft in ice with bends, rough walls and scallops",
                                       .sources = "Curl 1974",
                                       .gives = RI_MAKE_MESH,
                                       .params = params,
                                       .param_count = MAKE_COUNT(params)},
                              .run = run};

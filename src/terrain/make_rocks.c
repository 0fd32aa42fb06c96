// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rocks.
///
/// Exponential law of rocks at the Viking sites [golombek1997]: the fraction of the ground under
/// rocks of diameter D and more is
///
///     F(D) = k exp(-q D),   q = 1.79 + 0.152/k,   D in metres
///
/// so that the number of rocks per area and diameter is n(D) = k q exp(-q D) / (pi D^2/4). It is
/// drawn exactly: D^-2 between the ends by inversion, exp(-q D) by rejection. Power law: N(>D) = k
/// D^-b.
///
/// A rock is an ellipsoid with its centre at ground level, turned at random. D is the diameter of
/// the circle with the area of the section at ground level, which for an ellipsoid with half axes
/// a, b, c and ground normal n in its axes is pi a b c / sqrt(a^2 n_x^2 + b^2 n_y^2 + c^2 n_z^2):
/// the rock is scaled to have it exactly, and so covered area follows the law. Test:
/// tests/terrain/test_make_heights.c.
#include <stdlib.h>
#include <string.h>

#include "terrain/make.h"

enum { LAW = MAKE_GRID_PARAMS, COVER, COUNT, EXPONENT, LOW, HIGH, FLATNESS, OVERLAP, AS };

static const RiMakeParam params[] = {
    MAKE_GRID(30.0, 30.0, 0.05),
    {"law", "", 0, 0, 1, "exponential|power", "size distribution: Golombek & Rapp, or N(>D) = count D^-exponent"},
    {"cover", "", 0.07, 1e-4, 0.4, NULL,
     "k, fraction of the ground under rocks: 0.069 at Viking 1, 0.176 at Viking 2 [golombek1997]"},
    {"count", "1/m^2", 0.01, 1e-9, 1e6, NULL, "rocks above 1 m per m^2, of the power law"},
    {"exponent", "", 2.6, 0.1, 8.0, NULL, "b of the power law"},
    {"low", "m", 0.1, 1e-4, 100.0, NULL, "least diameter"},
    {"high", "m", 1.5, 1e-3, 1000.0, NULL, "greatest diameter"},
    {"flatness", "", 0.45, 0.05, 1.0, NULL, "height above ground by diameter: 0.37 to 0.51 [golombek1997]"},
    {"overlap", "", 0.1, 0.0, 1.0, NULL, "by which two rocks may overlap, as part of the sum of their radii"},
    {"as", "", 0, 0, 1, "height|bodies", "part of the heights, or bodies beside them"},
    MAKE_ROUGH(3.0)};

// --- numbers -------------------------------------------------------------------------------------

static double steepness(const MakeStoneLaw *law)
{
    return 1.79 + 0.152 / law->cover;
}

/// Integral of n(D) dD between the ends, by Simpson's rule in ln D.
static double exponential_density(const MakeStoneLaw *law)
{
    enum { PARTS = 2000 };
    const double q = steepness(law), from = make_log(law->low), step = (make_log(law->high) - from) / PARTS;
    double sum = 0.0;
    for (int k = 0; k <= PARTS; k++) {
        const double diameter = make_exp(from + k * step);
        const double weight = k == 0 || k == PARTS ? 1.0 : k % 2 ? 4.0 : 2.0;
        sum += weight * law->cover * q * make_exp(-q * diameter) / (0.25 * MAKE_PI * diameter);
    }
    return sum * step / 3.0;
}

double make_stone_density(const MakeStoneLaw *law)
{
    if (law->exponential)
        return exponential_density(law);
    return law->count * (make_pow(law->low, -law->b) - make_pow(law->high, -law->b));
}

static double draw_size(const MakeStoneLaw *law, RiRng *rng)
{
    if (!law->exponential)
        return make_power_law(rng, law->b, law->low, law->high);
    const double q = steepness(law);
    for (;;) {
        const double inverse = ri_rng_between(rng, 1.0 / law->high, 1.0 / law->low), size = 1.0 / inverse;
        if (ri_rng_uniform(rng) < make_exp(-q * (size - law->low)))
            return size;
    }
}

// --- shape ---------------------------------------------------------------------------------------

/// Uniform among all rotations: a point of the sphere in four dimensions [marsaglia1972].
static RiMat3 any_rotation(RiRng *rng)
{
    RiQuat q;
    make_normal_pair(rng, &q.w, &q.x);
    make_normal_pair(rng, &q.y, &q.z);
    return ri_quat_to_mat3(ri_quat_normalize(q));
}

/// Axes with random ratios, then one common factor for the section and flatness: among random
/// attitudes the one of eight tries whose height is nearest to a drawn one is taken, as rocks come
/// to rest on their broad side.
static void shape_stone(MakeStone *s, RiRng *rng, double flatness)
{
    const double wish = flatness * ri_rng_between(rng, 0.7, 1.3);
    double best = INFINITY;
    const double flat = ri_rng_between(rng, 0.5, 0.9), narrow = ri_rng_between(rng, 0.65, 1.0);
    const RiVec3 h = s->half = ri_vec3(1.0, narrow, flat);
    double scale = 1.0;
    for (int k = 0; k < 8; k++) {
        const RiMat3 R = any_rotation(rng);
        const RiVec3 n = {R.m[2][0], R.m[2][1], R.m[2][2]}; // the vertical in the stone's axes
        const double spread = sqrt(h.x * h.x * n.x * n.x + h.y * h.y * n.y * n.y + h.z * h.z * n.z * n.z);
        const double section = MAKE_PI * h.x * h.y * h.z / spread;
        const double grow = s->size * sqrt(0.25 * MAKE_PI / section);
        const double off = fabs(grow * spread / s->size - wish); // spread is also the height of the top
        if (off < best) {
            best = off;
            s->R = R;
            scale = grow;
        }
    }
    s->half = ri_scale(scale, h);
}

RiGroundPart make_stone_part(const MakeStone *s)
{
    return (RiGroundPart){.shape = RI_GROUND_STONE,
                          .pose = {s->R, s->p},
                          .a = s->half.x,
                          .b = s->half.y,
                          .c = s->half.z,
                          .material = "rock"};
}

/// Raises the field to the stone's upper side. With A = R diag(1/a^2, 1/b^2, 1/c^2) R^T the surface
/// is p^T A p = 1, a quadratic in z.
void make_stone_stamp(MakeField *f, const MakeStone *s)
{
    double A[3][3];
    const double w[3] = {1.0 / (s->half.x * s->half.x), 1.0 / (s->half.y * s->half.y), 1.0 / (s->half.z * s->half.z)};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            A[i][k] = s->R.m[i][0] * w[0] * s->R.m[k][0] + s->R.m[i][1] * w[1] * s->R.m[k][1] +
                      s->R.m[i][2] * w[2] * s->R.m[k][2];
    const double most = fmax(s->half.x, fmax(s->half.y, s->half.z));
    const MakeWindow box = make_window(f, s->p.x, s->p.y, most);
    for (int j = box.j0; j <= box.j1; j++)
        for (int i = box.i0; i <= box.i1; i++) {
            const double x = f->x0 + i * f->cell - s->p.x, y = f->y0 + j * f->cell - s->p.y;
            const double b = (A[0][2] * x + A[1][2] * y) / A[2][2];
            const double c = (A[0][0] * x * x + 2.0 * A[0][1] * x * y + A[1][1] * y * y - 1.0) / A[2][2];
            double *z = &f->z[(size_t)j * (size_t)f->nx + (size_t)i];
            if (b * b >= c)
                *z = fmax(*z, s->p.z - b + sqrt(b * b - c));
        }
}

// --- places --------------------------------------------------------------------------------------

/// Buckets of a square grid with chains: stones near a point are found without looking at all.
typedef struct Buckets {
    int nx, ny;
    double x0, y0, cell;
    int *first, *next; ///< -1: none
} Buckets;

static RiStatus make_buckets(Make *m, const MakeStoneLaw *law, int count, Buckets *out)
{
    const double area = (law->x1 - law->x0) * (law->y1 - law->y0);
    const double cell = fmax(law->high, sqrt(area / (count + 1.0)));
    *out = (Buckets){.nx = (int)((law->x1 - law->x0) / cell) + 1,
                     .ny = (int)((law->y1 - law->y0) / cell) + 1,
                     .x0 = law->x0,
                     .y0 = law->y0,
                     .cell = cell};
    const size_t size = (size_t)out->nx * (size_t)out->ny;
    out->first = ri_arena_alloc(m->scratch, size, sizeof *out->first);
    out->next = ri_arena_alloc(m->scratch, (size_t)count + 1, sizeof *out->next);
    if (!out->first || !out->next)
        return ri_error_memory(m->ctx);
    memset(out->first, -1, size * sizeof *out->first);
    return RI_OK;
}

static bool is_free(const Buckets *b, const MakeStone *stones, const MakeStone *s, double overlap)
{
    const int i = (int)((s->p.x - b->x0) / b->cell), j = (int)((s->p.y - b->y0) / b->cell);
    for (int jj = j > 0 ? j - 1 : 0; jj <= j + 1 && jj < b->ny; jj++)
        for (int ii = i > 0 ? i - 1 : 0; ii <= i + 1 && ii < b->nx; ii++)
            for (int k = b->first[jj * b->nx + ii]; k >= 0; k = b->next[k]) {
                const double dx = stones[k].p.x - s->p.x, dy = stones[k].p.y - s->p.y;
                const double least = (1.0 - overlap) * 0.5 * (stones[k].size + s->size);
                if (dx * dx + dy * dy < least * least)
                    return false;
            }
    return true;
}

static bool place(const MakeStoneLaw *law, RiRng *rng, Buckets *b, MakeStone *stones, int index)
{
    enum { TRIES = 2000 };
    MakeStone *s = &stones[index];
    for (int k = 0; k < TRIES; k++) {
        const double y = ri_rng_between(rng, law->y0, law->y1), x = ri_rng_between(rng, law->x0, law->x1);
        s->p = ri_vec3(x, y, 0.0);
        if (!is_free(b, stones, s, law->overlap))
            continue;
        int *first = &b->first[(int)((s->p.y - b->y0) / b->cell) * b->nx + (int)((s->p.x - b->x0) / b->cell)];
        b->next[index] = *first;
        *first = index;
        return true;
    }
    return false;
}

static int larger_first(const void *a, const void *b)
{
    const double x = ((const MakeStone *)a)->size, y = ((const MakeStone *)b)->size;
    return (x < y) - (x > y);
}

RiStatus make_stones(Make *m, const char *what, const MakeStoneLaw *law, MakeStone **out, int *out_count)
{
    if (!(law->low < law->high))
        return make_refuse(m, "the least rock is %g m, it must be less than the greatest, %g m", law->low, law->high);
    const double mean = make_stone_density(law) * (law->x1 - law->x0) * (law->y1 - law->y0);
    if (!(mean < 0.9 * RI_MAKE_MOST_FEATURES))
        return ri_error(m->ctx, RI_ERR_LIMIT, "%s: %.3g rocks, at most %d; raise the least diameter", m->kind->name,
                        mean, RI_MAKE_MOST_FEATURES);
    RiRng rng = make_stream(m, what);
    Buckets b;
    const int count = make_poisson(&rng, mean, RI_MAKE_MOST_FEATURES);
    MakeStone *s = ri_arena_alloc(m->scratch, (size_t)count + 1, sizeof *s);
    if (!s)
        return ri_error_memory(m->ctx);
    for (int i = 0; i < count; i++)
        s[i].size = draw_size(law, &rng);
    qsort(s, (size_t)count, sizeof *s, larger_first);
    RI_TRY(make_buckets(m, law, count, &b));
    for (int i = 0; i < count; i++) {
        if (!place(law, &rng, &b, s, i))
            return make_refuse(m, "no room for rock %d of %d (%.3g m); lower the cover or allow more overlap", i + 1,
                               count, s[i].size);
        shape_stone(&s[i], &rng, law->flatness);
    }
    *out = s;
    *out_count = count;
    return RI_OK;
}

static RiStatus finish(Make *m, MakeField *f, MakeStone *stones, int count)
{
    const bool bodies = m->v[AS] > 0.5;
    RI_TRY(make_features(m, count));
    if (bodies) {
        m->out->parts = ri_arena_alloc(m->keep, (size_t)count + 1, sizeof *m->out->parts);
        if (!m->out->parts)
            return ri_error_memory(m->ctx);
    }
    for (int i = 0; i < count; i++) // all stand on the ground, none on another
        stones[i].p.z = make_field_at(f, stones[i].p.x, stones[i].p.y);
    for (int i = 0; i < count; i++) {
        make_feature(m, (RiMadeFeature){"rock", stones[i].p, stones[i].size, 0.0});
        if (bodies)
            m->out->parts[m->out->part_count++] = make_stone_part(&stones[i]);
        else
            make_stone_stamp(f, &stones[i]);
    }
    return make_field_finish(m, f);
}

static RiStatus run(Make *m)
{
    const double *v = m->v;
    const MakeStoneLaw law = {.exponential = v[LAW] < 0.5,
                              .cover = v[COVER],
                              .count = v[COUNT],
                              .b = v[EXPONENT],
                              .low = v[LOW],
                              .high = v[HIGH],
                              .flatness = v[FLATNESS],
                              .overlap = v[OVERLAP],
                              .x0 = -0.5 * v[MAKE_SIZE_X],
                              .x1 = 0.5 * v[MAKE_SIZE_X],
                              .y0 = -0.5 * v[MAKE_SIZE_Y],
                              .y1 = 0.5 * v[MAKE_SIZE_Y]};
    MakeField f;
    MakeStone *stones = NULL;
    int count = 0;
    RI_TRY(make_field(m, &f));
    RI_TRY(make_rough_ground(m, &f));
    RI_TRY(make_stones(m, "rocks", &law, &stones, &count));
    return finish(m, &f, stones, count);
}

const MakeKind make_rocks = {.info = {.name = "rocks",
                                      .about = "rocks with an exponential or power-law size distribution",
                                      .sources = "Golombek & Rapp 1997; Marsaglia 1972",
                                      .gives = RI_MAKE_HEIGHTS | RI_MAKE_PARTS,
                                      .params = params,
                                      .param_count = MAKE_COUNT(params)},
                             .run = run};

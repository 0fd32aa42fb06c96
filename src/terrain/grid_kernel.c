// SPDX-License-Identifier: Apache-2.0
/// \file
/// The hot loops of distance grids: lookup of eight points at a time, the closest of many
/// triangles, and which of them come into question.
///
/// Trilinear, in the cell's coordinates (a, b, c) in [0, 1]^3, along x, then y, then z; the
/// gradient is that of the same polynomial. Tricubic: Catmull-Rom weights on 4^3 nodes, so the
/// gradient is continuous.
///
/// One point gives the same bits as eight: the same operations in the same order
/// (tests/terrain/test_grid.c). This file is compiled once per instruction set
/// (cmake/RilleKernels.cmake).
#include "terrain/grid.h"
#include "terrain/simd8.h"

#define CONCAT_(a, b) a##b
#define CONCAT(a, b)  CONCAT_(a, b)
#define TEXT_(x)      #x
#define TEXT(x)       TEXT_(x)
#define LEAST_SQUARE  1e-36 // of a gradient in metres per cell; below, it has no direction

// --- places --------------------------------------------------------------------------------------

/// A coordinate in cells, held within the grid; NaN goes to 0.
RI_INLINE double place(double x, double low, double inverse, int cells)
{
    double u = (x - low) * inverse;
    u = u > 0.0 ? u : 0.0;
    return u < (double)cells ? u : (double)cells;
}

RI_INLINE int cell_of(double u, int cells)
{
    const int i = (int)u;
    return i < cells - 1 ? i : cells - 1;
}

/// Whether the point lies beyond the edge.
RI_INLINE int is_outside(const RiGridView *g, RiVec3 p)
{
    const RiGridHead *h = &g->head;
    const double ux = (p.x - h->low[0]) * g->inverse, uy = (p.y - h->low[1]) * g->inverse;
    const double uz = (p.z - h->low[2]) * g->inverse;
    return !(ux >= 0.0 && ux <= h->cells[0] && uy >= 0.0 && uy <= h->cells[1] && uz >= 0.0 && uz <= h->cells[2]);
}

/// NaN if a point is not a number, else 0.
RI_INLINE double poison(RiVec3 p)
{
    return (p.x + p.y + p.z) * 0.0;
}

RI_INLINE int brick_of(const RiGridView *g, int i, int j, int k)
{
    return ((k >> 3) * g->bricks[1] + (j >> 3)) * g->bricks[0] + (i >> 3);
}

RI_INLINE int in_brick(int i, int j, int k)
{
    return ((k & 7) * RI_BRICK_SIDE + (j & 7)) * RI_BRICK_SIDE + (i & 7);
}

/// Material and flags of a cell; slot: the brick's number.
RI_INLINE void tag_cell(const RiGridView *g, int i, int j, int k, int slot, RiSurface *out)
{
    const RiGridHead *h = &g->head;
    uint32_t tag = 0;
    if (h->kind == RI_GRID_DENSE)
        tag = g->tags[((size_t)k * (size_t)h->cells[1] + (size_t)j) * (size_t)h->cells[0] + (size_t)i];
    else
        tag = g->brick_tag[slot];
    if (tag & RI_MIXED)
        tag = g->tags[(size_t)(tag & ~RI_MIXED) * 512 + (size_t)(((k & 7) * 8 + (j & 7)) * 8 + (i & 7))];
    out->material = (int)(tag & 0xff);
    out->flags |= (int)(tag >> 8);
}

static void far_surface(const RiFar *far, RiSurface *out)
{
    const double x = far->n[0], y = far->n[1], z = far->n[2];
    const double length = sqrt(x * x + y * y + z * z);
    out->distance = (double)far->bound;
    out->normal = length > 0.0 ? ri_vec3(x / length, y / length, z / length) : ri_vec3(0.0, 0.0, 1.0);
    out->material = 0;
    out->flags = RI_SURFACE_FAR | far->flags;
}

/// A gradient as a normal; where there is none, up.
RI_INLINE RiVec3 unit(double x, double y, double z)
{
    const double square = fma(z, z, fma(y, y, x * x));
    const double guess = (double)(1.0f / sqrtf((float)square)),
                 inverse = guess * fma(square * -0.5 * guess, guess, 1.5);
    return square > LEAST_SQUARE ? ri_vec3(x * inverse, y * inverse, z * inverse) : ri_vec3(0.0, 0.0, 1.0);
}

// --- trilinear, one point ------------------------------------------------------------------------

RI_INLINE void blend1(const float *v, int sy, int sz, float a, float b, float c, RiSurface *out)
{
    const float *p = v, *q = v + sz;
    const float d00 = p[1] - p[0], d10 = p[sy + 1] - p[sy], d01 = q[1] - q[0], d11 = q[sy + 1] - q[sy];
    const float c00 = fmaf(a, d00, p[0]), c10 = fmaf(a, d10, p[sy]), c01 = fmaf(a, d01, q[0]),
                c11 = fmaf(a, d11, q[sy]);
    const float e0 = c10 - c00, e1 = c11 - c01;
    const float f0 = fmaf(b, e0, c00), f1 = fmaf(b, e1, c01);
    const float x0 = fmaf(b, d10 - d00, d00), x1 = fmaf(b, d11 - d01, d01);
    const float gz = f1 - f0, gy = fmaf(c, e1 - e0, e0), gx = fmaf(c, x1 - x0, x0);
    out->distance = (double)fmaf(c, gz, f0);
    out->normal = unit((double)gx, (double)gy, (double)gz);
}

static void trilinear1(const RiGridView *g, RiVec3 p, RiSurface *out)
{
    const RiGridHead *h = &g->head;
    const double u = place(p.x, h->low[0], g->inverse, h->cells[0]);
    const double v = place(p.y, h->low[1], g->inverse, h->cells[1]);
    const double w = place(p.z, h->low[2], g->inverse, h->cells[2]);
    const int i = cell_of(u, h->cells[0]), j = cell_of(v, h->cells[1]), k = cell_of(w, h->cells[2]);
    int at = k * g->stride[1] + j * g->stride[0] + i, slot = 0;
    *out = (RiSurface){0};
    if (h->kind == RI_GRID_SPARSE) {
        const int brick = brick_of(g, i, j, k);
        slot = g->table[brick];
        if (slot < 0) {
            far_surface(&g->far[brick], out);
            out->distance += poison(p);
        }
        at = slot * RI_BRICK_STRIDE + in_brick(i, j, k);
    }
    if (slot >= 0) {
        const float a = (float)(u - i) + (float)poison(p);
        blend1(g->values + at, g->stride[0], g->stride[1], a, (float)(v - j), (float)(w - k), out);
        if (g->tags)
            tag_cell(g, i, j, k, slot, out);
    }
    if (h->edge == RI_EDGE_STOP && is_outside(g, p))
        out->flags |= RI_SURFACE_OUTSIDE;
}

// --- trilinear, eight points ---------------------------------------------------------------------

typedef struct Points8 {
    D8 x, y, z;
} Points8;

#if defined(__AVX512F__)
RI_INLINE D8 pick(D8 a, D8 b, D8 c, __m512i first, __m512i second)
{
    return D8_OF(_mm512_permutex2var_pd(_mm512_permutex2var_pd(a.v, first, b.v), second, c.v));
}

RI_INLINE Points8 load_points(const RiVec3 *points)
{
    const double *p = &points->x;
    const D8 a = d8_load(p), b = d8_load(p + 8), c = d8_load(p + 16);
    return (Points8){
        pick(a, b, c, _mm512_setr_epi64(0, 3, 6, 9, 12, 15, 0, 0), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 10, 13)),
        pick(a, b, c, _mm512_setr_epi64(1, 4, 7, 10, 13, 0, 0, 0), _mm512_setr_epi64(0, 1, 2, 3, 4, 8, 11, 14)),
        pick(a, b, c, _mm512_setr_epi64(2, 5, 8, 11, 14, 0, 0, 0), _mm512_setr_epi64(0, 1, 2, 3, 4, 9, 12, 15))};
}
#else
typedef struct Points4 {
    D4 x, y, z;
} Points4;

RI_INLINE Points4 load_points4(const RiVec3 *points)
{
    D4 row[3];
    memcpy(row, points, sizeof row);
    const D4 x = __builtin_shufflevector(row[0], row[1], 0, 3, 6, 6);
    const D4 y = __builtin_shufflevector(row[0], row[1], 1, 4, 7, 7);
    const D4 z = __builtin_shufflevector(row[0], row[1], 2, 5, 5, 5);
    return (Points4){__builtin_shufflevector(x, row[2], 0, 1, 2, 5), __builtin_shufflevector(y, row[2], 0, 1, 2, 6),
                     __builtin_shufflevector(z, row[2], 0, 1, 4, 7)};
}

RI_INLINE Points8 load_points(const RiVec3 *points)
{
    const Points4 a = load_points4(points), b = load_points4(points + 4);
    return (Points8){D8_OF(a.x, b.x), D8_OF(a.y, b.y), D8_OF(a.z, b.z)};
}
#endif

/// Place and cell along one axis.
RI_INLINE F8 place8(D8 x, double low, double inverse, double cells, I8 *out_cell)
{
    D8 u = d8_mul(d8_sub(x, d8_splat(low)), d8_splat(inverse));
    u = d8_min(d8_max(u, d8_splat(0.0)), d8_splat(cells));
    const I8 i = d8_to_i8(d8_min(u, d8_splat(cells - 1.0)));
    *out_cell = i;
    return d8_to_f8(d8_sub(u, i8_to_d8(i)));
}

/// Pairs of neighbours along x at eight places. Loads of pairs take fewer steps than gathers of
/// single values.
RI_INLINE void load_pairs(const float *values, const int32_t at[8], F8 *out_first, F8 *out_second)
{
#if defined(__AVX2__)
#define PAIR(i, k)                                                                                                     \
    _mm_loadh_pi(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)(values + at[i]))),                   \
                 (const __m64 *)(const void *)(values + at[k]))
    const __m256 a = _mm256_set_m128(PAIR(4, 5), PAIR(0, 1)), b = _mm256_set_m128(PAIR(6, 7), PAIR(2, 3));
#undef PAIR
    *out_first = (F8)_mm256_shuffle_ps(a, b, 0x88);
    *out_second = (F8)_mm256_shuffle_ps(a, b, 0xdd);
#else
    for (int i = 0; i < 8; i++) {
        (*out_first)[i] = values[at[i]];
        (*out_second)[i] = values[at[i] + 1];
    }
#endif
}

/// Writes a distance and its normal, which follow each other, and no material or flags.
RI_INLINE void store_row(D4 row, RiSurface *out)
{
    memcpy(&out->distance, &row, sizeof row);
    memset(&out->material, 0, 2 * sizeof(int));
}

_Static_assert(offsetof(RiSurface, normal) == 8 && offsetof(RiSurface, material) == 32 && sizeof(RiSurface) == 40,
               "a row is four doubles");

RI_INLINE void store4(D4 d, D4 x, D4 y, D4 z, RiSurface *out)
{
    const D4 a = __builtin_shufflevector(d, x, 0, 4, 2, 6), b = __builtin_shufflevector(d, x, 1, 5, 3, 7);
    const D4 e = __builtin_shufflevector(y, z, 0, 4, 2, 6), f = __builtin_shufflevector(y, z, 1, 5, 3, 7);
    store_row(__builtin_shufflevector(a, e, 0, 1, 4, 5), out);
    store_row(__builtin_shufflevector(b, f, 0, 1, 4, 5), out + 1);
    store_row(__builtin_shufflevector(a, e, 2, 3, 6, 7), out + 2);
    store_row(__builtin_shufflevector(b, f, 2, 3, 6, 7), out + 3);
}

/// Points on their way: long chains of operations are cut in three, so that those of many points
/// run side by side.
enum { CHUNK = 64 };
typedef struct Chunk {
    int32_t at[CHUNK];                            ///< first node of the cell
    float a[CHUNK], b[CHUNK], c[CHUNK];           ///< place in the cell
    int32_t slot[CHUNK];                          ///< of the brick; sparse
    float d[CHUNK], x[CHUNK], y[CHUNK], z[CHUNK]; ///< distance and its gradient per cell
} Chunk;

RI_INLINE F8 f8_load(const float *p)
{
    F8 a;
    memcpy(&a, p, sizeof a);
    return a;
}

/// From points to cells; returns a negative number if any lies in a brick without values. `g` is
/// the caller's own copy: the compiler then knows that nothing written changes it.
RI_INLINE int find_cells(const RiGridView *g, int sparse, const RiVec3 *points, Chunk *chunk, int m)
{
    const RiGridHead *h = &g->head;
    const Points8 p = load_points(points);
    I8 i, j, k;
    const D8 zero = d8_mul(d8_add(d8_add(p.x, p.y), p.z), d8_splat(0.0));
    const F8 a = place8(p.x, h->low[0], g->inverse, h->cells[0], &i) + d8_to_f8(zero);
    const F8 b = place8(p.y, h->low[1], g->inverse, h->cells[1], &j);
    const F8 c = place8(p.z, h->low[2], g->inverse, h->cells[2], &k);
    memcpy(chunk->a + m, &a, sizeof a);
    memcpy(chunk->b + m, &b, sizeof b);
    memcpy(chunk->c + m, &c, sizeof c);
    int32_t missing = 0;
    I8 nodes = k * g->stride[1] + j * g->stride[0] + i;
    if (sparse) {
        int32_t brick[8];
        const I8 bricks = ((k >> 3) * g->bricks[1] + (j >> 3)) * g->bricks[0] + (i >> 3);
        memcpy(brick, &bricks, sizeof brick);
        for (int lane = 0; lane < 8; lane++) {
            const int32_t slot = g->table[brick[lane]];
            chunk->slot[m + lane] = slot;
            missing |= slot;
        }
        I8 slots;
        memcpy(&slots, chunk->slot + m, sizeof slots);
        nodes =
            (slots & ~(slots >> 31)) * RI_BRICK_STRIDE + ((k & 7) * RI_BRICK_SIDE + (j & 7)) * RI_BRICK_SIDE + (i & 7);
    }
    memcpy(chunk->at + m, &nodes, sizeof nodes);
    return missing;
}

RI_INLINE void f8_store(float *p, F8 a)
{
    memcpy(p, &a, sizeof a);
}

RI_INLINE void blend8(const float *values, int sy, int sz, Chunk *chunk, int m)
{
    const int32_t *at = chunk->at + m;
    const F8 a = f8_load(chunk->a + m), b = f8_load(chunk->b + m), c = f8_load(chunk->c + m);
    F8 p0, p1, p2, p3, q0, q1, q2, q3;
    load_pairs(values, at, &p0, &p1);
    load_pairs(values + sy, at, &p2, &p3);
    load_pairs(values + sz, at, &q0, &q1);
    load_pairs(values + sz + sy, at, &q2, &q3);
    const F8 d00 = p1 - p0, d10 = p3 - p2, d01 = q1 - q0, d11 = q3 - q2;
    const F8 c00 = f8_fma(a, d00, p0), c10 = f8_fma(a, d10, p2), c01 = f8_fma(a, d01, q0), c11 = f8_fma(a, d11, q2);
    const F8 e0 = c10 - c00, e1 = c11 - c01;
    const F8 f0 = f8_fma(b, e0, c00), f1 = f8_fma(b, e1, c01);
    const F8 x0 = f8_fma(b, d10 - d00, d00), x1 = f8_fma(b, d11 - d01, d01);
    const F8 gz = f1 - f0, gy = f8_fma(c, e1 - e0, e0), gx = f8_fma(c, x1 - x0, x0);
    f8_store(chunk->d + m, f8_fma(c, gz, f0));
    f8_store(chunk->x + m, gx);
    f8_store(chunk->y + m, gy);
    f8_store(chunk->z + m, gz);
}

/// Normals, and everything to its place.
RI_INLINE void finish8(const Chunk *chunk, int m, RiSurface *out)
{
    const D8 d = f8_to_d8(f8_load(chunk->d + m)), x = f8_to_d8(f8_load(chunk->x + m));
    const D8 y = f8_to_d8(f8_load(chunk->y + m)), z = f8_to_d8(f8_load(chunk->z + m));
    const D8 square = d8_fma(z, z, d8_fma(y, y, d8_mul(x, x))), least = d8_splat(LEAST_SQUARE);
    const D8 inverse = d8_inverse_root(square), none = d8_splat(0.0);
    const D8 nx = d8_where_less(least, square, d8_mul(x, inverse), none);
    const D8 ny = d8_where_less(least, square, d8_mul(y, inverse), none);
    const D8 nz = d8_where_less(least, square, d8_mul(z, inverse), d8_splat(1.0));
    store4(d8_low(d), d8_low(nx), d8_low(ny), d8_low(nz), out);
    store4(d8_high(d), d8_high(nx), d8_high(ny), d8_high(nz), out + 4);
}

/// Up to CHUNK points, a multiple of 8. Those in bricks without values and the tags are left to the
/// loop for single points.
RI_INLINE void trilinear_chunk(const RiGridView *g, int sparse, int count, const RiVec3 *points, RiSurface *out)
{
    Chunk chunk;
    int32_t missing = 0;
    for (int m = 0; m < count; m += 8)
        missing |= find_cells(g, sparse, points + m, &chunk, m);
    const int sy = sparse ? RI_BRICK_SIDE : g->stride[0], sz = sparse ? RI_BRICK_SIDE * RI_BRICK_SIDE : g->stride[1];
    for (int m = 0; m < count; m += 8)
        blend8(g->values, sy, sz, &chunk, m);
    for (int m = 0; m < count; m += 8)
        finish8(&chunk, m, out + m);
    if (missing < 0 || g->tags)
        for (int m = 0; m < count; m++)
            if (!sparse || chunk.slot[m] < 0 || (g->tags && g->brick_tag[chunk.slot[m]]))
                trilinear1(g, points[m], &out[m]);
}

static void trilinear(const RiGridView *g, int count, const RiVec3 *points, RiSurface *out)
{
    int done = 0;
    if (count >= 8) {
        const RiGridView own = *g;
        while (done + 8 <= count) {
            const int n = count - done >= CHUNK ? CHUNK : (count - done) & ~7;
            if (own.head.kind == RI_GRID_SPARSE)
                trilinear_chunk(&own, 1, n, points + done, out + done);
            else
                trilinear_chunk(&own, 0, n, points + done, out + done);
            done += n;
        }
    }
    if (g->head.edge == RI_EDGE_STOP)
        for (int i = 0; i < done; i++)
            if (is_outside(g, points[i]))
                out[i].flags |= RI_SURFACE_OUTSIDE;
    for (; done < count; done++)
        trilinear1(g, points[done], &out[done]);
}

// --- tricubic ------------------------------------------------------------------------------------

typedef float F4 __attribute__((vector_size(16)));

/// Catmull-Rom weights of four nodes at t in the middle interval, and their slopes [catmull1974].
RI_INLINE void weights(float t, float w[4], float s[4])
{
    const float t2 = t * t, t3 = t2 * t;
    w[0] = 0.5f * (2.0f * t2 - t3 - t);
    w[1] = 0.5f * (3.0f * t3 - 5.0f * t2 + 2.0f);
    w[2] = 0.5f * (4.0f * t2 - 3.0f * t3 + t);
    w[3] = 0.5f * (t3 - t2);
    s[0] = 0.5f * (4.0f * t - 3.0f * t2 - 1.0f);
    s[1] = 0.5f * (9.0f * t2 - 10.0f * t);
    s[2] = 0.5f * (8.0f * t - 9.0f * t2 + 1.0f);
    s[3] = 0.5f * (3.0f * t2 - 2.0f * t);
}

/// Value of a node; where there is none (beyond the grid, in a brick without values) the line
/// through the two nodes before it goes on. `low` and `high` hold the nodes that are certainly
/// there: those of the cell's own brick, or of the whole dense grid.
static float node(const RiGridView *g, int slot, const int low[3], const int high[3], int at[3])
{
    const RiGridHead *h = &g->head;
    int beyond = -1;
    for (int axis = 0; axis < 3 && beyond < 0; axis++)
        if (at[axis] < low[axis] || at[axis] > high[axis])
            beyond = axis;
    if (beyond < 0) {
        const int i = at[0] - low[0], j = at[1] - low[1], k = at[2] - low[2];
        const size_t base = h->kind == RI_GRID_SPARSE ? (size_t)slot * RI_BRICK_STRIDE : 0;
        return g->values[base + (size_t)(k * g->stride[1] + j * g->stride[0] + i)];
    }
    if (h->kind == RI_GRID_SPARSE && at[0] >= 0 && at[1] >= 0 && at[2] >= 0 && at[0] < 8 * g->bricks[0] &&
        at[1] < 8 * g->bricks[1] && at[2] < 8 * g->bricks[2]) {
        const int other = g->table[brick_of(g, at[0], at[1], at[2])];
        if (other >= 0)
            return g->values[(size_t)other * RI_BRICK_STRIDE + (size_t)in_brick(at[0], at[1], at[2])];
    }
    const int edge = at[beyond] < low[beyond] ? low[beyond] : high[beyond], over = at[beyond] - edge, was = at[beyond];
    at[beyond] = edge;
    const float first = node(g, slot, low, high, at);
    at[beyond] = edge - over;
    const float second = node(g, slot, low, high, at);
    at[beyond] = was;
    return 2.0f * first - second;
}

static void collect_nodes(const RiGridView *g, int slot, const int cell[3], float out[64])
{
    int low[3] = {0, 0, 0}, high[3] = {g->head.cells[0], g->head.cells[1], g->head.cells[2]};
    if (g->head.kind == RI_GRID_SPARSE)
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = cell[axis] & ~7;
            high[axis] = low[axis] + RI_BRICK;
        }
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 4; j++)
            for (int i = 0; i < 4; i++) {
                int at[3] = {cell[0] + i - 1, cell[1] + j - 1, cell[2] + k - 1};
                out[16 * k + 4 * j + i] = node(g, slot, low, high, at);
            }
}

RI_INLINE F4 f4_axpy(F4 c, float s, F4 a)
{
#if defined(__FMA__)
    return (F4)_mm_fmadd_ps(_mm_set1_ps(s), (__m128)a, (__m128)c);
#else
    for (int i = 0; i < 4; i++)
        c[i] = fmaf(s, a[i], c[i]);
    return c;
#endif
}

RI_INLINE float f4_dot(F4 a, const float w[4])
{
    return fmaf(a[3], w[3], fmaf(a[2], w[2], fmaf(a[1], w[1], a[0] * w[0])));
}

/// Sums along z and y as rows of four in x, then along x.
static void blend_cubic(const float *v, int sy, int sz, const float t[3], double zero, RiSurface *out)
{
    float wx[4], wy[4], wz[4], sx[4], dy[4], dz[4];
    weights(t[0], wx, sx);
    weights(t[1], wy, dy);
    weights(t[2], wz, dz);
    F4 value = {0}, by_y = {0}, by_z = {0};
    for (int k = 0; k < 4; k++) {
        F4 sum = {0}, slope = {0};
        for (int j = 0; j < 4; j++) {
            F4 row;
            memcpy(&row, v + k * sz + j * sy, sizeof row);
            sum = f4_axpy(sum, wy[j], row);
            slope = f4_axpy(slope, dy[j], row);
        }
        value = f4_axpy(value, wz[k], sum);
        by_y = f4_axpy(by_y, wz[k], slope);
        by_z = f4_axpy(by_z, dz[k], sum);
    }
    out->distance = (double)f4_dot(value, wx) + zero;
    out->normal = unit((double)f4_dot(value, sx), (double)f4_dot(by_y, wx), (double)f4_dot(by_z, wx));
}

static void tricubic1(const RiGridView *g, RiVec3 p, RiSurface *out)
{
    const RiGridHead *h = &g->head;
    const double x[3] = {p.x, p.y, p.z};
    int cell[3], slot = 0, inner = 1;
    float t[3];
    for (int axis = 0; axis < 3; axis++) {
        const double u = place(x[axis], h->low[axis], g->inverse, h->cells[axis]);
        cell[axis] = cell_of(u, h->cells[axis]);
        t[axis] = (float)(u - cell[axis]);
        const int local = h->kind == RI_GRID_SPARSE ? cell[axis] & 7 : cell[axis];
        const int last = h->kind == RI_GRID_SPARSE ? RI_BRICK : h->cells[axis];
        inner &= local >= 1 && local + 2 <= last;
    }
    *out = (RiSurface){0};
    int at = cell[2] * g->stride[1] + cell[1] * g->stride[0] + cell[0];
    if (h->kind == RI_GRID_SPARSE) {
        const int brick = brick_of(g, cell[0], cell[1], cell[2]);
        slot = g->table[brick];
        if (slot < 0) {
            far_surface(&g->far[brick], out);
            out->distance += poison(p);
        }
        at = slot * RI_BRICK_STRIDE + in_brick(cell[0], cell[1], cell[2]);
    }
    if (slot >= 0) {
        float nodes[64];
        if (!inner)
            collect_nodes(g, slot, cell, nodes);
        const int sy = inner ? g->stride[0] : 4, sz = inner ? g->stride[1] : 16;
        blend_cubic(inner ? g->values + at - 1 - sy - sz : nodes, sy, sz, t, poison(p), out);
        if (g->tags)
            tag_cell(g, cell[0], cell[1], cell[2], slot, out);
    }
    if (h->edge == RI_EDGE_STOP && is_outside(g, p))
        out->flags |= RI_SURFACE_OUTSIDE;
}

static void tricubic(const RiGridView *g, int count, const RiVec3 *points, RiSurface *out)
{
    for (int i = 0; i < count; i++)
        tricubic1(g, points[i], &out[i]);
}

// --- closest triangle ----------------------------------------------------------------------------

RI_INLINE D8 dot8(const double n[3], D8 x, D8 y, D8 z)
{
    return d8_fma(d8_splat(n[2]), z, d8_fma(d8_splat(n[1]), y, d8_mul(d8_splat(n[0]), x)));
}

/// Squared distance in the plane from an edge that begins in the origin and goes to (x, y).
RI_INLINE D8 edge8(D8 u, D8 v, D8 x, D8 y, double inverse)
{
    const D8 along = d8_mul(d8_fma(v, y, d8_mul(u, x)), d8_splat(inverse));
    const D8 t = d8_min(d8_max(along, d8_splat(0.0)), d8_splat(1.0));
    const D8 du = d8_fnma(t, x, u), dv = d8_fnma(t, y, v);
    return d8_fma(dv, dv, d8_mul(du, du));
}

/// Squared distance to a triangle: that to its plane, and within the plane nothing over the inside,
/// else that to the nearest of its edges.
RI_INLINE D8 distance8(const RiTriangleForm *f, D8 x, D8 y, D8 z)
{
    const D8 px = d8_sub(x, d8_splat(f->a[0])), py = d8_sub(y, d8_splat(f->a[1])), pz = d8_sub(z, d8_splat(f->a[2]));
    const D8 u = dot8(f->u, px, py, pz), v = dot8(f->v, px, py, pz), w = dot8(f->w, px, py, pz);
    const D8 zero = d8_splat(0.0), length = d8_splat(f->length), cx = d8_splat(f->c[0]), cy = d8_splat(f->c[1]);
    const D8 ex = d8_sub(cx, length), eu = d8_sub(u, length); // from b
    const D8 beyond = d8_sub(u, d8_min(d8_max(u, zero), length));
    const D8 ab = d8_fma(v, v, d8_mul(beyond, beyond));
    const D8 edge = d8_min(d8_min(edge8(eu, v, ex, cy, f->inverse_bc), edge8(u, v, cx, cy, f->inverse_ac)), ab);
    const D8 left_bc = d8_fnma(cy, eu, d8_mul(ex, v)), left_ca = d8_fnma(cx, v, d8_mul(cy, u));
    const D8 inside = d8_min(d8_min(left_bc, left_ca), v);
    return d8_fma(w, w, d8_where_less(inside, zero, edge, zero));
}

static void closest(const RiTriangleForm *forms, int count, const uint32_t *list, int n, const double *x,
                    const double *y, const double *z, int *out)
{
    for (int i = 0; i < n; i += 8) {
        const D8 px = d8_load(x + i), py = d8_load(y + i), pz = d8_load(z + i);
        D8 best = d8_splat(INFINITY), which = d8_splat(0.0);
        for (int t = 0; t < count; t++) {
            const D8 d = distance8(&forms[list[t]], px, py, pz);
            which = d8_where_less(d, best, d8_splat((double)t), which);
            best = d8_min(d, best);
        }
        const I8 place = d8_to_i8(which);
        memcpy(out + i, &place, sizeof place);
    }
}

/// The nearest centre bounds the distance of c from above; no point within `half` is farther than
/// that and half away, and a ball that is farther away than this from all of them is out.
static int sift(const RiBalls *balls, RiVec3 c, double half, double *room, uint32_t *out)
{
    const D8 x = d8_splat(c.x), y = d8_splat(c.y), z = d8_splat(c.z);
    D8 nearest = d8_splat(INFINITY);
    for (int i = 0; i < balls->count; i += 8) {
        const D8 dx = d8_sub(d8_load(balls->x + i), x), dy = d8_sub(d8_load(balls->y + i), y);
        const D8 dz = d8_sub(d8_load(balls->z + i), z);
        const D8 square = d8_fma(dz, dz, d8_fma(dy, dy, d8_mul(dx, dx)));
        d8_store(room + i, square);
        nearest = d8_min(square, nearest);
    }
    double lanes[8], least = INFINITY;
    d8_store(lanes, nearest);
    for (int i = 0; i < 8; i++)
        least = lanes[i] < least ? lanes[i] : least;
    const D8 reach = d8_splat((sqrt(least) + 2.0 * half) * (1.0 + 1e-9));
    for (int i = 0; i < balls->count; i += 8) {
        const D8 sum = d8_add(d8_load(balls->radius + i), reach);
        d8_store(room + i, d8_fnma(sum, sum, d8_load(room + i)));
    }
    int n = 0;
    for (int i = 0; i < balls->count; i++) {
        out[n] = (uint32_t)i;
        n += room[i] <= 0.0;
    }
    return n;
}

const RiGridKernels CONCAT(ri_grid_kernels_, RI_ISA) = {
    .name = TEXT(RI_ISA), .trilinear = trilinear, .tricubic = tricubic, .closest = closest, .sift = sift};

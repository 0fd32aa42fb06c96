// SPDX-License-Identifier: Apache-2.0
/// \file
/// The recursions of tree_kernel.c for several robots at once, one per lane. The equations are
/// there. What is here does the same operations in the same order, lane by lane, so that every
/// robot gets the same bits: products are fused where tree_kernel.c fuses them, and a zero is added
/// where it adds one.
///
/// This file is compiled once per instruction set (cmake/RilleKernels.cmake). Test:
/// tests/dynamics/test_lanes.c.
#include <string.h>

#include "dynamics/lanes.h"
#include "dynamics/simd6.h"
#include "math/sincos.h"

#define CONCAT_(a, b)      a##b
#define CONCAT(a, b)       CONCAT_(a, b)
#define AT(array, size, i) ((VL *)(void *)(array) + (size) * (i))

/// All bits of a lane, or none.
typedef long long Mask __attribute__((vector_size(8 * RI_LANES)));
typedef struct L3 {
    VL x, y, z;
} L3;
/// A motion (angular, linear) or a force (moment, force).
typedef struct L6 {
    L3 a, l;
} L6;
/// A 6x6 matrix by columns.
typedef struct L66 {
    L6 c[6];
} L66;
typedef struct LInertia {
    L3 J[3], mc;
    VL m;
} LInertia;

// --- lanes ---------------------------------------------------------------------------------------

RI_INLINE VL vl_fma(VL a, VL b, VL c)
{
#if defined(__AVX512F__)
    return v8_fma(a, b, c);
#else
    return v4_fma(a, b, c);
#endif
}

RI_INLINE VL vl_choose(Mask m, VL yes, VL no)
{
    return (VL)(((Mask)yes & m) | ((Mask)no & ~m));
}

RI_INLINE L3 l3_load(const VL *p)
{
    return (L3){p[0], p[1], p[2]};
}

RI_INLINE void l3_store(VL *p, L3 a)
{
    p[0] = a.x, p[1] = a.y, p[2] = a.z;
}

/// A number in all lanes.
RI_INLINE VL spread(double x)
{
#if defined(__AVX512F__)
    return (VL){x, x, x, x, x, x, x, x};
#else
    return (VL){x, x, x, x};
#endif
}

RI_INLINE L3 l3_spread(const double *p)
{
    return (L3){spread(p[0]), spread(p[1]), spread(p[2])};
}

RI_INLINE L3 l3_add(L3 a, L3 b)
{
    return (L3){a.x + b.x, a.y + b.y, a.z + b.z};
}

RI_INLINE L3 l3_scale(VL s, L3 a)
{
    return (L3){s * a.x, s * a.y, s * a.z};
}

RI_INLINE L3 l3_fma(VL s, L3 a, L3 b)
{
    return (L3){vl_fma(s, a.x, b.x), vl_fma(s, a.y, b.y), vl_fma(s, a.z, b.z)};
}

/// v4_cross
RI_INLINE L3 l3_cross(L3 a, L3 b)
{
    return (L3){vl_fma(a.y, b.z, -(a.z * b.y)), vl_fma(a.z, b.x, -(a.x * b.z)), vl_fma(a.x, b.y, -(a.y * b.x))};
}

/// v4_combine
RI_INLINE L3 l3_combine(L3 a0, L3 a1, L3 a2, VL s0, VL s1, VL s2)
{
    return l3_fma(s2, a2, l3_fma(s1, a1, l3_scale(s0, a0)));
}

/// The same with the components of a three.
RI_INLINE L3 l3_turn(L3 a0, L3 a1, L3 a2, L3 s)
{
    return l3_combine(a0, a1, a2, s.x, s.y, s.z);
}

RI_INLINE L6 l6_load(const double *array, int i)
{
    const VL *p = (const VL *)(const void *)array + 6 * i;
    return (L6){l3_load(p), l3_load(p + 3)};
}

RI_INLINE void l6_store(double *array, int i, L6 x)
{
    VL *p = AT(array, 6, i);
    l3_store(p, x.a);
    l3_store(p + 3, x.l);
}

RI_INLINE L6 l6_zero(void)
{
    L6 x;
    memset(&x, 0, sizeof x);
    return x;
}

RI_INLINE L6 l6_add(L6 a, L6 b)
{
    return (L6){l3_add(a.a, b.a), l3_add(a.l, b.l)};
}

RI_INLINE L6 l6_sub(L6 a, L6 b)
{
    return (L6){{a.a.x - b.a.x, a.a.y - b.a.y, a.a.z - b.a.z}, {a.l.x - b.l.x, a.l.y - b.l.y, a.l.z - b.l.z}};
}

RI_INLINE L6 l6_scale(VL s, L6 a)
{
    return (L6){l3_scale(s, a.a), l3_scale(s, a.l)};
}

/// a + s b, fused
RI_INLINE L6 l6_axpy(L6 a, VL s, L6 b)
{
    return (L6){l3_fma(s, b.a, a.a), l3_fma(s, b.l, a.l)};
}

/// v6_dot
RI_INLINE VL l6_dot(L6 a, L6 b)
{
    const VL x = vl_fma(a.l.x, b.l.x, a.a.x * b.a.x), y = vl_fma(a.l.y, b.l.y, a.a.y * b.a.y);
    const VL z = vl_fma(a.l.z, b.l.z, a.a.z * b.a.z);
    return (x + z) + y;
}

/// v6_crm
RI_INLINE L6 l6_crm(L6 v, L6 m)
{
    return (L6){l3_cross(v.a, m.a), l3_add(l3_cross(v.a, m.l), l3_cross(v.l, m.a))};
}

/// v6_crf
RI_INLINE L6 l6_crf(L6 v, L6 f)
{
    return (L6){l3_add(l3_cross(v.a, f.a), l3_cross(v.l, f.l)), l3_cross(v.a, f.l)};
}

/// Component k of a six-vector.
RI_INLINE VL l6_at(const L6 *x, int k)
{
    return ((const VL *)x)[k];
}

/// v66_rank1
RI_INLINE void l66_rank1(L66 *A, L6 x, VL s)
{
    const L6 y = l6_scale(-s, x);
    for (int k = 0; k < 6; k++)
        A->c[k] = l6_axpy(A->c[k], l6_at(&x, k), y);
}

// --- between lanes and robots --------------------------------------------------------------------

/// One number of every robot.
#if defined(__AVX512F__)
#define GATHER(expression)                                                                                             \
    (VL)                                                                                                               \
    {                                                                                                                  \
        LANE_(0, expression), LANE_(1, expression), LANE_(2, expression), LANE_(3, expression), LANE_(4, expression),  \
            LANE_(5, expression), LANE_(6, expression), LANE_(7, expression)                                           \
    }
#else
#define GATHER(expression)                                                                                             \
    (VL)                                                                                                               \
    {                                                                                                                  \
        LANE_(0, expression), LANE_(1, expression), LANE_(2, expression), LANE_(3, expression)                         \
    }
#endif
#define LANE_(l, expression) (w->d[l]->expression)

/// Rows of a 4x4 matrix become its columns.
RI_INLINE void transpose(V4 x[4])
{
    const V4 a = __builtin_shufflevector(x[0], x[1], 0, 4, 2, 6), b = __builtin_shufflevector(x[0], x[1], 1, 5, 3, 7);
    const V4 c = __builtin_shufflevector(x[2], x[3], 0, 4, 2, 6), d = __builtin_shufflevector(x[2], x[3], 1, 5, 3, 7);
    x[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    x[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    x[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    x[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

/// Lanes 4 h to 4 h + 3.
RI_INLINE V4 quarter(VL x, int h)
{
#if defined(__AVX512F__)
    return h ? __builtin_shufflevector(x, x, 4, 5, 6, 7) : __builtin_shufflevector(x, x, 0, 1, 2, 3);
#else
    (void)h;
    return x;
#endif
}

/// Four numbers of every lane, to four places in a row of the robots in `mask`.
#define SCATTER(mask, x0, x1, x2, x3, place)                                                                           \
    do                                                                                                                 \
        for (int h_ = 0; h_ < RI_LANES / 4; h_++) {                                                                    \
            V4 x_[4] = {quarter(x0, h_), quarter(x1, h_), quarter(x2, h_), quarter(x3, h_)};                           \
            transpose(x_);                                                                                             \
            for (int l_ = 0; l_ < 4; l_++)                                                                             \
                if ((mask) >> (4 * h_ + l_) & 1)                                                                       \
                    v4_store(w->d[4 * h_ + l_]->place, x_[l_]);                                                        \
        }                                                                                                              \
    while (0)

/// A six-vector of every lane to the robots.
#define SCATTER6(mask, six, array, i)                                                                                  \
    do {                                                                                                               \
        const L6 six_ = (six);                                                                                         \
        SCATTER(mask, six_.a.x, six_.a.y, six_.a.z, (VL){0}, array + 8 * (i));                                         \
        SCATTER(mask, six_.l.x, six_.l.y, six_.l.z, (VL){0}, array + 8 * (i) + 4);                                     \
    } while (0)

/// Six padded numbers of the robots, one from each place; NULL: zeros.
RI_INLINE L6 collect6(const double *const *from)
{
    static const double nothing[8] __attribute__((aligned(64))) = {0.0};
    L6 out;
    VL *to = (VL *)&out;
    for (int half = 0; half < 2; half++) {
        V4 x[RI_LANES];
        for (int l = 0; l < RI_LANES; l++)
            x[l] = v4_load((from[l] ? from[l] : nothing) + 4 * half);
        transpose(x);
#if defined(__AVX512F__)
        transpose(x + 4);
#endif
        for (int r = 0; r < 3; r++)
#if defined(__AVX512F__)
            to[3 * half + r] = __builtin_shufflevector(x[r], x[4 + r], 0, 1, 2, 3, 4, 5, 6, 7);
#else
            to[3 * half + r] = x[r];
#endif
    }
    return out;
}

// --- position ------------------------------------------------------------------------------------

/// Sines and cosines of all one-axis revolute joints.
static void sincos_all(RiLanes *w)
{
    const int n = w->d[0]->m->nrev;
    const int *at = w->d[0]->m->rev_sq;
    for (int i = 0; i < n; i++) {
        const VL x = GATHER(jq[at[i]]);
        VL s, c;
        bool plain = true;
        for (int l = 0; l < RI_LANES; l++)
            plain &= fabs(x[l]) <= RI_SINCOS_LIMIT;
        if (plain) {
            const VL shifted = x * RI_TWO_OVER_PI + RI_ROUND_MAGIC, k = shifted - RI_ROUND_MAGIC;
            const VL r = (x - k * RI_PI_HALF_HIGH) - k * RI_PI_HALF_LOW;
            VL sine, cosine;
            RI_SINCOS_POLYNOMIALS(r, sine, cosine);
            const Mask quadrant = (Mask)shifted, odd = -(quadrant & 1); // low bits of the magic sum: the integer
            const Mask s_sign = (quadrant & 2) << 62, c_sign = ((quadrant + 1) & 2) << 62;
            s = (VL)((Mask)vl_choose(odd, cosine, sine) ^ s_sign);
            c = (VL)((Mask)vl_choose(odd, sine, cosine) ^ c_sign);
        } else {
            for (int l = 0; l < RI_LANES; l++) {
                double sine, cosine;
                ri_sincos(x[l], &sine, &cosine);
                s[l] = sine, c[l] = cosine;
            }
        }
        *AT(w->sn, 1, i) = s;
        *AT(w->cs, 1, i) = c;
    }
}

/// What does not change of a body: of robots of one model a number in all lanes, which needs an
/// eighth of the cache.
typedef struct Body {
    L3 R[3], p;   // in its parent
    L3 J[3], com; // inertia by columns, centre of mass
    VL m;
} Body;

RI_INLINE Body body_of(const RiLanes *w, int i, bool same)
{
    const RiHot *hot = &w->d[0]->hot[i - 1];
    const VL *t = AT(w->tree, 12, i - 1), *b = AT(w->body, 13, i - 1);
    if (same)
        return (Body){{l3_spread(hot->tree_R), l3_spread(hot->tree_R + 4), l3_spread(hot->tree_R + 8)},
                      l3_spread(hot->tree_p),
                      {l3_spread(hot->J), l3_spread(hot->J + 4), l3_spread(hot->J + 8)},
                      l3_spread(hot->com),
                      spread(hot->com[3])};
    return (Body){{l3_load(t), l3_load(t + 3), l3_load(t + 6)},
                  l3_load(t + 9),
                  {l3_load(b), l3_load(b + 3), l3_load(b + 6)},
                  l3_load(b + 9),
                  b[12]};
}

/// place_inertia
RI_INLINE void place_inertia(RiLanes *w, int i, const Body *b, L3 x, L3 y, L3 z, L3 p, unsigned mask)
{
    const VL m = b->m, zero = {0};
    VL *out = AT(w->rigid, 13, i);
    const L3 a0 = l3_turn(x, y, z, b->J[0]), a1 = l3_turn(x, y, z, b->J[1]), a2 = l3_turn(x, y, z, b->J[2]);
    const L3 c = l3_add(p, l3_turn(x, y, z, b->com)), mc = l3_scale(m, c);
    const VL mcc = (mc.x * c.x + mc.z * c.z) + mc.y * c.y;
    L3 col = l3_combine(a0, a1, a2, x.x, y.x, z.x);
    l3_store(out, (L3){(col.x + mcc) - mc.x * c.x, (col.y + zero) - mc.x * c.y, (col.z + zero) - mc.x * c.z});
    col = l3_combine(a0, a1, a2, x.y, y.y, z.y);
    l3_store(out + 3, (L3){(col.x + zero) - mc.y * c.x, (col.y + mcc) - mc.y * c.y, (col.z + zero) - mc.y * c.z});
    col = l3_combine(a0, a1, a2, x.z, y.z, z.z);
    l3_store(out + 6, (L3){(col.x + zero) - mc.z * c.x, (col.y + zero) - mc.z * c.y, (col.z + mcc) - mc.z * c.z});
    l3_store(out + 9, mc);
    out[12] = m;
    SCATTER(mask, mc.x + zero, mc.y + zero, mc.z + zero, m, moment + 4 * i);
}

RI_INLINE void place_body(RiLanes *w, int i, double *S, int at, bool same, unsigned mask)
{
    const RiHot *hot = &w->d[0]->hot[i - 1];
    const Body b = body_of(w, i, same);
    const VL *P = AT(w->pose, 12, hot->parent);
    const L3 px = l3_load(P), py = l3_load(P + 3), pz = l3_load(P + 6);
    L3 x = l3_turn(px, py, pz, b.R[0]), y = l3_turn(px, py, pz, b.R[1]);
    const L3 z = l3_turn(px, py, pz, b.R[2]);
    L3 p = l3_add(l3_load(P + 9), l3_turn(px, py, pz, b.p));
    if (hot->rev >= 0) {
        const VL s = *AT(w->sn, 1, hot->rev), c = *AT(w->cs, 1, hot->rev);
        const L3 turned = l3_add(l3_scale(c, x), l3_scale(s, y));
        const L3 cy = l3_scale(c, y), sx = l3_scale(s, x);
        y = (L3){cy.x - sx.x, cy.y - sx.y, cy.z - sx.z};
        x = turned;
        l6_store(S, at, (L6){z, l3_cross(p, z)});
    } else {
        p = l3_add(p, l3_scale(GATHER(jq[hot->sq]), z));
        l6_store(S, at, (L6){l6_zero().a, z});
    }
    VL *out = AT(w->pose, 12, i);
    l3_store(out, x);
    l3_store(out + 3, y);
    l3_store(out + 6, z);
    l3_store(out + 9, p);
    const VL zero = {0};
    SCATTER(mask, x.x, x.y, x.z, zero, pose + 16 * i);
    SCATTER(mask, y.x, y.y, y.z, zero, pose + 16 * i + 4);
    SCATTER(mask, z.x, z.y, z.z, zero, pose + 16 * i + 8);
    SCATTER(mask, p.x, p.y, p.z, zero, pose + 16 * i + 12);
    place_inertia(w, i, &b, x, y, z, p, mask);
}

/// The floating base: placed robot by robot, as alone, then taken into the lanes.
static void place_root(RiLanes *w, unsigned mask)
{
    const RiNode *n = &w->d[0]->node[0];
    for (int l = 0; l < RI_LANES; l++)
        w->d[l]->k.place_root(w->d[l]);
    VL *P = AT(w->pose, 12, n->body);
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 3; r++)
            P[3 * c + r] = GATHER(pose[16 * n->body + 4 * c + r]);
    for (int k = 0; k < n->nv; k++)
        for (int r = 0; r < 6; r++)
            AT(w->col, 6, n->col + k)[r] = GATHER(col[8 * (n->col + k) + r + r / 3]);
    const Body b = body_of(w, n->body, false);
    place_inertia(w, n->body, &b, l3_load(P), l3_load(P + 3), l3_load(P + 6), l3_load(P + 9), mask);
}

static void combine_columns(RiLanes *w, const RiNode *n)
{
    const VL *G = AT(w->G, 1, n->map);
    for (int b = 0; b < n->nbody; b++) {
        const RiHot *hot = &w->d[0]->hot[n->body + b - 1];
        const int up = hot->parent - n->body;
        for (int k = 0; k < n->nv; k++) {
            const L6 x = up >= 0 ? l6_load(w->col, n->col + up * n->nv + k) : l6_zero();
            l6_store(w->col, n->col + b * n->nv + k,
                     l6_axpy(x, G[(hot->s - n->s) * n->nv + k], l6_load(w->scol, hot->s)));
        }
    }
}

// --- velocity ------------------------------------------------------------------------------------

RI_INLINE LInertia rigid_body(const RiLanes *w, int i)
{
    const VL *p = AT(w->rigid, 13, i), zero = {0};
    return (LInertia){{l3_load(p), l3_load(p + 3), l3_load(p + 6)}, {p[9] + zero, p[10] + zero, p[11] + zero}, p[12]};
}

RI_INLINE L6 l6_momentum(const LInertia *I, L6 x)
{
    return (L6){l3_add(l3_combine(I->J[0], I->J[1], I->J[2], x.a.x, x.a.y, x.a.z), l3_cross(I->mc, x.l)),
                l3_add(l3_scale(I->m, x.l), l3_cross(x.a, I->mc))};
}

RI_INLINE void put_velocity(RiLanes *w, int i, L6 v, L6 bias, unsigned mask)
{
    const LInertia I = rigid_body(w, i);
    l6_store(w->vel, i, v);
    l6_store(w->bias, i, bias);
    l6_store(w->gyro, i, l6_crf(v, l6_momentum(&I, v)));
    SCATTER6(mask, v, vel, i);
}

static void move_root(RiLanes *w, const RiNode *n, unsigned mask)
{
    const int in_parent = ri_joint_columns_in_parent(RI_JOINT_FREE);
    const L6 vp = l6_zero();
    L6 first = l6_zero(), second = l6_zero();
    for (int k = 0; k < n->ns; k++) {
        const VL s = GATHER(js[n->s + k]);
        const L6 S = l6_load(w->col, n->col + k);
        if (k < in_parent)
            first = l6_axpy(first, s, S);
        else
            second = l6_axpy(second, s, S);
    }
    const L6 v = l6_add(l6_add(vp, first), second);
    put_velocity(w, n->body, v, l6_add(l6_crm(vp, first), l6_crm(v, second)), mask);
}

RI_INLINE void move_body(RiLanes *w, int i, L6 S, L6 vp, const L6 *base_bias, unsigned mask)
{
    const RiHot *hot = &w->d[0]->hot[i - 1];
    const L6 sv = l6_scale(GATHER(js[hot->s]), S), v = l6_add(vp, sv);
    L6 bias = l6_crm(v, sv);
    if (base_bias)
        bias = l6_add(l6_axpy(bias, GATHER(jg[hot->s]), S), *base_bias);
    put_velocity(w, i, v, bias, mask);
}

/// All bodies but the root.
RI_INLINE void place_bodies(RiLanes *w, bool same, unsigned mask)
{
    const RiDyn *d = w->d[0];
    for (int c = 1; c < d->m->nc; c++) {
        const RiNode *n = &d->node[c];
        if (n->map < 0) {
            place_body(w, n->body, w->col, n->col, same, mask);
            move_body(w, n->body, l6_load(w->col, n->col), l6_load(w->vel, n->parent), NULL, mask);
            continue;
        }
        for (int b = 0; b < n->nbody; b++) {
            const RiHot *hot = &d->hot[n->body + b - 1];
            place_body(w, n->body + b, w->scol, hot->s, same, mask);
            const bool inside = hot->parent >= n->body;
            const L6 vp = l6_load(w->vel, inside ? hot->parent : n->parent);
            const L6 up = inside ? l6_load(w->bias, hot->parent) : l6_zero();
            move_body(w, n->body + b, l6_load(w->scol, hot->s), vp, &up, mask);
        }
        combine_columns(w, n);
    }
}

static void place(RiLanes *w, unsigned mask)
{
    sincos_all(w);
    place_root(w, mask);
    move_root(w, &w->d[0]->node[0], mask);
    if (w->same)
        place_bodies(w, true, mask);
    else
        place_bodies(w, false, mask);
}

// --- articulated bodies --------------------------------------------------------------------------

/// What implicit steps add to the inertia of body i, for the robots that have it.
static void add_extra(const RiLanes *w, int i, L66 *A)
{
    const double *from[RI_LANES];
    Mask on;
    for (int l = 0; l < RI_LANES; l++)
        on[l] = w->d[l]->has_extra && w->d[l]->extra_on[i] ? -1 : 0;
    for (int k = 0; k < 6; k++) {
        for (int l = 0; l < RI_LANES; l++)
            from[l] = on[l] ? w->d[l]->extra + 48 * i + 8 * k : NULL;
        const L6 X = collect6(from), sum = l6_add(A->c[k], X);
        VL *to = (VL *)&A->c[k];
        for (int r = 0; r < 6; r++)
            to[r] = vl_choose(on, l6_at(&sum, r), to[r]);
    }
}

/// Where the articulated inertia of a body comes from: its own, with its children's, or a matrix
/// that was added up before.
typedef enum Kind { OWN, BRANCHED, WHOLE } Kind;
typedef struct Source {
    const VL *own, *from; // rigid inertia; the children's, or the whole
    Kind kind;
} Source;

/// Entry (r, k) of a rigid inertia by its rotational part, m c and m.
RI_INLINE VL rigid_entry(const VL *p, int r, int k)
{
    static const signed char cross[3][3] = {{0, -3, 2}, {3, 0, -1}, {-2, 1, 0}}; // [mc]x by rows: sign and entry + 1
    const VL zero = {0};
    if (r < 3 && k < 3)
        return p[3 * k + r];
    if (r >= 3 && k >= 3)
        return r == k ? p[12] : zero;
    const int e = r < 3 ? cross[r][k - 3] : cross[k][r - 3];
    return e == 0 ? zero : e > 0 ? p[8 + e] : -p[8 - e];
}

RI_INLINE VL entry(const Source *x, Kind kind, int r, int k)
{
    if (kind == WHOLE)
        return x->from[6 * k + r];
    const VL own = rigid_entry(x->own, r, k);
    return kind == OWN ? own : own + x->from[6 * k + r];
}

/// Own inertia, that of the children, and what is added; `whole` has room for a matrix.
RI_INLINE Source find_source(const RiLanes *w, int i, const bool *extra, L66 *whole)
{
    Source x = {AT(w->rigid, 13, i), AT(w->IA, 36, w->sum_at[i]), w->d[0]->hot[i - 1].branched ? BRANCHED : OWN};
    if (__builtin_expect(extra[i], 0)) {
        for (int k = 0; k < 6; k++)
            for (int r = 0; r < 6; r++)
                ((VL *)whole)[6 * k + r] = entry(&x, x.kind, r, k);
        add_extra(w, i, whole);
        x = (Source){x.own, (const VL *)whole, WHOLE};
    }
    return x;
}

/// Products with up to three vectors, column by column.
RI_INLINE void multiply_by(const Source *x, Kind kind, int count, const L6 *const *v, L6 *out)
{
    VL half[3][6];
#pragma GCC unroll 2
    for (int h = 0; h < 2; h++) {
        VL sum[3][6];
#pragma GCC unroll 3
        for (int k = 3 * h; k < 3 * h + 3; k++)
#pragma GCC unroll 6
            for (int r = 0; r < 6; r++) {
                const VL e = entry(x, kind, r, k);
#pragma GCC unroll 3
                for (int c = 0; c < count; c++) {
                    const VL s = l6_at(v[c], k);
                    sum[c][r] = k == 3 * h ? s * e : vl_fma(s, e, sum[c][r]);
                }
            }
#pragma GCC unroll 3
        for (int c = 0; c < count; c++)
#pragma GCC unroll 6
            for (int r = 0; r < 6; r++) {
                if (h == 0)
                    half[c][r] = sum[c][r];
                else
                    ((VL *)&out[c])[r] = half[c][r] + sum[c][r];
            }
    }
}

RI_INLINE void multiply_all(const Source *x, int count, const L6 *const *v, L6 *out)
{
    switch (x->kind) {
    case OWN:
        multiply_by(x, OWN, count, v, out);
        break;
    case BRANCHED:
        multiply_by(x, BRANCHED, count, v, out);
        break;
    case WHOLE:
        multiply_by(x, WHOLE, count, v, out);
        break;
    }
}

static void multiply_1(const Source *x, const L6 *const *v, L6 *out)
{
    multiply_all(x, 1, v, out);
}

static void multiply_2(const Source *x, const L6 *const *v, L6 *out)
{
    multiply_all(x, 2, v, out);
}

static void multiply_3(const Source *x, const L6 *const *v, L6 *out)
{
    multiply_all(x, 3, v, out);
}

/// A matrix in memory.
RI_INLINE void copy_source(const Source *x, Kind kind, VL *to)
{
#pragma GCC unroll 6
    for (int k = 0; k < 6; k++)
#pragma GCC unroll 6
        for (int r = 0; r < 6; r++)
            to[6 * k + r] = entry(x, kind, r, k);
}

RI_INLINE void sum_source(const Source *x, Kind kind, VL *to)
{
#pragma GCC unroll 6
    for (int k = 0; k < 6; k++)
#pragma GCC unroll 6
        for (int r = 0; r < 6; r++)
            to[6 * k + r] += entry(x, kind, r, k);
}

static void add_source(const Source *x, bool first, VL *to)
{
    switch (x->kind) {
    case OWN:
        if (first)
            copy_source(x, OWN, to);
        else
            sum_source(x, OWN, to);
        break;
    case BRANCHED:
        if (first)
            copy_source(x, BRANCHED, to);
        else
            sum_source(x, BRANCHED, to);
        break;
    case WHOLE:
        if (first)
            copy_source(x, WHOLE, to);
        else
            sum_source(x, WHOLE, to);
        break;
    }
}

/// A - U U^T / D straight into the parent's sum.
RI_INLINE void hand_rank1(const Source *x, Kind kind, const L6 *U, VL dinv, bool first, VL *IA)
{
    const L6 y = l6_scale(-dinv, *U);
#pragma GCC unroll 6
    for (int k = 0; k < 6; k++)
#pragma GCC unroll 6
        for (int r = 0; r < 6; r++) {
            const VL e = vl_fma(l6_at(U, k), l6_at(&y, r), entry(x, kind, r, k));
            IA[6 * k + r] = first ? e : e + IA[6 * k + r];
        }
}

static void hand_one(RiLanes *w, const RiNode *n, const Source *x, const L6 *U, VL dinv)
{
    VL *IA = AT(w->IA, 36, w->sum_at[n->parent]);
    switch (x->kind) {
    case OWN:
        hand_rank1(x, OWN, U, dinv, n->first, IA);
        break;
    case BRANCHED:
        hand_rank1(x, BRANCHED, U, dinv, n->first, IA);
        break;
    case WHOLE:
        hand_rank1(x, WHOLE, U, dinv, n->first, IA);
        break;
    }
}

RI_INLINE L6 gather_force(const RiLanes *w, int i, const bool *pushed)
{
    L6 p = l6_load(w->gyro, i);
    if (__builtin_expect(pushed[i], 0)) {
        const double *from[RI_LANES];
        for (int l = 0; l < RI_LANES; l++)
            from[l] = w->d[l]->has_wrenches ? w->d[l]->wrench + 8 * i : NULL;
        p = l6_sub(p, collect6(from));
    }
    return w->d[0]->hot[i - 1].branched ? l6_add(p, l6_load(w->pA, i)) : p;
}

RI_INLINE void hand_force(RiLanes *w, const RiNode *n, L6 p)
{
    l6_store(w->pA, n->parent, n->first ? p : l6_add(p, l6_load(w->pA, n->parent)));
}

/// Lanes in which D is positive.
RI_INLINE unsigned positive(VL D)
{
    unsigned good = 0;
    for (int l = 0; l < RI_LANES; l++)
        good |= (unsigned)(D[l] > 0.0) << l;
    return good;
}

/// Which bodies something is added to, and which are pushed, in any lane.
typedef struct Loads {
    const bool *extra, *pushed;
} Loads;

static unsigned reduce_one(RiLanes *w, const RiNode *n, const Loads *on)
{
    const int i = n->body;
    L66 whole;
    const Source A = find_source(w, i, on->extra, &whole);
    const L6 S = l6_load(w->col, n->col), c = l6_load(w->bias, i);
    const L6 *const v[2] = {&S, &c};
    L6 x[2]; // U and A c
    multiply_2(&A, v, x);
    const VL D = l6_dot(S, x[0]) + *AT(w->arm, 1, n->s), dinv = 1.0 / D;
    l6_store(w->Z, n->v, x[0]);
    *AT(w->fac, 1, n->fac) = dinv;
    const L6 t = l6_add(gather_force(w, i, on->pushed), x[1]);
    const VL u = *AT(w->load, 1, n->v) - l6_dot(S, t);
    *AT(w->u, 1, n->v) = u;
    hand_one(w, n, &A, &x[0], dinv);
    hand_force(w, n, l6_axpy(t, u * dinv, x[0]));
    return positive(D);
}

static void add_armature(RiLanes *w, const RiNode *n)
{
    const int nv = n->nv;
    VL *D = AT(w->fac, 1, n->fac), *u = AT(w->u, 1, n->v);
    for (int j = 0; j < n->ns; j++) {
        const VL arm = *AT(w->arm, 1, n->s + j), zero = {0}, jg = zero; // constant maps
        const Mask on = arm != zero;
        if (n->map < 0) {
            D[j * nv + j] = vl_choose(on, D[j * nv + j] + arm, D[j * nv + j]);
            continue;
        }
        const VL *G = AT(w->G, 1, n->map + j * nv);
        for (int k = 0; k < nv; k++) {
            u[k] = vl_choose(on, u[k] - G[k] * arm * jg, u[k]);
            for (int l = 0; l <= k; l++)
                D[k * nv + l] = vl_choose(on, D[k * nv + l] + G[k] * arm * G[l], D[k * nv + l]);
        }
    }
}

/// ri_ldl_factor
static unsigned factor(int n, VL *A)
{
    unsigned good = ~0u;
    VL largest = {0};
    for (int i = 0; i < n; i++)
        largest = vl_choose(A[i * n + i] > largest, A[i * n + i], largest);
    for (int k = 0; k < n; k++) {
        const VL least = 0.0 * largest;
        for (int l = 0; l < RI_LANES; l++)
            good &= ~((unsigned)!(A[k * n + k][l] > least[l]) << l);
        const VL inv = A[k * n + k] = 1.0 / A[k * n + k];
        for (int i = k + 1; i < n; i++) {
            const VL f = A[i * n + k] * inv;
            for (int j = k + 1; j <= i; j++)
                A[i * n + j] -= f * A[j * n + k];
        }
        for (int i = k + 1; i < n; i++)
            A[i * n + k] *= inv;
    }
    return good;
}

/// Products of a body of a cluster: A c, and A with every column.
static void multiply_body(const RiLanes *w, const Source *A, int nv, int phi, const L6 *c, L6 *out)
{
    const L6 *const first = (const L6 *)(const void *)AT(w->col, 6, phi);
    if (nv == 2) {
        const L6 *const v[3] = {c, first, first + 1};
        multiply_3(A, v, out);
        return;
    }
    multiply_1(A, &c, out);
    for (int k = 0; k < nv; k++) {
        const L6 *const S = first + k;
        multiply_1(A, &S, out + 1 + k);
    }
}

static void sum_cluster(RiLanes *w, const RiNode *n, const Loads *on, L66 *total, L6 *total_t)
{
    const int nv = n->nv;
    VL *D = AT(w->fac, 1, n->fac), *u = AT(w->u, 1, n->v);
    L6 sum = l6_zero(), x[RI_CLUSTER_COLUMNS + 1];
    for (int k = 0; k < nv * nv; k++)
        D[k] = (VL){0};
    for (int k = 0; k < nv; k++) {
        l6_store(w->Z, n->v + k, l6_zero());
        u[k] = *AT(w->load, 1, n->v + k);
    }
    for (int b = 0; b < n->nbody; b++) {
        L66 whole;
        const Source A = find_source(w, n->body + b, on->extra, &whole);
        const int phi = n->col + b * nv;
        const L6 c = l6_load(w->bias, n->body + b);
        multiply_body(w, &A, nv, phi, &c, x);
        const L6 t = l6_add(gather_force(w, n->body + b, on->pushed), x[0]);
        sum = l6_add(sum, t);
        for (int k = 0; k < nv; k++) {
            const L6 U = x[1 + k];
            l6_store(w->Z, n->v + k, l6_add(l6_load(w->Z, n->v + k), U));
            u[k] -= l6_dot(l6_load(w->col, phi + k), t);
            for (int l = 0; l <= k; l++)
                D[k * nv + l] += l6_dot(l6_load(w->col, phi + l), U);
        }
        add_source(&A, b == 0, (VL *)total);
    }
    *total_t = sum;
}

static unsigned reduce_cluster(RiLanes *w, const RiNode *n, const Loads *on)
{
    const int nv = n->nv;
    VL *D = AT(w->fac, 1, n->fac), *u = AT(w->u, 1, n->v);
    L66 A;
    L6 t;
    sum_cluster(w, n, on, &A, &t);
    add_armature(w, n);
    const unsigned good = factor(nv, D);
    for (int k = 0; k < nv; k++) {
        L6 z = l6_load(w->Z, n->v + k);
        for (int p = 0; p < k; p++) {
            z = l6_axpy(z, -D[k * nv + p], l6_load(w->Z, n->v + p));
            u[k] -= D[k * nv + p] * u[p];
        }
        l6_store(w->Z, n->v + k, z);
        t = l6_axpy(t, u[k] * D[k * nv + k], z);
        if (k < nv - 1)
            l66_rank1(&A, z, D[k * nv + k]);
        else {
            const Source last = {NULL, (const VL *)&A, WHOLE};
            hand_one(w, n, &last, &z, D[k * nv + k]);
        }
    }
    hand_force(w, n, t);
    return good;
}

/// solve_free_root
static unsigned solve_root(RiLanes *w, const RiNode *n, const Loads *on)
{
    L66 A, whole;
    const Source from = find_source(w, n->body, on->extra, &whole);
    add_source(&from, true, (VL *)&A);
    L6 f = l6_sub(l6_zero(), gather_force(w, n->body, on->pushed));
    for (int k = 0; k < 6; k++)
        f = l6_axpy(f, *AT(w->load, 1, n->v + k), l6_load(w->col, n->col + k));
    unsigned good = ~0u;
    VL pivot[6], head[6], x[6];
    for (int k = 0; k < 6; k++) {
        const L6 c = A.c[k];
        good &= positive(l6_at(&c, k));
        pivot[k] = 1.0 / l6_at(&c, k);
        head[k] = l6_at(&f, k);
        for (int l = k + 1; l < 6; l++)
            A.c[l] = l6_axpy(A.c[l], -(l6_at(&c, l) * pivot[k]), c);
        f = l6_axpy(f, -(head[k] * pivot[k]), c);
    }
    for (int k = 5; k >= 0; k--) {
        VL sum = head[k];
        for (int l = k + 1; l < 6; l++)
            sum -= l6_at(&A.c[k], l) * x[l];
        x[k] = sum * pivot[k];
    }
    l6_store(w->acc, n->body, (L6){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}});
    return good;
}

static Loads find_loads(RiLanes *w)
{
    const int nb = w->d[0]->m->nb, ns = w->d[0]->m->ns;
    memset(w->extra_on, 0, (size_t)nb + 1);
    memset(w->pushed, 0, (size_t)nb + 1);
    for (int l = 0; l < RI_LANES; l++) {
        const RiDyn *d = w->d[l];
        for (int i = 1; i <= nb && d->has_extra; i++)
            w->extra_on[i] |= d->extra_on[i];
        for (int i = 1; i <= nb && d->has_wrenches; i++)
            w->pushed[i] |= d->wrench_on[i];
        for (int i = 0; i < ns; i++)
            w->arm[i * RI_LANES + l] = d->arm[i];
    }
    return (Loads){w->extra_on, w->pushed};
}

static void resolve(RiLanes *w, const RiNode *n, L6 ap)
{
    const int nv = n->nv;
    const VL *D = AT(w->fac, 1, n->fac), *u = AT(w->u, 1, n->v);
    VL *y = AT(w->a, 1, n->v);
    for (int k = 0; k < nv; k++)
        y[k] = D[k * nv + k] * (u[k] - l6_dot(l6_load(w->Z, n->v + k), ap));
    for (int k = nv - 1; k >= 0; k--)
        for (int p = k + 1; p < nv; p++)
            y[k] -= D[p * nv + k] * y[p];
}

static void outward(RiLanes *w, unsigned mask)
{
    const RiDyn *d = w->d[0];
    const RiNode *root = &d->node[0];
    L6 ap = l6_zero();
    ap.l = (L3){-GATHER(gravity.x), -GATHER(gravity.y), -GATHER(gravity.z)};
    SCATTER6(mask, ap, acc, 0);
    const L6 rel = l6_sub(l6_sub(l6_load(w->acc, root->body), ap), l6_load(w->bias, root->body));
    for (int k = 0; k < 6; k++)
        *AT(w->a, 1, root->v + k) = l6_dot(l6_load(w->col, root->col + k), rel);
    SCATTER6(mask, l6_load(w->acc, root->body), acc, root->body);
    for (int c = 1; c < d->m->nc; c++) {
        const RiNode *n = &d->node[c];
        ap = l6_load(w->acc, n->parent);
        resolve(w, n, ap);
        for (int b = 0; b < n->nbody; b++) {
            L6 a = l6_add(ap, l6_load(w->bias, n->body + b));
            for (int k = 0; k < n->nv; k++)
                a = l6_axpy(a, *AT(w->a, 1, n->v + k), l6_load(w->col, n->col + b * n->nv + k));
            l6_store(w->acc, n->body + b, a);
            SCATTER6(mask, a, acc, n->body + b);
        }
    }
    for (int i = 0; i < d->m->nv; i++)
        for (int l = 0; l < w->count; l++)
            if (mask >> l & 1)
                w->d[l]->a[i] = (*AT(w->a, 1, i))[l];
}

static unsigned forward(RiLanes *w, unsigned mask)
{
    const RiDyn *d = w->d[0];
    const Loads on = find_loads(w);
    unsigned good = mask;
    for (int c = d->m->nc - 1; c > 0; c--) {
        const RiNode *n = &d->node[c];
        good &= n->kind == RI_CLUSTER_ONE ? reduce_one(w, n, &on) : reduce_cluster(w, n, &on);
    }
    good &= solve_root(w, &d->node[0], &on);
    outward(w, good);
    return good;
}

// --- powers --------------------------------------------------------------------------------------

static void mean_power(RiLanes *w, double h, unsigned mask, double out[][3])
{
    const RiDyn *d = w->d[0];
    VL inertia = {0}, twice = {0};
    L6 momentum = l6_zero();
    const VL half = (VL){0} + 0.5 * h;
    l6_store(w->share, 0, l6_zero());
    l6_store(w->pA, 0, l6_zero());
    for (int c = 0; c < d->m->nc; c++) {
        const RiNode *n = &d->node[c];
        const L6 share = l6_load(w->share, n->parent), acc = l6_load(w->pA, n->parent);
        for (int b = 0; b < n->nbody; b++) {
            const int i = n->body + b;
            const LInertia I = rigid_body(w, i);
            L6 x = share;
            for (int k = 0; k < n->nv; k++)
                x = l6_axpy(x, *AT(w->load, 1, n->v + k), l6_load(w->col, n->col + b * n->nv + k));
            const L6 rate = l6_add(l6_add(acc, l6_sub(x, share)), l6_load(w->bias, i));
            const L6 mean = l6_axpy(l6_load(w->vel, i), half, x), p = l6_momentum(&I, mean);
            l6_store(w->share, i, x);
            l6_store(w->pA, i, rate);
            SCATTER6(mask, x, share, i);
            inertia += l6_dot(p, rate) + l6_dot(mean, l6_load(w->gyro, i));
            twice += l6_dot(mean, p);
            momentum = l6_add(momentum, p);
        }
    }
    for (int l = 0; l < w->count; l++) {
        const RiVec3 g = w->d[l]->gravity;
        out[l][0] = inertia[l];
        out[l][1] = g.x * momentum.l.x[l] + g.y * momentum.l.y[l] + g.z * momentum.l.z[l];
        out[l][2] = 0.5 * twice[l];
    }
}

const RiLaneKernels CONCAT(ri_lane_kernels_, RI_ISA) = {
    .width = RI_LANES,
    .place = place,
    .forward = forward,
    .mean_power = mean_power,
};

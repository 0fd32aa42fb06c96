// SPDX-License-Identifier: Apache-2.0
/// \file
/// The arithmetic of quick pictures, many pixels at a time; compiled once per instruction set. No
/// sums over pixels, and no operation whose rounding depends on the set: equal bits on all. Errors
/// of the elementary functions are below 1e-6. Test: tests/optics/test_quick.c.
#include <string.h>
#if defined(__AVX__)
#include <immintrin.h>
#endif

#include "optics/quick.h"

#define CONCAT_(a, b) a##b
#define CONCAT(a, b)  CONCAT_(a, b)
#define INLINE        static inline __attribute__((always_inline))

#if defined(__AVX512F__)
enum { WIDE = 16 };
#elif defined(__AVX2__)
enum { WIDE = 8 };
#else
enum { WIDE = 4 };
#endif
typedef float V __attribute__((vector_size(4 * WIDE)));
typedef int32_t L __attribute__((vector_size(4 * WIDE)));
typedef uint32_t U __attribute__((vector_size(4 * WIDE)));

static const float PI = 3.14159265358979f;

INLINE V load(const float *p)
{
    return *(const V *)p;
}

INLINE void store(float *p, V v)
{
    *(V *)p = v;
}

INLINE V all(float x)
{
    return (V){0} + x;
}

INLINE V where(L mask, V a, V b)
{
    return (V)((mask & (L)a) | (~mask & (L)b));
}

/// a > b ? a : b
INLINE V larger(V a, V b)
{
#if defined(__AVX512F__)
    return (V)_mm512_max_ps((__m512)a, (__m512)b);
#elif defined(__AVX2__)
    return (V)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return where(a > b, a, b);
#endif
}

/// a < b ? a : b
INLINE V smaller(V a, V b)
{
#if defined(__AVX512F__)
    return (V)_mm512_min_ps((__m512)a, (__m512)b);
#elif defined(__AVX2__)
    return (V)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return where(a < b, a, b);
#endif
}

/// Square root, correctly rounded.
INLINE V root(V x)
{
#if defined(__AVX512F__)
    return (V)_mm512_sqrt_ps((__m512)x);
#elif defined(__AVX2__)
    return (V)_mm256_sqrt_ps((__m256)x);
#else
    V out = {0};
    for (int lane = 0; lane < WIDE; lane++)
        out[lane] = __builtin_sqrtf(x[lane]);
    return out;
#endif
}

INLINE bool any(L mask)
{
#if defined(__AVX512F__)
    return _mm512_test_epi32_mask((__m512i)mask, (__m512i)mask) != 0;
#elif defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)mask, (__m256i)mask);
#else
    int32_t sum = 0;
    for (int lane = 0; lane < WIDE; lane++)
        sum |= mask[lane];
    return sum != 0;
#endif
}

/// The nearest whole number of |x| < 2^22, and the same as an integer. Larger ones (lanes of rays
/// that hit nothing) give any number: their bits are subtracted without a sign.
INLINE V nearest(V x, L *out)
{
    const float magic = 12582912.0f; // 1.5 * 2^23
    const V m = x + magic;
    *out = (L)((U)m - 0x4B400000u);
    return m - magic;
}

/// The whole number below x, |x| < 2^22, and the same as an integer.
INLINE V floor_of(V x, L *out)
{
    const V n = nearest(x, out);
    const L less = n > x;
    *out = (L)((U)*out + (U)less);
    return n - where(less, all(1.0f), all(0.0f));
}

/// e^x for x <= 0; below -80 that of -80.
INLINE V exp_of(V x)
{
    L k;
    x = larger(x, all(-80.0f));
    const V n = nearest(x * 1.44269504f, &k), r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    const V p =
        1.0f +
        r * (1.0f + r * (0.5f + r * (1.66666658e-1f + r * (4.1665795e-2f + r * (8.3334519e-3f + r * 1.3981999e-3f)))));
    return p * (V)((k + 127) << 23);
}

/// Natural logarithm of a normal number above 0.
INLINE V log_of(V x)
{
    const L bits = (L)x - 0x3F3504F3; // mantissas from sqrt(1/2) on
    const L k = bits >> 23;
    const V m = (V)((bits & 0x7FFFFF) + 0x3F3504F3), r = m - 1.0f, n = __builtin_convertvector(k, V);
    const V p = r * r * r *
                (3.3333331174e-1f +
                 r * (-2.4999993993e-1f +
                      r * (2.0000714765e-1f +
                           r * (-1.6668057665e-1f +
                                r * (1.4249322787e-1f +
                                     r * (-1.2420140846e-1f +
                                          r * (1.1676998740e-1f + r * (-1.1514610310e-1f + r * 7.0376836292e-2f))))))));
    return r - 0.5f * (r * r) + p + n * 0.693147181f;
}

/// Arc cosine over pi of -1 <= x <= 1.
INLINE V acos_over_pi(V x)
{
    const V a = (V)((L)x & 0x7FFFFFFF);
    const V p = 1.5707963050f +
                a * (-0.2145988016f +
                     a * (0.0889789874f +
                          a * (-0.0501743046f +
                               a * (0.0308918810f + a * (-0.0170881256f + a * (0.0066700901f + a * -0.0012624911f))))));
    const V y = root(larger(1.0f - a, all(0.0f))) * p * (1.0f / PI);
    return where(x < 0.0f, 1.0f - y, y);
}

/// Sine and cosine of u turns, 0 <= u < 1.
INLINE void turn_of(V u, V *out_sin, V *out_cos)
{
    L q;
    const V r = (4.0f * u - nearest(4.0f * u, &q)) * (0.5f * PI), z = r * r;
    const V s = r + r * z * (-1.6666654611e-1f + z * (8.3321608736e-3f + z * -1.9515295891e-4f));
    const V c =
        1.0f - 0.5f * z + z * z * (4.166664568298827e-2f + z * (-1.388731625493765e-3f + z * 2.443315711809948e-5f));
    const L odd = (q & 1) != 0;
    const V a = where(odd, c, s), b = where(odd, s, c);
    *out_sin = (V)((U)a ^ ((U)(q & 2) << 30));
    *out_cos = (V)((U)b ^ ((U)((q + 1) & 2) << 30));
}

// --- random numbers ------------------------------------------------------------------------------

INLINE U mix(U x)
{
    x = (x ^ (x >> 16)) * 0x7FEB352Du;
    x = (x ^ (x >> 15)) * 0x846CA68Bu;
    return x ^ (x >> 16);
}

INLINE U reverse(U x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0F0F0F0Fu) | (x & 0x0F0F0F0Fu) << 4;
    x = (x >> 8 & 0x00FF00FFu) | (x & 0x00FF00FFu) << 8;
    return x >> 16 | x << 16;
}

INLINE U scramble(U x, U seed)
{
    x += seed;
    x ^= x * 0x6C50B47Cu;
    x ^= x * 0xB82F1E52u;
    x ^= x * 0xC7AFE638u;
    x ^= x * 0x8D22F6E6u;
    return reverse(x);
}

/// x 2^-32, below 1.
INLINE V fraction(U x)
{
    return __builtin_convertvector((L)(x >> 8), V) * 0x1p-24f;
}

/// ri_numbers_pair of the pixels (trace_numbers.h), to single precision.
INLINE void pair(U seed, uint32_t index, uint32_t use, V *u1, V *u2)
{
    const U s = mix(seed + 0x9E3779B9u * use);
    U y = scramble(reverse((U){0} + index), s);
    const U x = y; // scrambled by itself again: reversed twice is as it was
    y ^= y >> 1 & 0x55555555u;
    y ^= y >> 2 & 0x33333333u;
    y ^= y >> 4 & 0x0F0F0F0Fu;
    y ^= y >> 8 & 0x00FF00FFu;
    y ^= y >> 16;
    *u1 = fraction(scramble(x, mix(s + 1u)));
    *u2 = fraction(scramble(y, mix(s + 2u)));
}

// --- texture -------------------------------------------------------------------------------------

INLINE V lattice(U h)
{
    h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
    h = (h ^ (h >> 12)) * 0x297A2D39u;
    return __builtin_convertvector((L)(h ^ (h >> 15)), V) * 0x1p-31f;
}

INLINE V ease(V a)
{
    return a * a * (3.0f - 2.0f * a);
}

INLINE V texture(const RiQuickSurface *s, const RiQuickTile *t, int i)
{
    V sum = all(0.0f);
    float share = 0.0f, weight = 1.0f;
    double scale = 1.0 / s->coarse;
    for (int o = 0; o < s->octaves; o++, weight *= 0.7f, scale *= 2.0) {
        U low[3], high[3];
        V part[3];
        static const uint32_t prime[3] = {0x9E3779B1u, 0x85EBCA77u, 0xC2B2AE3Du};
        for (int k = 0; k < 3; k++) {
            L cell;
            const double at = s->origin[k] * scale, whole = __builtin_floor(at);
            const V x = load(&t->point[k][i]) * (float)scale + (float)(at - whole);
            part[k] = ease(x - floor_of(x, &cell));
            low[k] = ((U)cell + (uint32_t)(int64_t)whole) * prime[k];
            high[k] = low[k] + prime[k];
        }
        const uint32_t own = (s->seed + (uint32_t)o) * 0x27D4EB2Fu;
        V face[2];
        for (int c = 0; c < 2; c++) {
            const U z = (c ? high[2] : low[2]) ^ own, a = low[1] ^ z, b = high[1] ^ z;
            const V p = lattice(low[0] ^ a), q = lattice(low[0] ^ b);
            const V low_edge = p + part[0] * (lattice(high[0] ^ a) - p);
            const V high_edge = q + part[0] * (lattice(high[0] ^ b) - q);
            face[c] = low_edge + part[1] * (high_edge - low_edge);
        }
        sum += weight * (face[0] + part[2] * (face[1] - face[0]));
        share += weight;
    }
    return 1.0f + (s->amplitude / share) * sum;
}

// --- Hapke's law ---------------------------------------------------------------------------------

/// 1/H of Hapke's approximation of 2002; r0 = (1 - gamma)/(1 + gamma), gamma = sqrt(1 - w).
INLINE V inverse_h(V x, V log_x, V w, V r0)
{
    return 1.0f - w * x * (r0 + 0.5f * (1.0f - 2.0f * r0 * x) * log_x);
}

/// BRDF of all bands. Quotients of both directions are taken together: they are what takes time.
INLINE void hapke_bands(const RiQuickSurface *s, V common, V single, V x0, V x, V log_x0, V log_x, V tint, V out[3])
{
    for (int k = 0; k < 3; k++) {
        const V w = smaller(all(1.0f), s->albedo[k] * tint), gamma = root(1.0f - w);
        V h;
        if (s->h2002) {
            const V r0 = (1.0f - gamma) / (1.0f + gamma);
            h = 1.0f / (inverse_h(x0, log_x0, w, r0) * inverse_h(x, log_x, w, r0));
        } else {
            h = (1.0f + 2.0f * x0) * (1.0f + 2.0f * x) / ((1.0f + 2.0f * x0 * gamma) * (1.0f + 2.0f * x * gamma));
        }
        out[k] = larger(all(0.0f), common * w * (single + (h - 1.0f)));
    }
}

/// One direction's share of the roughness equations.
typedef struct Slope {
    V sin, e1, e2, eta;
} Slope;

INLINE Slope slope_of(const RiQuickSurface *s, V mu)
{
    Slope a;
    a.sin = root(larger(all(0.0f), 1.0f - mu * mu));
    const V y = s->cot_slope * mu / larger(a.sin, all(1e-12f));
    a.e1 = exp_of((-2.0f / PI) * y);
    a.e2 = exp_of(y * smaller(y, all(1e6f)) * (-1.0f / PI));
    a.eta = s->chi * (mu + a.sin * s->tan_slope * a.e2 / (2.0f - a.e1));
    return a;
}

/// BRDF of light at cosine mu0, seen at mu, with the cosine of the phase.
INLINE void hapke(const RiQuickSurface *s, V mu0, V mu, V cos_g, V tint, V out[3])
{
    const float b = s->b, n = 1.0f - b * b, q = 1.0f + b * b;
    const V toward = q - 2.0f * b * cos_g, away = q + 2.0f * b * cos_g;
    const V near_lobe = toward * root(toward), far_lobe = away * root(away);
    const V phase = n * (s->back * far_lobe + (1.0f - s->back) * near_lobe) / (near_lobe * far_lobe);
    V m0 = mu0, m = mu, lit = all(1.0f), under = all(1.0f); // shadowing S = lit / under
    if (s->tan_slope > 0.0f) {
        const Slope i = slope_of(s, mu0), e = slope_of(s, mu);
        const V sines = i.sin * e.sin, some = larger(sines, all(1e-9f));
        V c = where(sines > 1e-6f, (cos_g - mu0 * mu) / some, all(1.0f));
        c = smaller(all(1.0f), larger(all(-1.0f), c));
        const V turn = acos_over_pi(c), half2 = 0.5f * (1.0f - c);
        const L high = mu0 >= mu;
        const V near_mu = where(high, mu0, mu), far_mu = where(high, mu, mu0);
        const V near_sin = where(high, i.sin, e.sin), far_sin = where(high, e.sin, i.sin);
        const V near_e2 = where(high, i.e2, e.e2), far_e2 = where(high, e.e2, i.e2);
        const V bottom = s->tan_slope / (2.0f - where(high, e.e1, i.e1) - turn * where(high, i.e1, e.e1));
        const V near = s->chi * (near_mu + near_sin * bottom * (c * far_e2 + half2 * near_e2));
        const V far = s->chi * (far_mu + far_sin * bottom * (far_e2 - half2 * near_e2));
        m0 = where(high, near, far);
        m = where(high, far, near);
        const V f = exp_of(-2.0f * root((1.0f - c) / larger(all(1e-24f), 1.0f + c)));
        const V eta = i.eta * e.eta;
        lit = s->chi * m * mu0;
        under = (1.0f - f) * eta + (f * s->chi) * where(high, mu0 * e.eta, mu * i.eta);
    }
    const V tan_half = root(larger(all(0.0f), 1.0f - cos_g) / larger(all(1e-12f), 1.0f + cos_g));
    const V single = phase * (1.0f + s->surge * s->width / (s->width + tan_half));
    const V common = (s->fill * m0) * lit / ((4.0f * PI) * (m0 + m) * mu0 * under);
    const V x0 = m0 * (1.0f / s->fill), x = m * (1.0f / s->fill);
    V log_x0 = all(0.0f), log_x = all(0.0f);
    if (s->h2002) {
        const V both = 1.0f / (x0 * x);
        log_x0 = log_of((1.0f + x0) * x * both), log_x = log_of((1.0f + x) * x0 * both);
    }
    hapke_bands(s, common, single, x0, x, log_x0, log_x, tint, out);
}

// --- steps ---------------------------------------------------------------------------------------

INLINE V dot(const V a[3], const V b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

INLINE void load3(float (*p)[RI_QUICK], int i, V out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = load(&p[k][i]);
}

/// Lagrange's polynomials of the nodes 0, 5, 10, 15 at 0 to 15.
static void weights(float w[RI_QUICK_NODES][RI_QUICK_SIDE])
{
    for (int i = 0; i < RI_QUICK_SIDE; i++) {
        const float a = (float)i, b = a - 5.0f, c = a - 10.0f, d = a - 15.0f;
        w[0][i] = b * c * d * (-1.0f / 750.0f), w[1][i] = a * c * d * (1.0f / 250.0f);
        w[2][i] = a * b * d * (-1.0f / 250.0f), w[3][i] = a * b * c * (1.0f / 750.0f);
    }
}

static void interpolate(float nodes[RI_QUICK_NODES][RI_QUICK_NODES], float w[RI_QUICK_NODES][RI_QUICK_SIDE], float *out)
{
    for (int y = 0; y < RI_QUICK_SIDE; y++) {
        float row[RI_QUICK_NODES], line[RI_QUICK_SIDE];
        for (int n = 0; n < RI_QUICK_NODES; n++)
            row[n] = w[0][y] * nodes[0][n] + w[1][y] * nodes[1][n] + w[2][y] * nodes[2][n] + w[3][y] * nodes[3][n];
        for (int x = 0; x < RI_QUICK_SIDE; x++)
            line[x] = w[0][x] * row[0] + w[1][x] * row[1] + w[2][x] * row[2] + w[3][x] * row[3];
        for (int x = 0; x < RI_QUICK_SIDE; x += 4)
            memcpy(out + ri_quick_place(x, y), line + x, 4 * sizeof *out);
    }
}

static void seeds(uint32_t seed, uint32_t first, uint32_t width, RiQuickTile *t)
{
    for (uint32_t y = 0; y < RI_QUICK_SIDE; y++)
        for (uint32_t x = 0; x < RI_QUICK_SIDE; x++)
            t->seed[ri_quick_place((int)x, (int)y)] = first + y * width + x + 0x85EBCA6Bu;
    for (int i = 0; i < RI_QUICK; i += WIDE) {
        U *u = (U *)&t->seed[i];
        *u = mix(seed ^ mix(*u));
    }
}

static void span(const float values[RI_QUICK], float out[2])
{
    V low = load(values), high = low;
    for (int i = WIDE; i < RI_QUICK; i += WIDE) {
        low = smaller(low, load(values + i));
        high = larger(high, load(values + i));
    }
    out[0] = low[0], out[1] = high[0];
    for (int i = 1; i < WIDE; i++) {
        out[0] = low[i] < out[0] ? low[i] : out[0];
        out[1] = high[i] > out[1] ? high[i] : out[1];
    }
}

static void spread(float nodes[RI_QUICK_NODES][RI_QUICK_NODES], float out[RI_QUICK])
{
    float w[RI_QUICK_NODES][RI_QUICK_SIDE];
    weights(w);
    interpolate(nodes, w, out);
}

static void rays(RiQuickNodes *nodes, RiQuickTile *t)
{
    float w[RI_QUICK_NODES][RI_QUICK_SIDE];
    weights(w);
    for (int k = 0; k < 3; k++) {
        interpolate(nodes->origin[k], w, t->origin[k]);
        interpolate(nodes->direction[k], w, t->direction[k]);
    }
    for (int i = 0; i < RI_QUICK; i += WIDE) {
        V d[3];
        load3(t->direction, i, d);
        const V inverse = 1.0f / root(dot(d, d));
        for (int k = 0; k < 3; k++)
            store(&t->direction[k][i], d[k] * inverse);
    }
}

static void begin(const RiQuickSurface *s, int surface, const float sky[3], RiQuickTile *t)
{
    for (int i = 0; i < RI_QUICK; i += WIDE) {
        const L here = *(const L *)&t->surface[i] == surface;
        V d[3], n[3], m[3], p[3], colour[3];
        if (!any(here))
            continue;
        load3(t->direction, i, d), load3(t->normal, i, m), load3(t->smooth, i, n);
        const V range = load(&t->range[i]), gap = 2e-5f + 2e-5f * range;
        const V m_size = 1.0f / root(dot(m, m)), n_size = 1.0f / root(dot(n, n));
        const L back = dot(m, d) > 0.0f, other = (dot(m, n) < 0.0f) ^ back;
        for (int k = 0; k < 3; k++) {
            m[k] *= where(back, -m_size, m_size);
            n[k] *= where(other, -n_size, n_size);
            store(&t->normal[k][i], where(here, m[k], load(&t->normal[k][i])));
        }
        const L away = dot(n, d) >= -1e-3f; // a shading normal that looks away would be black
        for (int k = 0; k < 3; k++) {
            p[k] = load(&t->origin[k][i]) + range * d[k];
            n[k] = where(away, m[k], n[k]);
            store(&t->smooth[k][i], where(here, n[k], load(&t->smooth[k][i])));
            store(&t->point[k][i], where(here, p[k], load(&t->point[k][i])));
            store(&t->start[k][i], where(here, p[k] + gap * m[k], load(&t->start[k][i])));
        }
        const V tint = s->amplitude > 0.0f ? texture(s, t, i) : all(1.0f);
        store(&t->tint[i], where(here, tint, load(&t->tint[i])));
        if (s->hapke) {
            hapke_bands(s, all(s->common), all(s->single), all(s->x0), all(s->x), all(s->log_x0), all(s->log_x), tint,
                        colour);
            for (int k = 0; k < 3; k++)
                colour[k] = smaller(all(1.0f), PI * colour[k]);
        } else {
            for (int k = 0; k < 3; k++)
                colour[k] = smaller(all(1.0f), s->albedo[k] * tint);
        }
        for (int k = 0; k < 3; k++) {
            const V was = load(&t->soft[k][i]), now = was + (sky[k] * (0.5f / PI)) * (1.0f + n[2]) * colour[k];
            store(&t->soft[k][i], where(here, now, was));
        }
    }
}

static void toward(const RiQuickDisc *d, uint32_t index, uint32_t use, RiQuickTile *t)
{
    for (int i = 0; i < RI_QUICK; i += WIDE) {
        const L here = *(const L *)&t->surface[i] >= 0;
        V u1, u2, s, c, n[3], m[3], to[3];
        if (!any(here)) {
            *(L *)&t->open[i] = here;
            continue;
        }
        pair(*(const U *)&t->seed[i], index, use, &u1, &u2);
        const V v = d->low + d->width * u1, sine = 2.0f * root(v * (1.0f - v)), x = sine * (1.0f / d->outer);
        turn_of(u2, &s, &c);
        const V a = sine * c, b = sine * s, up = 1.0f - 2.0f * v;
        for (int k = 0; k < 3; k++) {
            to[k] = d->R[3 * k] * a + d->R[3 * k + 1] * b + d->R[3 * k + 2] * up;
            store(&t->toward[k][i], to[k]);
        }
        store(&t->bright[i], 1.0f - d->limb * (1.0f - root(larger(all(0.0f), 1.0f - x * x))));
        load3(t->normal, i, m), load3(t->smooth, i, n);
        const V cosine = dot(n, to);
        store(&t->cosine[i], cosine);
        *(L *)&t->open[i] = here & (cosine > 1e-9f) & (dot(m, to) > 0.0f);
    }
}

static void receive(const RiQuickSurface *s, int surface, const RiQuickDisc *d, RiQuickTile *t)
{
    for (int i = 0; i < RI_QUICK; i += WIDE) {
        const L here = (*(const L *)&t->surface[i] == surface) & *(const L *)&t->open[i];
        V n[3], view[3], to[3], f[3];
        if (!any(here))
            continue;
        load3(t->smooth, i, n), load3(t->direction, i, view), load3(t->toward, i, to);
        const V mu0 = where(here, load(&t->cosine[i]), all(0.5f)), mu = -dot(n, view), tint = load(&t->tint[i]);
        const L seen = here & (mu > 1e-9f);
        if (s->hapke) {
            const V cos_g = smaller(all(1.0f), larger(all(-1.0f), -dot(to, view)));
            hapke(s, mu0, where(seen, mu, all(0.5f)), cos_g, tint, f);
        } else {
            for (int k = 0; k < 3; k++)
                f[k] = smaller(all(1.0f), s->albedo[k] * tint) * (1.0f / PI);
        }
        const V light = load(&t->bright[i]) * mu0;
        for (int k = 0; k < 3; k++) {
            const V was = load(&t->sharp[k][i]);
            store(&t->sharp[k][i], where(seen, was + d->light[k] * light * f[k], was));
        }
    }
}

extern const RiQuickKernels CONCAT(ri_quick_kernels_, RI_ISA);
const RiQuickKernels CONCAT(ri_quick_kernels_, RI_ISA) = {seeds, span, spread, rays, begin, toward, receive};

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Elementary functions by tables and short polynomials. Where a double is too short, numbers are
/// kept as the unevaluated sum of two doubles (Pair): hi is the number rounded, lo what is left.
/// Tables: tools/function_tables.py.
///
///     exp x  = 2^(n/64) e^r,              n = round(64 x / ln 2),  |r| < 0.0055
///     ln x   = k ln 2 - ln c + ln(1 + r), x = 2^k z, c about 1/z with 10 bits, r = z c - 1 exactly, |r| < 1/128
///     sin x, cos x: x = n pi/2 + r by three parts of pi/2, by 192 bits of 2/pi where x is large or r small; |r| < pi/4
///     atan(a/b) = atan(j/32) + atan t,    t = (a - b j/32) / (b + a j/32),  |t| < 1/64
///
/// Test: tests/base/test_functions.c.
#include "base/functions.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/function_tables.h"

static const double ROUND = 0x1.8p52; ///< adding and subtracting it rounds to an integer

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// --- pairs of doubles ----------------------------------------------------------------------------

typedef struct Pair {
    double hi, lo;
} Pair;

/// a + b exactly.
static Pair sum(double a, double b)
{
    const double s = a + b, t = s - a;
    return (Pair){s, (a - (s - t)) + (b - t)};
}

/// a + b exactly, for |a| >= |b|.
static Pair sum_ordered(double a, double b)
{
    const double s = a + b;
    return (Pair){s, b - (s - a)};
}

/// The upper 26 bits of a number.
static double upper(double x)
{
    const double t = 134217729.0 * x; // 2^27 + 1
    return t - (t - x);
}

/// a b exactly (Dekker).
static Pair product(double a, double b)
{
    const double p = a * b, a1 = upper(a), b1 = upper(b), a2 = a - a1, b2 = b - b1;
    return (Pair){p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}

static Pair pair_times(Pair a, Pair b)
{
    const Pair p = product(a.hi, b.hi);
    return sum_ordered(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static Pair pair_over(Pair a, Pair b)
{
    const double q = a.hi / b.hi;
    const Pair p = product(q, b.hi);
    return sum_ordered(q, (((a.hi - p.hi) - p.lo) + a.lo - q * b.lo) / b.hi);
}

static Pair pair_root(Pair a)
{
    const double s = sqrt(a.hi);
    const Pair p = product(s, s);
    return sum_ordered(s, (((a.hi - p.hi) - p.lo) + a.lo) / (2.0 * s));
}

// --- exponentials --------------------------------------------------------------------------------

/// 2^k for normal results.
static double power_of_two(int k)
{
    return from_bits((uint64_t)(k + 1023) << 52);
}

/// x 2^k, in two steps where 2^k or the result is no normal number.
static double scaled(double x, int k)
{
    if (k > -1000 && k < 1000)
        return x * power_of_two(k);
    return k > 0 ? x * power_of_two(k - 600) * power_of_two(600) : x * power_of_two(k + 600) * power_of_two(-600);
}

/// e^r - 1 for |r| < 0.0055.
static double small_expm1(double r)
{
    return r + r * r * (0.5 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r * (1.0 / 720.0)))));
}

/// 2^(n/64) e^r: the mantissa, without its factor 2^(n >> 6).
static Pair exp_part(int n, double r)
{
    const double *t = EXP_TABLE[n & 63];
    return (Pair){t[0], t[1] + t[0] * small_expm1(r)};
}

/// e^(hi + lo) for |hi| < 800.
static double exp_pair(double hi, double lo)
{
    const double n = (hi * PER_LN2_64 + ROUND) - ROUND, r = ((hi - n * LN2_64_HIGH) - n * LN2_64_LOW) + lo;
    const Pair e = exp_part((int)n, r);
    return scaled(e.hi + e.lo, (int)n >> 6);
}

double ri_exp(double x)
{
    if (!(fabs(x) < 746.0))
        return x > 0.0 ? INFINITY : x < 0.0 ? 0.0 : x;
    return exp_pair(x, 0.0);
}

double ri_exp2(double x)
{
    if (!(fabs(x) < 1100.0))
        return x > 0.0 ? INFINITY : x < 0.0 ? 0.0 : x;
    const double n = (x * 64.0 + ROUND) - ROUND, r = x - n * 0x1p-6;
    const Pair e = exp_part((int)n, r * LN2_1);
    return scaled(e.hi + e.lo, (int)n >> 6);
}

double ri_expm1(double x)
{
    if (fabs(x) < 0.25) {
        double p = 1.0 / 6227020800.0; // of x^13
        p = p * x + 1.0 / 479001600.0;
        p = p * x + 1.0 / 39916800.0;
        p = p * x + 1.0 / 3628800.0;
        p = p * x + 1.0 / 362880.0;
        p = p * x + 1.0 / 40320.0;
        p = p * x + 1.0 / 5040.0;
        p = p * x + 1.0 / 720.0;
        p = p * x + 1.0 / 120.0;
        p = p * x + 1.0 / 24.0;
        p = p * x + 1.0 / 6.0;
        return fabs(x) < 0x1p-54 ? x : x + x * x * (0.5 + p * x);
    }
    if (!(fabs(x) < 746.0))
        return x > 0.0 ? INFINITY : x < 0.0 ? -1.0 : x;
    const double n = (x * PER_LN2_64 + ROUND) - ROUND, r = (x - n * LN2_64_HIGH) - n * LN2_64_LOW;
    const int k = (int)n >> 6;
    const Pair e = exp_part((int)n, r);
    if (k > 64 || k < -64)
        return k > 0 ? scaled(e.hi + e.lo, k) : -1.0;
    const Pair s = sum(scaled(e.hi, k), -1.0);
    return s.hi + (s.lo + scaled(e.lo, k));
}

double ri_tanh(double x)
{
    const double a = fabs(x);
    if (a < 0x1p-28 || isnan(x))
        return x;
    const double e = a < 22.0 ? ri_expm1(2.0 * a) : 0.0;
    return copysign(a >= 22.0 ? 1.0 : a > 0.5 ? 1.0 - 2.0 / (e + 2.0) : e / (e + 2.0), x);
}

// --- logarithms ----------------------------------------------------------------------------------

/// Where a positive, normal number lies: x = 2^k z, c from the table, r = z c - 1.
typedef struct LogPlace {
    Pair r;
    double top;  ///< k ln 2 - ln c, up to
    double rest; ///< this
    double to_r; ///< dr/dx
} LogPlace;

static LogPlace log_place(double x)
{
    const uint64_t offset = bits_of(x) - 0x3fe6800000000000u;
    const int k = (int)((int64_t)offset >> 52);
    const double *row = LOG_TABLE[(offset >> 45) & 127];
    const double z = from_bits(bits_of(x) - (offset & 0xfff0000000000000u));
    const double z1 = from_bits(bits_of(z) & 0xffffffff00000000u), z2 = z - z1;
    return (LogPlace){.r = sum(z1 * row[0] - 1.0, z2 * row[0]), // both products are exact
                      .top = k * LN2_HIGH + row[1],
                      .rest = k * LN2_LOW + row[2],
                      .to_r = row[0] * power_of_two(-k)};
}

/// (ln(1 + r) - r + r^2/2) / r^3.
static double log_series(double r)
{
    return 1.0 / 3.0 - r * (0.25 - r * (0.2 - r * (1.0 / 6.0 - r * (1.0 / 7.0 - r * 0.125))));
}

/// ln of a positive, normal number plus a small correction of it.
static double log_rounded(double x, double correction)
{
    const LogPlace p = log_place(x);
    const Pair s = sum(p.top, p.r.hi);
    const double r = p.r.hi, low = p.r.lo + (correction == 0.0 ? 0.0 : correction * p.to_r);
    return s.hi + (s.lo + (p.rest + low * (1.0 - r)) - r * r * (0.5 - r * log_series(r)));
}

/// ln of a positive, normal number to about 2^-66.
static Pair log_pair(double x)
{
    const LogPlace p = log_place(x);
    const double r = p.r.hi;
    const Pair s = sum(p.top, r), q = product(r, r), h = sum(s.hi, -0.5 * q.hi);
    const double r6 = q.hi * q.hi * q.hi, series = log_series(r) + r6 * (1.0 / 9.0 - 0.1 * r);
    const double low = s.lo + p.rest + (p.r.lo - r * p.r.lo) - 0.5 * q.lo + q.hi * r * series;
    return sum_ordered(h.hi, h.lo + low);
}

/// The answer for numbers without a logarithm, and for infinity.
static double log_special(double x)
{
    return x == 0.0 ? -INFINITY : x < 0.0 ? NAN : x;
}

static const double LEAST_NORMAL = 0x1p-1022;

double ri_log(double x)
{
    if (x >= LEAST_NORMAL && x < INFINITY)
        return log_rounded(x, 0.0);
    if (!(x > 0.0) || x == INFINITY)
        return log_special(x);
    const double small =
        log_rounded(x * 0x1p60, 0.0); // at least 660 in size: the factor's share is added exactly enough
    return small - 60.0 * LN2_1;
}

/// ln x times a factor, for the other bases.
static double log_times(double x, Pair factor)
{
    if (!(x > 0.0) || x == INFINITY)
        return log_special(x);
    const Pair l = x < LEAST_NORMAL ? log_pair(x * 0x1p60) : log_pair(x);
    const Pair p = pair_times(l, factor);
    if (x >= LEAST_NORMAL)
        return p.hi + p.lo;
    return (p.hi - 60.0 * LN2_1 * factor.hi) + p.lo;
}

double ri_log2(double x)
{
    const uint64_t bits = bits_of(x);
    if (x >= LEAST_NORMAL && x < INFINITY && (bits & 0xfffffffffffffu) == 0)
        return (double)((int)(bits >> 52) - 1023); // powers of two are exact
    return log_times(x, (Pair){PER_LN2_1, PER_LN2_2});
}

double ri_log10(double x)
{
    return log_times(x, (Pair){PER_LN10_1, PER_LN10_2});
}

double ri_log1p(double x)
{
    if (fabs(x) < 0x1p-7)
        return fabs(x) < 0x1p-54 ? x : x - x * x * (0.5 - x * log_series(x));
    if (!(x > -1.0) || x == INFINITY)
        return log_special(x < -1.0 ? -1.0 : x == -1.0 ? 0.0 : x);
    const Pair s = sum(1.0, x);
    return log_rounded(s.hi, s.lo);
}

// --- powers --------------------------------------------------------------------------------------

/// 0 for a number that is no integer, 1 for odd, 2 for even integers.
static int parity(double y)
{
    const double a = fabs(y);
    if (a >= 0x1p53)
        return 2;
    if (a != floor(a))
        return 0;
    return (int64_t)a & 1 ? 1 : 2;
}

/// Powers of 0, infinity and to infinity; x is not 1 and y not 0.
static double pow_special(double x, double y)
{
    const double a = fabs(x);
    if (isnan(x) || isnan(y))
        return x + y;
    if (isinf(y))
        return a == 1.0 ? 1.0 : (a > 1.0) == (y > 0.0) ? INFINITY : 0.0;
    const double size = (a == 0.0) == (y > 0.0) ? 0.0 : INFINITY;
    return parity(y) == 1 ? copysign(size, x) : size;
}

/// a^y for a > 0.
static double pow_positive(double a, double y)
{
    if (fabs(y) < 0x1p-65)
        return 1.0;
    if (a < LEAST_NORMAL) { // a^y = (a 2^60)^y 2^(-60 y): in logarithms
        const Pair l = log_pair(a * 0x1p60), k = product(-60.0, LN2_1), s = sum(l.hi, k.hi);
        const double log_a = s.hi, low = s.lo + l.lo + k.lo - 60.0 * LN2_2;
        if (fabs(y) > 0x1p60 || fabs(y * log_a) > 800.0)
            return y > 0.0 ? 0.0 : INFINITY;
        const Pair p = product(y, log_a);
        return exp_pair(p.hi, p.lo + y * low);
    }
    const Pair l = log_pair(a);
    if (fabs(y) > 0x1p65 || fabs(y * l.hi) > 800.0)
        return (y > 0.0) == (l.hi > 0.0) ? INFINITY : 0.0;
    const Pair p = product(y, l.hi);
    return exp_pair(p.hi, p.lo + y * l.lo);
}

double ri_pow(double x, double y)
{
    if (y == 0.0 || x == 1.0)
        return 1.0;
    const double a = fabs(x);
    if (!(a > 0.0 && a < INFINITY && fabs(y) < INFINITY))
        return pow_special(x, y);
    if (x < 0.0 && parity(y) == 0)
        return NAN;
    if (y == 2.0)
        return x * x;
    const double size = a == 1.0 ? 1.0 : pow_positive(a, y);
    return x < 0.0 && parity(y) == 1 ? -size : size;
}

double ri_cbrt(double x)
{
    if (x == 0.0 || !(fabs(x) < INFINITY))
        return x;
    const double lift = fabs(x) < LEAST_NORMAL ? 0x1p54 : 1.0, a = fabs(x) * lift;
    const int e = (int)(bits_of(a) >> 52) - 1023, k = (e + 3072) / 3 - 1024; // e = 3 k + 0, 1 or 2
    const double m = a * power_of_two(-3 * k / 2) * power_of_two(-3 * k - (-3 * k / 2));
    double y = 0.7 + 0.3 * m - 0.0193 * m * m; // on [1, 8), within 0.13
    for (int i = 0; i < 4; i++)
        y *= (y * y * y + 2.0 * m) / (2.0 * y * y * y + m); // Halley: triples the digits
    const Pair q = product(y, y), c = product(q.hi, y);
    y += (((m - c.hi) - c.lo) - q.lo * y) / (3.0 * q.hi);
    return copysign(y * power_of_two(k) * (lift > 1.0 ? 0x1p-18 : 1.0), x);
}

double ri_hypot(double x, double y)
{
    const double a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
    if (isinf(x) || isinf(y))
        return INFINITY;
    if (isnan(x) || isnan(y) || b == 0.0)
        return fabs(x) + fabs(y);
    if (a > 0x1p500)
        return ri_hypot(a * 0x1p-600, b * 0x1p-600) * 0x1p600;
    if (b < 0x1p-450)
        return a > 0x1p-300 ? a : ri_hypot(a * 0x1p600, b * 0x1p600) * 0x1p-600;
    if (b < a * 0x1p-30)
        return a + 0.5 * b * (b / a);
    const Pair p = product(a, a), q = product(b, b), s = sum_ordered(p.hi, q.hi);
    const double root = sqrt(s.hi);
    const Pair again = product(root, root);
    return root + (((s.hi - again.hi) - again.lo) + (s.lo + p.lo + q.lo)) / (2.0 * root);
}

// --- circular functions --------------------------------------------------------------------------

/// An angle as quadrant pi/2 + r.
typedef struct Turn {
    Pair r;
    int quadrant;
} Turn;

/// 64 bits of 2/pi from a place after the point on (1: the first).
static uint64_t bits_from(int place)
{
    const int first = place - 1 + 64, word = first / 64 - 1, shift = first % 64;
    const uint64_t a = word >= 0 && word < 20 ? TWO_PER_PI_BITS[word] : 0;
    const uint64_t b = word >= -1 && word < 19 ? TWO_PER_PI_BITS[word + 1] : 0;
    return shift == 0 ? a : (a << shift) | (b >> (64 - shift));
}

__extension__ typedef unsigned __int128 Wide;

/// (f[0] 2^128 + f[1] 2^64 + f[2]) 2^-190, less than a half, as two doubles.
static Pair fraction(uint64_t f[3])
{
    int zeros = 0;
    while (zeros < 190 && !(f[0] >> 63)) {
        f[0] = f[0] << 1 | f[1] >> 63;
        f[1] = f[1] << 1 | f[2] >> 63;
        f[2] <<= 1;
        zeros++;
    }
    const double unit = power_of_two(-62 - zeros); // of the last bit of f[0]
    const double hi = (double)(f[0] >> 11) * 2048.0, mid = (double)(f[0] & 2047u), low = (double)(f[1] >> 11) * 0x1p-53;
    return sum_ordered(hi * unit, (mid + low) * unit);
}

/// Payne and Hanek: |x| = m 2^e, so quadrants = m (2^e 2/pi mod 4), in 192 bits of which 190 are
/// behind the point.
static Turn turn_exactly(double x)
{
    const uint64_t bits = bits_of(fabs(x)), m = (bits & 0xfffffffffffffu) | 0x10000000000000u;
    const int e = (int)(bits >> 52) - 1075;
    const uint64_t w[3] = {bits_from(e - 1), bits_from(e + 63), bits_from(e + 127)};
    uint64_t f[3];
    const Wide low = (Wide)m * w[2], middle = (Wide)m * w[1] + (uint64_t)(low >> 64);
    f[2] = (uint64_t)low;
    f[1] = (uint64_t)middle;
    f[0] = m * w[0] + (uint64_t)(middle >> 64);
    int quadrant = (int)(f[0] >> 62);
    f[0] &= 0x3fffffffffffffffu;
    const int over = (int)(f[0] >> 61); // at least a half: count from the next quadrant back
    if (over) {
        quadrant++;
        for (int i = 0; i < 3; i++)
            f[i] = ~f[i]; // less by 2^-190, which does not matter
        f[0] &= 0x3fffffffffffffffu;
    }
    Pair r = pair_times(fraction(f), (Pair){PI_HALF_1, PI_HALF_2});
    if (over != (x < 0.0))
        r = (Pair){-r.hi, -r.lo};
    return (Turn){r, (x < 0.0 ? -quadrant : quadrant) & 3};
}

static Turn turn_of(double x)
{
    if (fabs(x) <= 0.78539816339744828)
        return (Turn){{x, 0.0}, 0};
    if (!(fabs(x) < 0x1p20))
        return turn_exactly(x);
    const double n = (x * TWO_PER_PI + ROUND) - ROUND;
    const Pair a = sum(x - n * PI_HALF_A, -n * PI_HALF_B); // both products and the difference are exact
    const Pair r = sum_ordered(a.hi, a.lo - n * PI_HALF_C);
    if (fabs(r.hi) < 0x1p-30)
        return turn_exactly(x);
    return (Turn){r, (int)n & 3};
}

/// sin r - r for |r| <= pi/4.
static double sin_rest(Pair r)
{
    const double z = r.hi * r.hi;
    double p = 1.0 / 355687428096000.0;
    p = p * z - 1.0 / 1307674368000.0;
    p = p * z + 1.0 / 6227020800.0;
    p = p * z - 1.0 / 39916800.0;
    p = p * z + 1.0 / 362880.0;
    p = p * z - 1.0 / 5040.0;
    p = p * z + 1.0 / 120.0;
    p = p * z - 1.0 / 6.0;
    return r.hi * z * p + r.lo * (1.0 - 0.5 * z);
}

/// cos r for |r| <= pi/4, as two doubles.
static Pair cos_pair(Pair r)
{
    const Pair q = product(r.hi, r.hi);
    const double z = q.hi;
    double p = 1.0 / 20922789888000.0;
    p = p * z - 1.0 / 87178291200.0;
    p = p * z + 1.0 / 479001600.0;
    p = p * z - 1.0 / 3628800.0;
    p = p * z + 1.0 / 40320.0;
    p = p * z - 1.0 / 720.0;
    p = p * z + 1.0 / 24.0;
    const Pair s = sum_ordered(1.0, -0.5 * z);
    return (Pair){s.hi, s.lo + (z * z * p - 0.5 * q.lo - r.hi * r.lo)};
}

static double sin_turned(Turn t, int more)
{
    const int quadrant = (t.quadrant + more) & 3;
    double s;
    if (quadrant & 1) {
        const Pair c = cos_pair(t.r);
        s = c.hi + c.lo;
    } else {
        s = t.r.hi + sin_rest(t.r);
    }
    return quadrant & 2 ? -s : s;
}

double ri_sin(double x)
{
    if (!(fabs(x) < INFINITY))
        return NAN;
    if (fabs(x) < 0x1p-27)
        return x; // keeps the sign of zero
    return sin_turned(turn_of(x), 0);
}

double ri_cos(double x)
{
    if (!(fabs(x) < INFINITY))
        return NAN;
    return sin_turned(turn_of(x), 1);
}

double ri_tan(double x)
{
    if (!(fabs(x) < INFINITY))
        return NAN;
    if (fabs(x) < 0x1p-27)
        return x;
    const Turn t = turn_of(x);
    const Pair s = sum_ordered(t.r.hi, sin_rest(t.r)), raw = cos_pair(t.r), c = sum_ordered(raw.hi, raw.lo);
    const Pair q = t.quadrant & 1 ? pair_over((Pair){-c.hi, -c.lo}, s) : pair_over(s, c);
    return q.hi + q.lo;
}

// --- their inverses ------------------------------------------------------------------------------

/// atan(a/b) for 0 <= a <= b, with b far from overflow and underflow and a not below b 2^-64.
static Pair atan_ratio(Pair a, Pair b)
{
    const int j = (int)(a.hi / b.hi * 32.0 + 0.5);
    const double c = j * 0.03125;
    Pair num = a, den = b;
    if (j > 0) {
        const Pair p = product(c, b.hi), q = product(c, a.hi), s = sum(b.hi, q.hi);
        num = sum(a.hi - p.hi, (a.lo - p.lo) - c * b.lo); // neighbours: the difference is exact
        den = sum_ordered(s.hi, s.lo + (q.lo + b.lo + c * a.lo));
    }
    const Pair t = pair_over(num, den);
    const double z = t.hi * t.hi;
    const double rest = t.lo + t.hi * z * (-1.0 / 3.0 + z * (0.2 + z * (-1.0 / 7.0 + z * (1.0 / 9.0))));
    const Pair s = sum(ATAN_TABLE[j][0], t.hi);
    return sum_ordered(s.hi, s.lo + (ATAN_TABLE[j][1] + rest));
}

/// Angle of a point (x, y) with y >= 0, in [0, pi].
static double angle_of(Pair y, Pair x)
{
    const Pair a = x.hi < 0.0 ? (Pair){-x.hi, -x.lo} : x;
    const int steep = y.hi > a.hi;
    const Pair part = steep ? atan_ratio(a, y) : atan_ratio(y, a);
    if (!steep && x.hi >= 0.0)
        return part.hi + part.lo;
    const double base = steep ? PI_HALF_1 : PI_1, rest = steep ? PI_HALF_2 : PI_2;
    const double sign = steep && x.hi < 0.0 ? 1.0 : -1.0;
    const Pair s = sum_ordered(base, sign * part.hi);
    return s.hi + (s.lo + (rest + sign * part.lo));
}

/// atan2 where a coordinate is zero, infinite or no number, or far smaller than the other; y >= 0.
static double angle_special(double y, double x)
{
    if (isnan(x) || isnan(y))
        return x + y;
    if (isinf(x) && isinf(y))
        return x > 0.0 ? 0.5 * PI_HALF_1 : 1.5 * PI_HALF_1;
    if (y == 0.0)
        return signbit(x) ? PI_1 : 0.0;
    if (y > fabs(x))
        return PI_HALF_1;
    return x < 0.0 ? PI_1 : y / x;
}

double ri_atan2(double y, double x)
{
    double a = fabs(x), b = fabs(y), s = x;
    const double large = fmax(a, b), small = fmin(a, b);
    if (!(a < INFINITY && b < INFINITY && small > large * 0x1p-60))
        return copysign(angle_special(b, x), y);
    const double scale = large > 0x1p400 ? 0x1p-600 : large < 0x1p-400 ? 0x1p600 : 1.0;
    b *= scale;
    s *= scale;
    return copysign(angle_of((Pair){b, 0.0}, (Pair){s, 0.0}), y);
}

double ri_atan(double x)
{
    if (fabs(x) < 0x1p-27 || isnan(x))
        return x;
    if (fabs(x) > 0x1p59)
        return copysign(PI_HALF_1, x);
    return copysign(angle_of((Pair){fabs(x), 0.0}, (Pair){1.0, 0.0}), x);
}

/// sqrt(1 - x^2).
static Pair other_side(double x)
{
    const Pair q = product(x, x), d = sum(1.0, -q.hi);
    return pair_root(sum(d.hi, d.lo - q.lo));
}

double ri_asin(double x)
{
    const double a = fabs(x);
    if (!(a < 1.0))
        return a == 1.0 ? copysign(PI_HALF_1, x) : NAN;
    if (a < 0x1p-27)
        return x;
    return copysign(angle_of((Pair){a, 0.0}, other_side(a)), x);
}

double ri_acos(double x)
{
    const double a = fabs(x);
    if (!(a < 1.0))
        return x == 1.0 ? 0.0 : x == -1.0 ? PI_1 : NAN;
    if (a < 0x1p-60)
        return PI_HALF_1;
    return angle_of(other_side(a), (Pair){x, 0.0});
}

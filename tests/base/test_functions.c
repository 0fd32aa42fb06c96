// SPDX-License-Identifier: Apache-2.0
/// \file
/// Our elementary functions against long double ones: errors in units of the last place, special
/// values, order.
#include "check.h"

#include <float.h>

#include "base/functions.h"
#include "base/rng.h"

/// |got - want| in units of the last place of `want`.
static double ulps(double got, long double want)
{
    const double w = (double)want;
    if (got == w || (isnan(got) && isnan(w)))
        return 0.0;
    if (!isfinite(got) || !isfinite(w))
        return fabsl(want) > DBL_MAX * (1.0L - 1e-15L) ? 0.0 : 1e9;
    int e;
    frexp(w, &e);
    const long double unit = ldexpl(1.0L, (e < -1021 ? -1021 : e) - 53);
    return (double)(fabsl((long double)got - want) / unit);
}

/// A number between low and high, evenly in its logarithm if both have one sign and are far apart.
static double draw(RiRng *r, double low, double high)
{
    if (low > 0.0 && high > 100.0 * low)
        return exp(ri_rng_between(r, log(low), log(high)));
    return ri_rng_between(r, low, high);
}

typedef struct Row {
    const char *name;
    double (*ours)(double);
    long double (*reference)(long double);
    double low, high, bound; ///< range and allowed error [ulp]
} Row;

static const Row rows[] = {
    {"exp", ri_exp, expl, -708.0, 709.7, 0.55},
    {"exp", ri_exp, expl, -1.0, 1.0, 0.55},
    {"exp", ri_exp, expl, -745.0, -700.0, 1.0},
    {"exp2", ri_exp2, exp2l, -1022.0, 1023.9, 0.55},
    {"expm1", ri_expm1, expm1l, -2.0, 2.0, 0.8},
    {"expm1", ri_expm1, expm1l, 1e-300, 0.3, 0.8},
    {"expm1", ri_expm1, expm1l, -50.0, 709.0, 0.8},
    {"log", ri_log, logl, 1e-307, 1e308, 0.6},
    {"log", ri_log, logl, 0.5, 2.0, 0.6},
    {"log", ri_log, logl, 0.999, 1.001, 0.6},
    {"log", ri_log, logl, 5e-324, 1e-308, 0.8},
    {"log2", ri_log2, log2l, 1e-307, 1e308, 0.6},
    {"log2", ri_log2, log2l, 0.9, 1.1, 0.6},
    {"log10", ri_log10, log10l, 1e-307, 1e308, 0.6},
    {"log10", ri_log10, log10l, 0.9, 1.1, 0.6},
    {"log1p", ri_log1p, log1pl, -0.99999, 3.0, 0.8},
    {"log1p", ri_log1p, log1pl, 1e-300, 1e300, 0.8},
    {"log1p", ri_log1p, log1pl, -0.01, 0.01, 0.6},
    {"sin", ri_sin, sinl, -4.0, 4.0, 0.8},
    {"sin", ri_sin, sinl, -1e6, 1e6, 0.8},
    {"sin", ri_sin, sinl, 1e6, 1e300, 0.8},
    {"sin", ri_sin, sinl, 1e-300, 0.5, 0.8},
    {"cos", ri_cos, cosl, -4.0, 4.0, 0.8},
    {"cos", ri_cos, cosl, -1e6, 1e6, 0.8},
    {"cos", ri_cos, cosl, 1e6, 1e300, 0.8},
    {"tan", ri_tan, tanl, -1.5, 1.5, 0.9},
    {"tan", ri_tan, tanl, -1e6, 1e6, 0.9},
    {"tan", ri_tan, tanl, 1e6, 1e300, 0.9},
    {"asin", ri_asin, asinl, -1.0, 1.0, 0.6},
    {"asin", ri_asin, asinl, 0.999999, 1.0, 0.6},
    {"acos", ri_acos, acosl, -1.0, 1.0, 0.6},
    {"acos", ri_acos, acosl, 0.999999, 1.0, 0.6},
    {"atan", ri_atan, atanl, -2.0, 2.0, 0.6},
    {"atan", ri_atan, atanl, 1e-300, 1e300, 0.6},
    {"tanh", ri_tanh, tanhl, -25.0, 25.0, 2.5},
    {"tanh", ri_tanh, tanhl, 1e-300, 1.0, 2.5},
    {"cbrt", ri_cbrt, cbrtl, 1e-300, 1e300, 0.6},
    {"cbrt", ri_cbrt, cbrtl, -30.0, 30.0, 0.6},
    {"cbrt", ri_cbrt, cbrtl, 5e-324, 1e-308, 0.6},
};

TEST(errors_are_below_their_bounds)
{
    RiRng rng = ri_rng_stream(1, "functions");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double most = 0.0, at = 0.0;
        for (int k = 0; k < 100000; k++) {
            const double x = draw(&rng, rows[i].low, rows[i].high),
                         e = ulps(rows[i].ours(x), rows[i].reference((long double)x));
            if (!(e <= most))
                most = e, at = x;
        }
        printf("     %-6s %9.3g to %9.3g: %.3f ulp at %.17g\n", rows[i].name, rows[i].low, rows[i].high, most, at);
        CHECK(most <= rows[i].bound);
    }
}

TEST(sine_and_cosine_hold_near_every_multiple_of_a_quarter_turn)
{
    for (int n = -200000; n <= 200000; n += 7)
        for (int side = -1; side <= 1; side++) {
            const double at = n * 1.5707963267948966, x = side == 0 ? at : nextafter(at, side * 1e9);
            const long double s = sinl((long double)x), c = cosl((long double)x);
            CHECK(ulps(ri_sin(x), s) <= 0.8 && ulps(ri_cos(x), c) <= 0.8);
        }
    const double worst = 0x1.6ac5b262ca1ffp+849; // of all doubles the nearest to a multiple of pi/2
    CHECK(ulps(ri_cos(worst), -4.687165924254627611122582801963884e-19L) <= 0.8);
}

TEST(powers_are_within_0_7_ulp)
{
    RiRng rng = ri_rng_stream(2, "powers");
    double most = 0.0;
    for (int k = 0; k < 1000000; k++) {
        const double x = k & 1 ? draw(&rng, 1e-300, 1e300) : ri_rng_between(&rng, 0.5, 2.0);
        const double y = (k & 2 ? 2.0 : 690.0 / fmax(1e-3, fabs(log(x)))) * ri_rng_between(&rng, -1.0, 1.0);
        const double e = ulps(ri_pow(x, y), powl((long double)x, (long double)y));
        most = fmax(most, e);
    }
    printf("     %.3f ulp\n", most);
    CHECK(most <= 0.7);
    for (int n = 0; n < 60; n++) // integers that fit are exact
        CHECK(ri_pow(2.0, n) == ldexp(1.0, n) && ri_pow(-2.0, n) == (n & 1 ? -1.0 : 1.0) * ldexp(1.0, n));
    for (int n = 0; n <= 22; n++)
        CHECK(ri_pow(10.0, n) == (double)powl(10.0L, n));
    CHECK(ulps(ri_pow(5e-324, 0.5), sqrtl((long double)5e-324)) <= 0.6 && ri_pow(5e-324, 2.0) == 0.0);
}

TEST(angles_of_points_are_within_0_6_ulp)
{
    RiRng rng = ri_rng_stream(3, "angles");
    double most = 0.0, length = 0.0;
    for (int k = 0; k < 500000; k++) {
        const double size = k & 1 ? draw(&rng, 1e-300, 1e300) : 1.0, low = k & 2 ? draw(&rng, 1e-12, 1.0) : 1.0;
        const double x = size * ri_rng_between(&rng, -1.0, 1.0), y = size * low * ri_rng_between(&rng, -1.0, 1.0);
        most = fmax(most, ulps(ri_atan2(y, x), atan2l((long double)y, (long double)x)));
        most = fmax(most, ulps(ri_atan2(x, y), atan2l((long double)x, (long double)y)));
        length = fmax(length, ulps(ri_hypot(x, y), hypotl((long double)x, (long double)y)));
    }
    printf("     atan2 %.3f, hypot %.3f ulp\n", most, length);
    CHECK(most <= 0.6 && length <= 0.6);
}

static int same(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

static const double special[] = {0.0,     -0.0,   INFINITY, -INFINITY, NAN,        1.0,    -1.0,  2.0,    -2.0,
                                 0.5,     -0.5,   3.0,      -3.0,      1e308,      -1e308, 1e300, -1e300, 5e-324,
                                 -5e-324, 1e-310, 710.0,    -746,      0x1p53 + 2, 1e20,   -1e20};
enum { SPECIALS = sizeof special / sizeof *special };

/// The C library's answer where that is exact, else one ulp.
static void compare(const char *name, double x, double y, double got, double want)
{
    if (!same(got, want) && !(isfinite(got) && isfinite(want) && got != 0.0 && fabs(got - want) <= 3e-16 * fabs(want)))
        CHECK_FAIL("%s(%g, %g) = %.17g, the C library has %.17g", name, x, y, got, want);
}

TEST(special_values_are_those_of_the_standard)
{
    for (int i = 0; i < SPECIALS; i++) {
        const double x = special[i];
        const struct {
            const char *name;
            double got, want;
        } f[] = {{"exp", ri_exp(x), exp(x)},       {"exp2", ri_exp2(x), exp2(x)}, {"expm1", ri_expm1(x), expm1(x)},
                 {"log", ri_log(x), log(x)},       {"log2", ri_log2(x), log2(x)}, {"log10", ri_log10(x), log10(x)},
                 {"log1p", ri_log1p(x), log1p(x)}, {"sin", ri_sin(x), sin(x)},    {"cos", ri_cos(x), cos(x)},
                 {"tan", ri_tan(x), tan(x)},       {"asin", ri_asin(x), asin(x)}, {"acos", ri_acos(x), acos(x)},
                 {"atan", ri_atan(x), atan(x)},    {"tanh", ri_tanh(x), tanh(x)}, {"cbrt", ri_cbrt(x), cbrt(x)}};
        for (size_t k = 0; k < sizeof f / sizeof *f; k++)
            compare(f[k].name, x, 0.0, f[k].got, f[k].want);
        for (int j = 0; j < SPECIALS; j++) {
            const double y = special[j];
            compare("pow", x, y, ri_pow(x, y), pow(x, y));
            compare("atan2", x, y, ri_atan2(x, y), atan2(x, y));
            compare("hypot", x, y, ri_hypot(x, y), hypot(x, y));
        }
    }
}

TEST(neighbours_keep_their_order)
{
    double (*const rising[])(double) = {ri_exp, ri_expm1, ri_log, ri_log1p, ri_atan, ri_asin, ri_cbrt, ri_sin, ri_tan};
    RiRng rng = ri_rng_stream(4, "order");
    for (size_t i = 0; i < sizeof rising / sizeof *rising; i++)
        for (int k = 0; k < 20000; k++) {
            const double x = ri_rng_between(&rng, 0.01, 0.99), next = nextafter(x, 2.0);
            CHECK(rising[i](next) >= rising[i](x));
        }
}

TEST(odd_functions_are_odd_bit_by_bit)
{
    double (*const odd[])(double) = {ri_sin, ri_tan, ri_asin, ri_atan, ri_tanh, ri_cbrt};
    RiRng rng = ri_rng_stream(5, "odd");
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        for (int k = 0; k < 20000; k++) {
            const double x = ri_rng_between(&rng, 0.0, i == 2 ? 1.0 : 1e4);
            CHECK(odd[i](-x) == -odd[i](x) && ri_cos(-x) == ri_cos(x));
        }
}

TEST_MAIN(CASE(errors_are_below_their_bounds), CASE(sine_and_cosine_hold_near_every_multiple_of_a_quarter_turn),
          CASE(powers_are_within_0_7_ulp), CASE(angles_of_points_are_within_0_6_ulp),
          CASE(special_values_are_those_of_the_standard), CASE(neighbours_keep_their_order),
          CASE(odd_functions_are_odd_bit_by_bit))

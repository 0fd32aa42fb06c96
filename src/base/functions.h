// SPDX-License-Identifier: Apache-2.0
/// \file
/// Elementary functions that give the same bits on every machine.
///
/// The C library chooses its code for exp, sin, pow, ... by what the processor has (fused
/// multiply-add, AVX2), and every library has its own. Whatever reaches the state of a simulation
/// uses these functions instead. They are fixed sequences of sums, products, quotients and square
/// roots, which IEEE 754 rounds in one way only, and of operations on integers. They need rounding
/// to nearest and a compiler that contracts nothing (-ffp-contract=off).
///
/// Errors are below 0.9 ulp (tanh: 2.5 ulp; 1 ulp where results are subnormal), measured against
/// long double over millions of arguments: tests/base/test_functions.c. Special values (zeros,
/// infinities, NaN, domain errors) are those of C17, annex F. errno is not touched.
///
/// sqrt, fabs, floor, ceil, trunc, round, rint, fmod, fma, frexp, ldexp, copysign, nextafter are
/// exact or correctly rounded by definition: the C library's may be used.
#ifndef RI_BASE_FUNCTIONS_H
#define RI_BASE_FUNCTIONS_H

double ri_exp(double x);
double ri_exp2(double x);
double ri_expm1(double x); ///< exp(x) - 1, also for small x
double ri_log(double x);
double ri_log2(double x);
double ri_log10(double x);
double ri_log1p(double x); ///< log(1 + x), also for small x
double ri_pow(double x, double y);
double ri_sin(double x);
double ri_cos(double x);
double ri_tan(double x);
double ri_asin(double x);
double ri_acos(double x);
double ri_atan(double x);
double ri_atan2(double y, double x);
double ri_tanh(double x);
double ri_cbrt(double x);
double ri_hypot(double x, double y); ///< without overflow or underflow on the way

#endif

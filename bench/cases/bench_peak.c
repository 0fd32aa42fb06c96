// SPDX-License-Identifier: Apache-2.0
/// \file
/// Peak rate of double-precision fused multiply-adds. Twelve independent accumulators hide the
/// latency of the units (4 cycles, 2 per cycle, with some to spare); the operands never leave the
/// registers.
#include "bench/cases/bench_peak.h"

#include <math.h>

#include "bench/engine.h"

enum { CHAINS = 12, ROUNDS = 1000 };

/// Runs `count` rounds of twelve fused multiply-adds and returns something that depends on all of
/// them.
typedef double (*Kernel)(long count);

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("avx2,fma"))) static double kernel_avx2(long count)
{
    __m256d a[CHAINS];
    const __m256d x = _mm256_set1_pd(0.999999), y = _mm256_set1_pd(1e-9);
    for (int i = 0; i < CHAINS; i++)
        a[i] = _mm256_set1_pd(i);
    for (long k = 0; k < count; k++) {
#pragma GCC unroll 12
        for (int i = 0; i < CHAINS; i++)
            a[i] = _mm256_fmadd_pd(a[i], x, y);
    }
    for (int i = 1; i < CHAINS; i++)
        a[0] = _mm256_add_pd(a[0], a[i]);
    return _mm256_cvtsd_f64(a[0]);
}

__attribute__((target("avx512f"))) static double kernel_avx512(long count)
{
    __m512d a[CHAINS];
    const __m512d x = _mm512_set1_pd(0.999999), y = _mm512_set1_pd(1e-9);
    for (int i = 0; i < CHAINS; i++)
        a[i] = _mm512_set1_pd(i);
    for (long k = 0; k < count; k++) {
#pragma GCC unroll 12
        for (int i = 0; i < CHAINS; i++)
            a[i] = _mm512_fmadd_pd(a[i], x, y);
    }
    for (int i = 1; i < CHAINS; i++)
        a[0] = _mm512_add_pd(a[0], a[i]);
    return _mm512_cvtsd_f64(a[0]);
}
#endif

static double kernel_generic(long count)
{
    double a[CHAINS];
    for (int i = 0; i < CHAINS; i++)
        a[i] = i;
    for (long k = 0; k < count; k++)
        for (int i = 0; i < CHAINS; i++)
            a[i] = fma(a[i], 0.999999, 1e-9);
    double sum = 0.0;
    for (int i = 0; i < CHAINS; i++)
        sum += a[i];
    return sum;
}

static void call_kernel(void *model)
{
    volatile long count = ROUNDS; // unknown to the compiler, which would otherwise compute the answer once
    volatile double result = (*(Kernel *)model)(count);
    (void)result;
}

/// Rate of a kernel of vectors of `lanes` doubles; a fused multiply-add is two operations.
static double rate(Kernel kernel, int lanes, double seconds)
{
    return 2.0 * lanes * CHAINS * ROUNDS / bench_time(call_kernel, &kernel, seconds) * 1e-3;
}

double bench_peak_gflops(double seconds)
{
    double best = 0.0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        best = fmax(best, rate(kernel_avx512, 8, seconds));
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        best = fmax(best, rate(kernel_avx2, 4, seconds));
#endif
    return best > 0.0 ? best : rate(kernel_generic, 1, seconds);
}

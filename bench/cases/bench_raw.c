// SPDX-License-Identifier: Apache-2.0
/// \file
/// Raw rates of the machine for `rille bench terrain`.
#include "bench/cases/bench_raw.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { N = BENCH_RAW_SIDE, NN = N * N };

// --- trilinear -----------------------------------------------------------------------------------

static void trilinear_plain(const float *grid, int count, const float *x, const float *y, const float *z, float *out)
{
    for (int m = 0; m < count; m++) {
        const int i = (int)x[m], j = (int)y[m], k = (int)z[m];
        const float a = x[m] - (float)i, b = y[m] - (float)j, c = z[m] - (float)k;
        const float *p = grid + ((size_t)k * N + (size_t)j) * N + i, *q = p + NN;
        const float d00 = p[1] - p[0], d10 = p[N + 1] - p[N], d01 = q[1] - q[0], d11 = q[N + 1] - q[N];
        const float c00 = p[0] + a * d00, c10 = p[N] + a * d10, c01 = q[0] + a * d01, c11 = q[N] + a * d11;
        const float e0 = c10 - c00, e1 = c11 - c01, f0 = c00 + b * e0, f1 = c01 + b * e1;
        const float x0 = d00 + b * (d10 - d00), x1 = d01 + b * (d11 - d01);
        out[m] = f0 + c * (f1 - f0) + (x0 + c * (x1 - x0)) + (e0 + c * (e1 - e0)) + (f1 - f0);
    }
}

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,fma")))

AVX2 static inline __m256 mix(__m256 a, __m256 b, __m256 t)
{
    return _mm256_fmadd_ps(t, _mm256_sub_ps(b, a), a);
}

AVX2 static void trilinear_gather(const float *grid, int count, const float *xs, const float *ys, const float *zs,
                                  float *out)
{
    for (int m = 0; m < count; m += 8) {
        const __m256 x = _mm256_loadu_ps(xs + m), y = _mm256_loadu_ps(ys + m), z = _mm256_loadu_ps(zs + m);
        const __m256i i = _mm256_cvttps_epi32(x), j = _mm256_cvttps_epi32(y), k = _mm256_cvttps_epi32(z);
        const __m256 a = _mm256_sub_ps(x, _mm256_cvtepi32_ps(i)), b = _mm256_sub_ps(y, _mm256_cvtepi32_ps(j));
        const __m256 c = _mm256_sub_ps(z, _mm256_cvtepi32_ps(k));
        const __m256i at = _mm256_add_epi32(_mm256_slli_epi32(_mm256_add_epi32(_mm256_slli_epi32(k, 8), j), 8), i);
        const __m256 p0 = _mm256_i32gather_ps(grid, at, 4), p1 = _mm256_i32gather_ps(grid + 1, at, 4);
        const __m256 p2 = _mm256_i32gather_ps(grid + N, at, 4), p3 = _mm256_i32gather_ps(grid + N + 1, at, 4);
        const __m256 q0 = _mm256_i32gather_ps(grid + NN, at, 4), q1 = _mm256_i32gather_ps(grid + NN + 1, at, 4);
        const __m256 q2 = _mm256_i32gather_ps(grid + NN + N, at, 4), q3 = _mm256_i32gather_ps(grid + NN + N + 1, at, 4);
        const __m256 d00 = _mm256_sub_ps(p1, p0), d10 = _mm256_sub_ps(p3, p2), d01 = _mm256_sub_ps(q1, q0),
                     d11 = _mm256_sub_ps(q3, q2);
        const __m256 c00 = _mm256_fmadd_ps(a, d00, p0), c10 = _mm256_fmadd_ps(a, d10, p2),
                     c01 = _mm256_fmadd_ps(a, d01, q0), c11 = _mm256_fmadd_ps(a, d11, q2);
        const __m256 e0 = _mm256_sub_ps(c10, c00), e1 = _mm256_sub_ps(c11, c01);
        const __m256 f0 = _mm256_fmadd_ps(b, e0, c00), f1 = _mm256_fmadd_ps(b, e1, c01), gz = _mm256_sub_ps(f1, f0);
        const __m256 gx = mix(mix(d00, d10, b), mix(d01, d11, b), c), gy = mix(e0, e1, c);
        const __m256 value = _mm256_fmadd_ps(c, gz, f0);
        _mm256_storeu_ps(out + m, _mm256_add_ps(_mm256_add_ps(value, gx), _mm256_add_ps(gy, gz)));
    }
}
#endif

void bench_raw_trilinear(const float *grid, int count, const float *x, const float *y, const float *z, float *out)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        trilinear_gather(grid, count, x, y, z, out);
        return;
    }
#endif
    trilinear_plain(grid, count, x, y, z, out);
}

// --- memory --------------------------------------------------------------------------------------

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_raw_copy(double seconds)
{
    const size_t size = (size_t)64 << 20;
    char *a = malloc(size), *b = malloc(size);
    double rate = NAN;
    if (a && b) {
        memset(a, 1, size);
        memset(b, 2, size);
        const double start = now();
        double bytes = 0.0, spent;
        do {
            memcpy(b, a, size);
            a[(size_t)bytes % size] = b[0]; // the copy is used
            bytes += 2.0 * (double)size;
            spent = now() - start;
        } while (spent < seconds);
        rate = bytes / spent * 1e-9;
    }
    free(a);
    free(b);
    return rate;
}

// --- Embree --------------------------------------------------------------------------------------

#ifdef RILLE_HAVE_EMBREE
#include <embree3/rtcore.h>

struct BenchRawMesh {
    RTCDevice device;
    RTCScene scene;
    const float (*points)[3];
    const uint32_t (*triangles)[3];
};

BenchRawMesh *bench_raw_mesh(int point_count, const float (*points)[3], int triangle_count,
                             const uint32_t (*triangles)[3])
{
    BenchRawMesh *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->points = points;
    m->triangles = triangles;
    m->device = rtcNewDevice("isa=avx2,threads=1");
    if (!m->device)
        m->device = rtcNewDevice("threads=1");
    m->scene = rtcNewScene(m->device);
    RTCGeometry g = rtcNewGeometry(m->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    memcpy(rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, (size_t)point_count), points,
           12 * (size_t)point_count);
    memcpy(rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, (size_t)triangle_count),
           triangles, 12 * (size_t)triangle_count);
    rtcCommitGeometry(g);
    rtcAttachGeometry(m->scene, g);
    rtcReleaseGeometry(g);
    rtcCommitScene(m->scene);
    return m;
}

void bench_raw_mesh_free(BenchRawMesh *m)
{
    if (!m)
        return;
    rtcReleaseScene(m->scene);
    rtcReleaseDevice(m->device);
    free(m);
}

typedef struct F3 {
    float x, y, z;
} F3;

static inline F3 sub3(F3 a, F3 b)
{
    return (F3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline float dot3(F3 a, F3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline F3 point3(const float p[3])
{
    return (F3){p[0], p[1], p[2]};
}

typedef struct Nearest {
    const BenchRawMesh *m;
    float distance;
} Nearest;

static bool try_triangle(struct RTCPointQueryFunctionArguments *args)
{
    Nearest *s = args->userPtr;
    const uint32_t *t = s->m->triangles[args->primID];
    const F3 a = point3(s->m->points[t[0]]), b = point3(s->m->points[t[1]]), c = point3(s->m->points[t[2]]);
    const F3 p = {args->query->x, args->query->y, args->query->z};
    const F3 ab = sub3(b, a), ac = sub3(c, a), ap = sub3(p, a), bp = sub3(p, b), cp = sub3(p, c);
    const float d1 = dot3(ab, ap), d2 = dot3(ac, ap), d3 = dot3(ab, bp), d4 = dot3(ac, bp), d5 = dot3(ab, cp),
                d6 = dot3(ac, cp);
    const float vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    float v, w;
    if (d1 <= 0 && d2 <= 0)
        v = w = 0;
    else if (d3 >= 0 && d4 <= d3)
        v = 1, w = 0;
    else if (vc <= 0 && d1 >= 0 && d3 <= 0)
        v = d1 / (d1 - d3), w = 0;
    else if (d6 >= 0 && d5 <= d6)
        v = 0, w = 1;
    else if (vb <= 0 && d2 >= 0 && d6 <= 0)
        v = 0, w = d2 / (d2 - d6);
    else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
        w = (d4 - d3) / ((d4 - d3) + (d5 - d6)), v = 1 - w;
    else
        v = vb / (va + vb + vc), w = vc / (va + vb + vc);
    const F3 e = {ap.x - v * ab.x - w * ac.x, ap.y - v * ab.y - w * ac.y, ap.z - v * ab.z - w * ac.z};
    const float d = sqrtf(dot3(e, e));
    if (d >= s->distance)
        return false;
    s->distance = args->query->radius = d;
    return true;
}

void bench_raw_closest(const BenchRawMesh *m, int count, const float (*points)[3], float *out)
{
    for (int i = 0; i < count; i++) {
        struct RTCPointQueryContext context;
        struct RTCPointQuery q = {.x = points[i][0], .y = points[i][1], .z = points[i][2], .radius = FLT_MAX / 4};
        Nearest s = {m, FLT_MAX};
        rtcInitPointQueryContext(&context);
        rtcPointQuery(m->scene, &q, &context, try_triangle, &s);
        out[i] = s.distance;
    }
}

#else

BenchRawMesh *bench_raw_mesh(int point_count, const float (*points)[3], int triangle_count,
                             const uint32_t (*triangles)[3])
{
    (void)point_count, (void)points, (void)triangle_count, (void)triangles;
    return NULL;
}

void bench_raw_mesh_free(BenchRawMesh *m)
{
    (void)m;
}

void bench_raw_closest(const BenchRawMesh *m, int count, const float (*points)[3], float *out)
{
    (void)m, (void)points;
    for (int i = 0; i < count; i++)
        out[i] = NAN;
}
#endif

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Cyclic Jacobi rotations [golub2013, 8.5]: each makes one pair of off-diagonal entries zero;
/// sweeps go on until all are.
#include "study/campaign/eigen.h"

#include <math.h>
#include <string.h>

/// Rotates rows and columns p, q of S and columns p, q of V so that S_pq = 0.
static void rotate(int n, double *S, double *V, int p, int q)
{
    const double theta = 0.5 * (S[q * n + q] - S[p * n + p]) / S[p * n + q];
    const double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < n; k++) {
        const double a = S[k * n + p], b = S[k * n + q];
        S[k * n + p] = c * a - s * b;
        S[k * n + q] = s * a + c * b;
    }
    for (int k = 0; k < n; k++) {
        const double a = S[p * n + k], b = S[q * n + k], u = V[k * n + p], v = V[k * n + q];
        S[p * n + k] = c * a - s * b;
        S[q * n + k] = s * a + c * b;
        V[k * n + p] = c * u - s * v;
        V[k * n + q] = s * u + c * v;
    }
}

void ri_eigen_symmetric(int n, double *A, double *out_values)
{
    double V[64 * 64];
    memset(V, 0, sizeof V);
    for (int i = 0; i < n; i++)
        V[i * n + i] = 1.0;
    for (int sweep = 0; sweep < 60; sweep++) {
        double off = 0.0, all = 0.0;
        for (int i = 0; i < n * n; i++)
            all += A[i] * A[i];
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                off += A[p * n + q] * A[p * n + q];
        if (!(off > 1e-32 * all))
            break;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                if (fabs(A[p * n + q]) > 1e-300)
                    rotate(n, A, V, p, q);
    }
    for (int i = 0; i < n; i++)
        out_values[i] = A[i * n + i];
    memcpy(A, V, (size_t)(n * n) * sizeof *A);
}

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Householder QR with column pivoting [golub2013, 5.4.2], LDL^T and LU with partial pivoting
/// [golub2013, 3.4].
#include "math/dense.h"

#include <math.h>

bool ri_all_finite(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

static double column_norm2(int rows, int cols, const double *A, int from, int column)
{
    double sum = 0.0;
    for (int i = from; i < rows; i++)
        sum += A[i * cols + column] * A[i * cols + column];
    return sum;
}

static void swap_columns(int rows, int cols, double *A, int a, int b)
{
    for (int i = 0; i < rows; i++) {
        const double t = A[i * cols + a];
        A[i * cols + a] = A[i * cols + b];
        A[i * cols + b] = t;
    }
}

/// Makes the reflector of column k below row k and applies it to the columns right of k.
static double reflect_column(int rows, int cols, double *A, int k)
{
    const double norm = sqrt(column_norm2(rows, cols, A, k, k));
    if (norm == 0.0)
        return 0.0;
    const double head = A[k * cols + k];
    const double alpha = head > 0.0 ? -norm : norm;
    const double v0 = head - alpha; // reflector (1, v/v0)
    for (int i = k + 1; i < rows; i++)
        A[i * cols + k] /= v0;
    const double beta = -v0 / alpha;
    A[k * cols + k] = alpha;
    for (int c = k + 1; c < cols; c++) {
        double dot = A[k * cols + c];
        for (int i = k + 1; i < rows; i++)
            dot += A[i * cols + k] * A[i * cols + c];
        dot *= beta;
        A[k * cols + c] -= dot;
        for (int i = k + 1; i < rows; i++)
            A[i * cols + c] -= dot * A[i * cols + k];
    }
    return beta;
}

int ri_qr_factor(int rows, int cols, double *A, double *beta, int *pivot, double tolerance)
{
    const int steps = rows < cols ? rows : cols;
    for (int c = 0; c < cols; c++)
        pivot[c] = c;
    int rank = 0;
    for (int k = 0; k < steps; k++) {
        int best = k;
        double most = -1.0;
        for (int c = k; c < cols; c++) {
            const double n = column_norm2(rows, cols, A, k, c);
            if (n > most) {
                most = n;
                best = c;
            }
        }
        swap_columns(rows, cols, A, k, best);
        const int p = pivot[k];
        pivot[k] = pivot[best];
        pivot[best] = p;
        beta[k] = reflect_column(rows, cols, A, k);
        if (fabs(A[k * cols + k]) > tolerance * fabs(A[0]) && A[0] != 0.0)
            rank = k + 1;
        else
            break;
    }
    return rank;
}

/// b <- H_k b.
static void apply_reflector(int rows, int cols, const double *QR, double beta, int k, double *b)
{
    double dot = b[k];
    for (int i = k + 1; i < rows; i++)
        dot += QR[i * cols + k] * b[i];
    dot *= beta;
    b[k] -= dot;
    for (int i = k + 1; i < rows; i++)
        b[i] -= dot * QR[i * cols + k];
}

void ri_qr_solve(int rows, int cols, const double *QR, const double *beta, const int *pivot, int rank, double *b,
                 double *out_x)
{
    for (int k = 0; k < rank; k++)
        apply_reflector(rows, cols, QR, beta[k], k, b);
    for (int c = 0; c < cols; c++)
        out_x[c] = 0.0;
    for (int k = rank - 1; k >= 0; k--) {
        double sum = b[k];
        for (int c = k + 1; c < rank; c++)
            sum -= QR[k * cols + c] * out_x[pivot[c]];
        out_x[pivot[k]] = sum / QR[k * cols + k];
    }
}

void ri_qr_solve_transposed(int rows, int cols, const double *QR, const double *beta, const int *pivot, int rank,
                            const double *b, double *out_x)
{
    for (int i = 0; i < rows; i++)
        out_x[i] = 0.0;
    for (int k = 0; k < rank; k++) { // R^T y = P^T b, forward
        double sum = b[pivot[k]];
        for (int i = 0; i < k; i++)
            sum -= QR[i * cols + k] * out_x[i];
        out_x[k] = sum / QR[k * cols + k];
    }
    for (int k = rank - 1; k >= 0; k--) // x = Q y
        apply_reflector(rows, cols, QR, beta[k], k, out_x);
}

bool ri_ldl_factor(int n, double *A, double floor)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++)
        largest = A[i * n + i] > largest ? A[i * n + i] : largest;
    for (int k = 0; k < n; k++) { // right-looking: one division per pivot
        if (!(A[k * n + k] > floor * largest))
            return false;
        const double inv = A[k * n + k] = 1.0 / A[k * n + k];
        for (int i = k + 1; i < n; i++) {
            const double f = A[i * n + k] * inv;
            for (int j = k + 1; j <= i; j++)
                A[i * n + j] -= f * A[j * n + k];
        }
        for (int i = k + 1; i < n; i++)
            A[i * n + k] *= inv;
    }
    return true;
}

void ri_ldl_solve(int n, const double *LD, double *x)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            x[i] -= LD[i * n + k] * x[k];
    for (int i = 0; i < n; i++)
        x[i] *= LD[i * n + i];
    for (int i = n - 1; i >= 0; i--)
        for (int k = i + 1; k < n; k++)
            x[i] -= LD[k * n + i] * x[k];
}

static void swap(double *a, double *b)
{
    const double t = *a;
    *a = *b;
    *b = t;
}

bool ri_lu_factor(int n, double *A, int *pivot)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            best = fabs(A[i * n + k]) > fabs(A[best * n + k]) ? i : best;
        pivot[k] = best;
        for (int j = 0; j < n && best != k; j++)
            swap(&A[k * n + j], &A[best * n + j]);
        if (!(fabs(A[k * n + k]) > 0.0))
            return false;
        const double inv = A[k * n + k] = 1.0 / A[k * n + k];
        for (int i = k + 1; i < n; i++) {
            const double f = A[i * n + k] *= inv;
            for (int j = k + 1; j < n; j++)
                A[i * n + j] -= f * A[k * n + j];
        }
    }
    return true;
}

void ri_lu_solve(int n, const double *LU, const int *pivot, double *x)
{
    for (int k = 0; k < n; k++)
        if (pivot[k] != k)
            swap(&x[k], &x[pivot[k]]);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            x[i] -= LU[i * n + k] * x[k];
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            x[i] -= LU[i * n + k] * x[k];
        x[i] *= LU[i * n + i];
    }
}

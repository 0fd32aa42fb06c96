// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "math/dense.h"
#include "support/robots.h"

enum { MOST = 12 };

static void fill(RiRng *rng, double *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = ri_rng_between(rng, -1.0, 1.0);
}

/// rows x cols of rank `rank`: a product of two random factors.
static void fill_rank(RiRng *rng, int rows, int cols, int rank, double *A)
{
    double L[MOST * MOST], R[MOST * MOST];
    fill(rng, L, rows * rank);
    fill(rng, R, rank * cols);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < cols; k++) {
            A[i * cols + k] = 0.0;
            for (int l = 0; l < rank; l++)
                A[i * cols + k] += L[i * rank + l] * R[l * cols + k];
        }
}

/// y = A x (or A^T x).
static void apply(int rows, int cols, const double *A, bool transposed, const double *x, double *y)
{
    memset(y, 0, (size_t)(transposed ? cols : rows) * sizeof *y);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < cols; k++)
            y[transposed ? k : i] += A[i * cols + k] * x[transposed ? i : k];
}

/// Rank is found, and the least-squares residual is orthogonal to the columns.
static void check_least_squares(RiRng *rng, int rows, int cols, int rank)
{
    double A[MOST * MOST] = {0.0}, QR[MOST * MOST], beta[MOST], b[MOST] = {0.0}, rhs[MOST], x[MOST], Ax[MOST],
                    normal[MOST];
    int pivot[MOST];
    fill_rank(rng, rows, cols, rank, A);
    memcpy(QR, A, sizeof QR);
    CHECK_INT(ri_qr_factor(rows, cols, QR, beta, pivot, 1e-9), rank);
    fill(rng, b, rows);
    memcpy(rhs, b, sizeof rhs);
    ri_qr_solve(rows, cols, QR, beta, pivot, rank, rhs, x);
    apply(rows, cols, A, false, x, Ax);
    for (int i = 0; i < rows; i++)
        Ax[i] -= b[i];
    apply(rows, cols, A, true, Ax, normal);
    CHECK_CLOSE(largest(normal, cols), 0.0, 1e-10 * (1.0 + largest(x, cols)));
}

/// A^T x = b has a solution when b is in the range; the one of least norm lies in the range of A.
static void check_transposed(RiRng *rng, int rows, int cols, int rank)
{
    double A[MOST * MOST] = {0.0}, QR[MOST * MOST], beta[MOST], y[MOST], b[MOST], x[MOST], back[MOST];
    int pivot[MOST];
    fill_rank(rng, rows, cols, rank, A);
    memcpy(QR, A, sizeof QR);
    const int found = ri_qr_factor(rows, cols, QR, beta, pivot, 1e-9);
    fill(rng, y, rows);
    apply(rows, cols, A, true, y, b);
    ri_qr_solve_transposed(rows, cols, QR, beta, pivot, found, b, x);
    apply(rows, cols, A, true, x, back);
    CHECK_CLOSE(largest_difference(back, b, cols), 0.0, 1e-10 * (1.0 + largest(x, rows)));
    double xx = 0.0, yy = 0.0, rest[MOST], z[MOST];
    for (int i = 0; i < rows; i++) {
        xx += x[i] * x[i];
        yy += y[i] * y[i];
        rest[i] = x[i];
    }
    CHECK(xx <= yy * (1.0 + 1e-9));
    ri_qr_solve(rows, cols, QR, beta, pivot, found, rest, z); // x = A z: nothing of it is outside the range
    apply(rows, cols, A, false, z, rest);
    CHECK_CLOSE(largest_difference(rest, x, rows), 0.0, 1e-9 * (1.0 + largest(x, rows)));
}

TEST(qr_finds_rank_and_least_squares)
{
    RiRng rng = ri_rng_stream(1, "qr");
    for (int i = 0; i < 2000; i++) {
        const int rows = 1 + ri_rng_below(&rng, MOST), cols = 1 + ri_rng_below(&rng, MOST);
        const int full = rows < cols ? rows : cols, rank = 1 + ri_rng_below(&rng, full);
        check_least_squares(&rng, rows, cols, rank);
        check_transposed(&rng, rows, cols, rank);
    }
}

TEST(qr_of_nothing_has_rank_zero)
{
    double A[6] = {0.0}, beta[3], b[2] = {1.0, 2.0}, x[3] = {9.0, 9.0, 9.0};
    int pivot[3];
    CHECK_INT(ri_qr_factor(2, 3, A, beta, pivot, 1e-9), 0);
    ri_qr_solve(2, 3, A, beta, pivot, 0, b, x);
    CHECK(x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0);
}

TEST(ldl_solves_positive_definite_systems)
{
    RiRng rng = ri_rng_stream(2, "ldl");
    for (int i = 0; i < 1000; i++) {
        const int n = 1 + ri_rng_below(&rng, MOST);
        double B[MOST * MOST], A[MOST * MOST] = {0.0}, LD[MOST * MOST], x[MOST] = {0.0}, y[MOST];
        fill(&rng, B, n * n);
        for (int r = 0; r < n; r++)
            for (int c = 0; c < n; c++) {
                A[r * n + c] = r == c ? 0.1 : 0.0;
                for (int k = 0; k < n; k++)
                    A[r * n + c] += B[r * n + k] * B[c * n + k];
            }
        memcpy(LD, A, sizeof LD);
        REQUIRE(ri_ldl_factor(n, LD, 1e-12));
        fill(&rng, x, n);
        memcpy(y, x, sizeof y);
        ri_ldl_solve(n, LD, y);
        double back[MOST];
        apply(n, n, A, false, y, back);
        CHECK_CLOSE(largest_difference(back, x, n), 0.0, 1e-12 * (1.0 + largest(y, n)) * n);
    }
}

TEST(ldl_refuses_what_is_not_positive_definite)
{
    double zero[4] = {0.0}, indefinite[4] = {1.0, 2.0, 2.0, 1.0}, singular[4] = {1.0, 1.0, 1.0, 1.0}, bad[1] = {NAN};
    CHECK(!ri_ldl_factor(2, zero, 1e-12));
    CHECK(!ri_ldl_factor(2, indefinite, 1e-12));
    CHECK(!ri_ldl_factor(2, singular, 1e-12));
    CHECK(!ri_ldl_factor(1, bad, 1e-12));
}

TEST_MAIN(CASE(qr_finds_rank_and_least_squares), CASE(qr_of_nothing_has_rank_zero),
          CASE(ldl_solves_positive_definite_systems), CASE(ldl_refuses_what_is_not_positive_definite))

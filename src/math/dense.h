// SPDX-License-Identifier: Apache-2.0
/// \file
/// Small dense linear algebra: column-pivoted QR for loop equations, LDL^T for joint-space
/// inertias, LU for matrices without symmetry. Row-major, in place, no allocation.
#ifndef RI_MATH_DENSE_H
#define RI_MATH_DENSE_H

#include <stdbool.h>

/// Whether none of n numbers is infinite or NaN.
bool ri_all_finite(const double *x, int n);

/// Factors A (rows x cols) = Q R P^T by Householder reflections with column pivoting. On return A
/// holds R in its upper triangle and the reflectors below, beta[k] their factors, pivot[k] the
/// column moved to place k. Returns the rank: the number of diagonal entries of R larger than
/// `tolerance` times the first.
int ri_qr_factor(int rows, int cols, double *A, double *beta, int *pivot, double tolerance);

/// Least-squares solution of A x = b with the first `rank` pivoted columns; other components of x
/// are zero. b (rows) is overwritten.
void ri_qr_solve(int rows, int cols, const double *QR, const double *beta, const int *pivot, int rank, double *b,
                 double *out_x);

/// The x (rows) of least norm with A^T x = b (cols), in the first `rank` pivoted equations.
void ri_qr_solve_transposed(int rows, int cols, const double *QR, const double *beta, const int *pivot, int rank,
                            const double *b, double *out_x);

/// Factors the symmetric positive definite A (n x n) = L D L^T, unit L below the diagonal, 1/D on
/// it. False if a pivot is not above `floor` times the largest diagonal entry.
bool ri_ldl_factor(int n, double *A, double floor);

/// x <- A^-1 x from ri_ldl_factor.
void ri_ldl_solve(int n, const double *LD, double *x);

/// Factors A (n x n), rows exchanged as pivot says: unit L below the diagonal, U above, 1/U on it.
/// False if it is singular.
bool ri_lu_factor(int n, double *A, int *pivot);

/// x <- A^-1 x from ri_lu_factor.
void ri_lu_solve(int n, const double *LU, const int *pivot, double *x);

#endif

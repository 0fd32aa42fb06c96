// SPDX-License-Identifier: Apache-2.0
/// \file
/// Eigenvalues and eigenvectors of a small symmetric matrix by Jacobi rotations.
#ifndef RI_STUDY_CAMPAIGN_EIGEN_H
#define RI_STUDY_CAMPAIGN_EIGEN_H

/// Replaces the symmetric A (n x n, row-major, n at most 64) by its eigenvectors, one per column;
/// eigenvalues go to out_values, in no order.
void ri_eigen_symmetric(int n, double *A, double *out_values);

#endif

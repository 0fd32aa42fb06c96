// SPDX-License-Identifier: Apache-2.0
/// \file
/// Siconos Numerics as a second solver of cone problems, to compare with. Loaded when it is asked
/// for; nothing else needs it.
///
///     siconos_open(problem, solver) --> siconos_solve --> r, u, to be judged by ri_cone_residual
#ifndef RILLE_APP_SICONOS_H
#define RILLE_APP_SICONOS_H

#include <stdbool.h>

#include <rille/cone.h>

typedef enum SiconosSolver { SICONOS_NSGS, SICONOS_NSN_AC, SICONOS_ADMM, SICONOS_SOLVERS } SiconosSolver;
const char *siconos_solver_name(SiconosSolver solver);

typedef struct Siconos Siconos;
/// A copy of the problem inside Siconos, W stored by blocks or dense. Elliptic cones are not known
/// there. NULL with a reason if that cannot be.
Siconos *siconos_open(const RiConeProblem *problem, SiconosSolver solver, bool blocks, double tolerance,
                      int max_iterations, const char **out_why);
void siconos_close(Siconos *s);
/// Another q (3n) for the same matrix.
void siconos_set_q(Siconos *s, const double *q);
/// Solves from the first guess r; returns its own verdict, 0 for solved.
int siconos_solve(Siconos *s, double *r, double *u);
int siconos_iterations(const Siconos *s);

#endif

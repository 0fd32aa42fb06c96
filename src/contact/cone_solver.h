// SPDX-License-Identifier: Apache-2.0
/// \file
/// The parts of the cone solver and what they share. cone_load.c makes the working copy,
/// cone_newton.c sweeps and takes Newton steps, cone_alart.c, cone_interior.c and cone_rescue.c
/// have the methods for problems on which those fail, cone_solve.c puts them in order,
/// cone_verdict.c says how it ended.
#ifndef RI_CONTACT_CONE_SOLVER_H
#define RI_CONTACT_CONE_SOLVER_H

#include "base/memory.h"
#include "contact/cone_work.h"

/// What solving Newton's system without a matrix needs: vectors of unknowns, of contacts (4 each),
/// and the inverse of what each contact has of its own.
typedef struct RiConeKrylov {
    double *residual, *shadow, *search, *along, *half, *other, *trial, *sum;
    double *move, *change, *zero;
    double *inverse; ///< 9 each, of the first 1 to 3 unknowns
} RiConeKrylov;

struct RiConeSolver {
    RiContext *ctx;
    RiArena arena;
    int max_contacts, max_blocks;
    size_t bytes;
    const RiConeKernels *k;
    RiConeWork w;
    RiConeNewton t;
    double *q;    ///< of the problem; w.q is that of the regularised one
    double *base; ///< r where a Newton step starts
    double *best; ///< r with the least residual so far
    double *kept; ///< u that belongs to base
    double *near; ///< r that the regularised problem is tied to
    double *own;  ///< diagonal of W
    double *dual; ///< of the splitting: minus velocity over rho
    double *rho;  ///< of the map of Alart and Curnier
    unsigned char *base_state;
    unsigned char *factor_state; ///< what the contacts did when the matrix was factored
    int factor_n;                ///< contacts of the factored matrix; 0: none
    bool factor_dense;           ///< with exchanges of rows
    bool vast;                   ///< too large for a matrix of all unknowns
    RiConeKrylov krylov;         ///< if vast
    double swept;                ///< spent on sweeps in the place of a factor since the last one [ns, roughly]
    double alpha;                ///< of the regularised problem; 0: the problem itself
    double scale;                ///< |q|, or 1
    double diagonal;             ///< largest of W
    double shift;                ///< of the Newton matrix, over `diagonal`
    double tolerance;
    double residual, best_residual;
    double rounding; ///< residual that rounding alone leaves; known once a method has failed
    double least;    ///< no solution has smaller reactions, where that is more than any solution may have; else 0
    bool raising;    ///< friction is not that of the problem
    int budget;      ///< iterations left
    RiConeResult *result;
};

enum { FACTORED = 4000 }; ///< contacts up to which a solver has room for a factor

enum {
    SMALL_UNKNOWNS = 40, ///< up to so many a new matrix is as cheap as a step with an old one
    DENSE_UNKNOWNS = 40  ///< up to so many the matrix is factored with exchanges of rows
};

#define SHIFT_MOST 1e-2

/// The proof that there is no solution: alpha over the diagonal of W, and the reaction over |q| /
/// diagonal that no solution is expected to have.
#define HOPELESS_ALPHA    1e-12
#define HOPELESS_REACTION 1e6
enum { HOPELESS_STEPS = 30 };

/// Makes the working copy of a problem. False: `why` is what is wrong with it.
bool ri_cone_load(RiConeSolver *s, const RiConeProblem *p, const char **why);
/// What solving each contact alone needs, from the diagonal blocks; mu NULL: friction stays.
void ri_cone_load_locals(RiConeSolver *s, const double *mu);
bool ri_cone_all_finite(const double *x, size_t count);

/// Velocities at w.r and the inner residual: the natural map with rho = 1 / weight <= 1 in units of
/// velocity, never below the outer one.
double ri_cone_measure(RiConeSolver *s);
void ri_cone_keep_best(RiConeSolver *s);
void ri_cone_sweep(RiConeSolver *s, int count);
/// Numbers the unknowns and finds the profile of the reduced matrix.
void ri_cone_plan(RiConeSolver *s);
/// Factors the reduced matrix for what the contacts do.
bool ri_cone_factor(RiConeSolver *s);
/// Sweeps and Newton steps until the residual is within `tolerance`. False: no progress, or the
/// budget is used up.
bool ri_cone_iterate(RiConeSolver *s, double tolerance, int patience);
/// Sweeps from nothing for as long as they get somewhere, with Newton steps each time the residual
/// has fallen to a tenth.
bool ri_cone_sweep_on(RiConeSolver *s, int most);

/// Solves the factored system; t.x is its right hand side and becomes its solution. False: there is
/// none, or in a vast problem, none was found.
bool ri_cone_solve_system(RiConeSolver *s);

/// The same without a matrix, for vast problems, until `share` of the right hand side is left.
void ri_cone_krylov_prepare(RiConeSolver *s);
bool ri_cone_krylov(RiConeSolver *s, double share);
/// The system of contacts that all stick, from the guess r (4 per contact), which becomes the
/// solution as t.x does.
void ri_cone_krylov_from(RiConeSolver *s, double *r);
/// Every method that needs no matrix, for vast problems.
void ri_cone_solve_vast(RiConeSolver *s);

/// The methods for hard problems. Each starts from what it likes and leaves the best point found in
/// `best`; true if that is a solution. `stretch` multiplies rho.
bool ri_cone_alart(RiConeSolver *s, double stretch, double tolerance, int steps);
bool ri_cone_alart_again(RiConeSolver *s, int steps);
bool ri_cone_interior(RiConeSolver *s, int steps);
bool ri_cone_split(RiConeSolver *s, int passes);
bool ri_cone_raise_friction(RiConeSolver *s, const double *mu);
/// `first` is the first alpha over the diagonal of W; `bold`: goes on from where it is after a
/// failure, not from the best point.
bool ri_cone_proximal(RiConeSolver *s, double first, bool bold);
bool ri_cone_proximal_close(RiConeSolver *s, int rounds);
/// Adds alpha (r - near) to the velocities: W + alpha on the diagonal, q - alpha near.
void ri_cone_regularise(RiConeSolver *s, double alpha);

/// Whether the best point is as good as double precision allows; nothing more is tried then.
/// `reactions`: their own rounding counts, which a solution with more room inside the cones may not
/// have.
bool ri_cone_is_exhausted(RiConeSolver *s, bool reactions);
/// Whether no reactions of any size that matters keep contacts from closing, whatever their
/// friction. Proven by pressures y >= 0 along normals with W' y = 0 and y . q < 0, which the
/// problem without friction made regular shows.
bool ri_cone_is_hopeless(RiConeSolver *s, const double *mu);
/// Sets `end` and `reason` of the result.
void ri_cone_explain(RiConeSolver *s, const RiConeProblem *p, const double *r, const double *u);

#endif

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Soil that a wheel moves: berms beside its rut, a heap behind a wheel that spins, both at the
/// angle of repose.
///
/// **Nothing is lost.** Depths are whole numbers of RI_QUANTUM, 2^-24 m = 60 nm: a float holds them
/// exactly up to 1 m, so sums over cells are exact and what one cell loses another gets, to the
/// bit. Tests: tests/soil/test_berm.c. Equations: docs/theory/soil-ground.md.
#ifndef RI_SOIL_BERM_H
#define RI_SOIL_BERM_H

#include <stdint.h>

#include <rille/ground.h>
#include <rille/math.h>

#define RI_QUANTUM 0x1p-24 ///< of depth [m]

enum { RI_BERM_SIDE_MAX = 512, RI_BERM_SWEEPS = 24 };

/// Heights of the ground as it was around a wheel, kept from one look to the next: a wheel that
/// moves by a cell asks for one row. Nothing but what the terrain would answer again, so it is no
/// state.
typedef struct RiBermGround {
    int side;           ///< cell (i, j) is at (i mod side, j mod side)
    int i0, j0, nx, ny; ///< the cells that are known
    double *z;          ///< [m]; NaN: no ground
} RiBermGround;

/// Cells around a wheel, row by row, heights in quanta.
typedef struct RiBermPatch {
    int room;             ///< cells that the arrays hold
    int i0, j0, nx, ny;   ///< first cell and size
    RiBermGround *ground; ///< of the wheel at work
    int32_t *base;        ///< ground as it was, above the wheel's lowest point
    int32_t *depth;       ///< of the surface below it
    int32_t *loose;       ///< thickness of loose soil
    int32_t *surface;     ///< while soil slides: base - depth; INT32_MAX where nothing may come to lie
    int32_t *gain;        ///< likewise: what a sweep brings to a cell
    int32_t *near;        ///< cells that the wheel stands on or where soil may be laid down
    int near_count;
    unsigned char *state; ///< RiBermCell
    unsigned char *ways,
        *givers; ///< while soil slides: bits of the neighbours that a cell gives to; cells that give to it
} RiBermPatch;

typedef enum RiBermCell {
    RI_BERM_OUT = 1,  ///< no ground here
    RI_BERM_HELD = 2, ///< the wheel stands on it: gives and takes nothing
    RI_BERM_NEW = 4   ///< changed; above it is where soil may be laid down
} RiBermCell;

/// The wheel at work on the ground.
typedef struct RiBermWheel {
    RiVec3 hub;
    RiMat3 R;             ///< wheel frame (soil.h) in the world
    double radius, width; ///< [m]
    double sign;          ///< +1 rolls forward, -1 backward
    double back;          ///< length just pressed behind the lowest line [m]
    double slip;          ///< -1 to 1
    double side;          ///< sine of the slip angle: to the left positive
    double entry;         ///< angle at which the rim enters [rad]
    double repose;        ///< tangent of the angle of repose
} RiBermWheel;

/// Cells that a patch around a wheel of this size may have on a side, and in all; 0: more than
/// RI_BERM_SIDE_MAX.
int ri_berm_side(double radius, double width, double cell);
int ri_berm_room(double radius, double width, double cell);
/// Depth in quanta, to the nearest one.
int32_t ri_berm_quanta(double depth);

/// Reads the ground around a wheel into a patch whose arrays hold ri_berm_room cells, and whose
/// `ground` has ri_berm_side on a side.
void ri_berm_load(const RiTerrain *t, const RiRuts *r, const RiBermWheel *w, RiBermPatch *p);
/// Lays soil that the wheel has displaced down beside, before and behind it. What finds no cell, or
/// does not divide evenly among cells, comes back.
int64_t ri_berm_spread(RiBermPatch *p, const RiBermWheel *w, int64_t displaced);
/// Takes soil from under the front of the wheel, no deeper than the rim, and lays it down behind.
/// Returns what was moved of `wanted`; what was taken and not laid down goes to out_rest.
int64_t ri_berm_dig(RiBermPatch *p, const RiRuts *r, const RiBermWheel *w, int64_t wanted, int64_t *out_rest);
/// Lets loose soil slide where it is steeper than `repose`, in at most `sweeps` passes. True if
/// the last of them moved nothing.
bool ri_berm_relax(RiBermPatch *p, double cell, double repose, int sweeps);
/// Writes changed cells back.
RI_MUST_CHECK RiStatus ri_berm_store(const RiBermPatch *p, RiRuts *r);

#endif

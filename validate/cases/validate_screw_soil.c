// SPDX-License-Identifier: Apache-2.0
/// \file
/// Screws on soft soil against what their law cannot know: Archimedes, Bekker's compaction, a
/// track, a nut, scaling of sand, symmetry, a groove pressed before, thin and thick layers, the
/// books of soil that blades carry away. A drum of 80 mm with blades of 20 mm in dry sand. Bands: 1
/// % for what nodes discretise (7 stations of 8), rounding for what is exact. No measured screw was
/// at hand: the paper this law is set after [nagaoka2010] could not be read, only cited.
#include <math.h>
#include <string.h>

#include <rille/screw.h>

#include "validate/validate.h"

enum { MEMORY = 2048 };

typedef struct Bed {
    RiSoilScrew w;
    RiScrewSoil soil;
    RiScrewGround g;
    double memory[MEMORY];
    RiScrewStep last;
} Bed;

static RiSoil sand(void)
{
    return (RiSoil){.name = "dry sand",
                    .form = RI_SOIL_BEKKER,
                    .n = 1.1,
                    .n1 = NAN,
                    .kc = 990.0,
                    .kphi = 1528430.0,
                    .cohesion = 1040.0,
                    .friction = 28.0 * M_PI / 180.0,
                    .kx = 0.025,
                    .ky = NAN,
                    .density = 1600.0,
                    .a0 = NAN,
                    .a1 = NAN,
                    .gravity = NAN,
                    .mu = NAN,
                    .confidence = 'A'};
}

/// A screw pressed in to a sinkage on level ground.
static RiStatus lay(RiContext *ctx, const RiSoil *soil, double height, int hand, double sinkage, double friction,
                    Bed *bed)
{
    memset(bed, 0, sizeof *bed);
    RI_TRY(ri_soil_screw_init(ctx, 0.08, 0.08 + height, 0.3, 0.2, hand, 2, &bed->w));
    bed->w.friction = friction;
    RI_TRY(ri_screw_soil_init(ctx, soil, &bed->w, 9.81, &bed->soil));
    for (int i = 0; i < bed->w.stations; i++) {
        bed->g.soil[i] = &bed->soil;
        bed->g.height[i] = sinkage - bed->w.core;
    }
    for (int i = 0; i < 20; i++) {
        const RiVec3 down = {0.0, 0.0, -1.0}, none = {0.0, 0.0, 0.0};
        ri_screw_step(&bed->w, &bed->g, bed->memory, down, none, 1e-3, &bed->last);
        ri_screw_remember(&bed->w, &bed->last, bed->memory, down, none, 1e-3);
    }
    return RI_OK;
}

/// Drives along the axis until nothing changes.
static RiScrewForce drive(Bed *bed, double speed, double thread)
{
    const RiVec3 v = {speed, 0.0, 0.0}, omega = {bed->w.hand * thread * 2.0 * M_PI / bed->w.lead, 0.0, 0.0};
    for (int i = 0; i < 1200; i++) {
        ri_screw_step(&bed->w, &bed->g, bed->memory, v, omega, 1e-2, &bed->last);
        ri_screw_remember(&bed->w, &bed->last, bed->memory, v, omega, 1e-2);
    }
    ri_screw_step(&bed->w, &bed->g, bed->memory, v, omega, 0.0, &bed->last);
    return bed->last.f;
}

static RiStatus bare_drum(RiValidation *run)
{
    Bed bed;
    RiSoil soil = sand();
    soil.n = 1.0;
    RI_TRY(lay(run->ctx, &soil, 0.0, 1, 0.03, 0.0, &bed));
    const double r = bed.w.core, k = bed.soil.law.k, f = acos(1.0 - 0.03 / r), half = r * sin(f);
    const RiScrewForce at = drive(&bed, 0.03, 0.0);
    double work = 0.0;
    for (int i = 0; i < 20000; i++) {
        const double y = half * ((i + 0.5) / 10000.0 - 1.0), depth = sqrt(r * r - y * y) - (r - 0.03);
        work += 0.5 * k * depth * depth * half / 10000.0;
    }
    ri_validate_near(run, "drum without blades, n = 1: load over k times the displaced volume (Archimedes)", "-", 1.0,
                     0.01, at.force.z / (k * r * r * (f - sin(f) * cos(f)) * bed.w.length));
    ri_validate_near(run, "drum without blades, dragged: drag over the work to press its rut (Bekker)", "-", 1.0, 0.01,
                     -at.force.x / work);
    return RI_OK;
}

static RiStatus track(RiValidation *run)
{
    static const struct {
        const char *name;
        double slip;
    } rows[] = {{"thrust at slip 0.1 over that of a track of the drum's length", 0.1},
                {"thrust at slip 0.3 over that of a track", 0.3},
                {"thrust at slip 0.6 over that of a track", 0.6}};
    Bed bed;
    const RiSoil soil = sand();
    for (int i = 0; i < 3; i++) {
        RI_TRY(lay(run->ctx, &soil, 0.02, 1, 0.01, 2.0 / 3.0, &bed));
        const double a = bed.w.length / bed.soil.law.kx * cos(ri_soil_screw_angle(&bed.w)), x = a * rows[i].slip;
        const double thrust = drive(&bed, 0.05 * (1.0 - rows[i].slip), 0.05).thrust;
        RI_TRY(lay(run->ctx, &soil, 0.02, 1, 0.01, 2.0 / 3.0, &bed));
        const double most = drive(&bed, 0.0, 0.05).thrust / (1.0 + expm1(-a) / a);
        ri_validate_near(run, rows[i].name, "-", 1.0, 0.02, thrust / most / (1.0 + expm1(-x) / x));
    }
    return RI_OK;
}

/// Slip at which a screw that is well oiled drives itself in a soil of some cohesion.
static RiStatus nut(RiValidation *run)
{
    Bed bed;
    RiSoil soil = sand();
    double low = 0.0, high = 1.0;
    soil.cohesion = 1e6;
    soil.kx = 1e-3;
    RI_TRY(lay(run->ctx, &soil, 0.02, 1, 0.004, 0.02, &bed));
    for (int i = 0; i < 40; i++) {
        const double slip = 0.5 * (low + high);
        if (ri_screw_steady(&bed.w, &bed.soil, 0.004, slip, 0).force.x < 0.0)
            low = slip;
        else
            high = slip;
    }
    ri_validate_most(run, "nut: slip in soil with a cohesion of 1 MPa that drives itself", "-", 2e-3, high);
    RI_TRY(lay(run->ctx, &soil, 0.02, 1, 0.004, 0.0, &bed));
    const RiScrewForce f = drive(&bed, 0.04, 0.05);
    ri_validate_near(run, "nut without friction: 2 pi torque over lead times thrust", "-", 1.0, 1e-9,
                     2.0 * M_PI * f.torque / (bed.w.lead * f.thrust));
    return RI_OK;
}

static RiStatus pair(RiValidation *run)
{
    Bed bed;
    const RiSoil soil = sand();
    double side = 0.0, load = 0.0;
    for (int hand = 1; hand >= -1; hand -= 2) {
        RI_TRY(lay(run->ctx, &soil, 0.02, hand, 0.01, 2.0 / 3.0, &bed));
        const RiScrewForce f = drive(&bed, 0.04, 0.05);
        side += f.force.y, load += f.force.z;
    }
    ri_validate_most(run, "left and right hand, counter-rotating: side force over load", "-", 1e-12, fabs(side / load));
    const RiScrewForce f = drive(&bed, 0.0, 0.05);
    ri_validate_most(run, "turning in place: thrust over c A + N tan(phi)", "-", 1.0, f.thrust / f.limit);
    return RI_OK;
}

/// A drum that is dragged through the groove of another, which was sunk as deep.
static RiStatus groove(RiValidation *run)
{
    Bed bed;
    const RiSoil soil = sand();
    RI_TRY(lay(run->ctx, &soil, 0.0, 1, 0.02, 0.0, &bed));
    const RiScrewForce first = drive(&bed, 0.03, 0.0);
    bed.g.ruts = true;
    for (int i = 0; i < bed.w.stations; i++)
        for (int k = 0; k < RI_SCREW_RUTS; k++) {
            const double r = bed.w.core, reach = 1.05 * sqrt(2.0 * r * 0.02),
                         y = reach * (2.0 * k / (RI_SCREW_RUTS - 1) - 1.0);
            bed.g.reach[i] = reach;
            bed.g.rut[i][k] = bed.g.packed[i][k] = fmax(0.0, sqrt(r * r - y * y) - (r - 0.02));
        }
    const RiScrewForce second = drive(&bed, 0.03, 0.0);
    ri_validate_near(run, "second drum in the groove of the first: load over that of the first", "-", 1.0, 0.01,
                     second.force.z / first.force.z);
    ri_validate_most(run, "second drum in the groove of the first: drag over that of the first", "-", 0.1,
                     second.force.x / first.force.x);
    return RI_OK;
}

/// A loose layer on a firm one: thick and thin.
static RiStatus layers(RiValidation *run)
{
    static const char *const names[] = {"loose layer of 0.1 um on a firm one: load over that of the firm one alone",
                                        "loose layer of 100 km on a firm one: load over that of the loose one alone"};
    const RiSoil firm = sand();
    RiSoil loose = sand();
    loose.kphi = 2e5;
    for (int thick = 0; thick < 2; thick++) {
        const RiScrewLayer two[] = {{&loose, thick ? 1e5 : 1e-7, 0.0}, {&firm, 1.0, 0.0}};
        RiSoilLaw room[4];
        RiScrewSoil stack;
        Bed bed;
        RI_TRY(lay(run->ctx, thick ? &loose : &firm, 0.02, 1, 0.01, 2.0 / 3.0, &bed));
        RI_TRY(ri_screw_soil_layers(run->ctx, two, 2, &bed.w, 9.81, 2e7, room, &stack));
        ri_validate_near(run, names[thick], "-", 1.0, 2e-3,
                         ri_screw_steady(&bed.w, &stack, 0.01, 0.3, 0).force.z /
                             ri_screw_steady(&bed.w, &bed.soil, 0.01, 0.3, 0).force.z);
    }
    return RI_OK;
}

/// Blades that carry soil back, at a slip of one half: they dig as deep as the soil that goes with
/// them is high.
static RiStatus digging(RiValidation *run)
{
    Bed bed;
    const RiSoil soil = sand();
    RI_TRY(lay(run->ctx, &soil, 0.02, 1, 0.006, 2.0 / 3.0, &bed));
    bed.w.dig = 1.0;
    const RiVec3 v = {0.025, 0.0, 0.0}, omega = {0.05 * 2.0 * M_PI / bed.w.lead, 0.0, 0.0};
    for (int step = 0; step < 12000; step++) {
        for (int i = 0; i < bed.w.stations; i++)
            bed.g.height[i] = 0.006 + bed.last.f.dug - bed.w.core; // sinks as it digs
        ri_screw_step(&bed.w, &bed.g, bed.memory, v, omega, 1e-2, &bed.last);
        ri_screw_remember(&bed.w, &bed.last, bed.memory, v, omega, 1e-2);
    }
    ri_validate_near(run, "digging at slip 0.5: depth over height of soil that goes with the blades (mass balance)",
                     "-", 1.0, 1e-3, bed.last.f.dug / bed.last.place.carried);
    return RI_OK;
}

static RiStatus scaling(RiValidation *run)
{
    RiSoil soil = sand();
    RiScrewForce f[2];
    soil.form = RI_SOIL_REECE;
    soil.cohesion = 0.0;
    soil.kphi = 50.0;
    for (int i = 0; i < 2; i++) {
        const double size = i ? 3.0 : 1.0;
        RiSoilScrew w;
        RiScrewSoil s;
        soil.kx = 0.01 * size;
        RI_TRY(ri_soil_screw_init(run->ctx, 0.05 * size, 0.06 * size, 0.2 * size, 0.15 * size, 1, 2, &w));
        w.edge *= size;
        RI_TRY(ri_screw_soil_init(run->ctx, &soil, &w, 9.81, &s));
        f[i] = ri_screw_steady(&w, &s, 0.01 * size, 0.3, 0);
    }
    ri_validate_near(run, "sand without cohesion, three times the size: pull (scaling of [thoesen2020])", "-", 27.0,
                     1e-6, f[1].force.x / f[0].force.x);
    ri_validate_near(run, "sand without cohesion, three times the size: torque", "-", 81.0, 1e-6,
                     f[1].torque / f[0].torque);
    return RI_OK;
}

RiStatus ri_case_screw_soil(RiValidation *run)
{
    RI_TRY(bare_drum(run));
    RI_TRY(track(run));
    RI_TRY(nut(run));
    RI_TRY(pair(run));
    RI_TRY(scaling(run));
    RI_TRY(groove(run));
    RI_TRY(layers(run));
    RI_TRY(digging(run));
    ri_validate_skip(run, "measured thrust over slip of a screw in sand: no data at hand");
    return RI_OK;
}

// SPDX-License-Identifier: Apache-2.0
/// \file
/// The table of cases, and how a figure becomes a verdict.
#include "study/validate.h"

#include <math.h>
#include <string.h>

static const RiValidateCase cases[] = {
    {"free_fall", "a thrown, spinning body falls on the parabola", "closed form", false, ri_case_free_fall},
    {"dzhanibekov", "free body turning about its middle axis: flips, rates and invariants",
     "Euler's equations, Jacobi elliptic functions", false, ri_case_dzhanibekov},
    {"heavy_top", "symmetric top in slow and fast steady precession",
     "closed form I1 cos(th) W^2 - I3 w3 W + m g l = 0 [goldstein2002]", false, ri_case_heavy_top},
    {"physical_pendulum", "period of a compound pendulum at large amplitudes",
     "closed form 4 sqrt(I/(m g l)) K(sin(a/2)) [abramowitz1964]", false, ri_case_physical_pendulum},
    {"double_pendulum", "two point masses released from the horizontal", "Lagrange's equations, DOP853 to 1e-13", false,
     ri_case_double_pendulum},
    {"iftomm_a01", "simple pendulum over 10 s", "IFToMM A01 set-up; Jacobi elliptic functions", false,
     ri_case_iftomm_a01},
    {"iftomm_a02", "N four-bars with redundant closures, through their singular positions",
     "IFToMM A02 set-up [gonzalez2006]; one-degree-of-freedom equation", false, ri_case_iftomm_a02},
    {"iftomm_a03", "Andrews' squeezing mechanism, seven bodies and three loops",
     "Test Set for IVP Solvers, Andrews' squeezing mechanism [mazzia2008]", false, ri_case_iftomm_a03},
    {"iftomm_a04", "Bricard's mechanism: mobile although Gruebler's count is zero",
     "IFToMM A04 set-up [gonzalez2006]; conservation of energy", false, ri_case_iftomm_a04},
    {"iftomm_a05", "flyball governor with stiff spring-dampers",
     "IFToMM A05 set-up [gonzalez2006]; reduced three-coordinate model, Radau 1e-10", true, ri_case_iftomm_a05},
    {"snake", "free 36-coordinate snake robot: energy, momentum, order of the integrator", "conservation laws", false,
     ri_case_snake},
    {"gears", "two flywheels geared by a ratio: accelerations and tooth force", "closed form", false, ri_case_gears},
    {"ground", "terrain: orders of interpolation, distances of shapes, a baked sphere", "closed forms", false,
     ri_case_ground},
    {"friction", "block on an incline, rolling, and sliding that becomes rolling", "closed forms of Coulomb's law",
     false, ri_case_friction},
    {"moreau", "integrator moreau: impacts, sticking, sliding, a rocking block, the six-phase traction test",
     "closed forms; [acary2013] for the phases", false, ri_case_moreau},
    {"screws", "screw-ice law: free speed and stall thrust of a counter-rotating pair, isotropic limit",
     "closed forms of equation 6 of EELS-DARTS [hasseler2024]", false, ri_case_screws},
    {"melt", "warm screws on ice: films, heating, sinking and heat books",
     "lubrication equation, closed forms of conduction [bejan1992, moallemi1986], conservation of energy", false,
     ri_case_melt},
    {"soil", "a small wheel in sand at slips and slip angles: pull, side force, sinkage",
     "CMU single-wheel data, (c) 2022 C. Pavlov, MIT licence; bands of the acceptance", false, ri_case_soil},
    {"screw_soil",
     "screws on soft soil: load, drag, thrust over slip, nut, scaling, symmetry, grooves, layers, digging",
     "closed forms: Archimedes, Bekker's compaction, a track's thrust [janosi1961]; scaling [thoesen2020]", false,
     ri_case_screw_soil},
    {"ripple", "a rover over a ripple of sand: half the cells, half the step, twice the patches",
     "convergence; bands of the acceptance", true, ri_case_ripple},
    {"spirit", "Spirit with jammed wheels: backwards on four wheels, and at Troy",
     "behaviours told by ARTEMIS [trease2011], figures 15 to 17 and table 1", false, ri_case_spirit},
    {"opportunity", "Opportunity in soft soil: a ripple crossed, one that ends in full slip, thin soil on a slope",
     "behaviours told by ARTEMIS [trease2011], figure 18", true, ri_case_opportunity},
    {"dingo_gap", "Curiosity up the dune of Dingo Gap in soft soil, at its measured poses",
     "NASA-AMMOS 3DTilesSampleData, msl-dingo-gap (NASA/JPL-Caltech)", false, ri_case_dingo_gap},
    {"traverse", "45 s of a snake on ice: the default step against CVODE",
     "CVODE at rtol 1e-8; bands from EELS-DARTS 4.2 [hasseler2024]", true, ri_case_traverse},
    {"rover", "stances of rovers: attitudes on a measured dune, wheel loads, settling, stops",
     "poses of Curiosity at Dingo Gap (NASA-AMMOS 3DTilesSampleData); lever equations; closed form of an impact "
     "[hunt1975]",
     false, ri_case_rover},
    {"differential", "rocker differential and geared screw pair on a free body", "conservation laws", false,
     ri_case_differential},
};

const char *ri_verdict_name(RiVerdict verdict)
{
    static const char *const names[] = {"pass", "fail", "skipped"};
    return names[verdict];
}

const char *ri_row_use_name(RiRowUse use)
{
    static const char *const names[] = {"check", "fit"};
    return names[use];
}

int ri_validate_count(void)
{
    return (int)(sizeof cases / sizeof *cases);
}

const RiValidateCase *ri_validate_get(int index)
{
    return &cases[index];
}

const RiValidateCase *ri_validate_find(const char *name)
{
    for (int i = 0; i < ri_validate_count(); i++)
        if (strcmp(cases[i].name, name) == 0)
            return &cases[i];
    return NULL;
}

/// Fills in what all rows of the case share, counts the verdict and passes the row on.
static void hand_in(RiValidation *run, RiRow row)
{
    row.case_name = run->current->name;
    row.source = run->current->source;
    run->passed += row.verdict == RI_VERDICT_PASS;
    run->failed += row.verdict == RI_VERDICT_FAIL;
    run->skipped += row.verdict == RI_VERDICT_SKIPPED;
    if (run->sink)
        run->sink(run->user, &row);
}

static void hand_in_band(RiValidation *run, const char *quantity, const char *unit, double published, double low,
                         double high, double ours, RiRowUse use)
{
    const bool inside = ours >= low && ours <= high; // a NaN is not
    hand_in(run, (RiRow){.quantity = quantity,
                         .unit = unit,
                         .published = published,
                         .low = low,
                         .high = high,
                         .ours = ours,
                         .verdict = inside ? RI_VERDICT_PASS : RI_VERDICT_FAIL,
                         .use = use});
}

void ri_validate_between(RiValidation *run, const char *quantity, const char *unit, double published, double low,
                         double high, double ours)
{
    hand_in_band(run, quantity, unit, published, low, high, ours, RI_USE_CHECK);
}

void ri_validate_fit(RiValidation *run, const char *quantity, const char *unit, double published, double low,
                     double high, double ours)
{
    hand_in_band(run, quantity, unit, published, low, high, ours, RI_USE_FIT);
}

void ri_validate_near(RiValidation *run, const char *quantity, const char *unit, double published, double band,
                      double ours)
{
    ri_validate_between(run, quantity, unit, published, published - band, published + band, ours);
}

void ri_validate_most(RiValidation *run, const char *quantity, const char *unit, double most, double ours)
{
    ri_validate_between(run, quantity, unit, 0.0, 0.0, most, ours);
}

void ri_validate_skip(RiValidation *run, const char *quantity)
{
    hand_in(run, (RiRow){.quantity = quantity,
                         .unit = "",
                         .published = NAN,
                         .low = NAN,
                         .high = NAN,
                         .ours = NAN,
                         .verdict = RI_VERDICT_SKIPPED});
}

RiStatus ri_validate_run(RiValidation *run, const RiValidateCase *the_case)
{
    run->current = the_case;
    if (run->quick && the_case->slow) {
        ri_validate_skip(run, "left out of the quick subset");
        return RI_OK;
    }
    const RiStatus status = the_case->run(run);
    if (status == RI_OK || status == RI_ERR_MEMORY)
        return status;
    hand_in(run, (RiRow){.quantity = ri_context_message(run->ctx),
                         .unit = "",
                         .published = NAN,
                         .low = NAN,
                         .high = NAN,
                         .ours = NAN,
                         .verdict = RI_VERDICT_FAIL});
    return RI_OK;
}

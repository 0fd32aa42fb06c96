// SPDX-License-Identifier: Apache-2.0
/// \file
/// Integrator moreau with cohesion (scene glued_box): a box of weight 10 N whose four corners hold C
/// each is torn off by a pull of 4 C, and slides along the ground at mu (10 N + 4 C).
#include <math.h>
#include <stdio.h>

#include "validate/cases/validate_moreau.h"
#include "validate/drive.h"

/// Gravity upwards in the last tick in which it touches the ground.
static void watch_pull(const RiDrive *d, void *user)
{
    const RiValues *values = ri_sim_values(d->sim);
    if (ri_values_read(values, ri_values_find(values, "contact.touching")) > 0.0)
        *(double *)user = ri_values_read(values, ri_values_find(values, "gravity.z"));
}

static RiStatus tear(RiValidation *run, const char *adhesion, double closed)
{
    const RiSetting settings[] = {{"adhesion", adhesion}};
    RiDrive d;
    double pull = NAN;
    RiStatus status = ri_drive_open(&d, run, "glued_box", settings, 1);
    if (status == RI_OK)
        status = ri_drive_until(&d, closed / 5.0 + 2.3, watch_pull, &pull);
    if (status == RI_OK)
        ri_validate_near(run, closed > 10.0 ? "glued box: pull that tears it off, 4 x 5 N" : "the same, 4 x 2 N", "N",
                         closed, 0.011, pull);
    ri_drive_close(&d);
    return status;
}

/// Way within a second under a push along the ground, which begins when the box sticks; gravity stays.
static RiStatus slide(RiValidation *run, const char *push, double closed, double band)
{
    const RiSetting settings[] = {{"push", push}, {"rate", "0"}};
    RiDrive d;
    char what[96];
    RiStatus status = ri_drive_open(&d, run, "glued_box", settings, 2);
    if (status == RI_OK)
        status = ri_drive_until(&d, 1.1, NULL, NULL);
    snprintf(what, sizeof what, "glued box: way in a second, pushed by %s (slides at 0.4 x 30)", push);
    if (status == RI_OK) {
        const RiValues *values = ri_sim_values(d.sim);
        ri_validate_near(run, what, "m", closed, band, ri_values_read(values, ri_values_find(values, "base.x")));
    }
    ri_drive_close(&d);
    return status;
}

RiStatus ri_case_moreau_bonds(RiValidation *run)
{
    if (!run->robots) {
        ri_validate_skip(run, "a glued box: the scenes are not there");
        return RI_OK;
    }
    RI_TRY(tear(run, "5 N", 20.0));
    RI_TRY(tear(run, "2 N", 8.0));
    RI_TRY(slide(run, "11.9 m/s^2", 0.0, 1e-6));
    return slide(run, "13 m/s^2", 0.5, 2e-3);
}

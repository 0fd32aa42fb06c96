// SPDX-License-Identifier: Apache-2.0
/// \file
/// Spirit with jammed wheels, as ARTEMIS tells of it [trease2011]: two scenes, and of each what the paper saw.
///
/// The paper gives behaviours and one figure, a slip of about 90 %. Signs must exceed what a drive of this length resolves: 0.1 degrees, 1 mm. Behaviours
/// that do not come out are skipped rows that say so with our figure. Rows of use `fit` hold for parameters that were chosen because they show the
/// behaviour; docs/soil.md tells what else was tried.
#include <math.h>
#include <stdio.h>

#include <rille/scene.h>

#include "study/validate.h"

static const double DEGREES = 180.0 / M_PI;

typedef struct Drive {
    RiContext *ctx;
    RiScene *scene;
    RiSim *sim;
} Drive;

static RiStatus open_drive(Drive *d, const RiValidation *run, const char *name, const RiSetting *settings, int count)
{
    char path[1024];
    RiSceneOptions options = ri_scene_options_default();
    options.settings = settings;
    options.setting_count = count;
    *d = (Drive){.ctx = run->ctx};
    snprintf(path, sizeof path, "%s/../scenes/%s.yaml", run->robots, name);
    RI_TRY(ri_scene_load(run->ctx, path, &options, &d->scene));
    RI_TRY(ri_scene_build(d->scene));
    d->sim = ri_scene_sim(d->scene);
    return RI_OK;
}

static double value(const Drive *d, const char *name)
{
    double x = NAN;
    return ri_values_eval(ri_sim_values(d->sim), name, &x) == RI_OK ? x : NAN;
}

/// Steps until a time; *out_least gets the least of a value on the way (both may be NULL).
static RiStatus drive(Drive *d, double until, const char *name, double *out_least)
{
    while (ri_sim_time(d->sim) < until - 1e-9 && !ri_sim_stopped(d->sim)) {
        RI_TRY(ri_sim_step(d->sim));
        if (name)
            *out_least = fmin(*out_least, value(d, name));
    }
    return RI_OK;
}

/// Figures 16 and 17: right front and right rear wheels jammed, backwards, straight commanded.
static RiStatus level_rows(RiValidation *run, Drive *d)
{
    RI_TRY(drive(d, 4.0, NULL, NULL));
    const double yaw = value(d, "base.yaw"), x = value(d, "base.x"), t = ri_sim_time(d->sim);
    RI_TRY(drive(d, 14.0, NULL, NULL));
    const double span = ri_sim_time(d->sim) - t, turn = DEGREES * (value(d, "base.yaw") - yaw);
    char text[160];
    ri_validate_between(run, "four wheels: yaw in 10 s, more than 0: left, to the jammed side", "deg", 0.0, 0.1, 360.0,
                        turn);
    snprintf(text, sizeof text,
             "four wheels: middle right wheel lifts (figure 17): NOT shown, it carries %.2f of the middle left one",
             value(d, "contact.wheel_middle_right.normal") / value(d, "contact.wheel_middle_left.normal"));
    ri_validate_skip(run, text);
    snprintf(
        text, sizeof text,
        "four wheels: stick-slip (figure 17): NOT shown, the jammed wheel slides at a steady %.1f mm/s, way %.1f mm/s",
        1e3 * value(d, "contact.wheel_rear_right.slip"), 1e3 * (x - value(d, "base.x")) / span);
    ri_validate_skip(run, text);
    return RI_OK;
}

static RiStatus four_wheels(RiValidation *run)
{
    Drive d;
    RiStatus status = open_drive(&d, run, "spirit_four_wheels", NULL, 0);
    if (status == RI_OK)
        status = level_rows(run, &d);
    ri_scene_destroy(d.scene);
    return status;
}

/// The upper end of table 1 down a slope: the locked wheel sticks, and the bogie rises over it.
static RiStatus wheelie(RiValidation *run)
{
    static const RiSetting settings[] = {{"slope", "15 deg"}, {"pivot_drop", "0 m"},    {"healthy_static", "0.7"},
                                         {"healthy", "0.6"},  {"jammed_static", "0.9"}, {"jammed", "0.8"}};
    Drive d;
    double least = INFINITY;
    RiStatus status = open_drive(&d, run, "spirit_four_wheels", settings, sizeof settings / sizeof *settings);
    if (status == RI_OK)
        status = drive(&d, 1.0, NULL, NULL);
    if (status == RI_OK)
        status = drive(&d, 6.0, "contact.wheel_middle_right.normal", &least);
    if (status == RI_OK)
        ri_validate_fit(run, "down 15 degrees, raised pivot, friction 0.7 and 0.9: least load, middle right", "N", 0.0,
                        0.0, 1e-9, least);
    ri_scene_destroy(d.scene);
    return status;
}

static double mean_slip(const Drive *d)
{
    return (value(d, "soil.tyre_front_left.slip") + value(d, "soil.tyre_middle_left.slip") +
            value(d, "soil.tyre_rear_left.slip") + value(d, "soil.tyre_middle_right.slip") +
            value(d, "soil.tyre_rear_right.slip")) /
           5.0;
}

static RiStatus troy_rows(RiValidation *run, Drive *d)
{
    RI_TRY(drive(d, 1.9, NULL, NULL));
    const double rest = value(d, "soil.tyre_middle_right.normal"), yaw = value(d, "base.yaw"), y = value(d, "base.y");
    RI_TRY(drive(d, 30.0, NULL, NULL));
    ri_validate_fit(run, "Troy: mean slip of the driven wheels after 28 s, soil chosen", "-", 0.9, 0.85, 0.95,
                    mean_slip(d));
    ri_validate_between(run, "Troy: yaw in 28 s, less than 0: towards the jammed wheel", "deg", 0.0, -360.0, -0.1,
                        DEGREES * (value(d, "base.yaw") - yaw));
    ri_validate_between(run, "Troy: drift in 28 s, more than 0: downslope", "mm", 0.0, 1.0, 1e4,
                        1e3 * (y - value(d, "base.y")));
    char text[160];
    snprintf(text, sizeof text, "Troy: wheelie of the middle right wheel: NOT shown, it keeps %.2f of its load at rest",
             value(d, "soil.tyre_middle_right.normal") / rest);
    ri_validate_skip(run, text);
    return RI_OK;
}

static RiStatus troy(RiValidation *run)
{
    Drive d;
    RiStatus status = open_drive(&d, run, "spirit_troy", NULL, 0);
    if (status == RI_OK)
        status = troy_rows(run, &d);
    ri_scene_destroy(d.scene);
    return status;
}

RiStatus ri_case_spirit(RiValidation *run)
{
    if (!run->robots) {
        ri_validate_skip(run, "scenes: no folder of robots");
        return RI_OK;
    }
    RI_TRY(four_wheels(run));
    RI_TRY(wheelie(run));
    if (run->quick)
        ri_validate_skip(run, "Troy");
    return run->quick ? RI_OK : troy(run);
}

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Spirit with jammed wheels, as ARTEMIS tells of it [trease2011]: three scenes, and of each what
/// the paper saw.
///
/// The paper gives behaviours and one figure, a slip of about 90 %. Signs must exceed what a drive
/// of this length resolves: 0.1 degrees, 1 mm. Behaviours that do not come out are skipped rows
/// that say so with our figure. Rows of use `fit` hold for parameters that were chosen because they
/// show the behaviour; docs/soil.md tells what else was tried.
#include <math.h>
#include <stdio.h>

#include "validate/drive.h"

static const double DEGREES = 180.0 / M_PI;

/// Figures 16 and 17: right front and right rear wheels jammed, backwards, straight commanded.
static RiStatus level_rows(RiValidation *run, RiDrive *d)
{
    RI_TRY(ri_drive_until(d, 4.0, NULL, NULL));
    const double yaw = ri_drive_value(d, "base.yaw"), x = ri_drive_value(d, "base.x"), t = ri_sim_time(d->sim);
    RI_TRY(ri_drive_until(d, 14.0, NULL, NULL));
    const double span = ri_sim_time(d->sim) - t, turn = DEGREES * (ri_drive_value(d, "base.yaw") - yaw);
    char text[160];
    ri_validate_between(run, "four wheels: yaw in 10 s, more than 0: left, to the jammed side", "deg", 0.0, 0.1, 360.0,
                        turn);
    snprintf(text, sizeof text,
             "four wheels: middle right wheel lifts (figure 17): NOT shown, it carries %.2f of the middle left one",
             ri_drive_value(d, "contact.wheel_middle_right.normal") /
                 ri_drive_value(d, "contact.wheel_middle_left.normal"));
    ri_validate_skip(run, text);
    snprintf(
        text, sizeof text,
        "four wheels: stick-slip (figure 17): NOT shown, the jammed wheel slides at a steady %.1f mm/s, way %.1f mm/s",
        1e3 * ri_drive_value(d, "contact.wheel_rear_right.slip"), 1e3 * (x - ri_drive_value(d, "base.x")) / span);
    ri_validate_skip(run, text);
    return RI_OK;
}

static RiStatus four_wheels(RiValidation *run)
{
    RiDrive d;
    RiStatus status = ri_drive_open(&d, run, "spirit_four_wheels", NULL, 0);
    if (status == RI_OK)
        status = level_rows(run, &d);
    ri_drive_close(&d);
    return status;
}

/// Least load of the middle right wheel on the way.
static void watch_middle(const RiDrive *d, void *user)
{
    double *least = user;
    *least = fmin(*least, ri_drive_value(d, "contact.wheel_middle_right.normal"));
}

static void watch_soil_middle(const RiDrive *d, void *user)
{
    double *least = user;
    *least = fmin(*least, ri_drive_value(d, "soil.tyre_middle_right.normal"));
}

/// The cycle of figure 17: how often the middle right wheel has lifted and come down, and how long
/// the jammed one stuck.
typedef struct Cycle {
    bool up;
    int lifts, stuck, steps;
    double fastest; ///< of the jammed wheel [m/s]
} Cycle;

static void watch_cycle(const RiDrive *d, void *user)
{
    Cycle *c = user;
    const double load = ri_drive_value(d, "contact.wheel_middle_right.normal");
    const double slide = fabs(ri_drive_value(d, "contact.wheel_rear_right.slip"));
    if (c->up && load > 10.0)
        c->lifts++;
    c->up = c->up ? load <= 10.0 : load <= 0.0;
    c->stuck += slide < 2e-3;
    c->fastest = fmax(c->fastest, slide);
    c->steps++;
}

static RiStatus cycle_rows(RiValidation *run, RiDrive *d)
{
    Cycle c = {0};
    RI_TRY(ri_drive_until(d, 4.0, NULL, NULL));
    const double yaw = ri_drive_value(d, "base.yaw");
    RI_TRY(ri_drive_until(d, 14.0, watch_cycle, &c));
    ri_validate_between(run, "stick-slip: yaw in 10 s, more than 0: left, to the jammed side", "deg", 0.0, 0.1, 360.0,
                        DEGREES * (ri_drive_value(d, "base.yaw") - yaw));
    ri_validate_fit(run, "stick-slip: middle right wheel lifts off and comes down in 10 s, pivots and friction chosen",
                    "-", 0.0, 5.0, 50.0, c.lifts);
    ri_validate_fit(run, "stick-slip: the jammed rear wheel is slower than 2 mm/s, share of the time", "-", 0.0, 0.2,
                    0.8, (double)c.stuck / c.steps);
    ri_validate_fit(run, "stick-slip: its greatest speed in between, where 37.5 are commanded", "mm/s", 37.5, 15.0,
                    75.0, 1e3 * c.fastest);
    return RI_OK;
}

static RiStatus stick_slip(RiValidation *run)
{
    RiDrive d;
    RiStatus status = ri_drive_open(&d, run, "spirit_stick_slip", NULL, 0);
    if (status == RI_OK)
        status = cycle_rows(run, &d);
    ri_drive_close(&d);
    return status;
}

/// The upper end of table 1 down a slope: the locked wheel sticks, and the bogie rises over it.
static RiStatus wheelie(RiValidation *run)
{
    static const RiSetting settings[] = {{"slope", "15 deg"}, {"pivot_drop", "0 m"},    {"healthy_static", "0.7"},
                                         {"healthy", "0.6"},  {"jammed_static", "0.9"}, {"jammed", "0.8"}};
    RiDrive d;
    double least = INFINITY;
    RiStatus status = ri_drive_open(&d, run, "spirit_four_wheels", settings, sizeof settings / sizeof *settings);
    if (status == RI_OK)
        status = ri_drive_until(&d, 1.0, NULL, NULL);
    if (status == RI_OK)
        status = ri_drive_until(&d, 6.0, watch_middle, &least);
    if (status == RI_OK)
        ri_validate_fit(run, "down 15 degrees, raised pivot, friction 0.7 and 0.9: least load, middle right", "N", 0.0,
                        0.0, 1e-9, least);
    ri_drive_close(&d);
    return status;
}

/// Slip as ARTEMIS has it: 1 - |v / (r omega)|, also where the wheel slides back against its turning
/// (ours is above 1 there).
static double slip_of(const RiDrive *d, const char *name)
{
    const double slip = ri_drive_value(d, name);
    return slip > 1.0 ? 2.0 - slip : slip;
}

static double mean_slip(const RiDrive *d)
{
    return (slip_of(d, "soil.tyre_front_left.slip") + slip_of(d, "soil.tyre_middle_left.slip") +
            slip_of(d, "soil.tyre_rear_left.slip") + slip_of(d, "soil.tyre_middle_right.slip") +
            slip_of(d, "soil.tyre_rear_right.slip")) /
           5.0;
}

/// How many of the four wheels in the troughs are sunk by more than half a radius.
static double embedded(const RiDrive *d)
{
    static const char *const wheels[] = {"soil.tyre_front_left.sinkage > 65 mm",
                                         "soil.tyre_middle_left.sinkage > 65 mm", "soil.tyre_rear_left.sinkage > 65 mm",
                                         "soil.tyre_rear_right.sinkage > 65 mm"};
    double count = 0.0;
    for (size_t i = 0; i < sizeof wheels / sizeof *wheels; i++)
        count += ri_drive_value(d, wheels[i]);
    return count;
}

static RiStatus troy_rows(RiValidation *run, RiDrive *d)
{
    double least = INFINITY;
    RI_TRY(ri_drive_until(d, 1.9, NULL, NULL));
    const double rest = ri_drive_value(d, "soil.tyre_middle_right.normal"), yaw = ri_drive_value(d, "base.yaw"),
                 y = ri_drive_value(d, "base.y");
    RI_TRY(ri_drive_until(d, 4.0, NULL, NULL));
    RI_TRY(ri_drive_until(d, 20.0, watch_soil_middle, &least));
    ri_validate_fit(run,
                    "Troy: mean slip of the driven wheels after 18 s, about 0.9, on Mars 0.95 to 0.98, soil chosen",
                    "-", 0.95, 0.85, 0.985, mean_slip(d));
    RI_TRY(ri_drive_until(d, 30.0, watch_soil_middle, &least));
    ri_validate_between(run, "Troy: yaw in 28 s, less than 0: towards the jammed wheel", "deg", 0.0, -360.0, -0.1,
                        DEGREES * (ri_drive_value(d, "base.yaw") - yaw));
    ri_validate_between(run, "Troy: drift in 28 s, more than 0: downslope", "mm", 0.0, 1.0, 1e4,
                        1e3 * (y - ri_drive_value(d, "base.y")));
    ri_validate_fit(run, "Troy: of the four wheels in dust, sunk by more than half a radius, soil chosen", "-", 4.0,
                    3.0, 4.0, embedded(d));
    ri_validate_fit(run, "Troy: tendency to a wheelie: least load of the middle right wheel over that at rest", "-",
                    0.0, 0.0, 0.6, least / rest);
    return RI_OK;
}

static RiStatus troy(RiValidation *run)
{
    RiDrive d;
    RiStatus status = ri_drive_open(&d, run, "spirit_troy", NULL, 0);
    if (status == RI_OK)
        status = troy_rows(run, &d);
    ri_drive_close(&d);
    return status;
}

RiStatus ri_case_spirit(RiValidation *run)
{
    if (!run->robots) {
        ri_validate_skip(run, "scenes: no folder of robots");
        return RI_OK;
    }
    RI_TRY(four_wheels(run));
    RI_TRY(stick_slip(run));
    RI_TRY(wheelie(run));
    if (run->quick)
        ri_validate_skip(run, "Troy");
    return run->quick ? RI_OK : troy(run);
}

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Flexible links: the beam of scenes/cantilever.yaml against the closed forms of a uniform clamped
/// beam. The bands are those of the midpoint rule, 1 / (2 n^2) for n hinges, and of the integrator's
/// step, (w h)^2 / 8 of the frequency.
#include <math.h>
#include <stdio.h>

#include "validate/drive.h"

static const double EI = 200e9 * 0.01 * 0.004 * 0.004 * 0.004 / 12.0, MASS = 0.314, GRAVITY = 9.80665;

/// `stiff`: a hundred times as stiff, so that the sag is small and the closed form holds.
static RiStatus open_beam(RiDrive *d, const RiValidation *run, bool stiff, const char *hinges, const char *modes)
{
    const RiSetting settings[] = {{"segments", hinges},
                                  {"modes", modes},
                                  {"load", stiff ? "50 g" : "0"},
                                  {"damping", stiff ? "1" : "0"},
                                  {"robot.modulus", stiff ? "20e12 Pa" : "200e9 Pa"}};
    return ri_drive_open(d, run, "cantilever", settings, 5);
}

static double tip_height(const RiDrive *d)
{
    const RiDyn *dyn = ri_sim_dyn(d->sim);
    return ri_dyn_frame_pose(dyn, ri_model_find_frame(ri_dyn_model(dyn), "beam_tip")).p.z;
}

/// Upward crossings of the mean height of the tip.
typedef struct Crossings {
    double mean, before, first, last;
    int count;
} Crossings;

static void watch(const RiDrive *d, void *user)
{
    Crossings *c = user;
    const double now = tip_height(d) - c->mean, t = ri_sim_time(d->sim);
    if (c->before < 0.0 && now >= 0.0) {
        c->last = t - ri_sim_options(d->sim)->tick * now / (now - c->before);
        if (!c->count++)
            c->first = c->last;
    }
    c->before = now;
}

/// How far its end comes to rest under its own weight and a load of 50 g:
/// w L^4 / 8 E I + F L^3 / 3 E I.
static RiStatus sag(RiValidation *run, const char *hinges, const char *modes, double band)
{
    RiDrive d;
    char what[96];
    const double closed = (MASS / 8.0 + 0.05 / 3.0) * GRAVITY / (100.0 * EI);
    RiStatus status = open_beam(&d, run, true, hinges, modes);
    if (status == RI_OK)
        status = ri_drive_until(&d, 5.0, NULL, NULL);
    snprintf(what, sizeof what, "sag of the end, %s hinges, %s", hinges,
             *modes == '0' ? "each by itself" : "three shapes");
    if (status == RI_OK)
        ri_validate_near(run, what, "m", closed, band * closed, -tip_height(&d));
    ri_drive_close(&d);
    return status;
}

/// The first frequency without a load: 1.8751^2 sqrt(E I / (m / L)) / 2 pi L^2.
static RiStatus swing(RiValidation *run, const char *modes)
{
    RiDrive d;
    char what[96];
    const double closed = 1.8751040687 * 1.8751040687 * sqrt(EI / MASS) / (2.0 * M_PI);
    Crossings c = {.mean = -MASS * GRAVITY / (8.0 * EI)};
    RiStatus status = open_beam(&d, run, false, "16", modes);
    if (status == RI_OK)
        status = ri_drive_until(&d, 2.0, watch, &c);
    snprintf(what, sizeof what, "first frequency, 16 hinges, %s", *modes == '0' ? "each by itself" : "three shapes");
    if (status == RI_OK)
        ri_validate_near(run, what, "Hz", closed, 2e-3 * closed, (c.count - 1) / (c.last - c.first));
    ri_drive_close(&d);
    return status;
}

RiStatus ri_case_flexible(RiValidation *run);

RiStatus ri_case_flexible(RiValidation *run)
{
    if (!run->robots)
        return RI_OK;
    RI_TRY(sag(run, "4", "0", 0.5 / 16.0));
    RI_TRY(sag(run, "16", "0", 0.5 / 256.0));
    RI_TRY(sag(run, "16", "3", 0.5 / 256.0));
    RI_TRY(swing(run, "0"));
    return swing(run, "3");
}

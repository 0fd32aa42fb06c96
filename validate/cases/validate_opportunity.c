// SPDX-License-Identifier: Apache-2.0
/// \file
/// Opportunity and Curiosity in soft soil: a ripple that is crossed, one that is not, a slope of
/// thin soil, and the dune of Dingo Gap.
///
/// Of Opportunity ARTEMIS [trease2011] tells typical slips (5 %), where they were high (large
/// ripples, 10 degrees of thin soil) and that some drives ended at 100 %, but gives no other
/// numbers; most rows are therefore signs and orders of size, with 0 where nothing is published.
/// Soils were chosen, not measured there. Curiosity's poses at Dingo Gap are measured; ours are
/// taken where the drive comes nearest to them in the map.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate/drive.h"

static const double DEGREES = 180.0 / M_PI;
static const char *const FRONT_SLIP = "soil.tyre_front_left.slip",
                         *const FRONT_SINKAGE = "soil.tyre_front_left.sinkage",
                         *const FRONT_NORMAL = "soil.tyre_front_left.normal";

/// Bounds of what figure 18 plots, of wheel 1 and the body.
typedef struct Figure {
    double pitch, slip, sinkage;          ///< greatest; nose up positive
    double least_normal, greatest_normal; ///< [N]
} Figure;

static void watch_figure(const RiDrive *d, void *user)
{
    Figure *f = user;
    f->pitch = fmax(f->pitch, -ri_drive_value(d, "base.pitch"));
    f->slip = fmax(f->slip, ri_drive_value(d, FRONT_SLIP));
    f->sinkage = fmax(f->sinkage, ri_drive_value(d, FRONT_SINKAGE));
    f->least_normal = fmin(f->least_normal, ri_drive_value(d, FRONT_NORMAL));
    f->greatest_normal = fmax(f->greatest_normal, ri_drive_value(d, FRONT_NORMAL));
}

/// A crossing as in figure 18: first on level ground, then over the ripple.
static RiStatus ripple_rows(RiValidation *run, RiDrive *d)
{
    Figure level = {.least_normal = INFINITY}, over = level;
    RI_TRY(ri_drive_until(d, 8.0, NULL, NULL));
    RI_TRY(ri_drive_until(d, 14.0, watch_figure, &level));
    RI_TRY(ri_drive_until(d, 150.0, watch_figure, &over));
    ri_validate_between(run, "ripple of 0.2 m from 0 to 3.5 m: crossed, body at", "m", 3.5, 4.0, 5.3,
                        ri_drive_value(d, "base.x"));
    ri_validate_between(run, "ripple: greatest pitch, below its steepest slope of 10.2 deg", "deg", 10.2, 4.0, 10.2,
                        DEGREES * over.pitch);
    ri_validate_between(run, "ripple: slip of wheel 1 on level ground, typically 0.05", "-", 0.05, 0.0, 0.1,
                        level.slip);
    ri_validate_between(run, "ripple: greatest slip of wheel 1 over that on level ground", "-", 0.0, 1.5, 100.0,
                        over.slip / level.slip);
    ri_validate_between(run, "ripple: load of wheel 1, greatest over least", "-", 0.0, 1.1, 100.0,
                        over.greatest_normal / over.least_normal);
    ri_validate_between(run, "ripple: greatest sinkage of wheel 1 over that on level ground", "-", 0.0, 1.01, 10.0,
                        over.sinkage / level.sinkage);
    return RI_OK;
}

/// Load moves, wheels sink, slip grows, and it ends in standstill.
static RiStatus stuck_rows(RiValidation *run, RiDrive *d)
{
    RI_TRY(ri_drive_until(d, 20.0, NULL, NULL));
    const double slip = ri_drive_value(d, FRONT_SLIP), sinkage = ri_drive_value(d, FRONT_SINKAGE);
    RI_TRY(ri_drive_until(d, 125.0, NULL, NULL));
    const double x = ri_drive_value(d, "base.x");
    RI_TRY(ri_drive_until(d, 140.0, NULL, NULL));
    const double end = ri_drive_value(d, FRONT_SLIP), way = ri_drive_value(d, "base.x") - x;
    ri_validate_fit(run, "ripple of 0.3 m, dune sand: slip of wheel 1 after 140 s, effectively 1", "-", 1.0, 0.98, 1.0,
                    end);
    ri_validate_fit(run, "the same: way in the last 15 s, where 0.75 m are commanded", "mm", 0.0, -15.0, 15.0,
                    1e3 * way);
    ri_validate_between(run, "the same: slip grows on the flank, from 20 s on, by", "-", 0.0, 0.1, 1.0, end - slip);
    ri_validate_between(run, "the same: sinkage grows with it, by", "mm", 0.0, 1.0, 100.0,
                        1e3 * (ri_drive_value(d, FRONT_SINKAGE) - sinkage));
    return RI_OK;
}

static RiStatus thin_rows(RiValidation *run, RiDrive *d)
{
    RI_TRY(ri_drive_until(d, 7.0, NULL, NULL));
    const double slip = ri_drive_value(d, FRONT_SLIP);
    RI_TRY(ri_drive_until(d, 72.0, NULL, NULL));
    const double x = ri_drive_value(d, "base.x");
    RI_TRY(ri_drive_until(d, 80.0, NULL, NULL));
    ri_validate_near(run, "thin soil: pitch at the end of the climb", "deg", 10.0, 0.5,
                     -DEGREES * ri_drive_value(d, "base.pitch"));
    ri_validate_fit(run, "thin soil: slip on 10 degrees, high where 0.05 is typical, soil chosen", "-", 0.0, 0.1, 0.9,
                    ri_drive_value(d, FRONT_SLIP));
    ri_validate_between(run, "thin soil: slip on level ground, typically 0.05", "-", 0.05, 0.0, 0.1, slip);
    ri_validate_most(run, "thin soil: sinkage over radius", "-", 0.15, ri_drive_value(d, FRONT_SINKAGE) / 0.13);
    ri_validate_between(run, "thin soil: it climbs on, way in 8 s", "m", 0.0, 0.05, 0.4,
                        ri_drive_value(d, "base.x") - x);
    return RI_OK;
}

typedef RiStatus (*Rows)(RiValidation *run, RiDrive *d);

static RiStatus with_scene(RiValidation *run, const char *scene, Rows rows)
{
    RiDrive d;
    RiStatus status = ri_drive_open(&d, run, scene, NULL, 0);
    if (status == RI_OK)
        status = rows(run, &d);
    ri_drive_close(&d);
    return status;
}

RiStatus ri_case_opportunity(RiValidation *run)
{
    if (!run->robots) {
        ri_validate_skip(run, "scenes: no folder of robots");
        return RI_OK;
    }
    RI_TRY(with_scene(run, "rover_ripple", ripple_rows));
    RI_TRY(with_scene(run, "rover_ripple_stuck", stuck_rows));
    return with_scene(run, "santa_maria", thin_rows);
}

// --- Dingo Gap -----------------------------------------------------------------------------------

enum { POSES = 3 };

/// A measured pose, and where our drive came nearest to it.
typedef struct Pose {
    int drive;
    double x, y, z, roll, pitch; ///< [m], up; [deg], nose up positive
    double away, our_z, our_roll, our_pitch;
} Pose;

typedef struct Dune {
    Pose poses[POSES];
    double slip_sum, most_slip;
    int steps;
} Dune;

static void watch_dune(const RiDrive *d, void *user)
{
    Dune *dune = user;
    const double x = ri_drive_value(d, "base.x"), y = ri_drive_value(d, "base.y");
    const double slip = ri_drive_value(d, FRONT_SLIP);
    dune->slip_sum += slip;
    dune->most_slip = fmax(dune->most_slip, slip);
    dune->steps++;
    for (int i = 0; i < POSES; i++) {
        Pose *p = &dune->poses[i];
        const double away = hypot(x - p->x, y - p->y);
        if (away >= p->away)
            continue;
        p->away = away;
        p->our_z = ri_drive_value(d, "base.z");
        p->our_roll = DEGREES * ri_drive_value(d, "base.roll");
        p->our_pitch = -DEGREES * ri_drive_value(d, "base.pitch");
    }
}

/// The poses of the drives on the dune, from the table of measured ones. False if one is missing.
static bool read_poses(const char *path, Pose *poses)
{
    static const int wanted[POSES] = {262, 274, 286};
    char line[512];
    int found = 0;
    FILE *file = fopen(path, "r");
    while (file && found < POSES && fgets(line, sizeof line, file)) {
        double north, east, down, roll, pitch;
        char *end;
        if (line[0] == '#' || (int)strtol(line, &end, 10) != wanted[found] || *end != ',')
            continue;
        if (sscanf(end, ",%lf,%lf,%lf,%*f,%*f,%*f,%*f,%lf,%lf", &north, &east, &down, &roll, &pitch) == 5) {
            poses[found] = (Pose){.drive = wanted[found], .x = east, .y = north, .z = -down};
            poses[found].roll = roll;
            poses[found].pitch = pitch;
            poses[found++].away = INFINITY;
        }
    }
    if (file)
        fclose(file);
    return found == POSES;
}

static void pose_rows(RiValidation *run, const Dune *dune, int poses)
{
    char text[160];
    for (int i = 0; i < poses; i++) {
        const Pose *p = &dune->poses[i];
        snprintf(text, sizeof text, "drive %d: nearest by %.2f m; pitch", p->drive, p->away);
        ri_validate_near(run, text, "deg", p->pitch, 2.2, p->our_pitch);
        snprintf(text, sizeof text, "drive %d: roll", p->drive);
        ri_validate_near(run, text, "deg", p->roll, 2.2, p->our_roll);
        snprintf(text, sizeof text, "drive %d: height", p->drive);
        ri_validate_near(run, text, "m", p->z, 0.05, p->our_z);
    }
    ri_validate_between(run, "up the dune: mean slip of the left front wheel, soil assumed", "-", 0.0, 0.0, 0.5,
                        dune->slip_sum / dune->steps);
    snprintf(text, sizeof text, "up the dune: greatest slip %.2f; Curiosity's own is not in the data", dune->most_slip);
    ri_validate_skip(run, text);
}

RiStatus ri_case_dingo_gap(RiValidation *run)
{
    Dune dune = {0};
    char path[1200];
    snprintf(path, sizeof path, "%s/dem/msl_dingo_gap_rover_poses.csv", run->data ? run->data : "");
    if (!run->data || !run->robots || !read_poses(path, dune.poses)) {
        ri_validate_skip(run, "Curiosity at Dingo Gap: no folder of data (RILLE_DATA) or of robots");
        return RI_OK;
    }
    RiDrive d;
    RiStatus status = ri_drive_open(&d, run, "curiosity_dingo_gap_soil", NULL, 0);
    if (status == RI_OK)
        status = ri_drive_until(&d, 2.0, NULL, NULL); // settled
    if (status == RI_OK)
        status = ri_drive_until(&d, run->quick ? 9.0 : 75.0, watch_dune, &dune);
    if (status == RI_OK)
        pose_rows(run, &dune, run->quick ? 1 : POSES); // the first one is passed after 8 s
    ri_drive_close(&d);
    return status;
}

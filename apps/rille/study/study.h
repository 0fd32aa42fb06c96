// SPDX-License-Identifier: Apache-2.0
/// \file
/// Pieces of `rille study`.
#ifndef RILLE_APP_STUDY_H
#define RILLE_APP_STUDY_H

#include <rille/study/tilt_table.h>

/// Draws figure 7, the ways of drives at every slope beside the commanded ones, as .svg and .png.
RI_MUST_CHECK RiStatus study_draw_ways(RiContext *ctx, const char *folder, const RiTiltOptions *o,
                                       const RiTiltCampaign *c);
/// Reads measured ends of tests, `test,ahead_m,aside_m,heading_deg` with a head line.
RI_MUST_CHECK RiStatus study_read_ends(RiContext *ctx, const char *path, RiTiltEnd *out, int room, int *out_count);
/// Draws figures 5, 6 and 8 of the campaign into a folder, as .svg and .png.
RI_MUST_CHECK RiStatus study_draw(RiContext *ctx, const char *folder, const RiTiltCampaign *c);
/// Writes every run as a line of a table.
RI_MUST_CHECK RiStatus study_write_runs(RiContext *ctx, const char *folder, const RiTiltCampaign *c);
/// Minimises over [0, 1]^n by NLopt's SBPLX; NULL where this build has no NLopt.
typedef bool StudyOptimiser(int n, double *x, double (*score)(void *user, const double *x), void *user);
StudyOptimiser *study_optimiser(void);
const char *study_optimiser_name(void);

/// `rille study rock-fields`.
int cmd_study_rock_fields(int argc, char **argv);

#endif

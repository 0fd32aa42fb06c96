// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ruts of a log, shown: the inverse of RiRutLog.
#ifndef RI_LINK_RUT_LOG_H
#define RI_LINK_RUT_LOG_H

#include <rille/view.h>

typedef struct RiRutReplay RiRutReplay;

/// NULL in *out if the log has no ruts. The view and the log must outlive it.
RI_MUST_CHECK RiStatus ri_rut_replay_create(RiContext *ctx, RiView *view, int run, RiLog *log, RiRutReplay **out);
void ri_rut_replay_destroy(RiRutReplay *r);
/// Keeps the tiles for pages as they were at a time: those that have changed since the last call.
RI_MUST_CHECK RiStatus ri_rut_replay_show(RiRutReplay *r, double time);
/// Depth [m] of a cell at the time shown, and its slip as ri_ground_slip gives it; 0 where there is
/// no rut.
float ri_rut_replay_depth(const RiRutReplay *r, int i, int j, unsigned char *out_slip);

#endif

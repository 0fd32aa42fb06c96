// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the commands of `rille fit` share.
#ifndef RILLE_APP_FIT_H
#define RILLE_APP_FIT_H

#include <rille/plot.h>
#include <rille/study/fit_screw.h>

#include "cli.h"
#include "json.h"

int fit_screw(int argc, char **argv);
int fit_soil(int argc, char **argv);
int fit_series(int argc, char **argv);

/// Writes PREFIX-NAME.png and PREFIX-NAME.svg.
RI_MUST_CHECK RiStatus fit_write_plot(RiContext *ctx, const char *prefix, const RiPlot *plot, const char *name);
/// {value, error, low, high}
void fit_json_estimate(Json *j, const char *key, const RiEstimate *e);

#endif

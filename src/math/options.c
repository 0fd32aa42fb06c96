// SPDX-License-Identifier: Apache-2.0
/// \file
/// The options of the sun.
#include "math/options.h"

#include <math.h>

#include <rille/sun.h>

/// `--set` may give them though the reader of scenes makes something else of them.
enum { SETTABLE = 1 };

static const RiOption rows[] = {
    RI_OPTION("azimuth", RiSunDef, fixed.azimuth, "rad", 2.36, -2.0 * M_PI, 2.0 * M_PI,
              "of a fixed sun, clockwise from north (y)"),
    RI_OPTION("elevation", RiSunDef, fixed.elevation, "rad", 0.7, -0.5 * M_PI, 0.5 * M_PI,
              "of a fixed sun, above the horizon"),
    RI_OPTION("latitude", RiSunDef, latitude, "rad", 0.0, -0.5 * M_PI, 0.5 * M_PI, "of the site, with `date`"),
    RI_OPTION("longitude", RiSunDef, longitude, "rad", 0.0, -2.0 * M_PI, 2.0 * M_PI,
              "of the site, positive to the east, with `date`"),
    RI_OPTION_OWNED("body", "name of a body", "the body that the site is on; pictures take their sky from it",
                    .tags = SETTABLE),
    RI_OPTION_OWNED("date", "2012-08-06T05:17:57", "UTC at the start; the sun then moves with simulated time",
                    .tags = SETTABLE),
    RI_OPTION_OWNED(
        "local_time", "0 to 24 h of the body's day",
        "with `date`: the start is when the local true solar time is this for the first time after it; a day has "
        "24 local hours",
        .tags = SETTABLE),
};
const RiOptionTable ri_sun_option_table = RI_OPTION_TABLE("sun", RiSunDef, rows);

RiSunDef ri_sun_def_default(void)
{
    RiSunDef d = {.world = RI_WORLD_UNKNOWN};
    ri_options_default(&ri_sun_option_table, &d);
    return d;
}

// SPDX-License-Identifier: Apache-2.0
/// \file
/// The options of a simulation and of placement.
#include <rille/place.h>
#include <rille/sim.h>

#include "sim/options.h"
#include "sim/place/place_work.h"

#define NUMBER(T, key, field, unit, initial, low, high, ...)                                                           \
    RI_OPTION(key, T, field, unit, initial, low, high, __VA_ARGS__)

static const RiOption sim_rows[] = {
    NUMBER(RiSimOptions, "tick", tick, "s", 1e-3, 0.0, 1e3,
           "control tick: commands, devices and outputs happen on ticks", .flags = RI_OPTION_ABOVE),
    NUMBER(RiSimOptions, "substeps", substeps, "", 1, 1, 1000000, "integration steps per tick"),
    NUMBER(RiSimOptions, "rtol", rtol, "", 1e-8, 0.0, 0.1, "relative tolerance of `cvode`"),
    NUMBER(RiSimOptions, "atol", atol, "", 1e-10, 0.0, 1.0, "absolute tolerance of `cvode` in m, rad, m/s and rad/s"),
    {RI_OPTION_FIELD("gravity", RiSimOptions, gravity), .unit = "m/s^2", .vector = {0.0, 0.0, -9.81}, .low = -INFINITY,
     .high = INFINITY,
     .flags = RI_OPTION_SILENT, // the values gravity.* may change during a run: they are saved with the state
     .doc =
         "a vector, a strength downwards (`1.3 m/s^2`), or `earth` 9.81, `mars` 3.71, `moon` 1.62, `enceladus` 0.113, "
         "`none`"},
    NUMBER(RiSimOptions, "outside", outside, "", 0, 0, 4096,
           "room for contacts that another program supplies ([outside "
           "contacts](variable-server.md#contacts-from-outside))"),
    NUMBER(RiSimOptions, "seed", seed, "", 1, 0.0, 0.0, "of all random numbers"),
};
const RiOptionTable ri_sim_option_table = RI_OPTION_TABLE("simulation", RiSimOptions, sim_rows);

static const RiOption contact_rows[] = {
    NUMBER(RiSimOptions, "passes", passes, "", 3, 1, 100, "`implicit`: most solves of one step over its contacts"),
    NUMBER(RiSimOptions, "theta", theta, "", 0.5, 0.5, 1.0,
           "`moreau`: where in a step springs and velocities are evaluated"),
    NUMBER(RiSimOptions, "tolerance", cone_tolerance, "", 1e-10, 1e-14, 1e-3,
           "`moreau`: natural-map residual at which a contact problem is solved"),
    NUMBER(RiSimOptions, "events", events, "s", 0.0, 1e-13, 1e-3,
           "`moreau`: impacts are located to this time; `true`: 1e-10 s, `false` or 0: not located",
           .flags = RI_OPTION_OR_ZERO),
    NUMBER(RiSimOptions, "most", most_contacts, "", 512, 1, 4096,
           "`moreau`: contacts that may be closed at once; memory grows with its square (512: 38 MB, 2048: 0.6 GB)"),
};
const RiOptionTable ri_sim_contact_option_table = RI_OPTION_TABLE("contact", RiSimOptions, contact_rows);

RiSimOptions ri_sim_options_default(void)
{
    RiSimOptions o = {.method = RI_METHOD_IMPLICIT};
    ri_options_default(&ri_sim_option_table, &o);
    ri_options_default(&ri_sim_contact_option_table, &o);
    return o;
}

// --------------------------------------------------------------------------------------- placement

static const RiOption place_rows[] = {
    NUMBER(RiPlaceDef, "radius", radius, "m", 0.0, 1e-4, 1e6, "of crescent and helix", .flags = RI_OPTION_OR_ZERO),
    NUMBER(RiPlaceDef, "pitch", pitch, "m", 0.0, 1e-4, 1e6, "of the helix, per turn", .flags = RI_OPTION_OR_ZERO),
    NUMBER(RiPlaceDef, "width", width, "m", 0.0, 1e-4, 1e6, "of the zig-zag, between its corners",
           .flags = RI_OPTION_OR_ZERO),
    NUMBER(RiPlaceDef, "leg", leg, "", 1, 1, 1000, "segments between corners of the zig-zag"),
    NUMBER(RiPlaceDef, "twist", twist, "rad", 0.0, -3.1416, 3.1416,
           "of the straight shape: angle of the twisting joints, to and fro; 90 deg lets bends lie in two planes"),
    RI_OPTION_OWNED("shape", "given, straight, crescent, helix, zigzag or joints", "how the robot lies at first"),
    RI_OPTION_OWNED("hand", "right or left", "of the helix; a crescent bends to the other side"),
    RI_OPTION_OWNED("xyz", "three numbers [m]", "where the shape begins"),
    RI_OPTION_OWNED("rpy", "three angles [rad]", "how the shape is turned"),
    RI_OPTION_OWNED("angles", "mapping of joints", "`joints`: positions by name or glob"),
    RI_OPTION_OWNED("file", "path", "`joints`: a file with such a mapping"),
    RI_OPTION_OWNED("touch", "globs of links",
                    "links that are meant to touch; without it those with screws or wheels, else all that can"),
    RI_OPTION_OWNED("attract", "mapping", "how the robot is pulled to the ground"),
    RI_OPTION_OWNED("hold", "mapping", "how it is held under gravity"),
    RI_OPTION_OWNED("doc", "text", "for the reader"),
};
const RiOptionTable ri_place_option_table = RI_OPTION_TABLE("place", RiPlaceDef, place_rows);

static const RiOption attract_rows[] = {
    NUMBER(RiPlaceDef, "stiffness", attract, "s^-2", 40.0, 1e-3, 1e6,
           "pull towards the ground by distance, per kilogram"),
    NUMBER(RiPlaceDef, "strength", strength, "m/s^2", 10.0, 1e-3, 1e6, "limit of that pull, per kilogram"),
    NUMBER(RiPlaceDef, "preload", preload, "m/s^2", 1.0, 1e-6, 1e5, "pull where it touches the ground, per kilogram"),
    NUMBER(RiPlaceDef, "soft", soft, "", 0.05, 1e-6, 1e3,
           "joint stiffness while it is pulled, over weight times segment length"),
    NUMBER(RiPlaceDef, "still", still, "m/s", 10e-3, 1e-9, 1e3, "a robot that touches and is slower has settled"),
    NUMBER(RiPlaceDef, "time", time, "s", 12.0, 1e-3, 1e4, "longest simulated time of an attempt before the hold"),
    NUMBER(RiPlaceDef, "attempts", attempts, "", RI_PLACE_TRIES, 1, RI_PLACE_TRIES,
           "most attempts; later ones have softer joints, more preload and another guess"),
    NUMBER(RiPlaceDef, "depth", depth, "m", 1e-3, 1e-9, 1e3, "deepest penetration that is accepted"),
    NUMBER(RiPlaceDef, "step", step, "s", 2e-3, 1e-5, 0.02, "time step of the simulations"),
};
const RiOptionTable ri_place_attract_option_table = RI_OPTION_TABLE("place.attract", RiPlaceDef, attract_rows);

static const RiOption hold_rows[] = {
    NUMBER(RiPlaceDef, "time", hold, "s", 2.0, 0.0, 1e4, "time under gravity; 0: the robot is not held"),
    NUMBER(RiPlaceDef, "press", press, "N", 0.0, 0.0, 1e9,
           "least force with which each touch presses on the ground through the joints"),
    NUMBER(RiPlaceDef, "margin", margin, "", 0.4, 0.0, 0.95,
           "the pressing is raised until this share of the friction of all touches is left, or the actuators saturate"),
    NUMBER(RiPlaceDef, "creep", creep, "m", 1e-3, 1e-9, 1e3,
           "most that any feature may move in the second half of the hold"),
    RI_OPTION_YES_NO("slide", RiPlaceDef, may_slide, false, "creep is measured but does not fail the placement"),
};
const RiOptionTable ri_place_hold_option_table = RI_OPTION_TABLE("place.hold", RiPlaceDef, hold_rows);

RiPlaceDef ri_place_def_default(void)
{
    RiPlaceDef d = {.pose = ri_pose_identity()};
    ri_options_default(&ri_place_option_table, &d);
    ri_options_default(&ri_place_attract_option_table, &d);
    ri_options_default(&ri_place_hold_option_table, &d);
    return d;
}

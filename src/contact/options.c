// SPDX-License-Identifier: Apache-2.0
/// \file
/// The options of contacts and of a stance.
#include "contact/options.h"

#include "contact/contacts.h"
#include "contact/hull.h"
#include "contact/stance.h"

static const char *const point_words[] = {"envelope", "thread"};      // RiScrewPoints
static const char *const placement_words[] = {"hull", "surface"};     // RiMeshPoints
static const char *const back_end_words[] = {"points", "hulls"};      // RiBackEnd
static const char *const stance_contact_words[] = {"hub", "surface"}; // RiStanceContact

#define WHOLE(field, initial, low, high, ...)                                                                          \
    RI_OPTION(#field, RiContactOptions, field, "", initial, low, high, __VA_ARGS__)

static const RiOption contact_rows[] = {
    RI_OPTION_ONE_OF("points", RiContactOptions, screw_points, point_words, RI_SCREW_ENVELOPE,
                     "`envelope`: circles on a screw's outer cylinder; `thread`: points on the edges of its thread"),
    WHOLE(screw_stations, 0, 0, 1000, "circles per screw; 0: two, and one more for each diameter of its length"),
    WHOLE(thread_points, 24, 1, 1000, "points per turn of each thread"),
    WHOLE(wheel_stations, 2, 1, 1000, "circles per wheel"),
    WHOLE(wheel_touches, 3, 1, RI_RIM_TOUCHES,
          "places where one circle of a wheel may touch at once: ground and steps"),
    WHOLE(screw_touches, 1, 1, RI_RIM_TOUCHES, "the same for a circle of a screw"),
    WHOLE(shape_stations, 3, 1, 1000, "circles per collision cylinder, spheres per capsule, at least"),
    RI_OPTION("shape_spacing", RiContactOptions, shape_spacing, "m", 0.0, 0.0, INFINITY,
              "largest distance between points of a box, circles of a cylinder and spheres of a capsule on ground "
              "that is not flat; 0: a quarter of the longest side, and at least the diameter of round shapes"),
    RI_OPTION_YES_NO("shapes", RiContactOptions, shapes, true,
                     "collision shapes of links without screw, wheel or contact point touch as well"),
    WHOLE(mesh_points, 48, 1, 10000, "points per collision mesh, spread as far apart as possible"),
    RI_OPTION_ONE_OF("mesh_placement", RiContactOptions, mesh_placement, placement_words, RI_MESH_HULL,
                     "`hull`: vertices of the mesh's convex hull; `surface`: vertices and centres of its triangles, so "
                     "that hollows touch as well"),
    RI_OPTION_ONE_OF("back_end", RiContactOptions, back_end, back_end_words, RI_BACK_END_POINTS,
                     "`points`: only the ground is touched; `hulls`: links touch each other as well"),
    RI_OPTION_YES_NO("self", RiContactOptions, self, true,
                     "with `hulls`: links touch each other; `false`: only meshes differ from `points`"),
    WHOLE(hulls, 32, 1, 1024, "convex parts that a mesh may be split into; too few are an error"),
    RI_OPTION("hull_tolerance", RiContactOptions, hull_tolerance, "m", 0.0, 0.0, INFINITY,
              "how far the parts may fill a mesh's hollows; 0: 3 % of its diagonal"),
    WHOLE(hull_corners, 48, 4, RI_HULL_POINTS, "vertices of a part"),
    WHOLE(hull_sides, 32, 8, RI_HULL_POINTS / 2,
          "sides of the prism that represents a cylinder, wheel or short screw in contact with other links"),
    WHOLE(pair_room, 0, 0, 1000000,
          "pairs of hulls that may touch at once; 0: four per hull, at least 16. The validity flag "
          "`contact.pair_room` tells when it is too small"),
    RI_OPTION_OWNED("ignore", "list of [GLOB, GLOB]", "pairs of links that do not touch each other"),
    RI_OPTION_OWNED("collide", "list of [GLOB, GLOB]",
                    "pairs of links that touch, although they are joined or overlap in the initial configuration"),
    RI_OPTION_OWNED("pairs", "list of pairs", "contact laws; the first pair that matches is used"),
    RI_OPTION_OWNED("melt", "mapping", "screws have temperatures and melt into ice"),
};
const RiOptionTable ri_contact_option_table = RI_OPTION_TABLE("contact", RiContactOptions, contact_rows);

RiContactOptions ri_contact_options_default(void)
{
    RiContactOptions o = {.gravity = {0.0, 0.0, -9.81}, .seed = 1};
    ri_options_default(&ri_contact_option_table, &o);
    return o;
}

static const RiOption stance_rows[] = {
    RI_OPTION_ONE_OF("contact", RiStanceDef, contact, stance_contact_words, RI_STANCE_BELOW_HUB,
                     "`hub`: the ground below the hub is one radius lower; `surface`: the wheel's surface touches"),
    RI_OPTION_YES_NO("limits", RiStanceDef, limits, true, "joint limits must hold"),
    RI_OPTION("tolerance", RiStanceDef, tolerance, "m", 1e-8, 0.0, 1e-3,
              "largest gap or overlap of a wheel that touches", .flags = RI_OPTION_ABOVE),
    RI_OPTION("iterations", RiStanceDef, iterations, "", 30, 1, 10000, "of Newton's method, for each start"),
    RI_OPTION_OWNED(
        "sinkage", "0 to 10 m, or auto",
        "how deep the wheels are in the ground; `auto`: as deep as the soil below the start lets them sink"),
    RI_OPTION_OWNED("passive", "list of globs",
                    "joints that give way; without it those between base and wheels without actuator and spring"),
    RI_OPTION_OWNED("start", "stand or given", "`stand`: the robot is put on the ground; `given`: it stays as given"),
    RI_OPTION_OWNED("doc", "text", "for the reader"),
};
const RiOptionTable ri_stance_option_table = RI_OPTION_TABLE("stance", RiStanceDef, stance_rows);

RiStanceDef ri_stance_def_default(void)
{
    RiStanceDef d = {0};
    ri_options_default(&ri_stance_option_table, &d);
    return d;
}

const char *ri_stance_contact_name(RiStanceContact contact)
{
    return (unsigned)contact < RI_STANCE_CONTACT_COUNT ? stance_contact_words[contact] : "unknown";
}

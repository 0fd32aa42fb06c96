// SPDX-License-Identifier: Apache-2.0
/// \file
/// Left is as good as right, and north as good as east: a rover on given ground and its mirror
/// image, or the same rover with all of its ground turned by a quarter about the vertical, do the
/// same. They differ by rounding, which a short run has no time to grow.
#include <rille/values.h>

#include "sim/fixture.h"

typedef enum Image { AS_IT_IS, MIRRORED, TURNED, IMAGES } Image;

/// What an image makes of a point of the plan.
static void place(Image image, double x, double y, double out[2])
{
    out[0] = image == TURNED ? -y : x;
    out[1] = image == TURNED ? x : image == MIRRORED ? -y : y;
}

/// A rectangle of the plan, as middle and size.
typedef struct Area {
    double x, y, length, width;
} Area;

static Area area_of(Image image, Area a)
{
    double p[2];
    place(image, a.x, a.y, p);
    return (Area){p[0], p[1], image == TURNED ? a.width : a.length, image == TURNED ? a.length : a.width};
}

typedef struct Case {
    const char *name, *robot, *method;
    bool sand;   ///< the ground is sand,
    bool rock;   ///< and on one side of it rock
    double step; ///< height of a ledge under some wheels of one side [m]; 0: none
    bool berms;  ///< wheels move the soil that they displace
} Case;

/// Where the rock or the ledge is: under wheels on the left, and beside the rover's middle.
static const Area ledge = {0.7, 0.9, 1.0, 1.2};

static int put_ground(const Case *c, Image image, char *out, size_t size)
{
    const Area a = area_of(image, ledge);
    const double w = 0.5 * a.length, d = 0.5 * a.width;
    if (c->step > 0.0)
        return snprintf(out, size,
                        "terrain:\n"
                        "  kind: shapes\n"
                        "  parts:\n"
                        "    - {shape: plane}\n"
                        "    - {shape: box, size: [%.17g, %.17g, 1], xyz: [%.17g, %.17g, %.17g]}\n"
                        "  soil: rock\n",
                        a.length, a.width, a.x, a.y, c->step - 0.5);
    if (c->rock)
        return snprintf(out, size,
                        "terrain:\n"
                        "  kind: plane\n"
                        "  ruts: true\n"
                        "  soil:\n"
                        "    base: dry_sand_LLL\n"
                        "    regions: [{name: slab, soil: rock, polygon: [[%.17g, %.17g], [%.17g, %.17g], "
                        "[%.17g, %.17g], [%.17g, %.17g]]}]\n",
                        a.x - w, a.y - d, a.x + w, a.y - d, a.x + w, a.y + d, a.x - w, a.y + d);
    return snprintf(out, size, "terrain: {kind: plane, soil: %s, ruts: %s}\n", c->sand ? "dry_sand_LLL" : "rock",
                    c->sand ? "true" : "false");
}

/// A rover that drives a curve, steered and driven differently on both sides, let go a little above
/// the ground, in gravity that pulls to one side.
static Fixture open_case(const Case *c, Image image)
{
    const bool swap = image == MIRRORED;
    const double s = swap ? -1.0 : 1.0, yaw = (image == TURNED ? 90.0 : 0.0) + s * 4.0;
    const char *left = swap ? "right" : "left", *right = swap ? "left" : "right";
    double at[2], pull[2];
    char text[4096];
    place(image, 0.05, 0.03, at);
    place(image, -0.3, 0.4, pull);
    int n = snprintf(text, sizeof text,
                     "scene: image\n"
                     "robot: ../robots/%s.yaml\n"
                     "duration: 10 s\n"
                     "tick: 2 ms\n"
                     "integrator: %s\n"
                     "gravity: [%.17g, %.17g, -3.7]\n"
                     "contact: {pairs: [{robot: wheel, friction: 0.6, stiffness: 100 kN/m, damping: 4 kN*s/m}]}\n"
                     "initial: {base: {xyz: [%.17g, %.17g, %.17g], rpy: [0, 0, %.17g deg]}}\n",
                     c->robot, c->method, pull[0], pull[1], at[0], at[1], c->step + 0.005, yaw);
    n += put_ground(c, image, text + n, sizeof text - (size_t)n);
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "%s"
                  "devices:\n"
                  "  - joints: \"steer_*\"\n"
                  "    name: hold_${joint}\n"
                  "    type: servo\n"
                  "    set: {stiffness: 500 N*m/rad, damping: 50 N*m*s/rad}\n"
                  "  - joints: \"drive_*\"\n"
                  "    name: motor_${joint}\n"
                  "    type: servo\n"
                  "    set: {stiffness: 0, damping: 100 N*m*s/rad, velocity: 0.5}\n"
                  "commands:\n"
                  "  - {at: 0.1 s, set: {hold_steer_front_%s_joint.position: %.17g, "
                  "hold_steer_front_%s_joint.position: %.17g, hold_steer_rear_%s_joint.position: %.17g, "
                  "motor_drive_front_%s_joint.velocity: 0.8, motor_drive_middle_%s_joint.velocity: 0.3}}\n",
                  c->berms ? "soil: {berms: true}\n" : "", left, s * 0.2, right, s * 0.15, left, s * -0.1, left, right);
    CHECK(n > 0 && (size_t)n < sizeof text);
    return parse(text);
}

/// A name with its first "_left" or "_right" exchanged.
static void swap_sides(const char *name, char *out, size_t size)
{
    const char *l = strstr(name, "_left"), *r = strstr(name, "_right"), *at = l ? l : r;
    if (!at)
        snprintf(out, size, "%s", name);
    else
        snprintf(out, size, "%.*s%s%s", (int)(at - name), name, l ? "_right" : "_left", at + (l ? 5 : 6));
}

/// Value of an image that stands for one of the original, turned or mirrored back.
static double image_of(Fixture *f, Image image, const char *name)
{
    static const char *const mirrored[] = {"base.y",      "base.vy",     "base.roll", "base.yaw",
                                           "base.rate_x", "base.rate_z", "com.y",     "com.vy"};
    static const char *const turned[][3] = {{"base.x", "base.y", "+"},
                                            {"base.y", "base.x", "-"},
                                            {"base.vx", "base.vy", "+"},
                                            {"base.vy", "base.vx", "-"},
                                            {"base.rate_x", "base.rate_y", "+"},
                                            {"base.rate_y", "base.rate_x", "-"},
                                            {"com.x", "com.y", "+"},
                                            {"com.y", "com.x", "-"},
                                            {"com.vx", "com.vy", "+"},
                                            {"com.vy", "com.vx", "-"}};
    char other[256];
    if (image == TURNED) {
        if (strcmp(name, "base.yaw") == 0)
            return value(f, name) - 0.5 * M_PI;
        for (size_t i = 0; i < sizeof turned / sizeof *turned; i++)
            if (strcmp(name, turned[i][0]) == 0)
                return (*turned[i][2] == '-' ? -1.0 : 1.0) * value(f, turned[i][1]);
        return value(f, name);
    }
    swap_sides(name, other, sizeof other);
    // joints about the vertical, and ExoMars' rear bogie, which turns about the way ahead
    bool against =
        strstr(name, "steer_") || strstr(name, "differential_bar_") || strncmp(name, "bogie_rear_joint.", 17) == 0;
    for (size_t i = 0; i < sizeof mirrored / sizeof *mirrored; i++)
        against |= strcmp(name, mirrored[i]) == 0;
    return (against ? -1.0 : 1.0) * value(f, other);
}

/// Compares all that moves and presses: bodies, joints, wheels on rock and on soil. Returns the
/// largest difference, relative to the value or to 1.
static double compare(Fixture *a, Fixture *b, Image image, const char **out_worst)
{
    static const char *const globs[] = {"base.*",           "com.*",          "*_joint.position",
                                        "*_joint.velocity", "*_joint.effort", "contact.*.normal",
                                        "contact.*.depth",  "soil.*.normal",  "soil.*.sinkage"};
    RiValues *t = ri_sim_values(a->sim);
    double worst = 0.0;
    int seen = 0;
    for (size_t g = 0; g < sizeof globs / sizeof *globs; g++)
        for (int i = ri_values_match(t, globs[g], 0); i >= 0; i = ri_values_match(t, globs[g], i + 1), seen++) {
            const char *name = ri_values_get(t, i)->name;
            const double x = ri_values_read(t, i), y = image_of(b, image, name);
            const double off = fabs(x - y) / fmax(1.0, fabs(x));
            if (!(off <= worst))
                worst = off, *out_worst = name;
        }
    CHECK(seen > 40);
    return worst;
}

static const Case runs[] = {
    {"mer on a ledge of rock", "mer", "implicit", false, false, 0.03, false},
    {"mer on a ledge, exact contact", "mer", "moreau", false, false, 0.03, false},
    {"mer on sand", "mer", "implicit", true, false, 0.0, false},
    {"mer on sand with rock on one side", "mer", "implicit", true, true, 0.0, false},
    {"the same, exact contact", "mer", "moreau", true, true, 0.0, false},
    {"exomars on a ledge of rock", "exomars", "implicit", false, false, 0.03, false},
    {"exomars on sand", "exomars", "implicit", true, false, 0.0, false},
    {"mer on sand with berms", "mer", "implicit", true, false, 0.0, true},
    {"exomars on sand with berms and rock on one side", "exomars", "implicit", true, true, 0.0, true},
    {"sojourner on sand", "sojourner", "implicit", true, false, 0.0, false},
    {"fido on sand with rock on one side", "fido", "implicit", true, true, 0.0, false},
    {"rocky 8 on a ledge of rock", "rocky8", "moreau", false, false, 0.02, false},
    {"curiosity on a ledge of rock", "curiosity", "implicit", false, false, 0.05, false},
    {"mars 2020 on sand", "mars2020", "moreau", true, false, 0.0, false},
    {"rocker-bogie on sand with rock on one side", "rocker_bogie", "implicit", true, true, 0.0, false},
};

/// Runs all of them beside their images.
static void check_images(Image image)
{
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        Fixture a = open_case(&runs[i], AS_IT_IS), b = open_case(&runs[i], image);
        const char *worst = "";
        double most = 0.0;
        for (double t = 0.2; t < 1.1; t += 0.2) {
            run_to(&a, t);
            run_to(&b, t);
            most = fmax(most, compare(&a, &b, image, &worst));
        }
        printf("     %s: %.1e (%s)\n", runs[i].name, most, worst);
        if (!(most < 1e-7))
            CHECK_FAIL("%s: its image differs by %g in %s", runs[i].name, most, worst);
        CHECK(fabs(value(&a, "base.yaw") - 4.0 * M_PI / 180.0) > 1e-5); // or there was nothing to compare
        close_all(&a);
        close_all(&b);
    }
}

TEST(a_mirrored_rover_on_mirrored_ground_does_the_mirror_image)
{
    check_images(MIRRORED);
}

TEST(a_rover_turned_with_its_ground_does_the_same)
{
    check_images(TURNED);
}

TEST_MAIN(CASE(a_mirrored_rover_on_mirrored_ground_does_the_mirror_image),
          CASE(a_rover_turned_with_its_ground_does_the_same))

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Navigation of snakes: directions around obstacles and pits, classes of ground, levels, ends. The
/// plant of closed loops is a head that goes where it looks, and a body on its path.
#include "device/drive.h"

enum { N = 8, PATH = 4096 };

static const double pi = 3.14159265358979323846, SPACING = 0.1;

/// Level ground, one upright cylinder, one pit across the way, one field of another material.
typedef struct World {
    double x, y, radius, height; // cylinder
    double pit0, pit1;           // of x; nothing is seen in it
    double field0, field1;       // of x
    int material;                // of the field
    bool dark;
} World;

static World world;

static double ray(const RiDeviceCall *call, RiVec3 o, RiVec3 d, double most)
{
    (void)call;
    double best = d.z < 0.0 ? -o.z / d.z : INFINITY;
    const double px = o.x + best * d.x;
    if (isfinite(best) && px > world.pit0 && px < world.pit1)
        best = INFINITY;
    const double ox = o.x - world.x, oy = o.y - world.y;
    const double a = d.x * d.x + d.y * d.y, b = ox * d.x + oy * d.y,
                 c = ox * ox + oy * oy - world.radius * world.radius;
    if (world.radius > 0.0 && a > 0.0 && b * b > a * c) {
        const double t = (-b - sqrt(b * b - a * c)) / a;
        if (t > 0.0 && o.z + t * d.z < world.height && t < best)
            best = t;
    }
    return best <= most && !world.dark ? best : INFINITY;
}

static double height(const RiDeviceCall *call, RiVec3 p, int *out_material)
{
    (void)call;
    if (out_material)
        *out_material = p.x > world.field0 && p.x < world.field1 ? world.material : 0;
    return hypot(p.x - world.x, p.y - world.y) < world.radius ? world.height : 0.0;
}

/// A straight snake along x, its head at x = 0, joints 0.1 m over the ground.
static void begin(Drive *d)
{
    drive_init(d, "snake_navigation", 0.1);
    drive_group(d, N, "z");
    for (int i = 0; i < N; i++)
        d->joints[i].pose.p = ri_vec3(SPACING * (i - N + 1), 0.0, 0.1);
    d->call.ground_ray = ray;
    d->call.ground_height = height;
    world = (World){.pit0 = 1e9, .pit1 = 1e9, .field0 = 1e9, .field1 = 1e9};
    drive_set(d, "think_time", 0.0);
    drive_set(d, "missing", 0.0);
    drive_set(d, "range_error", 0.0);
    drive_set(d, "posture", 0.0);
}

static void go(Drive *d, double x, double y)
{
    drive_set(d, "x1", x);
    drive_set(d, "y1", y);
    drive_set(d, "goals", 1.0);
    drive_set(d, "command", 1.0);
}

/// The bearing that is chosen at the first look.
static double look_once(Drive *d)
{
    CHECK(drive_start(d) == NULL);
    drive_update(d);
    return drive_get(d, "bearing");
}

/// The head goes along its heading and turns as its bend says; the body lies on its path.
typedef struct Plant {
    double x[PATH], y[PATH], h[PATH]; // path, a piece for each update with motion
    double way[PATH];
    int count;
} Plant;

static void place_body(Drive *d, const Plant *p)
{
    int k = p->count - 1;
    for (int i = N - 1; i >= 0; i--) {
        const double behind = SPACING * (N - 1 - i);
        while (k > 0 && p->way[p->count - 1] - p->way[k] < behind - 1e-12)
            k--;
        const double left = behind - (p->way[p->count - 1] - p->way[k]); // before the path began: straight
        d->joints[i].pose.p = ri_vec3(p->x[k] - left * cos(p->h[k]), p->y[k] - left * sin(p->h[k]), 0.1);
        d->joints[i].pose.R = ri_mat3_rpy(0.0, 0.0, p->h[k]);
        d->joints[i].position = d->commands[i].position;
    }
}

/// Runs until the drive ends; returns the least distance of the head's path to the cylinder's axis.
static double run(Drive *d, Plant *p, int updates)
{
    double least = INFINITY;
    *p = (Plant){.count = 1};
    CHECK(drive_start(d) == NULL);
    for (int i = 0; i < updates && drive_get(d, "reason") == 0.0 && p->count < PATH; i++) {
        place_body(d, p);
        drive_update(d);
        const double ds = drive_get(d, "vx") * d->call.dt, turn = ds * drive_get(d, "head") / SPACING;
        const int k = p->count - 1;
        if (ds < 0.0) { // back along its path
            while (p->count > 1 && p->way[p->count - 1] > p->way[k] + ds)
                p->count--;
            continue;
        }
        if (ds == 0.0)
            continue;
        p->h[k + 1] = p->h[k] + turn;
        p->x[k + 1] = p->x[k] + ds * cos(p->h[k] + 0.5 * turn);
        p->y[k + 1] = p->y[k] + ds * sin(p->h[k] + 0.5 * turn);
        p->way[k + 1] = p->way[k] + ds;
        p->count++;
        least = fmin(least, hypot(p->x[k + 1] - world.x, p->y[k + 1] - world.y));
    }
    return least;
}

TEST(on_clear_ground_it_looks_at_its_goal)
{
    for (int k = -2; k <= 2; k++) {
        Drive d;
        begin(&d);
        go(&d, 10.0 * cos(0.3 * k), 10.0 * sin(0.3 * k));
        CHECK_CLOSE(look_once(&d), 0.3 * k, 1e-12);
        CHECK_INT((int)drive_get(&d, "open"), 31);
        CHECK(drive_get(&d, "gait") == 1.0 && drive_get(&d, "busy") == 1.0);
    }
}

TEST(an_obstacle_aside_is_passed_on_the_other_side_and_mirrored)
{
    double bearing[2];
    for (int k = 0; k < 2; k++) {
        Drive d;
        begin(&d);
        world.x = 1.6, world.y = k ? -0.15 : 0.15, world.radius = 0.3, world.height = 0.5;
        go(&d, 10.0, 0.0);
        bearing[k] = look_once(&d);
        CHECK(drive_get(&d, "open") < 31.0);
    }
    CHECK(bearing[0] < -0.1 && bearing[1] > 0.1);
    CHECK_CLOSE(bearing[0], -bearing[1], 0.07); // a sector
}

TEST(it_reaches_goals_around_an_obstacle_without_touching_it)
{
    for (int k = -3; k <= 3; k++) {
        static Plant p;
        Drive d;
        begin(&d);
        world.x = 3.0, world.y = 0.1 * k + 0.02, world.radius = 0.4, world.height = 0.5;
        go(&d, 6.0, 0.3 * k);
        const double least = run(&d, &p, PATH);
        CHECK_CLOSE(drive_get(&d, "reason"), 1.0, 0.0);
        CHECK(drive_get(&d, "arrived") == 1.0 && drive_get(&d, "reached") == 1.0);
        CHECK(least > world.radius + 0.15); // the screws' radius is 0.1 m
        CHECK_CLOSE(drive_get(&d, "way"), p.way[p.count - 1], 0.05);
    }
}

TEST(the_way_is_exact_on_a_line_and_on_a_circle)
{
    const double radius[2] = {1e9, 0.8};
    for (int k = 0; k < 2; k++) {
        Drive d;
        begin(&d);
        CHECK(drive_start(&d) == NULL);
        go(&d, 100.0, 0.0);
        for (int i = 0; i < 200; i++) {
            for (int j = 0; j < N; j++) {
                const double s = 0.004 * i + SPACING * j, a = s / radius[k];
                d.joints[j].pose.p = ri_vec3(radius[k] * sin(a), radius[k] * (1.0 - cos(a)), 0.1);
                d.joints[j].pose.R = ri_mat3_rpy(0.0, 0.0, a);
            }
            drive_update(&d);
        }
        CHECK_CLOSE(drive_get(&d, "way"), 0.004 * 199, k ? 2e-5 : 1e-6);
        CHECK_CLOSE(drive_get(&d, "speed"), 0.04, 1e-4);
    }
}

TEST(a_pit_across_the_way_is_never_entered_and_ends_the_drive)
{
    static Plant p;
    for (int k = 0; k < 2; k++) {
        Drive d;
        begin(&d);
        drive_set(&d, "patience", 4.0);
        world.pit0 = k ? 1.2 : 2.0, world.pit1 = k ? 2.4 : 3.2;
        go(&d, 5.0, 0.3);
        run(&d, &p, PATH);
        CHECK(drive_get(&d, "reason") == 3.0 || drive_get(&d, "reason") == 4.0); // blocked, or no progress along it
        CHECK_CLOSE(drive_get(&d, "escaped"), drive_get(&d, "escapes"), 0.0);
        double most = 0.0;
        for (int i = 0; i < p.count; i++)
            most = fmax(most, p.x[i]);
        CHECK(most < world.pit0 - 0.1); // the screws' radius
    }
}

TEST(gaits_and_speeds_follow_the_class_of_the_ground)
{
    Drive d;
    begin(&d);
    world.field0 = 0.5, world.field1 = 1e9, world.material = 2;
    drive_set(&d, "slip_2", 0.25);
    go(&d, 10.0, 0.0);
    (void)look_once(&d);
    CHECK(drive_get(&d, "class") == 2.0 && drive_get(&d, "gait") == 2.0);
    CHECK_CLOSE(drive_get(&d, "vx"), 0.03 / 0.75, 1e-15);

    begin(&d); // material 3 must not be entered
    world.field0 = 0.3, world.field1 = 1e9, world.material = 3;
    go(&d, 10.0, 0.0);
    (void)look_once(&d);
    CHECK(drive_get(&d, "busy") == 1.0 && drive_get(&d, "escaped") == 1.0);
}

TEST(the_middle_of_an_opening_is_followed_in_a_channel)
{
    Drive d;
    begin(&d);
    world.x = 1.6, world.y = 0.5, world.radius = 0.4, world.height = 0.5;
    drive_set(&d, "channel", 1.0);
    go(&d, -50.0, 0.0); // the goal does not draw it
    const double bearing = look_once(&d);
    CHECK(bearing < -0.1 && bearing > -0.8);
}

TEST(programs_take_over_each_level)
{
    Drive d;
    begin(&d);
    CHECK(drive_start(&d) == NULL);
    go(&d, 10.0, 0.0);
    drive_update(&d);
    CHECK(drive_get(&d, "busy") == 1.0);
    drive_set(&d, "level", 2.0); // navigation: a moving target
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "reason"), 17.0, 0.0);
    drive_set(&d, "target_x", 5.0);
    drive_set(&d, "target_y", 5.0);
    drive_set(&d, "command", 1.0);
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "bearing"), pi / 4.0, 1e-9);
    drive_set(&d, "level", 1.0); // locomotion
    drive_set(&d, "manual_speed", 0.02);
    drive_set(&d, "manual_bend", 0.1);
    for (int i = 0; i < 20; i++)
        drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "vx"), 0.02, 0.0);
    CHECK_CLOSE(drive_get(&d, "head"), 0.1, 1e-15);
    drive_set(&d, "level", 0.0); // motor
    for (int i = 0; i < N; i++) {
        char name[24];
        snprintf(name, sizeof name, "manual_%d", i + 1);
        drive_set(&d, name, 0.05 * i);
    }
    for (int i = 0; i < 60; i++)
        drive_update(&d);
    CHECK(drive_get(&d, "motor_level") == 1.0);
    for (int i = 0; i < N; i++)
        CHECK_CLOSE(d.commands[i].position, 0.05 * i, 1e-12);
}

static void ends(const char *port, double value, double reason)
{
    Drive d;
    begin(&d);
    CHECK(drive_start(&d) == NULL);
    go(&d, 10.0, 0.0);
    drive_update(&d);
    drive_set(&d, port, value);
    for (int i = 0; i < 20; i++)
        drive_update(&d);
    if (drive_get(&d, "reason") != reason || drive_get(&d, "busy") != 0.0 || drive_get(&d, "vx") != 0.0)
        CHECK_FAIL("%s = %g ends with reason %g, busy %g, vx %g", port, value, drive_get(&d, "reason"),
                   drive_get(&d, "busy"), drive_get(&d, "vx"));
}

TEST(stops_end_a_drive_with_their_reason)
{
    ends("command", 2.0, 2.0);
    ends("contact", 1.0, 9.0);
    ends("time_limit", 0.5, 10.0);
    ends("level", 1.0, 17.0);
    Drive d;
    begin(&d);
    for (int i = 0; i < N; i++)
        d.joints[i].pose.R = ri_mat3_rpy(1.2, 0.0, 0.0);
    go(&d, 10.0, 0.0);
    (void)look_once(&d);
    CHECK_CLOSE(drive_get(&d, "reason"), 5.0, 0.0);
}

TEST(bad_goals_and_blindness_are_told)
{
    Drive d;
    begin(&d);
    go(&d, NAN, 0.0);
    (void)look_once(&d);
    CHECK(drive_get(&d, "reason") == 16.0 && drive_get(&d, "refused") == 1.0);
    begin(&d);
    drive_set(&d, "command", 1.0); // no goal at all
    (void)look_once(&d);
    CHECK(drive_get(&d, "reason") == 16.0 && drive_get(&d, "refused") == 1.0);
    begin(&d);
    go(&d, 5.0, 0.0);
    drive_set(&d, "goals", 1.5);
    (void)look_once(&d);
    CHECK(drive_get(&d, "reason") == 16.0 && drive_get(&d, "refused") == 1.0);
    begin(&d);
    go(&d, 0.1, 0.0); // under the head
    (void)look_once(&d);
    CHECK(drive_get(&d, "arrived") == 1.0 && drive_get(&d, "way") == 0.0);
    static Plant p;
    begin(&d);
    world.dark = true;
    go(&d, 5.0, 0.0);
    run(&d, &p, PATH);
    CHECK_CLOSE(drive_get(&d, "reason"), 14.0, 0.0);
}

TEST(settings_that_contradict_each_other_are_refused)
{
    static const struct {
        const char *port;
        double value;
    } bad[] = {{"vision", 0.5},       {"columns", 500.0},  {"range_least", 5.0}, {"clear_length", 9.0},
               {"clear_length", 0.5}, {"half_width", 1.6}, {"gait_1", 0.5}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Drive d;
        begin(&d);
        drive_set(&d, bad[i].port, bad[i].value);
        const char *why = drive_start(&d);
        if (!why || !strstr(why, strncmp(bad[i].port, "gait", 4) == 0 ? "gait_0" : bad[i].port))
            CHECK_FAIL("%s = %g gives '%s'", bad[i].port, bad[i].value, why ? why : "no complaint");
    }
    Drive d;
    drive_init(&d, "snake_navigation", 0.1);
    drive_group(&d, N, "x");
    d.call.ground_ray = ray;
    const char *why = drive_start(&d);
    CHECK(why && strstr(why, "bend sideways"));
}

TEST_MAIN(CASE(on_clear_ground_it_looks_at_its_goal), CASE(an_obstacle_aside_is_passed_on_the_other_side_and_mirrored),
          CASE(it_reaches_goals_around_an_obstacle_without_touching_it),
          CASE(the_way_is_exact_on_a_line_and_on_a_circle),
          CASE(a_pit_across_the_way_is_never_entered_and_ends_the_drive),
          CASE(gaits_and_speeds_follow_the_class_of_the_ground),
          CASE(the_middle_of_an_opening_is_followed_in_a_channel), CASE(programs_take_over_each_level),
          CASE(stops_end_a_drive_with_their_reason), CASE(bad_goals_and_blindness_are_told),
          CASE(settings_that_contradict_each_other_are_refused))

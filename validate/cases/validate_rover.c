// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rovers: attitudes of Curiosity on a measured dune, static wheel loads against lever equations, a
/// dynamic settle against the kinematic stance, and a Hunt-Crossley stop against the closed form of
/// an impact.
///
/// Bands: attitudes within 1.1 degrees and 5 cm, what a published raster and a bundle-adjusted pose
/// agree to; loads to 1e-6, which is exact to rounding; settle 0.2 mm and 0.05 degrees, more than
/// the contacts give way under the weight; impacts by the order of the integrator.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/robot.h>
#include <rille/sim.h>
#include <rille/stance.h>
#include <rille/terrain_io.h>

#include "math/dense.h"
#include "validate/validate.h"

static const double DEGREES = 57.29577951308232, MARS = 3.71;

/// A robot on some ground.
typedef struct Rover {
    RiContext *ctx;
    RiSpec *spec;
    RiModel *m;
    RiTerrain *t;
    RiStance *stance;
    RiDyn *d;
    RiContacts *c;
    RiSim *s;
    double *q;
} Rover;

static void close_rover(Rover *r)
{
    ri_sim_destroy(r->s);
    ri_contacts_destroy(r->c);
    ri_dyn_destroy(r->d);
    ri_stance_destroy(r->stance);
    ri_terrain_destroy(r->t);
    ri_model_destroy(r->m);
    ri_spec_destroy(r->spec);
    free(r->q);
}

static RiStatus open_rover(Rover *r, const RiValidation *run, const char *robot, const char *name, const char *value)
{
    char path[1200];
    const RiSetting set = {name, value};
    const RiLoadOptions options = {.settings = &set, .setting_count = name ? 1 : 0};
    *r = (Rover){.ctx = run->ctx};
    snprintf(path, sizeof path, "%s/%s.yaml", run->robots, robot);
    RI_TRY(ri_robot_load(run->ctx, path, &options, &r->spec));
    RI_TRY(ri_model_create(run->ctx, r->spec, NULL, &r->m));
    RI_TRY(ri_dyn_create(run->ctx, r->m, &r->d));
    ri_dyn_set_gravity(r->d, ri_vec3(0.0, 0.0, -MARS));
    r->q = calloc((size_t)ri_model_nq(r->m) + 1, sizeof *r->q);
    if (!r->q)
        return ri_error(run->ctx, RI_ERR_MEMORY, "out of memory");
    ri_model_get_initial_q(r->m, r->q);
    return RI_OK;
}

static RiStatus stand_on(Rover *r, RiStanceContact contact, double sinkage)
{
    RiStanceDef def = ri_stance_def_default();
    def.contact = contact;
    def.sinkage = sinkage;
    return ri_stance_create(r->ctx, r->spec, r->m, &def, &r->stance);
}

// --- Curiosity at Dingo Gap ----------------------------------------------------------------------

/// Squares of the errors of roll, pitch [deg] and height [m], summed.
typedef struct Errors {
    double roll, pitch, height;
    int count;
} Errors;

/// A pose of the file: rover frame x forwards, y right, z down in north, east, down. Ours: east,
/// north, up.
static bool add_pose(Rover *r, const char *line, Errors *e)
{
    double north, east, down, roll, pitch, yaw;
    if (sscanf(line, "%*d,%lf,%lf,%lf,%*f,%*f,%*f,%*f,%lf,%lf,%lf", &north, &east, &down, &roll, &pitch, &yaw) != 6)
        return true;
    RiStanceReport report;
    ri_model_get_initial_q(r->m, r->q);
    if (!ri_stance_solve(r->stance, r->t, east, north, (90.0 - yaw) / DEGREES, r->q, &report))
        return false;
    e->roll += pow(DEGREES * report.roll - roll, 2.0);
    e->pitch += pow(-DEGREES * report.pitch - pitch, 2.0);
    e->height += pow(report.z + down, 2.0);
    e->count++;
    return true;
}

static RiStatus read_poses(Rover *r, const char *path, Errors *e)
{
    char line[512];
    FILE *file = fopen(path, "r");
    bool stood = file != NULL;
    while (file && stood && fgets(line, sizeof line, file))
        stood = line[0] == '#' || add_pose(r, line, e);
    if (file)
        fclose(file);
    return stood && e->count ? RI_OK
                             : ri_error(r->ctx, RI_ERR_NUMERIC, "%s: no pose, or one that cannot be stood in", path);
}

/// Wheels sink in as far as the soil that is assumed there says: terrains/dingo_gap.yaml,
/// MER_trench_high.
static double dune_sinkage(const Rover *r)
{
    const RiWheelSpec *w = &r->spec->wheels[0];
    const double load = ri_model_mass(r->m) * MARS / r->spec->wheel_count, k = 1400.0 / w->width + 820000.0;
    return pow(3.0 * load / (2.0 * w->width * k * sqrt(2.0 * w->radius)), 2.0 / 3.0) + w->grouser_height;
}

static RiStatus pose_rows(RiValidation *run, Rover *r, const char *data)
{
    char path[1200];
    RiRaster *raster;
    RiHeightsDef def = ri_heights_def_default();
    snprintf(path, sizeof path, "%s/dem/msl_dingo_gap_64m_0p0625.tif", data);
    RI_TRY(ri_raster_load(r->ctx, path, NULL, &raster));
    def.raster = raster;
    def.holes = RI_HOLES_FILL;
    const RiStatus made = ri_terrain_create_heights(r->ctx, &def, &r->t);
    ri_raster_destroy(raster);
    RI_TRY(made);
    RI_TRY(stand_on(r, RI_STANCE_BELOW_HUB, dune_sinkage(r)));
    Errors e = {0.0, 0.0, 0.0, 0};
    snprintf(path, sizeof path, "%s/dem/msl_dingo_gap_rover_poses.csv", data);
    RI_TRY(read_poses(r, path, &e));
    ri_validate_most(run, "Curiosity at Dingo Gap, rms roll", "deg", 1.1, sqrt(e.roll / e.count));
    ri_validate_most(run, "Curiosity at Dingo Gap, rms pitch", "deg", 1.1, sqrt(e.pitch / e.count));
    ri_validate_most(run, "Curiosity at Dingo Gap, rms height", "m", 0.05, sqrt(e.height / e.count));
    return RI_OK;
}

static RiStatus curiosity(RiValidation *run)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/dem/msl_dingo_gap_rover_poses.csv", run->data ? run->data : "");
    FILE *there = run->data ? fopen(path, "r") : NULL;
    if (!there) {
        ri_validate_skip(run, "Curiosity at Dingo Gap: no folder of data (RILLE_DATA)");
        return RI_OK;
    }
    fclose(there);
    Rover r;
    RiStatus status = open_rover(&r, run, "curiosity", NULL, NULL);
    if (status == RI_OK)
        status = pose_rows(run, &r, run->data);
    close_rover(&r);
    return status;
}

// --- levers --------------------------------------------------------------------------------------

/// Whether a link hangs on another one, or is it.
static bool hangs_on(const RiSpec *spec, const char *link, const char *on)
{
    while (link) {
        if (strcmp(link, on) == 0)
            return true;
        const char *up = NULL;
        for (int i = 0; i < spec->joint_count && !up; i++)
            if (strcmp(spec->joints[i].child, link) == 0)
                up = spec->joints[i].parent;
        link = up;
    }
    return false;
}

/// One free body cut out of the robot: loads times lever arms equal weights times lever arms. Axis
/// 0: x, 1: y, 2: the forces themselves.
static void lever(const Rover *r, const char *cut, int axis, RiVec3 about, double sign, double *row, double *rhs)
{
    const double o[2] = {about.x, about.y};
    for (int i = 0; i < r->spec->wheel_count; i++) {
        const RiVec3 p = ri_dyn_frame_pose(r->d, ri_model_find_link(r->m, r->spec->wheels[i].link)).p;
        const double x[2] = {p.x, p.y};
        if (hangs_on(r->spec, r->spec->wheels[i].link, cut))
            row[i] += sign * (axis == 2 ? 1.0 : x[axis] - o[axis]);
    }
    for (int i = 0; i < r->spec->link_count; i++) {
        const RiLinkSpec *l = &r->spec->links[i];
        const RiPose pose = ri_dyn_frame_pose(r->d, ri_model_find_link(r->m, l->name));
        const RiVec3 p = ri_pose_point(&pose, l->com);
        const double x[2] = {p.x, p.y};
        if (hangs_on(r->spec, l->name, cut))
            *rhs += sign * l->mass * MARS * (axis == 2 ? 1.0 : x[axis] - o[axis]);
    }
}

static RiVec3 pivot_of(const Rover *r, const char *link)
{
    return ri_dyn_frame_pose(r->d, ri_model_find_link(r->m, link)).p;
}

/// Loads of six wheels on flat ground: the whole robot does not tip, bogies turn freely, the
/// differential gives both rockers the same moment.
static bool lever_loads(Rover *r, double out[6])
{
    double A[36] = {0.0}, b[6] = {0.0};
    const RiVec3 zero = {0.0, 0.0, 0.0};
    int pivot[6];
    const bool triple = ri_model_find_link(r->m, "bogie_rear") >= 0;
    for (int axis = 0; axis < 3; axis++)
        lever(r, "chassis", axis, zero, 1.0, A + 6 * axis, b + axis);
    lever(r, "bogie_left", 0, pivot_of(r, "bogie_left"), 1.0, A + 18, b + 3);
    lever(r, "bogie_right", 0, pivot_of(r, "bogie_right"), 1.0, A + 24, b + 4);
    if (triple)
        lever(r, "bogie_rear", 1, pivot_of(r, "bogie_rear"), 1.0, A + 30, b + 5);
    else {
        lever(r, "rocker_left", 0, pivot_of(r, "rocker_left"), 1.0, A + 30, b + 5);
        lever(r, "rocker_right", 0, pivot_of(r, "rocker_right"), -1.0, A + 30, b + 5);
    }
    if (!ri_lu_factor(6, A, pivot))
        return false;
    ri_lu_solve(6, A, pivot, b);
    memcpy(out, b, sizeof b);
    return true;
}

static RiStatus load_rows(RiValidation *run, Rover *r, const char *robot)
{
    const RiPlaneDef plane = {.slope = 0.0};
    double ours[6] = {0.0}, want[6], worst = 0.0;
    RiStanceReport report;
    RI_TRY(ri_terrain_create_plane(r->ctx, &plane, &r->t));
    RI_TRY(stand_on(r, RI_STANCE_BELOW_HUB, 0.0));
    bool good = ri_stance_solve(r->stance, r->t, 0.0, 0.0, 0.0, r->q, &report);
    good = good && ri_stance_loads(r->stance, r->d, r->q, ours) && lever_loads(r, want);
    if (!good)
        return ri_error(r->ctx, RI_ERR_NUMERIC, "%s has no static loads", robot);
    for (int i = 0; i < 6; i++)
        worst = fmax(worst, fabs(ours[i] - want[i]) / want[i]);
    char text[96];
    snprintf(text, sizeof text, "%s, wheel loads against levers, relative", robot);
    ri_validate_most(run, text, "-", 1e-6, worst);
    return RI_OK;
}

static RiStatus levers(RiValidation *run)
{
    static const char *const robots[][3] = {{"mer", "com_y", "0.03"},       {"curiosity", "com_y", "-0.1"},
                                            {"sojourner", "com_y", "0.01"}, {"fido", "com_y", "0.02"},
                                            {"jpl_osr", "com_y", "0.01"},   {"exomars", "com_x", "0.05"}};
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
        Rover r;
        RiStatus status = open_rover(&r, run, robots[i][0], robots[i][1], robots[i][2]);
        if (status == RI_OK)
            status = load_rows(run, &r, robots[i][0]);
        close_rover(&r);
        RI_TRY(status);
    }
    return RI_OK;
}

// --- settle --------------------------------------------------------------------------------------

static RiStatus make_waves(Rover *r)
{
    enum { N = 161 };
    RiRaster *raster;
    RI_TRY(ri_raster_create(r->ctx, N, N, 0.05, 0.05, &raster));
    raster->x0 = raster->y0 = -4.0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const double x = -4.0 + 0.05 * i, y = -4.0 + 0.05 * j;
            raster->values[j * N + i] = (float)(0.10 * sin(1.7 * x + 0.3) * cos(1.3 * y) + 0.03 * sin(3.1 * y + 1.0));
        }
    RiHeightsDef def = ri_heights_def_default();
    def.raster = raster;
    const RiStatus status = ri_terrain_create_heights(r->ctx, &def, &r->t);
    ri_raster_destroy(raster);
    return status;
}

/// Hard contacts; steering and wheels are held by their servos.
static RiStatus make_sim(Rover *r)
{
    RiPairDef rock = ri_pair_default();
    rock.stiffness = 2e7; // what it gives way is no part of the comparison
    rock.damping = 2e5;
    rock.friction = 1.0;
    RiContactOptions contact = ri_contact_options_default();
    contact.pairs = &rock;
    contact.pair_count = 1;
    contact.wheel_stations = 3; // a crest may come up between the edges of a wide flat tread
    RiSimOptions options = ri_sim_options_default();
    options.tick = 2e-3;
    options.gravity = ri_vec3(0.0, 0.0, -MARS);
    RI_TRY(ri_contacts_create(r->ctx, r->spec, r->m, r->t, &contact, &r->c));
    RI_TRY(ri_sim_create(r->ctx, r->m, &options, &r->s));
    for (int i = 0; i < r->spec->joint_count; i++) {
        const RiJointSpec *j = &r->spec->joints[i];
        char name[80];
        snprintf(name, sizeof name, "hold_%.60s", j->name);
        const RiDeviceDef def = {.name = name, .device = ri_device_find("servo"), .attach = j->name};
        if (j->effort < INFINITY)
            RI_TRY(ri_sim_add_device(r->s, &def));
    }
    RI_TRY(ri_sim_set_contacts(r->s, r->c));
    RI_TRY(ri_sim_build(r->s));
    for (int i = 0; i < r->spec->joint_count; i++) {
        char name[96];
        snprintf(name, sizeof name, "hold_%.60s.stiffness", r->spec->joints[i].name);
        if (ri_values_find(ri_sim_values(r->s), name) < 0)
            continue;
        RI_TRY(ri_values_set(ri_sim_values(r->s), name, "5000"));
        snprintf(name, sizeof name, "hold_%.60s.damping", r->spec->joints[i].name);
        RI_TRY(ri_values_set(ri_sim_values(r->s), name, "200"));
    }
    return RI_OK;
}

static RiStatus settle_rows(RiValidation *run, Rover *r, const char *robot)
{
    RiStanceReport report;
    RI_TRY(make_waves(r));
    RI_TRY(stand_on(r, RI_STANCE_ON_SURFACE, 0.0));
    RI_TRY(make_sim(r));
    if (!ri_stance_solve(r->stance, r->t, 0.2, -0.1, 0.5, r->q, &report))
        return ri_error(r->ctx, RI_ERR_NUMERIC, "%s", report.text);
    r->q[2] += 0.02; // dropped
    memcpy(ri_sim_q(r->s), r->q, (size_t)ri_model_nq(r->m) * sizeof *r->q);
    RI_TRY(ri_sim_start(r->s));
    for (int i = 0; i < 5000; i++)
        RI_TRY(ri_sim_step(r->s));
    memcpy(r->q, ri_sim_q(r->s), (size_t)ri_model_nq(r->m) * sizeof *r->q);
    const RiMat3 R = ri_quat_to_mat3((RiQuat){r->q[3], r->q[4], r->q[5], r->q[6]});
    const double z = r->q[2], pitch = -asin(R.m[2][0]), roll = atan2(R.m[2][1], R.m[2][2]);
    if (!ri_stance_solve(r->stance, r->t, r->q[0], r->q[1], atan2(R.m[1][0], R.m[0][0]), r->q, &report))
        return ri_error(r->ctx, RI_ERR_NUMERIC, "%s", report.text);
    char text[96];
    snprintf(text, sizeof text, "%s settles, height against the stance", robot);
    ri_validate_most(run, text, "mm", 0.2, 1e3 * fabs(report.z - z));
    snprintf(text, sizeof text, "%s settles, roll and pitch against the stance", robot);
    ri_validate_most(run, text, "deg", 0.05, DEGREES * fmax(fabs(report.roll - roll), fabs(report.pitch - pitch)));
    return RI_OK;
}

static RiStatus settle(RiValidation *run)
{
    static const char *const robots[] = {"mer", "curiosity", "exomars", "sojourner", "fido", "jpl_osr"};
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
        Rover r;
        RiStatus status = open_rover(&r, run, robots[i], NULL, NULL);
        if (status == RI_OK)
            status = settle_rows(run, &r, robots[i]);
        close_rover(&r);
        RI_TRY(status);
    }
    return RI_OK;
}

// --- stops ---------------------------------------------------------------------------------------

static const double INERTIA = 2.0, STIFF = 4000.0, LOSS = 0.3, EXPONENT = 1.5, RATE = 1.2;

/// A wheel that runs into its stop; *out_rate is its rate after it, *out_depth how far it went in.
static RiStatus impact(RiContext *ctx, const RiModel *m, RiMethod method, double tick, double *out_rate,
                       double *out_depth)
{
    RiSimOptions o = ri_sim_options_default();
    o.method = method;
    o.tick = tick;
    o.gravity = ri_vec3(0.0, 0.0, 0.0);
    RiSim *s;
    RI_TRY(ri_sim_create(ctx, m, &o, &s));
    RiStatus status = ri_sim_build(s);
    if (status == RI_OK) {
        ri_sim_v(s)[0] = RATE;
        status = ri_sim_start(s);
    }
    *out_depth = 0.0;
    for (int i = 0; status == RI_OK && i < (int)(1.0 / tick) && (i == 0 || ri_sim_q(s)[0] > 0.0); i++) {
        status = ri_sim_step(s);
        *out_depth = fmax(*out_depth, ri_sim_q(s)[0]);
    }
    *out_rate = status == RI_OK ? -ri_sim_v(s)[0] : NAN;
    ri_sim_destroy(s);
    return status;
}

/// Rate after the impact from  c v - ln(1 + c v) = -c w - ln(1 - c w), by Newton's method.
static double rate_after(void)
{
    const double want = LOSS * RATE - log1p(LOSS * RATE);
    double w = RATE;
    for (int i = 0; i < 50; i++)
        w -= (-LOSS * w - log1p(-LOSS * w) - want) / (LOSS * LOSS * w / (1.0 - LOSS * w));
    return w;
}

/// Depth from  k d^(n+1) / ((n + 1) I) = v / c - ln(1 + c v) / c^2.
static double deepest(void)
{
    const double lost = RATE / LOSS - log1p(LOSS * RATE) / (LOSS * LOSS);
    return pow((EXPONENT + 1.0) * INERTIA * lost / STIFF, 1.0 / (EXPONENT + 1.0));
}

static RiStatus build_stop(RiContext *ctx, RiSpec **out_spec, RiModel **out_model)
{
    RiLinkSpec world = ri_link_default(), wheel = ri_link_default();
    world.name = "world", wheel.name = "wheel";
    wheel.mass = 1.0;
    wheel.inertia = ri_inertia_sphere(1.0, sqrt(2.5 * INERTIA));
    RiJointSpec j = ri_joint_default();
    j.name = "axle", j.type = RI_JOINT_REVOLUTE, j.parent = "world", j.child = "wheel";
    j.has_limits = true, j.lower = -10.0, j.upper = 0.0;
    j.stop_stiffness = STIFF, j.stop_damping = LOSS, j.stop_exponent = EXPONENT;
    RI_TRY(ri_spec_create(ctx, "stop", out_spec));
    RI_TRY(ri_spec_add_link(*out_spec, &world));
    RI_TRY(ri_spec_add_link(*out_spec, &wheel));
    RI_TRY(ri_spec_add_joint(*out_spec, &j));
    return ri_model_create(ctx, *out_spec, NULL, out_model);
}

static RiStatus stop_rows(RiValidation *run, const RiModel *m)
{
    double rate, depth;
    RI_TRY(impact(run->ctx, m, RI_METHOD_RK4, 1e-4, &rate, &depth));
    ri_validate_near(run, "rate after a Hunt-Crossley stop, rk4", "rad/s", rate_after(), 1e-4 * RATE, rate);
    ri_validate_near(run, "depth in a Hunt-Crossley stop, rk4", "rad", deepest(), 1e-4 * deepest(), depth);
    RI_TRY(impact(run->ctx, m, RI_METHOD_IMPLICIT, 1e-4, &rate, &depth));
    ri_validate_near(run, "rate after a Hunt-Crossley stop, implicit 0.1 ms", "rad/s", rate_after(), 0.02 * RATE, rate);
    ri_validate_near(run, "depth in a Hunt-Crossley stop, implicit 0.1 ms", "rad", deepest(), 0.02 * deepest(), depth);
    return RI_OK;
}

static RiStatus stops(RiValidation *run)
{
    RiSpec *spec = NULL;
    RiModel *m = NULL;
    RiStatus status = build_stop(run->ctx, &spec, &m);
    if (status == RI_OK)
        status = stop_rows(run, m);
    ri_model_destroy(m);
    ri_spec_destroy(spec);
    return status;
}

RiStatus ri_case_rover(RiValidation *run)
{
    RI_TRY(stops(run));
    if (!run->robots) {
        ri_validate_skip(run, "rovers: no folder of robots");
        return RI_OK;
    }
    RI_TRY(curiosity(run));
    RI_TRY(levers(run));
    return settle(run);
}

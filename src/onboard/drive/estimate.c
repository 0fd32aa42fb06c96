// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where a rover believes to be: wheel odometry with a gyro, a model of visual odometry, and the
/// sun, in one estimate with its covariance.
///
/// State (x, y, h). Odometry moves it by (a, l) ahead and left and by dh, and its covariance P by
///
///     P <- F P F^T + s diag(k_a^2, k_l^2) turned into the world + heading,   F = d(new) / d(old),   s the way [m]
///
/// dh comes from the gyro if one is connected, and its variance grows by walk^2 t; else from
/// odometry, by heading_error^2 s. Visual odometry compares pictures every vo_step or vo_turn. It
/// measures the motion since the last picture, with an error in proportion to the way, and replaces
/// what odometry said about it. It fails where fewer than features_least features are tracked
/// (featureless sand) or too much was driven between pictures; then odometry remains. It costs
/// vo_time.            [maimone2007], [helmick2006] The sun gives the heading: a Kalman update with
/// deviation sun_error every sun_period. Test: tests/onboard/test_estimate.c. Theory:
/// docs/theory/navigation.md.
#include <string.h>

#include "base/functions.h"
#include "onboard/onboard.h"

enum { XX, XY, XH, YY, YH, HH, TERMS };

enum {
    AHEAD_ERROR,
    ASIDE_ERROR,
    HEADING_ERROR,
    GYRO_WALK,
    VO,
    VO_STEP,
    VO_TURN,
    VO_ERROR,
    VO_HEADING_ERROR,
    VO_MOST,
    FEATURES,
    BARE_MATERIAL,
    BARE_FEATURES,
    FEATURES_LEAST,
    VO_TIME,
    SUN_ERROR,
    SUN_PERIOD,
    ODOMETRY_X,
    ODOMETRY_Y,
    ODOMETRY_H,
    AXLE,
    GYRO,
    SUN_X,
    SUN_Y,
    SUN_Z,
    SUN_VALID,
    STARTED,
    LAST_X,
    LAST_Y,
    LAST_H,
    P,
    ANCHOR_X = P + TERMS,
    ANCHOR_Y,
    ANCHOR_H,
    ANCHOR_P,
    TRUE_X = ANCHOR_P + TERMS,
    TRUE_Y,
    TRUE_H,
    ROLLED,
    ROLLED_TURN,
    SUN_WAITED,
    X,
    Y,
    H,
    SIGMA_X,
    SIGMA_Y,
    SIGMA_H,
    SLIP,
    UPDATES,
    FAILURES,
    TRACKED,
    SPENT,
    ERROR,
    ERROR_H,
    COUNT
};

static const RiPort ports[COUNT] = {
    [AHEAD_ERROR] = RI_PARAMETER("ahead_error", "", 0.1, 0.0, 10.0,
                                 "Odometry's error ahead after 1 m in m; grows with the root of the way."),
    [ASIDE_ERROR] = RI_PARAMETER("aside_error", "", 0.05, 0.0, 10.0, "The same to the side."),
    [HEADING_ERROR] = RI_PARAMETER("heading_error", "", 0.02, 0.0, 10.0, "Odometry's heading after 1 m, in rad."),
    [GYRO_WALK] = RI_PARAMETER("gyro_walk", "", 1e-4, 0.0, 10.0, "Gyro's heading after 1 s, in rad."),
    [VO] = RI_PARAMETER("vo", "", 0.0, 0.0, 1.0, "1: visual odometry."),
    [VO_STEP] = RI_PARAMETER("vo_step", "m", 0.6, 1e-3, 100.0, "Way between pictures."),
    [VO_TURN] = RI_PARAMETER("vo_turn", "rad", 0.31, 1e-3, 10.0, "Turn between pictures."),
    [VO_ERROR] = RI_PARAMETER("vo_error", "", 0.01, 0.0, 1.0, "Deviation of a measured way, as a share of it."),
    [VO_HEADING_ERROR] = RI_PARAMETER("vo_heading_error", "rad", 0.002, 0.0, 1.0, "Deviation of a measured turn."),
    [VO_MOST] = RI_PARAMETER("vo_most", "m", 1.5, 1e-3, 100.0, "Way beyond which pictures share too little."),
    [FEATURES] = RI_PARAMETER("features", "", 150.0, 0.0, 1e5, "Features that are tracked on ordinary ground, mean."),
    [BARE_MATERIAL] = RI_PARAMETER("bare_material", "", -1.0, -1.0, 1e3,
                                   "Number of a material of the terrain without texture; -1: none."),
    [BARE_FEATURES] = RI_PARAMETER("bare_features", "", 5.0, 0.0, 1e5, "Features that are tracked on it, mean."),
    [FEATURES_LEAST] = RI_PARAMETER("features_least", "", 30.0, 0.0, 1e5, "Fewer than these: it fails."),
    [VO_TIME] = RI_PARAMETER("vo_time", "s", 150.0, 0.0, 1e6, "Time of one update, failed or not."),
    [SUN_ERROR] = RI_PARAMETER("sun_error", "rad", 0.03, 1e-6, 10.0, "Deviation of the heading by the sun."),
    [SUN_PERIOD] = RI_PARAMETER("sun_period", "s", 0.0, 0.0, 1e9, "Between looks at the sun; 0: never."),
    [ODOMETRY_X] = RI_INPUT("odometry_x", "m", "Of the locomotion device."),
    [ODOMETRY_Y] = RI_INPUT("odometry_y", "m", "Of the locomotion device."),
    [ODOMETRY_H] = RI_INPUT("odometry_heading", "rad", "Of the locomotion device."),
    [AXLE] =
        RI_INPUT("axle", "m", "`axle` of the locomotion device: odometry is about a place so far ahead of the frame."),
    [GYRO] = RI_INPUT("gyro", "rad/s", "Rate about the upright axis, such as gyro_z of an imu; not connected: none."),
    [SUN_X] = RI_INPUT("sun_x", "", "Of a sun sensor on the same frame."),
    [SUN_Y] = RI_INPUT("sun_y", "", "Of a sun sensor on the same frame."),
    [SUN_Z] = RI_INPUT("sun_z", "", "Of a sun sensor on the same frame."),
    [SUN_VALID] = RI_INPUT("sun_valid", "", "Of a sun sensor on the same frame."),
    [STARTED] = RI_LIMITED_STATE("started", "", 0.0, 1.0, "1 after the first update."),
    [LAST_X] = RI_STATE("last_x", "m", "Odometry of the last update."),
    [LAST_Y] = RI_STATE("last_y", "m", "Odometry of the last update."),
    [LAST_H] = RI_STATE("last_heading", "rad", "Odometry of the last update."),
    [P + XX] = RI_STATE("cov_xx", "m^2", "Covariance."),
    [P + XY] = RI_STATE("cov_xy", "m^2", "Covariance."),
    [P + XH] = RI_STATE("cov_xh", "m*rad", "Covariance."),
    [P + YY] = RI_STATE("cov_yy", "m^2", "Covariance."),
    [P + YH] = RI_STATE("cov_yh", "m*rad", "Covariance."),
    [P + HH] = RI_STATE("cov_hh", "rad^2", "Covariance."),
    [ANCHOR_X] = RI_STATE("picture_x", "m", "Estimate at the last picture."),
    [ANCHOR_Y] = RI_STATE("picture_y", "m", "Estimate at the last picture."),
    [ANCHOR_H] = RI_STATE("picture_heading", "rad", "Estimate at the last picture."),
    [ANCHOR_P + XX] = RI_STATE("picture_xx", "m^2", "Covariance at the last picture."),
    [ANCHOR_P + XY] = RI_STATE("picture_xy", "m^2", "Covariance at the last picture."),
    [ANCHOR_P + XH] = RI_STATE("picture_xh", "m*rad", "Covariance at the last picture."),
    [ANCHOR_P + YY] = RI_STATE("picture_yy", "m^2", "Covariance at the last picture."),
    [ANCHOR_P + YH] = RI_STATE("picture_yh", "m*rad", "Covariance at the last picture."),
    [ANCHOR_P + HH] = RI_STATE("picture_hh", "rad^2", "Covariance at the last picture."),
    [TRUE_X] = RI_STATE("true_x", "m", "True place at the last picture."),
    [TRUE_Y] = RI_STATE("true_y", "m", "True place at the last picture."),
    [TRUE_H] = RI_STATE("true_heading", "rad", "True heading at the last picture."),
    [ROLLED] = RI_STATE("rolled", "m", "Odometry's way since the last picture."),
    [ROLLED_TURN] = RI_STATE("rolled_turn", "rad", "Turn since the last picture."),
    [SUN_WAITED] = RI_STATE("sun_waited", "s", "Since the last look at the sun."),
    [X] = RI_OUTPUT("x", "m", "Estimate; starts at odometry's."),
    [Y] = RI_OUTPUT("y", "m", "Estimate; starts at odometry's."),
    [H] = RI_OUTPUT("heading", "rad", "Estimate; starts at odometry's."),
    [SIGMA_X] = RI_OUTPUT("sigma_x", "m", "Deviation that it claims."),
    [SIGMA_Y] = RI_OUTPUT("sigma_y", "m", "Deviation that it claims."),
    [SIGMA_H] = RI_OUTPUT("sigma_heading", "rad", "Deviation that it claims."),
    [SLIP] =
        RI_OUTPUT("slip", "", "Slip of the way by visual odometry against odometry, between the last two pictures."),
    [UPDATES] = RI_OUTPUT("vo_updates", "", "Updates of visual odometry that succeeded."),
    [FAILURES] = RI_OUTPUT("vo_failures", "", "Updates that failed."),
    [TRACKED] = RI_OUTPUT("vo_features", "", "Features tracked in the last one."),
    [SPENT] = RI_OUTPUT("vo_spent", "s", "Time spent on all of them; for `vo_time` of navigation."),
    [ERROR] = RI_OUTPUT("error", "m", "Distance from the true place."),
    [ERROR_H] = RI_OUTPUT("error_heading", "rad", "Heading over the true one."),
};

static double wrap(double angle)
{
    return angle - 2.0 * RI_PI * floor(angle / (2.0 * RI_PI) + 0.5);
}

static double true_heading(const RiDeviceCall *call)
{
    return ri_atan2(call->frame_pose.R.m[1][0], call->frame_pose.R.m[0][0]);
}

/// The place that odometry is about.
static RiVec3 true_place(const RiDeviceCall *call)
{
    return ri_pose_point(&call->frame_pose, ri_vec3(call->x[AXLE], 0.0, 0.0));
}

/// Moves a pose and its covariance by (ahead, left, turn) with variances along these.
static void advance(double *pose, double *p, double ahead, double left, double turn, double va, double vl, double vh)
{
    const double h = pose[2] + 0.5 * turn, c = ri_cos(h), s = ri_sin(h);
    const double dx = ahead * c - left * s, dy = ahead * s + left * c;
    const double fx = -dy, fy = dx; // d(x, y) / dh
    const double xh = p[XH] + fx * p[HH], yh = p[YH] + fy * p[HH];
    p[XX] += fx * (p[XH] + xh) + c * c * va + s * s * vl;
    p[XY] += fx * p[YH] + fy * p[XH] + fx * fy * p[HH] + c * s * (va - vl);
    p[YY] += fy * (p[YH] + yh) + s * s * va + c * c * vl;
    p[XH] = xh;
    p[YH] = yh;
    p[HH] += vh;
    pose[0] += dx;
    pose[1] += dy;
    pose[2] = wrap(pose[2] + turn);
}

/// What odometry and the gyro say since the last update.
static void follow_odometry(RiDeviceCall *call)
{
    double *x = call->x;
    const double dx = x[ODOMETRY_X] - x[LAST_X], dy = x[ODOMETRY_Y] - x[LAST_Y];
    const double rolled_turn = wrap(x[ODOMETRY_H] - x[LAST_H]), h = x[LAST_H] + 0.5 * rolled_turn;
    const double ahead = dx * ri_cos(h) + dy * ri_sin(h), left = dy * ri_cos(h) - dx * ri_sin(h);
    const double way = ri_hypot(dx, dy);
    const bool gyro = ri_is_connected(call, GYRO);
    const double turn = gyro ? x[GYRO] * call->dt : rolled_turn;
    const double va = x[AHEAD_ERROR] * x[AHEAD_ERROR] * way, vl = x[ASIDE_ERROR] * x[ASIDE_ERROR] * way;
    const double k = gyro ? x[GYRO_WALK] : x[HEADING_ERROR];
    advance(x + X, x + P, ahead, left, turn, va, vl, k * k * (gyro ? call->dt : way + fabs(rolled_turn)));
    x[ROLLED] += way;
    x[ROLLED_TURN] += fabs(turn);
    x[LAST_X] = x[ODOMETRY_X], x[LAST_Y] = x[ODOMETRY_Y], x[LAST_H] = x[ODOMETRY_H];
}

// --- visual odometry -----------------------------------------------------------------------------

/// Features that are tracked: those of the ground ahead, with the scatter of counts.
static double count_features(const RiDeviceCall *call)
{
    const double *x = call->x;
    int material = -1;
    const RiVec3 ahead = ri_pose_point(&call->frame_pose, ri_vec3(1.5, 0.0, 0.0));
    if (call->ground_height)
        (void)call->ground_height(call, ahead, &material);
    const double mean = x[BARE_MATERIAL] >= 0.0 && material == (int)x[BARE_MATERIAL] ? x[BARE_FEATURES] : x[FEATURES];
    return fmax(0.0, floor(mean + sqrt(mean) * call->normal(call, 0) + 0.5));
}

/// A new picture: later motion is measured from here.
static void take_picture(RiDeviceCall *call)
{
    double *x = call->x;
    memcpy(x + ANCHOR_X, x + X, 3 * sizeof *x);
    memcpy(x + ANCHOR_P, x + P, TERMS * sizeof *x);
    const RiVec3 at = true_place(call);
    x[TRUE_X] = at.x;
    x[TRUE_Y] = at.y;
    x[TRUE_H] = true_heading(call);
    x[ROLLED] = x[ROLLED_TURN] = 0.0;
}

/// The motion since the last picture, measured: it replaces that of odometry.
static void measure(RiDeviceCall *call)
{
    double *x = call->x;
    const double turn = wrap(true_heading(call) - x[TRUE_H]), h = x[TRUE_H] + 0.5 * turn;
    const RiVec3 at = true_place(call);
    const double dx = at.x - x[TRUE_X], dy = at.y - x[TRUE_Y];
    const double way = ri_hypot(dx, dy), sigma = x[VO_ERROR] * way;
    const double ahead = dx * ri_cos(h) + dy * ri_sin(h) + sigma * call->normal(call, 1);
    const double left = dy * ri_cos(h) - dx * ri_sin(h) + sigma * call->normal(call, 2);
    const double measured_turn = turn + x[VO_HEADING_ERROR] * call->normal(call, 3);
    if (x[ROLLED] > 0.1) {
        // against the way of odometry, in the same axes: it may have slid back
        const double g = x[ANCHOR_X + 2] + 0.5 * turn, ox = x[X] - x[ANCHOR_X], oy = x[Y] - x[ANCHOR_X + 1];
        const double along = ahead * (ox * ri_cos(g) + oy * ri_sin(g)) + left * (oy * ri_cos(g) - ox * ri_sin(g));
        const double gone = ri_hypot(ahead, left);
        x[SLIP] = ri_slip(along < 0.0 ? -gone : gone, x[ROLLED]);
    }
    memcpy(x + X, x + ANCHOR_X, 3 * sizeof *x);
    memcpy(x + P, x + ANCHOR_P, TERMS * sizeof *x);
    advance(x + X, x + P, ahead, left, measured_turn, sigma * sigma, sigma * sigma,
            x[VO_HEADING_ERROR] * x[VO_HEADING_ERROR]);
}

static void look_at_ground(RiDeviceCall *call)
{
    double *x = call->x;
    if (x[VO] == 0.0 || (x[ROLLED] < x[VO_STEP] && x[ROLLED_TURN] < x[VO_TURN]))
        return;
    x[TRACKED] = count_features(call);
    x[SPENT] += x[VO_TIME];
    if (x[TRACKED] >= x[FEATURES_LEAST] && x[ROLLED] <= x[VO_MOST]) {
        x[UPDATES] += 1.0;
        measure(call);
    } else {
        x[FAILURES] += 1.0;
    }
    take_picture(call);
}

// --- the sun -------------------------------------------------------------------------------------

/// A measured heading z with deviation r: Kalman's update of all three.
static void correct_heading(double *pose, double *p, double z, double r)
{
    const double s = p[HH] + r * r, kx = p[XH] / s, ky = p[YH] / s, kh = p[HH] / s, off = wrap(z - pose[2]);
    pose[0] += kx * off;
    pose[1] += ky * off;
    pose[2] = wrap(pose[2] + kh * off);
    p[XX] -= kx * p[XH];
    p[XY] -= kx * p[YH];
    p[YY] -= ky * p[YH];
    p[XH] -= kx * p[HH];
    p[YH] -= ky * p[HH];
    p[HH] -= kh * p[HH];
}

/// Heading from the direction of the sun, the body's attitude against gravity known.
static void look_at_sun(RiDeviceCall *call)
{
    double *x = call->x;
    x[SUN_WAITED] += call->dt;
    if (x[SUN_PERIOD] == 0.0 || x[SUN_WAITED] < x[SUN_PERIOD] || x[SUN_VALID] == 0.0)
        return;
    const double truth = true_heading(call), c = ri_cos(truth), s = ri_sin(truth);
    const RiVec3 seen = ri_rotate(&call->frame_pose.R, ri_vec3(x[SUN_X], x[SUN_Y], x[SUN_Z]));
    const double ahead = seen.x * c + seen.y * s,
                 left = seen.y * c - seen.x * s; // levelled, in the rover's own heading
    if (ri_hypot(ahead, left) < 0.1 || ri_hypot(call->sun.x, call->sun.y) < 0.1)
        return; // overhead: it says nothing
    x[SUN_WAITED] = 0.0;
    correct_heading(x + X, x + P, wrap(ri_atan2(call->sun.y, call->sun.x) - ri_atan2(left, ahead)), x[SUN_ERROR]);
    if (x[VO] != 0.0)
        take_picture(call);
}

// --- update --------------------------------------------------------------------------------------

static void begin(RiDeviceCall *call)
{
    double *x = call->x;
    x[STARTED] = 1.0;
    x[X] = x[LAST_X] = x[ODOMETRY_X];
    x[Y] = x[LAST_Y] = x[ODOMETRY_Y];
    x[H] = x[LAST_H] = x[ODOMETRY_H];
    take_picture(call);
}

static void update(RiDeviceCall *call)
{
    double *x = call->x;
    if (x[STARTED] == 0.0)
        begin(call);
    follow_odometry(call);
    look_at_ground(call);
    look_at_sun(call);
    x[SIGMA_X] = sqrt(fmax(0.0, x[P + XX]));
    x[SIGMA_Y] = sqrt(fmax(0.0, x[P + YY]));
    x[SIGMA_H] = sqrt(fmax(0.0, x[P + HH]));
    const RiVec3 at = true_place(call);
    x[ERROR] = ri_hypot(x[X] - at.x, x[Y] - at.y);
    x[ERROR_H] = wrap(x[H] - true_heading(call));
}

static const char *start(RiDeviceCall *call)
{
    const double *x = call->x;
    if (x[VO] != floor(x[VO]) || x[BARE_MATERIAL] != floor(x[BARE_MATERIAL]))
        return "'vo' and 'bare_material' must be whole numbers";
    if (x[VO_STEP] > x[VO_MOST])
        return "'vo_step' must be at most 'vo_most', or every update fails";
    return ri_is_connected(call, ODOMETRY_X) && ri_is_connected(call, ODOMETRY_Y) && ri_is_connected(call, ODOMETRY_H)
               ? NULL
               : "needs 'odometry_x', 'odometry_y' and 'odometry_heading' connected to a locomotion device";
}

const RiDeviceClass ri_pose_estimator = {
    .abi = RI_DEVICE_ABI,
    .name = "pose_estimator",
    .doc = "Pose of a rover with its covariance: odometry, gyro, a model of visual odometry, and the sun.",
    .attach = RI_ATTACH_FRAME,
    .ports = ports,
    .port_count = COUNT,
    .start = start,
    .update = update,
};

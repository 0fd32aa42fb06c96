// SPDX-License-Identifier: Apache-2.0
/// \file
/// Inertial measurement unit: three accelerometers and three gyros along the axes of a frame.
///
/// Truth, in axes of the frame B with R_WB, acceleration a of its origin, gravity g and angular
/// velocity w (world axes):
///
///     f = R^T (a - g)  specific force,      R^T w  angular rate
///
/// Each of the six channels reads, within its range,
///
///     y_k = (1 + scale) truth + bias + walk_k + N n_k / sqrt(dt)                                       [ieee952]
///     walk_k = exp(-dt / T) walk_{k-1} + K sqrt(T/2 (1 - exp(-2 dt / T))) m_k     (T = 0: walk_{k-1} + K sqrt(dt) m_k)
///
/// with n, m standard normal. N is the density of the white noise (velocity or angle random walk),
/// K that of the bias's random walk (acceleration or rate random walk), T the correlation time of
/// the bias. The noise of a sample grows with 1 / sqrt(dt), so what is integrated does not depend
/// on the device's rate. Allan deviation: N / sqrt(tau) at short tau, K sqrt(tau / 3) at long tau
/// (T = 0). Test: tests/device/test_imu.c.
#include "base/functions.h"
#include "device/ports.h"

enum { X, Y, Z, AXES };
enum {
    ACCEL_SCALE,
    ACCEL_BIAS,
    ACCEL_NOISE = ACCEL_BIAS + AXES,
    ACCEL_WALK,
    ACCEL_WALK_TIME,
    ACCEL_RANGE,
    GYRO_SCALE,
    GYRO_BIAS,
    GYRO_NOISE = GYRO_BIAS + AXES,
    GYRO_WALK,
    GYRO_WALK_TIME,
    GYRO_RANGE,
    ACCEL_DRIFT,
    GYRO_DRIFT = ACCEL_DRIFT + AXES,
    ACCEL = GYRO_DRIFT + AXES,
    GYRO = ACCEL + AXES,
    TRUTH_ACCEL = GYRO + AXES,
    TRUTH_GYRO = TRUTH_ACCEL + AXES,
    SATURATED = TRUTH_GYRO + AXES,
    COUNT
};

static const RiPort ports[COUNT] = {
    [ACCEL_SCALE] = RI_ANY_PARAMETER("accel_scale", "", 0.0, "Scale error of the accelerometers."),
    [ACCEL_BIAS + X] = RI_ANY_PARAMETER("accel_bias_x", "m/s^2", 0.0, "Constant bias."),
    [ACCEL_BIAS + Y] = RI_ANY_PARAMETER("accel_bias_y", "m/s^2", 0.0, "Constant bias."),
    [ACCEL_BIAS + Z] = RI_ANY_PARAMETER("accel_bias_z", "m/s^2", 0.0, "Constant bias."),
    [ACCEL_NOISE] = RI_PARAMETER("accel_noise", "", 0.0, 0.0, INFINITY,
                                 "White noise density (velocity random walk) in m/s^2/sqrt(Hz)."),
    [ACCEL_WALK] = RI_PARAMETER("accel_walk", "", 0.0, 0.0, INFINITY,
                                "Density of the bias's random walk (acceleration random walk) in m/s^3/sqrt(Hz)."),
    [ACCEL_WALK_TIME] = RI_PARAMETER("accel_walk_time", "s", 0.0, 0.0, INFINITY,
                                     "Correlation time of the bias; 0: a pure random walk."),
    [ACCEL_RANGE] = RI_PARAMETER("accel_range", "m/s^2", 0.0, 0.0, INFINITY, "Largest reading; 0 means none."),
    [GYRO_SCALE] = RI_ANY_PARAMETER("gyro_scale", "", 0.0, "Scale error of the gyros."),
    [GYRO_BIAS + X] = RI_ANY_PARAMETER("gyro_bias_x", "rad/s", 0.0, "Constant bias."),
    [GYRO_BIAS + Y] = RI_ANY_PARAMETER("gyro_bias_y", "rad/s", 0.0, "Constant bias."),
    [GYRO_BIAS + Z] = RI_ANY_PARAMETER("gyro_bias_z", "rad/s", 0.0, "Constant bias."),
    [GYRO_NOISE] = RI_PARAMETER("gyro_noise", "", 0.0, 0.0, INFINITY,
                                "White noise density (angle random walk) in rad/s/sqrt(Hz)."),
    [GYRO_WALK] = RI_PARAMETER("gyro_walk", "", 0.0, 0.0, INFINITY,
                               "Density of the bias's random walk (rate random walk) in rad/s^2/sqrt(Hz)."),
    [GYRO_WALK_TIME] =
        RI_PARAMETER("gyro_walk_time", "s", 0.0, 0.0, INFINITY, "Correlation time of the bias; 0: a pure random walk."),
    [GYRO_RANGE] = RI_PARAMETER("gyro_range", "rad/s", 0.0, 0.0, INFINITY, "Largest reading; 0 means none."),
    [ACCEL_DRIFT + X] = RI_STATE("accel_drift_x", "m/s^2", "Bias that has walked."),
    [ACCEL_DRIFT + Y] = RI_STATE("accel_drift_y", "m/s^2", "Bias that has walked."),
    [ACCEL_DRIFT + Z] = RI_STATE("accel_drift_z", "m/s^2", "Bias that has walked."),
    [GYRO_DRIFT + X] = RI_STATE("gyro_drift_x", "rad/s", "Bias that has walked."),
    [GYRO_DRIFT + Y] = RI_STATE("gyro_drift_y", "rad/s", "Bias that has walked."),
    [GYRO_DRIFT + Z] = RI_STATE("gyro_drift_z", "rad/s", "Bias that has walked."),
    [ACCEL + X] = RI_OUTPUT("accel_x", "m/s^2", "Specific force, measured."),
    [ACCEL + Y] = RI_OUTPUT("accel_y", "m/s^2", "Specific force, measured."),
    [ACCEL + Z] = RI_OUTPUT("accel_z", "m/s^2", "Specific force, measured."),
    [GYRO + X] = RI_OUTPUT("gyro_x", "rad/s", "Angular rate, measured."),
    [GYRO + Y] = RI_OUTPUT("gyro_y", "rad/s", "Angular rate, measured."),
    [GYRO + Z] = RI_OUTPUT("gyro_z", "rad/s", "Angular rate, measured."),
    [TRUTH_ACCEL + X] = RI_OUTPUT("truth_accel_x", "m/s^2", "Specific force, exact."),
    [TRUTH_ACCEL + Y] = RI_OUTPUT("truth_accel_y", "m/s^2", "Specific force, exact."),
    [TRUTH_ACCEL + Z] = RI_OUTPUT("truth_accel_z", "m/s^2", "Specific force, exact."),
    [TRUTH_GYRO + X] = RI_OUTPUT("truth_gyro_x", "rad/s", "Angular rate, exact."),
    [TRUTH_GYRO + Y] = RI_OUTPUT("truth_gyro_y", "rad/s", "Angular rate, exact."),
    [TRUTH_GYRO + Z] = RI_OUTPUT("truth_gyro_z", "rad/s", "Angular rate, exact."),
    [SATURATED] = RI_OUTPUT("saturated", "", "1 while a channel is at the end of its range."),
};

/// Ports of one triad: accelerometers or gyros.
typedef struct Triad {
    int scale, bias, noise, walk, walk_time, range, drift, out, truth;
    int first_normal; ///< of the six normal numbers it draws
} Triad;

static const Triad accelerometers = {ACCEL_SCALE, ACCEL_BIAS,  ACCEL_NOISE, ACCEL_WALK,  ACCEL_WALK_TIME,
                                     ACCEL_RANGE, ACCEL_DRIFT, ACCEL,       TRUTH_ACCEL, 0};
static const Triad gyros = {GYRO_SCALE, GYRO_BIAS,  GYRO_NOISE, GYRO_WALK,  GYRO_WALK_TIME,
                            GYRO_RANGE, GYRO_DRIFT, GYRO,       TRUTH_GYRO, 6};

static const char *start(RiDeviceCall *call)
{
    const double *x = call->x;
    if (!ri_is_size(x[ACCEL_NOISE]) || !ri_is_size(x[ACCEL_WALK]) || !ri_is_size(x[ACCEL_WALK_TIME]))
        return "'accel_noise', 'accel_walk' and 'accel_walk_time' must be zero or positive";
    if (!ri_is_size(x[GYRO_NOISE]) || !ri_is_size(x[GYRO_WALK]) || !ri_is_size(x[GYRO_WALK_TIME]))
        return "'gyro_noise', 'gyro_walk' and 'gyro_walk_time' must be zero or positive";
    if (!ri_is_size(x[ACCEL_RANGE]) || !ri_is_size(x[GYRO_RANGE]))
        return "'accel_range' and 'gyro_range' must be positive, or 0 for none";
    if (!(x[ACCEL_SCALE] > -1.0 && x[ACCEL_SCALE] <= 1.0) || !(x[GYRO_SCALE] > -1.0 && x[GYRO_SCALE] <= 1.0))
        return "'accel_scale' and 'gyro_scale' must be above -1 and at most 1";
    for (int k = 0; k < AXES; k++) {
        if (!isfinite(x[ACCEL_BIAS + k]) || !isfinite(x[GYRO_BIAS + k]))
            return "the biases 'accel_bias_*' and 'gyro_bias_*' must be finite";
        call->x[ACCEL_DRIFT + k] = call->x[GYRO_DRIFT + k] = 0.0;
    }
    return NULL;
}

/// Lets the bias of one channel walk by dt; n is standard normal.
static double walk(double drift, double K, double T, double dt, double n)
{
    if (T <= 0.0)
        return drift + K * sqrt(dt) * n;
    return ri_exp(-dt / T) * drift + K * sqrt(-0.5 * T * ri_expm1(-2.0 * dt / T)) * n;
}

static void measure(RiDeviceCall *call, const Triad *t, RiVec3 truth)
{
    double *x = call->x;
    const double value[AXES] = {truth.x, truth.y, truth.z};
    for (int k = 0; k < AXES; k++) {
        const int normal = t->first_normal + 2 * k;
        if (x[t->walk] > 0.0)
            x[t->drift + k] = walk(x[t->drift + k], x[t->walk], x[t->walk_time], call->dt, call->normal(call, normal));
        const double bias = x[t->bias + k] + x[t->drift + k];
        const double y =
            (1.0 + x[t->scale]) * value[k] + bias + ri_noise(call, x[t->noise] / sqrt(call->dt), normal + 1);
        x[t->truth + k] = value[k];
        x[t->out + k] = ri_bound(y, x[t->range]);
        if (x[t->out + k] != y)
            x[SATURATED] = 1.0;
    }
}

static void update(RiDeviceCall *call)
{
    const RiMat3 *R = &call->frame_pose.R;
    call->x[SATURATED] = 0.0;
    measure(call, &accelerometers, ri_rotate_back(R, ri_sub(call->frame_acceleration.lin, call->gravity)));
    measure(call, &gyros, ri_rotate_back(R, call->frame_velocity.ang));
}

const RiDeviceClass ri_device_imu = {
    .abi = RI_DEVICE_ABI,
    .name = "imu",
    .doc = "Accelerometers and gyros in the axes of a frame.",
    .attach = RI_ATTACH_FRAME,
    .ports = ports,
    .port_count = COUNT,
    .start = start,
    .update = update,
};

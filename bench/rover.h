// SPDX-License-Identifier: Apache-2.0
/// \file
/// The rover of `rille bench rover`, for us and for MuJoCo: it crosses the field of bench/snake.h
/// in gentle curves.
#ifndef RI_BENCH_ROVER_H
#define RI_BENCH_ROVER_H

#include <math.h>

static const double BENCH_ROVER_X = -2.5, BENCH_ROVER_Y = -0.5; ///< where it starts [m]
static const double BENCH_ROVER_SECONDS = 40.0;                 ///< timed [s]

/// References at time t: steering of front (1) and rear (-1) wheels [rad], turning of the wheels
/// [rad/s].
static inline double bench_rover_steer(int end, double t)
{
    return end * 0.2 * sin(0.3 * t);
}
static inline double bench_rover_speed(double t)
{
    return 0.7 * fmin(1.0, t);
}

/// Gains of the steering [N m/rad, N m s/rad] and of the wheels' speed [N m s/rad].
static const double BENCH_ROVER_STEER_KP = 400.0, BENCH_ROVER_STEER_KD = 10.0, BENCH_ROVER_WHEEL_KD = 20.0;

#endif

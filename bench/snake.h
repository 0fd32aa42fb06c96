// SPDX-License-Identifier: Apache-2.0
/// \file
/// The scene of `rille bench snake`, for us and for the peers: ground, start, motion and gains.
///
/// Ground: a height field of 256 x 256 values over 10 m x 10 m, waves of 7 m down to 0.5 m. Motion:
/// a travelling wave in the bend joints, a slow one in the twist joints, screws that turn against
/// their neighbours, so that the robot stays on the field for the 45 s.
#ifndef RI_BENCH_SNAKE_H
#define RI_BENCH_SNAKE_H

#include <math.h>

enum { BENCH_FIELD = 256 };

static const double BENCH_FIELD_HALF = 5.0; ///< half the side of the field [m]
static const double BENCH_START_X = -3.5, BENCH_START_Y = -0.5;
static const double BENCH_SETTLE = 1.0;    ///< not timed: the robot falls onto the ground [s]
static const double BENCH_TRAVERSE = 45.0; ///< timed [s]

static inline double bench_ground(double x, double y)
{
    return 0.12 * sin(0.9 * x) * cos(0.7 * y) + 0.05 * sin(2.3 * x + 0.5) * sin(1.9 * y) +
           0.02 * sin(5.1 * x) * sin(4.7 * y + 1.0) + 0.006 * sin(13.0 * x + 2.0) * sin(11.0 * y);
}

/// Height of the base above z = 0 from which a straight robot of a length falls: its radius above
/// the highest ground.
static inline double bench_start_height(double length, double radius)
{
    double top = -1.0;
    for (double x = BENCH_START_X - 0.2; x < BENCH_START_X + length; x += 0.02)
        for (double y = BENCH_START_Y - radius; y <= BENCH_START_Y + radius; y += 0.02)
            top = fmax(top, bench_ground(x, y));
    return top + radius + 0.005;
}

/// References of module i at time t: bend and twist [rad], screw [rad/s].
static inline double bench_bend(int i, double t)
{
    return 0.25 * fmin(1.0, t) * sin(0.8 * t - 0.7 * i);
}
static inline double bench_twist(int i, double t)
{
    return 0.1 * fmin(1.0, t) * sin(0.5 * t + i);
}
static inline double bench_screw(int i, double t)
{
    return (i % 2 ? -2.0 : 2.0) * fmin(1.0, t);
}

/// Gains of the joint controllers: position of bend and twist joints, velocity of the screws.
typedef struct BenchGains {
    double kp, kd;
} BenchGains;
static const BenchGains BENCH_BEND_GAINS = {400.0, 3.0}, BENCH_TWIST_GAINS = {400.0, 3.0},
                        BENCH_SCREW_GAINS = {20.0, 2.0};

#endif

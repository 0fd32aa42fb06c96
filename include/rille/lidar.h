// SPDX-License-Identifier: Apache-2.0
/// \file
/// Lidars: when and where they shoot, and what a return is.
///
///     RiLidar (beams as a function of the shot's number) --(rays, in firing order)--> RiReturn: range, point, time, intensity
///
/// A lidar's own frame: x forward, y left, z up. Shots are numbered from 0 at time 0 without end;
/// the number gives the time of the shot and its ray (ri_lidar_beam). A *scan* is `shots` shots in
/// a row: a turn, or a frame of a pattern. Equations: docs/theory/lidar.md.
///
/// Threads and ownership: a lidar is a value. A table of beams is borrowed and must outlive it.
#ifndef RILLE_LIDAR_H
#define RILLE_LIDAR_H

#include <stdbool.h>
#include <stdint.h>

#include <rille/context.h>
#include <rille/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A shot: when, from where, into which direction, in the lidar's frame.
typedef struct RiBeam {
    double time;      ///< [s]
    RiVec3 origin;    ///< [m]
    RiVec3 direction; ///< unit
    int channel;      ///< laser or row
} RiBeam;

typedef enum RiLidarKind {
    RI_LIDAR_SPINNING, ///< channels that turn about z
    RI_LIDAR_ROSETTE,  ///< two prisms that turn against each other: a pattern that does not repeat
    RI_LIDAR_TABLE     ///< beams given one by one, in one or several frames
} RiLidarKind;

enum { RI_LIDAR_CHANNELS = 256 };

typedef struct RiLidar {
    RiLidarKind kind;
    double rate; ///< scans per second [Hz]
    int shots;   ///< of a scan; written by ri_lidar_check

    // Spinning: all channels shoot once in a column
    int channels;
    double elevation[RI_LIDAR_CHANNELS]; ///< in firing order [rad]
    double azimuth[RI_LIDAR_CHANNELS];   ///< offsets against the turn, counter-clockwise [rad]
    double height[RI_LIDAR_CHANNELS];    ///< of the beams' origins [m]
    double radius;                       ///< of the beams' origins from the axis [m]; ranges are reported from the axis
    double column_time;                  ///< from one column to the next [s]
    double channel_time;                 ///< from one channel to the next [s]
    double start;                        ///< direction of the first column, from x towards y [rad]
    bool clockwise;                      ///< as seen from above

    // Rosette
    double prism_hz[2];   ///< turns per second, with sign
    double deflection[2]; ///< of each prism [rad]
    double shot_time;     ///< [s]

    // Table
    const RiBeam *beams; ///< frame by frame, times from the start of each
    int frame_beams, frame_count;

    // What comes back
    double range_least, range_most; ///< [m]
    double resolution;              ///< of reported ranges [m]; 0: none
    double noise;                   ///< standard deviation of ranges [m]
    double divergence[2];           ///< half angles of the beam across and up [rad]; 0: a line
    double merge;                   ///< surfaces closer together than this are one return [m]
    double threshold;               ///< least intensity that is seen; 0: any
    double drop_out;                ///< share of returns lost at random
} RiLidar;

enum { RI_RETURN_FIRST, RI_RETURN_LAST, RI_RETURN_COUNT };

/// What one shot brought back.
typedef struct RiReturn {
    double time;                      ///< of the shot [s]
    double range[RI_RETURN_COUNT];    ///< as reported, first and last [m]; INFINITY: no return
    float intensity[RI_RETURN_COUNT]; ///< reflectance times cosine of incidence over range^2 [1/m^2]; 0: no return
    RiVec3 point; ///< of the first return, in the lidar's frame at the time of the shot, with noise [m]; NAN: none
    RiVec3 world; ///< the same point in the world, from where the lidar was at the time of the shot [m]
    RiVec3 truth; ///< where the beam's middle met the world [m]; NAN: nowhere
    int32_t channel;
    int32_t link; ///< what was hit: number of the spec's link, -1 ground, -2 nothing
    int32_t soil; ///< material of the ground, -1: not ground
} RiReturn;

/// Evenly spaced channels from `low` to `high` [rad], `columns` a turn, counter-clockwise from x.
RiLidar ri_lidar_grid(int channels, double low, double high, int columns, double rate);
/// Units by name ("vlp16", "os1_64", "livox_mid40"): facts with sources in docs/theory/lidar.md.
/// False: no such unit.
bool ri_lidar_unit(const char *name, RiLidar *out);
/// Number of lidars known by name.
int ri_lidar_unit_count(void);
/// Name of a unit, index from 0 to ri_lidar_unit_count() - 1.
const char *ri_lidar_unit_name(int unit);

/// Checks a lidar and counts the shots of a scan. RI_ERR_MODEL names what is wrong: numbers that
/// are not finite, rates and times that are not positive, beams of no length, more than 16 million
/// shots a scan.
RI_MUST_CHECK RiStatus ri_lidar_check(RiContext *ctx, const char *name, RiLidar *lidar);
/// Shot number `shot` (0 and on).
RiBeam ri_lidar_beam(const RiLidar *lidar, long long shot);
/// The first shot at or after a time.
long long ri_lidar_shot_at(const RiLidar *lidar, double time);

#ifdef __cplusplus
}
#endif
#endif

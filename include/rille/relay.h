// SPDX-License-Identifier: Apache-2.0
/// \file
/// Radio relays: orbiters and the Earth over a site, and what a link carries.
///
///     elements or body, site, time --(ri_orbit_look, ri_earth_look)--> azimuth, elevation, range, light time
///     link, range, angles          --(ri_link_compute)--> losses, signal to noise, largest rate, chosen rate
///
/// Directions are in world axes: x east, y north, z up. Equations and sources:
/// docs/theory/relay.md.
///
/// Threads and ownership: pure functions of plain values.
#ifndef RILLE_RELAY_H
#define RILLE_RELAY_H

#include <rille/sun.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Radius [m], gravitational parameter [m^3/s^2] and rotation [rad/s] of a body; zero for
/// RI_WORLD_UNKNOWN.
double ri_body_radius(RiWorld world);
/// Gravitational parameter [m^3/s^2].
double ri_body_gm(RiWorld world);
/// Sidereal rotation [rad/s].
double ri_body_spin(RiWorld world);

/// A Keplerian orbit about a body. The axes are those of the body (z its pole, x its prime
/// meridian) at simulated time 0; they stay while the body turns. An oblate body makes node and
/// periapsis drift: ri_orbit_drift.
typedef struct RiOrbit {
    double semi_major;                   ///< [m]
    double eccentricity;                 ///< below 1
    double inclination, node, periapsis; ///< [rad]
    double anomaly;                      ///< mean anomaly at time 0 [rad]
} RiOrbit;

/// NULL, or what is wrong: an orbit that meets the body, is not closed, or is not finite.
const char *ri_orbit_trouble(const RiOrbit *orbit, RiWorld world);
/// The elements whose orbit without drift is at `time` [s] where this one is then, about a body of
/// oblateness J2 (Mars 1.96e-3, the Moon 2.03e-4): secular rates of node, periapsis and anomaly.
RiOrbit ri_orbit_drift(const RiOrbit *orbit, RiWorld world, double j2, double time);
/// Period of an orbit [s].
double ri_orbit_period(const RiOrbit *orbit, RiWorld world);

/// Where something is as seen from a site.
typedef struct RiLook {
    double azimuth, elevation; ///< [rad]
    double range;              ///< [m]
    double light_time;         ///< one way [s]
    RiVec3 towards;            ///< unit, in world axes
} RiLook;

/// An orbiter over a place of a turning body at simulated time [s]. Height of the place over the
/// body's radius [m].
RiLook ri_orbit_look(const RiOrbit *orbit, RiWorld world, double latitude, double longitude, double height,
                     double time);
/// The centre of the Earth over a place with a date, on the Moon, Mars, Europa or Enceladus: within
/// 0.1 deg.
RiLook ri_earth_look(const RiSunDef *place, double time);

/// A radio link from here to there.
typedef struct RiLink {
    double frequency;     ///< [Hz]
    double power;         ///< of the transmitter [W]
    double gain;          ///< of the transmitting antenna on its axis [dB]
    double beam_width;    ///< full width at half power [rad]; 0: as strong in all directions
    double losses;        ///< cables, pointing, polarisation, air [dB]
    double gain_to_noise; ///< of the receiver: G/T [dB/K]
    double threshold;     ///< Eb/N0 that the code needs [dB]
    double margin;        ///< kept [dB]
} RiLink;

typedef struct RiLinkState {
    double space_loss;       ///< 20 log10(4 pi d f / c) [dB]
    double pattern_loss;     ///< off the antenna's axis [dB]
    double carrier_to_noise; ///< C/N0 [dB Hz]
    double rate;             ///< largest that keeps threshold and margin [bit/s]
} RiLinkState;

/// Loss between two antennas of one sense of circular polarisation, by their axial ratios [dB], with
/// the long axes of their ellipses across each other: the worst. [dB], at most 100.
double ri_polarisation_loss(double a, double b);
/// Eb/N0 at a bit error rate of about 1e-5 [dB]: 1 uncoded, 2 convolutional (7, 1/2), 3 that with
/// Reed-Solomon (255, 223), 4 turbo 1/2; NAN for others.
double ri_code_threshold(int code);
/// `off_axis`: angle between the antenna's axis and the receiver [rad].
RiLinkState ri_link_compute(const RiLink *link, double range, double off_axis);
/// The largest of the rates lowest, 2 lowest, 4 lowest ... up to highest that is at most `rate`; 0:
/// none. This is how adaptive radios step.
double ri_link_step(double rate, double lowest, double highest);

/// An overhead pass of a circular orbit over a body that does not turn.
typedef struct RiPass {
    double half_angle; ///< at the centre of the body [rad]
    double duration;   ///< above the mask [s]
    double range;      ///< at the mask [m]
} RiPass;
/// The pass of an orbit at `altitude` [m], seen above `mask` [rad].
RiPass ri_pass_overhead(RiWorld world, double altitude, double mask);

#ifdef __cplusplus
}
#endif
#endif

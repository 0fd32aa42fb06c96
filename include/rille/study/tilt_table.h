// SPDX-License-Identifier: Apache-2.0
/// \file
/// The campaign of FIDO on the tilt table [huntsberger2008]: about 400 runs of two metres or a
/// turn, at four slopes.
///
///     tests (slope, heading, motion) x repeats --(a scene each, on several threads)--> slip and errors --> table 1, figures 5, 6, 8
///
/// Equal seeds give equal results for any number of threads: a run is a function of its number.
///
/// Threads and ownership: ri_tilt_run makes its own contexts and threads; the lists belong to the
/// caller.
#ifndef RILLE_STUDY_TILT_TABLE_H
#define RILLE_STUDY_TILT_TABLE_H

#include <stdbool.h>

#include <rille/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RI_TILT_SLOPES = 4, RI_TILT_TESTS = 160, RI_TILT_RUNS = 800 };

/// What is tuned: the five of the paper.
typedef enum RiTiltParameter {
    RI_TILT_FRICTION_ANGLE,     ///< [rad]
    RI_TILT_COHESION,           ///< [Pa]
    RI_TILT_ROLLING_RESISTANCE, ///< [-]
    RI_TILT_SIGMA_MAX,          ///< [-]
    RI_TILT_SIGMA_SLOPE,        ///< [-]
    RI_TILT_PARAMETERS
} RiTiltParameter;

typedef struct RiTiltSet {
    double x[RI_TILT_PARAMETERS];
} RiTiltSet;
/// Name of the scene's parameter, its unit, and the range in which it is tuned.
const char *ri_tilt_parameter_name(int parameter);
/// Unit of a parameter.
const char *ri_tilt_parameter_unit(int parameter);
/// Range in which a parameter is sought.
void ri_tilt_parameter_range(int parameter, double *out_low, double *out_high);
/// The set that was tuned on half of the runs; docs/tilt-table.md tells how.
RiTiltSet ri_tilt_set_default(void);

typedef struct RiTiltTest {
    char name[16];                         ///< as the paper numbers them: Test21, TestS1, TestT13, TestTS1
    int slope;                             ///< of ri_tilt_slope
    bool turns;                            ///< in place
    double heading, radius, length, angle; ///< [rad], [m] 0: straight, [m] negative backwards, [rad]
    int repeats;
} RiTiltTest;

/// One run of a test.
typedef struct RiTiltRun {
    int test, repeat;
    bool tuned;          ///< belongs to the half that parameters are tuned on
    bool made;           ///< there are results
    bool done;           ///< odometry said so before the time was over
    double slip;         ///< distance from where it was commanded to end, over the commanded length [%]
    double heading;      ///< error of the heading [rad]
    double ahead, aside; ///< error of the place, in axes of the start [m]
} RiTiltRun;

typedef struct RiTiltCampaign {
    RiTiltTest tests[RI_TILT_TESTS];
    int test_count;
    RiTiltRun runs[RI_TILT_RUNS];
    int run_count;
} RiTiltCampaign;

/// Slopes as measured [rad], and as they are called.
double ri_tilt_slope(int slope);
/// Name of a slope of the table; never NULL.
const char *ri_tilt_slope_name(int slope);
/// Published slip [%] at a slope: least and largest, of the rover and of ROAMS.
typedef struct RiTiltRange {
    double low, high;
} RiTiltRange;
/// What the rover did, in percent.
RiTiltRange ri_tilt_fido(int slope);
/// What ROAMS computed, in percent.
RiTiltRange ri_tilt_roams(int slope);

/// All tests and runs of the campaign, without results.
void ri_tilt_plan(RiTiltCampaign *out_campaign);

typedef struct RiTiltOptions {
    const char *scene; ///< path of fido_tilt_table.yaml or of a scene with the same parameters
    RiTiltSet set;
    const RiTiltSet *regimes;  ///< [RI_TILT_SLOPES] a set of its own for each slope, in the place of `set`; may be NULL
    int slope;                 ///< only runs at this slope; -1, the default: all
    const RiSetting *settings; ///< further ones of the scene; may be NULL
    int setting_count;
    unsigned long long seed;
    int threads;                                    ///< default 2
    void (*progress)(void *user, int done, int of); ///< from one thread at a time; may be NULL
    void *user;
    bool drives_only, tuned_only; ///< which runs are made; the others stay as planned
    int stride;                   ///< every n-th of them; default 1
} RiTiltOptions;
/// The defaults that its fields name.
RiTiltOptions ri_tilt_options_default(void);

/// Makes the runs. The message of the first run that failed is left in `ctx`.
RI_MUST_CHECK RiStatus ri_tilt_run(RiContext *ctx, const RiTiltOptions *options, RiTiltCampaign *campaign);
/// The way of one run: places of the base beside the start, in its axes [m], `room` at most, equally
/// spaced in time; and the commanded way at the same number of points. Returns RI_OK with *out_count.
RI_MUST_CHECK RiStatus ri_tilt_trace(RiContext *ctx, const RiTiltOptions *options, const RiTiltCampaign *c, int run,
                                     int room, double (*out_driven)[2], double (*out_commanded)[2], int *out_count);

/// Errors of the places where drives at a slope ended, against the command.
typedef struct RiTiltPlaces {
    int count;
    double ahead, aside;             ///< mean of their sizes [m]
    double worst_ahead, worst_aside; ///< [m]
} RiTiltPlaces;
/// Over all drives at a slope that were made; `count` is 0 without any.
RiTiltPlaces ri_tilt_places(const RiTiltCampaign *c, int slope);
/// Range of slip over the drive runs of a slope that were made: those of the tuned half, of the
/// other one, or of both (-1). NAN if there are none.
RiTiltRange ri_tilt_slip(const RiTiltCampaign *c, int slope, int tuned);

// --- tuning (tilt_tune.c) ------------------------------------------------------------------------

/// How far the slips of the tuned half are from FIDO's ranges; 0: exactly they. Over the slopes that
/// were run.
double ri_tilt_score(const RiTiltCampaign *c);

/// Where a test ended, measured: errors against the command, as in RiTiltRun.
typedef struct RiTiltEnd {
    char test[16];
    double ahead, aside, heading; ///< [m], [m], [rad]
} RiTiltEnd;
/// Mean square distance of the ends of the tuned half's drives from the measured ones, over the
/// commanded length, and of headings per radian: the mean over repeats of a test is compared. Without
/// `ends` with the command itself. NAN if no test was run.
double ri_tilt_score_ends(const RiTiltCampaign *c, const RiTiltEnd *ends, int count);

typedef struct RiTiltTuning {
    RiTiltSet set;
    double score;
    int evaluations;
} RiTiltTuning;

typedef struct RiTiltTuneOptions {
    RiTiltOptions runs; ///< `set` is where it starts
    bool by_ends;       ///< score is ri_tilt_score_ends, else ri_tilt_score
    const RiTiltEnd *ends;
    int end_count;
    /// Minimises a score over [0, 1]^n from x on, without derivatives; false: out of memory. May be
    /// NULL.
    bool (*optimise)(int n, double *x, double (*score)(void *user, const double *x), void *user);
    /// Told of every evaluation: phase "coarse", "fine" or "optimiser".
    void (*told)(void *user, const char *phase, int evaluation, const RiTiltSet *set, double score, double best);
    void *user;
} RiTiltTuneOptions;
/// Coarse sweep, fine sweep, then the optimiser if there is one.
RI_MUST_CHECK RiStatus ri_tilt_tune(RiContext *ctx, const RiTiltTuneOptions *options, RiTiltTuning *out_tuning);

#ifdef __cplusplus
}
#endif
#endif

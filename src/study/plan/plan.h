// SPDX-License-Identifier: Apache-2.0
/// \file
/// Plans, inside: what the reader (plan_read.c), the executive (plan_run.c) and the report
/// (plan_report.c) share.
#ifndef RI_STUDY_PLAN_H
#define RI_STUDY_PLAN_H

#include <rille/plan.h>

#include "base/option.h"
#include "io/robot/template_option.h"

enum { RI_PLAN_TAU = 4 };                                  ///< signal: optical depth
enum { RI_PLAN_SLIP = RI_PLAN_SIGNALS - 2, RI_PLAN_RATE }; ///< signals that are no named values
enum { RI_PLAN_ACTIVITIES = 20000, RI_PLAN_LOADS = 8, RI_PLAN_DEPTH = 8, RI_PLAN_NAME = 128, RI_PLAN_SLIPS = 16 };

typedef enum RiActivityKind {
    RI_ACTIVITY_WAIT,
    RI_ACTIVITY_SLEEP,
    RI_ACTIVITY_DRIVE,
    RI_ACTIVITY_ARC,
    RI_ACTIVITY_TURN,
    RI_ACTIVITY_IMAGE,
    RI_ACTIVITY_PANORAMA,
    RI_ACTIVITY_SPECTROMETER,
    RI_ACTIVITY_ARM,
    RI_ACTIVITY_DRILL,
    RI_ACTIVITY_CHARGE,
    RI_ACTIVITY_PASS,
    RI_ACTIVITY_UPLINK,
    RI_ACTIVITY_KIND_COUNT
} RiActivityKind;

typedef struct RiActivity {
    const char *name;
    unsigned kind;                ///< RiActivityKind
    double at, hour, until_hour;  ///< earliest start [s], local true hour of start and end [h]; NaN: not given
    double before;                ///< latest start [s]; NaN
    double duration, longest;     ///< [s]; duration NaN: the kind's own or until
    const char *until, *when;     ///< conditions; NULL
    double reply;                 ///< uplink: what the ground takes to answer [s]; NaN: it is not asked
    const char *loads, *radio;    ///< names, separated by commas; NULL
    double x, y;                  ///< drive to [m]
    double fix_every;             ///< [m] of a stepped drive between fixes of its place; 0: none
    double length, radius, angle; ///< arc, turn
    const char *after;            ///< names of activities, NULL
    const char *arm, *camera;     ///< devices that do it, NULL
    double z;                     ///< of an arm's target, with x and y [m]
    int pictures;
    double depth;      ///< bits per pixel
    double data;       ///< bits
    unsigned fidelity; ///< RiFidelity, at fidelity auto
    int priority;      ///< 0 also in safe mode
    const RiYamlNode *node;
} RiActivity;

typedef struct RiPlanMarginDef {
    const char *name, *value;
    double least, most;
    const RiYamlNode *node;
} RiPlanMarginDef;

typedef enum RiResponseKind { RI_RESPONSE_SAFE, RI_RESPONSE_STOP } RiResponseKind;
typedef struct RiResponse {
    const char *name, *when, *resume;
    unsigned kind;
    const RiYamlNode *node;
} RiResponse;

typedef struct RiPlanFault {
    double at; ///< [s]
    const char *name, *value;
    const RiYamlNode *node;
} RiPlanFault;

struct RiPlan {
    RiContext *ctx;
    RiTemplate t; ///< document and arena
    const char *path;
    const char *name, *doc, *scene, *dynamic;
    unsigned fidelity;
    const char *locomotion, *bus, *recorder; ///< names of devices
    double speed;                            ///< of drives by map [m/s]
    double overhead;                         ///< of a drive by map [s]
    double step;                             ///< of rest [s]
    double uneven;                           ///< and kinematic stepping [rad]
    double steep;                            ///< slope from which fidelity auto uses dynamics [rad]
    const char *map_loads;                   ///< loads that represent the motors on stretches by map
    const char *map;                         ///< folder of a mobility map; NULL
    double motor_efficiency, motor_loss;     ///< with it: of gears; copper, by the square of the rims' force [W/N^2]
    double slips[RI_PLAN_SLIPS][2];          ///< slope [rad], slip
    int slip_count;
    RiActivity *activities;
    RiPlanMarginDef *margins;
    RiResponse *responses;
    RiPlanFault *faults;
    RiSetting *settings;
    int activity_count, activity_room, margin_count, response_count, fault_count, setting_count;
};

extern const RiOptionTable ri_plan_option_table, ri_activity_option_table;
/// The next name of a list separated by commas; *at goes behind it. False: there is none.
bool ri_plan_next_name(const char **at, char out[RI_PLAN_NAME]);
const char *ri_activity_kind_name(unsigned kind);
/// Seconds that an activity of a kind takes if its plan does not say.
double ri_activity_usual_duration(unsigned kind);

#endif

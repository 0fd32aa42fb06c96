// SPDX-License-Identifier: Apache-2.0
/// \file
/// Commands at given times, and stop conditions.
#ifndef RI_SIM_SCHEDULE_H
#define RI_SIM_SCHEDULE_H

#include "sim/internal.h"

typedef struct RiCommandSlot {
    double time;
    const char *name, *text;
    RiSource source;
    int value;
    const RiFormula *formula; // of the text, from the start on; NULL: it is read each time
} RiCommandSlot;

typedef struct RiStopSlot {
    const char *text;
    const RiFormula *formula; // of the text, from the start on
    RiSource source;
} RiStopSlot;

struct RiSchedule {
    RiCommandSlot *commands; // in order of time
    RiStopSlot *stops;
    int command_count, command_room, stop_count, stop_room;
    int formula_count; // of commands
};

RI_MUST_CHECK RiStatus ri_schedule_create(RiSim *s);
void ri_schedule_destroy(RiSim *s);
/// Finds the values that commands set and compiles the stop conditions.
RI_MUST_CHECK RiStatus ri_schedule_start(RiSim *s);
bool ri_schedule_is_due(const RiSim *s);
/// Time of the next command [s]; infinite: there is none.
double ri_schedule_next(const RiSim *s);
/// Carries out the commands whose time has come.
RI_MUST_CHECK RiStatus ri_schedule_run(RiSim *s);
/// Looks at the stop conditions, and whether the base has left the terrain: head->stopped.
RI_MUST_CHECK RiStatus ri_schedule_look(RiSim *s);

#endif

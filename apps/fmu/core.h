// SPDX-License-Identifier: Apache-2.0
/// \file
/// A scene behind the functions of FMI: what both versions share.
///
///     resources folder --(core_open)--> Core --(core_get, core_set, core_step, core_save, core_load)--> fmi2.c, fmi3.c
///
/// Instances share nothing: there are no variables outside of Core.
#ifndef RILLE_FMU_CORE_H
#define RILLE_FMU_CORE_H

#include <rille/rille.h>

#include "io/fmu/fmi.h"

typedef struct Core {
    RiContext *ctx;
    RiScene *scene;
    RiSim *sim;
    char *text; ///< resources/rille.txt, cut into words
    const char *token;
    const char **names; ///< [count]
    int *values;        ///< [count] named value of each reference but 0, which is the time
    bool *inputs;       ///< [count] may be set
    int count;
    double start;           ///< time of the master at which the simulation began [s]
    unsigned char *initial; ///< checkpoint of the start
    size_t initial_size;
    char message[1024];
} Core;

/// NULL, or what is wrong (also in core->message); *core may be closed in any case.
const char *core_open(Core *core, const char *resources);
void core_close(Core *core);
/// The named value of a reference; NULL: there is none.
const RiValue *core_value(const Core *core, FmiReference reference);
/// FMI_ERROR for an unknown reference, or one of another type.
FmiStatus core_get(Core *core, FmiReference reference, RiValueType type, double *out_x);
/// FMI_WARNING for a number that is refused: the last good one is held.
FmiStatus core_set(Core *core, FmiReference reference, RiValueType type, double x);
/// To time + step. FMI_DISCARD: the run has ended before; *out_time is where.
FmiStatus core_step(Core *core, double time, double step, double *out_time);
FmiStatus core_reset(Core *core);

/// The state as bytes that begin with their size.
typedef struct CoreState {
    size_t size, room;
    double start;
    unsigned char bytes[];
} CoreState;
/// *state may be one that is there already.
FmiStatus core_save(Core *core, CoreState **state);
FmiStatus core_load(Core *core, const CoreState *state);
/// A state as bytes for a file, and back.
size_t core_packed_size(const CoreState *state);
FmiStatus core_pack(Core *core, const CoreState *state, unsigned char *bytes, size_t size);
FmiStatus core_unpack(Core *core, const unsigned char *bytes, size_t size, void **state);

#endif

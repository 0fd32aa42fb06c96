// SPDX-License-Identifier: Apache-2.0
/// \file
/// An FMU that is loaded: its files, its functions, its ports.
#ifndef RI_IO_FMU_WORK_H
#define RI_IO_FMU_WORK_H

#include "io/fmu/description.h"
#include "io/fmu/fmu.h"
#include "io/fmu/zip.h"

enum {
    FMU_PATH = 512,
    FMU_PORTS = 1024,       ///< most ports that are variables
    FMU_STATE_PORTS = 2800, ///< most ports that hold an FMU's state
    FMU_STATE_BYTES = 6     ///< in each: whole numbers that doubles hold exactly
};

/// The functions of either version; those that both have under one name have one type.
typedef struct FmuCalls {
    Fmi2Instantiate instantiate2;
    Fmi2Setup setup2;
    Fmi3Instantiate instantiate3;
    Fmi3EnterInit enter3;
    FmiPlain enter, exit, reset, terminate;
    FmiFree free;
    Fmi2GetReal get_real;
    Fmi2SetReal set_real;
    Fmi2GetInteger get_integer, get_boolean;
    Fmi2SetInteger set_integer, set_boolean;
    Fmi3Get get3[FMU_WORDS]; ///< those that its variables need
    Fmi3Set set3[FMU_WORDS];
    Fmi2DoStep step2;
    Fmi3DoStep step3;
    FmiGetState get_state;
    FmiSetState set_state;
    FmiGetState free_state;
    FmiStateSize state_size;
    FmiSerialize serialize;
    FmiDeserialize deserialize;
} FmuCalls;

struct RiFmu {
    RiContext *ctx;
    const char *path; ///< of the .fmu, for messages
    char folder[FMU_PATH];
    char **files; ///< unpacked, relative to the folder
    int file_count;
    FmuDescription d;
    void *handle, *instance;
    Fmi2Callbacks callbacks;
    FmuCalls call;

    RiDeviceClass class;
    RiPort *ports;
    int *variables;     ///< [variable_ports] of the description; an array's elements follow each other
    int variable_ports; ///< ports that are variables; then faults, steps, size, state
    int faults, steps, size, state, state_ports;
    unsigned char *bytes; ///< the state that the FMU is in, serialised
    size_t byte_count, byte_room;
    long long made; ///< steps since its start
    char log[512];  ///< what the FMU said last
    char trouble[1024];
};

/// Unpacks all files, opens the library and finds its functions.
RI_MUST_CHECK RiStatus ri_fmu_open(RiFmu *f);
void ri_fmu_close(RiFmu *f);

// All elements of a variable, in SI: x[v->size].
FmiStatus ri_fmu_get(RiFmu *f, const FmuVariable *v, double *out_x);
FmiStatus ri_fmu_set(RiFmu *f, const FmuVariable *v, const double *x);
/// From a fresh or used instance to one that is initialised with parameters and inputs.
bool ri_fmu_begin(RiFmu *f, const double *x);
FmiStatus ri_fmu_step(RiFmu *f, double time, double dt);
/// Its state into `bytes`; and back.
bool ri_fmu_save(RiFmu *f);
bool ri_fmu_restore(RiFmu *f, const unsigned char *bytes, size_t size);

#endif

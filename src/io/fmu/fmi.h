// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the binary interfaces of FMI 2.0 and 3.0 look like, declared from the standards
/// (fmi-standard.org, 2.0.4 and 3.0.1): types, and the functions that co-simulation calls.
#ifndef RI_IO_FMI_H
#define RI_IO_FMI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// fmi2Status and fmi3Status have the same first values; only FMI 2.0 has `pending`.
typedef enum FmiStatus { FMI_OK, FMI_WARNING, FMI_DISCARD, FMI_ERROR, FMI_FATAL, FMI_PENDING } FmiStatus;
typedef uint32_t FmiReference;

// --- 2.0 ---
typedef void (*Fmi2Logger)(void *environment, const char *instance, FmiStatus status, const char *category,
                           const char *message, ...);
typedef struct Fmi2Callbacks {
    Fmi2Logger logger;
    void *(*allocate)(size_t count, size_t size);
    void (*release)(void *block);
    void (*step_finished)(void *environment, FmiStatus status);
    void *environment;
} Fmi2Callbacks;
typedef enum Fmi2Type { FMI2_MODEL_EXCHANGE, FMI2_CO_SIMULATION } Fmi2Type;
typedef enum Fmi2StatusKind { FMI2_DO_STEP, FMI2_PENDING, FMI2_LAST_TIME, FMI2_TERMINATED } Fmi2StatusKind;

typedef void *(*Fmi2Instantiate)(const char *name, Fmi2Type type, const char *guid, const char *resources,
                                 const Fmi2Callbacks *callbacks, int visible, int logging);
typedef FmiStatus (*Fmi2Setup)(void *c, int tolerance_given, double tolerance, double start, int stop_given,
                               double stop);
typedef FmiStatus (*FmiPlain)(void *c);
typedef void (*FmiFree)(void *c);
typedef FmiStatus (*Fmi2GetReal)(void *c, const FmiReference *r, size_t n, double *x);
typedef FmiStatus (*Fmi2SetReal)(void *c, const FmiReference *r, size_t n, const double *x);
typedef FmiStatus (*Fmi2GetInteger)(void *c, const FmiReference *r, size_t n, int *x);
typedef FmiStatus (*Fmi2SetInteger)(void *c, const FmiReference *r, size_t n, const int *x);
typedef FmiStatus (*Fmi2DoStep)(void *c, double time, double step, int no_going_back);
typedef FmiStatus (*FmiGetState)(void *c, void **state);
typedef FmiStatus (*FmiSetState)(void *c, void *state);
typedef FmiStatus (*FmiStateSize)(void *c, void *state, size_t *size);
typedef FmiStatus (*FmiSerialize)(void *c, void *state, unsigned char *bytes, size_t size);
typedef FmiStatus (*FmiDeserialize)(void *c, const unsigned char *bytes, size_t size, void **state);

// --- 3.0 ---
typedef void (*Fmi3Logger)(void *environment, FmiStatus status, const char *category, const char *message);
typedef void (*Fmi3Update)(void *environment, double time, bool set_requested, bool get_allowed, bool step_finished,
                           bool can_return, bool *return_requested, double *return_time);
typedef void *(*Fmi3Instantiate)(const char *name, const char *token, const char *resources, bool visible, bool logging,
                                 bool events, bool early_return, const FmiReference *required, size_t required_count,
                                 void *environment, Fmi3Logger logger, Fmi3Update update);
typedef FmiStatus (*Fmi3EnterInit)(void *c, bool tolerance_given, double tolerance, double start, bool stop_given,
                                   double stop);
/// fmi3GetFloat64 and its likes: they differ in what `x` points to.
typedef FmiStatus (*Fmi3Get)(void *c, const FmiReference *r, size_t n, void *x, size_t values);
typedef FmiStatus (*Fmi3Set)(void *c, const FmiReference *r, size_t n, const void *x, size_t values);
typedef FmiStatus (*Fmi3DoStep)(void *c, double time, double step, bool no_going_back, bool *event, bool *terminate,
                                bool *early, double *last_time);

#endif

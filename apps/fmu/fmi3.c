// SPDX-License-Identifier: Apache-2.0
/// \file
/// FMI 3.0, co-simulation: the functions of the standard, over core.h. What is not supported
/// answers fmi3Error; all symbols must exist.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"

#define EXPORT __attribute__((visibility("default")))

typedef struct Instance {
    Core core;
    void *environment;
    Fmi3Logger logger;
    bool early_return;
} Instance;

static FmiStatus tell(Instance *m, FmiStatus status)
{
    if (status != FMI_OK && m->logger)
        m->logger(m->environment, status, "logStatusError", m->core.message);
    return status;
}

static FmiStatus unsupported(Instance *m, const char *what)
{
    snprintf(m->core.message, sizeof m->core.message, "%s is not supported", what);
    return tell(m, FMI_ERROR);
}

// --- life cycle ----------------------------------------------------------------------------------

EXPORT const char *fmi3GetVersion(void);
EXPORT const char *fmi3GetVersion(void)
{
    return "3.0";
}

EXPORT FmiStatus fmi3SetDebugLogging(void *c, bool on, size_t n, const char *const *categories);
EXPORT FmiStatus fmi3SetDebugLogging(void *c, bool on, size_t n, const char *const *categories)
{
    (void)c, (void)on, (void)n, (void)categories; // what goes wrong is always told
    return FMI_OK;
}

EXPORT void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
                                         bool logging, bool events, bool early_return, const FmiReference *required,
                                         size_t required_count, void *environment, Fmi3Logger logger,
                                         Fmi3Update update);
EXPORT void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
                                         bool logging, bool events, bool early_return, const FmiReference *required,
                                         size_t required_count, void *environment, Fmi3Logger logger, Fmi3Update update)
{
    Instance *m = calloc(1, sizeof *m);
    (void)name, (void)visible, (void)logging, (void)required, (void)update;
    if (!m)
        return NULL;
    m->environment = environment;
    m->logger = logger;
    m->early_return = early_return;
    const char *why = events           ? "event mode is not supported"
                      : required_count ? "intermediate variables are not supported"
                                       : core_open(&m->core, resources ? resources : "");
    if (!why && (!token || strcmp(token, m->core.token ? m->core.token : "") != 0))
        why = "the instantiation token is not that of this FMU";
    if (!why)
        return m;
    if (why != m->core.message)
        snprintf(m->core.message, sizeof m->core.message, "%s", why);
    (void)tell(m, FMI_ERROR);
    core_close(&m->core);
    free(m);
    return NULL;
}

EXPORT void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible,
                                          bool logging, void *environment, Fmi3Logger logger);
EXPORT void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible,
                                          bool logging, void *environment, Fmi3Logger logger)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging;
    if (logger)
        logger(environment, FMI_ERROR, "logStatusError", "this FMU is for co-simulation");
    return NULL;
}

EXPORT void *fmi3InstantiateScheduledExecution(const char *name, const char *token, const char *resources, bool visible,
                                               bool logging, void *environment, Fmi3Logger logger,
                                               void (*clock_update)(void *), void (*lock)(void), void (*unlock)(void));
EXPORT void *fmi3InstantiateScheduledExecution(const char *name, const char *token, const char *resources, bool visible,
                                               bool logging, void *environment, Fmi3Logger logger,
                                               void (*clock_update)(void *), void (*lock)(void), void (*unlock)(void))
{
    (void)clock_update, (void)lock, (void)unlock;
    return fmi3InstantiateModelExchange(name, token, resources, visible, logging, environment, logger);
}

EXPORT void fmi3FreeInstance(void *c);
EXPORT void fmi3FreeInstance(void *c)
{
    Instance *m = c;
    if (m)
        core_close(&m->core);
    free(m);
}

EXPORT FmiStatus fmi3EnterInitializationMode(void *c, bool tolerance_given, double tolerance, double start,
                                             bool stop_given, double stop);
EXPORT FmiStatus fmi3EnterInitializationMode(void *c, bool tolerance_given, double tolerance, double start,
                                             bool stop_given, double stop)
{
    Instance *m = c;
    (void)tolerance_given, (void)tolerance, (void)stop_given, (void)stop;
    m->core.start = start;
    return FMI_OK;
}

#define PLAIN(name)                                                                                                    \
    EXPORT FmiStatus name(void *c);                                                                                    \
    EXPORT FmiStatus name(void *c)                                                                                     \
    {                                                                                                                  \
        (void)c;                                                                                                       \
        return FMI_OK;                                                                                                 \
    }
PLAIN(fmi3ExitInitializationMode)
PLAIN(fmi3EnterStepMode)
PLAIN(fmi3Terminate)

EXPORT FmiStatus fmi3Reset(void *c);
EXPORT FmiStatus fmi3Reset(void *c)
{
    Instance *m = c;
    return tell(m, core_reset(&m->core));
}

// --- variables -----------------------------------------------------------------------------------

#define ACCESS(Get, Set, Type, kind, to)                                                                               \
    EXPORT FmiStatus Get(void *c, const FmiReference *r, size_t n, Type *x, size_t values);                            \
    EXPORT FmiStatus Get(void *c, const FmiReference *r, size_t n, Type *x, size_t values)                             \
    {                                                                                                                  \
        Instance *m = c;                                                                                               \
        FmiStatus worst = FMI_OK;                                                                                      \
        if (values != n)                                                                                               \
            return unsupported(m, "an array");                                                                         \
        for (size_t i = 0; i < n && worst < FMI_ERROR; i++) {                                                          \
            double value;                                                                                              \
            const FmiStatus status = core_get(&m->core, r[i], kind, &value);                                           \
            x[i] = to(value);                                                                                          \
            worst = status > worst ? status : worst;                                                                   \
        }                                                                                                              \
        return tell(m, worst);                                                                                         \
    }                                                                                                                  \
    EXPORT FmiStatus Set(void *c, const FmiReference *r, size_t n, const Type *x, size_t values);                      \
    EXPORT FmiStatus Set(void *c, const FmiReference *r, size_t n, const Type *x, size_t values)                       \
    {                                                                                                                  \
        Instance *m = c;                                                                                               \
        FmiStatus worst = FMI_OK;                                                                                      \
        if (values != n)                                                                                               \
            return unsupported(m, "an array");                                                                         \
        for (size_t i = 0; i < n && worst < FMI_ERROR; i++) {                                                          \
            const FmiStatus status = core_set(&m->core, r[i], kind, (double)x[i]);                                     \
            worst = status > worst ? status : worst;                                                                   \
        }                                                                                                              \
        return tell(m, worst);                                                                                         \
    }
#define AS_IS(x)    (x)
#define AS_WHOLE(x) ((int32_t)(x))
#define AS_FLAG(x)  ((x) != 0.0)
ACCESS(fmi3GetFloat64, fmi3SetFloat64, double, RI_VALUE_REAL, AS_IS)
ACCESS(fmi3GetInt32, fmi3SetInt32, int32_t, RI_VALUE_INT, AS_WHOLE)
ACCESS(fmi3GetBoolean, fmi3SetBoolean, bool, RI_VALUE_BOOL, AS_FLAG)

// --- state ---------------------------------------------------------------------------------------

EXPORT FmiStatus fmi3GetFMUState(void *c, void **state);
EXPORT FmiStatus fmi3GetFMUState(void *c, void **state)
{
    Instance *m = c;
    CoreState *s = *state;
    const FmiStatus status = tell(m, core_save(&m->core, &s));
    *state = s;
    return status;
}

EXPORT FmiStatus fmi3SetFMUState(void *c, void *state);
EXPORT FmiStatus fmi3SetFMUState(void *c, void *state)
{
    Instance *m = c;
    return tell(m, core_load(&m->core, state));
}

EXPORT FmiStatus fmi3FreeFMUState(void *c, void **state);
EXPORT FmiStatus fmi3FreeFMUState(void *c, void **state)
{
    (void)c;
    free(*state);
    *state = NULL;
    return FMI_OK;
}

EXPORT FmiStatus fmi3SerializedFMUStateSize(void *c, void *state, size_t *size);
EXPORT FmiStatus fmi3SerializedFMUStateSize(void *c, void *state, size_t *size)
{
    (void)c;
    *size = core_packed_size(state);
    return FMI_OK;
}

EXPORT FmiStatus fmi3SerializeFMUState(void *c, void *state, uint8_t *bytes, size_t size);
EXPORT FmiStatus fmi3SerializeFMUState(void *c, void *state, uint8_t *bytes, size_t size)
{
    Instance *m = c;
    return tell(m, core_pack(&m->core, state, bytes, size));
}

EXPORT FmiStatus fmi3DeserializeFMUState(void *c, const uint8_t *bytes, size_t size, void **state);
EXPORT FmiStatus fmi3DeserializeFMUState(void *c, const uint8_t *bytes, size_t size, void **state)
{
    Instance *m = c;
    return tell(m, core_unpack(&m->core, bytes, size, state));
}

// --- steps ---------------------------------------------------------------------------------------

EXPORT FmiStatus fmi3DoStep(void *c, double time, double step, bool no_going_back, bool *event, bool *terminate,
                            bool *early, double *last_time);
EXPORT FmiStatus fmi3DoStep(void *c, double time, double step, bool no_going_back, bool *event, bool *terminate,
                            bool *early, double *last_time)
{
    Instance *m = c;
    (void)no_going_back;
    *event = *terminate = *early = false;
    const FmiStatus status = core_step(&m->core, time, step, last_time);
    if (status != FMI_DISCARD)
        return tell(m, status);
    // The run ended within the step: an early return, if the master allows it.
    *terminate = true;
    *early = m->early_return;
    return tell(m, m->early_return ? FMI_OK : FMI_DISCARD);
}

// --- what is not supported -----------------------------------------------------------------------

EXPORT FmiStatus fmi3EnterEventMode(void *c);
EXPORT FmiStatus fmi3EnterEventMode(void *c)
{
    return unsupported(c, "fmi3EnterEventMode");
}

EXPORT FmiStatus fmi3EnterConfigurationMode(void *c);
EXPORT FmiStatus fmi3EnterConfigurationMode(void *c)
{
    return unsupported(c, "fmi3EnterConfigurationMode");
}

EXPORT FmiStatus fmi3ExitConfigurationMode(void *c);
EXPORT FmiStatus fmi3ExitConfigurationMode(void *c)
{
    return unsupported(c, "fmi3ExitConfigurationMode");
}

EXPORT FmiStatus fmi3EvaluateDiscreteStates(void *c);
EXPORT FmiStatus fmi3EvaluateDiscreteStates(void *c)
{
    return unsupported(c, "fmi3EvaluateDiscreteStates");
}

EXPORT FmiStatus fmi3EnterContinuousTimeMode(void *c);
EXPORT FmiStatus fmi3EnterContinuousTimeMode(void *c)
{
    return unsupported(c, "fmi3EnterContinuousTimeMode");
}

EXPORT FmiStatus fmi3GetNumberOfVariableDependencies(void *c, FmiReference r, size_t *n);
EXPORT FmiStatus fmi3GetNumberOfVariableDependencies(void *c, FmiReference r, size_t *n)
{
    (void)r, (void)n;
    return unsupported(c, "fmi3GetNumberOfVariableDependencies");
}

EXPORT FmiStatus fmi3GetVariableDependencies(void *c, FmiReference r, size_t *elements, FmiReference *independents,
                                             size_t *of, int *kinds, size_t n);
EXPORT FmiStatus fmi3GetVariableDependencies(void *c, FmiReference r, size_t *elements, FmiReference *independents,
                                             size_t *of, int *kinds, size_t n)
{
    (void)r, (void)elements, (void)independents, (void)of, (void)kinds, (void)n;
    return unsupported(c, "fmi3GetVariableDependencies");
}

EXPORT FmiStatus fmi3GetDirectionalDerivative(void *c, const FmiReference *u, size_t nu, const FmiReference *k,
                                              size_t nk, const double *seed, size_t ns, double *out, size_t no);
EXPORT FmiStatus fmi3GetDirectionalDerivative(void *c, const FmiReference *u, size_t nu, const FmiReference *k,
                                              size_t nk, const double *seed, size_t ns, double *out, size_t no)
{
    (void)u, (void)nu, (void)k, (void)nk, (void)seed, (void)ns, (void)out, (void)no;
    return unsupported(c, "fmi3GetDirectionalDerivative");
}

EXPORT FmiStatus fmi3GetAdjointDerivative(void *c, const FmiReference *u, size_t nu, const FmiReference *k, size_t nk,
                                          const double *seed, size_t ns, double *out, size_t no);
EXPORT FmiStatus fmi3GetAdjointDerivative(void *c, const FmiReference *u, size_t nu, const FmiReference *k, size_t nk,
                                          const double *seed, size_t ns, double *out, size_t no)
{
    (void)u, (void)nu, (void)k, (void)nk, (void)seed, (void)ns, (void)out, (void)no;
    return unsupported(c, "fmi3GetAdjointDerivative");
}

EXPORT FmiStatus fmi3GetIntervalDecimal(void *c, const FmiReference *r, size_t n, double *x, int *q);
EXPORT FmiStatus fmi3GetIntervalDecimal(void *c, const FmiReference *r, size_t n, double *x, int *q)
{
    (void)r, (void)n, (void)x, (void)q;
    return unsupported(c, "fmi3GetIntervalDecimal");
}

EXPORT FmiStatus fmi3GetIntervalFraction(void *c, const FmiReference *r, size_t n, uint64_t *a, uint64_t *b, int *q);
EXPORT FmiStatus fmi3GetIntervalFraction(void *c, const FmiReference *r, size_t n, uint64_t *a, uint64_t *b, int *q)
{
    (void)r, (void)n, (void)a, (void)b, (void)q;
    return unsupported(c, "fmi3GetIntervalFraction");
}

EXPORT FmiStatus fmi3GetShiftDecimal(void *c, const FmiReference *r, size_t n, double *x);
EXPORT FmiStatus fmi3GetShiftDecimal(void *c, const FmiReference *r, size_t n, double *x)
{
    (void)r, (void)n, (void)x;
    return unsupported(c, "fmi3GetShiftDecimal");
}

EXPORT FmiStatus fmi3GetShiftFraction(void *c, const FmiReference *r, size_t n, uint64_t *a, uint64_t *b);
EXPORT FmiStatus fmi3GetShiftFraction(void *c, const FmiReference *r, size_t n, uint64_t *a, uint64_t *b)
{
    (void)r, (void)n, (void)a, (void)b;
    return unsupported(c, "fmi3GetShiftFraction");
}

EXPORT FmiStatus fmi3SetIntervalDecimal(void *c, const FmiReference *r, size_t n, const double *x);
EXPORT FmiStatus fmi3SetIntervalDecimal(void *c, const FmiReference *r, size_t n, const double *x)
{
    (void)r, (void)n, (void)x;
    return unsupported(c, "fmi3SetIntervalDecimal");
}

EXPORT FmiStatus fmi3SetIntervalFraction(void *c, const FmiReference *r, size_t n, const uint64_t *a,
                                         const uint64_t *b);
EXPORT FmiStatus fmi3SetIntervalFraction(void *c, const FmiReference *r, size_t n, const uint64_t *a, const uint64_t *b)
{
    (void)r, (void)n, (void)a, (void)b;
    return unsupported(c, "fmi3SetIntervalFraction");
}

EXPORT FmiStatus fmi3SetShiftDecimal(void *c, const FmiReference *r, size_t n, const double *x);
EXPORT FmiStatus fmi3SetShiftDecimal(void *c, const FmiReference *r, size_t n, const double *x)
{
    (void)r, (void)n, (void)x;
    return unsupported(c, "fmi3SetShiftDecimal");
}

EXPORT FmiStatus fmi3SetShiftFraction(void *c, const FmiReference *r, size_t n, const uint64_t *a, const uint64_t *b);
EXPORT FmiStatus fmi3SetShiftFraction(void *c, const FmiReference *r, size_t n, const uint64_t *a, const uint64_t *b)
{
    (void)r, (void)n, (void)a, (void)b;
    return unsupported(c, "fmi3SetShiftFraction");
}

EXPORT FmiStatus fmi3UpdateDiscreteStates(void *c, bool *a, bool *b, bool *d, bool *e, bool *f, double *t);
EXPORT FmiStatus fmi3UpdateDiscreteStates(void *c, bool *a, bool *b, bool *d, bool *e, bool *f, double *t)
{
    (void)a, (void)b, (void)d, (void)e, (void)f, (void)t;
    return unsupported(c, "fmi3UpdateDiscreteStates");
}

EXPORT FmiStatus fmi3CompletedIntegratorStep(void *c, bool no_going_back, bool *event, bool *end);
EXPORT FmiStatus fmi3CompletedIntegratorStep(void *c, bool no_going_back, bool *event, bool *end)
{
    (void)no_going_back, (void)event, (void)end;
    return unsupported(c, "fmi3CompletedIntegratorStep");
}

EXPORT FmiStatus fmi3SetTime(void *c, double t);
EXPORT FmiStatus fmi3SetTime(void *c, double t)
{
    (void)t;
    return unsupported(c, "fmi3SetTime");
}

EXPORT FmiStatus fmi3SetContinuousStates(void *c, const double *x, size_t n);
EXPORT FmiStatus fmi3SetContinuousStates(void *c, const double *x, size_t n)
{
    (void)x, (void)n;
    return unsupported(c, "fmi3SetContinuousStates");
}

EXPORT FmiStatus fmi3GetContinuousStateDerivatives(void *c, double *x, size_t n);
EXPORT FmiStatus fmi3GetContinuousStateDerivatives(void *c, double *x, size_t n)
{
    (void)x, (void)n;
    return unsupported(c, "fmi3GetContinuousStateDerivatives");
}

EXPORT FmiStatus fmi3GetEventIndicators(void *c, double *x, size_t n);
EXPORT FmiStatus fmi3GetEventIndicators(void *c, double *x, size_t n)
{
    (void)x, (void)n;
    return unsupported(c, "fmi3GetEventIndicators");
}

EXPORT FmiStatus fmi3GetContinuousStates(void *c, double *x, size_t n);
EXPORT FmiStatus fmi3GetContinuousStates(void *c, double *x, size_t n)
{
    (void)x, (void)n;
    return unsupported(c, "fmi3GetContinuousStates");
}

EXPORT FmiStatus fmi3GetNominalsOfContinuousStates(void *c, double *x, size_t n);
EXPORT FmiStatus fmi3GetNominalsOfContinuousStates(void *c, double *x, size_t n)
{
    (void)x, (void)n;
    return unsupported(c, "fmi3GetNominalsOfContinuousStates");
}

EXPORT FmiStatus fmi3GetNumberOfEventIndicators(void *c, size_t *n);
EXPORT FmiStatus fmi3GetNumberOfEventIndicators(void *c, size_t *n)
{
    (void)n;
    return unsupported(c, "fmi3GetNumberOfEventIndicators");
}

EXPORT FmiStatus fmi3GetNumberOfContinuousStates(void *c, size_t *n);
EXPORT FmiStatus fmi3GetNumberOfContinuousStates(void *c, size_t *n)
{
    (void)n;
    return unsupported(c, "fmi3GetNumberOfContinuousStates");
}

EXPORT FmiStatus fmi3GetOutputDerivatives(void *c, const FmiReference *r, size_t n, const int32_t *order, double *x,
                                          size_t nx);
EXPORT FmiStatus fmi3GetOutputDerivatives(void *c, const FmiReference *r, size_t n, const int32_t *order, double *x,
                                          size_t nx)
{
    (void)r, (void)n, (void)order, (void)x, (void)nx;
    return unsupported(c, "fmi3GetOutputDerivatives");
}

EXPORT FmiStatus fmi3ActivateModelPartition(void *c, FmiReference r, double t);
EXPORT FmiStatus fmi3ActivateModelPartition(void *c, FmiReference r, double t)
{
    (void)r, (void)t;
    return unsupported(c, "fmi3ActivateModelPartition");
}

EXPORT FmiStatus fmi3GetBinary(void *c, const FmiReference *r, size_t n, size_t *sizes, const uint8_t **x, size_t nx);
EXPORT FmiStatus fmi3GetBinary(void *c, const FmiReference *r, size_t n, size_t *sizes, const uint8_t **x, size_t nx)
{
    (void)r, (void)n, (void)sizes, (void)x, (void)nx;
    return unsupported(c, "fmi3GetBinary");
}

EXPORT FmiStatus fmi3SetBinary(void *c, const FmiReference *r, size_t n, const size_t *sizes, const uint8_t *const *x,
                               size_t nx);
EXPORT FmiStatus fmi3SetBinary(void *c, const FmiReference *r, size_t n, const size_t *sizes, const uint8_t *const *x,
                               size_t nx)
{
    (void)r, (void)n, (void)sizes, (void)x, (void)nx;
    return unsupported(c, "fmi3SetBinary");
}

EXPORT FmiStatus fmi3GetString(void *c, const FmiReference *r, size_t n, const char **x, size_t nx);
EXPORT FmiStatus fmi3GetString(void *c, const FmiReference *r, size_t n, const char **x, size_t nx)
{
    (void)r, (void)n, (void)x, (void)nx;
    return unsupported(c, "fmi3GetString");
}

EXPORT FmiStatus fmi3SetString(void *c, const FmiReference *r, size_t n, const char *const *x, size_t nx);
EXPORT FmiStatus fmi3SetString(void *c, const FmiReference *r, size_t n, const char *const *x, size_t nx)
{
    (void)r, (void)n, (void)x, (void)nx;
    return unsupported(c, "fmi3SetString");
}

EXPORT FmiStatus fmi3GetClock(void *c, const FmiReference *r, size_t n, bool *x);
EXPORT FmiStatus fmi3GetClock(void *c, const FmiReference *r, size_t n, bool *x)
{
    (void)r, (void)n, (void)x;
    return unsupported(c, "fmi3GetClock");
}

EXPORT FmiStatus fmi3SetClock(void *c, const FmiReference *r, size_t n, const bool *x);
EXPORT FmiStatus fmi3SetClock(void *c, const FmiReference *r, size_t n, const bool *x)
{
    (void)r, (void)n, (void)x;
    return unsupported(c, "fmi3SetClock");
}

EXPORT FmiStatus fmi3GetFloat32(void *c, const FmiReference *r, size_t n, float *x, size_t nx);
EXPORT FmiStatus fmi3GetFloat32(void *c, const FmiReference *r, size_t n, float *x, size_t nx)
{
    (void)r, (void)n, (void)x, (void)nx;
    return unsupported(c, "fmi3GetFloat32");
}

EXPORT FmiStatus fmi3SetFloat32(void *c, const FmiReference *r, size_t n, const float *x, size_t nx);
EXPORT FmiStatus fmi3SetFloat32(void *c, const FmiReference *r, size_t n, const float *x, size_t nx)
{
    (void)r, (void)n, (void)x, (void)nx;
    return unsupported(c, "fmi3SetFloat32");
}

EXPORT FmiStatus fmi3GetInt8(void *c, const FmiReference *r, size_t n, int8_t *x, size_t nx);
EXPORT FmiStatus fmi3GetInt8(void *c, const FmiReference *r, size_t n, int8_t *x, size_t nx)
{
    (void)r, (void)n, (void)x, (void)nx;
    return unsupported(c, "fmi3GetInt8");
}

EXPORT FmiStatus fmi3SetInt8(void *c, const FmiReference *r, size_t n, const int8_t *x, size_t nx);
EXPORT FmiStatus fmi3SetInt8(void *c, const FmiReference *r, size_t n, const int8_t *x, size_t nx)
{
    (void)r, (void)n, (void)x, (void)nx;
    return unsupported(c, "fmi3SetInt8");
}

EXPORT FmiStatus fmi3GetUInt8(void *c, const FmiReference *r, size_t n, uint8_t *x, size_t nx);
EXPORT FmiStatus fmi3GetUInt8(void *c, const FmiReference *r, size_t n, uint8_t *x, size_t nx)
{
    (void)r, (void)n, (void)x, (void)nx;
    return unsupported(c, "fmi3GetUInt8");
}

EXPORT FmiStatus fmi3SetUInt8(void *c, const FmiReference *r, size_t n, const uint8_t *x, size_t nx);
EXPORT FmiStatus fmi3SetUInt8(void *c, const FmiReference *r, size_t n, const uint8_t *x, size_t nx)
{
    (void)r, (void)n, (void)x, (void)nx;
    return unsupported(c, "fmi3SetUInt8");
}

EXPORT FmiStatus fmi3GetInt16(void *c, const FmiReference *r, size_t n, int16_t *x, size_t nx);
EXPORT FmiStatus fmi3GetInt16(void *c, const FmiReference *r, size_t n, int16_t *x, size_t nx)
{
    (void)r, (void)n, (void)x, (void)nx;
    return unsupported(c, "fmi3GetInt16");
}

EXPORT FmiStatus fmi3SetInt16(void *c, const FmiReference *r, size_t n, const int16_t *x, size_t nx);
EXPORT FmiStatus fmi3SetInt16(void *c, const FmiReference *r, size_t n, const int16_t *x, size_t nx)
{
    (void)r, (void)n, (void)x, (void)nx;
    return unsupported(c, "fmi3SetInt16");
}

EXPORT FmiStatus fmi3GetUInt16(void *c, const FmiReference *r, size_t n, uint16_t *x, size_t nx);
EXPORT FmiStatus fmi3GetUInt16(void *c, const FmiReference *r, size_t n, uint16_t *x, size_t nx)
{
    (void)r, (void)n, (void)x, (void)nx;
    return unsupported(c, "fmi3GetUInt16");
}

EXPORT FmiStatus fmi3SetUInt16(void *c, const FmiReference *r, size_t n, const uint16_t *x, size_t nx);
EXPORT FmiStatus fmi3SetUInt16(void *c, const FmiReference *r, size_t n, const uint16_t *x, size_t nx)
{
    (void)r, (void)n, (void)x, (void)nx;
    return unsupported(c, "fmi3SetUInt16");
}

EXPORT FmiStatus fmi3GetUInt32(void *c, const FmiReference *r, size_t n, uint32_t *x, size_t nx);
EXPORT FmiStatus fmi3GetUInt32(void *c, const FmiReference *r, size_t n, uint32_t *x, size_t nx)
{
    (void)r, (void)n, (void)x, (void)nx;
    return unsupported(c, "fmi3GetUInt32");
}

EXPORT FmiStatus fmi3SetUInt32(void *c, const FmiReference *r, size_t n, const uint32_t *x, size_t nx);
EXPORT FmiStatus fmi3SetUInt32(void *c, const FmiReference *r, size_t n, const uint32_t *x, size_t nx)
{
    (void)r, (void)n, (void)x, (void)nx;
    return unsupported(c, "fmi3SetUInt32");
}

EXPORT FmiStatus fmi3GetInt64(void *c, const FmiReference *r, size_t n, int64_t *x, size_t nx);
EXPORT FmiStatus fmi3GetInt64(void *c, const FmiReference *r, size_t n, int64_t *x, size_t nx)
{
    (void)r, (void)n, (void)x, (void)nx;
    return unsupported(c, "fmi3GetInt64");
}

EXPORT FmiStatus fmi3SetInt64(void *c, const FmiReference *r, size_t n, const int64_t *x, size_t nx);
EXPORT FmiStatus fmi3SetInt64(void *c, const FmiReference *r, size_t n, const int64_t *x, size_t nx)
{
    (void)r, (void)n, (void)x, (void)nx;
    return unsupported(c, "fmi3SetInt64");
}

EXPORT FmiStatus fmi3GetUInt64(void *c, const FmiReference *r, size_t n, uint64_t *x, size_t nx);
EXPORT FmiStatus fmi3GetUInt64(void *c, const FmiReference *r, size_t n, uint64_t *x, size_t nx)
{
    (void)r, (void)n, (void)x, (void)nx;
    return unsupported(c, "fmi3GetUInt64");
}

EXPORT FmiStatus fmi3SetUInt64(void *c, const FmiReference *r, size_t n, const uint64_t *x, size_t nx);
EXPORT FmiStatus fmi3SetUInt64(void *c, const FmiReference *r, size_t n, const uint64_t *x, size_t nx)
{
    (void)r, (void)n, (void)x, (void)nx;
    return unsupported(c, "fmi3SetUInt64");
}

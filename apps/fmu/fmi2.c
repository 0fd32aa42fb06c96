// SPDX-License-Identifier: Apache-2.0
/// \file
/// FMI 2.0, co-simulation: the functions of the standard, over core.h. What is not supported
/// answers fmi2Error.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"

#define EXPORT __attribute__((visibility("default")))

typedef struct Instance {
    Core core;
    Fmi2Callbacks callbacks;
    char name[128];
    double last; ///< time of the last successful step
    bool ended;
} Instance;

/// Tells the master what happened and returns the status.
static FmiStatus tell(Instance *m, FmiStatus status)
{
    if (status != FMI_OK && m->callbacks.logger)
        m->callbacks.logger(m->callbacks.environment, m->name, status, "logStatusError", "%s", m->core.message);
    return status;
}

static FmiStatus unsupported(Instance *m, const char *what)
{
    snprintf(m->core.message, sizeof m->core.message, "%s is not supported", what);
    return tell(m, FMI_ERROR);
}

/// "file:///a/b", with %20 and the like, as a path.
static void path_of(const char *uri, char *out, size_t size)
{
    size_t n = 0;
    const char *p = strncmp(uri, "file://", 7) == 0 ? uri + 7 : strncmp(uri, "file:", 5) == 0 ? uri + 5 : uri;
    if (*p && *p != '/' && p == uri + 7)
        p = strchr(p, '/') ? strchr(p, '/') : p; // a host's name
    for (; *p && n + 1 < size; p++) {
        unsigned code;
        if (*p == '%' && sscanf(p + 1, "%2x", &code) == 1) {
            out[n++] = (char)code;
            p += 2;
        } else {
            out[n++] = *p;
        }
    }
    out[n] = '\0';
}

EXPORT const char *fmi2GetTypesPlatform(void);
EXPORT const char *fmi2GetTypesPlatform(void)
{
    return "default";
}

EXPORT const char *fmi2GetVersion(void);
EXPORT const char *fmi2GetVersion(void)
{
    return "2.0";
}

EXPORT FmiStatus fmi2SetDebugLogging(void *c, int on, size_t n, const char *const *categories);
EXPORT FmiStatus fmi2SetDebugLogging(void *c, int on, size_t n, const char *const *categories)
{
    (void)c, (void)on, (void)n, (void)categories; // what goes wrong is always told
    return FMI_OK;
}

EXPORT void *fmi2Instantiate(const char *name, Fmi2Type type, const char *guid, const char *resources,
                             const Fmi2Callbacks *callbacks, int visible, int logging);
EXPORT void *fmi2Instantiate(const char *name, Fmi2Type type, const char *guid, const char *resources,
                             const Fmi2Callbacks *callbacks, int visible, int logging)
{
    char path[4096];
    Instance *m = calloc(1, sizeof *m);
    (void)visible, (void)logging;
    if (!m)
        return NULL;
    if (callbacks)
        m->callbacks = *callbacks;
    snprintf(m->name, sizeof m->name, "%s", name ? name : "");
    path_of(resources ? resources : "", path, sizeof path);
    const char *why = type != FMI2_CO_SIMULATION ? "this FMU is for co-simulation" : core_open(&m->core, path);
    if (!why && (!guid || strcmp(guid, m->core.token ? m->core.token : "") != 0))
        why = "the guid is not that of this FMU";
    if (!why)
        return m;
    if (why != m->core.message)
        snprintf(m->core.message, sizeof m->core.message, "%s", why);
    (void)tell(m, FMI_ERROR);
    core_close(&m->core);
    free(m);
    return NULL;
}

EXPORT void fmi2FreeInstance(void *c);
EXPORT void fmi2FreeInstance(void *c)
{
    Instance *m = c;
    if (m)
        core_close(&m->core);
    free(m);
}

EXPORT FmiStatus fmi2SetupExperiment(void *c, int tolerance_given, double tolerance, double start, int stop_given,
                                     double stop);
EXPORT FmiStatus fmi2SetupExperiment(void *c, int tolerance_given, double tolerance, double start, int stop_given,
                                     double stop)
{
    Instance *m = c;
    (void)tolerance_given, (void)tolerance, (void)stop_given, (void)stop;
    m->core.start = m->last = start;
    return FMI_OK;
}

#define PLAIN(name)                                                                                                    \
    EXPORT FmiStatus name(void *c);                                                                                    \
    EXPORT FmiStatus name(void *c)                                                                                     \
    {                                                                                                                  \
        (void)c;                                                                                                       \
        return FMI_OK;                                                                                                 \
    }
PLAIN(fmi2EnterInitializationMode)
PLAIN(fmi2ExitInitializationMode)
PLAIN(fmi2Terminate)

EXPORT FmiStatus fmi2Reset(void *c);
EXPORT FmiStatus fmi2Reset(void *c)
{
    Instance *m = c;
    m->ended = false;
    m->last = 0.0;
    return tell(m, core_reset(&m->core));
}

// --- variables -----------------------------------------------------------------------------------

#define ACCESS(Get, Set, Type, kind, to)                                                                               \
    EXPORT FmiStatus Get(void *c, const FmiReference *r, size_t n, Type *x);                                           \
    EXPORT FmiStatus Get(void *c, const FmiReference *r, size_t n, Type *x)                                            \
    {                                                                                                                  \
        Instance *m = c;                                                                                               \
        FmiStatus worst = FMI_OK;                                                                                      \
        for (size_t i = 0; i < n && worst < FMI_ERROR; i++) {                                                          \
            double value;                                                                                              \
            const FmiStatus status = core_get(&m->core, r[i], kind, &value);                                           \
            x[i] = to(value);                                                                                          \
            worst = status > worst ? status : worst;                                                                   \
        }                                                                                                              \
        return tell(m, worst);                                                                                         \
    }                                                                                                                  \
    EXPORT FmiStatus Set(void *c, const FmiReference *r, size_t n, const Type *x);                                     \
    EXPORT FmiStatus Set(void *c, const FmiReference *r, size_t n, const Type *x)                                      \
    {                                                                                                                  \
        Instance *m = c;                                                                                               \
        FmiStatus worst = FMI_OK;                                                                                      \
        for (size_t i = 0; i < n && worst < FMI_ERROR; i++) {                                                          \
            const FmiStatus status = core_set(&m->core, r[i], kind, (double)x[i]);                                     \
            worst = status > worst ? status : worst;                                                                   \
        }                                                                                                              \
        return tell(m, worst);                                                                                         \
    }
#define AS_IS(x)    (x)
#define AS_WHOLE(x) ((int)(x))
ACCESS(fmi2GetReal, fmi2SetReal, double, RI_VALUE_REAL, AS_IS)
ACCESS(fmi2GetInteger, fmi2SetInteger, int, RI_VALUE_INT, AS_WHOLE)
ACCESS(fmi2GetBoolean, fmi2SetBoolean, int, RI_VALUE_BOOL, AS_WHOLE)

EXPORT FmiStatus fmi2GetString(void *c, const FmiReference *r, size_t n, const char **x);
EXPORT FmiStatus fmi2GetString(void *c, const FmiReference *r, size_t n, const char **x)
{
    (void)r, (void)x;
    return n == 0 ? FMI_OK : unsupported(c, "a text variable");
}

EXPORT FmiStatus fmi2SetString(void *c, const FmiReference *r, size_t n, const char *const *x);
EXPORT FmiStatus fmi2SetString(void *c, const FmiReference *r, size_t n, const char *const *x)
{
    (void)r, (void)x;
    return n == 0 ? FMI_OK : unsupported(c, "a text variable");
}

// --- state ---------------------------------------------------------------------------------------

EXPORT FmiStatus fmi2GetFMUstate(void *c, void **state);
EXPORT FmiStatus fmi2GetFMUstate(void *c, void **state)
{
    Instance *m = c;
    CoreState *s = *state;
    const FmiStatus status = tell(m, core_save(&m->core, &s));
    *state = s;
    return status;
}

EXPORT FmiStatus fmi2SetFMUstate(void *c, void *state);
EXPORT FmiStatus fmi2SetFMUstate(void *c, void *state)
{
    Instance *m = c;
    const FmiStatus status = core_load(&m->core, state);
    m->last = m->core.start + ri_sim_time(m->core.sim);
    m->ended = false;
    return tell(m, status);
}

EXPORT FmiStatus fmi2FreeFMUstate(void *c, void **state);
EXPORT FmiStatus fmi2FreeFMUstate(void *c, void **state)
{
    (void)c;
    free(*state);
    *state = NULL;
    return FMI_OK;
}

EXPORT FmiStatus fmi2SerializedFMUstateSize(void *c, void *state, size_t *size);
EXPORT FmiStatus fmi2SerializedFMUstateSize(void *c, void *state, size_t *size)
{
    (void)c;
    *size = core_packed_size(state);
    return FMI_OK;
}

EXPORT FmiStatus fmi2SerializeFMUstate(void *c, void *state, char *bytes, size_t size);
EXPORT FmiStatus fmi2SerializeFMUstate(void *c, void *state, char *bytes, size_t size)
{
    Instance *m = c;
    return tell(m, core_pack(&m->core, state, (unsigned char *)bytes, size));
}

EXPORT FmiStatus fmi2DeSerializeFMUstate(void *c, const char *bytes, size_t size, void **state);
EXPORT FmiStatus fmi2DeSerializeFMUstate(void *c, const char *bytes, size_t size, void **state)
{
    Instance *m = c;
    return tell(m, core_unpack(&m->core, (const unsigned char *)bytes, size, state));
}

// --- steps ---------------------------------------------------------------------------------------

EXPORT FmiStatus fmi2DoStep(void *c, double time, double step, int no_going_back);
EXPORT FmiStatus fmi2DoStep(void *c, double time, double step, int no_going_back)
{
    Instance *m = c;
    (void)no_going_back;
    const FmiStatus status = core_step(&m->core, time, step, &m->last);
    m->ended = status == FMI_DISCARD;
    return tell(m, status);
}

EXPORT FmiStatus fmi2CancelStep(void *c);
EXPORT FmiStatus fmi2CancelStep(void *c)
{
    return unsupported(c, "cancelStep"); // steps are never pending
}

EXPORT FmiStatus fmi2GetStatus(void *c, Fmi2StatusKind kind, FmiStatus *x);
EXPORT FmiStatus fmi2GetStatus(void *c, Fmi2StatusKind kind, FmiStatus *x)
{
    (void)kind, (void)x;
    return unsupported(c, "getStatus");
}

EXPORT FmiStatus fmi2GetRealStatus(void *c, Fmi2StatusKind kind, double *x);
EXPORT FmiStatus fmi2GetRealStatus(void *c, Fmi2StatusKind kind, double *x)
{
    Instance *m = c;
    if (kind != FMI2_LAST_TIME)
        return unsupported(c, "this status");
    *x = m->last;
    return FMI_OK;
}

EXPORT FmiStatus fmi2GetIntegerStatus(void *c, Fmi2StatusKind kind, int *x);
EXPORT FmiStatus fmi2GetIntegerStatus(void *c, Fmi2StatusKind kind, int *x)
{
    (void)kind, (void)x;
    return unsupported(c, "this status");
}

EXPORT FmiStatus fmi2GetBooleanStatus(void *c, Fmi2StatusKind kind, int *x);
EXPORT FmiStatus fmi2GetBooleanStatus(void *c, Fmi2StatusKind kind, int *x)
{
    Instance *m = c;
    if (kind != FMI2_TERMINATED)
        return unsupported(c, "this status");
    *x = m->ended;
    return FMI_OK;
}

EXPORT FmiStatus fmi2GetStringStatus(void *c, Fmi2StatusKind kind, const char **x);
EXPORT FmiStatus fmi2GetStringStatus(void *c, Fmi2StatusKind kind, const char **x)
{
    (void)kind, (void)x;
    return unsupported(c, "this status");
}

EXPORT FmiStatus fmi2GetDirectionalDerivative(void *c, const FmiReference *u, size_t nu, const FmiReference *k,
                                              size_t nk, const double *dk, double *du);
EXPORT FmiStatus fmi2GetDirectionalDerivative(void *c, const FmiReference *u, size_t nu, const FmiReference *k,
                                              size_t nk, const double *dk, double *du)
{
    (void)u, (void)nu, (void)k, (void)nk, (void)dk, (void)du;
    return unsupported(c, "a directional derivative");
}

EXPORT FmiStatus fmi2SetRealInputDerivatives(void *c, const FmiReference *r, size_t n, const int *order,
                                             const double *x);
EXPORT FmiStatus fmi2SetRealInputDerivatives(void *c, const FmiReference *r, size_t n, const int *order,
                                             const double *x)
{
    (void)r, (void)n, (void)order, (void)x;
    return unsupported(c, "the derivative of an input");
}

EXPORT FmiStatus fmi2GetRealOutputDerivatives(void *c, const FmiReference *r, size_t n, const int *order, double *x);
EXPORT FmiStatus fmi2GetRealOutputDerivatives(void *c, const FmiReference *r, size_t n, const int *order, double *x)
{
    (void)r, (void)n, (void)order, (void)x;
    return unsupported(c, "the derivative of an output");
}
